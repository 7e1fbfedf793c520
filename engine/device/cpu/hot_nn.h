#pragma once

#include <cstdint>

#include "weft/export.h"

namespace weft::cpu {

/// Extent of a two-dimensional window op over an NHWC image.
struct PoolGeometry {
  int64_t inHeight = 0, inWidth = 0, outHeight = 0, outWidth = 0, channels = 0;
  int64_t windowHeight = 0, windowWidth = 0, strideHeight = 0, strideWidth = 0, padTop = 0, padLeft = 0;
};

/// Inner loops of neural-network ops on float32, one table per instruction set. All arrays are dense and row-major; "rows" are all leading dims together. No
/// function uses threads; callers split the work between threads.
struct NnKernels {
  void (*biasAdd)(float* out, const float* in, const float* bias, int64_t rows, int64_t channels);
  /// sums[c] += sum over rows.
  void (*columnSums)(float* sums, const float* in, int64_t rows, int64_t channels);
  /// sums[c] += sum over rows of (in - mean[c])^2.
  void (*columnSquares)(float* sums, const float* in, const float* mean, int64_t rows, int64_t channels);
  /// sums[c] += sum of grad, dots[c] += sum of grad * (in - mean[c]).
  void (*columnDots)(float* sums, float* dots, const float* grad, const float* in, const float* mean, int64_t rows, int64_t channels);
  /// out = (in - mean[c]) * factor[c] + offset[c].
  void (*normalize)(float* out, const float* in, const float* mean, const float* factor, const float* offset, int64_t rows, int64_t channels);
  /// out = factor[c] * (grad - a[c] - (in - mean[c]) * b[c]).
  void (*normalizeGrad)(float* out, const float* grad, const float* in, const float* mean, const float* factor, const float* a, const float* b, int64_t rows,
                        int64_t channels);
  void (*relu)(float* out, const float* in, int64_t n);
  float (*sumOfSquares)(const float* in, int64_t n);
  void (*softmax)(float* out, const float* in, int64_t rows, int64_t columns);
  void (*logSoftmax)(float* out, const float* in, int64_t rows, int64_t columns);
  /// Dense labels. `loss` has one element per row; `backprop` = softmax - labels and may be the same array as `logits`.
  void (*crossEntropy)(float* loss, float* backprop, const float* logits, const float* labels, int64_t rows, int64_t columns);
  /// REQUIRES: all labels in [0, columns).
  void (*sparseCrossEntropy32)(float* loss, float* backprop, const float* logits, const int32_t* labels, int64_t rows, int64_t columns);
  void (*sparseCrossEntropy64)(float* loss, float* backprop, const float* logits, const int64_t* labels, int64_t rows, int64_t columns);
  /// Computes rows [begin, end) of all images' output rows (image * outHeight + y).
  void (*maxPool)(float* out, const float* in, const PoolGeometry& g, int64_t begin, int64_t end);
  void (*averagePool)(float* out, const float* in, const PoolGeometry& g, int64_t begin, int64_t end);
  /// One image; writes all of `backprop`. The gradient goes to the first maximum of each window in row-major order. `positiveOnly`: maxima that are not
  /// positive get 0, as from the gradient of a Relu before the pool.
  void (*maxPoolGrad)(float* backprop, const float* in, const float* grad, const PoolGeometry& g, bool positiveOnly);
  void (*averagePoolGrad)(float* backprop, const float* grad, const PoolGeometry& g);
  /// c[m,n] = a[m,k] b[k,n], for matrices of a few dozen elements.
  void (*tinyMatMul)(float* c, const float* a, const float* b, int64_t m, int64_t k, int64_t n);
};

/// The table for this processor (WEFT_ISA=v2|v3|v4 in the environment lowers the choice).
WEFT_API const NnKernels& nnKernels();

}  // namespace weft::cpu
