#pragma once

#include <pybind11/pybind11.h>

#include <exception>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/builder.h"
#include "weft/graph.h"
#include "weft/tensor.h"

// What the files of `_weft` share: graphs that Python builds, values on their way between NumPy and the engine, exceptions.
namespace weft::python {

namespace py = pybind11;

class RunAgent;  // module/run_agent.h

/// Python's classes and functions that this module makes objects of or calls; set once by weft/__init__ (`_weft.bind`).
struct Classes {
  PyObject* operation = nullptr;  ///< Operation(graph, node, outputs)
  PyObject* tensor = nullptr;
  PyObject* convert = nullptr;       ///< convert(value, dtype enum or None, name, as_ref, preferred enum or None) -> Tensor
  PyObject* raise = nullptr;         ///< raise_error(code, message, node, kind, graph): raises
  PyObject* defaultGraph = nullptr;  ///< get_default_graph()
  PyObject* toShape = nullptr;       ///< anything that stands for a shape -> None or a list of int (-1: unknown)
  PyObject* folder = nullptr;        ///< Where the package's code lies, as text ending in '/'.
  PyObject* toDType = nullptr;       ///< anything that stands for a dtype -> enum number
};
Classes& classes();

/// A graph under construction. Belongs to a Python object; the interpreter lock protects it.
struct GraphCore {
  GraphCore();
  MetaGraph meta;
  std::unique_ptr<GraphBuilder> builder;
  std::exception_ptr raised;  ///< Of a function of the program that the engine called; check() throws it on.
  bool finalized = false;
  bool capturing = false;          ///< A function's graph: tensors of other graphs become arguments (its object's `capture`).
  int revision = 0;                ///< Counts changes of nodes that were there already.
  PyObject* object = nullptr;      ///< weft.Graph, borrowed: it owns this.
  PyObject* operations = nullptr;  ///< Its list of Operations by node id (None: not asked for yet), borrowed.
  struct Line {
    PyObject* code = nullptr;  ///< Code object and line that made the node; owned.
    int line = 0;
  };
  std::vector<Line> lines;
  /// Which nodes take outputs of a node, once for each time that they do, and which wait for it; made when it is asked for, until nodes are made or changed.
  struct Readers {
    std::vector<std::vector<std::pair<int, int>>> inputs;  ///< By node: output, reader.
    std::vector<std::vector<int>> controls;
    int size = -1, revision = -1;
  };
  const Readers& readers();
  std::shared_ptr<RunAgent> agent;  ///< The IDE's debugger of its runs; null: nobody looks on.
  ~GraphCore();

 private:
  Readers readers_;
};
GraphCore& coreOf(py::handle graph);
GraphCore* coreOf(const GraphBuilder& builder);  ///< Null for a builder that is not Python's.
std::vector<const GraphCore*> liveGraphs();
void countGone(const GraphCore& graph);  ///< A graph ends: the names of functions count its tensors all the same.

/// The Python object of a node or tensor, always the same one.
py::object operationOf(GraphCore& graph, int node);
py::object tensorOf(GraphCore& graph, Output o);
/// The graph and place of a Tensor object; graph null if `object` is none.
struct TensorRef {
  GraphCore* graph = nullptr;
  Output output;
};
TensorRef refOf(py::handle object);
bool isTensor(py::handle object);
/// The same in `graph`: a tensor of another graph is captured if `graph` is a function's; else it is as it is.
TensorRef refIn(GraphCore& graph, py::handle object);
/// The default graph if it is a function's, in which everything is built whatever the arguments' graphs are; else null.
py::object functionGraph();
/// The tensor or operation that an object stands for (`_as_graph_element`), or null.
py::object graphElement(py::handle object);

/// Remembers the line of the program that made the nodes from `before` on.
void noteLines(GraphCore& graph, int before);

/// Throws what Python raises for `error`; `graph` may be null.
[[noreturn]] void raise(const Error& error, GraphCore* graph = nullptr);
/// Raises the builder's sticking error, if any, and forgets it.
void check(GraphCore& graph);
template <typename T>
T valueOf(Result<T> result, GraphCore* graph = nullptr) {
  if (!result.ok()) raise(result.error(), graph);
  return std::move(result).value();
}

/// A NumPy array as a tensor; `share`: large arrays are borrowed, not copied. Throws TypeError for dtypes without a counterpart.
/// A str or bytes. TypeError in Python's words for anything else, UnicodeEncodeError for a text that is none.
std::string textFrom(py::handle v);
/// An int, or what stands for one. ValueError "Value out of range" beyond 64 bits.
int64_t intFrom(py::handle v);
/// What bool(v) says. What Python raises is thrown on, here and below.
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
/// One level of a value that is nested: RecursionError where Python's own functions would raise it.
struct Deeper {
  Deeper() {
    if (Py_EnterRecursiveCall(" in a nested argument")) throw py::error_already_set();
  }
  ~Deeper() { Py_LeaveRecursiveCall(); }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
};
Tensor tensorFromArray(py::handle array, bool share, DType wanted = DType::Invalid);
/// A tensor as what session.run returns: an array, or a scalar of rank 0.
py::object arrayFromTensor(const Tensor& tensor, bool scalarsAsNumbers = true);

py::object shapeToPython(const Shape& shape);  ///< None or a tuple of int (None: unknown)
Shape shapeFromPython(py::handle value);       ///< What the Python side's `toShape` understands.
DType dtypeFromPython(py::handle value);

py::object attrToPython(const Attr& attr);

void bindGraph(py::module_& m);
void bindOps(py::module_& m);
void bindSession(py::module_& m);
void bindValues(py::module_& m);
void bindApi(py::module_& m);
void bindFlow(py::module_& m);
void bindVariables(py::module_& m);
void bindIo(py::module_& m);
void bindFunctions(py::module_& m);
void bindImport(py::module_& m);
void bindDebug(py::module_& m);

/// Vector of tensors of this graph from a Python sequence of Tensors.
std::vector<Output> outputsFrom(GraphCore& graph, py::handle sequence);

}  // namespace weft::python
