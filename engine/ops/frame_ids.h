#pragma once

#include <cstdint>
#include <vector>

#include "kernel/rendezvous.h"
#include "weft/debug.h"

namespace weft {

/// TensorFlow's number of the innermost of these loops' frames, as rendezvous keys hold it; `loops` from the outermost. 0 outside loops.
WEFT_API uint64_t frameId(const std::vector<LoopPlace>& loops, FrameIds ids);

}  // namespace weft
