#pragma once

#include <string>
#include <vector>

#include "weft/error.h"
#include "weft/export.h"

namespace weft {

/// What SessionOptions::disabledPasses may name beside "all", in the order in which they run.
WEFT_API std::vector<std::string> passNames();

/// INVALID_ARGUMENT, with the names that there are, if one of `names` is none. "" stands for no pass.
WEFT_API Status checkPassNames(const std::vector<std::string>& names);

}  // namespace weft
