#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstring>

#include "module/graph_core.h"
#include "module/interpreter_lock.h"
#include "weft/truth_values.h"

// Conversion between NumPy and the engine. Large arrays in the engine's layout are shared without a copy, as are results of a step
// that have no other owner.
namespace weft::python {
namespace {

constexpr size_t kBorrowFrom = 16384;  // below, a copy is cheaper than the bookkeeping

constexpr int kNumpyHalf = 23;  // pybind11 has no name for it

int numpyNumber(DType t) {
  using py::detail::npy_api;
  switch (t) {
    case DType::Float: return npy_api::NPY_FLOAT_;
    case DType::Double: return npy_api::NPY_DOUBLE_;
    case DType::Int32:
    case DType::QInt32: return npy_api::NPY_INT_;
    case DType::UInt8:
    case DType::QUInt8: return npy_api::NPY_UBYTE_;
    case DType::Int16:
    case DType::QInt16: return npy_api::NPY_SHORT_;
    case DType::Int8:
    case DType::QInt8: return npy_api::NPY_BYTE_;
    case DType::Complex64: return npy_api::NPY_CFLOAT_;
    case DType::Int64: return npy_api::NPY_LONG_;
    case DType::Bool: return npy_api::NPY_BOOL_;
    case DType::UInt16:
    case DType::QUInt16:
    case DType::BFloat16: return npy_api::NPY_USHORT_;
    case DType::Complex128: return npy_api::NPY_CDOUBLE_;
    case DType::Half: return kNumpyHalf;
    case DType::UInt32: return npy_api::NPY_UINT_;
    case DType::UInt64: return npy_api::NPY_ULONG_;
    default: return -1;
  }
}

DType typeOfNumber(int number) {
  using py::detail::npy_api;
  switch (number) {
    case npy_api::NPY_FLOAT_: return DType::Float;
    case npy_api::NPY_DOUBLE_: return DType::Double;
    case npy_api::NPY_INT_: return DType::Int32;
    case npy_api::NPY_UBYTE_: return DType::UInt8;
    case npy_api::NPY_SHORT_: return DType::Int16;
    case npy_api::NPY_BYTE_: return DType::Int8;
    case npy_api::NPY_CFLOAT_: return DType::Complex64;
    case npy_api::NPY_LONG_:
    case npy_api::NPY_LONGLONG_: return DType::Int64;
    case npy_api::NPY_BOOL_: return DType::Bool;
    case npy_api::NPY_USHORT_: return DType::UInt16;
    case npy_api::NPY_CDOUBLE_: return DType::Complex128;
    case kNumpyHalf: return DType::Half;
    case npy_api::NPY_UINT_: return DType::UInt32;
    case npy_api::NPY_ULONG_:
    case npy_api::NPY_ULONGLONG_: return DType::UInt64;
    case npy_api::NPY_OBJECT_:
    case npy_api::NPY_STRING_:
    case npy_api::NPY_UNICODE_: return DType::String;
    default: return DType::Invalid;
  }
}

std::string bytesOf(py::handle item) {
  if (PyBytes_Check(item.ptr()) || PyUnicode_Check(item.ptr())) return textFrom(item);
  throw py::type_error("Unsupported object type " + std::string(Py_TYPE(item.ptr())->tp_name));
}

py::dtype numpyType(DType t) {
  const int number = numpyNumber(t);
  if (number < 0) throw py::type_error("dtype " + dtypeName(t) + " has no NumPy counterpart");
  return py::reinterpret_steal<py::dtype>(py::detail::npy_api::get().PyArray_DescrFromType_(number));
}

/// The type represented by a NumPy type with one field, such as tf.qint8.as_numpy_dtype; Invalid for all others.
DType quantizedType(const py::dtype& type) {
  const py::object names = type.attr("names");
  if (names.is_none() || py::len(names) != 1) return DType::Invalid;
  const std::string name = py::str(names[py::int_(0)]);
  for (DType t : {DType::QInt8, DType::QUInt8, DType::QInt16, DType::QUInt16, DType::QInt32}) {
    if (dtypeName(t) == name && py::cast<py::dtype>(type.attr("__getitem__")(name)).num() == numpyNumber(t)) return t;
  }
  return DType::Invalid;
}

bool isFixedText(const py::array& a) {
  const char kind = a.dtype().kind();
  return kind == 'S' || kind == 'U';
}

bool isNumpyScalar(py::handle object) { return py::isinstance(object, py::module_::import("numpy").attr("generic")); }

Shape shapeOf(const py::array& a) {
  Shape s;
  for (py::ssize_t i = 0; i < a.ndim(); ++i) s.append(a.shape(i));
  return s;
}

}  // namespace

std::string textFrom(py::handle v) {
  if (PyBytes_Check(v.ptr())) return {PyBytes_AS_STRING(v.ptr()), size_t(PyBytes_GET_SIZE(v.ptr()))};
  if (!PyUnicode_Check(v.ptr())) throw py::type_error("expected string or bytes-like object, got " + std::string(Py_TYPE(v.ptr())->tp_name));
  Py_ssize_t n = 0;
  const char* s = PyUnicode_AsUTF8AndSize(v.ptr(), &n);
  if (!s) throw py::error_already_set();
  return {s, size_t(n)};
}

int64_t intFrom(py::handle v) {
  const auto i = py::reinterpret_steal<py::object>(PyNumber_Index(v.ptr()));
  if (!i) throw py::error_already_set();
  int overflow = 0;
  const int64_t n = PyLong_AsLongLongAndOverflow(i.ptr(), &overflow);
  if (overflow) throw py::value_error("Value out of range: " + std::string(py::repr(i)));
  if (n == -1 && PyErr_Occurred()) throw py::error_already_set();
  return n;
}

int64_t seedFrom(py::handle v) {
  try {
    return intFrom(v);
  } catch (py::value_error&) {
    return intFrom(v.attr("__mod__")(2147483647));
  }
}

Tensor tensorFromArray(py::handle object, bool share, DType wanted) {
  const py::array given(py::reinterpret_borrow<py::object>(object));  // not ensure(), which drops the error
  py::array a = given;
  // NumPy's string types drop trailing NULs, so strings that are not an array yet become an object array.
  if (isFixedText(a) && !py::isinstance<py::array>(object) && !isNumpyScalar(object))
    a = py::module_::import("numpy").attr("array")(object, py::arg("dtype") = "O");
  if (const DType quantized = quantizedType(a.dtype()); quantized != DType::Invalid) {
    a = py::array(a.attr("__getitem__")(dtypeName(quantized)));
    wanted = quantized;
  }
  DType type = typeOfNumber(a.dtype().num());
  if (type == DType::Invalid) throw py::type_error("Unsupported numpy type: " + std::string(py::str(a.dtype())));
  const Shape shape = shapeOf(a);
  if (type == DType::String) {
    Tensor t = Tensor::zeros(DType::String, shape);
    std::string* out = t.mutableData<std::string>();
    const py::list items = a.attr("ravel")().attr("tolist")();
    for (size_t i = 0; i < items.size(); ++i) out[i] = bytesOf(items[i]);
    return t;
  }
  if (wanted != DType::Invalid && wanted != type && numpyNumber(wanted) == a.dtype().num()) type = wanted;  // quantised types
  const auto& api = py::detail::npy_api::get();
  if (!(a.flags() & py::array::c_style) || !py::detail::check_flags(a.ptr(), py::detail::npy_api::NPY_ARRAY_ALIGNED_) ||
      !py::cast<bool>(a.dtype().attr("isnative"))) {
    a = py::reinterpret_steal<py::array>(
        api.PyArray_FromAny_(a.ptr(), numpyType(type).release().ptr(), 0, 0,
                             int(py::array::c_style) | int(py::detail::npy_api::NPY_ARRAY_ALIGNED_) | int(py::detail::npy_api::NPY_ARRAY_FORCECAST_), nullptr));
    if (!a) throw py::error_already_set();
  }
  const size_t bytes = size_t(a.nbytes());
  if (share && type != DType::Bool && bytes >= kBorrowFrom && reinterpret_cast<uintptr_t>(a.data()) % 16 == 0) {
    PyObject* kept = a.ptr();
    Py_INCREF(kept);
    std::shared_ptr<const void> owner(kept, [](const void* p) {
      if (interpreterEnds()) return;
      const InterpreterHeld held;
      Py_DECREF(static_cast<PyObject*>(const_cast<void*>(p)));
    });
    return Tensor::borrow(type, shape, const_cast<void*>(a.data()), std::move(owner));
  }
  auto t = Tensor::allocate(type, shape);
  if (!t.ok()) raise(t.error());
  if (bytes) std::memcpy(t->mutableRaw(), a.data(), bytes);
  makeTruthValues(*t);
  return std::move(t).value();
}

py::object arrayFromTensor(const Tensor& t, bool scalarsAsNumbers) {
  std::vector<py::ssize_t> dims;
  for (int64_t d : t.shape().dims()) dims.push_back(d);
  if (t.dtype() == DType::String) {
    const std::string* data = t.data<std::string>();
    if (dims.empty() && scalarsAsNumbers) return py::bytes(*data);
    py::list items;
    for (int64_t i = 0; i < t.elements(); ++i) items.append(py::bytes(data[i]));
    const py::object numpy = py::module_::import("numpy");
    py::object out = numpy.attr("empty")(t.elements(), py::arg("dtype") = "O");
    if (t.elements()) out[py::slice(0, t.elements(), 1)] = items;
    return out.attr("reshape")(py::cast(dims));
  }
  if (numpyNumber(t.dtype()) < 0) return py::none();
  const py::dtype type = numpyType(t.dtype());
  py::array out;
  if (t.bytes() >= kBorrowFrom && t.ownsBufferAlone()) {
    auto* kept = new Tensor(t);
    out = py::array(type, dims, const_cast<void*>(t.raw()), py::capsule(kept, [](void* p) { delete static_cast<Tensor*>(p); }));
  } else {
    out = py::array(type, dims);
    if (t.bytes()) std::memcpy(out.mutable_data(), t.raw(), t.bytes());
  }
  if (!dims.empty() || !scalarsAsNumbers) return out;
  return out[py::tuple()];
}

py::object shapeToPython(const Shape& shape) {
  if (!shape.hasRank()) return py::none();
  py::tuple out(shape.rank());
  for (int i = 0; i < shape.rank(); ++i) out[size_t(i)] = shape.dim(i) < 0 ? py::object(py::none()) : py::object(py::int_(shape.dim(i)));
  return out;
}

Shape shapeFromPython(py::handle value) {
  const auto list = py::reinterpret_steal<py::object>(PyObject_CallOneArg(classes().toShape, value.ptr()));
  if (!list) throw py::error_already_set();
  if (list.is_none()) return Shape::unknown();
  Shape s;
  for (py::handle d : list) s.append(intFrom(d));
  return s;
}

DType dtypeFromPython(py::handle value) {
  if (PyLong_Check(value.ptr())) {
    const int64_t n = intFrom(value);
    const DType type = n >= 0 && n < 1000 ? DType(n) : DType::Invalid;
    if (type != DType::Invalid && !isKnown(baseType(type))) throw py::type_error("Cannot convert value " + std::to_string(n) + " to a TensorFlow DType.");
    return type;
  }
  const auto number = py::reinterpret_steal<py::object>(PyObject_CallOneArg(classes().toDType, value.ptr()));
  if (!number) throw py::error_already_set();
  return DType(py::cast<int>(number));
}

namespace {

template <typename T, typename F>
py::list listOf(const std::vector<T>& items, F&& one) {
  py::list out;
  for (const auto& item : items) out.append(one(item));
  return out;
}

}  // namespace

// Types become their numbers, shapes tuples; weft/ops wraps them.
py::object attrToPython(const Attr& attr) {
  const auto typed = [](const char* kind, py::object v) { return py::object(py::make_tuple(kind, std::move(v))); };
  const auto text = [](const std::string& s) { return py::bytes(s); };
  const auto number = [](DType t) { return py::int_(int(t)); };
  return std::visit(
      [&](const auto& v) -> py::object {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string>) return text(v);
        else if constexpr (std::is_same_v<T, int64_t>) return py::int_(v);
        else if constexpr (std::is_same_v<T, float>) return py::float_(v);
        else if constexpr (std::is_same_v<T, bool>) return py::bool_(v);
        else if constexpr (std::is_same_v<T, DType>) return typed("type", number(v));
        else if constexpr (std::is_same_v<T, Shape>) return typed("shape", shapeToPython(v));
        else if constexpr (std::is_same_v<T, Tensor>) return typed("tensor", arrayFromTensor(v, false));
        else if constexpr (std::is_same_v<T, FuncAttr>) return typed("func", py::str(v.name));
        else if constexpr (std::is_same_v<T, std::vector<std::string>>) return listOf(v, text);
        else if constexpr (std::is_same_v<T, std::vector<int64_t>>) return listOf(v, [](int64_t i) { return py::int_(i); });
        else if constexpr (std::is_same_v<T, std::vector<float>>) return listOf(v, [](float f) { return py::float_(f); });
        else if constexpr (std::is_same_v<T, std::vector<bool>>) return listOf(v, [](bool f) { return py::bool_(f); });
        else if constexpr (std::is_same_v<T, std::vector<DType>>) return typed("types", listOf(v, number));
        else if constexpr (std::is_same_v<T, std::vector<Shape>>) return typed("shapes", listOf(v, [](const Shape& s) { return shapeToPython(s); }));
        else if constexpr (std::is_same_v<T, std::vector<Tensor>>)
          return typed("tensors", listOf(v, [](const Tensor& t) { return arrayFromTensor(t, false); }));
        else if constexpr (std::is_same_v<T, std::vector<FuncAttr>>) return typed("funcs", listOf(v, [](const FuncAttr& f) { return py::str(f.name); }));
        else if constexpr (std::is_same_v<T, EmptyListAttr>) return py::list();
        else return py::none();
      },
      attr.value);
}

void bindValues(py::module_& m) {
  py::class_<Tensor>(m, "Value", "A value of the engine.")
      .def("numpy", [](const Tensor& t) { return arrayFromTensor(t); })
      .def_property_readonly("dtype", [](const Tensor& t) { return int(t.dtype()); })
      .def_property_readonly("shape", [](const Tensor& t) { return shapeToPython(t.shape()); });
  m.def(
      "value", [](py::handle array, py::handle dtype) { return tensorFromArray(array, false, dtype.is_none() ? DType::Invalid : dtypeFromPython(dtype)); },
      py::arg("array"), py::arg("dtype") = py::none());
  // bfloat16 is written as the upper half of a float.
  m.def("bfloat16_value", [](py::handle array) {
    const Tensor f = tensorFromArray(array, false);
    Tensor t = Tensor::zeros(DType::BFloat16, f.shape());
    for (int64_t i = 0; i < f.elements(); ++i) t.mutableData<BFloat16Bits>()[i] = bfloat16FromFloat(float(f.asDouble(i)));
    return t;
  });
  m.def("dtype_name", [](int t) { return dtypeName(DType(t)); });
}

}  // namespace weft::python
