#pragma once

#include "weft/error.h"
#include "weft/tensor.h"

// Zeros and sums of tensors that may hold variants, which gradients need of lists and optionals.
namespace weft {

/// A tensor of zeros of the same type and shape; of variants the same objects with zeros inside. A tensor without a value stays one.
Result<Tensor> zerosOf(const Tensor& t);
/// The sum of two tensors of one type and shape; a tensor without a value counts as zero. INVALID_ARGUMENT in TensorFlow's words if
/// shapes differ.
Result<Tensor> sumOf(const Tensor& a, const Tensor& b);

}  // namespace weft
