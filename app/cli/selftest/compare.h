#pragma once

#include <string>

#include "weft/tensor.h"

namespace weft::cli {

/// How close values must be: |got - want| <= absolute + relative * |want|; NaN equals NaN.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// What differs between two tensors (dtype, shape, values), for people; empty if nothing does. Integers, strings and booleans must be
/// equal unless `integersToo`, then they are compared with the tolerance as well. `upToSign` compares absolute values.
std::string differenceOf(const Tensor& got, const Tensor& want, const Tolerance& tolerance, bool integersToo = false, bool upToSign = false);

/// The same for two serialised Summary messages: tags in order, scalars and histograms with tolerance, images by decoded pixels
/// (within `pixelTolerance`), the rest by bytes.
std::string summaryDifference(const std::string& got, const std::string& want, const Tolerance& tolerance, int pixelTolerance);

/// The same for two PNG or JPEG files by their pixels.
std::string pngDifference(const std::string& got, const std::string& want, int pixelTolerance);
std::string jpegDifference(const std::string& got, const std::string& want, int pixelTolerance);

}  // namespace weft::cli
