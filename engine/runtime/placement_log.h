#pragma once

#include <span>
#include <string>
#include <vector>

#include "weft/session.h"

namespace weft {

class Device;

/// What log_device_placement tells of the devices, in TensorFlow's words: "Device mapping:" and a line for each GPU, or that there is none.
WEFT_API std::vector<std::string> deviceMapping(std::span<Device* const> devices);
/// A line "add: (AddV2): /job:localhost/replica:0/task:0/device:CPU:0" per node, in the order of TensorFlow's placer: nodes by id, then those
/// without inputs that have one output (constants, placeholders), which it places last, beside who reads them.
WEFT_API std::vector<std::string> placementLines(const Graph& graph, std::span<const Placement> placements);
/// Writes lines where TensorFlow's runtime writes them: to stdout as they are, and to stderr with time and level, unless the environment's
/// TF_CPP_MIN_LOG_LEVEL asks for less.
void writePlacement(std::span<const std::string> lines);

}  // namespace weft
