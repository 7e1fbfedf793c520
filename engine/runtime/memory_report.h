#pragma once

#include <string>
#include <vector>

#include "kernel/session_state.h"
#include "weft/error.h"

namespace weft {

/// Memory held by a named tensor or variable.
struct HeldMemory {
  std::string name;  ///< A tensor ("conv1/Conv2D:0") or a variable.
  DType dtype = DType::Invalid;
  Shape shape;
  size_t bytes = 0;
};

/// Appends the largest of `held` and of the session's variables to a RESOURCE_EXHAUSTED message, so that users see what to make smaller. Other errors
/// are unchanged.
void nameLargest(Error& error, std::vector<HeldMemory> held, const SessionState& session);

}  // namespace weft
