#pragma once

#include <string>

#include "weft/error.h"
#include "weft/tensor.h"

namespace weft {

/// A serialised Event with one tensor, as TensorFlow's debugger dumps it: what the debug op `op` on `device` saw of output `slot` of `node`. A tensor without value
/// keeps its type. UNIMPLEMENTED for variants.
Status debugEvent(const std::string& device, const std::string& node, int slot, const std::string& op, const Tensor& tensor, int64_t micros,
                  std::string* bytes);

}  // namespace weft
