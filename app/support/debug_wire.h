// The protocol to a debugger in another process: requests and answers are JSON, values are files beside it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "weft/debug_control.h"

namespace weft {

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

/// The word of a command in a request.
const char* commandWord(DebugCommand command);
/// Executes `request` on a debugger ("ask": "resume", "value", "set" …; see debug_wire.cpp) and returns the answer. Never throws; an unknown request is an
/// error.
nlohmann::json serveDebugger(DebugControl& debugger, const nlohmann::json& request, const std::string& folder);

}  // namespace weft
