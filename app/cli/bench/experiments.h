#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "weft/error.h"

namespace weft::cli {

/// Times a store of experiments with that many runs and metrics: opening, and a filter, a sort and groups of all runs, each with columns that are not in
/// memory yet (cold) and with those that are. `file` empty: a temporary one, which is removed. An existing file of that size is used again.
Result<nlohmann::ordered_json> measureExperiments(const std::string& file, int64_t runs, int64_t metrics);

}  // namespace weft::cli
