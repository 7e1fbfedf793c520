#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/error.h"

namespace weft {

/// The memory of a step, predicted from the shapes of its tensors before it first runs. It counts what the step holds at one time: its tensors, the values that
/// are fed, the graph's constants, and all variables of the session. It does not count what an op needs only while it computes (reordered weights, scratch),
/// the buffers of input pipelines, and the program itself.
struct PlannedMemory {
  bool known = false;    ///< False for plans with branches or loops of frames, and on devices with their own memory.
  size_t limit = 0;      ///< SessionOptions::memoryLimitBytes.
  size_t held = 0;       ///< Of the bytes below: variables, constants and fed values, needed during the whole step.
  size_t keptBytes = 0;  ///< Peak if nothing is computed again.
  size_t bytes = 0;      ///< Peak of this plan.
  int again = 0;         ///< Nodes that it computes a second time, …
  double againNs = 0;    ///< … and a rough guess of the time that they take.
  int unknown = 0;       ///< Nodes whose size is known only while they run; they count as empty.
};

/// A number of bytes as users write it: "2G", "1.5G", "512M", "64K", "1000000", also with "B" or "iB" after the unit; K, M and G are powers of 1024.
/// INVALID_ARGUMENT for anything else, for 0, and for more than this machine has; the message begins with the text.
WEFT_API Result<int64_t> memoryLimitOf(std::string_view text);

/// A number of bytes for people: "812 MB", "1.23 GB" (powers of 1024, as memoryLimitOf() reads them).
WEFT_API std::string memoryText(size_t bytes);

}  // namespace weft
