#pragma once

#include <memory>

#include "kernel/kernel.h"

namespace weft {

/// MatMul(a, b, transpose_b) restricted to columns [begin, begin + columns), which use that many rows of b. Inputs are a and b, float. Errors are those of the
/// whole MatMul; `whole`: the product's shape at planning time.
std::shared_ptr<Kernel> makeSlicedProduct(const Shape& whole, int64_t begin, int64_t columns);

/// Gives the columns that such a kernel computes; false for any other kernel.
bool isSlicedProduct(const Kernel& kernel, int64_t& begin, int64_t& columns);

/// a * b for float matrices, neither transposed.
std::shared_ptr<Kernel> makePlainProduct();

/// The sum of `others` tensors of one shape and one more term, float. The term is a matrix product (of two further inputs), or the sums over all rows of a
/// matrix (one further input). The result may reuse the memory of the first tensor.
struct SumTerm {
  bool isProduct = true;  ///< MatMul; else BiasAddGrad.
  bool transposeA = false, transposeB = false;
};
std::shared_ptr<Kernel> makeProductSum(int others, SumTerm term);

}  // namespace weft
