// Scopes, and the nodes in them that are no part of a computation.
#include <algorithm>

#include "fold/fold_parts.h"

namespace weft::folding {

bool isQuiet(const Graph& graph, const std::vector<std::vector<int>>& consumers, const Node& n) {
  const auto summarises = [&](int id) { return roleOf(*graph.node(id)) == OpRole::Summary; };
  return summarises(n.id) || (isConstant(n) && std::all_of(consumers[size_t(n.id)].begin(), consumers[size_t(n.id)].end(), summarises));
}

bool keepsBooks(OpRole role) {
  static const std::set<OpRole> kRoles = {OpRole::Assign,  OpRole::Update, OpRole::ApplyGradient, OpRole::ProbeVariable, OpRole::Save,   OpRole::Restore,
                                          OpRole::Summary, OpRole::Group,  OpRole::Identity,      OpRole::Check,         OpRole::ShapeOf};
  return kRoles.count(role) > 0;
}

std::unordered_map<std::string, int> countByScope(const Graph& graph, const std::vector<std::vector<int>>& consumers, bool quiet) {
  std::unordered_map<std::string, int> out;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || (quiet && !isQuiet(graph, consumers, *n))) continue;
    for (std::string_view s = n->name; !s.empty();) {
      const size_t slash = s.rfind('/');
      if (slash == s.npos) break;
      s = s.substr(0, slash);
      if (s.size() <= kLongestScope) ++out[std::string(s)];
    }
  }
  return out;
}

std::string commonScopeOf(const Graph& graph, const std::vector<int>& ids) {
  std::string common;
  bool first = true;
  for (const int id : ids) {
    const std::string& name = graph.node(id)->name;
    const size_t slash = name.rfind('/');
    const std::string scope = slash == std::string::npos ? std::string() : name.substr(0, slash);
    if (first) common = scope;
    while (!first && !common.empty() && scope != common && !scope.starts_with(common + "/")) {
      const size_t cut = common.rfind('/');
      common = cut == std::string::npos ? std::string() : common.substr(0, cut);
    }
    first = false;
  }
  return common;
}

}  // namespace weft::folding
