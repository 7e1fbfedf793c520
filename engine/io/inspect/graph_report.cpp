#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "graph/graph_assembler.h"
#include "io/inspect/report.h"
#include "proto/convert.h"
#include "proto/graph.pb.h"
#include "weft/op.h"

namespace weft::inspect {
namespace {

using tensorflow::AttrValue;
using tensorflow::GraphDef;
using tensorflow::NodeDef;

constexpr int kConsumer = 134;  // graph version of TensorFlow 1.15, which Weft has too
constexpr uint64_t kMaxConstantBytes = uint64_t(1) << 36;

struct Input {
  std::string_view node;
  int64_t slot = 0;
  bool control = false;
  bool valid = true;
};

Input parseInput(std::string_view text) {
  Input in;
  in.control = !text.empty() && text[0] == '^';
  in.node = in.control ? text.substr(1) : text;
  const size_t colon = in.node.rfind(':');
  if (in.control || colon == in.node.npos) return in;
  const std::string_view digits = in.node.substr(colon + 1);
  in.node = in.node.substr(0, colon);
  in.valid = !digits.empty() && digits.size() < 10 && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  for (const char c : digits) in.slot = in.valid ? in.slot * 10 + (c - '0') : 0;
  return in;
}

Error atNode(const NodeDef& node, std::string_view kind, const auto&... parts) {
  Error error = bad(kind, "Node '", node.name(), "': ", parts...);
  error.node = node.name();
  return error;
}

Json shapeOfAttr(const NodeDef& node) {
  const auto at = node.attr().find("shape");
  if (at == node.attr().end() || at->second.value_case() != AttrValue::kShape) return nullptr;
  const auto shape = shapeFromProto(at->second.shape());
  return shape.ok() ? shapeJson(*shape) : Json(nullptr);
}

/// Number of tensors in an argument, given a node's attributes; nothing if it cannot be determined.
std::optional<int64_t> countOf(const ArgSpec& arg, const OpRecord& record, const NodeDef& node) {
  if (!arg.numberAttr.empty()) {
    const auto at = node.attr().find(arg.numberAttr);
    if (at != node.attr().end()) return at->second.i();
    const AttrSpec* spec = record.findAttr(arg.numberAttr);
    if (!spec || !spec->defaultValue || !spec->defaultValue->get<int64_t>()) return std::nullopt;
    return *spec->defaultValue->get<int64_t>();
  }
  if (!arg.isTypeList) return 1;
  const auto at = node.attr().find(arg.typeAttr);
  if (at == node.attr().end()) return std::nullopt;
  return at->second.list().type_size();
}

std::optional<int64_t> countOf(const std::vector<ArgSpec>& args, const OpRecord& record, const NodeDef& node) {
  int64_t total = 0;
  for (const ArgSpec& arg : args) {
    const auto count = countOf(arg, record, node);
    if (!count || *count < 0) return std::nullopt;
    if (__builtin_add_overflow(total, *count, &total)) total = std::numeric_limits<int64_t>::max();
  }
  return total;
}

Status checkAttr(const NodeDef& node, const std::string& name, const AttrValue& value) {
  const auto type = [&](int t) -> Status {
    if (!isKnown(DType(t > 100 ? t - 100 : t)) && t != 0)
      return atNode(node, "invalid_graph", "attribute '", name, "' has dtype ", t, ", which is none that is known");
    return {};
  };
  const auto tensor = [&](const tensorflow::TensorProto& t) -> Status {
    if (t.dtype() == tensorflow::DT_INVALID && t.ByteSizeLong() == 0) return {};
    const auto elements = checkTensorProto(t);
    if (!elements.ok()) return atNode(node, "invalid_tensor", "attribute '", name, "': ", elements.error().message);
    const uint64_t width = std::max<size_t>(1, sizeOf(DType(t.dtype())));
    if (uint64_t(*elements) > kMaxConstantBytes / width)
      return atNode(node, "too_large", "attribute '", name, "' is a tensor of ", *elements, " elements of ", width, " bytes");
    return {};
  };
  switch (value.value_case()) {
    case AttrValue::kType: return type(value.type());
    case AttrValue::kTensor: return tensor(value.tensor());
    case AttrValue::kShape:
      if (auto shape = shapeFromProto(value.shape()); !shape.ok()) return atNode(node, "invalid_tensor", "attribute '", name, "': ", shape.error().message);
      return {};
    case AttrValue::kList:
      for (const int t : value.list().type()) WEFT_TRY(type(t));
      for (const auto& t : value.list().tensor()) WEFT_TRY(tensor(t));
      return {};
    default: return {};
  }
}

class Checker {
 public:
  explicit Checker(const GraphDef& graph) : graph_(graph) {
    index_.reserve(size_t(graph.node_size()));
    for (int i = 0; i < graph.node_size(); ++i) index_.try_emplace(graph.node(i).name(), i);
    for (const auto& f : graph.library().function()) functions_[f.signature().name()] = &f.signature();
  }

  const std::unordered_map<std::string_view, int>& index() const { return index_; }

  Status check() {
    WEFT_TRY(checkVersions());
    std::unordered_set<std::string_view> seen;
    for (const NodeDef& node : graph_.node()) {
      if (!isValidNodeName(node.name())) return atNode(node, "invalid_graph", "Node name contains invalid characters");
      if (!seen.insert(node.name()).second) return atNode(node, "invalid_graph", "is not unique");
      if (node.op().empty()) return atNode(node, "invalid_graph", "does not specify an operation");
    }
    for (const NodeDef& node : graph_.node()) {
      const OpRecord* record = OpRegistry::instance().find(node.op());
      for (const auto& [name, value] : node.attr()) WEFT_TRY(checkAttr(node, name, value));
      if (record) WEFT_TRY(checkSignature(node, *record));
    }
    for (const NodeDef& node : graph_.node()) WEFT_TRY(checkInputs(node));
    return checkCycles();
  }

 private:
  Status checkVersions() {
    const auto& v = graph_.versions();
    if (v.min_consumer() > kConsumer)
      return bad("unsupported_version", "GraphDef min consumer version ", v.min_consumer(), " above current version ", kConsumer);
    for (const int c : v.bad_consumers())
      if (c == kConsumer) return bad("unsupported_version", "GraphDef disallows consumer version ", c, ", which is ours");
    return {};
  }

  Status checkSignature(const NodeDef& node, const OpRecord& record) {
    for (const AttrSpec& spec : record.attrs)
      if (!spec.defaultValue && !node.attr().contains(spec.name))
        return atNode(node, "invalid_graph", "NodeDef missing attr '", spec.name, "' from ", record.signature());
    const auto inputs = countOf(record.inputs, record, node);
    int64_t given = 0;
    for (const std::string& input : node.input()) given += input.empty() || input[0] != '^';
    if (inputs && *inputs != given) return atNode(node, "invalid_graph", "has ", given, " data inputs, expected ", *inputs, " for ", record.signature());
    if (roleOf(node.op()) == OpRole::Constant) {
      const auto& value = node.attr().at("value");
      if (value.value_case() == AttrValue::kTensor && value.tensor().dtype() != node.attr().at("dtype").type())
        return atNode(node, "invalid_graph", "dtype is ", int(node.attr().at("dtype").type()), ", but its value is of dtype ", int(value.tensor().dtype()));
    }
    return {};
  }

  /// Number of outputs of a node; nothing if its op is unknown.
  std::optional<int64_t> outputsOf(const NodeDef& node) const {
    if (const OpRecord* record = OpRegistry::instance().find(node.op())) return countOf(record->outputs, *record, node);
    const auto f = functions_.find(node.op());
    if (f == functions_.end()) return std::nullopt;
    for (const auto& arg : f->second->output_arg())
      if (!arg.number_attr().empty() || !arg.type_list_attr().empty()) return std::nullopt;
    return f->second->output_arg_size();
  }

  Status checkInputs(const NodeDef& node) {
    bool control = false;
    for (const std::string& text : node.input()) {
      const Input in = parseInput(text);
      if (!in.valid) return atNode(node, "invalid_graph", "input '", text, "' is not of the form NODE, NODE:SLOT or ^NODE");
      if (control && !in.control)
        return atNode(node, "invalid_graph", "Control dependencies must come after regular dependencies, but '", text, "' follows one");
      control = in.control;
      const auto at = index_.find(in.node);
      if (at == index_.end()) return atNode(node, "invalid_graph", "Unknown input node '", text, "'");
      if (in.control) continue;
      const NodeDef& source = graph_.node(at->second);
      const auto outputs = outputsOf(source);
      if (outputs && in.slot >= *outputs)
        return atNode(node, "invalid_graph", "Connecting to invalid output ", in.slot, " of source node ", source.name(), " which has ", *outputs, " outputs");
    }
    return {};
  }

  Status checkCycles() {
    const int n = graph_.node_size();
    std::vector<int> waiting(size_t(n), 0);
    std::vector<std::vector<int>> readers{size_t(n)};
    for (int i = 0; i < n; ++i) {
      const NodeDef& node = graph_.node(i);
      const OpRole role = roleOf(node.op());
      for (const std::string& text : node.input()) {
        const Input in = parseInput(text);
        const int source = index_.at(in.node);
        if (role == OpRole::Merge && !in.control && isBackEdge(roleOf(graph_.node(source).op()), role)) continue;
        readers[size_t(source)].push_back(i);
        ++waiting[size_t(i)];
      }
    }
    std::vector<int> ready;
    for (int i = 0; i < n; ++i)
      if (waiting[size_t(i)] == 0) ready.push_back(i);
    size_t done = 0;
    for (; done < ready.size(); ++done)
      for (const int r : readers[size_t(ready[done])])
        if (--waiting[size_t(r)] == 0) ready.push_back(r);
    if (int(done) == n) return {};
    const auto first = std::find_if(waiting.begin(), waiting.end(), [](int w) { return w > 0; }) - waiting.begin();
    return atNode(graph_.node(int(first)), "invalid_graph", n - int(done), " nodes in a cycle that does not go through NextIteration -> Merge");
  }

  const GraphDef& graph_;
  std::unordered_map<std::string_view, int> index_;
  std::unordered_map<std::string_view, const tensorflow::OpDef*> functions_;
};

}  // namespace

Status graphBody(const GraphDef& graph, Json& out) {
  out["nodes"] = graph.node_size();
  std::map<std::string, int64_t> ops, devices;
  std::set<std::string_view> sinks, dangling, unknown;
  std::unordered_set<std::string_view> read;
  std::set<std::string_view> functions;
  for (const auto& f : graph.library().function()) functions.insert(f.signature().name());
  Checker checker(graph);
  int64_t data = 0, control = 0;
  Json inputs = Json::array();
  for (const NodeDef& node : graph.node()) {
    ++ops[node.op()];
    ++devices[node.device()];
    for (const std::string& text : node.input()) {
      const Input in = parseInput(text);
      ++(in.control ? control : data);
      read.insert(in.node);
      if (!checker.index().count(in.node)) dangling.insert(in.node);
    }
    if (const OpRole role = roleOf(node.op()); role == OpRole::Placeholder || role == OpRole::DefaultedPlaceholder) {
      const auto dtype = node.attr().find("dtype");
      inputs.push_back({{"name", node.name()},
                        {"op", node.op()},
                        {"dtype", dtype == node.attr().end() ? "invalid" : dtypeText(dtype->second.type())},
                        {"shape", shapeOfAttr(node)}});
    }
    if (!OpRegistry::instance().find(node.op()) && !functions.count(node.op())) unknown.insert(node.op());
  }
  for (const NodeDef& node : graph.node())
    if (!read.count(node.name())) sinks.insert(node.name());
  out["ops"] = Json(ops);
  out["producer"] = graph.has_versions() ? graph.versions().producer() : graph.version();
  out["min_consumer"] = graph.versions().min_consumer();
  out["data_edges"] = data;
  out["control_edges"] = control;
  out["inputs"] = std::move(inputs);
  out["sinks"] = Json(sinks);
  out["devices"] = Json(devices);
  std::vector<const tensorflow::FunctionDef*> library;
  for (const auto& f : graph.library().function()) library.push_back(&f);
  std::sort(library.begin(), library.end(), [](auto* a, auto* b) { return a->signature().name() < b->signature().name(); });
  out["functions"] = Json::array();
  for (const auto* f : library)
    out["functions"].push_back({{"name", f->signature().name()},
                                {"nodes", f->node_def_size()},
                                {"args", f->signature().input_arg_size()},
                                {"rets", f->signature().output_arg_size()}});
  out["unknown_ops"] = Json(unknown);
  if (!dangling.empty()) out["dangling"] = Json(dangling);
  return checker.check();
}

}  // namespace weft::inspect
