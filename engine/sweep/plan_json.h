#pragma once

#include <string>

#include "weft/sweep.h"

namespace weft::sweep {

/// A plan as the store keeps it, in JSON.
std::string planToJson(const SweepPlan& plan);
Result<SweepPlan> planFromJson(const std::string& text);

}  // namespace weft::sweep
