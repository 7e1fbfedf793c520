#pragma once
#include "module/graph_core.h"
#include "weft/op.h"

namespace weft::python {

template <typename... Parts>
[[noreturn]] void typeError(const Parts&... parts) {
  throw py::type_error(concat(parts...));
}
template <typename... Parts>
[[noreturn]] void valueError(const Parts&... parts) {
  throw py::value_error(concat(parts...));
}

/// A value as messages show it (repr).
inline std::string shown(py::handle v) { return py::repr(v); }
/// "float32, float64"
std::string nameList(const std::vector<DType>& types);
/// TypeError unless the attribute allows that type.
void checkAllowed(DType type, const AttrSpec& spec, std::string_view parameter);
/// A type from a Python value; TypeError names the argument.
DType toType(py::handle v, const std::string& arg);
Tensor toTensor(py::handle v);
/// An attribute of `op` from a Python value, checked against what its definition allows; TypeError and ValueError with TensorFlow's messages.
Attr toAttr(py::handle v, const AttrSpec& spec, const std::string& op);

}  // namespace weft::python
