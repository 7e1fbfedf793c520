#pragma once

#include <cstdint>
#include <string_view>

#include "weft/error.h"
#include "weft/export.h"

namespace weft {

/// How a session multiplies float32 matrices and convolves float32 images. Values stay float32 either way.
enum class ProductPrecision : uint8_t {
  Float32,
  BFloat16,  ///< Operands are rounded to bfloat16 (to nearest, ties to even); products are added up in float32. Small products stay as they are.
};

/// The name by which users choose it: "float32", "bf16".
WEFT_API std::string_view precisionName(ProductPrecision precision);
/// "float32" (or "fp32") and "bf16" (or "bfloat16"); INVALID_ARGUMENT names the allowed words.
WEFT_API Result<ProductPrecision> precisionNamed(std::string_view name);

/// How this processor multiplies bfloat16: by "AMX", or as "rounded float32", which has the same products but is slower than float32.
WEFT_API std::string_view bfloat16Unit();

}  // namespace weft
