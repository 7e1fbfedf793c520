#pragma once

#include <span>
#include <string>
#include <vector>

#include "weft/session.h"

namespace weft {

class Device;

/// The device part of log_device_placement's output, in TensorFlow's words: "Device mapping:" and a line per GPU, or that there is none.
WEFT_API std::vector<std::string> deviceMapping(std::span<Device* const> devices);
/// A line "add: (AddV2): /job:localhost/replica:0/task:0/device:CPU:0" per node, in the order of TensorFlow's placer: nodes by id, then those without
/// inputs and with one output (constants, placeholders), which it places last, next to their readers.
WEFT_API std::vector<std::string> placementLines(const Graph& graph, std::span<const Placement> placements);
/// Writes the lines as TensorFlow's runtime does: to stdout unchanged, and to stderr with time and level, unless TF_CPP_MIN_LOG_LEVEL suppresses it.
WEFT_API void writePlacement(std::span<const std::string> lines);

}  // namespace weft
