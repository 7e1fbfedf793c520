#pragma once

#include <cstdint>
#include <string>

#include "weft/graph.h"
#include "weft/session.h"

namespace weft {

/// One moment by the steady clock, which times ops, and by the system's, which tasks share.
struct Moment {
  int64_t steadyNs = 0, unixNs = 0;
  static Moment now();
};

/// Serialised RunMetadata of one task's part of a step. `part`: the graph that was run; it tells which edges its sends and receives belong to, and their labels say
/// so as TensorFlow's do, `name = _Recv(TENSOR @OTHER_DEVICE)`.
WEFT_API std::string partMetadata(const StepTrace& trace, const Graph& part);

}  // namespace weft
