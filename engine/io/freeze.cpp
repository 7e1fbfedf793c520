#include "weft/freeze.h"

#include <google/protobuf/arena.h>

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "graph/variable_ops.h"
#include "io/inline_calls.h"
#include "io/inspect/report.h"
#include "proto/convert.h"
#include "proto/meta_graph.pb.h"
#include "proto/text.h"
#include "weft/object_graph.h"
#include "weft/op.h"

namespace weft {
namespace {

using tensorflow::AttrValue;
using tensorflow::GraphDef;
using tensorflow::NodeDef;

std::string nodeOf(const std::string& input) {
  const size_t begin = !input.empty() && input[0] == '^';
  return input.substr(begin, input.find(':') - begin);
}

class Freezer {
 public:
  Freezer(const GraphDef& graph, const VariableValues& values, const FreezeOptions& options) : graph_(graph), values_(values), options_(options) {
    for (const NodeDef& node : graph.node()) nodes_[node.name()] = &node;
    for (const auto& f : graph.library().function())
      if (std::any_of(f.node_def().begin(), f.node_def().end(), [](const NodeDef& n) { return roleOf(n.op()) == OpRole::Save; }))
        functions_[f.signature().name()] = &f;
    findSaved();
  }

  Result<std::string> freeze() {
    WEFT_TRY(findNeeded());
    for (const NodeDef& node : graph_.node()) {
      if (!needed_.count(node.name())) continue;
      WEFT_TRY(checkHandles(node));
      WEFT_TRY(followReads(node));
    }
    google::protobuf::Arena arena;
    auto& out = *google::protobuf::Arena::CreateMessage<GraphDef>(&arena);
    for (const NodeDef& node : graph_.node())
      if (needed_.count(node.name())) WEFT_TRY(rewrite(node, &out));
    // New nodes come last, as newer versions of TensorFlow write them; 1.15 puts each before its reader, which makes no difference.
    for (NodeDef& axis : axes_) out.add_node()->Swap(&axis);
    if (graph_.has_library()) *out.mutable_library() = graph_.library();
    if (graph_.has_versions()) *out.mutable_versions() = graph_.versions();
    if (options_.clearDevices)
      for (NodeDef& node : *out.mutable_node()) node.clear_device();
    return printWire(out);
  }

 private:
  /// Checkpoint keys of the variables, from the graph's savers.
  void findSaved() {
    for (const NodeDef& node : graph_.node()) {
      findSavedInCall(node);
      if (roleOf(node.op()) != OpRole::Save) continue;
      // File, names, and, but for the oldest of these ops, slices; then the variables.
      const int first = int(OpRegistry::instance().find(node.op())->inputs.size()) - 1;
      const auto names = stringsOf(node, 1), specs = first < 3 ? std::vector<std::string>() : stringsOf(node, 2);
      for (int i = 0; i < int(names.size()) && first + i < node.input_size(); ++i) {
        if (node.input(first + i)[0] == '^') break;
        const NodeDef* source = find(nodeOf(node.input(first + i)));
        for (int hops = 0; source && !isVariableOp(source->op()) && source->input_size() > 0 && hops < 8; ++hops) source = find(nodeOf(source->input(0)));
        if (!source || !isVariableOp(source->op())) continue;
        saved_.try_emplace(source->name(), SavedVariable{source->name(), names[size_t(i)], size_t(i) < specs.size() ? specs[size_t(i)] : std::string()});
      }
    }
  }

  /// Keys of the variables that are saved inside a function (TensorFlow 2). The graph has the call, whose inputs are the variables.
  void findSavedInCall(const NodeDef& call) {
    const auto f = call.attr().find("f");
    const auto found = f == call.attr().end() ? functions_.end() : functions_.find(f->second.func().name());
    if (found == functions_.end()) return;
    const tensorflow::FunctionDef& function = *found->second;
    std::unordered_map<std::string, const NodeDef*> inside;
    for (const NodeDef& node : function.node_def()) inside[node.name()] = &node;
    std::unordered_map<std::string, int> args;
    for (int i = 0; i < function.signature().input_arg_size(); ++i) args[function.signature().input_arg(i).name()] = i;
    const auto nodeIn = [&](const std::string& input) {
      const auto at = inside.find(nodeOf(input));
      return at == inside.end() ? nullptr : at->second;
    };
    for (const NodeDef& node : function.node_def()) {
      if (roleOf(node.op()) != OpRole::Save || node.input_size() < 3) continue;
      const auto names = stringsIn(nodeIn(node.input(1))), specs = stringsIn(nodeIn(node.input(2)));
      for (int i = 0; i < int(names.size()) && 3 + i < node.input_size(); ++i) {
        std::string input = node.input(3 + i);
        for (int hops = 0; hops < 16 && !args.contains(nodeOf(input)); ++hops) {
          const NodeDef* source = nodeIn(input);
          if (!source || source->input_size() == 0) break;
          input = source->input(0);
        }
        const auto arg = args.find(nodeOf(input));
        const NodeDef* source = arg == args.end() || arg->second >= call.input_size() ? nullptr : find(nodeOf(call.input(arg->second)));
        if (!source || !isVariableOp(source->op())) continue;
        saved_.try_emplace(source->name(), SavedVariable{source->name(), names[size_t(i)], size_t(i) < specs.size() ? specs[size_t(i)] : std::string()});
      }
    }
  }

  std::vector<std::string> stringsOf(const NodeDef& node, int input) const {
    if (input >= node.input_size()) return {};
    return stringsIn(find(nodeOf(node.input(input))));
  }

  static std::vector<std::string> stringsIn(const NodeDef* source) {
    if (!source || roleOf(source->op()) != OpRole::Constant || !source->attr().contains("value")) return {};
    const auto tensor = tensorFromProto(source->attr().at("value").tensor());
    if (!tensor.ok() || tensor->dtype() != DType::String) return {};
    const auto flat = tensor->flat<std::string>();
    return {flat.begin(), flat.end()};
  }

  const NodeDef* find(const std::string& name) const {
    const auto at = nodes_.find(name);
    return at == nodes_.end() ? nullptr : at->second;
  }

  /// Everything that the outputs depend on, including colocated nodes.
  Status findNeeded() {
    std::deque<std::string> next;
    for (const std::string& output : options_.outputs) {
      const std::string name = nodeOf(output);
      if (!find(name)) return invalidArgument(name, " is not in graph");
      next.push_back(name);
    }
    while (!next.empty()) {
      const std::string name = std::move(next.front());
      next.pop_front();
      if (!needed_.insert(name).second) continue;
      const NodeDef* node = find(name);
      if (!node) return invalidArgument("node '", name, "' is read but not in the graph").ofKind("invalid_graph");
      for (const std::string& input : node->input()) next.push_back(nodeOf(input));
      const auto classes = node->attr().find("_class");
      if (classes == node->attr().end()) continue;
      for (const std::string& c : classes->second.list().s())
        if (c.compare(0, 5, "loc:@") == 0 && find(c.substr(5))) next.push_back(c.substr(5));
    }
    return {};
  }

  /// A handle that becomes a constant can only be read.
  Status checkHandles(const NodeDef& node) const {
    const OpRole role = roleOf(node.op());
    if (role == OpRole::ReadVariable || role == OpRole::GatherVariable || passesHandles(node.op())) return {};
    for (const std::string& input : node.input()) {
      if (input[0] == '^') break;
      const NodeDef* source = find(nodeOf(input));
      for (int hops = 0; source && passesHandles(source->op()) && source->input_size() > 0 && hops < 64; ++hops) source = find(nodeOf(source->input(0)));
      if (!source || !isResourceVariable(source->op()) || options_.keep.count(source->name())) continue;
      return invalidArgument("the variable ", source->name(), " cannot be frozen: ", node.op(), " uses it, and only reads can become constants")
          .atNode(node.name());
    }
    return {};
  }

  /// Records the type that the ops between a variable's handle and its reads will have.
  Status followReads(const NodeDef& read) {
    if (roleOf(read.op()) != OpRole::ReadVariable && roleOf(read.op()) != OpRole::GatherVariable) return {};
    std::vector<std::string> sources = {nodeOf(read.input(0))};
    while (!sources.empty()) {
      const NodeDef* source = find(sources.back());
      sources.pop_back();
      if (!source) return invalidArgument("Cannot find the variable that is an input to the ReadVariableOp.").atNode(read.name());
      if (isResourceVariable(source->op())) continue;
      if (!passesHandles(source->op())) return invalidArgument("Cannot find the variable that is an input to the ReadVariableOp.").atNode(read.name());
      if (!handedOn_.try_emplace(source->name(), read.attr().at("dtype")).second) continue;
      for (const std::string& input : source->input()) {
        if (!input.empty() && input[0] == '^') break;
        sources.push_back(nodeOf(input));
        if (roleOf(source->op()) != OpRole::Merge) break;
      }
    }
    return {};
  }

  static void makeConst(const std::string& name, const AttrValue& dtype, const Tensor& value, NodeDef* out, Status* status) {
    out->set_name(name);
    out->set_op("Const");
    (*out->mutable_attr())["dtype"] = dtype;
    *status = tensorToProto(value, TensorForm::Python, (*out->mutable_attr())["value"].mutable_tensor());
  }

  static void copyClass(const NodeDef& from, NodeDef* to) {
    if (const auto at = from.attr().find("_class"); at != from.attr().end()) (*to->mutable_attr())["_class"] = at->second;
  }

  Status rewrite(const NodeDef& node, GraphDef* graph) {
    Status status;
    if (isVariableOp(node.op()) && !options_.keep.count(node.name())) {
      const auto at = saved_.find(node.name());
      auto value = values_(at != saved_.end() ? at->second : SavedVariable{node.name(), node.name(), {}});
      if (!value.ok()) return value.error().atNode(node.name());
      const AttrValue& dtype = node.attr().at("dtype");
      if (int(value->dtype()) != dtype.type())
        return invalidArgument("variable of ", dtypeName(DType(dtype.type())), ", but its value is ", dtypeName(value->dtype())).atNode(node.name());
      makeConst(node.name(), dtype, *value, graph->add_node(), &status);
      return status;
    }
    if (const auto type = handedOn_.find(node.name()); type != handedOn_.end()) {
      NodeDef* out = graph->add_node();
      *out = node;
      out->mutable_attr()->erase("_output_shapes");
      (*out->mutable_attr())["T"] = type->second;
      return {};
    }
    if (roleOf(node.op()) == OpRole::ReadVariable && !readsKept(node)) {
      NodeDef* out = graph->add_node();
      out->set_name(node.name());
      out->set_op("Identity");
      out->set_device(node.device());
      out->add_input(node.input(0));
      (*out->mutable_attr())["T"] = node.attr().at("dtype");
      copyClass(node, out);
      return {};
    }
    if (roleOf(node.op()) == OpRole::GatherVariable && !readsKept(node)) {
      if (const auto batch = node.attr().find("batch_dims"); batch != node.attr().end() && batch->second.i() != 0)
        return invalidArgument("batch_dims != 0 is not supported by freeze_graph.").atNode(node.name());
      const AttrValue& indices = node.attr().at("Tindices");
      const Tensor zero = indices.type() == tensorflow::DT_INT64 ? Tensor::scalar(int64_t(0)) : Tensor::scalar(int32_t(0));
      makeConst(node.name() + "/axis", indices, zero, &axes_.emplace_back(), &status);
      NodeDef* out = graph->add_node();
      out->set_name(node.name());
      out->set_op("GatherV2");
      out->set_device(node.device());
      out->add_input(node.input(0));
      out->add_input(node.input(1));
      out->add_input(node.name() + "/axis");
      (*out->mutable_attr())["Tparams"] = node.attr().at("dtype");
      (*out->mutable_attr())["Tindices"] = indices;
      (*out->mutable_attr())["Taxis"] = indices;
      copyClass(node, out);
      return status;
    }
    *graph->add_node() = node;
    return {};
  }

  /// Whether a read is from a variable that is not frozen.
  bool readsKept(const NodeDef& read) const {
    const NodeDef* source = find(nodeOf(read.input(0)));
    for (int hops = 0; source && passesHandles(source->op()) && source->input_size() > 0 && hops < 64; ++hops) source = find(nodeOf(source->input(0)));
    return source && options_.keep.count(source->name()) > 0;
  }

  const GraphDef& graph_;
  const VariableValues& values_;
  const FreezeOptions& options_;
  std::unordered_map<std::string, const NodeDef*> nodes_;
  std::unordered_map<std::string, const tensorflow::FunctionDef*> functions_;  // that save variables
  std::unordered_map<std::string, SavedVariable> saved_;
  std::unordered_set<std::string> needed_;
  std::unordered_map<std::string, AttrValue> handedOn_;
  std::deque<NodeDef> axes_;
};

}  // namespace

namespace {

/// The calls that the outputs need and that take resources: variables can be frozen only where they are read in the graph itself.
std::set<std::string> callsWithResources(const GraphDef& graph, const std::vector<std::string>& outputs) {
  std::unordered_map<std::string, const NodeDef*> nodes;
  for (const NodeDef& node : graph.node()) nodes[node.name()] = &node;
  std::unordered_set<std::string> seen;
  std::vector<std::string> next;
  for (const std::string& output : outputs) next.push_back(nodeOf(output));
  std::set<std::string> out;
  while (!next.empty()) {
    const std::string name = std::move(next.back());
    next.pop_back();
    const auto at = nodes.find(name);
    if (at == nodes.end() || !seen.insert(name).second) continue;
    for (const std::string& input : at->second->input()) next.push_back(nodeOf(input));
    const auto types = at->second->attr().find("Tin");
    if (types == at->second->attr().end() || !at->second->attr().contains("f")) continue;
    for (const int type : types->second.list().type())
      if (type == tensorflow::DT_RESOURCE) out.insert(name);
  }
  return out;
}

void addCallees(const google::protobuf::Map<std::string, AttrValue>& attrs, std::vector<std::string>& out) {
  for (const auto& [key, value] : attrs) {
    if (value.has_func()) out.push_back(value.func().name());
    for (const auto& f : value.list().func()) out.push_back(f.name());
  }
}

/// Drops functions that no node calls any more, directly or from another function.
void dropUnusedFunctions(GraphDef* graph) {
  std::unordered_map<std::string, const tensorflow::FunctionDef*> all;
  for (const auto& f : graph->library().function()) all[f.signature().name()] = &f;
  std::vector<std::string> next;
  const auto addNode = [&](const NodeDef& node) {
    next.push_back(node.op());
    addCallees(node.attr(), next);
  };
  for (const NodeDef& node : graph->node()) addNode(node);
  for (const auto& gradient : graph->library().gradient()) next.push_back(gradient.gradient_func());
  std::unordered_set<std::string> used;
  while (!next.empty()) {
    const std::string name = std::move(next.back());
    next.pop_back();
    const auto f = all.find(name);
    if (f == all.end() || !used.insert(name).second) continue;
    for (const NodeDef& node : f->second->node_def()) addNode(node);
  }
  tensorflow::FunctionDefLibrary kept;
  for (const auto& f : graph->library().function())
    if (used.count(f.signature().name())) *kept.add_function() = f;
  *kept.mutable_gradient() = graph->library().gradient();
  if (kept.function_size() == 0 && kept.gradient_size() == 0) graph->clear_library();
  else graph->mutable_library()->Swap(&kept);
}

}  // namespace

VariableValues valuesFromCheckpoint(const CheckpointReader& reader) {
  // Object-based checkpoints are asked by name too.
  const auto objects = readObjectGraph(reader);
  return [&reader, names = objects.ok() ? keysByFullName(*objects) : KeysByName()](const SavedVariable& v) -> Result<Tensor> {
    if (const auto at = names.find(v.key); at != names.end() && !reader.find(v.key)) {
      if (at->second.size() == 1) return reader.read(at->second[0]);
      return invalidArgument("the checkpoint has several objects named ", v.key, ": ", at->second[0], ", ", at->second[1], at->second.size() > 2 ? ", …" : "");
    }
    if (v.shapeAndSlice.empty()) return reader.read(v.key);
    WEFT_LET(const ShapeAndSlice part, parseShapeAndSlice(v.shapeAndSlice));
    return reader.readSlice(v.key, part.slice);
  };
}

Result<std::string> freezeGraph(std::string_view bytes, const VariableValues& values, const FreezeOptions& options) {
  if (options.outputs.empty()) return invalidArgument("freezing needs the names of the outputs");
  WEFT_LET(const std::string binary, convertGraphBytes(bytes, "graph.pb"));
  google::protobuf::Arena arena;
  auto* graph = google::protobuf::Arena::CreateMessage<GraphDef>(&arena);
  WEFT_TRY(parseWire(binary, graph));
  if (const std::set<std::string> calls = callsWithResources(*graph, options.outputs); !calls.empty()) {
    WEFT_TRY(inlineCalls(graph, calls));
    WEFT_LET(const std::string frozen, Freezer(*graph, values, options).freeze());
    WEFT_TRY(parseWire(frozen, graph));
    dropUnusedFunctions(graph);
    return printWire(*graph);
  }
  return Freezer(*graph, values, options).freeze();
}

}  // namespace weft
