#pragma once

#include <string>
#include <vector>

#include "kernel/session_state.h"
#include "weft/error.h"

namespace weft {

/// Memory that something with a name holds.
struct HeldMemory {
  std::string name;  ///< Of a tensor ("conv1/Conv2D:0") or a variable.
  DType dtype = DType::Invalid;
  Shape shape;
  size_t bytes = 0;
};

/// Appends the largest of `held` and of the session's variables to the message of an error RESOURCE_EXHAUSTED, so that people see what to make
/// smaller. Other errors stay as they are.
void nameLargest(Error& error, std::vector<HeldMemory> held, const SessionState& session);

}  // namespace weft
