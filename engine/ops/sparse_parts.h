#pragma once

#include <vector>

#include "kernel/kernel.h"
#include "ops/grad_ops.h"

// Shared by the sparse op families: checks of indices, positions, orders.
namespace weft {

/// Flat position of index vector `i` of `indices` ([N, rank], [N] or a scalar) in a tensor of this shape; -1 if outside.
int64_t positionOf(const Tensor& indices, int64_t i, const Shape& shape);

/// INVALID_ARGUMENT with TensorFlow's wording unless the first `n` index vectors are inside `shape` and strictly ascending.
Status checkOrder(const Tensor& indices, int64_t n, const Shape& shape);

/// INVALID_ARGUMENT unless the three tensors are [N, rank], [N] and [rank].
Status requireSparse(const Tensor& indices, const Tensor& values, const Tensor& shape);

/// Row numbers of an int64 matrix in ascending order of the rows; stable.
std::vector<int64_t> rowOrder(const Tensor& indices);

/// tf.reduce_sum over everything.
Output sumOfAll(GraphBuilder& b, Output x);

/// x[:, column]
Output columnOf(GraphBuilder& b, Output x, int column);

/// Stores one part of a packed sparse tensor (indices, values or shape) in element `at` of a Variant tensor.
Status packIntoVariant(const Tensor& part, Tensor& to, int64_t at);

}  // namespace weft
