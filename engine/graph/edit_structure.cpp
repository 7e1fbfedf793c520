// Compound edits: scopes, inserting and replacing nodes, muting nodes.
#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "graph/attr_proto.h"
#include "graph/edit_internal.h"
#include "graph/function_library.h"
#include "graph/graph_assembler.h"
#include "proto/graph.pb.h"

namespace weft {
namespace {

/// `names`: nodes, old -> new; `scopes`: scopes that are renamed as a whole, old -> new, each ending in '/', so that references to them follow.
Status renameMany(GraphEditor& editor, const std::map<std::string, std::string>& names, const std::map<std::string, std::string>& scopes) {
  std::vector<int> ids;
  for (const auto& [from, to] : names) {
    WEFT_LET(const int id, editor.find(from));
    if (!isValidNodeName(to) || to[0] == '_') return invalidArgument("'", to, "' is not a valid node name").atNode(from);
    if (editor.graph().find(to) && !names.count(to)) return alreadyExists("There is a node ", to, " already").atNode(from);
    ids.push_back(id);
  }
  // In two steps, because a new name may belong to a node that is renamed later.
  for (const int id : ids) WEFT_TRY(editor.graph().change(id, [&](Node& n) { n.name = names.at(n.name) + "\x01"; }));
  for (const int id : ids) {
    WEFT_TRY(editor.graph().change(id, [&](Node& n) { n.name.pop_back(); }));
    editor.touch(id);
  }
  const auto renamed = [&](std::string& text) {
    if (const auto it = names.find(text); it != names.end()) text = it->second;
    else if (const auto scope = scopes.find(text + "/"); scope != scopes.end()) text = scope->second.substr(0, scope->second.size() - 1);
  };
  for (Error& e : editor.problems()) renamed(e.node);
  std::map<std::string, std::string> all = names;
  all.insert(scopes.begin(), scopes.end());
  renameReferences(editor.meta(), all);
  return {};
}

}  // namespace

Result<std::string> GraphEditor::group(const std::vector<int>& nodes, std::string_view name) {
  if (nodes.empty()) return invalidArgument("There is nothing to put into a scope");
  std::string_view parent = scopeOf(graph().node(nodes[0])->name);
  for (const int id : nodes) parent = commonScope(parent, scopeOf(graph().node(id)->name));
  const std::string before = parent.empty() ? std::string() : std::string(parent) + "/";
  const std::string scope = uniqueName(before + std::string(name.empty() ? "scope" : name));
  std::map<std::string, std::string> names, scopes;
  std::map<std::string, int> rest;  // by scope: number of nodes that stay
  for (const int id : nodes) {
    const std::string& old = graph().node(id)->name;
    names[old] = scope + "/" + old.substr(before.size());
    for (size_t slash = old.find('/', before.size()); slash != old.npos; slash = old.find('/', slash + 1)) rest.emplace(old.substr(0, slash + 1), 0);
  }
  for (int id = 0; id < graph().size(); ++id) {
    const Node* n = graph().node(id);
    if (!n || names.count(n->name)) continue;
    for (size_t slash = n->name.find('/'); slash != std::string::npos; slash = n->name.find('/', slash + 1))
      if (const auto it = rest.find(n->name.substr(0, slash + 1)); it != rest.end()) ++it->second;
  }
  for (const auto& [inner, staying] : rest)
    if (staying == 0) scopes[inner] = scope + "/" + inner.substr(before.size());
  WEFT_TRY(renameMany(*this, names, scopes));
  return scope;
}

Status moveIntoScopes(GraphEditor& editor, const std::map<std::string, std::vector<int>>& moves) {
  const Graph& graph = editor.graph();
  std::map<std::string, std::string> names, scopes;
  struct Inner {
    std::string target;
    int moved = 0, nodes = 0;
  };
  std::unordered_map<std::string, Inner> inner;  // scopes with nodes that move
  for (const auto& [scope, nodes] : moves) {
    const std::string parent(scopeOf(scope)), before = parent.empty() ? std::string() : parent + "/";
    for (const int id : nodes) {
      const std::string& old = graph.node(id)->name;
      names[old] = scope + "/" + old.substr(before.size());
      for (size_t slash = old.find('/', before.size()); slash != old.npos; slash = old.find('/', slash + 1)) {
        Inner& i = inner[old.substr(0, slash + 1)];
        std::string target = scope + "/" + old.substr(before.size(), slash + 1 - before.size());
        if (i.moved > 0 && i.target != target) continue;  // parts of it go to several scopes
        i.target = std::move(target);
        ++i.moved;
      }
    }
  }
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n) continue;
    for (size_t slash = n->name.find('/'); slash != std::string::npos; slash = n->name.find('/', slash + 1))
      if (const auto it = inner.find(n->name.substr(0, slash + 1)); it != inner.end()) ++it->second.nodes;
  }
  for (const auto& [scope, i] : inner)
    if (i.moved == i.nodes) scopes[scope] = i.target;
  return renameMany(editor, names, scopes);
}

Status GraphEditor::ungroup(std::string_view scope) {
  const std::string prefix = std::string(scope) + "/", parent(scopeOf(scope)), before = parent.empty() ? std::string() : parent + "/";
  std::map<std::string, std::string> names, scopes, parts;  // parts: nodes and scopes directly in the scope
  std::set<std::string> taken;                              // names in use outside the scope
  for (int id = 0; id < graph().size(); ++id) {
    const Node* n = graph().node(id);
    if (!n || n->name.starts_with(prefix) || !n->name.starts_with(before)) continue;
    taken.insert(n->name.substr(before.size(), n->name.find('/', before.size()) - before.size()));
  }
  for (int id = 0; id < graph().size(); ++id) {
    const Node* n = graph().node(id);
    if (!n || !n->name.starts_with(prefix)) continue;
    const size_t slash = n->name.find('/', prefix.size());
    const std::string part = n->name.substr(prefix.size(), slash == n->name.npos ? slash : slash - prefix.size());
    auto it = parts.find(part);
    if (it == parts.end()) {
      std::string now = part;
      for (int i = 1; taken.count(now); ++i) now = part + "_" + std::to_string(i);
      taken.insert(now);
      it = parts.emplace(part, now).first;
    }
    names[n->name] = before + it->second + (slash == n->name.npos ? std::string() : n->name.substr(slash));
    if (slash != n->name.npos) scopes[prefix + part + "/"] = before + it->second + "/";
  }
  if (names.empty()) return notFound("There is no scope ", scope, " in this graph");
  return renameMany(*this, names, scopes);
}

Result<int> GraphEditor::insert(InputPlace wire, std::string_view op, std::string_view name, const TextAttrs& attrs) {
  const Node* reader = graph().node(wire.node);
  if (!reader || wire.append || wire.index >= int(reader->inputs.size())) return invalidArgument("There is no wire to put ", op, " on");
  const Output source = reader->inputs[size_t(wire.index)];
  const std::string scope(scopeOf(reader->name));
  const std::string given(name.empty() ? op : name);
  WEFT_LET(const int id, add(op, name.empty() && !scope.empty() ? scope + "/" + given : given, attrs));
  if (graph().node(id)->inputs.empty() || graph().node(id)->outputTypes.empty())
    return invalidArgument(op, " cannot stand on a wire: it has no ", graph().node(id)->inputs.empty() ? "inputs" : "outputs");
  // Uses the first input that accepts the tensor such that the output suits the reader.
  const int inputs = int(graph().node(id)->inputs.size());
  Error last = invalidArgument("");
  const MetaGraph before = meta_;
  const std::set<int> touchedBefore = touched_;
  for (int i = 0; i < inputs; ++i) {
    if (!isOpenInput(*graph().node(source.node))) {
      if (Status s = connect(source, {id, i, false}); !s.ok()) {
        last = s.error();
        meta_ = before;
        touched_ = touchedBefore;
        continue;
      }
    }
    if (Status s = connect({id, 0}, wire); s.ok()) return id;
    else last = s.error();
    meta_ = before;
    touched_ = touchedBefore;
  }
  return last;
}

Result<int> GraphEditor::replace(int old, std::string_view op, const TextAttrs& attrs) {
  const Node was = *graph().node(old);
  WEFT_LET(const int id, add(op, was.name + "_new", attrs));
  const OpRecord* record = graph().node(id)->record;
  // Attributes of the same name and kind are kept.
  for (const auto& [name, value] : was.attrs) {
    const AttrSpec *now = record->findAttr(name), *before = was.record ? was.record->findAttr(name) : nullptr;
    const bool given = std::any_of(attrs.begin(), attrs.end(), [&, n = name](const auto& a) { return a.first == n; });
    if (!now || !before || given || now->type != before->type || now->type == "type") continue;
    AttrMap changed = graph().node(id)->attrs;
    changed.set(name, value);
    const MetaGraph saved = meta_;
    std::set<int> visiting;
    if (!adoptSignature(id, std::move(changed), visiting).ok()) meta_ = saved;
  }
  for (size_t i = 0; i < was.inputs.size(); ++i) {
    if (isOpenInput(*graph().node(was.inputs[i].node))) continue;
    const Node& n = *graph().node(id);
    const bool fits = i < n.inputs.size();
    const MetaGraph saved = meta_;
    if (!fits && (record->inputs.empty() || record->inputs.back().numberAttr.empty())) break;
    if (!connect(was.inputs[i], {id, int(i), !fits}).ok()) meta_ = saved;
  }
  WEFT_TRY(graph().change(id, [&](Node& n) {
    n.controls = was.controls;
    n.device = was.device;
  }));
  for (size_t k = 0; k < was.outputTypes.size(); ++k) {
    const auto readers = graph().consumers();
    const bool read = std::any_of(readers[size_t(old)].begin(), readers[size_t(old)].end(), [&](int r) {
      const Node& n = *graph().node(r);
      return std::count(n.inputs.begin(), n.inputs.end(), Output{old, int(k)}) > 0;
    });
    if (!read) continue;
    if (k >= graph().node(id)->outputTypes.size()) return invalidArgument(op, " has no output ", k, ", which is read").atNode(was.name);
    WEFT_TRY(moveConsumers({old, int(k)}, {id, int(k)}));
  }
  for (int reader = 0; reader < graph().size(); ++reader) {
    const Node* n = graph().node(reader);
    if (n && std::count(n->controls.begin(), n->controls.end(), old))
      WEFT_TRY(graph().change(reader, [&](Node& node) { std::replace(node.controls.begin(), node.controls.end(), old, id); }));
  }
  // References to the node now refer to the new one.
  renameReferences(meta_, {{was.name, graph().node(id)->name}});
  WEFT_TRY(remove({old}));
  WEFT_TRY(rename(id, was.name));
  return id;
}

Status GraphEditor::mute(int id, Output source) {
  const Node n = *graph().node(id);
  if (isMuted(n)) return failedPrecondition(n.name, " is muted already").atNode(n.name);
  if (n.outputTypes.empty()) return invalidArgument(n.name, " has no output that could be passed by").atNode(n.name);
  const DType type = baseType(n.outputTypes[0]);
  if (!source.valid()) {
    for (const Output o : n.inputs) {
      if (isOpenInput(*graph().node(o.node)) || baseType(graph().dtype(o)) != type) continue;
      source = o;
      break;
    }
  }
  if (!source.valid() || baseType(graph().dtype(source)) != type || isRef(n.outputTypes[0]))
    return invalidArgument(n.name, " (", n.op, ") has no input of type ", dtypeName(type), " that could be handed on in place of its output").atNode(n.name);
  for (int reader = 0; reader < graph().size(); ++reader) {
    const Node* r = graph().node(reader);
    for (const Output o : r ? r->inputs : std::vector<Output>())
      if (o.node == id && o.index > 0) return invalidArgument(n.name, " cannot be muted: ", r->name, " reads its output ", o.index).atNode(n.name);
  }
  tensorflow::NodeDef def;
  WEFT_TRY(nodeToProto(graph(), n, &def));
  std::set<int> openInputs;
  for (const Output o : n.inputs)
    if (isOpenInput(*graph().node(o.node))) openInputs.insert(o.node);
  WEFT_TRY(graph().change(id, [&](Node& node) {
    node.op = "Identity";
    node.record = OpRegistry::instance().find(node.op);
    node.inputs = {source};
    node.inputTypes = {type};
    node.outputTypes = {type};
    node.outputShapes.assign(1, Shape::unknown());
    node.attrs = AttrMap{{"T", type}, {kMutedAttr, def.SerializeAsString()}};
    node.defaulted.clear();
  }));
  for (const int openInput : openInputs) removeIfOpenInput(openInput);
  touched_.insert(id);
  return {};
}

Status GraphEditor::unmute(int id) {
  const Node& n = *graph().node(id);
  tensorflow::NodeDef def;
  if (!isMuted(n)) return failedPrecondition(n.name, " is not muted").atNode(n.name);
  if (!def.ParseFromString(n.attrs.text(kMutedAttr))) return dataLoss("what ", n.name, " was cannot be read").atNode(n.name);
  const OpRecord* record = recordOf(graph(), def.op());
  if (!record) return notFound("Op type not registered '", def.op(), "'").atNode(n.name);
  AttrMap attrs;
  for (const auto& [name, value] : def.attr()) {
    WEFT_LET(Attr a, attrFromProto(value));
    attrs.set(name, std::move(a));
  }
  std::vector<std::string> defaulted;
  WEFT_LET(const NodeSignature signature, resolveSignature(*record, attrs, &defaulted));
  std::vector<Output> inputs;
  for (const std::string& input : def.input()) {
    if (input.starts_with('^')) continue;
    const auto o = output(input);
    inputs.push_back(o.ok() ? *o : Output{});
  }
  inputs.resize(signature.inputTypes.size());
  const Output now = n.inputs[0];
  if (!inputs.empty() && !inputs[0].valid()) inputs[0] = now;
  WEFT_TRY(graph().change(id, [&](Node& node) {
    node.op = def.op();
    node.record = record;
    node.attrs = attrs;
    node.defaulted = defaulted;
    node.inputTypes = signature.inputTypes;
    node.outputTypes = signature.outputTypes;
    node.outputShapes.assign(node.outputTypes.size(), Shape::unknown());
    node.inputs = inputs;
  }));
  touched_.insert(id);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].valid() && !isOpenInput(*graph().node(inputs[i].node))) continue;
    WEFT_LET(const int openInput, addOpenInput(*graph().node(id), int(i), signature.inputTypes[i]));
    WEFT_TRY(graph().change(id, [&](Node& node) { node.inputs[i] = {openInput, 0}; }));
  }
  std::set<int> visiting;
  return settleTypes(*this, id, visiting);
}

}  // namespace weft
