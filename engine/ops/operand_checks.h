#pragma once

#include "kernel/kernel.h"

// Checks of operands, and their errors, that kernels on all devices share.
namespace weft {

/// Select: the condition is a scalar, has the shape of the values, or chooses rows.
WEFT_API Status checkSelect(const KernelContext& c);
/// SelectV2, for operands that cannot be broadcast.
WEFT_API Error notBroadcastable(const KernelContext& c);
/// MatMul: both operands are matrices.
WEFT_API Status checkMatrices(const Tensor& a, const Tensor& b);
/// SparseSoftmaxCrossEntropyWithLogits: shapes, and the error for a label outside of the classes.
WEFT_API Status checkSparseCrossEntropy(const KernelContext& c);
WEFT_API Error wrongLabel(const Tensor& labels, int64_t row, int64_t classes);
/// InTopK.
WEFT_API Status checkInTopK(const KernelContext& c);

/// LRN and its gradient.
struct LocalResponse {
  int64_t radius = 0;
  float bias = 1, alpha = 1, beta = 0.5f;
};
WEFT_API Result<LocalResponse> checkLocalResponse(const KernelContext& c);

}  // namespace weft
