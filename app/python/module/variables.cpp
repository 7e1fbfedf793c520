#include <pybind11/functional.h>
#include <pybind11/stl.h>

#include "api/variables.h"
#include "module/graph_core.h"

// Variables and their scopes are kept in Python; the engine's functions (layers, optimizers) are notified of each and request new ones.
namespace weft::python {
namespace {

using api::VariablePtr;

int nodeOf(py::handle operation) { return operation.is_none() ? -1 : py::cast<int>(operation.attr("_node")); }

VariablePtr make(GraphCore& g, const std::string& name, py::handle handle, py::handle snapshot, py::handle initial, py::handle initializer, py::handle dtype,
                 py::handle shape, bool resource, bool trainable) {
  auto v = std::make_shared<api::Variable>();
  v->name = name;
  v->handle = refOf(handle).output;
  if (!snapshot.is_none()) v->snapshot = refOf(snapshot).output;
  if (!initial.is_none()) v->initialValue = refOf(initial).output;
  v->initializer = nodeOf(initializer);
  v->dtype = dtypeFromPython(dtype);
  v->shape = shapeFromPython(shape);
  v->resource = resource;
  v->trainable = trainable;
  api::adoptVariable(*g.builder, v);
  return v;
}

py::dict facts(GraphCore& g, const VariablePtr& v) {
  py::dict out;
  const auto tensor = [&](Output o) { return o.valid() ? tensorOf(g, o) : py::object(py::none()); };
  out["name"] = v->name;
  out["handle"] = tensor(v->handle);
  out["snapshot"] = tensor(v->snapshot);
  out["initial_value"] = tensor(v->initialValue);
  out["initializer"] = v->initializer >= 0 ? operationOf(g, v->initializer) : py::object(py::none());
  out["dtype"] = int(v->dtype);
  out["shape"] = shapeToPython(v->shape);
  out["resource"] = v->resource;
  out["trainable"] = v->trainable;
  return out;
}

// get(name, shape, dtype, initializer, trainable, resource, collections) -> weft's variable; enter(name, default, name scope, reuse); leave();
// counter(name, function that makes the initial value) -> weft's variable or None
void setClient(GraphCore& g, const py::object& get, const py::object& enter, const py::object& leave, const py::object& counter) {
  api::VariableClient c;
  // An exception of the program must not cross the engine: it is stored for the caller.
  const auto kept = [&g](const std::exception_ptr& e) {
    if (!g.raised) g.raised = e;
    g.builder->fail(internalError("a function of the program raised an exception"));
  };
  c.get = [&g, get, kept](std::string_view name, const Shape& shape, const api::Initializer& initializer, const api::VariableOptions& o) -> VariablePtr {
    if (!g.builder->ok()) return nullptr;
    try {
      py::object init = py::none();
      if (initializer) {
        init = py::cpp_function(
            [&g, initializer](py::handle s, py::handle t, py::args, py::kwargs) {
              const Output o = initializer(*g.builder, shapeFromPython(s), dtypeFromPython(t));
              check(g);
              return tensorOf(g, o);
            },
            py::arg("shape"), py::arg("dtype"));
      }
      const py::object v = get(name, shapeToPython(shape), int(o.dtype), init, o.trainable,
                               o.resource ? py::object(py::bool_(*o.resource)) : py::object(py::none()), o.collections, o.kind);
      return py::cast<std::shared_ptr<api::Variable>>(v);
    } catch (...) {
      kept(std::current_exception());
      return nullptr;
    }
  };
  c.enter = [enter, kept](std::string_view name, std::string_view otherwise, std::string_view nameScope,
                          api::Reuse reuse) -> std::pair<std::string, std::string> {
    try {
      return py::cast<std::pair<std::string, std::string>>(enter(name, otherwise, nameScope, int(reuse)));
    } catch (...) {
      kept(std::current_exception());
      return {};
    }
  };
  c.leave = [leave, kept] {
    try {
      leave();
    } catch (...) {
      kept(std::current_exception());
    }
  };
  c.counter = [&g, counter, kept](std::string_view name, const std::function<Output()>& make) -> VariablePtr {
    if (!g.builder->ok()) return nullptr;
    try {
      const py::object v = counter(name, py::cpp_function([&g, make] {
                                     const Output o = make();
                                     check(g);
                                     return tensorOf(g, o);
                                   }));
      return v.is_none() ? nullptr : py::cast<std::shared_ptr<api::Variable>>(v);
    } catch (...) {
      kept(std::current_exception());
      return nullptr;
    }
  };
  api::setVariableClient(*g.builder, std::move(c));
}

}  // namespace

void bindVariables(py::module_& m) {
  py::class_<api::Variable, std::shared_ptr<api::Variable>>(m, "Variable", "A variable as the engine's functions know it.");
  m.def("make_variable", [](GraphCore& g, const std::string& name, py::handle handle, py::handle snapshot, py::handle initial, py::handle initializer,
                            py::handle dtype, py::handle shape, bool resource, bool trainable) {
    return std::const_pointer_cast<api::Variable>(make(g, name, handle, snapshot, initial, initializer, dtype, shape, resource, trainable));
  });
  m.def("find_variable", [](GraphCore& g, const std::string& name) -> py::object {
    const VariablePtr v = api::findVariable(*g.builder, name);
    return v ? py::object(py::make_tuple(std::const_pointer_cast<api::Variable>(v), facts(g, v))) : py::object(py::none());
  });
  m.def("set_variable_client", &setClient);
}

}  // namespace weft::python
