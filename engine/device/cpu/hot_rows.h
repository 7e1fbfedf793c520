#pragma once

#include <cstdint>

#include "weft/export.h"

namespace weft::cpu {

/// Inner loops over rows of float32 for images and 16-bit floats, one table per instruction set. No function uses threads.
struct RowKernels {
  /// sums[j] += all x[i * period + j] with i * period + j < n. `period` <= kLongestPeriod.
  void (*periodicSums)(double* sums, const float* x, int64_t n, int64_t period);
  /// y[i] = (x[i] - mean[i % period]) * factor + mean[i % period].
  void (*scaleAboutMeans)(float* y, const float* x, const float* mean, float factor, int64_t n, int64_t period);
  /// y[k] = bias + alpha * the sum of x² over the channels k - radius to k + radius, added in this order. `room`: channels + 2 * radius numbers.
  void (*windowNorms)(float* y, const float* x, float* room, int64_t channels, int64_t radius, float bias, float alpha);
  /// x / sqrt(norm) or, if not `root`, x / norm.
  void (*divideByNorms)(float* y, const float* x, const float* norm, int64_t n, bool root);
  /// y[i] = 1 / sqrt(norm[i]), rounded once.
  void (*inverseRoots)(float* y, const float* norm, int64_t n);
  /// dx[k] = factor * x[k] * the sum of y / norm * dy over the channels k - radius to k + radius + power[k] * dy[k]. `room` as in windowNorms.
  void (*windowGradients)(float* dx, const float* dy, const float* x, const float* y, const float* norm, const float* power, float* room, int64_t channels,
                          int64_t radius, float factor);
  /// y[i] = w[0] * x[0][i] + w[1] * x[1][i] + …, added in this order. `count` >= 1.
  void (*weightedSum)(float* y, const float* const* x, const float* w, int count, int64_t n);
  /// Pixels of a new row from four columns each: y[c] = x[at[0]] * weight[0] + … + x[at[3]] * weight[3], added in this order. `at` and `weight` are those of column
  /// 0; the next ones' are `stride` bytes apart. Reads up to 3 floats behind `x`.
  void (*blendColumns)(float* y, const float* x, const int64_t* at, const float* weight, int64_t stride, int64_t columns, int64_t channels);
  /// y[column * yStride + row] = x[row * xStride + column], elements of 4 bytes.
  void (*transpose4)(uint32_t* y, int64_t yStride, const uint32_t* x, int64_t xStride, int64_t rows, int64_t columns);
  /// to[i] = from[-i], for elements of 1, 2, 4 and 8 bytes.
  void (*reverse1)(uint8_t* to, const uint8_t* from, int64_t n);
  void (*reverse2)(uint16_t* to, const uint16_t* from, int64_t n);
  void (*reverse4)(uint32_t* to, const uint32_t* from, int64_t n);
  void (*reverse8)(uint64_t* to, const uint64_t* from, int64_t n);
};

constexpr int64_t kLongestPeriod = 256;

/// The table for this processor (WEFT_ISA=v2|v3|v4 in the environment lowers the choice).
WEFT_API const RowKernels& rowKernels();

}  // namespace weft::cpu
