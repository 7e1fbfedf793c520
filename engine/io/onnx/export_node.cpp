#include "io/onnx/export_node.h"

#include "io/onnx/import_node.h"
#include "io/onnx/tensor_proto.h"
#include "tensor/number.h"

namespace weft::onnx_io {
::onnx::AttributeProto intAttr(const std::string& name, int64_t value) {
  ::onnx::AttributeProto a;
  a.set_name(name);
  a.set_type(::onnx::AttributeProto::INT);
  a.set_i(value);
  return a;
}

::onnx::AttributeProto realAttr(const std::string& name, double value) {
  ::onnx::AttributeProto a;
  a.set_name(name);
  a.set_type(::onnx::AttributeProto::FLOAT);
  a.set_f(float(value));
  return a;
}

::onnx::AttributeProto textAttr(const std::string& name, const std::string& value) {
  ::onnx::AttributeProto a;
  a.set_name(name);
  a.set_type(::onnx::AttributeProto::STRING);
  a.set_s(value);
  return a;
}

::onnx::AttributeProto intsAttr(const std::string& name, const std::vector<int64_t>& values) {
  ::onnx::AttributeProto a;
  a.set_name(name);
  a.set_type(::onnx::AttributeProto::INTS);
  for (const int64_t v : values) a.add_ints(v);
  return a;
}

Export exportRule(std::string_view op) {
  static const auto* const rules = [] {
    auto* all = new std::map<std::string_view, Export>();
    for (const auto& family : {elementwiseExports(), arrayExports(), indexExports(), windowExports(), mathExports()})
      for (const ExportRule& rule : family) all->emplace(rule.op, rule.write);
    return all;
  }();
  const auto found = rules->find(op);
  return found == rules->end() ? nullptr : found->second;
}

ExportedValue ExportNode::written(int i) {
  const Output input = node.inputs[size_t(i)];
  const ExportedValue v = exporter_.values_[input];
  if (status_.ok() && v.plain.empty() && v.first.empty()) {
    const Node& from = *exporter_.graph_.node(input.node);
    status_ = cannot(concat("it reads '", exporter_.graph_.tensorName(input), "', an output of ", from.op, " that ONNX does not have"));
  }
  return v;
}

std::string ExportNode::in(int i) {
  const ExportedValue v = written(i);
  if (v.plain.empty() && !v.first.empty()) {
    const std::string made = transpose(v.first, toChannelsLast(rank(i)));
    exporter_.values_[node.inputs[size_t(i)]].plain = made;
    return made;
  }
  return v.plain;
}

std::string ExportNode::first(int i) {
  const ExportedValue v = written(i);
  if (!v.first.empty()) return v.first;
  if (rank(i) < 3) {
    if (status_.ok()) status_ = cannot(concat("the rank of its input ", i, " is not known"));
    return {};
  }
  const std::string made = transpose(v.plain, toChannelsFirst(rank(i)));
  return exporter_.values_[node.inputs[size_t(i)]].first = made;
}

bool ExportNode::isFirst(int i) const {
  const auto found = exporter_.values_.find(node.inputs[size_t(i)]);
  return found != exporter_.values_.end() && found->second.plain.empty() && !found->second.first.empty();
}

std::optional<Tensor> ExportNode::value(int i) const {
  const Tensor* found = exporter_.folder_.value(node.inputs[size_t(i)]);
  return found ? std::optional(*found) : std::nullopt;
}

Result<std::vector<int64_t>> ExportNode::ints(int i) const {
  const auto known = value(i);
  if (!known || !isInteger(known->dtype())) return cannot(concat("its input ", i, " is computed by the graph; only a constant is supported"));
  std::vector<int64_t> out;
  for (int64_t k = 0; k < known->elements(); ++k) out.push_back(known->asInt(k));
  return out;
}

std::vector<std::string> ExportNode::emitAll(std::string_view op, const std::vector<std::string>& inputs, int outputs, const Attrs& attrs) {
  auto* made = exporter_.model_.mutable_graph()->add_node();
  made->set_op_type(std::string(op));
  made->set_name(exporter_.uniqueName(concat(node.name, "/", op)));
  for (const std::string& input : inputs) made->add_input(input);
  for (const auto& attr : attrs) *made->add_attribute() = attr;
  std::vector<std::string> names;
  for (int k = 0; k < outputs; ++k) {
    names.push_back(exporter_.uniqueName(k == 0 ? made->name() + "_out" : concat(made->name(), "_out:", k)));
    made->add_output(names.back());
  }
  return names;
}

std::string ExportNode::constant(const Tensor& value) {
  auto made = exporter_.initializer(value, node.name + "/const");
  if (made.ok()) return *made;
  if (status_.ok()) status_ = made.error();
  return {};
}

std::string ExportNode::longs(const std::vector<int64_t>& values) { return constant(Tensor::vector(values)); }

std::string ExportNode::number(DType type, double value) {
  const auto made = numberOf(type, value);
  if (made.ok()) return constant(*made);
  if (status_.ok()) status_ = cannot(concat("numbers of type ", dtypeName(type)));
  return {};
}

std::string ExportNode::cast(const std::string& x, DType to) {
  const int type = onnxTypeOf(to);
  if (type == 0 && status_.ok()) status_ = cannot(concat("the type ", dtypeName(to)));
  return emit("Cast", {x}, {intAttr("to", type)});
}

std::string ExportNode::asLongs(int i) {
  if (const auto known = value(i); known && isInteger(known->dtype())) {
    Tensor wide = Tensor::zeros(DType::Int64, known->shape());
    for (int64_t k = 0; k < known->elements(); ++k) wide.mutableData<int64_t>()[k] = known->asInt(k);
    return constant(wide);
  }
  return dtype(i) == DType::Int64 ? in(i) : cast(in(i), DType::Int64);
}

std::string ExportNode::transpose(const std::string& x, const std::vector<int64_t>& perm) { return emit("Transpose", {x}, {intsAttr("perm", perm)}); }

void ExportNode::give(const std::string& name, int output) { exporter_.values_[{node.id, output}].plain = name; }
void ExportNode::giveFirst(const std::string& name, int output) { exporter_.values_[{node.id, output}].first = name; }

Error ExportNode::cannot(std::string_view why) const {
  return unimplemented("node '", node.name, "' (", node.op, ") cannot be written as ONNX: ", why).atNode(node.name).ofKind("unsupported_op");
}

}  // namespace weft::onnx_io
