#pragma once

#include <string>

#include "proto/summary.pb.h"
#include "weft/events.h"
#include "weft/tensor.h"

// Converts values to Summary messages, for ops that output messages and ops that write them to files.
namespace weft {

/// Adds a histogram that has been counted.
void addHistogram(const std::string& tag, const HistogramValue& counted, tensorflow::Summary& to);
/// Counts values and adds their histogram. INVALID_ARGUMENT, naming `node`, if a value is not finite.
Status addHistogram(const std::string& tag, const Tensor& values, const std::string& node, tensorflow::Summary& to);
/// Adds up to `most` images of [batch, height, width, channels] as PNG; non-finite pixels get `badColor`.
Status addImages(const std::string& tag, const Tensor& images, int64_t most, const Tensor& badColor, tensorflow::Summary& to);
/// Adds up to `most` sounds of [batch, frames] or [batch, frames, channels] as WAV.
Status addSounds(const std::string& tag, const Tensor& sounds, float rate, int64_t most, tensorflow::Summary& to);

}  // namespace weft
