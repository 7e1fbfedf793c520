#include "cli/bench/other_engines.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include "cli/bench/translated_graph.h"
#include "cli/script.h"
#include "weft/arrays.h"
#include "weft/file_system.h"
#include "weft/freeze.h"
#include "weft/loops.h"
#include "weft/onnx.h"
#include "weft/op.h"
#include "weft/op_traits.h"
#include "weft/tflite.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kProducerWithScalars = 24;

constexpr OtherEngine kEngines[] = {
    {"tf", "TensorFlow", "tensorflow", "tensorflow", "run_tf.py", GraphForm::GraphDef},
    {"torch", "PyTorch", "torch", "torch", "run_torch.py", GraphForm::Translated},
    {"jax", "JAX", "jax", "jax", "run_jax.py", GraphForm::Translated},
    {"openvino", "OpenVINO", "openvino", "openvino", "run_openvino.py", GraphForm::Frozen},
    {"ort", "ONNX Runtime", "onnxruntime", "onnxruntime", "run_ort.py", GraphForm::Onnx},
    {"litert", "LiteRT", "ai_edge_litert", "ai-edge-litert", "run_litert.py", GraphForm::Tflite},
};

Status writeBytes(const std::string& folder, const char* name, const std::string& bytes) {
  return posixFileSystem().writeAtomically(joinPath(folder, name), bytes);
}

bool draws(const Node& n) { return any(effectsOf(n) & Effect::Random); }

bool changesVariable(const Node& n) { return any(effectsOf(n) & Effect::Variable); }

/// An engine for inference gets the part that the fetches need; it has to be the whole step.
Status checkInference(const OtherEngine& engine, const Workload& w) {
  const Graph& graph = w.source.meta.graph;
  WEFT_LET(const auto fetched, neededNodes(graph, w.feedNames(), w.fetches, {}));
  WEFT_LET(const auto whole, neededNodes(graph, w.feedNames(), w.fetches, w.targets));
  for (const int id : whole)
    if (const Node& n = *graph.node(id); changesVariable(n))
      return Error(unimplemented(n.op, " changes a variable, and ", engine.title, " runs no training steps")).atNode(n.name);
  for (const int id : whole)
    if (std::find(fetched.begin(), fetched.end(), id) == fetched.end())
      return Error(unimplemented(engine.title, " computes only what is fetched, and no fetch needs this op")).atNode(graph.node(id)->name);
  return {};
}

std::string nodeOf(const std::string& tensor) { return tensor.substr(0, tensor.find(':')); }

/// The graph in which all that is fed is a placeholder with the shape that it is fed: models of other formats need that.
Result<MetaGraph> withFedShapes(const Workload& w) {
  MetaGraph meta = w.source.meta;
  for (const auto& [name, value] : w.feeds) {
    WEFT_LET(const Output o, meta.graph.findOutput(name));
    const bool isPlaceholder = roleOf(*meta.graph.node(o.node)) == OpRole::Placeholder;
    if (!isPlaceholder && o.index != 0) return Error(unimplemented("is fed, and its other outputs are not; only Weft and TensorFlow take that")).atNode(name);
    WEFT_TRY(meta.graph.change(o.node, [&value = value, isPlaceholder](Node& n) {
      if (!isPlaceholder) {
        n.op = "Placeholder";
        n.record = OpRegistry::instance().find(n.op);
        n.inputs = {};
        n.controls = {};
        n.inputTypes = {};
        n.attrs = AttrMap{{"dtype", Attr(value.dtype())}};
        n.outputTypes = {value.dtype()};
      }
      n.attrs.set("shape", Attr(value.shape()));
      n.attrs.erase("_output_shapes");
      n.defaulted = {};
      n.outputShapes = {value.shape()};
    }));
  }
  // Of older graphs, a placeholder with the shape [] says nothing about its rank.
  meta.graph.versions.producer = std::max(meta.graph.versions.producer, kProducerWithScalars);
  return meta;
}

/// The part of the graph behind the fetches, with constants in place of variables.
Result<std::string> frozen(const Workload& w, const std::map<std::string, Tensor>& variables) {
  WEFT_LET(const MetaGraph meta, withFedShapes(w));
  WEFT_LET(const std::string bytes, serializeGraph(meta, GraphFormat::MetaBinary));
  FreezeOptions options;
  for (const std::string& fetch : w.fetches) {
    const std::string node = nodeOf(fetch);
    if (std::find(options.outputs.begin(), options.outputs.end(), node) == options.outputs.end()) options.outputs.push_back(node);
  }
  const auto value = [&variables](const SavedVariable& v) -> Result<Tensor> {
    const auto found = variables.find(v.name);
    if (found == variables.end()) return failedPrecondition("the variable has no value").atNode(v.name);
    return found->second;
  };
  return freezeGraph(bytes, value, options);
}

/// Whether the engine reads FILE as it is, so that no model has to be written from its graph.
bool readsAsIs(const OtherEngine& engine, const std::string& extension) {
  if (extension == ".onnx") return engine.name == "ort" || engine.name == "openvino";
  return extension == ".tflite" && (engine.name == "litert" || engine.name == "openvino");
}

/// Writes the model for an engine for inference; `job` gets its path and the feeds in the model's order.
Status writeModel(const OtherEngine& engine, const Workload& w, const std::map<std::string, Tensor>& variables, const std::string& folder, Json* job) {
  WEFT_TRY(checkInference(engine, w));
  const std::string extension = fs::path(w.file).extension().string();
  if (readsAsIs(engine, extension) && w.source.signature.inputs.size() == w.feeds.size()) {
    std::error_code ignored;
    (*job)["graph"] = fs::absolute(w.file, ignored).string();
    (*job)["as_is"] = true;
    Json keys = Json::object();  // the model's own names of what is fed and fetched
    for (const auto& [key, tensor] : w.source.signature.inputs) keys[tensor] = key;
    for (const auto& [key, tensor] : w.source.signature.outputs) keys[tensor] = key;
    (*job)["keys"] = keys;
    return {};
  }
  WEFT_LET(const std::string graph, frozen(w, variables));
  if (engine.form == GraphForm::Frozen) {
    (*job)["graph"] = "graph.pb";
    return writeBytes(folder, "graph.pb", graph);
  }
  ModelExport what;
  const bool onnx = engine.form == GraphForm::Onnx;
  size_t i = 0;
  for (const auto& [name, value] : w.feeds) what.inputs.push_back(onnx ? concat("input", i++, "=", name) : name);
  i = 0;
  for (const std::string& fetch : w.fetches) what.outputs.push_back(onnx ? concat("output", i++, "=", fetch) : fetch);
  auto model = onnx ? graphToOnnx(graph, what) : graphToTflite(graph, what);
  if (!model.ok()) return Error(model.error());
  (*job)["graph"] = onnx ? "model.onnx" : "model.tflite";
  return writeBytes(folder, onnx ? "model.onnx" : "model.tflite", *model);
}

}  // namespace

std::span<const OtherEngine> otherEngines() { return kEngines; }

const OtherEngine* findOtherEngine(std::string_view name) {
  for (const OtherEngine& e : kEngines)
    if (e.name == name) return &e;
  return nullptr;
}

Result<std::vector<std::string>> drawsOf(const Workload& w) {
  const Graph& graph = w.source.meta.graph;
  WEFT_LET(const auto needed, neededNodes(graph, w.feedNames(), w.fetches, w.targets));
  const ControlFlow flow = controlFlowOf(graph);
  std::vector<std::string> out;
  for (const int id : needed) {
    const Node& n = *graph.node(id);
    if (!draws(n)) continue;
    if (size_t(id) < flow.nodes.size() && flow.nodes[size_t(id)].loop >= 0)
      return unimplemented(n.op, " in a loop draws its own numbers, so that the results cannot be compared").atNode(n.name);
    for (size_t k = 0; k < n.outputTypes.size(); ++k) out.push_back(concat(n.name, ":", k));
  }
  return out;
}

Status writeJob(const OtherEngine& engine, const Workload& w, const std::map<std::string, Tensor>& variables, int threads, const std::string& folder) {
  Json job;
  job["feeds"] = w.feedNames();
  job["fetches"] = w.fetches;
  job["targets"] = w.targets;
  job["threads"] = threads > 0 ? threads : int(std::thread::hardware_concurrency());
  std::vector<std::pair<std::string, Tensor>> values(variables.begin(), variables.end());
  WEFT_TRY(saveNpz(joinPath(folder, "feeds.npz"), w.feeds));
  switch (engine.form) {
    case GraphForm::GraphDef: {
      MetaGraph meta;
      meta.graph = w.source.meta.graph;
      WEFT_LET(const std::string bytes, serializeGraph(meta, GraphFormat::GraphBinary));
      job["graph"] = "graph.pb";
      WEFT_TRY(writeBytes(folder, "graph.pb", bytes));
      WEFT_TRY(saveNpz(joinPath(folder, "variables.npz"), values));
      break;
    }
    case GraphForm::Translated: {
      WEFT_LET(const auto draws, drawsOf(w));
      job["draws"] = draws;
      job["graph"] = "graph.json";
      WEFT_TRY(writeTranslated(w, folder));
      WEFT_TRY(saveNpz(joinPath(folder, "variables.npz"), values));
      break;
    }
    default: WEFT_TRY(writeModel(engine, w, variables, folder, &job));
  }
  return writeBytes(folder, "job.json", job.dump());
}

}  // namespace weft::cli
