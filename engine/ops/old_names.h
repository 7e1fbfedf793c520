#pragma once

#include "ops/registry.h"

namespace weft {

/// Adds the op `name`, an old TensorFlow name of the op `now`, as a copy of its record. It has no gradient. REQUIRES: `now` is registered.
OpRecord& oldName(OpRegistry& ops, const std::string& name, const std::string& now);
/// Gives input `i` (output `i`) another type: "string", "Ref(string)", "complex64".
void retypeInput(OpRecord& r, size_t i, const char* type);
void retypeOutput(OpRecord& r, size_t i, const char* type);
/// Removes an attribute and the kernels' constraints on it.
void dropAttr(OpRecord& r, std::string_view name);

}  // namespace weft
