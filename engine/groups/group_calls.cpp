// Groups as functions of the graph's library, and function calls as ops again.
#include <algorithm>

#include "graph/edit_internal.h"
#include "graph/function_library.h"
#include "graph/function_of_graph.h"
#include "groups/group_state.h"
#include "weft/op_traits.h"

namespace weft {

using namespace groups;

namespace {

constexpr const char* kGroupAttr = "_weft_group";  // on a call: the group, and the values that differ, each NAME=VALUE on a line of its own

Status checkFunction(const Graph& body, const Variant& v) {
  for (int id = 0; id < body.size(); ++id) {
    const Node* n = body.node(id);
    if (!n || v.isPort(id)) continue;
    const auto reference = [](DType t) { return isRef(t); };
    if (isVariable(*n) || std::any_of(n->outputTypes.begin(), n->outputTypes.end(), reference))
      return unimplemented(n->name, " (", n->op,
                           ") keeps a value by reference; a function of TensorFlow 1.x can hold neither variables nor references. Leave the variable "
                           "outside of the group and connect its value")
          .atNode(n->name);
    if (isPlaceholder(*n) || isOpenInput(*n))
      return unimplemented(n->name, " (", n->op, ") has to be fed, which is impossible inside of a function").atNode(n->name);
    if (!n->record) return unimplemented(n->name, " has the unknown op ", n->op, "; its outputs have no names, which a function needs").atNode(n->name);
  }
  return {};
}

/// A body as a serialized FunctionDef.
Result<std::string> functionOf(const Variant& v, const std::string& name, const std::string& doc) {
  WEFT_TRY(checkFunction(v.meta.graph, v));
  Graph graph = v.meta.graph;
  GraphFunction f;
  f.name = name;
  f.description = doc;
  // Arguments are named after the ports.
  for (size_t p = 0; p < v.inputNodes.size(); ++p) {
    if (!graph.find(v.inputs[p])) WEFT_TRY(graph.change(v.inputNodes[p], [&](Node& n) { n.name = v.inputs[p]; }));
    f.inputs.push_back({v.inputNodes[p], 0});
  }
  for (const int id : v.outputNodes) WEFT_TRY(graph.remove(id));
  for (size_t p = 0; p < v.results.size(); ++p) {
    f.outputs.push_back(v.results[p]);
    f.outputNames.push_back(v.outputs[p]);
  }
  return functionOfGraph(graph, f);
}

std::string textOf(const GroupInstance& record) {
  std::string out = record.group;
  for (const auto& [name, text] : record.overrides) out += "\n" + name + "=" + text;
  return out;
}

GroupInstance recordFrom(const std::string& text, const std::string& scope) {
  GroupInstance out;
  out.scope = scope;
  size_t from = 0;
  for (bool first = true; from <= text.size(); first = false) {
    const size_t end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    const size_t equals = line.find('=');
    if (first) out.group = line;
    else if (equals != line.npos) out.overrides[line.substr(0, equals)] = line.substr(equals + 1);
    from = end + 1;
  }
  return out;
}

}  // namespace

Status GroupEditor::toFunction(std::string_view at) {
  s_->readAgain();
  WEFT_LET(GroupInstance* const i, s_->needInstance(at));
  WEFT_LET(GroupDefinition* const d, s_->need(i->group));
  const GroupInstance record = *i;
  const std::string scope = record.scope;
  WEFT_LET(const VariantPtr old, s_->variant(*d, State::validValues(record, *d)));
  // The ops as they are, whatever the definition says.
  std::vector<std::string> quiet;
  WEFT_LET(const GroupDefinition here, capture(s_->layers, scope, d, old.get(), quiet));
  WEFT_LET(LoadedGraph body, groupBody(here));
  Variant v;
  v.meta = std::move(body.meta);
  WEFT_TRY(readVariant(here, v));
  Graph& graph = s_->graph();
  std::string name = record.group;
  auto bytes = functionOf(v, name, d->doc);
  if (!bytes.ok()) return Error(bytes.error()).atNode(scope);
  // Instances of the same ops share a function.
  for (int k = 1; (graph.functions && graph.functions->contains(name)) || OpRegistry::instance().find(name); ++k) {
    if (graph.functions && graph.functions->contains(name) && otherFunction(graph, std::vector<std::string>{*bytes}).empty()) break;
    name = record.group + "_" + std::to_string(k);
    WEFT_LET(bytes, functionOf(v, name, d->doc));
  }
  if (!graph.functions || !graph.functions->contains(name)) WEFT_TRY(addFunctions(graph, {*bytes}, {""}));
  const RecipesByScope none;
  const std::vector<Output> inputs = boundInputs(s_->editor(), none, scope, v), results = boundOutputs(graph, none, scope, v);
  Node call;
  call.name = scope;
  call.op = name;
  call.record = recordOf(graph, name);
  if (!call.record) return internalError("The function ", name, " has no record");
  if (graph.find(scope)) return alreadyExists("There is a node ", scope, " beside the scope ", scope).atNode(scope);
  AttrMap attrs;
  WEFT_LET(const NodeSignature signature, resolveSignature(*call.record, attrs));
  call.attrs = std::move(attrs);
  call.attrs.set(kGroupAttr, textOf(record));
  call.inputTypes = signature.inputTypes;
  call.outputTypes = signature.outputTypes;
  for (const Output o : results) call.outputShapes.push_back(o.valid() ? graph.shape(o) : Shape::unknown());
  for (size_t p = 0; p < inputs.size(); ++p) {
    if (inputs[p].valid()) {
      call.inputs.push_back(inputs[p]);
      continue;
    }
    WEFT_LET(const int standIn, EditStandIns::add(s_->editor(), call, int(p), call.inputTypes[p]));
    call.inputs.push_back({standIn, 0});
  }
  const std::vector<int> gone = nodesOf(graph, {scope})[0];
  const std::set<int> leaving(gone.begin(), gone.end());
  // What the ops inside wait for, the call waits for.
  for (const int node : gone)
    for (const int control : graph.node(node)->controls)
      if (!leaving.count(control) && !std::count(call.controls.begin(), call.controls.end(), control)) call.controls.push_back(control);
  WEFT_LET(const int id, graph.add(std::move(call)));
  s_->editor().touch(id);
  // And what waits for an op inside waits for the call.
  for (int reader = 0; reader < graph.size(); ++reader) {
    const Node* n = graph.node(reader);
    if (!n || reader == id || leaving.count(reader) || std::none_of(n->controls.begin(), n->controls.end(), [&](int at) { return leaving.count(at) > 0; }))
      continue;
    WEFT_TRY(graph.change(reader, [&](Node& node) {
      std::erase_if(node.controls, [&](int at) { return leaving.count(at) > 0; });
      node.controls.push_back(id);
    }));
    s_->editor().touch(reader);
  }
  for (size_t p = 0; p < results.size(); ++p) {
    if (!results[p].valid()) continue;
    for (int reader = 0; reader < graph.size(); ++reader) {
      const Node* n = graph.node(reader);
      if (!n || reader == id || inside(n->name, scope) || !std::count(n->inputs.begin(), n->inputs.end(), results[p])) continue;
      WEFT_TRY(graph.change(reader, [&](Node& node) { std::replace(node.inputs.begin(), node.inputs.end(), results[p], Output{id, int(p)}); }));
      s_->editor().touch(reader);
    }
  }
  std::vector<Recipe> recipes = recipesOf(s_->editor().meta());
  std::erase_if(recipes, [&](const Recipe& r) { return inside(r.scope, scope); });
  for (Recipe& r : recipes)
    for (std::string& input : r.inputs)
      for (size_t p = 0; p < results.size(); ++p)
        if (results[p].valid() && input == graph.tensorName(results[p])) input = scope + ":" + std::to_string(p);
  setRecipes(s_->editor().meta(), recipes);
  std::erase_if(s_->instances, [&](const GroupInstance& other) { return other.scope == scope || inside(other.scope, scope); });
  s_->write();
  return s_->editor().remove(gone);
}

Status GroupEditor::inlineCall(std::string_view node) {
  s_->readAgain();
  Graph& graph = s_->graph();
  WEFT_LET(const int id, s_->editor().find(node));
  const Node call = *graph.node(id);
  if (!graph.functions || !graph.functions->contains(call.op))
    return failedPrecondition(call.name, " (", call.op, ") calls no function of this graph").atNode(call.name);
  std::vector<Output> inputs = call.inputs, results(call.outputTypes.size());
  const GroupInstance record = recordFrom(call.attrs.text(kGroupAttr), call.name);
  WEFT_LET(const auto body, graph.functions->instantiate(call.op, call.attrs));
  const std::string scope = call.name;
  if (!nodesOf(graph, {scope})[0].empty()) return alreadyExists("There is a scope ", scope, " already").atNode(scope);
  bool stamped = false;
  if (const GroupDefinition* d = record.group.empty() ? nullptr : s_->find(record.group)) {
    const auto v = s_->variant(*d, record.overrides);
    const auto now = v.ok() && (*v)->inputs.size() == inputs.size() ? functionOf(**v, call.op, d->doc) : Result<std::string>(notFound(""));
    Graph trial;
    const bool same = now.ok() && addFunctions(trial, {*now}, {""}).ok() && [&] {
      const auto other = trial.functions->instantiate(call.op, call.attrs);
      if (!other.ok() || (*other)->graph.nodeCount() != body->graph.nodeCount()) return false;
      for (int k = 0; k < body->graph.size(); ++k) {
        const Node* a = body->graph.node(k);
        const Node* b = a ? (*other)->graph.find(a->name) : nullptr;
        if (a && (!b || a->op != b->op || !(a->attrs == b->attrs) || a->inputs.size() != b->inputs.size())) return false;
        for (size_t i = 0; a && i < a->inputs.size(); ++i)
          if (body->graph.tensorName(a->inputs[i]) != (*other)->graph.tensorName(b->inputs[i])) return false;
      }
      if (body->results.size() != (*other)->results.size()) return false;
      for (size_t i = 0; i < body->results.size(); ++i)
        if (body->graph.tensorName(body->results[i]) != (*other)->graph.tensorName((*other)->results[i])) return false;
      return true;
    }();
    if (same) {
      // The group as it was, with its layers.
      Job job;
      job.scope = scope;
      job.after = *v;
      job.record = record;
      job.record.version = d->version;
      for (const Output o : inputs) job.inputs.push_back(isOpenInput(*graph.node(o.node)) ? Output{} : o);
      const std::vector<Output> local = (*v)->results;
      std::vector<std::string> names;
      for (const Output o : local) names.push_back((*v)->meta.graph.tensorName(o));
      std::vector<Job> jobs{std::move(job)};
      WEFT_TRY(s_->stampAll(jobs));
      for (size_t p = 0; p < names.size() && p < results.size(); ++p)
        if (const auto o = graph.findOutput(scope + "/" + names[p]); o.ok()) results[p] = *o;
      stamped = true;
    }
  }
  if (!stamped) {
    std::map<int, Output> args;
    for (size_t k = 0; k < body->args.size() && k < inputs.size(); ++k) args[body->args[k].node] = inputs[k];
    std::map<int, int> ids;
    for (int k = 0; k < body->graph.size(); ++k) {
      const Node* n = body->graph.node(k);
      if (!n || args.count(k)) continue;
      Node added = *n;
      added.name = scope + "/" + n->name;
      added.raw = nullptr;
      added.inputs.clear();
      added.controls = call.controls;
      if (added.device.empty()) added.device = call.device;
      WEFT_LET(ids[k], graph.add(std::move(added)));
      s_->editor().touch(ids[k]);
    }
    const auto here = [&](Output o) { return args.count(o.node) ? args.at(o.node) : Output{ids.at(o.node), o.index}; };
    for (const auto& [from, to] : ids) {
      const Node& n = *body->graph.node(from);
      WEFT_TRY(graph.change(to, [&](Node& added) {
        for (const Output o : n.inputs) added.inputs.push_back(here(o));
        for (const int c : n.controls)
          if (ids.count(c)) added.controls.push_back(ids.at(c));
      }));
    }
    for (size_t p = 0; p < body->results.size() && p < results.size(); ++p) results[p] = here(body->results[p]);
    if (!record.group.empty() && s_->find(record.group)) {
      GroupInstance kept = record;
      s_->instances.push_back(kept);
      s_->write();
    }
  }
  std::vector<Recipe> recipes = recipesOf(s_->editor().meta());
  for (Recipe& r : recipes)
    for (std::string& input : r.inputs)
      for (size_t p = 0; p < results.size(); ++p)
        if (results[p].valid() && input == scope + ":" + std::to_string(p)) input = graph.tensorName(results[p]);
  setRecipes(s_->editor().meta(), recipes);
  s_->layers.refresh();
  for (size_t p = 0; p < results.size(); ++p)
    if (results[p].valid()) WEFT_TRY(s_->editor().moveConsumers({id, int(p)}, results[p]));
  for (int reader = 0; reader < graph.size(); ++reader) {
    const Node* n = graph.node(reader);
    if (!n || !std::count(n->controls.begin(), n->controls.end(), id)) continue;
    WEFT_TRY(graph.change(reader, [&](Node& other) {
      std::erase(other.controls, id);
      for (const Output o : results)
        if (o.valid()) other.controls.push_back(o.node);
    }));
  }
  return s_->editor().remove({id});
}

}  // namespace weft
