#include "graph/function_of_graph.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "module/eager.h"
#include "module/graph_core.h"
#include "module/interpreter_lock.h"
#include "ops/py_functions.h"

// Graph functions built by Python functions, and functions of the program that steps call.
namespace weft::python {

TensorRef refIn(GraphCore& g, py::handle object) {
  if (!g.eager && eagerValue(object)) {
    if (g.capturing) return refOf(py::handle(g.object).attr("capture")(object));
    PyErr_SetString(PyExc_RuntimeError, "Attempting to capture an EagerTensor without building a function.");
    throw py::error_already_set();
  }
  const TensorRef ref = refOf(object);
  if (!ref.graph || ref.graph == &g || !g.capturing) return ref;
  return refOf(py::handle(g.object).attr("capture")(object));
}

namespace {

int functionsUnderWay = 0;  // function graphs under construction

py::bytes functionDef(GraphCore& g, const std::string& name, bool appendHash, py::handle inputs, py::handle outputs,
                      const std::vector<std::string>& outputNames, const std::vector<int>& controls, const py::dict& attrs, const std::string& description) {
  GraphFunction f;
  f.name = name;
  f.appendHash = appendHash;
  f.inputs = outputsFrom(g, inputs);
  f.outputs = outputsFrom(g, outputs);
  f.outputNames = outputNames;
  f.controlOutputs = controls;
  f.description = description;
  for (const auto& [key, value] : attrs) {
    const std::string k = textFrom(key);
    if (PyBool_Check(value.ptr())) f.attrs.set(k, py::cast<bool>(value));
    else if (PyLong_Check(value.ptr())) f.attrs.set(k, py::cast<int64_t>(value));
    else if (PyFloat_Check(value.ptr())) f.attrs.set(k, float(py::cast<double>(value)));
    else f.attrs.set(k, textFrom(value));
  }
  return valueOf(functionOfGraph(g.meta.graph, f), &g);
}

// Calls a function of the program with arrays; it returns a list of values. Exceptions become error codes as in TensorFlow.
Result<std::vector<Tensor>> callProgram(const py::object& call, const std::string& token, const std::vector<Tensor>& arguments) {
  const auto failure = [](py::error_already_set& e) {
    std::string text = py::str(e.type().attr("__name__"));
    text += ": " + std::string(py::str(e.value()));
    text += "\n";
    const py::object lines = py::module_::import("traceback").attr("format_exception")(e.type(), e.value(), e.trace() ? e.trace() : py::object(py::none()));
    for (py::handle line : lines) text += std::string(py::str(line)) + "\n";
    if (e.matches(PyExc_ValueError) || e.matches(PyExc_TypeError)) return invalidArgument(text);
    if (e.matches(PyExc_StopIteration)) return outOfRange(text);
    if (e.matches(PyExc_MemoryError)) return resourceExhausted(text);
    if (e.matches(PyExc_NotImplementedError)) return unimplemented(text);
    Error unknown;
    unknown.code = Code::Unknown;
    unknown.message = text;
    return unknown;
  };
  try {
    py::list values;
    for (const Tensor& t : arguments) values.append(arrayFromTensor(t));
    const py::object given = call(token, values);
    std::vector<Tensor> out;
    for (py::handle item : given) out.push_back(tensorFromArray(item, false));
    return out;
  } catch (py::error_already_set& e) {
    return failure(e);
  } catch (py::builtin_exception& e) {
    return invalidArgument(e.what());
  }
}

// The number of tensors and graphs created so far, which TensorFlow's client uses in names.
int64_t gone = 0;

}  // namespace

void countGone(const GraphCore& g) {
  ++gone;
  for (int i = 0; i < g.meta.graph.size(); ++i) {
    if (const Node* n = g.meta.graph.node(i)) gone += int64_t(n->outputTypes.size());
  }
}

py::object functionGraph() {
  if (functionsUnderWay == 0) return {};
  py::object graph = py::handle(classes().defaultGraph)();
  return coreOf(graph).capturing ? graph : py::object();
}

void bindFunctions(py::module_& m) {
  m.def("function_def", &functionDef);
  m.def("function_name", [](const std::string& def) { return functionName(def); });
  m.def("add_functions", [](GraphCore& g, const std::vector<std::string>& defs, const std::vector<std::string>& gradients) {
    ++g.revision;
    if (Status s = addFunctions(g.meta.graph, defs, gradients); !s.ok()) raise(s.error(), &g);
  });
  m.def("take_functions", [](GraphCore& g, const GraphCore& from) {
    ++g.revision;
    if (Status s = takeFunctions(g.meta.graph, from.meta.graph); !s.ok()) raise(s.error(), &g);
  });
  m.def(
      "copy_node",
      [](GraphCore& g, const GraphCore& from, int id, py::handle inputs) {
        const Node* node = from.meta.graph.node(id);
        const int before = g.meta.graph.size();
        const int made = g.builder->node(node->op, Inputs(outputsFrom(g, inputs)), node->attrs, node->name);
        check(g);
        noteLines(g, before);
        return operationOf(g, made);
      },
      "A node of another graph in this one, below the current scope.");
  m.def(
      "describe_argument",
      [](GraphCore& g, int id, const GraphCore& from, int node, int output) {
        describeArgument(g.meta.graph, id, from.meta.graph, {node, output});
      },
      "Tells an argument what the handle of another graph that it stands for says: the variable's type and shape.");
  m.def(
      "building_functions", [](int change) { functionsUnderWay += change; }, "+1 and -1 around the time in which a function's graph may be the default graph.");
  m.def(
      "count_id",
      [] {
        int64_t n = gone++;
        for (const GraphCore* g : liveGraphs()) {
          ++n;
          for (int i = 0; i < g->meta.graph.size(); ++i) {
            if (const Node* node = g->meta.graph.node(i)) n += int64_t(node->outputTypes.size());
          }
        }
        return n;
      },
      "The next of the numbers that TensorFlow gives to tensors, graphs and functions.");
  m.def("set_python_caller", [](const py::object& call) {
    auto kept = std::shared_ptr<py::object>(new py::object(call), [](py::object*) {});  // never released: the last copy may be destroyed after the interpreter
    setPythonCaller([kept](const std::string& token, const std::vector<Tensor>& arguments) -> Result<std::vector<Tensor>> {
      if (interpreterEnds()) return failedPrecondition("callback ", token, " is not found: the program has ended");
      const InterpreterHeld held;
      return callProgram(*kept, token, arguments);
    });
  });
}

}  // namespace weft::python
