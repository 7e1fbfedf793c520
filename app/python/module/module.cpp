#include "module/graph_core.h"

namespace weft::python {

Classes& classes() {
  static Classes instance;
  return instance;
}

}  // namespace weft::python

namespace {

namespace py = pybind11;

PyCFunctionWithKeywords dispatch = nullptr;  // pybind11's dispatcher, shared by all functions of the module

/// Calls a function of the module. Errors for wrong arguments do not show C++ signatures.
PyObject* callBound(PyObject* self, PyObject* args, PyObject* kwargs) {
  PyObject* const result = dispatch(self, args, kwargs);
  if (result || !PyErr_ExceptionMatches(PyExc_TypeError)) return result;
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  std::string text;
  if (PyObject* const words = value ? PyObject_Str(value) : nullptr) {
    if (const char* s = PyUnicode_AsUTF8(words)) text = s;
    Py_DECREF(words);
  }
  PyErr_Clear();
  const bool constructs = text.find("incompatible constructor arguments") != text.npos;
  if (!constructs && text.find("incompatible function arguments") == text.npos) {
    PyErr_Restore(type, value, trace);
    return nullptr;
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  if (constructs && PyTuple_GET_SIZE(args)) {
    const std::string_view made = Py_TYPE(PyTuple_GET_ITEM(args, 0))->tp_name;
    text = std::string(made.substr(made.rfind('.') + 1)) + "(";
  }
  std::string types;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); ++i) {
    PyObject* const argument = PyTuple_GET_ITEM(args, i);
    if (PyUnicode_Check(argument) && !PyUnicode_AsUTF8(argument)) return nullptr;  // the error is the invalid text itself
    const std::string_view name = Py_TYPE(argument)->tp_name;
    if (!name.starts_with("weft._weft")) types += (types.empty() ? "" : ", ") + std::string(name);
  }
  PyErr_Format(PyExc_TypeError, "%s cannot be called with arguments of the types (%s)", text.substr(0, text.find('(')).c_str(), types.c_str());
  return nullptr;
}

void guard(PyObject* function) {
  if (PyInstanceMethod_Check(function)) function = PyInstanceMethod_GET_FUNCTION(function);
  if (!PyCFunction_Check(function)) return;
  PyMethodDef* const def = reinterpret_cast<PyCFunctionObject*>(function)->m_ml;
  if ((def->ml_flags & (METH_VARARGS | METH_KEYWORDS)) != (METH_VARARGS | METH_KEYWORDS)) return;
  const auto call = reinterpret_cast<PyCFunctionWithKeywords>(reinterpret_cast<void (*)()>(def->ml_meth));
  if (!dispatch) dispatch = call;
  if (call == dispatch) def->ml_meth = reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(callBound));
}

/// pybind11 has no hook for arguments that fit no signature, so its entry is replaced in each function of the module and its classes.
void guardAll(const py::module_& m) {
  for (const auto& [name, value] : py::reinterpret_borrow<py::dict>(PyModule_GetDict(m.ptr()))) {
    guard(value.ptr());
    if (!PyType_Check(value.ptr())) continue;
    for (const auto& [member, function] : py::reinterpret_borrow<py::dict>(reinterpret_cast<PyTypeObject*>(value.ptr())->tp_dict)) guard(function.ptr());
  }
}

}  // namespace

PYBIND11_MODULE(_weft, m) {
  using namespace weft::python;
  // A failed pybind11 cast becomes a TypeError instead of a RuntimeError, without pybind11's message.
  py::register_exception_translator([](std::exception_ptr p) {
    try {
      if (p) std::rethrow_exception(p);
    } catch (const std::bad_alloc&) {
      PyErr_SetString(PyExc_MemoryError, "There is not enough memory for what was asked");
    } catch (const py::cast_error&) {
      if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "An argument holds a value of a type, or a number of a size, that cannot be used here");
    }
  });
  m.attr("numpy_below") = PYBIND11_VERSION_HEX < 0x020C0000 ? 2 : 3;  // the first major version of NumPy whose arrays pybind11 does not know
  m.doc() = "The engine of Weft as the package weft uses it: graphs under construction, sessions, records of ops and functions.";
  m.def("bind", [](py::kwargs classesByName) {
    Classes& c = classes();
    const std::pair<const char*, PyObject**> slots[] = {
        {"operation", &c.operation},        {"tensor", &c.tensor},    {"convert", &c.convert},  {"raise_error", &c.raise},
        {"default_graph", &c.defaultGraph}, {"to_shape", &c.toShape}, {"to_dtype", &c.toDType}, {"folder", &c.folder}};
    for (const auto& [name, slot] : slots) {
      if (classesByName.contains(name)) *slot = py::object(classesByName[name]).release().ptr();
    }
  });
  bindValues(m);
  bindGraph(m);
  bindOps(m);
  bindOpDefinitions(m);
  bindSession(m);
  bindApi(m);
  bindFlow(m);
  bindVariables(m);
  bindIo(m);
  bindTflite(m);
  bindFunctions(m);
  bindImport(m);
  bindDebug(m);
  bindEager(m);
  bindEagerFunctions(m);
  guardAll(m);
}
