#pragma once

#include <string>

#include "cli/bench/other_engines.h"
#include "cli/bench/workload.h"
#include "cli/script.h"

namespace weft::cli {

struct AgainstOptions {
  std::string python = "python3";
  double seconds = 1;  ///< Of each engine in each round.
  int rounds = 5;
  double tolerance = 1e-3;  ///< Of the largest value of a tensor.
};

/// Measures a workload's step on another engine and on this one, in turn. Before that the values of the first steps are compared: FAILED_PRECONDITION names
/// the tensor that differs by more than the tolerance. Errors say which engine, module or op is concerned.
Result<Json> measureAgainst(const OtherEngine& engine, const Workload& w, const AgainstOptions& options, const SessionOptions& session);

/// The result for readers.
std::string againstTable(const Json& json);

}  // namespace weft::cli
