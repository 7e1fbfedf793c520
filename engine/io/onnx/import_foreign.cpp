#include "io/onnx/import_foreign.h"

#include "proto/onnx.pb.h"
#include "weft/op.h"

namespace weft::onnx_io {
namespace {

/// The attribute's value; monostate if a graph cannot hold it.
Attr foreignAttr(const ::onnx::AttributeProto& attr, const TensorReader& reader) {
  using Kind = ::onnx::AttributeProto;
  switch (attr.type()) {
    case Kind::FLOAT: return attr.f();
    case Kind::INT: return attr.i();
    case Kind::STRING: return attr.s();
    case Kind::FLOATS: return std::vector<float>(attr.floats().begin(), attr.floats().end());
    case Kind::INTS: return std::vector<int64_t>(attr.ints().begin(), attr.ints().end());
    case Kind::STRINGS: return std::vector<std::string>(attr.strings().begin(), attr.strings().end());
    case Kind::TENSOR: {
      auto value = reader.read(attr.t());
      return value.ok() ? Attr(std::move(*value)) : Attr();
    }
    default: return {};
  }
}

}  // namespace

Status foreignNode(const ::onnx::NodeProto& from, const ArgumentOf& argument, const TensorReader& reader, Node* out, std::vector<std::string>* lost) {
  std::string op;
  for (const char c : from.op_type())
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_') op += c;
  if (op.empty()) return invalidArgument("node '", from.name(), "' names no op").ofKind("invalid_graph");
  // Where TensorFlow has an op of this name, it is another one, or was not taken for some reason.
  out->op = OpRegistry::instance().find(op) || !(op[0] >= 'A' && op[0] <= 'Z') ? "Onnx" + op : op;
  for (const auto& attr : from.attribute()) {
    // In a function, an attribute may stand for one of the call; a call that leaves it out means none.
    const ::onnx::AttributeProto* stated = attr.ref_attr_name().empty() ? &attr : argument(attr.ref_attr_name());
    if (!stated) continue;
    Attr value = foreignAttr(*stated, reader);
    if (attr.name().empty() || std::holds_alternative<std::monostate>(value.value)) {
      lost->push_back(attr.name());
    } else {
      out->attrs.set(attr.name(), std::move(value));
    }
  }
  if (!from.domain().empty()) out->attrs.set("domain", from.domain());
  return {};
}

}  // namespace weft::onnx_io
