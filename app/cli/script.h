#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "weft/session.h"
#include "weft/tensor.h"

namespace weft::cli {

using Json = nlohmann::ordered_json;

/// The result of one run: a value per fetch, or the error.
using RunOutcome = Result<std::vector<Tensor>>;

/// A script of sessions and runs (the format is described in docs/case_format.md), read and checked.
class Script {
 public:
  /// NOT_FOUND or INVALID_ARGUMENT name the file and the error in it.
  static Result<Script> read(const std::string& path);

  const Json& json() const { return json_; }
  const std::string& folder() const { return folder_; }

  /// Runs the sessions in order, each as a new Session with `base` modified by the script's `config`. Returns the outcomes by session and run; if a graph
  /// cannot be loaded, every run of its session has that error. Stops early, with fewer outcomes, once `stop` is cancelled.
  std::vector<std::vector<RunOutcome>> run(const SessionOptions& base, const CancellationToken& stop = {}) const;

 private:
  std::vector<RunOutcome> runSession(const Json& session, const SessionOptions& base, const CancellationToken& stop) const;
  Json json_;
  std::string folder_;  ///< The script's folder, "" for the working directory.
};

/// The outcomes as results.json. Tensors with more than `inlineElements` elements go to NAME.npy files beside `path`.
Result<std::string> resultsToJson(const std::vector<std::vector<RunOutcome>>& outcomes, const std::string& path, int64_t inlineElements);

/// An error's message with the node it happened at, as TensorFlow writes it: "message\n\t [[{{node NAME}}]]".
std::string messageWithNode(const Error& error);

/// The options that a ConfigProto's JSON (`allow_soft_placement`, `device_count`, `operation_timeout_in_ms`, …) sets over `base`.
SessionOptions sessionOptionsFrom(const Json& config, SessionOptions base);

/// The text of a file, "-" for standard input. NOT_FOUND.
Result<std::string> readTextFile(const std::string& path);

}  // namespace weft::cli
