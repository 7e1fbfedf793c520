#include <pybind11/stl.h>

#include <algorithm>

#include "graph/builder_hooks.h"
#include "module/graph_core.h"
#include "weft/graph_text.h"

// Graphs that Python builds: scopes, lookups, shapes, text.
namespace weft::python {
namespace {

// Ends a scope of the builder. Kept by Python's context managers.
struct ScopeEnd {
  GraphBuilder::Guard guard;
};
std::unique_ptr<ScopeEnd> scope(GraphCore& g, GraphBuilder::Guard guard) {
  auto end = std::make_unique<ScopeEnd>();
  end->guard = std::move(guard);
  check(g);
  return end;
}

std::vector<int> nodesFrom(py::handle sequence) {
  std::vector<int> out;
  for (py::handle item : sequence) out.push_back(py::cast<int>(item));
  return out;
}

GraphFormat formatOf(const std::string& name) {
  if (name == "graph") return GraphFormat::GraphBinary;
  if (name == "graph_text") return GraphFormat::GraphText;
  if (name == "meta") return GraphFormat::MetaBinary;
  return GraphFormat::MetaText;
}

py::dict collectionToPython(const Collection& c) {
  py::dict out;
  const auto texts = [](const std::vector<std::string>& list) {
    py::list l;
    for (const auto& s : list) l.append(py::bytes(s));
    return l;
  };
  switch (c.kind) {
    case Collection::Kind::Nodes: {
      py::list l;
      for (const auto& s : c.nodes) l.append(py::str(s));
      out["nodes"] = l;
      break;
    }
    case Collection::Kind::Bytes: out["bytes"] = texts(c.bytes); break;
    case Collection::Kind::Anys: out["anys"] = texts(c.anys); break;
    case Collection::Kind::Ints: {
      py::list l;
      for (int64_t i : c.ints) l.append(py::int_(i));
      out["ints"] = l;
      break;
    }
    case Collection::Kind::Floats: {
      py::list l;
      for (float f : c.floats) l.append(py::float_(f));
      out["floats"] = l;
      break;
    }
  }
  return out;
}

void setCollection(GraphCore& g, const std::string& name, const std::string& kind, const py::list& items) {
  Collection c;
  for (py::handle item : items) {
    if (kind == "nodes") c.nodes.push_back(textFrom(item));
    else if (kind == "bytes") c.bytes.push_back(textFrom(item));
    else if (kind == "anys") c.anys.push_back(textFrom(item));
    else if (kind == "ints") c.ints.push_back(py::cast<int64_t>(item));
    else c.floats.push_back(py::cast<float>(item));
  }
  c.kind = kind == "nodes"   ? Collection::Kind::Nodes
           : kind == "bytes" ? Collection::Kind::Bytes
           : kind == "anys"  ? Collection::Kind::Anys
           : kind == "ints"  ? Collection::Kind::Ints
                             : Collection::Kind::Floats;
  g.meta.collections[name] = std::move(c);
}

}  // namespace

void bindGraph(py::module_& m) {
  py::class_<ScopeEnd>(m, "ScopeEnd").def("end", [](ScopeEnd& s) { s.guard = GraphBuilder::Guard(); });

  py::class_<GraphCore>(m, "GraphCore", "A graph under construction.")
      .def(py::init([](py::handle object, py::handle operations) {
        auto g = std::make_unique<GraphCore>();
        g->object = object.ptr();
        g->operations = operations.ptr();
        return g;
      }))
      .def_readwrite("finalized", &GraphCore::finalized)
      .def_readwrite("revision", &GraphCore::revision)
      .def_readwrite("capturing", &GraphCore::capturing)
      .def("size", [](GraphCore& g) { return g.meta.graph.size(); })
      .def("operation", [](GraphCore& g, int id) { return operationOf(g, id); })
      .def("find",
           [](GraphCore& g, py::handle name) {
             const Node* n = g.meta.graph.find(textFrom(name));
             return n ? n->id : -1;
           })
      // Properties of nodes.
      .def("name", [](GraphCore& g, int id) { return checkedNode(g, id).name; })
      .def("type", [](GraphCore& g, int id) { return checkedNode(g, id).op; })
      .def("device", [](GraphCore& g, int id) { return checkedNode(g, id).device; })
      .def("set_device",
           [](GraphCore& g, int id, const std::string& device) {
             ++g.revision;
             if (Status s = g.meta.graph.change(id, [&](Node& n) { n.device = device; }); !s.ok()) raise(s.error(), &g);
           })
      .def("dtype", [](GraphCore& g, int id, int i) { return int(checkedNode(g, id, i).outputTypes[size_t(i)]); })
      .def("input_types",
           [](GraphCore& g, int id) {
             py::list out;
             for (DType t : checkedNode(g, id).inputTypes) out.append(int(t));
             return out;
           })
      .def("shape", [](GraphCore& g, int id, int i) { return shapeToPython(checkedNode(g, id, i).outputShapes[size_t(i)]); })
      .def("set_shape",
           [](GraphCore& g, int id, int i, py::handle shape) {
             checkedNode(g, id, i);
             g.builder->setShape({id, i}, shapeFromPython(shape));
             check(g);
           })
      .def("replace_shape",
           [](GraphCore& g, int id, int i, py::handle shape) {
             auto shapes = checkedNode(g, id, i).outputShapes;
             shapes[size_t(i)] = shapeFromPython(shape);
             g.meta.graph.setOutputShapes(id, std::move(shapes));
           })
      .def("inputs",
           [](GraphCore& g, int id) {
             py::list out;
             const std::vector<Output> inputs = checkedNode(g, id).inputs;
             for (Output o : inputs) out.append(tensorOf(g, o));
             return out;
           })
      .def("controls", [](GraphCore& g, int id) { return std::vector<int>(checkedNode(g, id).controls); })
      .def("consumers",
           [](GraphCore& g, int id, int index) {
             checkedNode(g, id, index);
             py::list out;
             for (const auto& [output, reader] : std::vector(g.readers().inputs[size_t(id)])) {
               if (output == index) out.append(operationOf(g, reader));
             }
             return out;
           })
      .def("control_consumers",
           [](GraphCore& g, int id) {
             checkedNode(g, id);
             py::list out;
             for (int reader : std::vector(g.readers().controls[size_t(id)])) out.append(operationOf(g, reader));
             return out;
           })
      .def("attr",
           [](GraphCore& g, int id, py::handle called) -> py::object {
             const std::string name = textFrom(called);
             const Attr* a = checkedNode(g, id).attrs.find(name);
             if (!a) throw py::key_error(name);
             return attrToPython(*a);
           })
      .def("attr_names",
           [](GraphCore& g, int id) {
             py::list out;
             for (const auto& [name, value] : checkedNode(g, id).attrs) out.append(name);
             return out;
           })
      .def("line",
           [](GraphCore& g, int id) -> py::object {
             if (id >= int(g.lines.size()) || !g.lines[size_t(id)].code) return py::none();
             const auto code = py::reinterpret_borrow<py::object>(g.lines[size_t(id)].code);
             return py::make_tuple(code.attr("co_filename"), g.lines[size_t(id)].line, code.attr("co_name"));
           })
      // Changes.
      .def("update_input",
           [](GraphCore& g, int id, int i, py::handle tensor) {
             const TensorRef ref = refOf(tensor);
             if (!ref.graph) throw py::type_error("tensor must be a Tensor: " + py::cast<std::string>(py::str(tensor)));
             if (const auto inputs = int(checkedNode(g, id).inputs.size()); i < 0 || i >= inputs)
               raise(outOfRange("Cannot update edge. Input index [", i, "] is greater than the number of total inputs [", inputs, "]."), &g);
             if (ref.graph != &g)
               throw py::value_error(py::cast<std::string>(py::str(tensor)) + " must be from the same graph as " +
                                     py::cast<std::string>(py::repr(operationOf(g, id))) + ".");
             const Output old = checkedNode(g, id).inputs[size_t(i)];
             const Shape before = g.builder->shape(old), after = g.builder->shape(ref.output);
             if (!after.compatibleWith(before))
               raise(invalidArgument("Cannot update edge, incompatible shapes: ", after.toString(), " and ", before.toString(), "."), &g);
             // A wrong type is refused by the next step, as in TensorFlow.
             const DType wanted = baseType(g.builder->dtype(old)), given = baseType(g.builder->dtype(ref.output));
             const auto known = g.mistyped.find({id, i});
             if (const DType right = known == g.mistyped.end() ? wanted : known->second.first; right == given) {
               g.mistyped.erase({id, i});
             } else {
               g.mistyped[{id, i}] = {right, concat("Input ", i, " of node ", checkedNode(g, id).name, " was passed ", dtypeShortName(given), " from ",
                                                    g.meta.graph.tensorName(ref.output), " incompatible with expected ", dtypeShortName(right), ".")};
             }
             ++g.revision;
             g.builder->updateInput(id, i, ref.output);
             check(g);
           })
      .def("remove_control_inputs",
           [](GraphCore& g, int id) {
             ++g.revision;
             if (Status s = g.meta.graph.change(id, [](Node& n) { n.controls.clear(); }); !s.ok()) raise(s.error(), &g);
           })
      .def("keep_stacks_by_thread", [](GraphCore& g) { keepStacksByThread(*g.builder); })
      .def("add_control_inputs",
           [](GraphCore& g, int id, py::handle nodes) {
             ++g.revision;
             g.builder->addControlInputs(id, nodesFrom(nodes));
             check(g);
           })
      .def("drop_control_inputs",
           [](GraphCore& g, int id, const std::vector<int>& dropped) {
             ++g.revision;
             const auto isDropped = [&](int c) { return std::find(dropped.begin(), dropped.end(), c) != dropped.end(); };
             const auto drop = [&](Node& n) { n.controls.erase(std::remove_if(n.controls.begin(), n.controls.end(), isDropped), n.controls.end()); };
             if (Status s = g.meta.graph.change(id, drop); !s.ok()) raise(s.error(), &g);
           })
      .def("set_class_attr",
           [](GraphCore& g, int id, const std::vector<std::string>& groups) {
             ++g.revision;
             Status s = g.meta.graph.change(id, [&](Node& n) {
               if (groups.empty()) n.attrs.erase("_class");
               else n.attrs.set("_class", groups);
             });
             if (!s.ok()) raise(s.error(), &g);
           })
      .def("set_attr_text",
           [](GraphCore& g, int id, std::string_view name, const std::string& value) {
             ++g.revision;
             if (Status s = g.meta.graph.change(id, [&](Node& n) { n.attrs.set(name, value); }); !s.ok()) raise(s.error(), &g);
           })
      .def("set_attr_flag",
           [](GraphCore& g, int id, std::string_view name, bool value) {
             ++g.revision;
             if (Status s = g.meta.graph.change(id, [&](Node& n) { n.attrs.set(name, value); }); !s.ok()) raise(s.error(), &g);
           })
      // Scopes.
      .def("name_scope", [](GraphCore& g, py::handle name) { return scope(g, g.builder->nameScope(textFrom(name))); })
      .def("current_scope", [](GraphCore& g) { return g.builder->currentScope(); })
      .def(
          "unique_name", [](GraphCore& g, py::handle name, py::handle mark) { return g.builder->uniqueName(textFrom(name), truthOf(mark)); }, py::arg("name"),
          py::arg("mark_as_used") = true)
      .def("control_dependencies", [](GraphCore& g, py::handle nodes) { return scope(g, g.builder->controlDependencies(nodesFrom(nodes))); })
      .def("clear_control_dependencies", [](GraphCore& g) { return scope(g, g.builder->clearControlDependencies()); })
      .def("pending_controls", [](GraphCore& g) { return g.builder->pendingControls({}); })
      .def("device_scope",
           [](GraphCore& g, py::object device) {
             return scope(g, device.is_none() ? g.builder->device(std::string_view()) : g.builder->device(textFrom(device)));
           })
      .def("device_function_scope",
           [](GraphCore& g, const py::object& choose) {
             // choose(name, type, device so far, input tensors) -> device as text
             return scope(g, chooseDevices(*g.builder, [&g, choose](const Node& n) {
                            py::list inputs;
                            for (Output o : n.inputs) inputs.append(tensorOf(g, o));
                            return textFrom(choose(n.name, n.op, n.device, inputs));
                          }));
           })
      .def("colocate_with", [](GraphCore& g, int node, bool ignoreExisting) { return scope(g, g.builder->colocateWith(node, ignoreExisting)); })
      .def("attr_scope",
           [](GraphCore& g, const py::dict& attrs) {
             AttrMap map;
             for (const auto& [name, value] : attrs) {
               if (PyBool_Check(value.ptr())) map.set(textFrom(name), py::cast<bool>(value));
               else if (PyList_Check(value.ptr())) map.set(textFrom(name), py::cast<std::vector<std::string>>(value));
               else if (PyLong_Check(value.ptr())) map.set(textFrom(name), intFrom(value));
               else if (PyFloat_Check(value.ptr())) map.set(textFrom(name), py::cast<float>(value));
               else map.set(textFrom(name), textFrom(value));
             }
             return scope(g, g.builder->attrScope(std::move(map)));
           })
      .def("set_gradient_overrides",
           [](GraphCore& g, const std::map<std::string, std::string>& overrides) {
             g.builder->extension<GradientOverrides>().byOp = {overrides.begin(), overrides.end()};
           })
      .def("set_seed", [](GraphCore& g, py::handle seed) { g.builder->setGraphSeed(optionalSeed(seed)); })
      .def("set_seed_source",
           [](GraphCore& g, const py::object& next) {
             g.builder->extension<OpSeedSource>().next = [next = next.ptr()] { return py::cast<int64_t>(py::handle(next)()); };
             g.seedSource = next;
           })
      .def("seeds_for", [](GraphCore& g, py::handle seed) { return g.builder->seedsFor(optionalSeed(seed)); })
      .def("constant_value",
           [](GraphCore& g, int id, int i) -> py::object {
             checkedNode(g, id, i);
             const auto v = g.builder->constantValue({id, i});
             return v ? arrayFromTensor(*v, false) : py::object(py::none());
           })
      // Collections that C++ functions read and write.
      .def("collection_names",
           [](GraphCore& g) {
             py::list out;
             for (const auto& [name, c] : g.meta.collections) out.append(name);
             return out;
           })
      .def("collection",
           [](GraphCore& g, const std::string& name) -> py::object {
             const auto it = g.meta.collections.find(name);
             return it == g.meta.collections.end() ? py::object(py::none()) : py::object(collectionToPython(it->second));
           })
      .def("collection_size",
           [](GraphCore& g, const std::string& name) {
             const auto it = g.meta.collections.find(name);
             if (it == g.meta.collections.end()) return size_t(0);
             const Collection& c = it->second;
             return c.nodes.size() + c.bytes.size() + c.ints.size() + c.floats.size() + c.anys.size();
           })
      .def("set_collection", [](GraphCore& g, const std::string& name, const std::string& kind, const py::list& items) { setCollection(g, name, kind, items); })
      // Adds one item; false if the collection holds items of another kind.
      .def("add_to_collection",
           [](GraphCore& g, const std::string& name, bool isMessage, std::string item) {
             const bool isNew = !g.meta.collections.contains(name);
             Collection& c = g.meta.collections[name];
             const auto kind = isMessage ? Collection::Kind::Bytes : Collection::Kind::Nodes;
             if (isNew) c.kind = kind;
             if (c.kind != kind) return false;
             (isMessage ? c.bytes : c.nodes).push_back(std::move(item));
             return true;
           })
      .def("erase_collection", [](GraphCore& g, const std::string& name) { g.meta.collections.erase(name); })
      // Files.
      .def("node_def", [](GraphCore& g, int id) { return py::bytes(valueOf(serializeNode(g.meta.graph, id), &g)); })
      .def("serialize", [](GraphCore& g, const std::string& format) { return py::bytes(valueOf(serializeGraph(g.meta, formatOf(format)), &g)); })
      .def("versions",
           [](GraphCore& g) { return py::make_tuple(g.meta.graph.versions.producer, g.meta.graph.versions.minConsumer, g.meta.graph.versions.badConsumers); })
      .def("has_functions", [](GraphCore& g) { return g.meta.graph.functions != nullptr; });
}

}  // namespace weft::python
