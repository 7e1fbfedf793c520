#pragma once

#include "weft/error.h"
#include "weft/tensor.h"

// Zeros and sums of tensors that may hold variants, needed for gradients of lists and optionals.
namespace weft {

/// Zeros of the same type and shape; variants become the same objects with zeros inside. A tensor without a value stays without one.
Result<Tensor> zerosOf(const Tensor& t);
/// The sum of two tensors of the same type and shape; a tensor without a value counts as zero. INVALID_ARGUMENT with TensorFlow's wording if shapes differ.
Result<Tensor> sumOf(const Tensor& a, const Tensor& b);

}  // namespace weft
