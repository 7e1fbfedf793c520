#include <pybind11/stl.h>

#include "module/attributes.h"
#include "module/graph_core.h"
#include "weft/program_ops.h"

// What ops are: their names and definitions, and ops that a program registers.
namespace weft::python {
namespace {

// An op's full definition, as in OpDef.
py::object definition(const std::string& name) {
  const OpRecord* r = OpRegistry::instance().find(name);
  if (!r) return py::none();
  const auto args = [](const std::vector<ArgSpec>& list) {
    py::list out;
    for (const ArgSpec& a : list)
      out.append(
          py::make_tuple(a.name, int(a.type), a.isTypeList ? std::string() : a.typeAttr, a.isTypeList ? a.typeAttr : std::string(), a.numberAttr, a.isRef));
    return out;
  };
  py::list attrs;
  for (const AttrSpec& a : r->attrs) {
    py::list types;
    for (DType t : a.allowedTypes) types.append(int(t));
    attrs.append(py::make_tuple(a.name, a.type, a.defaultValue ? py::object(py::make_tuple(attrToPython(*a.defaultValue))) : py::object(py::none()),
                                a.hasMinimum, a.minimum, types, a.allowedStrings));
  }
  return py::make_tuple(args(r->inputs), args(r->outputs), attrs,
                        py::make_tuple(r->isStateful, r->isCommutative, r->isAggregate, r->allowsUninitializedInput, r->deprecatedSince, r->deprecation));
}

// Registers an op of the program; the arguments are what definition() returns. Its outputs have unknown shapes, and it has no kernel.
void registerOp(const std::string& name, const py::list& inputs, const py::list& outputs, const py::list& attrs, const py::tuple& flags) {
  OpRecord record;
  record.name = name;
  record.category("Of the program").summary("An op that the program registered.");
  const auto args = [](const py::list& from, std::vector<ArgSpec>& to) {
    for (const py::handle item : from) {
      const auto arg = item.cast<py::tuple>();
      const auto listAttr = arg[3].cast<std::string>();
      ArgSpec& spec = to.emplace_back();
      spec.name = arg[0].cast<std::string>();
      spec.type = DType(arg[1].cast<int>());
      spec.isTypeList = !listAttr.empty();
      spec.typeAttr = spec.isTypeList ? listAttr : arg[2].cast<std::string>();
      spec.numberAttr = arg[4].cast<std::string>();
      spec.isRef = arg[5].cast<bool>();
    }
  };
  args(inputs, record.inputs);
  args(outputs, record.outputs);
  for (const py::handle item : attrs) {
    const auto attr = item.cast<py::tuple>();
    AttrSpec& spec = record.attrs.emplace_back();
    spec.name = attr[0].cast<std::string>();
    spec.type = attr[1].cast<std::string>();
    if (!attr[2].is_none()) spec.defaultValue = toAttr(attr[2].cast<py::tuple>()[0], spec, name);
    spec.hasMinimum = attr[3].cast<bool>();
    spec.minimum = attr[4].cast<int64_t>();
    for (const py::handle type : attr[5]) spec.allowedTypes.push_back(DType(type.cast<int>()));
    spec.allowedStrings = attr[6].cast<std::vector<std::string>>();
  }
  record.isStateful = flags[0].cast<bool>();
  record.isCommutative = flags[1].cast<bool>();
  record.isAggregate = flags[2].cast<bool>();
  record.allowsUninitializedInput = flags[3].cast<bool>();
  record.deprecatedSince = flags[4].cast<int>();
  record.deprecation = flags[5].cast<std::string>();
  if (Status s = registerProgramOp(std::move(record)); !s.ok()) raise(s.error(), nullptr);
}

}  // namespace

void bindOpDefinitions(py::module_& m) {
  m.def("op_names", [] {
    py::list out;
    for (const OpRecord* r : OpRegistry::instance().all()) out.append(r->name);
    return out;
  });
  m.def(
      "op_has_gradient",
      [](const std::string& op) {
        const OpRecord* r = OpRegistry::instance().find(op);
        return r && r->gradientFunction != nullptr;
      },
      "Whether the engine has a gradient function for an op.");
  m.def("op_definition", &definition);
  m.def("register_op", &registerOp);
}

}  // namespace weft::python
