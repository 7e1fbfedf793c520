#pragma once

#include <string>
#include <vector>

#include "weft/error.h"
#include "weft/tensor.h"

namespace weft {

/// What a debug op watches.
struct DebugWatch {
  std::string device;  ///< The op's attribute; may be empty.
  std::string node;
  int slot = 0;
  std::string op;  ///< "DebugIdentity", …

  /// Parses "NODE:SLOT" or "NODE". INVALID_ARGUMENT with TensorFlow's wording.
  Status parse(const std::string& tensorName);
};

/// Sends a tensor to all `urls`, as TensorFlow's debugger does. "file://FOLDER" writes an Event to a separate file,
/// FOLDER/_tfdbg_device_,job_…/NODE_SLOT_OP_MICROSECONDS. "grpc://" and "memcbk://" are UNIMPLEMENTED, other schemes UNAVAILABLE. INTERNAL with all reasons if
/// folders cannot be written.
Status publishDebugTensor(const DebugWatch& watch, const Tensor& tensor, const std::vector<std::string>& urls);

}  // namespace weft
