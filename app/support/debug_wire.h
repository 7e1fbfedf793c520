// The protocol to a debugger in another process: requests and answers are JSON, values are files beside it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "weft/debugger.h"

namespace weft {

/// One computation of a tensor in a loop, as a chart of its iterations shows it.
struct DebugHistoryEntry {
  int64_t iteration = 0;
  double min = 0, mean = 0, max = 0;
  bool finite = true;
};

/// A tensor's values over time, as `Debugger` keeps them, in one answer.
struct DebugHistory {
  Result<DebugValue> earlier = notFound("There is no value of an earlier iteration.");  ///< The value before the latest one of this run.
  std::vector<DebugHistoryEntry> moments;                                               ///< Empty outside loops.
};
DebugHistory historyOf(const Debugger& debugger, const std::string& tensor);

nlohmann::json breakpointToJson(const Breakpoint& breakpoint);
Breakpoint breakpointFromJson(const nlohmann::json& json);
nlohmann::json viewToJson(const DebugView& view);
DebugView viewFromJson(const nlohmann::json& json);
nlohmann::json errorToJson(const Error& error);
Error errorFromJson(const nlohmann::json& json);
nlohmann::json autopsyToJson(const Autopsy& autopsy);
Autopsy autopsyFromJson(const nlohmann::json& json);

/// Writes a tensor as a file: a line of JSON (dtype, dims), then its bytes; strings each with their length before them. Numbers and strings only.
Status writeTensorFile(const std::string& path, const Tensor& tensor);
/// `limit`: maximum bytes of a file. DATA_LOSS if the file has another format.
Result<Tensor> readTensorFile(const std::string& path, int64_t limit = int64_t(4) << 30);

/// Stores a value in `folder` in a file with an unused name, which the JSON contains.
nlohmann::json valueToJson(const Result<DebugValue>& value, const std::string& folder);
/// Reads and removes the file. Only files of `folder` are touched, whatever the JSON says.
Result<DebugValue> valueFromJson(const nlohmann::json& json, const std::string& folder);

/// Executes `request` on a debugger ("ask": "resume", "value", "set" …; see debug_wire.cpp) and returns the answer. Never throws; an unknown request is an
/// error.
nlohmann::json serveDebugger(Debugger& debugger, const nlohmann::json& request, const std::string& folder);

}  // namespace weft
