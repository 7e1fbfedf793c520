#pragma once

#include <memory>

#include "kernel/kernel.h"

namespace weft {

/// MatMul(a, b, transpose_b) of which only columns [begin, begin + columns) are wanted: so many rows of b. Inputs are a and b, float.
/// What is wrong with them is told as MatMul would of the whole; `whole`: the product's shape as it was planned.
std::shared_ptr<Kernel> makeSlicedProduct(const Shape& whole, int64_t begin, int64_t columns);

/// What such a kernel computes: the columns; false for any other kernel.
bool isSlicedProduct(const Kernel& kernel, int64_t& begin, int64_t& columns);

/// a * b for float matrices, neither transposed.
std::shared_ptr<Kernel> makePlainProduct();

/// The sum of `others` tensors of one shape and one more term: a matrix product (of two further inputs), or the sums over all rows of a
/// matrix (of one), float. The first of the others may give its memory.
struct SumTerm {
  bool isProduct = true;  ///< MatMul; else BiasAddGrad.
  bool transposeA = false, transposeB = false;
};
std::shared_ptr<Kernel> makeProductSum(int others, SumTerm term);

}  // namespace weft
