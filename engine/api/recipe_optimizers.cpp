// Trainings with several optimizers: their variables and the order of updates.
#include <algorithm>
#include <set>

#include "api/recipe_parts.h"
#include "api/variables.h"
#include "weft/op_traits.h"

namespace weft::recipes {

std::string optimizerRecord(const std::string& name) {
  std::string lower;
  for (const char c : name) lower += char(c >= 'A' && c <= 'Z' ? c + 32 : c);
  static const std::pair<const char*, const char*> kNames[] = {{"adam", "Adam"},         {"sgd", "GradientDescent"}, {"gradientdescent", "GradientDescent"},
                                                               {"momentum", "Momentum"}, {"adagrad", "Adagrad"},     {"rmsprop", "RMSProp"}};
  for (const auto& [key, kind] : kNames)
    if (lower == key || lower == std::string("train.") + key + "optimizer" || lower == key + std::string("optimizer"))
      return std::string("train.") + kind + "Optimizer";
  return name.starts_with("train.") ? name : "train." + name + "Optimizer";
}

std::vector<std::string> trainingOps(const std::vector<Recipe>& recipes, const Graph& graph) {
  std::vector<std::string> out;
  if (std::any_of(recipes.begin(), recipes.end(), [](const Recipe& r) { return r.trains(); })) return out;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    const OpRole role = n ? roleOf(*n) : OpRole::Compute;
    if (role == OpRole::ApplyGradient || role == OpRole::Save || role == OpRole::Restore) out.push_back(n->name);
  }
  return out;
}

void updateTogether(GraphBuilder& b, const std::vector<OptimizerNodes>& optimizers) {
  if (!b.ok()) return;
  std::set<int> variables;
  for (const api::VariablePtr& v : api::variablesIn(b, "trainable_variables")) variables.insert(v->handle.node);
  // What changes a trained variable, and what is computed for it.
  std::vector<std::vector<int>> updates(optimizers.size()), sources(optimizers.size());
  for (size_t k = 0; k < optimizers.size(); ++k) {
    for (int id = optimizers[k].from; id < optimizers[k].to; ++id) {
      if (!b.graph().node(id)) continue;
      const Node& n = b.nodeAt(id);
      if (!changesVariable(roleOf(n)) || n.inputs.empty() || !variables.count(n.inputs[0].node)) continue;
      updates[k].push_back(id);
      for (size_t i = 1; i < n.inputs.size(); ++i) {
        const int from = n.inputs[i].node;
        if (from >= optimizers[k].from && from < optimizers[k].to && !isVariable(b.nodeAt(from)) && !isConstant(b.nodeAt(from))) sources[k].push_back(from);
      }
    }
    std::sort(sources[k].begin(), sources[k].end());
    sources[k].erase(std::unique(sources[k].begin(), sources[k].end()), sources[k].end());
  }
  for (size_t k = 0; k < optimizers.size(); ++k)
    for (size_t other = 0; other < optimizers.size(); ++other)
      if (other != k)
        for (const int update : updates[k]) b.addControlInputs(update, sources[other]);
}

namespace {

constexpr size_t kFirstOther = 2;  // among the inputs of a training's recipe: after loss and accuracy

std::string prefixOf(size_t k) { return "~" + std::to_string(k + kFirstOther) + "."; }

}  // namespace

void keepOthers(const std::vector<LayerEditor::Training::Other>& others, Recipe& recipe) {
  if (others.empty()) return;
  recipe.inputs.resize(kFirstOther);
  for (size_t k = 0; k < others.size(); ++k) {
    recipe.inputs.push_back(others[k].loss);
    recipe.parameters[prefixOf(k) + "optimizer"] = optimizerRecord(others[k].optimizer);
    for (const auto& [name, text] : others[k].parameters) recipe.parameters[prefixOf(k) + name] = text;
  }
}

std::vector<LayerEditor::Training::Other> othersOf(const Recipe& recipe) {
  std::vector<LayerEditor::Training::Other> others;
  for (size_t at = kFirstOther; at < recipe.inputs.size(); ++at) {
    LayerEditor::Training::Other other;
    other.loss = recipe.inputs[at];
    const std::string prefix = prefixOf(at - kFirstOther);
    for (const auto& [name, text] : recipe.parameters) {
      if (!name.starts_with(prefix)) continue;
      const std::string own = name.substr(prefix.size());
      if (own == "optimizer") other.optimizer = text;
      else other.parameters.emplace_back(own, text);
    }
    others.push_back(std::move(other));
  }
  return others;
}

}  // namespace weft::recipes
