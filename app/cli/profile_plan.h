#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/profile_source.h"

namespace weft::cli {

/// The plan of a step as text: rewrites, fused groups, memory over time, nodes with their lower bounds; at most `top` lines each (0: all).
std::string planText(const ProfileSource& source, size_t top);
/// The same as JSON.
nlohmann::ordered_json planJson(const ProfileSource& source);

}  // namespace weft::cli
