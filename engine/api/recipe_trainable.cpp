// Which variables trainings change: the collection trainable_variables, and what layers note of it.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "api/recipe_parts.h"
#include "proto/meta_graph.pb.h"
#include "weft/groups.h"
#include "weft/op_traits.h"
#include "weft/training_mistakes.h"
#include "weft/variables.h"

namespace weft {

using namespace recipes;

namespace {

constexpr const char* kTrainable = "trainable_variables";

std::vector<std::string> fixedNames(const Recipe& r) {
  std::vector<std::string> out;
  const auto note = r.parameters.find(kFixed);
  std::string_view rest = note == r.parameters.end() ? std::string_view() : std::string_view(note->second);
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(';'), rest.size());
    out.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

void noteFixed(Recipe& r, const std::string& own, bool fixed) {
  std::vector<std::string> names = fixedNames(r);
  std::erase(names, own);
  if (fixed) names.push_back(own);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ";") + name;
  if (text.empty()) r.parameters.erase(kFixed);
  else r.parameters[kFixed] = text;
}

/// The name of a layer's variable when the layer was built.
std::string ownName(const Recipe& r, const std::string& variable) {
  for (const auto& [own, kept] : keptNames(r))
    if (kept == variable) return own;
  return inScope(variable, r.scope) ? variable.substr(std::min(variable.size(), r.scope.size() + 1)) : std::string();
}

/// The layer that has the variable, which may lie elsewhere.
Recipe* layerOf(std::vector<Recipe>& recipes, const std::string& variable) {
  for (Recipe& r : recipes)
    if (!r.trains() && !ownName(r, variable).empty()) return &r;
  return nullptr;
}

/// A variable as collections state it.
Result<tensorflow::VariableDef> defOf(const Graph& graph, const std::vector<int>& readers, const Node& n) {
  tensorflow::VariableDef def;
  def.set_variable_name(n.name + ":0");
  def.set_is_resource(isResourceVariable(n));
  for (const int id : readers) {
    const Node& r = *graph.node(id);
    if (roleOf(r) == OpRole::Assign && r.inputs.size() > 1 && r.inputs[0].node == n.id && roleOf(*graph.node(r.inputs[1].node)) != OpRole::Restore &&
        def.initializer_name().empty()) {
      def.set_initializer_name(r.name);
      def.set_initial_value_name(graph.tensorName(r.inputs[1]));
    }
    if ((roleOf(r) == OpRole::Identity || roleOf(r) == OpRole::ReadVariable) && def.snapshot_name().empty()) def.set_snapshot_name(r.name + ":0");
  }
  if (def.initializer_name().empty())
    return failedPrecondition("Nothing assigns a first value to ", n.name, "; initialize it, and then it can be trained").atNode(n.name);
  if (def.snapshot_name().empty()) return failedPrecondition("Nothing reads ", n.name, ", so no gradient reaches it").atNode(n.name);
  return def;
}

/// The collections' entries of some variables.
class Entries {
 public:
  explicit Entries(MetaGraph& meta) : meta_(meta) {
    int place = 0;
    for (auto& [key, c] : meta.collections) {
      if (c.kind != Collection::Kind::Bytes || !key.ends_with("variables")) continue;
      for (std::string& bytes : c.bytes) {
        tensorflow::VariableDef def;
        if (!def.ParseFromString(bytes) || !def.variable_name().ends_with(":0")) continue;
        const std::string name = def.variable_name().substr(0, def.variable_name().size() - 2);
        if (key == kTrainable) trainable_.insert(name);
        else if (place_.emplace(name, place++).second) defs_.emplace(name, std::move(def));
      }
    }
  }

  bool isTrainable(const std::string& variable) const { return trainable_.count(variable) > 0; }
  /// nullopt: no collection but that of the trainable ones has it.
  std::optional<tensorflow::VariableDef> find(const std::string& variable) const {
    const auto at = defs_.find(variable);
    return at == defs_.end() ? std::nullopt : std::optional(at->second);
  }

  /// Writes the changes. Variables have the order in which they were made, as optimizers list them.
  void write(const std::map<std::string, bool>& wanted, const std::map<std::string, tensorflow::VariableDef>& added) {
    Collection& list = meta_.collections[kTrainable];
    list.kind = Collection::Kind::Bytes;
    std::erase_if(list.bytes, [&](const std::string& bytes) {
      tensorflow::VariableDef def;
      return def.ParseFromString(bytes) && wanted.count(nameOf(def));
    });
    for (auto& [key, c] : meta_.collections) {
      if (c.kind != Collection::Kind::Bytes || !key.ends_with("variables") || key == kTrainable) continue;
      for (std::string& bytes : c.bytes) {
        tensorflow::VariableDef def;
        if (!def.ParseFromString(bytes)) continue;
        const auto at = wanted.find(nameOf(def));
        if (at == wanted.end() || def.trainable() == at->second) continue;
        def.set_trainable(at->second);
        bytes = def.SerializeAsString();
      }
    }
    for (const auto& [name, made] : added) {
      tensorflow::VariableDef def = made;
      def.set_trainable(true);
      const auto own = place_.find(name);
      const auto before = std::find_if(list.bytes.begin(), list.bytes.end(), [&](const std::string& bytes) {
        tensorflow::VariableDef other;
        if (own == place_.end() || !other.ParseFromString(bytes)) return false;
        const auto place = place_.find(nameOf(other));
        return place != place_.end() && place->second > own->second;
      });
      list.bytes.insert(before, def.SerializeAsString());
    }
  }

 private:
  static std::string nameOf(const tensorflow::VariableDef& def) { return def.variable_name().substr(0, def.variable_name().rfind(':')); }

  MetaGraph& meta_;
  std::unordered_set<std::string> trainable_;
  std::unordered_map<std::string, int> place_;
  std::unordered_map<std::string, tensorflow::VariableDef> defs_;
};

}  // namespace

Status recipes::keepFixed(MetaGraph& meta, const Recipe& r) {
  std::map<std::string, bool> wanted;
  for (const std::string& own : fixedNames(r)) {
    std::string name = r.scope + "/" + own;
    for (const auto& [of, kept] : keptNames(r))
      if (of == own) name = kept;
    if (meta.graph.find(name)) wanted.emplace(name, false);
  }
  if (!wanted.empty()) Entries(meta).write(wanted, {});
  return {};
}

Status LayerEditor::setTrainable(const std::map<std::string, bool>& variables) {
  readAgain();
  MetaGraph& meta = editor_.meta();
  const Graph& graph = meta.graph;
  Entries entries(meta);
  const auto consumers = graph.consumers();
  std::unordered_set<std::string> ofTraining;  // ops that are built anew with the training
  for (const Recipe& r : recipes_)
    if (r.trains()) ofTraining.insert(r.nodes.begin(), r.nodes.end());
  std::map<std::string, std::string> updates, states;  // by variable: the op that came with the file and trains it, or has it as its state
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || roleOf(*n) != OpRole::ApplyGradient) continue;
    if (const Node* v = changedVariable(graph, *n); v && !ofTraining.count(n->name)) updates.emplace(v->name, n->name);
    for (size_t i = 1; i < n->inputs.size(); ++i)
      if (const Node* state = graph.node(n->inputs[i].node); state && isVariable(*state)) states.emplace(state->name, n->name);
  }
  GroupEditor groups(*this);
  std::map<std::string, bool> wanted;
  std::map<std::string, tensorflow::VariableDef> added;
  std::map<std::string, bool> ofLayers;  // by scope: layers that have a parameter for it
  for (const auto& [name, on] : variables) {
    WEFT_LET(const int id, editor_.find(name));
    const Node& n = *graph.node(id);
    if (!isVariable(n)) return invalidArgument(name, " is ", n.op, "; only variables are trainable or not").atNode(name);
    if (entries.isTrainable(name) == on && meta.collections.count(kTrainable)) continue;
    if (on && !isFloating(n.attrs.type("dtype")))
      return invalidArgument(name, " holds ", dtypeName(n.attrs.type("dtype")), "; only floating-point variables can be trained").atNode(name);
    if (const GroupInstance* instance = groups.around(name))
      return failedPrecondition(name, " belongs to ", instance->scope,
                                ", an instance of a group, whose variables are as the group has them; detach the instance first")
          .atNode(name);
    if (ofTraining.count(name) || states.count(name)) return failedPrecondition(name, " is the state of an optimizer, which no gradient changes").atNode(name);
    if (const auto update = updates.find(name); update != updates.end() && !on)
      return failedPrecondition(name, " is changed by ", update->second,
                                " of a training that came with the file, whatever the collection says; take the training out, and add one afterwards")
          .atNode(name);
    if (on && !updates.empty() && !updates.count(name))
      return failedPrecondition(
                 name, " would not be changed by the training that came with the file, whose ops are fixed; take the training out, and add one afterwards")
          .atNode(name);
    Recipe* layer = layerOf(recipes_, name);
    const ApiRecord* record = layer ? ApiRegistry::instance().findLayer(layer->kind) : nullptr;
    if (const ApiParameter* p = record ? record->find("trainable") : nullptr) {
      const auto own = layer->parameters.find(p->name);
      const auto value = argumentFromText(*p, own != layer->parameters.end() ? own->second : std::string("true"));
      const bool* now = value.ok() ? std::get_if<bool>(&*value) : nullptr;
      if (on && (!now || *now)) return failedPrecondition(name, " is changed by its layer ", layer->scope, " itself, not by gradients").atNode(name);
      const auto [at, isNew] = ofLayers.emplace(layer->scope, on);
      if (!isNew && at->second != on) return invalidArgument(name, " has the layer ", layer->scope, ", which trains all of its variables or none").atNode(name);
      continue;
    }
    if (layer) {
      const std::string own = ownName(*layer, name);
      const auto fixed = fixedNames(*layer);
      if (on && std::find(fixed.begin(), fixed.end(), own) == fixed.end())
        return failedPrecondition(name, " is changed by its layer ", layer->scope, " itself, not by gradients").atNode(name);
      noteFixed(*layer, own, !on);
    }
    wanted.emplace(name, on);
    if (on) {
      const auto known = entries.find(name);
      if (known) {
        added.emplace(name, *known);
      } else {
        WEFT_LET(tensorflow::VariableDef def, defOf(graph, consumers[size_t(id)], n));
        added.emplace(name, std::move(def));
      }
    }
    editor_.touch(id);  // a training whose loss depends on it is built anew
  }
  if (!wanted.empty()) entries.write(wanted, added);
  write();
  std::vector<Setting> settings;
  for (const auto& [scope, on] : ofLayers) settings.push_back({scope, "trainable", on ? "true" : "false"});
  return settings.empty() ? Status() : setParameters(settings);
}

}  // namespace weft
