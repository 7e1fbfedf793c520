#include "module/eager.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <structmember.h>

#include <algorithm>

#include "graph/builder_hooks.h"
#include "module/interpreter_lock.h"
#include "weft/session.h"

namespace weft::python {
namespace {

constexpr size_t kSmallLeaf = 4096;     // bytes; such tensors are constants of the graph, so that functions see their values
constexpr int kMaxNodes = 2000;         // then the graph is replaced by an empty one
constexpr size_t kMaxBytes = 64 << 20;  // likewise, for values of tensors that became nodes
constexpr int64_t kLongCall = 1 << 14;  // elements; calls with fewer keep the interpreter lock

void freeValue(PyObject* self) {
  auto* v = reinterpret_cast<EagerValue*>(self);
  PyTypeObject* const type = Py_TYPE(self);
  v->tensor.~Tensor();
  type->tp_free(self);
  Py_DECREF(type);
}

PyTypeObject* valueType() {
  static PyTypeObject* const type = [] {
    static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(freeValue)}, {0, nullptr}};
    static PyType_Spec spec = {"weft._weft.EagerValue", int(sizeof(EagerValue)), 0, Py_TPFLAGS_DEFAULT, slots};
    return reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  }();
  return type;
}

PyObject* newValue(Tensor tensor, bool isWatched) {
  static uint64_t next = 0;
  PyTypeObject* const type = valueType();
  auto* v = reinterpret_cast<EagerValue*>(type->tp_alloc(type, 0));
  if (!v) throw py::error_already_set();
  new (&v->tensor) Tensor(std::move(tensor));
  v->id = ++next;
  v->isWatched = isWatched;
  v->isVariable = false;
  return reinterpret_cast<PyObject*>(v);
}

PyObject*& slotOf(PyObject* tensor) { return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(tensor) + eagerMode().slot); }

bool isLong(const std::vector<const Tensor*>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [](const Tensor* t) { return t && t->elements() >= kLongCall; });
}

Status runOp(EagerOp& op, const std::vector<const Tensor*>& inputs, std::vector<Tensor>& outputs, int live = -1) {
  EagerRuntime& runtime = eagerMode().runtime;
  if (!EagerRuntime::mayWait(op) && !isLong(inputs)) return runtime.run(op, inputs, outputs, live);
  const InterpreterReleased released;
  return runtime.run(op, inputs, outputs, live);
}

void setValues(GraphCore& g, int id, std::vector<Tensor> values) {
  EagerGraph& e = *g.eager;
  if (int(e.values.size()) <= id) {
    e.values.resize(size_t(id) + 1);
    e.ran.resize(size_t(id) + 1);
  }
  // From now on functions see the shapes that the values have.
  std::vector<Shape> shapes = g.meta.graph.node(id)->outputShapes;
  for (size_t k = 0; k < values.size() && k < shapes.size(); ++k) {
    if (values[k].hasValue()) shapes[k] = values[k].shape();
  }
  g.meta.graph.setOutputShapes(id, std::move(shapes));
  e.values[size_t(id)] = std::move(values);
  e.ran[size_t(id)] = true;
}

bool isExit(const Node& n) { return n.op == "Exit" || n.op == "RefExit"; }
bool isMerge(const Node& n) { return n.op == "Merge" || n.op == "RefMerge"; }
bool isLoop(const Node& n) { return n.op == "Enter" || n.op == "RefEnter" || n.op == "NextIteration" || n.op == "RefNextIteration" || isExit(n); }

/// Runs nodes [from, size) of which some form loops in one step of a session.
void runInSession(GraphCore& g, int from) {
  const Graph snapshot = g.meta.graph;
  EagerGraph& e = *g.eager;
  std::vector<std::pair<std::string, Tensor>> feeds;
  std::vector<std::string> fetches, targets;
  std::vector<Output> fetched;
  std::unordered_set<std::string> fed;
  for (int id = from; id < snapshot.size(); ++id) {
    const Node* n = snapshot.node(id);
    if (!n) continue;
    const bool given = size_t(id) < e.ran.size() && e.ran[size_t(id)];
    if (!given) {
      for (Output o : n->inputs) {
        const bool known = size_t(o.node) < e.ran.size() && e.ran[size_t(o.node)];
        if (!known) continue;
        const std::string name = snapshot.tensorName(o);
        if (fed.insert(name).second) feeds.emplace_back(name, e.values[size_t(o.node)][size_t(o.index)]);
      }
      const auto context = g.builder->contextOf(id);
      if (context || (isLoop(*n) && !isExit(*n))) continue;  // inside of a loop or branch
      if (n->outputTypes.empty()) targets.push_back(n->name);
      for (int k = 0; k < int(n->outputTypes.size()); ++k) {
        fetches.push_back(snapshot.tensorName({id, k}));
        fetched.push_back({id, k});
      }
    }
  }
  auto session = valueOf(Session::create(snapshot), &g);
  auto values = [&] {
    const InterpreterReleased released;
    return session->run(feeds, fetches, targets);
  }();
  if (!values.ok()) raise(values.error(), &g);
  for (size_t i = 0; i < fetched.size();) {
    const int id = fetched[i].node;
    std::vector<Tensor> own;
    for (; i < fetched.size() && fetched[i].node == id; ++i) own.push_back((*values)[i]);
    setValues(g, id, std::move(own));
  }
}

/// Runs one node on the values of its inputs.
void runNode(GraphCore& g, int id) {
  EagerGraph& e = *g.eager;
  const Node node = *g.meta.graph.node(id);  // a copy: kernels may call functions of the program that add nodes
  const auto runFirst = [&](int before) {    // what leads into a branch is added after the nodes in it
    if (before > id && !(size_t(before) < e.ran.size() && e.ran[size_t(before)])) runNode(g, before);
  };
  for (Output o : node.inputs) runFirst(o.node);
  for (int c : node.controls) runFirst(c);
  std::vector<const Tensor*> inputs;
  std::vector<Tensor> kept;
  kept.reserve(node.inputs.size());
  bool dead = false;
  int live = -1;
  const bool merges = isMerge(node);
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const Output o = node.inputs[i];
    const auto& values = e.values[size_t(o.node)];
    if (values.empty()) raise(internalError("the value of ", g.meta.graph.node(o.node)->name, " was released").atNode(node.name), &g);
    kept.push_back(values[size_t(o.index)]);
    const bool there = kept.back().hasValue();
    inputs.push_back(there ? &kept.back() : nullptr);
    if (there && merges && live < 0) live = int(i);
    if (!there && !merges) dead = true;
  }
  for (int c : node.controls) {
    const auto& values = e.values[size_t(c)];
    if (!values.empty() && std::none_of(values.begin(), values.end(), [](const Tensor& t) { return t.hasValue(); })) dead = true;
  }
  if (dead || (merges && live < 0)) {
    std::vector<Tensor> none(std::max<size_t>(node.outputTypes.size(), 1));
    setValues(g, id, std::move(none));
    return;
  }
  refusePlaceholder(node.op);
  std::vector<Tensor> outputs;
  if (!node.record) raise(notFound("Op type not registered '", node.op, "'"), &g);
  eagerMode().runtime.setFunctions(g.meta.graph.functions);
  auto op = eagerMode().runtime.prepare(*node.record, node.attrs);
  if (!op.ok()) raiseEager(op.error(), node.op, {});
  if (Status s = runOp(**op, inputs, outputs, live); !s.ok()) raiseEager(s.error(), node.op, {});
  setValues(g, id, std::move(outputs));
}

/// Derivatives of tensors with respect to tensors, along nodes from `start` on. Per x: None, a tensor, or (values, indices, dense shape or None).
py::list tapeGradients(GraphCore& g, py::handle ys, py::handle xs, py::handle gradYs, int start) {
  const EagerBuild building(g);
  GradientsOptions options;
  std::unordered_set<uint64_t> seen;
  for (int id = std::max(start, 0); id < g.meta.graph.size(); ++id) {
    const Node* n = g.meta.graph.node(id);
    for (Output o : n ? n->inputs : std::vector<Output>()) {
      if (o.node < start && seen.insert(uint64_t(o.node) << 16 | uint64_t(o.index)).second) options.stopGradients.push_back(o);
    }
  }
  if (!gradYs.is_none()) options.gradYs = outputsFrom(g, gradYs);
  auto result = addGradients(*g.builder, outputsFrom(g, ys), outputsFrom(g, xs), options);
  ++g.revision;
  if (g.raised) check(g);
  if (!result.ok()) {
    (void)takeError(*g.builder);
    Error e = result.error();
    if (e.kind.empty()) e.kind = e.code == Code::NotFound ? "LookupError" : "";
    raise(e, &g);
  }
  runNewNodes(g);
  py::list out;
  for (const Gradient& d : *result) {
    if (d.slices) {
      const auto& s = *d.slices;
      out.append(py::make_tuple(eagerTensorOf(g, s.values), eagerTensorOf(g, s.indices),
                                s.denseShape.valid() ? eagerTensorOf(g, s.denseShape) : py::object(py::none())));
    } else {
      out.append(d.dense.valid() ? eagerTensorOf(g, d.dense) : py::object(py::none()));
    }
  }
  return out;
}

}  // namespace

EagerMode& eagerMode() {
  static EagerMode* const mode = new EagerMode();  // never destroyed: the interpreter may be gone by then
  return *mode;
}

EagerValue* eagerValue(py::handle object) {
  PyTypeObject* const type = eagerMode().tensorType;
  if (!type || (Py_TYPE(object.ptr()) != type && !PyType_IsSubtype(Py_TYPE(object.ptr()), type))) return nullptr;
  return reinterpret_cast<EagerValue*>(slotOf(object.ptr()));
}

py::object eagerTensor(Tensor value, bool isWatched) {
  PyTypeObject* const type = eagerMode().tensorType;
  auto made = py::reinterpret_steal<py::object>(type->tp_alloc(type, 0));
  if (!made) throw py::error_already_set();
  slotOf(made.ptr()) = newValue(std::move(value), isWatched);
  return made;
}

Output placeOf(GraphCore& g, EagerValue& v) {
  EagerGraph& e = *g.eager;
  if (const auto it = e.places.find(v.id); it != e.places.end()) return it->second;
  const Tensor& t = v.tensor;
  Output o;
  {
    GraphBuilder& b = *g.builder;
    const GraphBuilder::Guard alone = b.clearControlDependencies();
    const bool isSmall = t.dtype() != DType::Resource && t.dtype() != DType::Variant && t.bytes() <= kSmallLeaf;
    o = isSmall ? b.constant(t, "Const") : b.placeholder(t.dtype(), t.shape(), "Value");
  }
  check(g);
  if (t.dtype() == DType::Resource) describeHandle(g, o.node, t);
  setValues(g, o.node, {t});
  e.keptBytes += t.bytes();
  e.places[v.id] = o;
  return o;
}

void runNewNodes(GraphCore& g) {
  EagerGraph& e = *g.eager;
  const int size = g.meta.graph.size();
  while (e.executed < g.meta.graph.size()) {
    const int id = e.executed;
    const Node* n = g.meta.graph.node(id);
    if (n && !(size_t(id) < e.ran.size() && e.ran[size_t(id)])) {
      if (isLoop(*n)) {
        e.executed = size;
        runInSession(g, id);
        continue;
      }
      e.executed = id + 1;  // a node that fails is not run again
      try {
        runNode(g, id);
      } catch (...) {
        e.executed = g.meta.graph.size();
        throw;
      }
      continue;
    }
    e.executed = id + 1;
  }
}

py::object eagerTensorOf(GraphCore& g, Output o) {
  runNewNodes(g);
  EagerGraph& e = *g.eager;
  if (size_t(o.node) >= e.values.size() || e.values[size_t(o.node)].size() <= size_t(o.index))
    raise(internalError("the value of ", g.meta.graph.node(o.node)->name, " was released"), &g);
  const Tensor& t = e.values[size_t(o.node)][size_t(o.index)];
  if (!t.hasValue()) return py::none();
  py::object made = eagerTensor(t, eagerThread().recording > 0);
  e.places[eagerValue(made)->id] = o;
  return made;
}

EagerThread& eagerThread() {
  thread_local EagerThread thread;
  return thread;
}

EagerBuild::EagerBuild(GraphCore& g) : graph_(g.eager ? &g : nullptr) {
  if (graph_) ++eagerThread().depth;
}

EagerBuild::~EagerBuild() {
  if (!graph_ || --eagerThread().depth > 0) return;
  graph_->eager->executed = graph_->meta.graph.size();  // what is left belongs to a call that failed
  if (eagerThread().recording > 0 || graph_->eager->held > 0) return;
  // Tensors hold their own values; the graph's are not needed any more.
  EagerGraph& e = *graph_->eager;
  e.places.clear();
  for (; e.released < int(e.values.size()); ++e.released) std::vector<Tensor>().swap(e.values[size_t(e.released)]);
  if (e.released < kMaxNodes && e.keptBytes < kMaxBytes) return;
  eagerMode().runtime.clearStep();
  // The caller may still use this graph, so its Python object only takes a new one.
  const py::error_scope keepsError;
  try {
    py::handle(graph_->object).attr("_renew")();
  } catch (py::error_already_set& failed) {
    failed.discard_as_unraisable("EagerGraph._renew");
  }
}

void refusePlaceholder(const std::string& op) {
  if (op != "Placeholder" && op != "PlaceholderV2") return;
  PyErr_SetString(PyExc_RuntimeError, "tf.placeholder() is not compatible with eager execution.");
  throw py::error_already_set();
}

void raiseEager(Error error, const std::string& op, const std::string& name) {
  error.message += " [Op:" + op + "]";
  if (!name.empty()) error.message += " name: " + name;
  error.node.clear();
  error.kind.clear();
  raise(error);
}

std::vector<py::object> runEager(GraphCore& g, const std::shared_ptr<EagerOp>& op, const std::vector<EagerValue*>& values, const std::string& name) {
  EagerThread& thread = eagerThread();
  std::vector<const Tensor*> inputs;
  inputs.reserve(values.size());
  bool records = false;
  for (const EagerValue* v : values) {
    inputs.push_back(&v->tensor);
    records = records || v->isWatched || (v->isVariable && thread.watchingVariables > 0);
  }
  records = records && thread.recording > 0;
  std::vector<Tensor> outputs;
  if (Status s = runOp(*op, inputs, outputs); !s.ok()) raiseEager(s.error(), EagerRuntime::nodeOf(*op).op, name);
  std::vector<py::object> made;
  made.reserve(outputs.size());
  if (!records) {
    for (Tensor& t : outputs) made.push_back(t.hasValue() ? eagerTensor(std::move(t)) : py::object(py::none()));
    return made;
  }
  const Node& node = EagerRuntime::nodeOf(*op);
  std::vector<Output> from;
  for (EagerValue* v : values) {
    if (v->isVariable) thread.readVariables.push_back(v->id);
    from.push_back(placeOf(g, *v));
  }
  const int id = g.builder->node(node.op, Inputs(std::move(from)), node.attrs);
  check(g);
  for (size_t k = 0; k < outputs.size(); ++k) {
    made.push_back(outputs[k].hasValue() ? eagerTensor(outputs[k], true) : py::object(py::none()));
    if (EagerValue* v = eagerValue(made.back())) g.eager->places[v->id] = {id, int(k)};
  }
  setValues(g, id, std::move(outputs));
  g.lines.resize(size_t(g.meta.graph.size()));
  return made;
}

void bindEager(py::module_& m) {
  m.def("bind_eager", [](py::handle type) {
    EagerMode& mode = eagerMode();
    const py::object slot = type.attr("_eager");
    if (Py_TYPE(slot.ptr()) != &PyMemberDescr_Type) throw py::type_error("EagerTensor has no slot _eager");
    mode.slot = reinterpret_cast<PyMemberDescrObject*>(slot.ptr())->d_member->offset;
    mode.tensorType = reinterpret_cast<PyTypeObject*>(type.inc_ref().ptr());
  });
  m.def("begin_eager", [](GraphCore& g) {
    g.eager = std::make_shared<EagerGraph>();
    g.builder->extension<RepeatedNames>().numbered = true;
  });
  // From now on `core` is the calling thread's part of the EagerGraph; the caller keeps it.
  m.def("use_eager_core", [](py::handle graph, GraphCore& core) {
    eagerMode().graph = graph.ptr();
    eagerThread().core = &core;
  });
  m.def(
      "eager_tensor",
      [](py::handle value, py::handle dtype) {
        if (py::isinstance<Tensor>(value)) return eagerTensor(py::cast<Tensor>(value));
        return eagerTensor(tensorFromArray(value, false, dtype.is_none() ? DType::Invalid : dtypeFromPython(dtype)));
      },
      py::arg("value"), py::arg("dtype") = py::none());
  // A number as a tensor of the type of `like`; None if that needs a closer look.
  m.def("eager_scalar", [](py::handle number, py::handle like) -> py::object {
    const EagerValue* v = eagerValue(like);
    if (!v) return py::none();
    const DType type = v->tensor.dtype();
    if (PyBool_Check(number.ptr())) return py::none();
    if (type == DType::Float || type == DType::Double) {
      const double d = PyFloat_CheckExact(number.ptr()) ? PyFloat_AS_DOUBLE(number.ptr()) : PyLong_AsDouble(number.ptr());
      if (d == -1 && PyErr_Occurred()) {  // too large
        PyErr_Clear();
        return py::none();
      }
      return eagerTensor(type == DType::Float ? Tensor::scalar(float(d)) : Tensor::scalar(d));
    }
    if (!PyLong_CheckExact(number.ptr()) || (type != DType::Int32 && type != DType::Int64)) return py::none();
    int overflow = 0;
    const int64_t i = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow || (type == DType::Int32 && i != int32_t(i))) return py::none();
    return eagerTensor(type == DType::Int32 ? Tensor::scalar(int32_t(i)) : Tensor::scalar(i));
  });
  m.def("eager_is_text", [](py::handle t) {
    const EagerValue* v = eagerValue(t);
    return v && v->tensor.dtype() == DType::String;
  });
  const auto valueOfTensor = [](py::handle t) -> EagerValue& {
    EagerValue* v = eagerValue(t);
    if (!v) throw py::type_error("expected an EagerTensor, got " + std::string(Py_TYPE(t.ptr())->tp_name));
    return *v;
  };
  m.def("eager_numpy", [valueOfTensor](py::handle t) { return arrayFromTensor(valueOfTensor(t).tensor); });
  m.def("eager_value", [valueOfTensor](py::handle t) { return valueOfTensor(t).tensor; });
  m.def("eager_dtype", [valueOfTensor](py::handle t) { return int(valueOfTensor(t).tensor.dtype()); });
  m.def("eager_shape", [valueOfTensor](py::handle t) { return shapeToPython(valueOfTensor(t).tensor.shape()); });
  m.def("eager_id", [valueOfTensor](py::handle t) { return valueOfTensor(t).id; });
  m.def("eager_watch", [valueOfTensor](py::handle t) { valueOfTensor(t).isWatched = true; });
  m.def("eager_is_variable", [valueOfTensor](py::handle t) { valueOfTensor(t).isVariable = true; });
  m.def("eager_is_watched", [valueOfTensor](py::handle t) {
    const EagerValue& v = valueOfTensor(t);
    return v.isWatched || (v.isVariable && eagerThread().watchingVariables > 0);
  });
  // Notes the trainable variables among the arguments of a call, as reads of them do.
  m.def("eager_note_reads", [valueOfTensor](const py::list& tensors) {
    for (py::handle t : tensors) {
      const EagerValue& v = valueOfTensor(t);
      if (v.isVariable) eagerThread().readVariables.push_back(v.id);
    }
  });
  m.def("eager_place", [valueOfTensor](GraphCore& g, py::handle t) {
    const Output o = placeOf(g, valueOfTensor(t));
    return py::make_tuple(o.node, o.index);
  });
  m.def("eager_has_place", [valueOfTensor](GraphCore& g, py::handle t) { return g.eager->places.contains(valueOfTensor(t).id); });
  m.def("eager_holds", [](GraphCore& g) { return g.eager->held; });
  // Whether a tensor is the result of a node from `start` on.
  m.def("eager_computed_after", [valueOfTensor](GraphCore& g, py::handle t, int start) {
    const auto it = g.eager->places.find(valueOfTensor(t).id);
    return it != g.eager->places.end() && it->second.node >= start && !g.meta.graph.node(it->second.node)->inputs.empty();
  });
  m.def("eager_gradients", &tapeGradients);
  m.def("eager_kept_bytes", [](GraphCore& g) { return g.eager->keptBytes; });
  m.def("eager_hold", [](GraphCore& g, int change) { g.eager->held += change; });
  m.def("eager_record", [](int tapes, int variables) {
    eagerThread().recording += tapes;
    eagerThread().watchingVariables += variables;
  });
  m.def("eager_recording", [] { return eagerThread().recording; });
  m.def("eager_depth", [] { return eagerThread().depth; });
  m.def("eager_read_variables", [] { return eagerThread().readVariables; });
  m.def("eager_forget_variables", [](size_t from) { eagerThread().readVariables.resize(std::min(from, eagerThread().readVariables.size())); });
  m.def("eager_output", [](GraphCore& g, int node, int index) { return eagerTensorOf(g, {node, index}); });
  m.def("eager_forget_ops", [] {
    ++eagerMode().generation;
    eagerMode().runtime.forget();
  });
  m.def("eager_new_step", [] { eagerMode().runtime.clearStep(); });
}

}  // namespace weft::python
