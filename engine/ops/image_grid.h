#pragma once

#include <cmath>

#include "base/any_device.h"
#include "kernel/kernel.h"

// Grids of image resizing: TensorFlow's three mappings between positions of the new image and the old one. For the kernels of all devices.
namespace weft {

/// Maps positions of the new grid to the old one, along one axis.
struct GridAxis {
  int64_t in = 0, out = 0;
  float scale = 1;
  bool halfPixel = false;
  WEFT_ANY_DEVICE float at(int64_t i) const { return halfPixel ? (float(i) + 0.5f) * scale - 0.5f : float(i) * scale; }
};

struct ImageGrid {
  int64_t batch = 0, channels = 0;
  GridAxis y, x;
};

/// From input 0, images [batch, height, width, channels], and the requested size in input 1.
WEFT_API Result<ImageGrid> imageGridFor(KernelContext& c);
/// The same for a gradient: input 0 are images of the new size; `height` and `width` are the old size.
WEFT_API Result<ImageGrid> imageGridForGradient(KernelContext& c, int64_t height, int64_t width);
/// The same if input 1 holds the images of the old size.
WEFT_API Result<ImageGrid> imageGridForOriginal(KernelContext& c);

/// The two old positions between which a new one lies, and how far it is from the lower one.
struct Between {
  int64_t low, high;
  float part;
};
WEFT_ANY_DEVICE inline Between between(const GridAxis& a, int64_t i) {
  const float at = a.at(i), whole = floorf(at);
  const int64_t low = int64_t(whole), high = int64_t(ceilf(at));
  return {low > 0 ? low : 0, high < a.in - 1 ? high : a.in - 1, at - whole};
}

WEFT_ANY_DEVICE inline int64_t nearest(const GridAxis& a, int64_t i, bool align) {
  const float at = (a.halfPixel ? float(i) + 0.5f : float(i)) * a.scale;
  const int64_t k = int64_t(align ? roundf(at) : floorf(at)), inside = k < a.in - 1 ? k : a.in - 1;
  return a.halfPixel && inside < 0 ? 0 : inside;
}

}  // namespace weft
