// A graph as a program for TensorFlow 1.x.
//
// The program makes each node with Graph.create_op, which uses names and attributes verbatim; tf.* functions would make names unique and add
// further nodes and colocations. Attributes that TensorFlow infers or has as defaults are omitted to keep the lines readable.
#include <algorithm>
#include <charconv>
#include <set>

#include "graph/attr_proto.h"
#include "graph/function_library.h"
#include "proto/convert.h"
#include "proto/graph.pb.h"
#include "weft/graph_text.h"
#include "weft/op.h"

namespace weft {
namespace {

constexpr int64_t kReadable = 32;  // tensors with up to this many elements are written as numbers

constexpr const char* kPrelude = R"PY(# Builds a graph in TensorFlow 1.x. Written by Weft.
#
# As a script: python THIS.py OUT.pb writes the GraphDef. As a module: build(tf.Graph()).
import base64
import sys

import numpy as np
import tensorflow as tf
from tensorflow.core.framework import attr_value_pb2, op_def_pb2, tensor_pb2
from tensorflow.python.framework import op_def_registry

if hasattr(tf, "compat") and hasattr(tf.compat, "v1"):
  tf1 = tf.compat.v1
else:
  tf1 = tf


def packed(text):
  """A tensor that is too large to be written as numbers."""
  return tensor_pb2.TensorProto.FromString(base64.b64decode(text))


def attr_kinds(kind):
  """The types of an op's attributes; none are known of functions and of what runtimes add."""
  if hasattr(op_def_registry, "get_registered_ops"):
    found = op_def_registry.get_registered_ops().get(kind)
  else:
    found = op_def_registry.get(kind)
  return {a.name: a.type for a in found.attr} if found else {}


def attr_value(kind, v):
  """`v` as the value of an attribute of type `kind` ("int", "list(shape)", ...)."""
  out = attr_value_pb2.AttrValue()
  if isinstance(v, attr_value_pb2.AttrValue):
    return v
  lists = kind.startswith("list(")
  one = kind[5:-1] if lists else kind
  field = {"string": "s", "int": "i", "float": "f", "bool": "b", "type": "type", "shape": "shape", "tensor": "tensor"}[one]
  target = out.list if lists else out
  if lists:
    out.list.SetInParent()
  for x in v if lists else [v]:
    if one == "string":
      x = x if isinstance(x, bytes) else x.encode("utf-8")
    elif one == "type":
      x = tf.as_dtype(x).as_datatype_enum
    elif one == "shape":
      x = tf.TensorShape(x).as_proto()
    if one in ("shape", "tensor"):
      (target.__getattribute__(field).add() if lists else getattr(target, field)).CopyFrom(x)
    elif lists:
      getattr(target, field).append(x)
    else:
      setattr(target, field, x)
  return out


def op(graph, kind, name, inputs=(), after=(), device="", raw=None, **attrs):
  """One node. `after`: ops that must have run before; `raw`: attributes as serialised AttrValues."""
  kinds = attr_kinds(kind)
  values = {k: attr_value(kinds.get(k, ""), v) for k, v in attrs.items()}
  with graph.control_dependencies(None), graph.control_dependencies(list(after)):
    made = graph.create_op(kind, list(inputs), None, name=name + "/", attrs=values, compute_device=False)
  behind = [a for a in after if a not in made.control_inputs]  # create_op leaves out ops that are inputs as well
  if behind:
    made._add_control_inputs(behind)
  for key, value in (raw or {}).items():
    made._set_attr(key, attr_value_pb2.AttrValue.FromString(base64.b64decode(value)))
  if device:
    made._set_device(device)
  return made

)PY";

std::string base64(std::string_view bytes) {
  static const char* const kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const auto at = [&](size_t k) { return i + k < bytes.size() ? uint32_t(uint8_t(bytes[i + k])) : 0u; };
    const uint32_t v = at(0) << 16 | at(1) << 8 | at(2);
    out += kDigits[v >> 18];
    out += kDigits[(v >> 12) & 63];
    out += i + 1 < bytes.size() ? kDigits[(v >> 6) & 63] : '=';
    out += i + 2 < bytes.size() ? kDigits[v & 63] : '=';
  }
  return out;
}

/// A Python string literal; a bytes literal if `text` is not plain text.
std::string pythonLiteral(std::string_view text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 127; });
  std::string out = plain ? "\"" : "b\"";
  for (const char c : text) {
    static const char* const kHex = "0123456789abcdef";
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c >= ' ' && c < 127) {
      out += c;
    } else {
      out += "\\x";
      out += kHex[uint8_t(c) >> 4];
      out += kHex[uint8_t(c) & 15];
    }
  }
  return out + "\"";
}

std::string real(double v, bool single) {
  if (v != v) return "float(\"nan\")";
  if (v > 1.7e308 || v < -1.7e308) return v > 0 ? "float(\"inf\")" : "float(\"-inf\")";
  char text[40];
  const auto r = single ? std::to_chars(text, text + sizeof text, float(v)) : std::to_chars(text, text + sizeof text, v);
  std::string out(text, r.ptr);
  if (out.find_first_of(".e") == out.npos) out += ".0";
  return out;
}

std::string shapeCode(const Shape& s) {
  if (!s.hasRank()) return "None";
  std::string out = "[";
  for (int i = 0; i < s.rank(); ++i) out += (i ? ", " : "") + (s[i] < 0 ? std::string("None") : std::to_string(s[i]));
  return out + "]";
}

std::string typeCode(DType t) {
  static const std::set<DType> kPlain = {DType::Float,      DType::Double, DType::Int32,  DType::UInt8,    DType::Int16,   DType::Int8,
                                         DType::String,     DType::Int64,  DType::Bool,   DType::UInt16,   DType::Half,    DType::Complex64,
                                         DType::Complex128, DType::UInt32, DType::UInt64, DType::Resource, DType::Variant, DType::BFloat16};
  if (kPlain.count(t)) return "tf." + dtypeName(t);
  return "tf.as_dtype(" + std::to_string(int(t)) + ")";
}

std::string tensorCode(const Tensor& t) {
  const bool numbers = isFloating(t.dtype()) || isInteger(t.dtype()) || t.dtype() == DType::Bool;
  if (t.elements() > kReadable || (!numbers && t.dtype() != DType::String) || t.dtype() == DType::BFloat16) {
    tensorflow::AttrValue value;
    if (!attrToProto(Attr(t), &value).ok()) return "None";
    return "packed(\"" + base64(value.tensor().SerializeAsString()) + "\")";
  }
  std::string list;
  for (int64_t i = 0; i < t.elements(); ++i) {
    list += i ? ", " : "";
    if (t.dtype() == DType::String) list += pythonLiteral(t.at<std::string>(i));
    else if (t.dtype() == DType::Bool) list += t.at<bool>(i) ? "True" : "False";
    else if (isFloating(t.dtype())) list += real(t.asDouble(i), t.dtype() != DType::Double);
    else if (t.dtype() == DType::UInt64) list += std::to_string(t.at<uint64_t>(i));
    else list += std::to_string(t.asInt(i));
  }
  const std::string shape = t.shape().isScalar() ? std::string() : ", shape=" + shapeCode(t.shape());
  return "tf1.make_tensor_proto(" + (t.shape().isScalar() ? list : "[" + list + "]") + ", " + typeCode(t.dtype()) + shape + ")";
}

/// The value as Python code; empty if it can only be written as bytes.
struct CodeOf {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(const std::string& v) const { return pythonLiteral(v); }
  std::string operator()(int64_t v) const { return std::to_string(v); }
  std::string operator()(float v) const { return real(v, true); }
  std::string operator()(bool v) const { return v ? "True" : "False"; }
  std::string operator()(DType v) const { return typeCode(v); }
  std::string operator()(const Shape& v) const { return shapeCode(v); }
  std::string operator()(const Tensor& v) const { return tensorCode(v); }
  std::string operator()(const FuncAttr&) const { return {}; }
  std::string operator()(const PlaceholderAttr&) const { return {}; }
  std::string operator()(EmptyListAttr) const { return "[]"; }
  std::string operator()(const std::vector<FuncAttr>&) const { return {}; }
  std::string operator()(const std::vector<bool>& v) const {
    std::string out = "[";
    for (size_t i = 0; i < v.size(); ++i) out += (i ? ", " : "") + (*this)(bool(v[i]));
    return out + "]";
  }
  template <typename T>
  std::string operator()(const std::vector<T>& v) const {
    std::string out = "[";
    for (size_t i = 0; i < v.size(); ++i) out += (i ? ", " : "") + (*this)(v[i]);
    return out + "]";
  }
};

const std::set<std::string>& keywords() {
  static const std::set<std::string> kWords = {"and",    "as",      "assert", "break",    "class",  "continue", "def",    "del",  "elif",  "else",   "except",
                                               "exec",   "finally", "for",    "from",     "global", "if",       "import", "in",   "is",    "lambda", "not",
                                               "or",     "pass",    "print",  "raise",    "return", "try",      "while",  "with", "yield", "None",   "True",
                                               "False",  "async",   "await",  "nonlocal", "graph",  "op",       "tf",     "tf1",  "np",    "sys",    "packed",
                                               "base64", "build",   "kind",   "name",     "inputs", "after",    "device", "raw"};
  return kWords;
}

class PythonWriter {
 public:
  explicit PythonWriter(const Graph& graph) : graph_(graph), names_(size_t(graph.size())) {}

  std::string run() {
    std::string out = kPrelude;
    out += "\ndef build(graph):\n  \"\"\"Adds all nodes to `graph`; returns it.\"\"\"\n";
    if (graph_.functions) {
      tensorflow::GraphDef def;
      def.mutable_library()->ParseFromString(graph_.functions->bytes());
      out += "  with graph.as_default():\n    tf1.import_graph_def(tf1.GraphDef.FromString(base64.b64decode(\"" + base64(def.SerializeAsString()) +
             "\")), name=\"\")\n";
    }
    auto order = graph_.topologicalOrder();
    std::vector<int> ids;
    if (order.ok()) ids = std::move(*order);
    std::string later;
    for (const int id : ids) out += node(*graph_.node(id), &later);
    return out + later +
           "  return graph\n\n\nif __name__ == \"__main__\":\n"
           "  path = sys.argv[1] if len(sys.argv) > 1 else sys.argv[0].rsplit(\".\", 1)[0] + \".pb\"\n"
           "  built = build(tf1.Graph()).as_graph_def()\n"
           "  with open(path, \"wb\") as f:\n    f.write(built.SerializeToString())\n"
           "  print(\"%s: %d nodes\" % (path, len(built.node)))\n";
  }

 private:
  const std::string& identifier(const Node& n) {
    std::string& mine = names_[size_t(n.id)];
    if (!mine.empty()) return mine;
    std::string base;
    for (const char c : n.name) base += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
    if (base[0] >= '0' && base[0] <= '9') base = "n" + base;
    mine = base;
    for (int i = 2; used_.count(mine) || keywords().count(mine); ++i) mine = base + "_" + std::to_string(i);
    used_.insert(mine);
    return mine;
  }

  std::string node(const Node& n, std::string* later) {
    std::string line = "  " + identifier(n) + " = op(graph, " + pythonLiteral(n.op) + ", " + pythonLiteral(n.name);
    std::string inputs;
    for (size_t i = 0; i < n.inputs.size(); ++i) {
      Output o = n.inputs[i];
      const Node* from = graph_.node(o.node);
      // Back edges of loops are connected once their source exists.
      if (isBackEdge(*from, n)) {
        *later += "  " + identifier(n) + "._update_input(" + std::to_string(i) + ", " + identifier(*from) + ".outputs[" + std::to_string(o.index) + "])\n";
        for (const Output other : n.inputs)
          if (!isBackEdge(*graph_.node(other.node), n)) o = other, from = graph_.node(other.node);
      }
      inputs += (inputs.empty() ? "" : ", ") + identifier(*from) + ".outputs[" + std::to_string(o.index) + "]";
    }
    if (!n.inputs.empty()) line += ", [" + inputs + "]";
    if (!n.controls.empty()) {
      std::string after;
      for (const int c : n.controls) after += (after.empty() ? "" : ", ") + identifier(*graph_.node(c));
      line += ", after=[" + after + "]";
    }
    if (!n.device.empty()) line += ", device=" + pythonLiteral(n.device);
    std::string raw;
    for (const auto& [name, value] : n.attrs) {
      const AttrSpec* spec = n.record ? n.record->findAttr(name) : nullptr;
      if (spec && inferred(*n.record, name)) continue;
      if (spec && spec->defaultValue && *spec->defaultValue == value) continue;
      const std::string code = spec ? std::visit(CodeOf{}, value.value) : std::string();
      // TensorFlow's registry lacks the attributes of ops that only runtimes add.
      const bool plain = !code.empty() && !keywords().count(name) && !name.starts_with('_') && !n.op.starts_with('_');
      if (plain) {
        line += ", " + name + "=" + code;
        continue;
      }
      tensorflow::AttrValue proto;
      if (!attrToProto(value, &proto).ok()) continue;
      const std::string bytes = base64(proto.SerializeAsString());
      if (!name.starts_with('_')) line += ", **{" + pythonLiteral(name) + ": attr_value_pb2.AttrValue.FromString(base64.b64decode(\"" + bytes + "\"))}";
      else raw += (raw.empty() ? "" : ", ") + pythonLiteral(name) + ": \"" + bytes + "\"";
    }
    if (!raw.empty()) line += ", raw={" + raw + "}";
    return line + ")\n";
  }

  /// Whether TensorFlow infers the attribute. It infers types of single inputs, but not lengths of lists, by which create_op groups the inputs.
  static bool inferred(const OpRecord& record, const std::string& attr) {
    return std::any_of(record.inputs.begin(), record.inputs.end(), [&](const ArgSpec& a) { return a.typeAttr == attr && !a.isTypeList; });
  }

  const Graph& graph_;
  std::vector<std::string> names_;
  std::set<std::string> used_;
};

}  // namespace

std::string graphToPython(const Graph& graph) { return PythonWriter(graph).run(); }

}  // namespace weft
