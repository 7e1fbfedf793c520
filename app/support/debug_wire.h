// A debugger in another process: what it is asked and what it answers, as JSON; values lie in files beside it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "weft/debugger.h"

namespace weft {

/// One time that a tensor of a loop was computed, as a chart of its iterations shows it.
struct DebugMoment {
  int64_t iteration = 0;
  double min = 0, mean = 0, max = 0;
  bool finite = true;
};

/// What `Debugger` knows of a tensor over time, in one answer.
struct DebugPast {
  Result<DebugValue> earlier = notFound("There is no value of an earlier iteration.");  ///< The one before the last of this run.
  std::vector<DebugMoment> moments;                                                     ///< Empty outside loops.
};
DebugPast pastOf(const Debugger& debugger, const std::string& tensor);

nlohmann::json breakpointToJson(const Breakpoint& breakpoint);
Breakpoint breakpointFromJson(const nlohmann::json& json);
nlohmann::json viewToJson(const DebugView& view);
DebugView viewFromJson(const nlohmann::json& json);
nlohmann::json errorToJson(const Error& error);
Error errorFromJson(const nlohmann::json& json);
nlohmann::json autopsyToJson(const Autopsy& autopsy);
Autopsy autopsyFromJson(const nlohmann::json& json);

/// A tensor as a file: a line of JSON (dtype, dims), then its bytes, or for strings each with its length before it. Numbers and strings only.
Status writeTensorFile(const std::string& path, const Tensor& tensor);
/// `limit`: bytes that a file may have at most. DATA_LOSS if the file is no such thing.
Result<Tensor> readTensorFile(const std::string& path, int64_t limit = int64_t(4) << 30);

/// A value in a file of `folder`, called by a name that is new there; the JSON says which.
nlohmann::json valueToJson(const Result<DebugValue>& value, const std::string& folder);
/// Reads and removes the file. Only files of `folder` are touched, whatever the JSON says.
Result<DebugValue> valueFromJson(const nlohmann::json& json, const std::string& folder);

/// Does what `request` asks of a debugger ("ask": "resume", "value", "set" …; see debug_wire.cpp) and answers. Never throws; an unknown request is an error.
nlohmann::json serveDebugger(Debugger& debugger, const nlohmann::json& request, const std::string& folder);

}  // namespace weft
