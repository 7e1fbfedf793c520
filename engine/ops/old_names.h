#pragma once

#include "ops/registry.h"

namespace weft {

/// Adds the op `name` with all that is known of `now`, for a name that TensorFlow had for it before. It has no gradient of its own.
/// REQUIRES: `now` is registered.
OpRecord& oldName(OpRegistry& ops, const std::string& name, const std::string& now);
/// Gives input `i` (output `i`) another type: "string", "Ref(string)", "complex64".
void retypeInput(OpRecord& r, size_t i, const char* type);
void retypeOutput(OpRecord& r, size_t i, const char* type);
/// Takes out an attribute, and what kernels demand of it.
void dropAttr(OpRecord& r, std::string_view name);

}  // namespace weft
