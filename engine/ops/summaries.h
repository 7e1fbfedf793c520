#pragma once

#include <string>

#include "proto/summary.pb.h"
#include "weft/tensor.h"

// Values as Summary messages hold them, for ops that hand messages out and ops that write them to files.
namespace weft {

/// INVALID_ARGUMENT if a value is not finite; `node` is named in it.
Status addHistogram(const std::string& tag, const Tensor& values, const std::string& node, tensorflow::Summary& to);
/// Up to `most` pictures of [batch, height, width, channels] as PNG; pixels that are not finite get `badColor`.
Status addImages(const std::string& tag, const Tensor& images, int64_t most, const Tensor& badColor, tensorflow::Summary& to);
/// Up to `most` sounds of [batch, frames] or [batch, frames, channels] as WAV.
Status addSounds(const std::string& tag, const Tensor& sounds, float rate, int64_t most, tensorflow::Summary& to);

}  // namespace weft
