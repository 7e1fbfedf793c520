#include "module/graph_core.h"

namespace weft::python {

Classes& classes() {
  static Classes instance;
  return instance;
}

}  // namespace weft::python

PYBIND11_MODULE(_weft, m) {
  using namespace weft::python;
  m.doc() = "The engine of Weft as the package weft uses it: graphs under construction, sessions, records of ops and functions.";
  m.def("bind", [](py::kwargs classesByName) {
    Classes& c = classes();
    const std::pair<const char*, PyObject**> slots[] = {{"operation", &c.operation}, {"tensor", &c.tensor}, {"convert", &c.convert},
                                                        {"raise_error", &c.raise}, {"default_graph", &c.defaultGraph},
                                                        {"to_shape", &c.toShape}, {"to_dtype", &c.toDType}, {"folder", &c.folder}};
    for (const auto& [name, slot] : slots) {
      if (classesByName.contains(name)) *slot = py::object(classesByName[name]).release().ptr();
    }
  });
  bindValues(m);
  bindGraph(m);
  bindOps(m);
  bindSession(m);
  bindApi(m);
  bindFlow(m);
  bindVariables(m);
  bindIo(m);
  bindFunctions(m);
  bindImport(m);
  bindDebug(m);
}
