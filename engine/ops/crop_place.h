#pragma once

#include "base/any_device.h"
#include "kernel/kernel.h"

// Crops of boxes from images, for the kernels of all devices.
namespace weft {

/// The position of a crop's pixel in the image along one axis.
struct CropPlace {
  float at;
  bool inside;
};
WEFT_ANY_DEVICE inline CropPlace cropPlace(float from, float to, int64_t i, int64_t crop, int64_t size) {
  const float last = float(size - 1);
  const float at = crop > 1 ? from * last + float(i) * ((to - from) * last / float(crop - 1)) : 0.5f * (from + to) * last;
  return {at, at >= 0 && at <= last};  // NaN is outside
}

/// Checks the shapes of boxes and of their pictures' numbers. The numbers are for the kernel to check, which reports outsideBatch().
WEFT_API Status checkBoxShapes(const Tensor& boxes, const Tensor& index);
WEFT_API Error outsideBatch();

/// What CropAndResize and its gradients do.
struct CropShape {
  int64_t boxes = 0, rows = 0, columns = 0, depth = 0;  ///< Of the crops.
  int64_t batch = 0, height = 0, width = 0;             ///< Of the images.
  Shape out;
};
WEFT_API Result<CropShape> cropShapeOf(KernelContext& c);
WEFT_API Result<CropShape> cropGradImageShapeOf(KernelContext& c);
WEFT_API Result<CropShape> cropGradBoxesShapeOf(KernelContext& c);

}  // namespace weft
