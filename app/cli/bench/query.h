#pragma once

#include <nlohmann/json.hpp>

#include "weft/error.h"

namespace weft::cli {

/// Times typical queries on a trace of that many made-up slices. `sqlite`: also with SQLite's own aggregates, for comparison.
Result<nlohmann::ordered_json> measureQueries(int64_t slices, bool sqlite);

}  // namespace weft::cli
