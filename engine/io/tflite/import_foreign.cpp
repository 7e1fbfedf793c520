#include <algorithm>

#include "flatbuffers/flexbuffers.h"
#include "graph/attr_proto.h"
#include "io/tflite/importer.h"
#include "proto/meta_graph.pb.h"
#include "proto/text.h"
#include "weft/op.h"

// Operators that are nodes of TensorFlow, and those that have no counterpart.

namespace weft::tflite {

std::vector<Output> Importer::flexNode(OperatorImport& op) {
  const std::string bytes(op.customOptions());  // a copy, because a FlexBuffer has to be aligned
  const auto* data = reinterpret_cast<const uint8_t*>(bytes.data());
  std::vector<uint8_t> seen;
  const auto unreadable = [&] { return op.unsupported("its node cannot be read"); };
  if (bytes.size() < 3 || !flexbuffers::VerifyBuffer(data, bytes.size(), &seen)) return unreadable();
  const auto root = flexbuffers::GetRoot(data, bytes.size());
  if (!root.IsVector() || root.AsVector().size() < 2 || !root.AsVector()[1].IsString()) return unreadable();
  const auto text = root.AsVector()[1].AsString();
  tensorflow::NodeDef def;
  if (!parseWire(std::string_view(text.c_str(), text.size()), &def).ok()) return unreadable();
  AttrMap attrs;
  for (const auto& [key, value] : def.attr()) {
    if (key.starts_with('_')) continue;
    auto attr = attrFromProto(value);
    if (!attr.ok()) return op.unsupported(concat("its attribute '", key, "' cannot be read: ", attr.error().message));
    attrs.set(key, std::move(*attr));
  }
  const std::vector<Output> inputs = op.inputs();
  if (!builder_.ok()) return {};
  // Errors stick to the builder, so another one tries whether there is such an op that takes these inputs and attributes.
  MetaGraph trial;
  GraphBuilder elsewhere(trial);
  std::vector<Output> same;
  for (const Output& in : inputs) same.push_back(elsewhere.placeholder(builder_.dtype(in), builder_.shape(in)));
  elsewhere.node(def.op(), same, attrs);
  if (!elsewhere.ok()) return op.unsupported(elsewhere.status().error().message);
  const int id = builder_.node(def.op(), inputs, attrs);
  return id < 0 ? std::vector<Output>{} : builder_.outputsOf(id);
}

Status Importer::removeAbandoned() {
  if (abandoned_.empty()) return {};
  const Graph& all = meta_.graph;
  std::vector<bool> stays(size_t(all.size()), true);
  for (const auto& [first, end] : abandoned_) std::fill(stays.begin() + first, stays.begin() + end, false);
  for (const auto& [tensor, o] : values_)
    if (o.valid()) stays[size_t(o.node)] = true;
  // Nodes read earlier ones.
  for (int id = all.size() - 1; id >= 0; --id) {
    if (const Node* n = all.node(id); n && stays[size_t(id)]) {
      for (const Output& in : n->inputs) stays[size_t(in.node)] = true;
      for (const int before : n->controls) stays[size_t(before)] = true;
    }
  }
  // Built anew, because Graph::remove looks through all nodes.
  Graph left;
  left.versions = all.versions;
  left.functions = all.functions;
  left.statesShapes = all.statesShapes;
  std::vector<int> moved(size_t(all.size()), -1);
  for (int id = 0; id < all.size(); ++id) {
    if (!all.node(id) || !stays[size_t(id)]) continue;
    Node n = *all.node(id);
    for (Output& in : n.inputs) in.node = moved[size_t(in.node)];
    for (int& before : n.controls) before = moved[size_t(before)];
    WEFT_LET(moved[size_t(id)], left.add(std::move(n)));
  }
  meta_.graph = std::move(left);
  return {};
}

Result<std::vector<Output>> Importer::opaque(const tfl::Operator& op, const std::string& name, const std::string& why) {
  Node n;
  // A custom operator may have the name of an op of TensorFlow, but it is not that op.
  n.op = OpRegistry::instance().find(name) ? concat("Custom", name) : name;
  n.name = builder_.uniqueName(name);
  if (op.inputs()) {
    for (const int32_t i : *op.inputs()) {
      if (i < 0) continue;
      const Output in = tensor(i).is_variable() ? stateOf(i) : value(i);
      if (!in.valid()) return builder_.status().error();
      n.inputs.push_back(in);
      n.inputTypes.push_back(builder_.dtype(in));
    }
  }
  std::vector<Shape> shapes;
  for (uint32_t i = 0; op.outputs() && i < op.outputs()->size(); ++i) {
    const int32_t t = op.outputs()->Get(i);
    n.outputTypes.push_back(t < 0 ? DType::Invalid : graphType(t));
    shapes.push_back(t < 0 ? Shape::unknown() : shapeOf(tensor(t), true));
  }
  n.outputShapes = shapes;
  n.attrs.set("_output_shapes", shapes);
  n.attrs.set("_output_types", n.outputTypes);
  if (const auto* custom = op.custom_options(); custom && custom->size()) n.attrs.set("custom_options", std::string(custom->begin(), custom->end()));
  if (++unknown_[name] == 1)
    warnings_.push_back(concat("the operator ", name, " has no counterpart: the graph can be seen and edited, but not run through it", why.empty() ? "" : " (",
                               why, why.empty() ? "" : ")"));
  const size_t outputs = n.outputTypes.size();
  WEFT_LET(const int id, builder_.graph().add(std::move(n)));
  std::vector<Output> out;
  for (size_t i = 0; i < outputs; ++i) out.push_back({id, int(i)});
  return out;
}

}  // namespace weft::tflite
