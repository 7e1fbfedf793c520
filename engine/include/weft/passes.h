#pragma once

#include <string>
#include <vector>

#include "weft/error.h"
#include "weft/export.h"

namespace weft {

/// Names of the rewrite passes, in the order in which they run. SessionOptions::disabledPasses may hold these or "all".
WEFT_API std::vector<std::string> passNames();

/// INVALID_ARGUMENT, listing the known names, if one of `names` is unknown. "" stands for no pass.
WEFT_API Status checkPassNames(const std::vector<std::string>& names);

}  // namespace weft
