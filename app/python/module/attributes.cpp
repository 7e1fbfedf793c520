#include "module/attributes.h"

#include <algorithm>

// Converts Python values to attributes of ops; errors have the messages of TensorFlow's client.
namespace weft::python {

std::string nameList(const std::vector<DType>& types) {
  std::string out;
  for (DType t : types) out += (out.empty() ? "" : ", ") + dtypeName(t);
  return out;
}

void checkAllowed(DType type, const AttrSpec& spec, std::string_view parameter) {
  if (spec.allowedTypes.empty() || std::find(spec.allowedTypes.begin(), spec.allowedTypes.end(), type) != spec.allowedTypes.end()) return;
  typeError("Value passed to parameter '", parameter, "' has DataType ", dtypeName(type), " not in list of allowed values: ", nameList(spec.allowedTypes));
}

DType toType(py::handle v, const std::string& arg) {
  try {
    return baseType(dtypeFromPython(v));
  } catch (py::error_already_set& e) {
    if (!e.matches(PyExc_TypeError)) throw;
  }
  typeError("Expected DataType for argument '", arg, "' not ", shown(v), ".");
}
Tensor toTensor(py::handle v) { return py::isinstance<Tensor>(v) ? py::cast<Tensor>(v) : tensorFromArray(v, false); }

namespace {

std::string toText(py::handle v, const std::string& arg) {
  if (PyBytes_Check(v.ptr()) || PyUnicode_Check(v.ptr())) return textFrom(v);
  typeError("Expected string for argument '", arg, "' not ", shown(v), ".");
}
int64_t toInt(py::handle v, const std::string& arg) {
  // A DType converts to int, but is not a number.
  if (!PyUnicode_Check(v.ptr()) && !PyBytes_Check(v.ptr()) && !py::hasattr(v, "as_numpy_dtype")) {
    const auto i = py::reinterpret_steal<py::object>(PyNumber_Long(v.ptr()));
    if (i) return intFrom(i);
    PyErr_Clear();
  }
  typeError("Expected int for argument '", arg, "' not ", shown(v), ".");
}
float toFloat(py::handle v, const std::string& arg) {
  if (!PyUnicode_Check(v.ptr()) && !PyBytes_Check(v.ptr())) {
    const auto f = py::reinterpret_steal<py::object>(PyNumber_Float(v.ptr()));
    if (f) return float(PyFloat_AsDouble(f.ptr()));
    PyErr_Clear();
  }
  typeError("Expected float for argument '", arg, "' not ", shown(v), ".");
}
bool toBool(py::handle v, const std::string& arg) {
  if (PyBool_Check(v.ptr())) return v.ptr() == Py_True;
  if (std::string_view(Py_TYPE(v.ptr())->tp_name).starts_with("numpy.bool")) return truthOf(v);
  typeError("Expected bool for argument '", arg, "' not ", shown(v), ".");
}
FuncAttr toFunction(py::handle v) {
  FuncAttr f;
  // A function of the program is added to the graph that calls it.
  if (py::hasattr(v, "add_to_graph")) v.attr("add_to_graph")(py::handle(classes().defaultGraph)());
  f.name = PyUnicode_Check(v.ptr()) || PyBytes_Check(v.ptr()) ? textFrom(v) : textFrom(v.attr("name"));
  f.attrs = std::make_shared<AttrMap>();
  return f;
}

template <typename F>
auto listOf(py::handle v, const AttrSpec& spec, const std::string& op, F&& one) {
  std::vector<decltype(one(v))> out;
  for (py::handle item : v) out.push_back(one(item));
  if (spec.hasMinimum && int64_t(out.size()) < spec.minimum)
    valueError("Attr '", spec.name, "' of '", op, "' Op passed list of length ", out.size(), " less than minimum ", spec.minimum, ".");
  return out;
}

}  // namespace

Attr toAttr(py::handle v, const AttrSpec& spec, const std::string& op) {
  const std::string& key = spec.name;
  std::string_view type = spec.type;
  if (type.starts_with("list(")) {
    if (!PyList_Check(v.ptr()) && !PyTuple_Check(v.ptr())) typeError("Expected list for attr ", key);
    type = type.substr(5, type.size() - 6);
    if (type == "string") return listOf(v, spec, op, [&](py::handle i) { return toText(i, key); });
    if (type == "int") return listOf(v, spec, op, [&](py::handle i) { return toInt(i, key); });
    if (type == "float") return listOf(v, spec, op, [&](py::handle i) { return toFloat(i, key); });
    if (type == "bool") return listOf(v, spec, op, [&](py::handle i) { return toBool(i, key); });
    if (type == "type") {
      return listOf(v, spec, op, [&](py::handle i) {
        const DType t = toType(i, key);
        checkAllowed(t, spec, key);
        return t;
      });
    }
    if (type == "shape") return listOf(v, spec, op, [&](py::handle i) { return shapeFromPython(i); });
    if (type == "tensor") return listOf(v, spec, op, [&](py::handle i) { return toTensor(i); });
    return listOf(v, spec, op, [&](py::handle i) { return toFunction(i); });
  }
  if (type == "string") {
    std::string s = toText(v, key);
    if (!spec.allowedStrings.empty() && std::find(spec.allowedStrings.begin(), spec.allowedStrings.end(), s) == spec.allowedStrings.end()) {
      std::string all;
      for (const auto& a : spec.allowedStrings) all += (all.empty() ? "\"" : "\", \"") + a;
      valueError("Attr '", key, "' of '", op, "' Op passed string '", s, "' not in: ", all, "\".");
    }
    return s;
  }
  if (type == "int") {
    const int64_t i = toInt(v, key);
    if (spec.hasMinimum && i < spec.minimum) valueError("Attr '", key, "' of '", op, "' Op passed ", i, " less than minimum ", spec.minimum, ".");
    return i;
  }
  if (type == "float") return toFloat(v, key);
  if (type == "bool") return toBool(v, key);
  if (type == "type") {
    const DType t = toType(v, key);
    checkAllowed(t, spec, key);
    return t;
  }
  if (type == "shape") return shapeFromPython(v);
  if (type == "tensor") return toTensor(v);
  return toFunction(v);
}

}  // namespace weft::python
