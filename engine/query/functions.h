// Functions that queries have beside SQLite's.
#pragma once

#include <string_view>
#include <vector>

#include "weft/error.h"

struct sqlite3;
struct sqlite3_value;

namespace weft::query {

Status registerFunctions(sqlite3* db);

/// The text of a value; empty for NULL. Valid until the value changes.
std::string_view textOf(sqlite3_value* value);

/// The `p` percentile (0 … 100) of values, which are reordered, between neighbours as NumPy's; NaN if there are none.
double percentileOf(std::vector<double>& values, double p);

}  // namespace weft::query
