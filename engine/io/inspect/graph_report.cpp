#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>

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

/// A graph with what several checks ask of every node looked up once: the record of its op and the nodes that it reads.
class Checker {
 public:
  struct Op {
    std::string_view name;
    const OpRecord* record = nullptr;             // null: unknown, or a function
    const tensorflow::OpDef* function = nullptr;  // of the graph's library
    OpRole role = OpRole::Compute;
    int64_t nodes = 0;
  };
  struct Edge {
    int source = -1;  // -1: there is no such node
    Input input;
  };

  explicit Checker(const GraphDef& graph) : graph_(graph) {
    const auto n = size_t(graph.node_size());
    std::unordered_map<std::string_view, int> index;
    index.reserve(n);
    for (int i = 0; i < graph.node_size(); ++i)
      if (!index.try_emplace(graph.node(i).name(), i).second && firstTwin_ < 0) firstTwin_ = i;
    std::unordered_map<std::string_view, const tensorflow::OpDef*> functions;
    for (const auto& f : graph.library().function()) functions[f.signature().name()] = &f.signature();
    std::unordered_map<std::string_view, size_t> known;
    ops_.reserve(n);
    firstEdge_.reserve(n + 1);
    for (const NodeDef& node : graph.node()) {
      const auto [at, isNew] = known.try_emplace(node.op(), kinds_.size());
      if (isNew) {
        const OpRecord* record = OpRegistry::instance().find(node.op());
        const auto f = functions.find(node.op());
        kinds_.push_back({node.op(), record, f == functions.end() ? nullptr : f->second, record ? record->opRole : OpRole::Compute, 0});
      }
      ++kinds_[at->second].nodes;
      ops_.push_back(at->second);
      firstEdge_.push_back(edges_.size());
      for (const std::string& text : node.input()) {
        const Input in = parseInput(text);
        const auto source = index.find(in.node);
        edges_.push_back({source == index.end() ? -1 : source->second, in});
      }
    }
    firstEdge_.push_back(edges_.size());
  }

  std::span<const Op> ops() const { return kinds_; }
  const Op& op(int node) const { return kinds_[ops_[size_t(node)]]; }
  std::span<const Edge> edges() const { return edges_; }
  std::span<const Edge> inputsOf(int node) const {
    return std::span(edges_).subspan(firstEdge_[size_t(node)], firstEdge_[size_t(node) + 1] - firstEdge_[size_t(node)]);
  }

  Status check() const {
    WEFT_TRY(checkVersions());
    for (int i = 0; i < graph_.node_size(); ++i) {
      const NodeDef& node = graph_.node(i);
      if (!isValidNodeName(node.name())) return atNode(node, "invalid_graph", "Node name contains invalid characters");
      if (i == firstTwin_) return atNode(node, "invalid_graph", "is not unique");
      if (node.op().empty()) return atNode(node, "invalid_graph", "does not specify an operation");
    }
    for (int i = 0; i < graph_.node_size(); ++i) {
      const NodeDef& node = graph_.node(i);
      for (const auto& [name, value] : node.attr()) WEFT_TRY(checkAttr(node, name, value));
      if (const OpRecord* record = op(i).record) WEFT_TRY(checkSignature(node, *record, op(i).role));
    }
    for (int i = 0; i < graph_.node_size(); ++i) WEFT_TRY(checkInputs(i));
    return checkCycles();
  }

 private:
  Status checkVersions() const {
    const auto& v = graph_.versions();
    if (v.min_consumer() > kConsumer)
      return bad("unsupported_version", "GraphDef min consumer version ", v.min_consumer(), " above current version ", kConsumer);
    for (const int c : v.bad_consumers())
      if (c == kConsumer) return bad("unsupported_version", "GraphDef disallows consumer version ", c, ", which is ours");
    return {};
  }

  Status checkSignature(const NodeDef& node, const OpRecord& record, OpRole role) const {
    for (const AttrSpec& spec : record.attrs)
      if (!spec.defaultValue && !node.attr().contains(spec.name))
        return atNode(node, "invalid_graph", "NodeDef missing attr '", spec.name, "' from ", record.signature());
    const auto inputs = countOf(record.inputs, record, node);
    int64_t given = 0;
    for (const std::string& input : node.input()) given += input.empty() || input[0] != '^';
    if (inputs && *inputs != given) return atNode(node, "invalid_graph", "has ", given, " data inputs, expected ", *inputs, " for ", record.signature());
    if (role == OpRole::Constant) {
      const auto& value = node.attr().at("value");
      if (value.value_case() == AttrValue::kTensor && value.tensor().dtype() != node.attr().at("dtype").type())
        return atNode(node, "invalid_graph", "dtype is ", int(node.attr().at("dtype").type()), ", but its value is of dtype ", int(value.tensor().dtype()));
    }
    return {};
  }

  /// Number of outputs of a node; nothing if its op is unknown.
  std::optional<int64_t> outputsOf(int index) const {
    const auto& [name, record, function, role, nodes] = op(index);
    if (record) return countOf(record->outputs, *record, graph_.node(index));
    if (!function) return std::nullopt;
    for (const auto& arg : function->output_arg())
      if (!arg.number_attr().empty() || !arg.type_list_attr().empty()) return std::nullopt;
    return function->output_arg_size();
  }

  Status checkInputs(int index) const {
    const NodeDef& node = graph_.node(index);
    bool control = false;
    int i = 0;
    for (const auto& [source, in] : inputsOf(index)) {
      const std::string& text = node.input(i++);
      if (!in.valid) return atNode(node, "invalid_graph", "input '", text, "' is not of the form NODE, NODE:SLOT or ^NODE");
      if (control && !in.control)
        return atNode(node, "invalid_graph", "Control dependencies must come after regular dependencies, but '", text, "' follows one");
      control = in.control;
      if (source < 0) return atNode(node, "invalid_graph", "Unknown input node '", text, "'");
      if (in.control) continue;
      const auto outputs = outputsOf(source);
      if (outputs && in.slot >= *outputs)
        return atNode(node, "invalid_graph", "Connecting to invalid output ", in.slot, " of source node ", graph_.node(source).name(), " which has ", *outputs,
                      " outputs");
    }
    return {};
  }

  Status checkCycles() const {
    const int n = graph_.node_size();
    std::vector<int> waiting(size_t(n), 0);
    // The readers of each node, one list after another: those of node i begin at first[i].
    std::vector<size_t> first(size_t(n) + 1, 0);
    const auto eachEdge = [&](const auto& visit) {
      for (int i = 0; i < n; ++i)
        for (const auto& [source, in] : inputsOf(i))
          if (in.control || !isBackEdge(op(source).role, op(i).role)) visit(i, source);
    };
    eachEdge([&](int reader, int source) { ++first[size_t(source) + 1], ++waiting[size_t(reader)]; });
    for (size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<int> readers(first.back());
    std::vector<size_t> next = first;
    eachEdge([&](int reader, int source) { readers[next[size_t(source)]++] = reader; });
    std::vector<int> ready;
    for (int i = 0; i < n; ++i)
      if (waiting[size_t(i)] == 0) ready.push_back(i);
    size_t done = 0;
    for (; done < ready.size(); ++done)
      for (size_t r = first[size_t(ready[done])]; r < first[size_t(ready[done]) + 1]; ++r)
        if (--waiting[size_t(readers[r])] == 0) ready.push_back(readers[r]);
    if (int(done) == n) return {};
    const auto stuck = std::find_if(waiting.begin(), waiting.end(), [](int w) { return w > 0; }) - waiting.begin();
    return atNode(graph_.node(int(stuck)), "invalid_graph", n - int(done), " nodes in a cycle that does not go through NextIteration -> Merge");
  }

  const GraphDef& graph_;
  std::vector<Op> kinds_;
  std::vector<size_t> ops_;  // of each node: an index of kinds_
  std::vector<Edge> edges_;  // of all nodes, in their order
  std::vector<size_t> firstEdge_;
  int firstTwin_ = -1;  // the first node whose name an earlier one has
};

}  // namespace

Status graphBody(const GraphDef& graph, Json& out) {
  out["nodes"] = graph.node_size();
  std::map<std::string, int64_t> ops, devices;
  std::set<std::string_view> sinks, dangling, unknown;
  const Checker checker(graph);
  for (const auto& op : checker.ops()) {
    ops.emplace(op.name, op.nodes);
    if (!op.record && !op.function) unknown.insert(op.name);
  }
  int64_t data = 0, control = 0;
  std::vector<bool> read(size_t(graph.node_size()), false);
  for (const auto& [source, in] : checker.edges()) {
    ++(in.control ? control : data);
    if (source < 0) dangling.insert(in.node);
    else read[size_t(source)] = true;
  }
  Json inputs = Json::array();
  int64_t* sameDevice = nullptr;
  for (int i = 0; i < graph.node_size(); ++i) {
    const NodeDef& node = graph.node(i);
    if (!sameDevice || node.device() != graph.node(i - 1).device()) sameDevice = &devices[node.device()];
    ++*sameDevice;
    if (const OpRole role = checker.op(i).role; role == OpRole::Placeholder || role == OpRole::DefaultedPlaceholder) {
      const auto dtype = node.attr().find("dtype");
      inputs.push_back({{"name", node.name()},
                        {"op", node.op()},
                        {"dtype", dtype == node.attr().end() ? "invalid" : dtypeText(dtype->second.type())},
                        {"shape", shapeOfAttr(node)}});
    }
    if (!read[size_t(i)]) sinks.insert(node.name());
  }
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
