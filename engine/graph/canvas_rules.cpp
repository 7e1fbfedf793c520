// Rules that assign nodes to the helpers of a drawing, and the effect of rule changes on the drawing.
#include "weft/canvas_rules.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace weft {
namespace {

/// Matches `*` and `?` against a whole name. Linear except for patterns with many stars.
bool matches(std::string_view pattern, std::string_view name) {
  size_t p = 0, n = 0, star = pattern.npos, from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n]) && pattern[p] != '*') {
      ++p, ++n;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (star != pattern.npos) {
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// Row of an item in a drawing: in the flow, beneath its readers, beneath the flow, aside.
enum class Row : std::uint8_t { Flow, Weight, Beneath, Aside };

Row rowOf(Part part) {
  switch (part) {
    case Part::Network: return Row::Flow;
    case Part::Weight: return Row::Weight;
    case Part::Gradient:
    case Part::Update: return Row::Beneath;
    default: return Row::Aside;
  }
}

/// Number of a scope's nodes by part, which determines its row.
struct Held {
  std::array<int, 4> parts{};  // Network, Gradient, Weight, Update; all others are helpers
  void add(Part part) {
    if (part == Part::Network) ++parts[0];
    else if (part == Part::Gradient) ++parts[1];
    else if (part == Part::Weight) ++parts[2];
    else if (part == Part::Update) ++parts[3];
  }
  Row row() const { return parts[0] > 0 ? Row::Flow : parts[1] > 0 ? Row::Beneath : parts[2] > 0 ? Row::Weight : parts[3] > 0 ? Row::Beneath : Row::Aside; }
};

std::map<std::string_view, Held> scopesOf(const Graph& graph, const std::vector<Part>& parts) {
  std::map<std::string_view, Held> scopes;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n) continue;
    const std::string_view name = n->name;
    for (size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1)) scopes[name.substr(0, slash)].add(parts[size_t(id)]);
  }
  // A variable `w` lies in the scope `w` on the drawing.
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* n = graph.node(id))
      if (const auto it = scopes.find(n->name); it != scopes.end()) it->second.add(parts[size_t(id)]);
  return scopes;
}

/// Nodes and scopes whose row changed. The contents of such a scope move with it and are not listed.
std::set<std::pair<std::string, bool>> moved(const Graph& graph, const std::vector<Part>& before, const std::vector<Part>& after) {
  const auto was = scopesOf(graph, before), is = scopesOf(graph, after);
  std::set<std::pair<std::string, bool>> out;
  const auto moves = [&](std::string_view scope) {
    const auto a = was.find(scope), b = is.find(scope);
    return a != was.end() && b != is.end() && a->second.row() != b->second.row();
  };
  const auto around = [](std::string_view name) { return name.substr(0, std::max<size_t>(name.rfind('/') + 1, 1) - 1); };
  for (const auto& [scope, held] : is)
    if (moves(scope) && (around(scope).empty() || !moves(around(scope)))) out.emplace(scope, true);
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || rowOf(before[size_t(id)]) == rowOf(after[size_t(id)])) continue;
    const std::string_view scope = is.count(n->name) > 0 ? std::string_view(n->name) : around(n->name);
    if (scope.empty() || !moves(scope)) out.emplace(n->name, false);
  }
  return out;
}

/// The row of a node or scope; nullopt if there is none of that name.
std::optional<Row> rowOf(const Graph& graph, const std::vector<Part>& parts, const std::string& name) {
  Held held;
  bool any = false;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || (n->name != name && !n->name.starts_with(name + "/"))) continue;
    any = true;
    held.add(parts[size_t(id)]);
  }
  return any ? std::optional(held.row()) : std::nullopt;
}

}  // namespace

bool fitsPattern(std::string_view pattern, std::string_view name) {
  if (matches(pattern, name)) return true;
  for (size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1))
    if (matches(pattern, name.substr(0, slash))) return true;
  return false;
}

bool isHelperPart(Part part) { return rowOf(part) == Row::Aside; }

std::vector<Part> withRules(const Graph& graph, std::vector<Part> parts, const std::vector<CanvasRule>& rules) {
  if (rules.empty()) return parts;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n) continue;
    const auto rule = std::find_if(rules.rbegin(), rules.rend(), [&](const CanvasRule& r) { return fitsPattern(r.pattern, n->name); });
    if (rule == rules.rend()) continue;
    Part& part = parts[size_t(id)];
    if (rule->helper) part = isHelperPart(part) ? part : Part::Helper;
    else if (part != Part::Weight) part = Part::Network;
  }
  return parts;
}

std::vector<Part> drawnParts(const MetaGraph& meta) { return withRules(meta.graph, partsOf(meta.graph), canvasRulesOf(meta)); }

std::set<std::pair<std::string, bool>> changeRules(MetaGraph& meta, const std::vector<CanvasRule>& rules) {
  const std::vector<Part> parts = partsOf(meta.graph);
  const auto changed = moved(meta.graph, withRules(meta.graph, parts, canvasRulesOf(meta)), withRules(meta.graph, parts, rules));
  setCanvasRules(meta, rules);
  forgetOwnPlaces(meta, changed);
  return changed;
}

Status moveByRules(MetaGraph& meta, const std::vector<std::string>& names, bool helper) {
  const std::vector<Part> parts = partsOf(meta.graph);
  std::vector<CanvasRule> rules = canvasRulesOf(meta);
  const std::vector<Part> before = withRules(meta.graph, parts, rules);
  for (const std::string& name : names) {
    if (!rowOf(meta.graph, parts, name)) return notFound("There is no node or scope ", name, " in this graph");
    // The new rule overrides those for its contents.
    std::erase_if(rules, [&](const CanvasRule& r) { return r.pattern == name || r.pattern.starts_with(name + "/"); });
    const Row row = *rowOf(meta.graph, withRules(meta.graph, parts, rules), name);
    const bool there = helper ? row == Row::Aside : row == Row::Flow || row == Row::Weight;
    if (!there) rules.push_back({name, helper});
  }
  if (withRules(meta.graph, parts, rules) == before)
    return failedPrecondition(names.empty() ? std::string() : names.front(), helper ? " is among the helpers already" : " is in the network already");
  changeRules(meta, rules);
  return {};
}

}  // namespace weft
