#pragma once

#include "device/cpu/convolution.h"
#include "ops/volume_windows.h"

namespace weft {

/// A call of Conv3D or of one of its gradients.
struct VolumeConvolution {
  VolumeWindows windows;
  std::array<int64_t, 3> dilations{1, 1, 1};
  int64_t outChannels = 0;
  bool channelsFirst = false;
  Shape result;
};

/// Sizes of a call with TensorFlow's checks. `direction` names the tensor that it computes; `onCpu`: with the limits of TensorFlow's CPU kernels.
WEFT_API Result<VolumeConvolution> volumeConvolution(const KernelContext& c, cpu::ConvDirection direction, bool onCpu = true);

}  // namespace weft
