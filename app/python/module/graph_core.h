#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "module/old_python.h"
#include "weft/builder.h"
#include "weft/graph.h"
#include "weft/program_doctor.h"
#include "weft/tensor.h"

// Shared declarations of `_weft`: graphs built by Python, conversion between NumPy and the engine, exceptions.
namespace weft::python {

namespace py = pybind11;

class RunAgent;     // module/run_agent.h
struct EagerGraph;  // module/eager.h

/// Python classes and functions that this module instantiates or calls; set once by weft/__init__ (`_weft.bind`).
struct Classes {
  PyObject* operation = nullptr;  ///< Operation(graph, node, outputs)
  PyObject* tensor = nullptr;
  PyObject* convert = nullptr;       ///< convert(value, dtype enum or None, name, as_ref, preferred enum or None) -> Tensor
  PyObject* raise = nullptr;         ///< raise_error(code, message, node, kind, graph): raises
  PyObject* defaultGraph = nullptr;  ///< get_default_graph()
  PyObject* toShape = nullptr;       ///< any shape-like object -> None or a list of int (-1: unknown)
  PyObject* folder = nullptr;        ///< The package's folder, ending in '/'.
  PyObject* toDType = nullptr;       ///< any dtype-like object -> enum number
};
Classes& classes();

/// A graph under construction. Owned by a Python object; guarded by the interpreter lock.
struct GraphCore {
  GraphCore();
  MetaGraph meta;
  std::unique_ptr<GraphBuilder> builder;
  py::object seedSource;      ///< The function behind the builder's OpSeedSource.
  std::exception_ptr raised;  ///< Thrown by a function of the program that the engine called; check() rethrows it.
  bool finalized = false;
  bool capturing = false;  ///< True for a function's graph: tensors of other graphs become arguments (its object's `capture`).
  int revision = 0;        ///< Counts changes to existing nodes.
  std::map<std::pair<int, int>, std::pair<DType, std::string>> mistyped;  ///< Inputs changed to tensors of wrong types: the right type, and what a step says.
  PyObject* object = nullptr;                                             ///< weft.Graph, borrowed: it owns this.
  PyObject* operations = nullptr;                                         ///< Its list of Operations by node id (None: not created yet), borrowed.
  struct Line {
    PyObject* code = nullptr;  ///< Code object and line that created the node; owned.
    int line = 0;
  };
  std::vector<Line> lines;
  std::vector<Differentiation> gradients;  ///< What was differentiated, in order.
  /// The readers of each node's outputs, one per use, and the nodes with a control edge from it. Built on demand; invalid once nodes are added or changed.
  struct Readers {
    std::vector<std::vector<std::pair<int, int>>> inputs;  ///< By node: output, reader.
    std::vector<std::vector<int>> controls;
    int size = -1, revision = -1;
  };
  const Readers& readers();
  std::shared_ptr<EagerGraph> eager;  ///< Set if nodes run as they are added.
  std::shared_ptr<RunAgent> agent;    ///< The IDE's debugger for runs of this graph; null: none attached.
  ~GraphCore();

 private:
  Readers readers_;
};
GraphCore& coreOf(py::handle graph);
GraphCore* coreOf(const GraphBuilder& builder);  ///< Null for a builder that is not Python's.
std::vector<const GraphCore*> liveGraphs();
void countGone(const GraphCore& graph);  ///< Called when a graph is freed: names of functions still count its tensors.

/// The Python object of a node or tensor; the same one at each call.
py::object operationOf(GraphCore& graph, int node);
py::object tensorOf(GraphCore& graph, Output o);
/// The graph and output of a Tensor object; graph null if `object` is not a Tensor.
struct TensorRef {
  GraphCore* graph = nullptr;
  Output output;
};
TensorRef refOf(py::handle object);
bool isTensor(py::handle object);
/// Checks a node id or output given by a program: any object may claim to be a tensor. Throws IndexError.
const Node& checkedNode(GraphCore& graph, int id);
const Node& checkedNode(GraphCore& graph, int id, int64_t output);
/// The dense_shape of IndexedSlices as a tensor, or None.
py::object denseShapeOf(py::handle slices);
/// The same in `graph`: a function's graph captures tensors of other graphs; otherwise returned unchanged.
TensorRef refIn(GraphCore& graph, py::handle object);
/// The default graph if it belongs to a function, else null. A function's graph receives all new nodes, regardless of the arguments' graphs.
py::object functionGraph();
/// The tensor or operation that an object stands for (`_as_graph_element`), or null.
py::object graphElement(py::handle object);

/// Records the program line that created the nodes from `before` on.
void noteLines(GraphCore& graph, int before);

/// Throws the Python exception for `error`; `graph` may be null.
[[noreturn]] void raise(const Error& error, GraphCore* graph = nullptr);
/// Raises and clears the builder's pending error, if any.
void check(GraphCore& graph);
template <typename T>
T valueOf(Result<T> result, GraphCore* graph = nullptr) {
  if (!result.ok()) raise(result.error(), graph);
  return std::move(result).value();
}

/// A NumPy array as a tensor; `share`: large arrays are borrowed, not copied. Throws TypeError for dtypes without a counterpart.
/// The bytes of a str or bytes. TypeError with Python's message for anything else, UnicodeEncodeError for a str that cannot be encoded.
std::string textFrom(py::handle v);
/// An int, or an object that converts to one. ValueError "Value out of range" beyond 64 bits.
int64_t intFrom(py::handle v);
/// As intFrom(); a seed beyond 64 bits counts modulo 2^31-1, as shorter ones do later.
int64_t seedFrom(py::handle v);
std::optional<int64_t> optionalSeed(py::handle seed);  ///< None: no seed.
/// bool(v). Rethrows Python exceptions, as do the functions below.
inline bool truthOf(py::handle v) {
  const int truth = PyObject_IsTrue(v.ptr());
  if (truth < 0) throw py::error_already_set();
  return truth == 1;
}
inline bool isInstance(py::handle v, PyObject* kind) {
  const int is = PyObject_IsInstance(v.ptr(), kind);
  if (is < 0) throw py::error_already_set();
  return is == 1;
}
/// One level of a nested value; RecursionError at the depth at which Python raises it.
struct RecursionGuard {
  RecursionGuard() {
    if (Py_EnterRecursiveCall(" in a nested argument")) throw py::error_already_set();
  }
  ~RecursionGuard() { Py_LeaveRecursiveCall(); }
  RecursionGuard(const RecursionGuard&) = delete;
  RecursionGuard& operator=(const RecursionGuard&) = delete;
};
Tensor tensorFromArray(py::handle array, bool share, DType wanted = DType::Invalid);
/// A tensor as session.run returns it: an array, or a scalar for rank 0.
py::object arrayFromTensor(const Tensor& tensor, bool scalarsAsNumbers = true);

py::object shapeToPython(const Shape& shape);  ///< None or a tuple of int (None: unknown)
Shape shapeFromPython(py::handle value);       ///< From any object that `toShape` accepts.
DType dtypeFromPython(py::handle value);

py::object attrToPython(const Attr& attr);

void bindGraph(py::module_& m);
void bindOps(py::module_& m);
void bindOpDefinitions(py::module_& m);
void bindSession(py::module_& m);
void bindValues(py::module_& m);
void bindApi(py::module_& m);
void bindFlow(py::module_& m);
void bindVariables(py::module_& m);
void bindIo(py::module_& m);
void bindTflite(py::module_& m);
void bindFunctions(py::module_& m);
void bindImport(py::module_& m);
void bindDebug(py::module_& m);
void bindEager(py::module_& m);
void bindEagerFunctions(py::module_& m);

/// Vector of tensors of this graph from a Python sequence of Tensors.
std::vector<Output> outputsFrom(GraphCore& graph, py::handle sequence);

}  // namespace weft::python
