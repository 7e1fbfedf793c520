#pragma once

#include <string>

#include "weft/tensor.h"

namespace weft::cli {

/// How close values must be: |got - want| <= absolute + relative * |want|; NaN equals NaN.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// The difference between two tensors (dtype, shape, values) as text; empty if they are equal. Integers, strings and booleans must be exactly equal, unless
/// `integersToo` applies the tolerance to them as well. `upToSign` compares absolute values.
std::string differenceOf(const Tensor& got, const Tensor& want, const Tolerance& tolerance, bool integersToo = false, bool upToSign = false);

/// The difference between two serialised Summary messages: tags in order, scalars and histograms with tolerance, images by decoded pixels (within
/// `pixelTolerance`), the rest bytewise.
std::string summaryDifference(const std::string& got, const std::string& want, const Tolerance& tolerance, int pixelTolerance);

/// The difference between the pixels of two PNG or JPEG files.
std::string pngDifference(const std::string& got, const std::string& want, int pixelTolerance);
std::string jpegDifference(const std::string& got, const std::string& want, int pixelTolerance);

}  // namespace weft::cli
