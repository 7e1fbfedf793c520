#include <algorithm>
#include <unordered_set>

#include "graph/constant_folding.h"
#include "io/foreign_model.h"
#include "io/onnx/export_node.h"
#include "io/onnx/tensor_proto.h"
#include "proto/meta_graph.pb.h"
#include "proto/text.h"
#include "weft/inspect.h"
#include "weft/onnx.h"
#include "weft/op_traits.h"
#include "weft/saved_model.h"

namespace weft::onnx_io {
namespace {

constexpr int64_t kMostShared = 16;  // elements of a constant that is compared with earlier ones

/// The IR version that came with an operator set.
int irVersionOf(int opset) { return opset <= 14 ? 7 : opset <= 18 ? 8 : opset <= 20 ? 9 : 10; }

bool passesItsInput(const Node& n) {
  const OpRole role = roleOf(n);
  return role == OpRole::Identity || role == OpRole::Copy || n.op == "CheckNumerics" || n.op == "PreventGradient" || n.op == "PlaceholderWithDefault" ||
         n.op == "IdentityN" || n.op == "StopGradient" || n.op == "EnsureShape";
}

bool holdsVariable(const Node& n) {
  const OpRole role = roleOf(n);
  return role == OpRole::Variable || role == OpRole::ReadVariable || role == OpRole::GatherVariable;
}

}  // namespace

std::string Exporter::nameOf(Output o) const {
  const std::string& node = graph_.node(o.node)->name;
  return o.index == 0 ? node : concat(node, ":", o.index);
}

std::string Exporter::uniqueName(const std::string& wanted) {
  std::string name = wanted;
  for (int i = 1; !names_.insert(name).second; ++i) name = concat(wanted, "_", i);
  return name;
}

Result<std::string> Exporter::initializer(const Tensor& value, const std::string& wanted) {
  std::string key;
  if (sizeOf(value.dtype()) > 0 && value.elements() <= kMostShared) {
    key = concat(dtypeName(value.dtype()), value.shape().toString(), ":");
    key.append(static_cast<const char*>(value.raw()), value.bytes());
    if (const auto found = constants_.find(key); found != constants_.end()) return found->second;
  }
  const std::string name = uniqueName(wanted);
  WEFT_TRY(tensorToOnnx(value, name, model_.mutable_graph()->add_initializer()));
  if (!key.empty()) constants_[key] = name;
  return name;
}

Status Exporter::describe(const std::string& name, Output tensor, ::onnx::ValueInfoProto* info) const {
  const DType type = baseType(graph_.dtype(tensor));
  if (onnxTypeOf(type) == 0)
    return unimplemented("tensor '", graph_.tensorName(tensor), "' is of type ", dtypeName(type), ", which ONNX does not have").ofKind("unsupported_type");
  info->set_name(name);
  auto* described = info->mutable_type()->mutable_tensor_type();
  described->set_elem_type(onnxTypeOf(type));
  const Shape& shape = graph_.shape(tensor);
  if (!shape.hasRank())
    return invalidArgument("tensor '", graph_.tensorName(tensor), "' is of unknown rank; ONNX needs the ranks of inputs and outputs")
        .ofKind("unsupported_type");
  described->mutable_shape();
  for (int d = 0; d < shape.rank(); ++d) {
    auto* dim = described->mutable_shape()->add_dim();
    if (shape.dim(d) >= 0) dim->set_dim_value(shape.dim(d));
    else dim->set_dim_param(concat(name, "_", d));
  }
  return {};
}

Status Exporter::addInput(const std::string& name, Output tensor) {
  if (!names_.insert(name).second) return invalidArgument("two inputs are called '", name, "'");
  values_[tensor].plain = name;
  return describe(name, tensor, model_.mutable_graph()->add_input());
}

void Exporter::rename(int mark, const std::string& from, const std::string& to) {
  auto& nodes = *model_.mutable_graph()->mutable_node();
  for (int i = mark; i < nodes.size(); ++i)
    for (auto* list : {nodes[i].mutable_input(), nodes[i].mutable_output()})
      for (std::string& name : *list)
        if (name == from) name = to;
}

Status Exporter::addNode(const Node& node) {
  if (passesItsInput(node)) {
    for (int i = 0; i < int(node.outputTypes.size()); ++i) values_[{node.id, i}] = values_[node.inputs[size_t(i)]];
    return {};
  }
  ExportNode view(*this, node);
  if (roleOf(node) == OpRole::Constant) {
    const Attr* value = node.attrs.find("value");
    const Tensor* tensor = value ? value->get<Tensor>() : nullptr;
    if (!tensor) return view.cannot("it has no value");
    auto made = initializer(*tensor, node.name);
    if (!made.ok()) return view.cannot(made.error().message);
    values_[{node.id, 0}].plain = *made;
    return {};
  }
  if (roleOf(node) == OpRole::Placeholder)
    return invalidArgument("placeholder '", node.name, "' is read, but it is none of the model's inputs").atNode(node.name);
  if (holdsVariable(node))
    return invalidArgument("node '", node.name, "' (", node.op, ") reads a variable; freeze the graph first").atNode(node.name).ofKind("not_frozen");
  const Export rule = exportRule(node.op);
  if (!rule) return view.cannot("ONNX has no counterpart");
  const int mark = model_.graph().node_size();
  WEFT_TRY(rule(view));
  WEFT_TRY(view.status_);
  // What a node made for its outputs gets their names.
  for (int k = 0; k < int(node.outputTypes.size()); ++k) {
    const auto found = values_.find({node.id, k});
    if (found == values_.end() || found->second.plain.empty()) continue;
    const std::string wanted = nameOf({node.id, k}), made = found->second.plain;
    const auto& nodes = model_.graph().node();
    const bool own = std::any_of(nodes.begin() + mark, nodes.end(),
                                 [&](const auto& n) { return std::find(n.output().begin(), n.output().end(), made) != n.output().end(); });
    if (!own || !names_.insert(wanted).second) continue;
    rename(mark, made, wanted);
    found->second.plain = wanted;
  }
  return {};
}

Status Exporter::addOutput(const std::string& name, Output tensor) {
  const Node& node = *graph_.node(tensor.node);
  ExportedValue& value = values_[tensor];
  Node asked;
  asked.name = node.name + "/output";
  asked.op = "Identity";
  asked.inputs = {tensor};
  ExportNode view(*this, asked);
  if (value.plain.empty() && value.first.empty()) return invalidArgument("output '", graph_.tensorName(tensor), "' is not computed");
  const std::string made = view.in(0);
  if (made != name) {
    // A name of the graph's own is given up for the one that the model shows.
    if (!names_.insert(name).second) {
      const std::string other = uniqueName(name + "/inner");
      for (auto& input : *model_.mutable_graph()->mutable_input())
        if (input.name() == name) return invalidArgument("'", name, "' is the name of an input and of another output");
      for (const auto& output : model_.graph().output())
        if (output.name() == name) return invalidArgument("two outputs are called '", name, "'");
      rename(0, name, other);
      for (auto& tensorProto : *model_.mutable_graph()->mutable_initializer())
        if (tensorProto.name() == name) tensorProto.set_name(other);
      for (auto& [key, v] : values_)
        for (std::string* s : {&v.plain, &v.first})
          if (*s == name) *s = other;
    }
    const std::string source = view.in(0), identity = view.emit("Identity", {source});
    rename(model_.graph().node_size() - 1, identity, name);
  }
  return describe(name, tensor, model_.mutable_graph()->add_output());
}

Result<std::string> Exporter::write(const Ends& inputs, const Ends& outputs) {
  model_.set_ir_version(irVersionOf(opset_));
  model_.set_producer_name("weft");
  auto* set = model_.add_opset_import();
  set->set_domain("");
  set->set_version(opset_);
  model_.mutable_graph()->set_name("graph");
  for (const auto& [name, tensor] : inputs) WEFT_TRY(addInput(name, tensor));
  WEFT_LET(const std::vector<int> order, graph_.topologicalOrder());
  // What the outputs need, up to the inputs.
  std::unordered_set<int> needed;
  std::vector<Output> todo;
  for (const auto& [name, tensor] : outputs) todo.push_back(tensor);
  while (!todo.empty()) {
    const Output o = todo.back();
    todo.pop_back();
    if (values_.count(o) || !needed.insert(o.node).second) continue;
    for (const Output& input : graph_.node(o.node)->inputs) todo.push_back(input);
  }
  for (const int id : order)
    if (needed.count(id)) WEFT_TRY(addNode(*graph_.node(id)));
  for (const auto& [name, tensor] : outputs) WEFT_TRY(addOutput(name, tensor));
  // Initializers that were turned or taken as attributes are read by nothing.
  std::unordered_set<std::string> read;
  for (const auto& node : model_.graph().node()) read.insert(node.input().begin(), node.input().end());
  for (const auto& output : model_.graph().output()) read.insert(output.name());
  auto* tensors = model_.mutable_graph()->mutable_initializer();
  tensors->erase(std::remove_if(tensors->begin(), tensors->end(), [&](const auto& t) { return !read.count(t.name()); }), tensors->end());
  if (model_.ByteSizeLong() > (size_t(2) << 30) - 1) return unimplemented("the model has over 2 GiB, the most that one ONNX file can hold").ofKind("too_large");
  return printWire(model_);
}

}  // namespace weft::onnx_io

namespace weft {
namespace {

using Ends = onnx_io::Exporter::Ends;

/// A tensor's name in the model: without ":0".
std::string onnxEndName(const std::string& tensor) { return tensor.ends_with(":0") ? tensor.substr(0, tensor.size() - 2) : tensor; }

Result<Ends> endsOf(const Graph& graph, const std::vector<std::string>& tensors, const std::vector<std::pair<std::string, std::string>>& signature) {
  Ends out;
  for (const std::string& given : tensors) {
    const size_t equals = given.find('=');
    const std::string tensor = equals == given.npos ? given : given.substr(equals + 1);
    WEFT_LET(const Output found, endOfModel(graph, tensor));
    out.emplace_back(equals == given.npos ? onnxEndName(tensor) : given.substr(0, equals), found);
  }
  if (!tensors.empty()) return out;
  for (const auto& [name, tensor] : signature) {
    WEFT_LET(const Output found, endOfModel(graph, tensor));
    out.emplace_back(name, found);
  }
  return out;
}

/// How many outputs of a node that nothing reads are the model's: what FusedBatchNorm gives beside its first serves training.
int shownOutputs(const Node& n) { return n.op.starts_with("FusedBatchNorm") ? 1 : int(n.outputTypes.size()); }

}  // namespace

Result<std::string> graphToOnnx(std::string_view bytes, const ModelExport& what) {
  const int opset = what.version == 0 ? kUsualOnnxExport : what.version;
  if (opset < kOldestOnnxExport || opset > kNewestOnnxExport)
    return invalidArgument("operator set ", opset, " is not supported; expected ", kOldestOnnxExport, " to ", kNewestOnnxExport);
  WEFT_LET(std::string binary, convertGraphBytes(bytes, "meta"));
  WEFT_LET(const auto signatures, signaturesOf(binary));
  const ModelSignature* serving = nullptr;
  for (const ModelSignature& s : signatures)
    if (s.key == "serving_default") serving = &s;
  WEFT_LET(const LoadedGraph loaded, loadGraphBytes(std::make_shared<const std::string>(std::move(binary)), "graph"));
  const Graph& graph = loaded.meta.graph;
  WEFT_LET(Ends inputs, endsOf(graph, what.inputs, serving ? serving->inputs : decltype(serving->inputs)()));
  WEFT_LET(Ends outputs, endsOf(graph, what.outputs, serving ? serving->outputs : decltype(serving->outputs)()));
  const auto consumers = graph.consumers();
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n) continue;
    if (what.inputs.empty() && !serving) {
      if (roleOf(*n) == OpRole::Placeholder) inputs.emplace_back(n->name, Output{id, 0});
    }
    const bool isSource = roleOf(*n) == OpRole::Constant || roleOf(*n) == OpRole::Placeholder;
    if (what.outputs.empty() && !serving && consumers[size_t(id)].empty() && !isSource)
      for (int k = 0; k < shownOutputs(*n); ++k) outputs.emplace_back(onnxEndName(graph.tensorName({id, k})), Output{id, k});
  }
  if (outputs.empty()) return invalidArgument("the graph has no tensor that nothing reads; name the outputs");
  return onnx_io::Exporter(graph, opset).write(inputs, outputs);
}

}  // namespace weft
