// Makes layers and groups of what was found.
#include "weft/fold.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "api/recipe_parts.h"
#include "fold/fold_parts.h"
#include "graph/edit_internal.h"
#include "weft/groups.h"
#include "weft/op_traits.h"

namespace weft {

using namespace folding;

namespace {

std::string_view parentOf(std::string_view scope) {
  const size_t slash = scope.rfind('/');
  return slash == scope.npos ? std::string_view() : scope.substr(0, slash);
}

/// Makes the layers in one pass: ops move into their scopes together, and the recipes are written once.
Status makeLayers(LayerEditor& layers, std::vector<Found*>& chosen) {
  GraphEditor& editor = layers.editor();
  std::map<std::string, std::vector<int>> moves;
  for (const Found* f : chosen)
    if (!f->moved.empty()) moves.emplace(f->shown.scope, f->moved);
  if (!moves.empty()) WEFT_TRY(moveIntoScopes(editor, moves));
  std::vector<FrozenWeight> weights;
  for (Found* f : chosen)
    for (auto& [own, id] : f->variables)
      if (isConstant(*editor.graph().node(id))) weights.push_back({id, f->trained.count(own) > 0});
  std::map<int, std::string> frozen;  // names that the constants had, which their variables get
  for (const FrozenWeight& w : weights) frozen.emplace(w.constant, editor.graph().node(w.constant)->name);
  WEFT_TRY(thaw(editor, weights));
  std::vector<Recipe> all = recipesOf(editor.meta());
  std::unordered_map<std::string, size_t> producer;  // of a tensor
  for (size_t i = 0; i < all.size(); ++i)
    for (const std::string& output : all[i].outputs) producer.emplace(output, i);
  for (const Found* f : chosen) {
    Recipe r;
    r.scope = f->shown.scope;
    r.kind = f->shown.kind;
    for (const auto& [name, text] : f->shown.parameters) r.parameters[name] = text;
    std::string names;
    for (const auto& [own, id] : f->variables) {
      const auto thawed = frozen.find(id);
      const std::string& name = thawed == frozen.end() ? editor.graph().node(id)->name : thawed->second;
      if (name == r.scope + "/" + own) continue;
      const bool inside = name.starts_with(r.scope + "/");
      names += concat(names.empty() ? "" : ";", own, "=", inside ? "." + name.substr(r.scope.size()) : name);
    }
    if (!names.empty()) r.parameters[recipes::kNames] = names;
    if (!f->variables.empty()) r.parameters[recipes::kFolded] = "true";
    std::vector<Recipe> before;  // the layers that it reads
    for (const Output o : f->inputs) {
      r.inputs.push_back(o.valid() ? editor.graph().tensorName(o) : std::string());
      if (const auto at = producer.find(r.inputs.back()); at != producer.end()) before.push_back(all[at->second]);
    }
    r.outputs = {editor.graph().tensorName(f->output)};
    r.parameters[recipes::kSeenOut] = f->outputShape.toString() + ";";
    r.parameters[recipes::kSeenIn] = recipes::inputsSeen(editor, before, r);
    producer.emplace(r.outputs[0], all.size());
    all.push_back(std::move(r));
  }
  setRecipes(editor.meta(), all);
  layers.refresh();
  return {};
}

/// Whether a scope is one of `scopes`, or lies in one.
bool liesIn(const std::unordered_set<std::string>& scopes, std::string_view scope) {
  for (std::string_view s = scope; !s.empty(); s = parentOf(s))
    if (scopes.count(std::string(s))) return true;
  return false;
}

/// Scopes with the same ops under the same names, at least two of each kind; outer ones first, and none within another.
std::vector<std::vector<std::string>> repeatedScopes(const MetaGraph& meta) {
  const Graph& graph = meta.graph;
  const auto consumers = graph.consumers();
  struct Content {
    std::vector<std::string> lines;
    int variables = 0;
    bool trained = false;  ///< Has the state of an optimizer.
  };
  std::unordered_map<std::string, Content> scopes;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n) continue;
    const OpRole role = roleOf(*n);
    bool applied = role == OpRole::ApplyGradient;
    if (role == OpRole::Variable)
      for (const int reader : consumers[size_t(id)]) applied = applied || roleOf(*graph.node(reader)) == OpRole::ApplyGradient;
    for (std::string_view s = parentOf(n->name); !s.empty(); s = parentOf(s)) {
      if (s.size() > kLongestScope) continue;
      Content& c = scopes[std::string(s)];
      c.lines.push_back(concat(n->name.substr(s.size()), "\x01", n->op));
      c.variables += role == OpRole::Variable;
      c.trained = c.trained || applied;
    }
  }
  std::unordered_set<std::string> taken;
  for (const Recipe& r : recipesOf(meta))
    if (!r.trains()) taken.insert(r.scope);
  for (const GroupInstance& i : groupInstancesOf(meta)) taken.insert(i.scope);
  const auto free = [&](const std::string& scope) { return !graph.find(scope) && !liesIn(taken, scope); };
  std::map<std::string, std::vector<std::string>> alike;
  for (auto& [scope, c] : scopes) {
    if (c.variables == 0 || c.trained || !free(scope)) continue;
    std::sort(c.lines.begin(), c.lines.end());
    std::string key;
    for (const std::string& line : c.lines) key += line + "\x02";
    alike[key].push_back(scope);
  }
  std::vector<std::vector<std::string>> out;
  for (auto& [key, list] : alike)
    if (list.size() > 1) out.push_back(std::move(list));
  for (auto& list : out) std::sort(list.begin(), list.end());
  // Those with more in them contain others.
  std::sort(out.begin(), out.end(), [&](const auto& a, const auto& b) {
    const size_t left = scopes[a[0]].lines.size(), right = scopes[b[0]].lines.size();
    return left != right ? left > right : a < b;
  });
  std::unordered_set<std::string> used;
  std::erase_if(out, [&](std::vector<std::string>& list) {
    std::erase_if(list, [&](const std::string& s) { return liesIn(used, parentOf(s)); });
    if (list.size() < 2) return true;
    used.insert(list.begin(), list.end());
    return false;
  });
  return out;
}

/// Makes a group of scopes that are alike. False, with everything as before: they are not the same in all attributes, or cannot be a group.
bool makeGroup(LayerEditor& layers, const std::vector<std::string>& scopes, FoldProposal* made, std::string* why) {
  MetaGraph& meta = layers.editor().meta();
  const MetaGraph before = meta;
  std::vector<int> ids;
  for (int id = 0; id < meta.graph.size(); ++id)
    if (const Node* n = meta.graph.node(id); n && n->name.starts_with(scopes[0] + "/")) ids.push_back(id);
  // A group of the scope as a whole: one that holds a single scope would take that one and rename it.
  const bool single = std::all_of(ids.begin(), ids.end(), [&](int id) {
    const std::string_view rest = std::string_view(meta.graph.node(id)->name).substr(scopes[0].size() + 1);
    const std::string_view first = std::string_view(meta.graph.node(ids[0])->name).substr(scopes[0].size() + 1);
    return rest.find('/') != rest.npos && rest.substr(0, rest.find('/')) == first.substr(0, first.find('/'));
  });
  if (single) {
    *why = "holds a single scope";
    return false;
  }
  const auto attempt = [&]() -> Result<bool> {
    GroupEditor groups(layers);
    std::string name = scopes[0].substr(scopes[0].rfind('/') + 1);
    while (name.size() > 1 && (std::isdigit(uint8_t(name.back())) || name.back() == '_')) name.pop_back();
    const std::string base = name;
    for (int k = 1; groups.definition(name); ++k) name = concat(base, "_", k);
    WEFT_TRY(groups.make(ids, name).status());
    made->form = FoldProposal::Kind::Group;
    made->scope = scopes[0];
    made->kind = name;
    made->instances = {scopes[0]};
    WEFT_LET(const std::vector<std::string> same, groups.adopt({scopes.begin() + 1, scopes.end()}, name));
    made->instances.insert(made->instances.end(), same.begin(), same.end());
    return made->instances.size() > 1;
  };
  const auto done = attempt();
  if (done.ok() && *done) return true;
  *why = done.ok() ? concat("has the ops of ", scopes[1], ", but not all of their attributes") : done.error().message;
  meta = before;
  layers.refresh();
  return false;
}

Result<FoldReport> foldAll(LayerEditor& layers, const std::vector<std::string>* wanted) {
  const std::unordered_set<std::string> names = wanted ? std::unordered_set<std::string>(wanted->begin(), wanted->end()) : std::unordered_set<std::string>();
  const auto asked = [&](const std::string& scope) { return !wanted || names.count(scope) > 0; };
  FoldReport report;
  std::vector<Found> found = findLayers(layers.editor().meta(), &report.left);
  std::set<std::string> done;
  std::vector<Found*> chosen;
  for (Found& f : found)
    if (asked(f.shown.scope)) chosen.push_back(&f);
  WEFT_TRY(makeLayers(layers, chosen));
  for (const Found* f : chosen) {
    done.insert(f->shown.scope);
    report.proposals.push_back(f->shown);
  }
  for (const std::vector<std::string>& scopes : repeatedScopes(layers.editor().meta())) {
    if (!asked(scopes[0])) continue;
    FoldProposal made;
    std::string why;
    if (makeGroup(layers, scopes, &made, &why)) {
      done.insert(scopes[0]);
      report.proposals.push_back(std::move(made));
    } else {
      report.left.push_back({scopes[0], why});
    }
  }
  if (wanted)
    for (const std::string& scope : *wanted)
      if (!done.count(scope)) return notFound("there is nothing to fold at ", scope).atNode(scope);
  return report;
}

}  // namespace

FoldReport findFolds(const MetaGraph& meta) {
  MetaGraph trial = meta;  // nodes are shared until they are changed
  std::vector<Error> problems;
  GraphEditor editor(trial, problems);
  LayerEditor layers(editor);
  auto report = foldAll(layers, nullptr);
  if (report.ok()) return std::move(*report);
  FoldReport failed;
  failed.left.push_back({report.error().node, report.error().message});
  return failed;
}

Result<FoldReport> fold(LayerEditor& layers, const std::vector<std::string>& scopes) { return foldAll(layers, scopes.empty() ? nullptr : &scopes); }

}  // namespace weft
