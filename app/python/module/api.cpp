#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "api/variables.h"
#include "graph/builder_hooks.h"
#include "graph/indexed_slices.h"
#include "module/eager.h"
#include "module/graph_core.h"
#include "weft/api.h"

// Functions built from ops by their ApiRecords: converts Python values to Arguments and results to tensors.
namespace weft::python {
namespace {

py::object toPython(GraphCore& g, const Argument& a, bool tuples);

py::object argumentToPython(const Argument& a) {
  return std::visit(
      [](const auto& v) -> py::object {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, int64_t> || std::is_same_v<T, double> || std::is_same_v<T, bool>) return py::cast(v);
        else if constexpr (std::is_same_v<T, DType>) return py::make_tuple("type", int(v));
        else if constexpr (std::is_same_v<T, Shape>) return py::make_tuple("shape", shapeToPython(v));
        else if constexpr (std::is_same_v<T, std::vector<int64_t>>) return py::cast(v);
        else if constexpr (std::is_same_v<T, Literal>) return arrayFromTensor(v.value);
        else if constexpr (std::is_same_v<T, ArgumentList>) {
          py::list out;
          for (const Argument& item : v) out.append(argumentToPython(item));
          return out;
        } else {
          return py::none();
        }
      },
      a);
}

py::dict describe(const ApiRecord& r) {
  py::dict out;
  out["name"] = r.name;
  out["aliases"] = r.aliases;
  out["summary"] = r.summary;
  out["doc"] = r.doc;
  out["returns"] = r.returns;
  out["source"] = r.source;
  out["form"] = r.form;
  out["fields"] = r.fields;
  py::list parameters;
  for (const ApiParameter& p : r.parameters) {
    py::dict d;
    d["name"] = p.name;
    d["type"] = p.type;
    d["required"] = !p.otherwise.has_value();
    d["default"] = p.otherwise ? argumentToPython(*p.otherwise) : py::object(py::none());
    d["doc"] = p.doc;
    d["choices"] = p.choices;
    d["aliases"] = p.aliases;
    d["variadic"] = p.variadic;
    parameters.append(d);
  }
  out["parameters"] = parameters;
  return out;
}

// The kinds of objects that Python defines itself.
struct Kinds {
  py::object sparse, slices, shape, dimension, dtype, variable;
  Kinds() {
    const auto take = [](const char* module, const char* name) { return py::module_::import(module).attr(name); };
    sparse = take("weft.sparse_tensor", "SparseTensor");
    slices = take("weft.ops", "IndexedSlices");
    shape = take("weft.tensor_shape", "TensorShape");
    dimension = take("weft.tensor_shape", "Dimension");
    dtype = take("weft.dtypes", "DType");
    variable = take("weft.variables", "Variable");
  }
};
const Kinds& kinds() {
  static const Kinds* const all = new Kinds();  // never destroyed: the interpreter may be gone by then
  return *all;
}
bool is(py::handle v, const py::object& kind) { return isInstance(v, kind.ptr()); }

Argument toArgument(GraphCore& g, py::handle v);

Values valuesFrom(GraphCore& g, py::handle made) {
  Values out;
  const auto one = [&](py::handle item) {
    if (item.is_none()) return;
    if (const TensorRef ref = refIn(g, item); ref.graph) {
      out.outputs.push_back(ref.output);
    } else if (Py_TYPE(item.ptr()) == reinterpret_cast<PyTypeObject*>(classes().operation)) {
      out.nodes.push_back(py::cast<int>(item.attr("_node")));
    } else {
      const py::object tensor = py::handle(classes().convert)(item, py::none(), py::none(), false, py::none(), py::reinterpret_borrow<py::object>(g.object));
      out.outputs.push_back(refOf(tensor).output);
    }
  };
  if (PyList_Check(made.ptr()) || PyTuple_Check(made.ptr())) {
    for (py::handle item : made) one(item);
  } else {
    one(made);
  }
  return out;
}

Callback toCallback(GraphCore& g, const py::object& f) {
  auto kept = std::shared_ptr<py::object>(new py::object(f), [](py::object* o) {
    if (Py_IsInitialized()) delete o;
  });
  return [&g, kept](GraphBuilder& b, const Values& in) -> Result<Values> {
    try {
      if (!b.ok()) return b.status().error();
      py::list arguments;
      for (Output o : in.outputs) arguments.append(tensorOf(g, o));
      py::dict named;
      size_t i = 0;
      for (const Argument& other : in.others) {
        // An initializer gets shape and type.
        py::object value = toPython(g, other, true);
        if (std::holds_alternative<DType>(other)) {
          named["dtype"] = value;
          continue;
        }
        arguments.append(value);
        ++i;
      }
      return valuesFrom(g, (*kept)(*py::tuple(arguments), **named));
    } catch (...) {
      if (!g.raised) g.raised = std::current_exception();
      b.fail(internalError("a function of the program raised an exception"));
      return b.status().error();
    }
  };
}

/// Total bytes of the arrays in a list; broadcast views of one number can exceed any memory.
double listedBytes(py::handle v) {
  if (py::isinstance<py::array>(v)) return double(py::reinterpret_borrow<py::array>(v).nbytes());
  if (!PyList_Check(v.ptr()) && !PyTuple_Check(v.ptr())) return 0;
  const RecursionGuard guard;
  double bytes = 0;
  for (py::handle item : v) {
    if (!PyFloat_CheckExact(item.ptr()) && !PyLong_CheckExact(item.ptr())) bytes += listedBytes(item);
  }
  return bytes;
}

/// Whether the called function reads rows of variables itself, including variables cached on a device. Guarded by the interpreter lock.
bool& readsRows() {
  static bool reads = false;
  return reads;
}

Argument toArgument(GraphCore& g, py::handle v) {
  PyObject* const p = v.ptr();
  if (p == Py_None) return std::monostate{};
  if (const TensorRef ref = refIn(g, v); ref.graph) {
    if (ref.graph != &g) throw py::value_error(std::string(py::str(v)) + " must be from the same graph as the other arguments.");
    return ref.output;
  }
  if (PyBool_Check(p)) return p == Py_True;
  if (PyLong_Check(p)) {
    int overflow = 0;
    const int64_t i = PyLong_AsLongLongAndOverflow(p, &overflow);
    if (overflow) return Literal{tensorFromArray(v, false), false};
    return i;
  }
  if (PyFloat_CheckExact(p)) return PyFloat_AS_DOUBLE(p);
  if (PyUnicode_Check(p) || PyBytes_Check(p)) return textFrom(v);
  if (PyList_Check(p) || PyTuple_Check(p)) {
    const RecursionGuard guard;
    if (listedBytes(v) >= 2147483648.0) throw py::value_error("Cannot create a tensor proto whose content is larger than 2GB.");
    ArgumentList out;
    for (py::handle item : v) out.push_back(toArgument(g, item));
    return out;
  }
  const Kinds& k = kinds();
  if (py::isinstance<py::array>(v) || std::string_view(Py_TYPE(p)->tp_name).starts_with("numpy.")) {
    if (PyType_Check(p)) return baseType(dtypeFromPython(v));
    return Literal{tensorFromArray(v, false), false};
  }
  if (is(v, k.variable) && !g.capturing) {
    if (py::hasattr(v, "device_map")) {  // a variable with a component on each of several devices
      const py::object component = readsRows() ? py::none() : v.attr("_component")();
      return component.is_none() ? Argument(refOf(v.attr("_as_argument")()).output) : toArgument(g, component);
    }
    const bool isCached = !readsRows() && py::hasattr(v, "_cached") && !v.attr("_cached").is_none();  // read once, on the caching device
    if (!py::hasattr(v, "_unread") && !isCached)
      return Argument(std::shared_ptr<const api::Variable>(py::cast<std::shared_ptr<api::Variable>>(v.attr("_weft"))));
    return refOf(v.attr("value")()).output;
  }
  if (is(v, k.dtype)) return baseType(dtypeFromPython(v));
  if (is(v, k.shape)) return shapeFromPython(v);
  if (is(v, k.dimension)) {
    const py::object value = v.attr("value");
    return value.is_none() ? Argument(std::monostate{}) : Argument(intFrom(value));
  }
  if (is(v, k.sparse)) return SparseValue{refIn(g, v.attr("indices")).output, refIn(g, v.attr("values")).output, refIn(g, v.attr("dense_shape")).output};
  if (is(v, k.slices)) {
    const py::object shape = denseShapeOf(v);
    return makeSlices(*g.builder, refIn(g, v.attr("values")).output, refIn(g, v.attr("indices")).output, shape.is_none() ? Output{} : refIn(g, shape).output);
  }
  if (PyType_Check(p)) {
    try {
      return baseType(dtypeFromPython(v));
    } catch (py::error_already_set&) {
    }
  }
  if (const py::object element = graphElement(v)) {
    if (const TensorRef ref = refOf(element); ref.graph) {
      // Objects with a conversion registered by the program.
      return refOf(py::handle(classes().convert)(v, py::none(), py::none(), false, py::none(), py::reinterpret_borrow<py::object>(g.object))).output;
    }
  }
  if (PyCallable_Check(p)) return toCallback(g, py::reinterpret_borrow<py::object>(v));
  if (PyFloat_Check(p)) return PyFloat_AsDouble(p);
  if (PyDict_Check(p)) {
    const RecursionGuard guard;
    ArgumentList out;
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(v)) out.push_back(ArgumentList{toArgument(g, key), toArgument(g, value)});
    return out;
  }
  const py::object made = py::handle(classes().convert)(v, py::none(), py::none(), false, py::none(), py::reinterpret_borrow<py::object>(g.object));
  return refOf(made).output;
}

Argument toArgument(GraphCore& g, const ApiParameter& p, py::handle v) {
  if (v.is_none()) return std::monostate{};
  // Mappings are not tensors: iteration would treat their keys as rows.
  if (PyDict_Check(v.ptr()) && (p.type == "tensor" || p.type == "ints" || (p.type == "any" && PyDict_Size(v.ptr()) == 0)))
    throw py::type_error("Failed to convert object of type <class 'dict'> to Tensor. Contents: " + std::string(py::repr(v)) +
                         ". Consider casting elements to a supported type.");
  if (p.type == "dtype") {
    const DType type = baseType(dtypeFromPython(v));
    if (type == DType::Invalid) throw py::type_error("Cannot convert value " + std::string(py::repr(v)) + " to a TensorFlow DType.");
    return type;
  }
  if (p.type == "int" && is(v, kinds().dtype)) throw py::type_error("Expected int for argument '" + p.name + "' not " + std::string(py::repr(v)) + ".");
  if (p.type == "shape" && !isTensor(v)) return shapeFromPython(v);
  if (p.type == "int" && PyIndex_Check(v.ptr()) && !isTensor(v) && !py::isinstance<py::array>(v)) {
    return p.name == "seed" ? seedFrom(v) : intFrom(v);
  }
  if (p.type == "bool" && PyLong_Check(v.ptr())) return truthOf(v);
  if (p.type == "float" && PyLong_Check(v.ptr())) {
    const double d = PyLong_AsDouble(v.ptr());
    if (d == -1 && PyErr_Occurred()) throw py::error_already_set();
    return d;
  }
  if (p.type == "callback" && PyCallable_Check(v.ptr())) return toCallback(g, py::reinterpret_borrow<py::object>(v));
  // A partitioned variable, for functions that handle the parts themselves.
  if (p.type == "any" && py::hasattr(v, "_get_variable_list")) return toArgument(g, v.attr("_get_variable_list")());
  if (p.type == "dtypes") {
    ArgumentList out;
    for (py::handle item : v) out.push_back(baseType(dtypeFromPython(item)));
    return out;
  }
  return toArgument(g, v);
}

py::object toPython(GraphCore& g, const Argument& a, bool tuples) {
  return std::visit(
      [&](const auto& v) -> py::object {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, Output>) {
          if (const auto s = slicesOf(*g.builder, v))
            return kinds().slices(tensorOf(g, s->values), tensorOf(g, s->indices), s->denseShape.valid() ? tensorOf(g, s->denseShape) : py::object(py::none()));
          return v.valid() ? tensorOf(g, v) : py::object(py::none());
        } else if constexpr (std::is_same_v<T, std::vector<Output>>) {
          py::list out;
          for (Output o : v) out.append(toPython(g, o, tuples));
          return tuples ? py::object(py::tuple(out)) : out;
        } else if constexpr (std::is_same_v<T, ArgumentList>) {
          py::list out;
          for (const Argument& item : v) out.append(toPython(g, item, tuples));
          return tuples ? py::object(py::tuple(out)) : out;
        } else if constexpr (std::is_same_v<T, SparseValue>) {
          return kinds().sparse.attr("_of")(tensorOf(g, v.indices), tensorOf(g, v.values), tensorOf(g, v.denseShape));
        } else if constexpr (std::is_same_v<T, std::shared_ptr<const api::Variable>>) {
          return py::module_::import("weft.variables").attr("of_engine")(py::reinterpret_borrow<py::object>(g.object), tensorOf(g, v->handle));
        } else if constexpr (std::is_same_v<T, DType>) {
          return py::module_::import("weft.dtypes").attr("as_dtype")(int(v));
        } else if constexpr (std::is_same_v<T, Shape>) {
          return kinds().shape(shapeToPython(v));
        } else {
          return argumentToPython(a);
        }
      },
      a);
}

// The graph of the first tensor in a value.
py::object graphOf(py::handle v) {
  if (PyList_Check(v.ptr()) || PyTuple_Check(v.ptr())) {
    const RecursionGuard guard;
    for (py::handle item : v) {
      if (py::object g = graphOf(item)) return g;
    }
    return {};
  }
  if (v.is_none() || PyLong_Check(v.ptr()) || PyFloat_Check(v.ptr()) || PyUnicode_Check(v.ptr()) || PyType_Check(v.ptr())) return {};
  if (isTensor(v)) return eagerValue(v) ? py::object() : v.attr("graph");
  const py::object element = graphElement(v);
  if (element && !element.is_none() && isTensor(element) && !eagerValue(element)) return element.attr("graph");
  return {};
}

// `values`: in the order of the record's parameters; NotImplemented for omitted ones.
py::object build(const std::string& name, const py::tuple& values) {
  const ApiRecord* r = ApiRegistry::instance().find(name);
  if (!r) throw py::key_error(name);
  py::object graph = functionGraph();
  for (py::handle v : values) {
    if (graph || (graph = graphOf(v))) break;
  }
  if (!graph) graph = py::handle(classes().defaultGraph)();
  GraphCore& g = coreOf(graph);
  if (g.finalized) {
    PyErr_SetString(PyExc_RuntimeError, "Graph is finalized and cannot be modified.");
    throw py::error_already_set();
  }
  const EagerBuild building(g);
  Arguments arguments;
  struct Restored {
    bool before = readsRows();
    ~Restored() { readsRows() = before; }
  } restored;
  readsRows() = name == "gather" || name == "gather_nd" || name == "nn.embedding_lookup" || name == "nn.embedding_lookup_sparse";
  for (size_t i = 0; i < r->parameters.size(); ++i) {
    const py::handle v = values[i];
    if (v.ptr() != Py_NotImplemented) arguments.set(r->parameters[i].name, toArgument(g, r->parameters[i], v));
  }
  const int before = g.meta.graph.size();
  auto made = buildApi(*g.builder, name, std::move(arguments));
  if (g.raised) check(g);
  if (!made.ok() || !g.builder->ok()) {
    Error e = made.ok() ? g.builder->status().error() : made.error();
    (void)takeError(*g.builder);
    if (e.kind.empty()) e.kind = "build";
    raise(e, &g);
  }
  noteLines(g, before);
  const std::string& form = r->form;
  const auto tensor = [&](Output o) { return toPython(g, Argument(o), true); };
  // While execution is eager an operation has already run.
  const auto operation = [&] { return made->nodes.empty() || g.eager ? py::object(py::none()) : operationOf(g, made->nodes[0]); };
  if (form == "nothing") return py::none();
  if (form == "operation") return operation();
  if (form == "others") return made->others.empty() ? py::object(py::none()) : toPython(g, made->others[0], true);
  if (form == "sparse" && made->outputs.size() == 3)
    return kinds().sparse.attr("_of")(tensor(made->outputs[0]), tensor(made->outputs[1]), tensor(made->outputs[2]));
  if (form == "tensor") {
    if (!made->outputs.empty()) return tensor(made->outputs[0]);
    return operation();
  }
  py::list out;
  for (Output o : made->outputs) out.append(tensor(o));
  if (form == "tensors") return out;
  return py::tuple(out);
}

}  // namespace

void bindApi(py::module_& m) {
  m.def("api_names", [] {
    py::list out;
    for (const ApiRecord* r : ApiRegistry::instance().all()) {
      if (!r->offered) continue;
      out.append(r->name);
      for (const std::string& alias : r->aliases) out.append(alias);
    }
    return out;
  });
  m.def("api_record", [](const std::string& name) -> py::object {
    const ApiRecord* r = ApiRegistry::instance().find(name);
    return r ? py::object(describe(*r)) : py::object(py::none());
  });
  m.def("build_api", &build);
}

}  // namespace weft::python
