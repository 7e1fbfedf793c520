#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "weft/profile.h"

namespace weft::cli {

/// What the tasks of a cluster sent each other, and how their clocks were corrected; at most `top` transfers (0: all). Empty for a trace of one task.
std::string transfersText(const Trace& trace, size_t top);
/// Adds the same as `tasks` and `transfers`.
void addTransfers(const Trace& trace, nlohmann::ordered_json* out);

}  // namespace weft::cli
