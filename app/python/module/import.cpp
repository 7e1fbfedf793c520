#include <pybind11/stl.h>

#include <unordered_map>

#include "graph/builder_hooks.h"
#include "graph/function_library.h"
#include "module/graph_core.h"
#include "weft/edit.h"

// tf.import_graph_def: adds the nodes of a GraphDef to a graph under construction.
namespace weft::python {
namespace {

// Merges the function libraries; functions of the same name are assumed to be equal.
std::shared_ptr<const FunctionLibrary> joined(const std::shared_ptr<const FunctionLibrary>& mine, const std::shared_ptr<const FunctionLibrary>& more) {
  if (!mine || !more) return mine ? mine : more;
  for (const std::string& name : more->names()) {
    // Parsing concatenated serialised messages joins their repeated fields.
    if (!mine->contains(name)) return std::make_shared<const FunctionLibrary>(mine->bytes() + more->bytes());
  }
  return mine;
}

// Merges the versions: the older of the two producers made some of the nodes.
void joinVersions(GraphVersions& mine, const GraphVersions& more) {
  mine.producer = std::min(mine.producer, more.producer);
  mine.minConsumer = std::max(mine.minConsumer, more.minConsumer);
  std::set<int> bad(mine.badConsumers.begin(), mine.badConsumers.end());
  bad.insert(more.badConsumers.begin(), more.badConsumers.end());
  mine.badConsumers.assign(bad.begin(), bad.end());
}

struct Importer {
  GraphCore& core;
  const Graph& from;
  std::string prefix;
  std::unordered_map<std::string, Output> tensors;  // of the GraphDef -> of this graph
  std::unordered_map<std::string, int> operations;
  std::vector<int> made;  // by id of the GraphDef; -1: not yet, or left out
  std::set<int> remapped;

  std::optional<Output> place(Output o) {
    const auto it = tensors.find(from.tensorName(o));
    if (it != tensors.end()) return it->second;
    const int id = made[size_t(o.node)];
    return id >= 0 ? std::optional(Output{id, o.index}) : std::nullopt;
  }
  std::optional<int> waitFor(int node) {
    const auto it = operations.find(from.node(node)->name);
    if (it != operations.end()) return it->second;
    return made[size_t(node)] >= 0 ? std::optional(made[size_t(node)]) : std::nullopt;
  }
  // Connects the available inputs of a node; returns whether all were connected.
  bool connect(const Node& source, Node& node, bool* mapped) {
    bool all = true;
    node.inputs.clear();
    node.controls.clear();
    for (Output o : source.inputs) {
      const auto to = place(o);
      all = all && to;
      node.inputs.push_back(to.value_or(Output{}));
      *mapped = *mapped || tensors.contains(from.tensorName(o));
    }
    for (int c : source.controls) {
      const auto to = waitFor(c);
      all = all && to;
      if (to) node.controls.push_back(*to);
    }
    return all;
  }

  // Topological order; ties follow the GraphDef's order. Loops are entered without their back edges.
  std::vector<int> order() {
    std::vector<int> result, missing(size_t(from.size()), 0);
    std::vector<std::vector<int>> users(missing.size());
    std::set<int> ready;
    const std::vector<int> all = valueOf(from.topologicalOrder(), &core);
    for (int id : all) {
      const Node& node = *from.node(id);
      const bool merge = node.op == "Merge" || node.op == "RefMerge";
      const auto waitOn = [&](int producer) {
        const std::string& op = from.node(producer)->op;
        if (merge && (op == "NextIteration" || op == "RefNextIteration")) return;
        users[size_t(producer)].push_back(id);
        ++missing[size_t(id)];
      };
      for (Output o : node.inputs) waitOn(o.node);
      for (int c : node.controls) waitOn(c);
      if (!missing[size_t(id)]) ready.insert(id);
    }
    while (!ready.empty()) {
      const int id = *ready.begin();
      ready.erase(ready.begin());
      result.push_back(id);
      for (int user : users[size_t(id)]) {
        if (!--missing[size_t(user)]) ready.insert(user);
      }
    }
    return result.size() == all.size() ? result : all;
  }

  void run(const std::set<std::string>& leftOut) {
    made.assign(size_t(from.size()), -1);
    Graph& graph = core.meta.graph;
    std::vector<int> open;
    for (int id : order()) {
      const Node& source = *from.node(id);
      if (leftOut.contains(source.name)) continue;
      Node node = source;
      node.raw = nullptr;
      node.name = core.builder->uniqueName(prefix.empty() ? source.name : prefix + "/" + source.name);
      bool mapped = false;
      if (!connect(source, node, &mapped)) open.push_back(id);
      const int added = valueOf(graph.add(std::move(node)), &core);
      made[size_t(id)] = added;
      if (mapped) remapped.insert(added);
    }
    for (int id : open) {  // the back edges of loops
      bool mapped = false;
      const Node& source = *from.node(id);
      const Status changed = graph.change(made[size_t(id)], [&](Node& n) { connect(source, n, &mapped); });
      if (!changed.ok()) raise(changed.error(), &core);
    }
    for (int id : remapped) checkTypes(id);
    if (!remapped.empty()) {
      std::vector<Error> problems;
      const Status inferred = inferShapesFrom(graph, remapped, &problems);
      if (!inferred.ok()) raise(inferred.error(), &core);
      if (!problems.empty()) {
        problems.front().kind = "build";
        raise(problems.front(), &core);
      }
    }
  }

  void checkTypes(int id) {
    const Node& n = core.builder->nodeAt(id);
    for (size_t i = 0; i < n.inputs.size() && i < n.inputTypes.size(); ++i) {
      const DType given = baseType(core.meta.graph.dtype(n.inputs[i])), wanted = baseType(n.inputTypes[i]);
      if (given == wanted || wanted == DType::Invalid) continue;
      Error e = invalidArgument("Input ", i, " of node ", n.name, " was passed ", dtypeName(given), " from ", core.meta.graph.tensorName(n.inputs[i]),
                                " incompatible with expected ", dtypeName(wanted), ".");
      e.kind = "build";
      raise(e, &core);
    }
  }
};

// `inputs`: names in the GraphDef ("a:0", "^c") -> Tensors and Operations of `core`. Returns a dict: name in the GraphDef -> id of the new node.
py::dict importNodes(GraphCore& core, const py::bytes& graphDef, const std::string& prefix, const py::dict& inputs, const std::set<std::string>& leftOut) {
  if (core.finalized) {
    PyErr_SetString(PyExc_RuntimeError, "Graph is finalized and cannot be modified.");
    throw py::error_already_set();
  }
  const auto bytes = std::make_shared<const std::string>(graphDef);
  LoadOptions options;
  options.allowUnknownOps = false;
  const LoadedGraph loaded = valueOf(loadGraphBytes(bytes, "graph_def", options), &core);
  Importer importer{core, loaded.meta.graph, prefix, {}, {}, {}, {}};
  for (const auto& [key, value] : inputs) {
    const std::string name = textFrom(key);
    if (name.starts_with('^')) {
      importer.operations[name.substr(1)] = py::cast<int>(value.attr("_node"));
    } else {
      const TensorRef ref = refOf(value);
      if (ref.graph != &core) throw py::value_error("A tensor of input_map is of another graph");
      importer.tensors[name] = ref.output;
    }
  }
  const int before = core.meta.graph.size();
  setFunctions(core.meta.graph, joined(core.meta.graph.functions, loaded.meta.graph.functions));
  joinVersions(core.meta.graph.versions, loaded.meta.graph.versions);
  importer.run(leftOut);
  noteLines(core, before);
  py::dict numbers;
  for (int id = 0; id < loaded.meta.graph.size(); ++id) {
    if (importer.made[size_t(id)] >= 0) numbers[py::str(loaded.meta.graph.node(id)->name)] = importer.made[size_t(id)];
  }
  return numbers;
}

// Applies the surrounding scopes to imported nodes. In a branch or loop this adds nodes, whose lines are recorded as well.
void applyScopes(GraphCore& core, const std::vector<int>& nodes) {
  const int before = core.meta.graph.size();
  ++core.revision;
  const Status adopted = adoptNodes(*core.builder, nodes);
  check(core);
  if (!adopted.ok()) raise(adopted.error(), &core);
  noteLines(core, before);
}

}  // namespace

void bindImport(py::module_& m) {
  m.def("import_nodes", &importNodes);
  m.def("adopt_nodes", &applyScopes);
}

}  // namespace weft::python
