#pragma once

#include "kernel/kernel.h"

// Products of a sparse and a dense matrix, for the kernels of all devices.
namespace weft {

/// What SparseTensorDenseMatMul multiplies: `count` elements of a matrix [rows, inner] with a matrix [inner, columns], after transposing.
struct SparseProduct {
  int64_t count = 0, rows = 0, inner = 0, columns = 0;
  bool adjointA = false, adjointB = false;
};
WEFT_API Result<SparseProduct> sparseProductOf(KernelContext& c);
/// The error for element `i`, whose indices are not in the matrix.
WEFT_API Error outsideProduct(const SparseProduct& p, const Tensor& indices, int64_t i);

}  // namespace weft
