#include "base_calls.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "odd_values.h"
#include "support/tensor_json.h"
#include "weft/op.h"
#include "weft/records.h"

namespace weft::arguments {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr size_t kMostRecords = 40, kMostScripts = 4;

Json readJson(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Json::parse(file, nullptr, false);
}

/// Names of all outputs of a node, or none if it has none (it is a target then).
Step stepFor(const Graph& graph, int id) {
  Step step;
  const Node& node = *graph.node(id);
  for (int k = 0; k < int(node.outputTypes.size()); ++k) {
    if (!isRef(node.outputTypes[k]) || k == 0) step.fetches.push_back(graph.tensorName({id, k}));
  }
  if (step.fetches.empty()) step.targets.push_back(node.name);
  return step;
}

void addRecords(const std::string& path, std::vector<Call>& out) {
  auto reader = RecordReader::open(path);
  if (!reader.ok()) return;
  std::string record;
  LoadOptions options;
  options.inferShapes = false;
  for (size_t number = 0; out.size() < kMostRecords; ++number) {
    const auto more = (*reader)->next(&record);
    if (!more.ok() || !*more) return;
    auto loaded = loadGraphBytes(std::make_shared<const std::string>(record), "record", options);
    if (!loaded.ok()) continue;
    Call call;
    call.origin = concat("golden ", number);
    Graph& graph = loaded->meta.graph;
    for (int id = 0; id < graph.size(); ++id) {
      const Node* node = graph.node(id);
      if (!node) continue;
      if (node->name == "op") {
        call.node = id;
      } else if (!node->name.starts_with("in/")) {
        (void)graph.remove(id);
      }
    }
    if (call.node < 0) continue;
    call.steps.push_back(stepFor(graph, call.node));
    call.meta = std::move(loaded->meta);
    out.push_back(std::move(call));
  }
}

std::vector<std::string> textList(const Json& run, const char* key) {
  std::vector<std::string> out;
  if (const auto list = run.find(key); list != run.end()) {
    for (const Json& name : *list) out.push_back(name.get<std::string>());
  }
  return out;
}

void addScript(const std::string& folder, const std::string& op, std::vector<Call>& out) {
  const Json script = readJson(fs::path(folder) / "script.json");
  for (const Json& session : script["sessions"]) {
    LoadOptions options;
    options.inferShapes = false;
    auto loaded = loadGraphFile((fs::path(folder) / session["graph"].get<std::string>()).string(), options);
    if (!loaded.ok()) continue;
    Call call;
    call.origin = "script " + fs::path(folder).filename().string();
    for (int id = 0; id < loaded->meta.graph.size() && call.node < 0; ++id) {
      if (const Node* node = loaded->meta.graph.node(id); node && node->op == op) call.node = id;
    }
    if (call.node < 0) continue;
    for (const Json& run : session["runs"]) {
      if (call.steps.size() == 24) break;
      Step step{{}, textList(run, "fetches"), textList(run, "targets")};
      if (const auto feeds = run.find("feeds"); feeds != run.end()) {
        for (const auto& [name, value] : feeds->items()) {
          auto tensor = app::tensorFromJson(value, folder);
          if (tensor.ok()) step.feeds.emplace_back(name, std::move(*tensor));
        }
      }
      call.steps.push_back(std::move(step));
    }
    call.meta = std::move(loaded->meta);
    out.push_back(std::move(call));
    return;
  }
}

/// An attribute's value where the record gives no default.
Attr plainAttr(const AttrSpec& spec) {
  if (spec.defaultValue) return *spec.defaultValue;
  const size_t length = size_t(std::max<int64_t>(spec.minimum, 1));
  const DType type = spec.allowedTypes.empty() ? DType::Float : spec.allowedTypes.front();
  const std::string text = spec.allowedStrings.empty() ? "" : spec.allowedStrings.front();
  if (spec.type == "int") return Attr(std::max<int64_t>(spec.hasMinimum ? spec.minimum : 1, 1));
  if (spec.type == "float") return Attr(0.5f);
  if (spec.type == "bool") return Attr(false);
  if (spec.type == "string") return Attr(text);
  if (spec.type == "type") return Attr(type);
  if (spec.type == "shape") return Attr(Shape({2}));
  if (spec.type == "tensor") return Attr(Tensor::scalar(1.0f));
  if (spec.type == "func") return Attr(FuncAttr{"no_such_function", std::make_shared<const AttrMap>()});
  if (spec.type == "list(int)") return Attr(std::vector<int64_t>(length, 1));
  if (spec.type == "list(float)") return Attr(std::vector<float>(length, 0.5f));
  if (spec.type == "list(bool)") return Attr(std::vector<bool>(length, false));
  if (spec.type == "list(string)") return Attr(std::vector<std::string>(length, text));
  if (spec.type == "list(type)") return Attr(std::vector<DType>(length, type));
  if (spec.type == "list(shape)") return Attr(std::vector<Shape>(length, Shape({2})));
  if (spec.type == "list(tensor)") return Attr(std::vector<Tensor>(length, Tensor::scalar(1.0f)));
  return Attr(EmptyListAttr{});
}

Call madeCall(const OpRecord& record) {
  Call call;
  call.origin = "made";
  Graph& graph = call.meta.graph;
  graph.versions.producer = 134;
  Node node;
  node.name = "op";
  node.op = record.name;
  node.record = &record;
  for (const AttrSpec& spec : record.attrs) node.attrs.set(spec.name, plainAttr(spec));
  const auto signature = resolveSignature(record, node.attrs);
  if (signature.ok()) {
    node.inputTypes = signature->inputTypes;
    node.outputTypes = signature->outputTypes;
  }
  for (size_t i = 0; i < node.inputTypes.size(); ++i) {
    const auto producer = graph.add(producerOf(baseType(node.inputTypes[i]), isRef(node.inputTypes[i]), concat("in/", i)));
    if (producer.ok()) node.inputs.push_back({*producer, 0});
  }
  node.outputShapes.assign(node.outputTypes.size(), Shape::unknown());
  const auto id = graph.add(std::move(node));
  call.node = id.ok() ? *id : -1;
  if (call.node >= 0) call.steps.push_back(stepFor(graph, call.node));
  return call;
}

}  // namespace

BaseCalls::BaseCalls(std::string goldenFolder) : folder_(std::move(goldenFolder)) {
  std::vector<std::string> folders;
  for (const char* kind : {"stateful", "programs"}) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(fs::path(folder_) / kind, none)) {
      if (fs::exists(entry.path() / "script.json")) folders.push_back(entry.path().string());
    }
  }
  std::sort(folders.begin(), folders.end());
  for (const std::string& folder : folders) {
    std::vector<std::string> ops;
    std::error_code none;
    for (const auto& file : fs::directory_iterator(folder, none)) {
      if (file.path().extension() != ".pb" || fs::file_size(file.path()) > 200'000) continue;
      LoadOptions options;
      options.inferShapes = false;
      const auto loaded = loadGraphFile(file.path().string(), options);
      if (!loaded.ok()) continue;
      for (int id = 0; id < loaded->meta.graph.size(); ++id) {
        if (const Node* node = loaded->meta.graph.node(id)) ops.push_back(node->op);
      }
    }
    std::sort(ops.begin(), ops.end());
    ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
    for (const std::string& op : ops) scriptsWith_[op].push_back(folder);
  }
}

std::vector<Call> BaseCalls::of(const OpRecord& record) const {
  std::vector<Call> out;
  addRecords((fs::path(folder_) / "ops" / (record.name + ".tfrecord")).string(), out);
  if (const auto it = scriptsWith_.find(record.name); it != scriptsWith_.end()) {
    std::vector<std::string> folders = it->second;
    // The script that is about this op before those that happen to use it.
    std::stable_partition(folders.begin(), folders.end(), [&](const std::string& f) { return fs::path(f).filename() == record.name; });
    const size_t most = out.empty() ? kMostScripts : 1;
    for (size_t i = 0; i < folders.size() && i < most; ++i) addScript(folders[i], record.name, out);
  }
  if (out.size() < 2) {
    if (Call made = madeCall(record); made.node >= 0) out.push_back(std::move(made));
  }
  return out;
}

}  // namespace weft::arguments
