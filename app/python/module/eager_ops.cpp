#include <pybind11/stl.h>

#include <algorithm>

#include "module/eager.h"
#include "module/interpreter_lock.h"
#include "tensor/variable.h"
#include "weft/session.h"

// Calls of single ops whose arguments are EagerTensors: found by types and attributes, run without a graph.
namespace weft::python {
namespace {

constexpr size_t kMaxKnown = 16;

/// Whether an attribute is the same as in an earlier call. Only plain numbers and texts are compared by value.
bool sameAttr(PyObject* a, PyObject* b) {
  if (a == b) return true;
  if (Py_TYPE(a) != Py_TYPE(b)) return false;
  if (PyLong_CheckExact(a) || PyFloat_CheckExact(a) || PyUnicode_CheckExact(a) || PyBytes_CheckExact(a)) return PyObject_RichCompareBool(a, b, Py_EQ) == 1;
  return false;
}

bool isPlain(PyObject* v) {
  // Anything else may change after the call (lists) or be equal to something different.
  return v == Py_None || v == Py_NotImplemented || PyLong_Check(v) || PyFloat_CheckExact(v) || PyUnicode_CheckExact(v) || PyBytes_CheckExact(v);
}

py::object defaultGraph() {
  auto graph = py::reinterpret_steal<py::object>(PyObject_CallNoArgs(classes().defaultGraph));
  if (!graph) throw py::error_already_set();
  return graph;
}

/// A traced function: a graph with the signature of its calls, ready to run.
class EagerFunction {
 public:
  EagerFunction(GraphCore& g, const std::vector<std::string>& feeds, const std::vector<std::string>& fetches, const std::vector<std::string>& targets)
      : session_(valueOf(Session::create(g.meta.graph), &g)), callable_(valueOf(session_->prepare(feeds, fetches, targets), &g)) {}

  // The run may empty stacks among the first `kept` inputs, so it gets copies of them.
  py::list call(py::handle inputs, size_t kept) const {
    std::vector<Tensor> given;
    for (py::handle t : inputs) {
      const EagerValue* v = eagerValue(t);
      if (!v) throw py::type_error("expected an EagerTensor, got " + std::string(Py_TYPE(t.ptr())->tp_name));
      given.push_back(given.size() < kept ? EagerRuntime::withOwnStack(v->tensor) : v->tensor);
    }
    RunOptions options;
    auto values = [&] {
      const InterpreterReleased released;
      return callable_.run(given, options);
    }();
    if (!values.ok()) raise(values.error());
    py::list out;
    for (Tensor& t : *values) out.append(eagerTensor(std::move(t)));
    return out;
  }

 private:
  std::unique_ptr<Session> session_;
  Callable callable_;
};

}  // namespace

void describeHandle(GraphCore& g, int node, const Tensor& handle) {
  if (handle.elements() < 1) return;
  const auto& h = *static_cast<const ResourceHandle*>(handle.raw());
  if (h.dtype == DType::Invalid) return;
  (void)g.meta.graph.change(node, [&](Node& n) {
    n.attrs.set("_handle_dtypes", std::vector<DType>{h.dtype});
    n.attrs.set("_handle_shapes", std::vector<Shape>{h.shape});
  });
}

void bindEagerFunctions(py::module_& m) {
  py::class_<EagerFunction>(m, "EagerFunction", "A traced function, ready to run.")
      .def(py::init([](GraphCore& g, const std::vector<std::string>& feeds, const std::vector<std::string>& fetches, const std::vector<std::string>& targets) {
        return std::make_unique<EagerFunction>(g, feeds, fetches, targets);
      }))
      .def("call", &EagerFunction::call, py::arg("inputs"), py::arg("kept") = 0);
  m.def("describe_eager_argument", [](GraphCore& g, int node, py::handle t) {
    if (const EagerValue* v = eagerValue(t)) describeHandle(g, node, v->tensor);
  });
}

py::object EagerCalls::call(const OpRecord& record, const py::tuple& inputs, const py::tuple& attrs, py::handle name) const {
  if (generation_ != eagerMode().generation) {
    known_.clear();
    generation_ = eagerMode().generation;
  }
  if (known_.empty()) return {};
  const auto count = size_t(PyTuple_GET_SIZE(inputs.ptr()));
  EagerValue* values[8];
  if (count > std::size(values)) return {};
  for (size_t i = 0; i < count; ++i) {
    values[i] = eagerValue(PyTuple_GET_ITEM(inputs.ptr(), Py_ssize_t(i)));
    if (!values[i]) return {};
  }
  for (const Known& k : known_) {
    bool same = k.types.size() == count;
    for (size_t i = 0; same && i < count; ++i) same = values[i]->tensor.dtype() == k.types[i];
    for (size_t i = 0; same && i < k.attrs.size(); ++i) same = sameAttr(PyTuple_GET_ITEM(attrs.ptr(), Py_ssize_t(i)), k.attrs[i].ptr());
    if (!same) continue;
    const py::object graph = defaultGraph();
    GraphCore& g = coreOf(graph);
    if (!g.eager) return {};
    const std::shared_ptr<EagerOp> op = k.op;  // the list may change during the call
    std::vector<EagerValue*> given(values, values + count);
    return eagerResult(record, EagerRuntime::nodeOf(*op), runEager(g, op, given, name.is_none() ? std::string() : textFrom(name)));
  }
  return {};
}

void EagerCalls::remember(const py::tuple& inputs, const py::tuple& attrs, std::shared_ptr<EagerOp> op) {
  if (EagerRuntime::namesResource(*op)) return;
  Known k;
  for (py::handle v : inputs) {
    EagerValue* const value = eagerValue(v);
    if (!value) return;
    k.types.push_back(value->tensor.dtype());
  }
  for (py::handle a : attrs) {
    if (!isPlain(a.ptr()) && !PyObject_HasAttrString(a.ptr(), "as_datatype_enum")) return;
    k.attrs.push_back(py::reinterpret_borrow<py::object>(a));
  }
  k.op = std::move(op);
  if (known_.size() >= kMaxKnown) known_.erase(known_.begin());
  known_.push_back(std::move(k));
}

py::object eagerInput(GraphCore& g, const OpRecord& record, int index, py::handle value, DType want, DType preferred, const std::string& name) {
  const auto number = [](DType t) { return t == DType::Invalid ? py::object(py::none()) : py::object(py::int_(int(t))); };
  py::object made = py::reinterpret_borrow<py::object>(value);
  if (!eagerValue(made))
    made = py::handle(classes().convert)(value, number(want), py::none(), false, number(preferred), py::reinterpret_borrow<py::object>(g.object));
  EagerValue* const v = eagerValue(made);
  if (!v) throw py::type_error(std::string(py::repr(made)) + " is a tensor of a graph; an op that runs eagerly needs values.");
  const DType type = v->tensor.dtype();
  if (want != DType::Invalid && baseType(want) != type)
    raiseEager(invalidArgument("cannot compute ", record.name, " as input #", index, "(zero-based) was expected to be a ", dtypeShortName(want),
                               " tensor but is a ", dtypeShortName(type), " tensor"),
               record.name, name);
  return made;
}

py::object eagerResult(const OpRecord& record, const Node& node, const std::vector<py::object>& outputs) {
  if (record.outputs.empty()) return py::none();
  const auto isList = [](const ArgSpec& a) { return a.isTypeList || !a.numberAttr.empty(); };
  if (record.outputs.size() == 1 && !isList(record.outputs[0])) return outputs[0];
  py::list parts;
  size_t at = 0;
  for (const ArgSpec& a : record.outputs) {
    if (!isList(a)) {
      parts.append(outputs[at++]);
      continue;
    }
    const size_t n = a.isTypeList ? node.attrs.list<DType>(a.typeAttr).size() : size_t(node.attrs.integer(a.numberAttr));
    py::list inner;
    for (size_t i = 0; i < n; ++i) inner.append(outputs[at++]);
    if (record.outputs.size() == 1 && n == 0) return py::none();
    parts.append(inner);
  }
  if (record.outputs.size() == 1) return parts[0];
  return py::tuple(parts);
}

}  // namespace weft::python
