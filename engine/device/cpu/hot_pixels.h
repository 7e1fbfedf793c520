#pragma once

#include <cstdint>

#include "weft/export.h"

namespace weft::cpu {

/// Inner loops over pixels of float32, one table per instruction set; all give the same bits. No function uses threads.
struct PixelKernels {
  /// From red, green and blue to hue, saturation and value, and back; `y` may be `x`.
  void (*toHsv)(float* y, const float* x, int64_t pixels);
  void (*fromHsv)(float* y, const float* x, int64_t pixels);
  /// Adds `amount` of a full turn to the hues; multiplies the saturations by it.
  void (*turnHues)(float* y, const float* x, float amount, int64_t pixels);
  void (*scaleSaturations)(float* y, const float* x, float amount, int64_t pixels);
  /// A row of a resized image: column c blends the pixels left[c] and right[c] of the rows `top` and `bottom`, by across[c] and `down`.
  void (*blendFour)(float* y, const float* top, const float* bottom, const int32_t* left, const int32_t* right, const float* across, float down,
                    int64_t columns, int64_t channels);
};

/// The table for this processor (WEFT_ISA=v2|v3|v4 in the environment lowers the choice).
WEFT_API const PixelKernels& pixelKernels();

}  // namespace weft::cpu
