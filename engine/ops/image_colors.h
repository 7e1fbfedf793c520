#pragma once

#include "kernel/kernel.h"

// Checks of ops on colours, for the kernels of all devices.
namespace weft {

/// RGBToHSV, HSVToRGB: three channels.
WEFT_API Status checkHsv(const Tensor& in);
/// AdjustHue, AdjustSaturation: images of three channels and a scalar, called `name`.
WEFT_API Status checkColorChange(const Tensor& in, const Tensor& by, const char* name);

/// The pictures of AdjustContrast: all but the last three dims.
struct ContrastShape {
  int64_t pictures = 0, pixels = 0, channels = 0;
};
WEFT_API Result<ContrastShape> contrastShape(KernelContext& c);

}  // namespace weft
