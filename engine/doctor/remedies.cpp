#include "doctor/remedies.h"

#include <set>
#include <string_view>

#include "weft/recipes.h"
#include "weft/saturation.h"

namespace weft::doctor {
namespace {

/// The live scalar that sets a node's value; empty: none.
std::string liveOf(const Network& net, const std::string& node) {
  for (const LiveScalar& l : net.settings()->live)
    if (l.tensor.substr(0, l.tensor.find(':')) == node) return l.name;
  return {};
}

/// The live scalars that are learning rates.
std::set<std::string> liveRates(const Network& net) {
  std::set<std::string> out;
  for (int id = 0; id < net.graph().size(); ++id) {
    const Node* n = net.graph().node(id);
    const int at = n ? learningRateInput(*n) : -1;
    const Node* rate = at >= 0 ? net.nodeOf(n->inputs[size_t(at)]) : nullptr;
    const std::string live = rate ? liveOf(net, rate->name) : std::string();
    if (!live.empty()) out.insert(live);
  }
  return out;
}

DoctorFix setting(std::string name, std::string value) {
  DoctorFix out;
  out.setting = std::move(name);
  out.value = std::move(value);
  return out;
}

/// Gives the layer that holds `node` another activation; nothing if it is in none that has one.
void activation(const std::vector<Recipe>& recipes, const std::string& node, const char* value, std::vector<DoctorFix>& out) {
  const Recipe* layer = nullptr;
  for (const Recipe& r : recipes)
    if (!r.trains() && node.starts_with(r.scope + "/") && (!layer || r.scope.size() > layer->scope.size())) layer = &r;
  if (!layer) return;
  const auto now = layer->parameters.find("activation");
  const std::string_view is = now == layer->parameters.end() ? std::string_view() : std::string_view(now->second);
  if (is == value || (is.empty() && value == std::string_view("linear"))) return;
  DoctorFix fix;
  fix.command = {"graph.set", {layer->scope, concat("activation=", value)}};
  out.push_back(std::move(fix));
}

}  // namespace

std::vector<DoctorFix> remediesOf(const Network& net, const DoctorFinding& f) {
  std::vector<DoctorFix> out;
  if (!net.settings()) return out;
  const std::string_view code = f.rule->code;
  const std::string live = liveOf(net, f.node);
  if ((code == "learning-rate-high" || code == "learning-rate-low") && !live.empty())
    for (const char* rate : {"0.001", "0.01", "0.1"}) out.push_back(setting(live, rate));
  if (code == "dropout-high" && !live.empty()) out.push_back(setting(live, "0.3"));
  const std::vector<Recipe> recipes = recipesOf(net.meta());
  if (code == "activation-on-logits") activation(recipes, f.node, "linear", out);
  if (code == "activation-twice") activation(recipes, f.node, "linear", out);
  if (code == "no-nonlinearity" && !f.words.empty()) activation(recipes, f.words[0], "relu", out);
  if (code == "cannot-learn-batch" || code == "ignores-input") {
    for (const std::string& rate : liveRates(net))
      for (const char* value : {"0.001", "0.01", "0.1"}) out.push_back(setting(rate, value));
    // Layers whose units are easily saturated.
    for (const Recipe& r : recipes) {
      const auto now = r.parameters.find("activation");
      if (!r.trains() && now != r.parameters.end() && (now->second == "sigmoid" || now->second == "tanh")) activation({r}, r.scope + "/", "relu", out);
    }
  }
  constexpr size_t kMostTried = 6;
  if (out.size() > kMostTried) out.resize(kMostTried);
  return out;
}

}  // namespace weft::doctor
