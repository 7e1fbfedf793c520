#include <pybind11/stl.h>

#include <algorithm>
#include <map>

#include "graph/builder_hooks.h"
#include "module/attributes.h"
#include "module/eager.h"
#include "module/graph_core.h"

// Creates an op from Python values. Converts arguments and infers types in the order of TensorFlow's client and with its error messages.
namespace weft::python {
namespace {

// An op as called from Python. `inferred`: attributes inferred from inputs, which are not arguments.
struct OpCaller {
  const OpRecord* record = nullptr;
  std::vector<const AttrSpec*> arguments;
  mutable EagerCalls eager;
};

bool isList(const ArgSpec& a) { return a.isTypeList || !a.numberAttr.empty(); }

// State of one call.
class Call {
 public:
  Call(const OpCaller& caller, const py::tuple& inputs, const py::tuple& attrs, py::handle name)
      : caller_(caller), op_(*caller.record), inputs_(inputs), values_(attrs) {
    name_ = name.is_none() ? op_.name : textFrom(name);
    if (name_.empty()) name_ = op_.name;
  }

  py::object run() {
    findGraph();
    if (graph_->eager) return runNow();
    GraphBuilder& b = *graph_->builder;
    if (graph_->finalized) {
      PyErr_SetString(PyExc_RuntimeError, "Graph is finalized and cannot be modified.");
      throw py::error_already_set();
    }
    const int before = graph_->meta.graph.size();
    GraphBuilder::Guard scope;
    if (needsScope_) {
      scope = b.nameScope(name_);
      checkScope();
      name_ = b.currentScope();
    }
    for (size_t i = 0; i < op_.inputs.size(); ++i) takeInput(op_.inputs[i], inputs_[i]);
    takeAttrs();
    const int id = b.node(op_.name, Inputs(std::move(outputs_)), attrs_, name_);
    checkScope();
    scope = GraphBuilder::Guard();
    noteLines(*graph_, before);
    return result(id);
  }

 private:
  // Calls the op without a node.
  py::object runNow() {
    refusePlaceholder(op_.name);
    const EagerBuild building(*graph_);
    for (size_t i = 0; i < op_.inputs.size(); ++i) takeInput(op_.inputs[i], inputs_[i]);
    takeAttrs();
    eagerMode().runtime.setFunctions(graph_->meta.graph.functions);
    auto prepared = eagerMode().runtime.prepare(op_, attrs_);
    if (!prepared.ok()) raiseEager(prepared.error(), op_.name, name_ == op_.name ? std::string() : name_);
    caller_.eager.remember(inputs_, values_, *prepared);
    std::vector<EagerValue*> values;
    for (const py::object& held : held_) values.push_back(eagerValue(held));
    return eagerResult(op_, EagerRuntime::nodeOf(**prepared), runEager(*graph_, *prepared, values, eagerName(name_, op_)));
  }

  void checkScope() {
    GraphBuilder& b = *graph_->builder;
    if (b.ok()) return;
    if (b.status().error().message.ends_with("is not a valid node name")) {
      (void)takeError(b);
      valueError("'", name_, "' is not a valid scope name");
    }
    check(*graph_);
  }

  void consider(py::handle v) {
    if (eagerValue(v)) return;  // belongs to the default graph
    py::object element;
    if (isTensor(v)) element = py::reinterpret_borrow<py::object>(v);
    else {
      needsScope_ = true;
      element = graphElement(v);
      if (!element || element.is_none()) return;
    }
    const py::object graph = element.attr("graph");
    if (!graphObject_) {
      graphObject_ = graph;
      first_ = element;
    } else if (!graphObject_.is(graph)) {
      valueError(std::string(py::str(element)), " must be from the same graph as ", std::string(py::str(first_)), ".");
    }
  }

  void findGraph() {
    if (py::object inside = functionGraph()) {
      graphObject_ = std::move(inside);
      graph_ = &coreOf(graphObject_);
      needsScope_ = true;
      return;
    }
    for (size_t i = 0; i < op_.inputs.size(); ++i) {
      const py::handle v = inputs_[i];
      if (isList(op_.inputs[i]) && (PyList_Check(v.ptr()) || PyTuple_Check(v.ptr()))) {
        for (py::handle item : v) consider(item);
      } else {
        consider(v);
      }
    }
    if (!graphObject_) {
      graphObject_ = py::reinterpret_steal<py::object>(PyObject_CallNoArgs(classes().defaultGraph));
      if (!graphObject_) throw py::error_already_set();
    }
    graph_ = &coreOf(graphObject_);
  }

  // A value as a tensor of this graph; rethrows conversion errors.
  std::pair<Output, DType> convert(py::handle v, DType want, const std::string& name, bool asRef, DType preferred) {
    if (graph_->eager) {
      held_.push_back(eagerInput(*graph_, op_, int(held_.size()), v, want, preferred, eagerName(name_, op_)));
      return {{}, eagerValue(held_.back())->tensor.dtype()};
    }
    TensorRef ref = refIn(*graph_, v);
    const bool fits = ref.graph == graph_ && (want == DType::Invalid || baseType(graph_->meta.graph.dtype(ref.output)) == baseType(want));
    if (!fits) {
      const auto number = [](DType t) { return t == DType::Invalid ? py::object(py::none()) : py::object(py::int_(int(t))); };
      const py::object made = py::handle(classes().convert)(v, number(want), name.empty() ? py::object(py::none()) : py::object(py::str(name)), asRef,
                                                            number(preferred), graphObject_);
      ref = refOf(made);
      if (ref.graph != graph_) valueError(std::string(py::str(made)), " must be from the same graph as the other inputs.");
    }
    return {ref.output, graph_->meta.graph.dtype(ref.output)};
  }

  DType attrType(const std::string& attr) const {
    const auto it = types_.find(attr);
    return it == types_.end() ? DType::Invalid : it->second;
  }
  DType defaultType(const std::string& attr) const {
    const AttrSpec* spec = attr.empty() ? nullptr : op_.findAttr(attr);
    const DType* t = spec && spec->defaultValue ? spec->defaultValue->get<DType>() : nullptr;
    return t ? *t : DType::Invalid;
  }

  void setType(const ArgSpec& a, DType type) {
    if (const AttrSpec* spec = op_.findAttr(a.typeAttr)) checkAllowed(type, *spec, a.name);
    types_[a.typeAttr] = type;
    decidedBy_[a.typeAttr] = a.name;
    attrs_.set(a.typeAttr, type);
  }

  void takeInput(const ArgSpec& a, py::handle v) {
    if (isList(a)) takeList(a, v);
    else takeSingle(a, v);
  }

  void takeSingle(const ArgSpec& a, py::handle v) {
    DType want = a.typeAttr.empty() ? baseType(a.type) : attrType(a.typeAttr);
    const DType preferred = want == DType::Invalid ? defaultType(a.typeAttr) : DType::Invalid;
    std::pair<Output, DType> got;
    try {
      got = convert(v, want, a.name, a.isRef, preferred);
    } catch (py::error_already_set& e) {
      if (e.matches(PyExc_TypeError)) {
        if (want == DType::Invalid) throw;
        typeError("Expected ", dtypeName(want), " passed to parameter '", a.name, "' of op '", op_.name, "', got ", shown(v), " of type '",
                  std::string(py::str(py::type::handle_of(v).attr("__name__"))), "' instead. Error: ", std::string(py::str(e.value())));
      }
      if (!e.matches(PyExc_ValueError)) throw;
      std::string observed;
      try {
        observed = dtypeName(convert(v, DType::Invalid, {}, a.isRef, DType::Invalid).second);
      } catch (py::error_already_set& again) {
        if (!again.matches(PyExc_ValueError)) throw;
        valueError("Tried to convert '", a.name, "' to a tensor and failed. Error: ", std::string(py::str(again.value())));
      }
      if (a.typeAttr.empty())
        typeError("Input '", a.name, "' of '", op_.name, "' Op has type ", observed, " that does not match expected type of ", dtypeName(baseType(a.type)),
                  ".");
      const auto first = decidedBy_.find(a.typeAttr);
      typeError("Input '", a.name, "' of '", op_.name, "' Op has type ", observed, " that does not match type ", dtypeName(attrType(a.typeAttr)),
                " of argument '", first == decidedBy_.end() ? "Default in OpDef" : first->second, "'.");
    }
    const DType base = baseType(got.second);
    if (!a.typeAttr.empty()) {
      if (want == DType::Invalid) setType(a, base);
    }
    if (a.isRef && !isRef(got.second)) typeError("'", op_.name, "' Op requires that input '", a.name, "' be a mutable tensor (e.g.: a tf.Variable)");
    outputs_.push_back(got.first);
  }

  void takeList(const ArgSpec& a, py::handle v) {
    if (!PyList_Check(v.ptr()) && !PyTuple_Check(v.ptr()))
      typeError("Expected list for '", a.name, "' argument to '", op_.name, "' Op, not ", std::string(py::str(v)), ".");
    const py::tuple items = py::reinterpret_steal<py::tuple>(PySequence_Tuple(v.ptr()));
    DType want = DType::Invalid, preferred = DType::Invalid;
    if (!a.isTypeList) {
      want = a.typeAttr.empty() ? baseType(a.type) : attrType(a.typeAttr);
      if (want == DType::Invalid) {
        for (py::handle item : items) {
          if (const TensorRef ref = refOf(item); ref.graph) {
            want = baseType(ref.graph->meta.graph.dtype(ref.output));
            break;
          }
        }
      }
      if (want == DType::Invalid) preferred = defaultType(a.typeAttr);
    }
    std::vector<std::pair<Output, DType>> got;
    bool failed = false;
    try {
      for (size_t i = 0; i < items.size(); ++i) got.push_back(convert(items[i], want, a.name + "_" + std::to_string(i), a.isRef, preferred));
      if (!a.numberAttr.empty()) failed = std::any_of(got.begin(), got.end(), [&](const auto& g) { return baseType(g.second) != baseType(got[0].second); });
    } catch (py::error_already_set& e) {
      if (!e.matches(PyExc_TypeError) && !e.matches(PyExc_ValueError)) throw;
      failed = true;
    }
    if (failed) refuseList(a, items, want);
    std::vector<DType> types;
    for (const auto& [o, t] : got) {
      outputs_.push_back(o);
      types.push_back(baseType(t));
      if (a.isRef && !isRef(t)) typeError("'", op_.name, "' Op requires that input '", a.name, "' be a mutable tensor (e.g.: a tf.Variable)");
    }
    if (a.isTypeList) {
      if (const Attr* known = attrs_.find(a.typeAttr)) {
        if (*known->get<std::vector<DType>>() != types)
          typeError("Input '", a.name, "' of '", op_.name, "' Op has type list of ", nameList(types), " that does not match type list ",
                    nameList(*known->get<std::vector<DType>>()), " of argument '", decidedBy_[a.typeAttr], "'.");
        return;
      }
      const AttrSpec* spec = op_.findAttr(a.typeAttr);
      for (DType t : types) checkAllowed(t, *spec, a.name);
      attrs_.set(a.typeAttr, types);
      decidedBy_[a.typeAttr] = a.name;
      return;
    }
    if (const Attr* known = attrs_.find(a.numberAttr)) {
      if (*known->get<int64_t>() != int64_t(got.size()))
        valueError("List argument '", a.name, "' to '", op_.name, "' Op with length ", got.size(), " must match length ", *known->get<int64_t>(),
                   " of argument '", decidedBy_[a.numberAttr], "'.");
    } else {
      attrs_.set(a.numberAttr, int64_t(got.size()));
      decidedBy_[a.numberAttr] = a.name;
      if (const AttrSpec* spec = op_.findAttr(a.numberAttr); spec && spec->hasMinimum && int64_t(got.size()) < spec->minimum)
        valueError("List argument '", a.name, "' to '", op_.name, "' Op with length ", got.size(), " shorter than minimum length ", spec->minimum, ".");
    }
    if (!a.typeAttr.empty() && attrType(a.typeAttr) == DType::Invalid) {
      if (types.empty()) typeError("Don't know how to infer type variable from empty input list passed to input '", a.name, "' of '", op_.name, "' Op.");
      setType(a, types[0]);
    }
  }

  [[noreturn]] void refuseList(const ArgSpec& a, const py::tuple& items, DType want) {
    std::string observed;
    for (py::handle item : items) {
      std::string one;
      try {
        one = dtypeName(baseType(convert(item, DType::Invalid, {}, a.isRef, DType::Invalid).second));
      } catch (py::error_already_set& e) {
        if (!e.matches(PyExc_TypeError) && !e.matches(PyExc_ValueError)) throw;
        one = "<NOT CONVERTIBLE TO TENSOR>";
      }
      observed += (observed.empty() ? "" : ", ") + one;
    }
    const std::string prefix = concat("Tensors in list passed to '", a.name, "' of '", op_.name, "' Op have types [", observed, "]");
    if (a.isTypeList) typeError(prefix, " that are invalid. Tensors: ", std::string(py::str(py::list(items))));
    if (a.typeAttr.empty()) typeError(prefix, " that do not match expected type ", dtypeName(want), ".");
    if (attrType(a.typeAttr) != DType::Invalid) typeError(prefix, " that do not match type ", dtypeName(want), " inferred from earlier arguments.");
    typeError(prefix, " that don't all match.");
  }

  void takeAttrs() {
    for (size_t i = 0; i < caller_.arguments.size(); ++i) {
      const AttrSpec& spec = *caller_.arguments[i];
      const py::handle v = values_[i];
      if (v.ptr() == Py_NotImplemented) continue;
      if (v.is_none() && (spec.defaultValue || spec.type != "shape")) {
        if (spec.defaultValue) continue;
        if (spec.type == "type") typeError("Expected DataType for argument '", spec.name, "' not None.");
      }
      attrs_.set(spec.name, toAttr(v, spec, op_.name));
    }
  }

  // One tensor, a list, the operation, or a named tuple (made by the caller from a plain one).
  py::object result(int id) {
    if (op_.outputs.empty()) return operationOf(*graph_, id);
    const Node& node = graph_->builder->nodeAt(id);
    if (op_.outputs.size() == 1 && !isList(op_.outputs[0])) return tensorOf(*graph_, {id, 0});
    py::list parts;
    int at = 0;
    for (const ArgSpec& a : op_.outputs) {
      if (!isList(a)) {
        parts.append(tensorOf(*graph_, {id, at++}));
        continue;
      }
      const int n = a.isTypeList ? int(node.attrs.list<DType>(a.typeAttr).size()) : int(node.attrs.integer(a.numberAttr));
      py::list inner;
      for (int i = 0; i < n; ++i) inner.append(tensorOf(*graph_, {id, at++}));
      // Without outputs the result is the operation.
      if (op_.outputs.size() == 1 && n == 0) return operationOf(*graph_, id);
      parts.append(inner);
    }
    if (op_.outputs.size() == 1) return parts[0];
    return py::tuple(parts);
  }

  const OpCaller& caller_;
  const OpRecord& op_;
  const py::tuple& inputs_;
  const py::tuple& values_;
  std::string name_;
  GraphCore* graph_ = nullptr;
  py::object graphObject_, first_;
  bool needsScope_ = false;
  std::map<std::string, DType> types_;
  std::map<std::string, std::string> decidedBy_;
  AttrMap attrs_;
  std::vector<Output> outputs_;
  std::vector<py::object> held_;  // inputs of an op that runs now
};

py::object call(const OpCaller& c, const py::tuple& inputs, const py::tuple& attrs, py::handle name) {
  if (py::object result = c.eager.call(*c.record, inputs, attrs, name)) return result;
  return Call(c, inputs, attrs, name).run();
}

OpCaller callerFor(const std::string& name) {
  OpCaller c;
  c.record = OpRegistry::instance().find(name);
  if (!c.record) throw py::key_error(name);
  for (const AttrSpec& spec : c.record->attrs) {
    const bool inferred =
        std::any_of(c.record->inputs.begin(), c.record->inputs.end(), [&](const ArgSpec& a) { return a.typeAttr == spec.name || a.numberAttr == spec.name; });
    if (!inferred) c.arguments.push_back(&spec);
  }
  return c;
}

// A node from tensors, typed attributes and a name, without conversion (create_op).
py::object plainNode(GraphCore& g, const std::string& op, py::handle inputs, const py::dict& attrs, const std::string& name) {
  if (g.finalized) {
    PyErr_SetString(PyExc_RuntimeError, "Graph is finalized and cannot be modified.");
    throw py::error_already_set();
  }
  const OpRecord* record = OpRegistry::instance().find(op);
  AttrMap map;
  for (const auto& [key, value] : attrs) {
    const std::string k = textFrom(key);
    const AttrSpec* spec = record ? record->findAttr(k) : nullptr;
    if (spec) {
      map.set(k, toAttr(value, *spec, op));
    } else if (PyBool_Check(value.ptr())) {
      map.set(k, py::cast<bool>(value));
    } else if (PyLong_Check(value.ptr())) {
      map.set(k, py::cast<int64_t>(value));
    } else if (PyFloat_Check(value.ptr())) {
      map.set(k, float(py::cast<double>(value)));
    } else if (PyList_Check(value.ptr()) || PyTuple_Check(value.ptr())) {
      const py::sequence list = py::reinterpret_borrow<py::sequence>(value);
      if (py::len(list) && !PyUnicode_Check(py::object(list[0]).ptr()) && !PyBytes_Check(py::object(list[0]).ptr())) {
        std::vector<Shape> shapes;
        for (py::handle item : list) shapes.push_back(shapeFromPython(item));
        map.set(k, std::move(shapes));
      } else {
        map.set(k, py::cast<std::vector<std::string>>(value));
      }
    } else {
      map.set(k, textFrom(value));
    }
  }
  const int before = g.meta.graph.size();
  const int id = g.builder->node(op, Inputs(outputsFrom(g, inputs)), std::move(map), name);
  check(g);
  noteLines(g, before);
  return operationOf(g, id);
}

py::object constant(GraphCore& g, py::handle value, const std::string& name) {
  if (g.finalized) {
    PyErr_SetString(PyExc_RuntimeError, "Graph is finalized and cannot be modified.");
    throw py::error_already_set();
  }
  if (g.eager) return eagerTensor(toTensor(value));
  const int before = g.meta.graph.size();
  const Output o = g.builder->constant(toTensor(value), name);
  check(g);
  noteLines(g, before);
  return tensorOf(g, o);
}

py::dict describe(const OpCaller& c) {
  const OpRecord& r = *c.record;
  py::dict out;
  py::list inputs, outputs, attrs;
  for (const ArgSpec& a : r.inputs) inputs.append(py::make_tuple(a.name, isList(a), a.doc));
  for (const ArgSpec& a : r.outputs) outputs.append(py::make_tuple(a.name, isList(a), a.doc));
  for (const AttrSpec* a : c.arguments)
    attrs.append(
        py::make_tuple(a->name, a->type, a->defaultValue.has_value(), a->defaultValue ? attrToPython(*a->defaultValue) : py::object(py::none()), a->doc));
  out["inputs"] = inputs;
  out["outputs"] = outputs;
  out["attrs"] = attrs;
  out["summary"] = r.summaryText;
  out["description"] = r.descriptionText;
  out["signature"] = r.signature();
  out["stateful"] = r.isStateful;
  return out;
}

}  // namespace

void bindOps(py::module_& m) {
  py::class_<OpCaller>(m, "OpCaller", "An op that can be called.")
      .def(py::init(&callerFor))
      .def_property_readonly("name", [](const OpCaller& c) { return c.record->name; })
      .def("describe", &describe)
      .def("__call__", &call);
  m.def("node", &plainNode);
  m.def(
      "set_attr",
      [](GraphCore& g, int id, const std::string& name, const std::string& kind, py::handle value) {
        AttrSpec spec;
        spec.name = name;
        spec.type = kind;
        Attr attr = toAttr(value, spec, g.builder->nodeAt(id).op);
        ++g.revision;
        if (Status s = g.meta.graph.change(id, [&](Node& n) { n.attrs.set(name, std::move(attr)); }); !s.ok()) raise(s.error(), &g);
      },
      "Sets any attribute of a node that is there; `kind` as an OpDef says it.");
  m.def("constant", &constant);
}

}  // namespace weft::python
