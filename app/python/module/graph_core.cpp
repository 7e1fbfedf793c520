#include "module/graph_core.h"

#include "graph/builder_hooks.h"
#include "module/eager.h"

// A graph of Python's and the objects that stand for its nodes and tensors.
namespace weft::python {
namespace {

PyObject* interned(const char* text) { return PyUnicode_InternFromString(text); }

std::map<const GraphBuilder*, GraphCore*>& cores() {
  static std::map<const GraphBuilder*, GraphCore*> all;
  return all;
}

}  // namespace

GraphCore::GraphCore() : builder(std::make_unique<GraphBuilder>(meta)) { cores()[builder.get()] = this; }

std::vector<const GraphCore*> liveGraphs() {
  std::vector<const GraphCore*> all;
  for (const auto& [builder, core] : cores()) all.push_back(core);
  return all;
}

GraphCore* coreOf(const GraphBuilder& b) {
  const auto it = cores().find(&b);
  return it == cores().end() ? nullptr : it->second;
}

GraphCore::~GraphCore() {
  cores().erase(builder.get());
  countGone(*this);
  for (Line& l : lines) Py_XDECREF(l.code);
}

const GraphCore::Readers& GraphCore::readers() {
  const int size = meta.graph.size();
  if (readers_.size == size && readers_.revision == revision) return readers_;
  readers_ = {};
  readers_.inputs.resize(size_t(size));
  readers_.controls.resize(size_t(size));
  for (int i = 0; i < size; ++i) {
    const Node* n = meta.graph.node(i);
    if (!n) continue;
    for (Output o : n->inputs) {
      if (o.valid()) readers_.inputs[size_t(o.node)].emplace_back(o.index, i);
    }
    for (int c : n->controls) readers_.controls[size_t(c)].push_back(i);
  }
  readers_.size = size;
  readers_.revision = revision;
  return readers_;
}

GraphCore& coreOf(py::handle graph) {
  if (graph.ptr() == eagerMode().graph && eagerThread().core) return *eagerThread().core;
  static PyObject* const name = interned("_core");
  const auto core = py::reinterpret_steal<py::object>(PyObject_GetAttr(graph.ptr(), name));
  if (!core) throw py::error_already_set();
  GraphCore* const g = py::isinstance<GraphCore>(core) ? py::cast<GraphCore*>(core) : nullptr;
  if (!g) throw py::type_error("expected a graph of this package, got " + std::string(Py_TYPE(graph.ptr())->tp_name));
  return *g;
}

const Node& checkedNode(GraphCore& g, int id) {
  if (id < 0 || id >= g.meta.graph.size() || !g.meta.graph.node(id)) throw py::index_error("the graph has no operation number " + std::to_string(id));
  return g.builder->nodeAt(id);
}
std::optional<int64_t> optionalSeed(py::handle seed) { return seed.is_none() ? std::nullopt : std::optional<int64_t>(seedFrom(seed)); }
const Node& checkedNode(GraphCore& g, int id, int64_t output) {
  const Node& n = checkedNode(g, id);
  if (output < 0 || size_t(output) >= n.outputTypes.size()) throw py::index_error("operation '" + n.name + "' has no output " + std::to_string(output));
  return n;
}

py::object operationOf(GraphCore& g, int node) {
  if (g.eager) {  // made at each call: a list of them would keep all values
    const Node* n = g.meta.graph.node(node);
    return py::handle(classes().operation)(py::handle(g.object), node, n ? n->outputTypes.size() : 0);
  }
  PyObject* const list = g.operations;
  while (PyList_GET_SIZE(list) < g.meta.graph.size()) {
    if (PyList_Append(list, Py_None) < 0) throw py::error_already_set();
  }
  PyObject* const there = PyList_GetItem(list, node);
  if (!there) throw py::error_already_set();
  if (there != Py_None) return py::reinterpret_borrow<py::object>(there);
  const Node* n = g.meta.graph.node(node);
  const py::int_ id(node), outputs(n ? n->outputTypes.size() : 0);
  PyObject* const arguments[] = {g.object, id.ptr(), outputs.ptr()};
  auto made = py::reinterpret_steal<py::object>(PyObject_Vectorcall(classes().operation, arguments, 3, nullptr));
  if (!made) throw py::error_already_set();
  PyList_SetItem(list, node, made.inc_ref().ptr());
  return made;
}

py::object tensorOf(GraphCore& g, Output o) {
  if (g.eager) return eagerTensorOf(g, o);
  static PyObject* const name = interned("_outputs");
  const py::object op = operationOf(g, o.node);
  const auto outputs = py::reinterpret_steal<py::object>(PyObject_GetAttr(op.ptr(), name));
  if (!outputs) throw py::error_already_set();
  // Gradients give conditions and loops more outputs.
  if (const Node* n = g.meta.graph.node(o.node); n && PyList_Size(outputs.ptr()) < Py_ssize_t(n->outputTypes.size())) {
    const py::object make = py::handle(g.object).attr("_tensor_class");
    const py::list known = py::reinterpret_borrow<py::list>(outputs);
    while (known.size() < n->outputTypes.size()) known.attr("append")(make(op, known.size()));
  }
  PyObject* const there = PyList_GetItem(outputs.ptr(), o.index);
  if (!there) throw py::error_already_set();
  return py::reinterpret_borrow<py::object>(there);
}

bool isTensor(py::handle object) {
  PyObject* const tensor = classes().tensor;
  return Py_TYPE(object.ptr()) == reinterpret_cast<PyTypeObject*>(tensor) || isInstance(object, tensor);
}

py::object denseShapeOf(py::handle slices) {
  py::object shape = slices.attr("dense_shape");
  return shape.is_none() || isTensor(shape) ? shape : py::module_::import("weft.ops").attr("convert_to_tensor")(shape);
}

TensorRef refOf(py::handle object) {
  static PyObject* const graph = interned("graph");
  static PyObject* const node = interned("_node");
  static PyObject* const index = interned("value_index");
  if (!isTensor(object)) return {};
  if (EagerValue* v = eagerValue(object)) {
    GraphCore& core = coreOf(object.attr("graph"));
    return {&core, placeOf(core, *v)};
  }
  const auto g = py::reinterpret_steal<py::object>(PyObject_GetAttr(object.ptr(), graph));
  const auto n = py::reinterpret_steal<py::object>(PyObject_GetAttr(object.ptr(), node));
  const auto i = py::reinterpret_steal<py::object>(PyObject_GetAttr(object.ptr(), index));
  if (!g || !n || !i) throw py::error_already_set();
  GraphCore& core = coreOf(g);
  const int64_t id = intFrom(n), output = intFrom(i);
  checkedNode(core, id == int(id) ? int(id) : -1, output);
  return {&core, {int(id), int(output)}};
}

py::object graphElement(py::handle object) {
  static PyObject* const name = interned("_as_graph_element");
  if (isTensor(object) || Py_TYPE(object.ptr()) == reinterpret_cast<PyTypeObject*>(classes().operation)) return py::reinterpret_borrow<py::object>(object);
  if (PyLong_Check(object.ptr()) || PyFloat_Check(object.ptr()) || PyUnicode_Check(object.ptr()) || PyList_Check(object.ptr())) return {};
  auto method = py::reinterpret_steal<py::object>(PyObject_GetAttr(object.ptr(), name));
  if (!method) {
    PyErr_Clear();
    return {};
  }
  return method();
}

std::vector<Output> outputsFrom(GraphCore& g, py::handle sequence) {
  std::vector<Output> out;
  for (py::handle item : sequence) {
    if (item.is_none()) {
      out.push_back({});
      continue;
    }
    const TensorRef ref = refIn(g, item);
    if (!ref.graph) throw py::type_error("expected a Tensor, got " + std::string(py::repr(item)));
    if (ref.graph != &g) throw py::value_error(std::string(py::str(item)) + " is not from the passed-in graph.");
    out.push_back(ref.output);
  }
  return out;
}

// The innermost frame outside the package.
void noteLines(GraphCore& g, int before) {
  if (g.eager) return runNewNodes(g);
  PyObject* const folder = classes().folder;
  const int size = g.meta.graph.size();
  if (before >= size) return;
  GraphCore::Line line;
  PyFrameObject* frame = PyEval_GetFrame();
  Py_XINCREF(frame);
  while (frame) {
    PyCodeObject* const code = PyFrame_GetCode(frame);
    if (PyUnicode_Tailmatch(code->co_filename, folder, 0, PyUnicode_GET_LENGTH(folder), -1) != 1) {
      line.code = reinterpret_cast<PyObject*>(code);
      line.line = PyFrame_GetLineNumber(frame);
      break;
    }
    Py_DECREF(code);
    PyFrameObject* back = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = back;
  }
  Py_XDECREF(frame);
  g.lines.resize(size_t(size));
  for (int i = before; i < size; ++i) {
    Py_XINCREF(line.code);
    g.lines[size_t(i)] = line;
  }
  Py_XDECREF(line.code);
}

void raise(const Error& error, GraphCore* g) {
  const py::object graph = g && g->object ? py::reinterpret_borrow<py::object>(g->object) : py::object(py::none());
  py::handle(classes().raise)(int(error.code), error.message, error.node, error.kind, graph);
  throw py::value_error(error.message);  // not reached: the function raises
}

void check(GraphCore& g) {
  if (g.raised) {
    (void)takeError(*g.builder);
    std::rethrow_exception(std::exchange(g.raised, nullptr));
  }
  if (g.builder->ok()) return;
  Status s = takeError(*g.builder);
  if (s.error().kind.empty()) s.error().kind = "build";
  raise(s.error(), &g);
}

}  // namespace weft::python
