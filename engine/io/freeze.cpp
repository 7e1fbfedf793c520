#include "weft/freeze.h"

#include <google/protobuf/arena.h>

#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "graph/variable_ops.h"
#include "io/inspect/report.h"
#include "proto/convert.h"
#include "proto/meta_graph.pb.h"
#include "proto/text.h"
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
    findSaved();
  }

  Result<std::string> freeze() {
    WEFT_TRY(findNeeded());
    for (const NodeDef& node : graph_.node())
      if (needed_.count(node.name())) WEFT_TRY(followReads(node));
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

  std::vector<std::string> stringsOf(const NodeDef& node, int input) const {
    if (input >= node.input_size()) return {};
    const NodeDef* source = find(nodeOf(node.input(input)));
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
  std::unordered_map<std::string, SavedVariable> saved_;
  std::unordered_set<std::string> needed_;
  std::unordered_map<std::string, AttrValue> handedOn_;
  std::deque<NodeDef> axes_;
};

}  // namespace

VariableValues valuesFromCheckpoint(const CheckpointReader& reader) {
  return [&reader](const SavedVariable& v) -> Result<Tensor> {
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
  return Freezer(*graph, values, options).freeze();
}

}  // namespace weft
