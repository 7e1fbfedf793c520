// Makes a definition of the ops in a scope.
#include <algorithm>
#include <cctype>
#include <optional>

#include "graph/edit_internal.h"
#include "graph/function_library.h"
#include "groups/group_parts.h"
#include "weft/expressions.h"
#include "weft/op_traits.h"
#include "weft/parts.h"

namespace weft::groups {
namespace {

/// Whether a reader of a group's tensor counts as its user: helpers of training and files stay attached by the name of the inner tensor.
bool usesResults(Part part) { return part == Part::Network || part == Part::Helper || part == Part::Average; }

std::string portName(std::string_view name) {
  std::string out;
  for (const char c : name) out += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  return out.empty() || !std::isalpha(static_cast<unsigned char>(out[0])) ? "p" + out : out;
}

class Capture {
 public:
  Capture(LayerEditor& layers, const std::string& scope, const GroupDefinition* before, const Variant* old)
      : editor_(layers.editor()), graph_(editor_.graph()), scope_(scope), prefix_(scope + "/"), before_(before), old_(old) {}

  Result<GroupDefinition> run(std::vector<std::string>& notes) {
    for (int id = 0; id < graph_.size(); ++id)
      if (const Node* n = graph_.node(id); n && inside(n->name, scope_)) nodes_.push_back(id);
    if (nodes_.empty()) return notFound("There is no scope ", scope_, " in this graph");
    recipes_ = recipesOf(editor_.meta());
    layerAt_ = byScope(recipes_);
    WEFT_TRY(check());
    WEFT_TRY(findInputs());
    WEFT_TRY(findOutputs());
    if (before_) noteLost(notes);
    auto made = build();
    notes.insert(notes.end(), notes_.begin(), notes_.end());
    return made;
  }

 private:
  Status check() const {
    for (const int id : nodes_) {
      const Node& n = *graph_.node(id);
      if (isMuted(n)) return failedPrecondition(n.name, " is muted; a group needs the op itself: unmute it first").atNode(n.name);
      const std::string_view local = std::string_view(n.name).substr(prefix_.size());
      if (local.starts_with(kInputScope) || local.starts_with(kOutputScope))
        return invalidArgument(n.name, " lies in ", local.substr(0, local.find('/')), ", a name that groups use for their ports; rename that scope")
            .atNode(n.name);
    }
    return {};
  }

  /// "inputs" of the layer that owns this input, else the name of the op's argument.
  std::string nameFor(const Node& n, size_t k, const std::string& tensor) const {
    for (std::string_view s = scopeOf(n.name); s.size() > scope_.size(); s = scopeOf(s)) {
      const auto own = layerAt_.find(std::string(s));
      if (own == layerAt_.end()) continue;
      const ApiRecord* record = ApiRegistry::instance().findLayer(own->second->kind);
      const auto ports = record ? layerInputs(*record) : std::vector<LayerInput>();
      for (size_t i = 0; i < own->second->inputs.size() && !ports.empty(); ++i)
        if (own->second->inputs[i] == tensor) return portName(ports[std::min(i, ports.size() - 1)].name);
    }
    return portName(nameOfInput(n, int(k)));
  }

  std::string unique(const std::string& name) const {
    const auto taken = [&](const std::string& n) {
      const auto has = [&](const auto& ports) { return std::any_of(ports.begin(), ports.end(), [&](const GroupPort& p) { return p.name == n; }); };
      const auto had = [&](const std::vector<GroupPort>& ports) {
        return std::any_of(ports.begin(), ports.end(), [&](const GroupPort& p) { return p.name == n; });
      };
      return has(inputs_) || has(outputs_) || (before_ && (had(before_->inputs) || had(before_->outputs)));
    };
    std::string out = name;
    for (int i = 1; taken(out); ++i) out = name + "_" + std::to_string(i);
    return out;
  }

  int addInput(std::string name, DType type, const Shape& shape, Output source) {
    inputs_.push_back({std::move(name), baseType(type), shape, {}});
    sources_.push_back(source);
    return int(inputs_.size()) - 1;
  }

  Status findInputs() {
    // The input ports that the definition has, by reader in this instance.
    std::map<std::pair<int, int>, size_t> known;
    std::vector<int> portOf;  // new number of an old port; -1: not read any more
    std::vector<Output> bound;
    if (before_) {
      portOf.assign(before_->inputs.size(), -1);
      bound = boundInputs(editor_, layerAt_, scope_, *old_);
      for (size_t p = 0; p < old_->readers.size(); ++p)
        for (const auto& [id, k] : old_->readers[p])
          if (const Node* n = graph_.find(prefix_ + old_->meta.graph.node(id)->name)) known[{n->id, k}] = p;
      // In their order.
      for (size_t p = 0; p < before_->inputs.size(); ++p) {
        const GroupPort& port = before_->inputs[p];
        portOf[p] = addInput(port.name, port.type, bound[p].valid() ? graph_.shape(bound[p]) : port.shape, bound[p]);
        inputs_.back().doc = port.doc;
        read_.push_back(false);
      }
    }
    std::map<Output, int> byTensor;
    for (size_t p = 0; p < bound.size(); ++p)
      if (bound[p].valid()) byTensor.emplace(bound[p], portOf[p]);
    for (const int id : nodes_) {
      const Node& n = *graph_.node(id);
      for (size_t k = 0; k < n.inputs.size(); ++k) {
        const Output o = n.inputs[k];
        const Node& from = *graph_.node(o.node);
        if (inside(from.name, scope_)) continue;
        const bool open = isOpenInput(from);
        if (k < n.inputTypes.size() && isRef(n.inputTypes[k]))
          return invalidArgument(from.name, " (", from.op, ") is shared by reference with ", n.name, "; select it too, so that it becomes part of the group")
              .atNode(n.name);
        int port = -1;
        const auto old = known.find({id, int(k)});
        if (old != known.end() && (open || o == bound[old->second] || !bound[old->second].valid())) port = portOf[old->second];
        if (port < 0 && !open)
          if (const auto same = byTensor.find(o); same != byTensor.end()) port = same->second;
        if (port < 0) {
          port = addInput(unique(nameFor(n, k, graph_.tensorName(o))), graph_.dtype(o), open ? Shape::unknown() : graph_.shape(o), open ? Output{} : o);
          read_.push_back(false);
          if (!open) byTensor.emplace(o, port);
        }
        read_[size_t(port)] = true;
        portAt_[{id, int(k)}] = port;
      }
    }
    // A layer that waits has no ops yet which read its inputs.
    for (const Recipe& r : recipes_) {
      if (r.trains() || !inside(r.scope, scope_)) continue;
      const ApiRecord* record = ApiRegistry::instance().findLayer(r.kind);
      const auto ports = record ? layerInputs(*record) : std::vector<LayerInput>();
      for (size_t k = 0; k < r.inputs.size() && !ports.empty(); ++k) {
        const auto o = r.inputs[k].empty() ? Result<Output>(notFound("")) : graph_.findOutput(r.inputs[k]);
        if (!o.ok() || inside(graph_.node(o->node)->name, scope_) || isOpenInput(*graph_.node(o->node))) continue;
        auto at = byTensor.find(*o);
        if (at == byTensor.end()) {
          at = byTensor.emplace(*o, addInput(unique(portName(ports[std::min(k, ports.size() - 1)].name)), graph_.dtype(*o), graph_.shape(*o), *o)).first;
          read_.push_back(false);
        }
        read_[size_t(at->second)] = true;
      }
    }
    return {};
  }

  Status findOutputs() {
    if (before_) {
      const auto bound = boundOutputs(graph_, layerAt_, scope_, *old_);
      for (size_t p = 0; p < bound.size(); ++p)
        if (bound[p].valid()) addOutput(before_->outputs[p].name, bound[p], before_->outputs[p].doc);
    }
    const std::vector<Part> parts = partsOf(graph_);
    std::set<Output> read;  // by anything
    for (int id = 0; id < graph_.size(); ++id) {
      const Node* n = graph_.node(id);
      if (!n) continue;
      for (size_t k = 0; k < n->inputs.size(); ++k) {
        const Output o = n->inputs[k];
        const Node& from = *graph_.node(o.node);
        if (!inside(from.name, scope_)) continue;
        read.insert(o);
        if (inside(n->name, scope_) || !usesResults(parts[size_t(id)])) continue;
        if (k < n->inputTypes.size() && isRef(n->inputTypes[k]))
          return invalidArgument(from.name, " (", from.op, ") is shared by reference with ", n->name, "; select that too, so that it becomes part of the group")
              .atNode(from.name);
        addOutput({}, o, {});
      }
    }
    if (!outputs_.empty()) return {};
    for (const int id : nodes_) {
      const Node& n = *graph_.node(id);
      if (parts[size_t(id)] != Part::Network || n.outputTypes.empty() || isOpenInput(n)) continue;
      for (int k = 0; k < int(n.outputTypes.size()); ++k)
        if (!read.count({id, k}) && !isRef(n.outputTypes[size_t(k)]) && k == 0) addOutput({}, {id, k}, {});
    }
    return {};
  }

  void addOutput(std::string name, Output o, std::string doc) {
    if (std::count(results_.begin(), results_.end(), o)) {
      if (name.empty()) return;
    }
    const Node& n = *graph_.node(o.node);
    if (name.empty()) {
      std::string base = n.name.substr(n.name.rfind('/') + 1);
      for (std::string_view s = scopeOf(n.name); s.size() > scope_.size(); s = scopeOf(s))
        if (layerAt_.count(std::string(s))) base = std::string(s.substr(s.rfind('/') + 1));
      name = unique(portName(o.index == 0 ? base : base + "_" + std::to_string(o.index)));
    }
    outputs_.push_back({std::move(name), baseType(graph_.dtype(o)), graph_.shape(o), std::move(doc)});
    results_.push_back(o);
  }

  void noteLost(std::vector<std::string>& notes) {
    for (size_t p = before_->inputs.size(); p-- > 0;) {
      if (read_[p]) continue;
      notes.push_back(concat("Input ", inputs_[p].name, " of the group ", before_->name, " is gone: nothing inside reads it."));
      inputs_.erase(inputs_.begin() + std::ptrdiff_t(p));
      sources_.erase(sources_.begin() + std::ptrdiff_t(p));
      for (auto& [at, port] : portAt_) port -= port > int(p) ? 1 : 0;
    }
    for (const GroupPort& p : before_->outputs)
      if (std::none_of(outputs_.begin(), outputs_.end(), [&](const GroupPort& now) { return now.name == p.name; }))
        notes.push_back(concat("Output ", p.name, " of the group ", before_->name, " is gone."));
  }

  Result<GroupDefinition> build() {
    MetaGraph body;
    body.graph.versions = graph_.versions;
    std::vector<int> ports;
    for (const GroupPort& p : inputs_) {
      Node n;
      n.op = "Placeholder";
      n.record = OpRegistry::instance().find(n.op);
      n.name = concat(kInputScope, p.name);
      n.attrs.set("dtype", p.type);
      n.attrs.set("shape", p.shape);
      n.outputTypes = {p.type};
      n.outputShapes = {p.shape};
      WEFT_LET(const int id, body.graph.add(std::move(n)));
      ports.push_back(id);
    }
    std::map<int, int> ids;
    bool calls = false;
    for (const int id : nodes_) {
      Node n = *graph_.node(id);
      n.inputs.clear();
      n.controls.clear();
      n.raw = nullptr;
      calls = calls || (graph_.functions && graph_.functions->contains(n.op));
      for (const auto& [name, value] : n.attrs) calls = calls || value.get<FuncAttr>() || value.get<std::vector<FuncAttr>>();
      WEFT_LET(ids[id], body.graph.add(std::move(n)));
    }
    if (calls) body.graph.functions = graph_.functions;
    for (const int id : nodes_) {
      const Node& from = *graph_.node(id);
      WEFT_TRY(body.graph.change(ids[id], [&](Node& n) {
        for (size_t k = 0; k < from.inputs.size(); ++k) {
          const auto own = ids.find(from.inputs[k].node);
          n.inputs.push_back(own != ids.end() ? Output{own->second, from.inputs[k].index} : Output{ports[size_t(portAt_.at({id, int(k)}))], 0});
        }
        for (const int c : from.controls)  // from outside: each instance's own
          if (const auto own = ids.find(c); own != ids.end()) n.controls.push_back(own->second);
      }));
    }
    for (size_t p = 0; p < outputs_.size(); ++p) {
      Node n;
      n.op = "Identity";
      n.record = OpRegistry::instance().find(n.op);
      n.name = concat(kOutputScope, outputs_[p].name);
      n.attrs.set("T", outputs_[p].type);
      n.inputs = {{ids.at(results_[p].node), results_[p].index}};
      n.inputTypes = n.outputTypes = {outputs_[p].type};
      n.outputShapes = {outputs_[p].shape};
      WEFT_TRY(body.graph.add(std::move(n)).status());
    }
    std::set<std::string> outside;
    for (int id = 0; id < graph_.size(); ++id)
      if (const Node* n = graph_.node(id); n && !ids.count(id)) outside.insert(n->name);
    body.collections = editor_.meta().collections;
    for (const char* key :
         {"weft/training", "weft/dataset", "weft/document", "weft/notes", "weft/canvas", "weft/group_definitions", "train_op", "init_op", "savers"})
      body.collections.erase(key);
    // Layers name their inputs, which become ports.
    std::vector<Recipe> own;
    for (Recipe r : recipes_) {
      if (r.trains() || !inside(r.scope, scope_)) continue;
      for (size_t k = 0; k < r.inputs.size(); ++k) r.inputs[k] = inputOf(r, k);
      own.push_back(std::move(r));
    }
    const std::vector<FollowedField> follows = ownExpressions(body);
    std::vector<GroupInstance> inner = groupInstancesOf(body);
    std::erase_if(inner, [&](const GroupInstance& i) { return !inside(i.scope, scope_); });
    body.collections.erase("weft/layers");
    body.collections.erase("weft/groups");
    setNamedValues(body, {});
    setFollowedFields(body, follows);
    removeReferences(body, outside);
    setRecipes(body, own);
    setGroupInstances(body, inner);
    std::vector<CanvasPlace> places;
    for (const CanvasPlace& place : canvasPlacesOf(editor_.meta()))
      if (inside(place.name, scope_)) places.push_back(place);
    if (!places.empty()) setCanvasPlaces(body, places);
    for (auto it = body.collections.begin(); it != body.collections.end();)
      it = it->second.nodes.empty() && it->second.bytes.empty() && it->second.anys.empty() ? body.collections.erase(it) : std::next(it);
    std::vector<Error> problems;
    GraphEditor editor(body, problems);
    WEFT_TRY(editor.renameScope(scope_, ""));
    GroupDefinition d;
    d.inputs = inputs_;
    d.outputs = outputs_;
    WEFT_LET(d.body, serializeGraph(body, GraphFormat::MetaBinary));
    return d;
  }

  /// The fields inside that follow expressions over the inside, the group's parameters and the document's names.
  std::vector<FollowedField> ownExpressions(const MetaGraph& meta) {
    std::vector<FollowedField> out;
    const std::vector<NamedValue> names = namedValuesOf(meta);
    const std::vector<GroupInstance> instances = groupInstancesOf(meta);
    const auto known = [&](const std::string& name) {
      if (before_ && before_->find(name)) return true;
      return std::any_of(names.begin(), names.end(), [&](const NamedValue& n) { return n.name == name; });
    };
    for (FollowedField f : followedFieldsOf(meta)) {
      const size_t dot = f.field.rfind('.');
      if (dot == f.field.npos || !inside(std::string_view(f.field).substr(0, dot), scope_)) continue;
      const auto parsed = Expression::parse(f.expression);
      if (!parsed.ok()) continue;
      const bool ofInner = std::any_of(instances.begin(), instances.end(), [&](const GroupInstance& i) {
        return inside(i.scope, scope_) && inside(std::string_view(f.field).substr(0, dot), i.scope);
      });
      std::string outside;
      f.expression = parsed->renamed([&](const std::string& r) {
        const size_t end = r.rfind('.');
        if (end == r.npos) {
          if (!ofInner && !known(r)) outside = r;
          return r;
        }
        // The instance's own parameter, by its full name.
        if (std::string_view(r).substr(0, end) == scope_ && before_ && before_->find(std::string_view(r).substr(end + 1))) return r.substr(end + 1);
        if (!inside(std::string_view(r).substr(0, end), scope_)) outside = r;
        return r;
      });
      if (outside.empty()) out.push_back(std::move(f));
      else
        notes_.push_back(concat(f.field.substr(prefix_.size()), " keeps its value ", f.result.value_or(std::string()), " in the group: ", outside,
                                ", which it follows here, is neither inside nor a name of the document."));
    }
    return out;
  }

  /// The tensor that a layer's input is in the body.
  std::string inputOf(const Recipe& r, size_t k) const {
    const std::string& tensor = r.inputs[k];
    if (!tensor.empty() && inside(std::string_view(tensor).substr(0, tensor.rfind(':')), scope_)) return tensor;
    // Two ports may read the same tensor: the definition knows which one this layer has.
    if (old_) {
      const auto was = old_->layerAt.find(r.scope.substr(prefix_.size()));
      if (was != old_->layerAt.end() && k < was->second->inputs.size())
        for (size_t p = 0; p < inputs_.size(); ++p)
          if (was->second->inputs[k] == concat(kInputScope, inputs_[p].name, ":0") && (!sources_[p].valid() || graph_.tensorName(sources_[p]) == tensor))
            return was->second->inputs[k];
    }
    if (tensor.empty()) return {};
    for (size_t p = 0; p < inputs_.size(); ++p)
      if (sources_[p].valid() && graph_.tensorName(sources_[p]) == tensor) return concat(kInputScope, inputs_[p].name, ":0");
    return {};
  }

  GraphEditor& editor_;
  const Graph& graph_;
  const std::string scope_, prefix_;
  const GroupDefinition* before_;
  const Variant* old_;
  std::vector<int> nodes_;
  std::vector<Recipe> recipes_;
  RecipesByScope layerAt_;
  std::vector<GroupPort> inputs_, outputs_;
  std::vector<Output> sources_, results_;  // in the document, by port; invalid: open
  std::vector<bool> read_;
  std::vector<std::string> notes_;
  std::map<std::pair<int, int>, int> portAt_;  // by node and input
};

}  // namespace

Result<GroupDefinition> capture(LayerEditor& layers, const std::string& scope, const GroupDefinition* before, const Variant* old,
                                std::vector<std::string>& notes) {
  return Capture(layers, scope, before, old).run(notes);
}

}  // namespace weft::groups
