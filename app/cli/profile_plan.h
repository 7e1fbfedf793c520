#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/profile_source.h"

namespace weft::cli {

/// What the plan of a step became: rewrites, fused groups, memory over time, nodes beside their floors; at most `top` lines each (0: all).
std::string planText(const ProfileSource& source, size_t top);
/// The same for programs.
nlohmann::ordered_json planJson(const ProfileSource& source);

}  // namespace weft::cli
