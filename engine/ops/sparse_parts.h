#pragma once

#include <vector>

#include "kernel/kernel.h"
#include "ops/grad_ops.h"

// What the families of sparse ops share: checks of indices, positions, orders.
namespace weft {

/// Flat position of index vector `i` of `indices` ([N, rank], [N] or a scalar) in a tensor of this shape; -1 if it lies outside.
int64_t positionOf(const Tensor& indices, int64_t i, const Shape& shape);

/// INVALID_ARGUMENT in TensorFlow's words unless the first `n` index vectors lie inside `shape`, ascend and do not repeat.
Status checkOrder(const Tensor& indices, int64_t n, const Shape& shape);

/// INVALID_ARGUMENT unless the three tensors are [N, rank], [N] and [rank].
Status requireSparse(const Tensor& indices, const Tensor& values, const Tensor& shape);

/// Numbers of the rows of an int64 matrix in ascending order of the rows; equal rows stay in their order.
std::vector<int64_t> rowOrder(const Tensor& indices);

/// tf.reduce_sum over everything.
Output sumOfAll(GraphBuilder& b, Output x);

/// x[:, column]
Output columnOf(GraphBuilder& b, Output x, int column);

/// Puts one part of a packed sparse tensor (indices, values or shape) into element `at` of a Variant tensor.
Status packIntoVariant(const Tensor& part, Tensor& to, int64_t at);

}  // namespace weft
