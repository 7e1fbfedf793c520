#include "graph/attr_proto.h"

#include <algorithm>

#include "graph/missing_nodes.h"
#include "proto/convert.h"
#include "proto/graph.pb.h"
#include "weft/graph.h"

namespace weft {

namespace tf = ::tensorflow;

namespace {

DType dtypeOf(int number) { return static_cast<DType>(number); }

Result<FuncAttr> funcFromProto(const tf::NameAttrList& proto) {
  auto attrs = std::make_shared<AttrMap>();
  for (const auto& [name, value] : proto.attr()) {
    WEFT_LET(Attr a, attrFromProto(value));
    attrs->set(name, std::move(a));
  }
  return FuncAttr{proto.name(), std::move(attrs)};
}

Status funcToProto(const FuncAttr& f, tf::NameAttrList* proto) {
  proto->set_name(f.name);
  if (!f.attrs) return {};
  for (const auto& [name, value] : *f.attrs) WEFT_TRY(attrToProto(value, &(*proto->mutable_attr())[name]));
  return {};
}

Result<Attr> listFromProto(const tf::AttrValue::ListValue& list) {
  if (list.i_size()) return Attr(std::vector<int64_t>(list.i().begin(), list.i().end()));
  if (list.s_size()) return Attr(std::vector<std::string>(list.s().begin(), list.s().end()));
  if (list.f_size()) return Attr(std::vector<float>(list.f().begin(), list.f().end()));
  if (list.b_size()) return Attr(std::vector<bool>(list.b().begin(), list.b().end()));
  if (list.type_size()) {
    std::vector<DType> out;
    for (int t : list.type()) out.push_back(dtypeOf(t));
    return Attr(std::move(out));
  }
  if (list.shape_size()) {
    std::vector<Shape> out;
    for (const auto& s : list.shape()) {
      WEFT_LET(Shape shape, shapeFromProto(s));
      out.push_back(std::move(shape));
    }
    return Attr(std::move(out));
  }
  if (list.tensor_size()) {
    std::vector<Tensor> out;
    for (const auto& t : list.tensor()) {
      WEFT_LET(Tensor tensor, tensorFromProto(t));
      out.push_back(std::move(tensor));
    }
    return Attr(std::move(out));
  }
  if (list.func_size()) {
    std::vector<FuncAttr> out;
    for (const auto& f : list.func()) {
      WEFT_LET(FuncAttr func, funcFromProto(f));
      out.push_back(std::move(func));
    }
    return Attr(std::move(out));
  }
  return Attr(EmptyListAttr{});
}

struct Writer {
  tf::AttrValue* proto;

  Status operator()(const std::monostate&) const { return {}; }
  Status operator()(const std::string& v) const {
    proto->set_s(v);
    return {};
  }
  Status operator()(int64_t v) const {
    proto->set_i(v);
    return {};
  }
  Status operator()(float v) const {
    proto->set_f(v);
    return {};
  }
  Status operator()(bool v) const {
    proto->set_b(v);
    return {};
  }
  Status operator()(DType v) const {
    proto->set_type(tf::DataType(int(v)));
    return {};
  }
  Status operator()(const Shape& v) const {
    shapeToProto(v, proto->mutable_shape());
    return {};
  }
  Status operator()(const Tensor& v) const { return tensorToProto(v, TensorForm::Python, proto->mutable_tensor()); }
  Status operator()(const FuncAttr& v) const { return funcToProto(v, proto->mutable_func()); }
  Status operator()(const PlaceholderAttr& v) const {
    proto->set_placeholder(v.name);
    return {};
  }
  Status operator()(const EmptyListAttr&) const {
    proto->mutable_list();
    return {};
  }
  Status operator()(const std::vector<std::string>& v) const {
    for (const auto& x : v) list()->add_s(x);
    return {};
  }
  Status operator()(const std::vector<int64_t>& v) const {
    for (int64_t x : v) list()->add_i(x);
    return {};
  }
  Status operator()(const std::vector<float>& v) const {
    for (float x : v) list()->add_f(x);
    return {};
  }
  Status operator()(const std::vector<bool>& v) const {
    for (bool x : v) list()->add_b(x);
    return {};
  }
  Status operator()(const std::vector<DType>& v) const {
    for (DType x : v) list()->add_type(tf::DataType(int(x)));
    return {};
  }
  Status operator()(const std::vector<Shape>& v) const {
    for (const auto& x : v) shapeToProto(x, list()->add_shape());
    return {};
  }
  Status operator()(const std::vector<Tensor>& v) const {
    for (const auto& x : v) WEFT_TRY(tensorToProto(x, TensorForm::Python, list()->add_tensor()));
    return {};
  }
  Status operator()(const std::vector<FuncAttr>& v) const {
    for (const auto& x : v) WEFT_TRY(funcToProto(x, list()->add_func()));
    return {};
  }
  tf::AttrValue::ListValue* list() const { return proto->mutable_list(); }
};

}  // namespace

Result<Attr> attrFromProto(const tf::AttrValue& proto) {
  switch (proto.value_case()) {
    case tf::AttrValue::kS: return Attr(proto.s());
    case tf::AttrValue::kI: return Attr(int64_t(proto.i()));
    case tf::AttrValue::kF: return Attr(proto.f());
    case tf::AttrValue::kB: return Attr(proto.b());
    case tf::AttrValue::kType: return Attr(dtypeOf(proto.type()));
    case tf::AttrValue::kShape: {
      WEFT_LET(Shape s, shapeFromProto(proto.shape()));
      return Attr(std::move(s));
    }
    case tf::AttrValue::kTensor: {
      WEFT_LET(Tensor t, tensorFromProto(proto.tensor()));
      return Attr(std::move(t));
    }
    case tf::AttrValue::kList: return listFromProto(proto.list());
    case tf::AttrValue::kFunc: {
      WEFT_LET(FuncAttr f, funcFromProto(proto.func()));
      return Attr(std::move(f));
    }
    case tf::AttrValue::kPlaceholder: return Attr(PlaceholderAttr{proto.placeholder()});
    default: return Attr();
  }
}

Status attrToProto(const Attr& attr, tf::AttrValue* proto) {
  // An empty list of a known element type is still a list.
  const auto emptyList = [](const auto& v) {
    if constexpr (requires { v.capacity(); } && !std::is_same_v<std::decay_t<decltype(v)>, std::string>) return v.empty();
    else return false;
  };
  if (std::visit(emptyList, attr.value)) proto->mutable_list();
  return std::visit(Writer{proto}, attr.value);
}

Status nodeToProto(const Graph& graph, const Node& node, tf::NodeDef* proto) {
  proto->set_name(node.name);
  proto->set_op(node.op);
  if (!node.device.empty()) proto->set_device(node.device);
  // Trailing inputs that the file lacks too are not written; placeholders before given inputs keep their position.
  const auto isGiven = [&](Output o) {
    const Node* from = graph.node(o.node);
    return !from || !from->op.empty() || from->attrs.text(kMissingAttr) != kNotGiven;
  };
  const auto end = std::find_if(node.inputs.rbegin(), node.inputs.rend(), isGiven).base();
  for (auto it = node.inputs.begin(); it != end; ++it) {
    const Output o = *it;
    const Node* from = graph.node(o.node);
    if (!from) return internalError("Node '", node.name, "' has an input from a node that was removed").atNode(node.name);
    proto->add_input(o.index == 0 ? from->name : from->name + ":" + std::to_string(o.index));
  }
  std::vector<std::string> controls;
  for (int c : node.controls) {
    if (const Node* from = graph.node(c)) controls.push_back("^" + from->name);
  }
  std::sort(controls.begin(), controls.end());
  for (auto& c : controls) proto->add_input(std::move(c));
  for (const auto& [name, attr] : node.attrs) {
    if (std::find(node.defaulted.begin(), node.defaulted.end(), name) != node.defaulted.end()) continue;
    if (name.starts_with(kUnreadAttr)) {
      const std::string* bytes = attr.get<std::string>();
      if (bytes) (*proto->mutable_attr())[name.substr(kUnreadAttr.size())].ParseFromString(*bytes);
      continue;
    }
    if (Status s = attrToProto(attr, &(*proto->mutable_attr())[name]); !s.ok()) return s.error().atNode(node.name);
  }
  return {};
}

}  // namespace weft
