#pragma once

#include <cstdint>

#include "device/cpu/convolution.h"
#include "device/cuda/cuda_device.h"

// Convolutions as cuDNN sees them.
namespace weft::cuda {

/// One axis. cuDNN pads both sides alike, by `pad`; what one side needs beyond that is copied into the images.
struct ConvolutionAxis {
  int64_t size = 1, window = 1, out = 1, stride = 1, dilation = 1, pad = 0, extraBefore = 0, extraAfter = 0;
  int64_t padded() const { return size + extraBefore + extraAfter; }
  /// `before`: the padding before the data. After it, there is as much as the last window needs.
  static ConvolutionAxis of(int64_t size, int64_t window, int64_t out, int64_t stride, int64_t dilation, int64_t before);
};

struct ConvolutionShape {
  int dims = 2;  ///< 2: images, whose axes are the last two; 3: volumes.
  int64_t batch = 0, in = 0, out = 0;
  bool channelsFirst = false;
  ConvolutionAxis axes[3];
  int64_t window() const { return axes[0].window * axes[1].window * axes[2].window; }
  /// UNIMPLEMENTED if cuDNN cannot count the elements.
  Status check() const;
};

/// Queues a convolution. x and y are planes with x's extra padding, the filter is OIHW; the one that `direction` names is written. The algorithm is cuDNN's
/// fastest of those that give the same result in every run; it is looked up once per shape.
Status runConvolution(CudaDevice& d, cpu::ConvDirection direction, const ConvolutionShape& g, cudnnDataType_t type, void* x, void* filter, void* y);

}  // namespace weft::cuda
