#pragma once

#include <map>
#include <string>
#include <string_view>

#include "cli/bench/workload.h"

namespace weft::cli {

/// The form in which another engine gets the graph.
enum class GraphForm {
  GraphDef,    ///< TensorFlow's own, with the values of its variables
  Translated,  ///< a list of nodes that the script translates, with the values of its variables
  Frozen,      ///< a GraphDef with constants in place of variables
  Onnx,
  Tflite,
};

/// An engine that `weft bench --against` knows.
struct OtherEngine {
  std::string_view name, title;
  std::string_view module, package;  ///< What Python imports, and what pip installs.
  std::string_view script;           ///< In resources/against.
  GraphForm form;
};

std::span<const OtherEngine> otherEngines();
const OtherEngine* findOtherEngine(std::string_view name);

/// Writes the workload into `folder` for the engine's script: job.json, the graph, feeds.npz and variables.npz. UNIMPLEMENTED names what cannot be carried over.
Status writeJob(const OtherEngine& engine, const Workload& w, const std::map<std::string, Tensor>& variables, int threads, const std::string& folder);

/// The outputs of random ops that the step needs. A translated step gets them from Weft while values are compared, because another engine draws others.
Result<std::vector<std::string>> drawsOf(const Workload& w);

}  // namespace weft::cli
