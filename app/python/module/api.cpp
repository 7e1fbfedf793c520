#include <pybind11/stl.h>

#include "module/graph_core.h"
#include "weft/api.h"

// Functions that are built from ops, by their records.
namespace weft::python {
namespace {

py::object argumentToPython(const Argument& a) {
  return std::visit(
      [](const auto& v) -> py::object {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, int64_t> || std::is_same_v<T, double> || std::is_same_v<T, bool>) return py::cast(v);
        else if constexpr (std::is_same_v<T, DType>) return py::make_tuple("type", int(v));
        else if constexpr (std::is_same_v<T, Shape>) return py::make_tuple("shape", shapeToPython(v));
        else if constexpr (std::is_same_v<T, std::vector<int64_t>>) return py::cast(v);
        else return py::none();
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
  py::list parameters;
  for (const ApiParameter& p : r.parameters) {
    py::dict d;
    d["name"] = p.name;
    d["type"] = p.type;
    d["required"] = !p.otherwise.has_value();
    d["default"] = p.otherwise ? argumentToPython(*p.otherwise) : py::object(py::none());
    d["doc"] = p.doc;
    d["choices"] = p.choices;
    parameters.append(d);
  }
  out["parameters"] = parameters;
  return out;
}

Argument argumentFromPython(GraphCore& g, const ApiParameter& p, py::handle v) {
  if (v.is_none()) return std::monostate{};
  if (p.type == "tensor") return refOf(v).output;
  if (p.type == "tensors") return outputsFrom(g, v);
  if (p.type == "string") return py::cast<std::string>(v);
  if (p.type == "int") return py::cast<int64_t>(v);
  if (p.type == "float") return py::cast<double>(v);
  if (p.type == "bool") return py::cast<bool>(v);
  if (p.type == "dtype") return dtypeFromPython(v);
  if (p.type == "shape") return shapeFromPython(v);
  if (p.type == "ints") return PyLong_Check(v.ptr()) ? std::vector<int64_t>{py::cast<int64_t>(v)} : py::cast<std::vector<int64_t>>(v);
  throw py::type_error("Parameter '" + p.name + "' has type " + p.type + ", which Python cannot give.");
}

py::object build(GraphCore& g, const std::string& name, const py::dict& given) {
  const ApiRecord* r = ApiRegistry::instance().find(name);
  if (!r) throw py::key_error(name);
  Arguments arguments;
  for (const auto& [key, value] : given) {
    const std::string k = py::cast<std::string>(key);
    const ApiParameter* p = r->find(k);
    if (!p) throw py::type_error(r->name + "() got an unexpected keyword argument '" + k + "'");
    arguments.set(k, argumentFromPython(g, *p, value));
  }
  const int before = g.meta.graph.size();
  auto made = buildApi(*g.builder, name, std::move(arguments));
  check(g);
  if (!made.ok()) {
    Error e = made.error();
    if (e.kind.empty()) e.kind = "build";
    raise(e, &g);
  }
  noteLines(g, before);
  py::list out;
  for (Output o : made->outputs) out.append(o.valid() ? tensorOf(g, o) : py::object(py::none()));
  for (int n : made->nodes) out.append(operationOf(g, n));
  if (py::len(out) == 1) return out[0];
  return py::tuple(out);
}

}  // namespace

void bindApi(py::module_& m) {
  m.def("api_names", [] {
    py::list out;
    for (const ApiRecord* r : ApiRegistry::instance().all()) out.append(r->name);
    return out;
  });
  m.def("api_record", [](const std::string& name) -> py::object {
    const ApiRecord* r = ApiRegistry::instance().find(name);
    return r ? py::object(describe(*r)) : py::object(py::none());
  });
  m.def("build_api", &build);
}

}  // namespace weft::python
