#pragma once

#include <cstdint>
#include <string>

#include "weft/error.h"

namespace weft {

/// Encodes `height` x `width` pixels of 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGBA) bytes each, rows one after another without gaps.
Result<std::string> encodePng(const uint8_t* pixels, int width, int height, int channels);

}  // namespace weft
