#pragma once

#include <string>
#include <vector>

#include "weft/error.h"
#include "weft/tensor.h"

namespace weft {

/// What a debug op says of the tensor that it watches.
struct DebugWatch {
  std::string device;  ///< As the op's attribute has it, may be empty.
  std::string node;
  int slot = 0;
  std::string op;  ///< "DebugIdentity", …

  /// From "NODE:SLOT" or "NODE". INVALID_ARGUMENT in TensorFlow's words.
  Status parse(const std::string& tensorName);
};

/// Sends a tensor to all `urls`, as TensorFlow's debugger does. "file://FOLDER": an Event in a file of its own,
/// FOLDER/_tfdbg_device_,job_…/NODE_SLOT_OP_MICROSECONDS. "grpc://" and "memcbk://" are UNIMPLEMENTED, others UNAVAILABLE; INTERNAL with all reasons where
/// folders cannot be written.
Status publishDebugTensor(const DebugWatch& watch, const Tensor& tensor, const std::vector<std::string>& urls);

}  // namespace weft
