#include "layout/grouping.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

#include "layout/blocks.h"
#include "layout/chosen_part.h"
#include "layout/frame_scopes.h"

namespace weft::layout {
namespace {

constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15ull;
constexpr size_t kFewHelpers = 2;  // so few helpers of one part need no group
constexpr size_t kFewBeneath = 3;
constexpr int kFewWeights = 4;  // alike weights of one reader: more of them side by side beneath it would make it very wide
constexpr size_t kHub = 12;
constexpr size_t kMostMembers = 120000;  // a scope with more children is not grouped

std::uint64_t mixed(std::uint64_t h) {
  h ^= h >> 31;
  h *= 0xBF58476D1CE4E5B9ull;
  return h ^ (h >> 29);
}

Role roleOf(Part part) {
  switch (part) {
    case Part::Network: return Role::Flow;
    case Part::Weight: return Role::Parameter;
    case Part::Gradient:
    case Part::Update: return Role::Beneath;
    default: return Role::Aside;
  }
}

struct ScopeFacts {
  std::array<std::int32_t, kAllParts> parts{};
  std::int32_t ops = 0, parameters = 0;
  std::uint64_t structure = 0;
};

struct Grouper {
  Graph& graph;
  const GroupingInput& in;
  int nodes, scopes;
  std::vector<ScopeFacts> facts;
  std::vector<Part> scopePart;
  std::vector<std::vector<std::int32_t>> children;                       // per scope, the top level last
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> arcs;  // between children, for containers that need them
  std::vector<char> wanted;
  std::vector<char> alone;  // per node: an op of a loop or conditional that is drawn individually
  std::vector<Group> groups;

  Grouper(Graph& g, const GroupingInput& input) : graph(g), in(input), nodes(g.nodeCount()), scopes(g.scopeCount()) {}

  Part partOf(std::int32_t item) const { return item < nodes ? in.nodePart[static_cast<size_t>(item)] : scopePart[static_cast<size_t>(item - nodes)]; }
  Role role(std::int32_t item) const { return item < nodes ? graph.nodeRole[static_cast<size_t>(item)] : graph.scopeRole[static_cast<size_t>(item - nodes)]; }
  bool isFixed(std::int32_t item) const {
    if (item < nodes && !alone.empty() && alone[static_cast<size_t>(item)] != 0) return true;
    const auto& fixed = item < nodes ? in.nodeFixed : in.scopeFixed;
    return !fixed.empty() && fixed[static_cast<size_t>(item < nodes ? item : item - nodes)] != 0;
  }
  std::uint64_t keyOf(std::int32_t item) const {
    if (item < nodes) return graph.nodeKey.empty() ? static_cast<std::uint64_t>(item) : graph.nodeKey[static_cast<size_t>(item)];
    const auto s = static_cast<size_t>(item - nodes);
    return graph.scopeKey.empty() ? s : graph.scopeKey[s];
  }
  std::uint64_t structureOf(std::int32_t item) const {
    return item < nodes ? mixed(in.nodeKind[static_cast<size_t>(item)] + 1) : facts[static_cast<size_t>(item - nodes)].structure;
  }
  int parentOf(std::int32_t item) const {
    return item < nodes ? graph.nodeScope[static_cast<size_t>(item)] : graph.scopeParent[static_cast<size_t>(item - nodes)];
  }
  void setParent(std::int32_t item, std::int32_t scope) {
    (item < nodes ? graph.nodeScope[static_cast<size_t>(item)] : graph.scopeParent[static_cast<size_t>(item - nodes)]) = scope;
  }

  // --- facts about items

  void readFacts() {
    facts.assign(static_cast<size_t>(scopes), {});
    children.assign(static_cast<size_t>(scopes) + 1, {});
    const auto childrenOf = [this](int parent) -> auto& { return children[static_cast<size_t>(parent < 0 ? scopes : parent)]; };
    for (int s = 0; s < scopes; ++s) childrenOf(graph.scopeParent[static_cast<size_t>(s)]).push_back(nodes + s);
    for (int n = 0; n < nodes; ++n) {
      const auto i = static_cast<size_t>(n);
      const int scope = graph.nodeScope[i];
      childrenOf(scope).push_back(n);
      if (scope < 0) continue;
      ScopeFacts& f = facts[static_cast<size_t>(scope)];
      ++f.ops;
      f.parameters += in.isParameter(n) ? 1 : 0;
      ++f.parts[static_cast<size_t>(in.nodePart[i])];
      f.structure += mixed(in.nodeKind[i] + 1) * kMix;
    }
    for (int at = scopes - 1; at >= 0; --at) {
      const int s = graph.scopeAt(at);
      const int parent = graph.scopeParent[static_cast<size_t>(s)];
      if (parent < 0) continue;
      const ScopeFacts& f = facts[static_cast<size_t>(s)];
      ScopeFacts& above = facts[static_cast<size_t>(parent)];
      above.ops += f.ops;
      above.parameters += f.parameters;
      for (size_t p = 0; p < f.parts.size(); ++p) above.parts[p] += f.parts[p];
      above.structure += mixed(f.structure + 7);
    }
    scopePart.resize(static_cast<size_t>(scopes));
    for (size_t s = 0; s < facts.size(); ++s) scopePart[s] = partOf(facts[s]);
  }

  // A scope belongs to the network if anything in it does; among helpers, constants do not count.
  static Part partOf(const ScopeFacts& f) {
    const auto count = [&](Part p) { return f.parts[static_cast<size_t>(p)]; };
    if (count(Part::Network) > 0) return Part::Network;
    if (count(Part::Gradient) > 0) return Part::Gradient;
    if (count(Part::Weight) > 0) return Part::Weight;
    if (count(Part::Update) > 0) return Part::Update;
    return static_cast<Part>(std::max_element(f.parts.begin(), f.parts.end()) - f.parts.begin());
  }

  void setRoles() {
    graph.nodeRole.resize(static_cast<size_t>(nodes));
    graph.scopeRole.resize(static_cast<size_t>(scopes));
    graph.nodeMass.assign(static_cast<size_t>(nodes), 1);
    graph.scopeMass.resize(static_cast<size_t>(scopes));
    for (size_t n = 0; n < graph.nodeRole.size(); ++n) {
      const Role r = roleOf(in.nodePart[n]);
      graph.nodeRole[n] = r == Role::Flow && in.isParameter(static_cast<std::int32_t>(n)) ? Role::Parameter : r;
    }
    for (size_t s = 0; s < graph.scopeRole.size(); ++s) {
      Role r = roleOf(scopePart[s]);
      if (r == Role::Flow && facts[s].ops > 0 && facts[s].parameters == facts[s].ops) r = Role::Parameter;
      graph.scopeRole[s] = r;
      graph.scopeMass[s] = static_cast<float>(1 + std::log2(1.0 + facts[s].ops));
    }
    // In a scope that contains only helpers, nothing is put aside.
    for (size_t c = 0; c < children.size(); ++c) {
      const auto& list = children[c];
      if (std::any_of(list.begin(), list.end(), [this](std::int32_t i) { return role(i) == Role::Flow; })) continue;
      const bool beneath = std::any_of(list.begin(), list.end(), [this](std::int32_t i) { return role(i) == Role::Beneath; });
      for (const std::int32_t i : list) {
        Role& r = i < nodes ? graph.nodeRole[static_cast<size_t>(i)] : graph.scopeRole[static_cast<size_t>(i - nodes)];
        const bool constant = i < nodes && in.isParameter(i);
        if (beneath ? r == Role::Beneath : r == Role::Aside) r = constant ? Role::Parameter : Role::Flow;
      }
    }
  }

  bool isBand(std::int32_t node) const { return roleOf(in.nodePart[static_cast<size_t>(node)]) == Role::Beneath; }

  // A helper may lie deep in a closed scope of the network: every scope between it and the common container of both ends counts.
  void markEdges() {
    const std::vector<std::int32_t> depth = scopeDepths();
    const auto depthOf = [&](int scope) { return scope < 0 ? -1 : depth[static_cast<size_t>(scope)]; };
    for (Edge& e : graph.edges) {
      if (e.from < 0 || e.to < 0) continue;
      // A weight itself, or a derived value outside the network: its penalty.
      e.weight = in.nodePart[static_cast<size_t>(e.from)] == Part::Weight || in.nodePart[static_cast<size_t>(e.to)] == Part::Weight;
      std::int32_t a = e.from, b = e.to;
      e.aside = role(a) == Role::Aside || role(b) == Role::Aside;
      const auto climb = [&](std::int32_t& item) {
        item = nodes + parentOf(item);
        e.aside = e.aside || role(item) == Role::Aside;
      };
      while (!e.aside && parentOf(a) != parentOf(b)) climb(depthOf(parentOf(a)) >= depthOf(parentOf(b)) ? a : b);
      // Gradients and updates in one scope with a part of the network: their inputs do not affect places, as if they were in a separate scope.
      const bool fromBand = isBand(e.from), toBand = isBand(e.to);
      if (fromBand != toBand && (toBand ? b : a) >= nodes && role(toBand ? b : a) == Role::Flow) e.aside = true;
    }
  }

  std::vector<std::int32_t> scopeDepths() const {
    std::vector<std::int32_t> depth(static_cast<size_t>(scopes), 0);
    for (int at = 0; at < scopes; ++at)
      if (const auto s = static_cast<size_t>(graph.scopeAt(at)); graph.scopeParent[s] >= 0) depth[s] = depth[static_cast<size_t>(graph.scopeParent[s])] + 1;
    return depth;
  }

  // --- groups

  std::int32_t addGroup(Group::Kind kind, Part part, std::int32_t container, const std::vector<std::int32_t>& members, std::string title) {
    const std::int32_t id = graph.scopeCount();
    Group g;
    g.kind = kind;
    g.part = part;
    g.members = static_cast<std::int32_t>(members.size());
    g.title = std::move(title);
    // Helpers of one part keep the identity of their group when members come and go.
    const std::uint64_t first = kind == Group::Kind::Helpers ? 0 : keyOf(members.front());
    g.key = mixed((container < 0 ? kMix : keyOf(nodes + container)) ^ mixed(first + static_cast<std::uint64_t>(kind) * 31 + static_cast<std::uint64_t>(part))) |
            1ull;
    double mass = 0;
    ScopeFacts sum;
    for (const std::int32_t m : members) {
      const bool node = m < nodes;
      mass += node ? 1 : graph.scopeMass[static_cast<size_t>(m - nodes)];
      sum.ops += node ? 1 : facts[static_cast<size_t>(m - nodes)].ops;
      sum.structure += structureOf(m) * kMix;
      setParent(m, id);
    }
    graph.scopeParent.push_back(container);
    graph.scopeSize.emplace_back();
    graph.scopeRole.push_back(kind == Group::Kind::Helpers && part == Part::Network ? Role::Aside : roleOf(part));
    graph.scopeMass.push_back(static_cast<float>(mass));
    if (!graph.scopeKey.empty() || (!graph.nodeKey.empty() && scopes == 0)) graph.scopeKey.push_back(g.key);
    if (!graph.scopePin.empty()) graph.scopePin.emplace_back();
    facts.push_back(sum);
    scopePart.push_back(part);
    groups.push_back(std::move(g));
    return id;
  }

  void groupHelpers(std::int32_t container, const std::vector<std::int32_t>& list) {
    std::array<std::vector<std::int32_t>, kAllParts> byPart;
    bool flows = false;
    for (const std::int32_t i : list) {
      const Role r = role(i);
      flows = flows || r == Role::Flow;
      if ((r == Role::Aside || r == Role::Beneath) && !isFixed(i)) byPart[static_cast<size_t>(partOf(i))].push_back(i);
    }
    if (!flows) return;
    for (size_t p = 0; p < byPart.size(); ++p) {
      const bool beneath = roleOf(static_cast<Part>(p)) == Role::Beneath;
      if (byPart[p].size() > (beneath ? kFewBeneath : kFewHelpers)) addGroup(Group::Kind::Helpers, static_cast<Part>(p), container, byPart[p], {});
    }
  }

  /// Groups constants without readers, which programs use to record settings.
  void groupUnread() {
    std::vector<char> wired(static_cast<size_t>(nodes), 0);
    for (const Edge& e : graph.edges)
      if (e.from >= 0 && e.to >= 0) wired[static_cast<size_t>(e.from)] = wired[static_cast<size_t>(e.to)] = 1;
    std::map<int, std::vector<std::int32_t>> unread;
    for (std::int32_t n = 0; n < nodes; ++n)
      if (wired[static_cast<size_t>(n)] == 0 && role(n) == Role::Parameter && partOf(n) != Part::Weight && !isFixed(n)) unread[parentOf(n)].push_back(n);
    for (const auto& [container, members] : unread)
      if (members.size() > kFewHelpers) addGroup(Group::Kind::Helpers, Part::Network, container, members, {});
  }

  /// Turns the planned boxes of a container's flow into groups; parameters read by a single group join it.
  void apply(std::int32_t container, const std::vector<Planned>& plan, std::int32_t into, std::map<std::int32_t, std::vector<std::int32_t>>& attached) {
    for (const Planned& p : plan) {
      if (p.item >= 0) continue;
      std::vector<std::int32_t> inner;
      std::vector<Planned> nested;
      collect(p, inner);
      std::vector<std::int32_t> direct;
      for (const Planned& part : p.parts)
        if (part.item >= 0) direct.push_back(part.item);
      const std::int32_t id = addGroup(p.kind, Part::Network, into, direct.empty() ? inner : direct, p.title);
      for (const std::int32_t member : direct)
        for (const std::int32_t parameter : attached[member]) setParent(parameter, id);
      groups[static_cast<size_t>(id - scopes)].members = static_cast<std::int32_t>(p.parts.size());
      apply(container, p.parts, id, attached);
    }
  }
  static void collect(const Planned& p, std::vector<std::int32_t>& out) {
    if (p.item >= 0) out.push_back(p.item);
    for (const Planned& part : p.parts) collect(part, out);
  }

  void groupFlow(std::int32_t container, const std::vector<std::int32_t>& list) {
    const auto c = static_cast<size_t>(container < 0 ? scopes : container);
    std::vector<std::int32_t> flow;
    std::unordered_map<std::int32_t, std::int32_t> at;
    for (const std::int32_t i : list)
      if (role(i) == Role::Flow && !isFixed(i)) at.emplace(i, static_cast<std::int32_t>(flow.size())), flow.push_back(i);
    if (static_cast<int>(flow.size()) < in.series || flow.size() > kMostMembers) return;
    BlockInput problem;
    problem.budget = in.budget;
    problem.series = in.series;
    std::map<std::int32_t, std::vector<std::int32_t>> readers;  // per parameter
    std::unordered_map<std::int32_t, size_t> reads;             // number of parameters read
    for (const auto& [from, to] : arcs[c]) {
      const auto a = at.find(from), b = at.find(to);
      if (a != at.end() && b != at.end()) problem.arcs.emplace_back(a->second, b->second);
      else if (role(from) == Role::Parameter && role(to) == Role::Flow) readers[from].push_back(b != at.end() ? to : -1), ++reads[to];
    }
    for (const std::int32_t i : flow) {
      problem.items.push_back(i);
      problem.structure.push_back(structureOf(i));
      problem.ops.push_back(i < nodes ? 1 : facts[static_cast<size_t>(i - nodes)].ops);
      problem.isInput.push_back(i < nodes && in.isInput && in.isInput(i) ? 1 : 0);
    }
    problem.title = in.title;
    const std::vector<Planned> plan = planBlocks(problem);
    // A parameter goes with its only reader.
    std::map<std::int32_t, std::vector<std::int32_t>> attached;
    for (auto& [parameter, by] : readers) {
      // A regularizer that reads all weights does not separate them from their ops.
      if (by.size() > 1) by.erase(std::remove_if(by.begin(), by.end(), [&](std::int32_t r) { return r >= 0 && reads[r] > kHub; }), by.end());
      if (isFixed(parameter) || by.empty() || by.front() < 0) continue;
      if (std::all_of(by.begin(), by.end(), [&](std::int32_t r) { return r == by.front(); })) attached[by.front()].push_back(parameter);
    }
    apply(container, plan, container, attached);
    groupParameters(container, readers);
  }

  /// Groups parameters with the same readers (or none) whose names differ only in a number.
  void groupParameters(std::int32_t container, const std::map<std::int32_t, std::vector<std::int32_t>>& readers) {
    std::map<std::pair<std::string, std::uint64_t>, std::vector<std::int32_t>> alike;
    const auto c = static_cast<size_t>(container < 0 ? scopes : container);
    for (const std::int32_t i : children[c]) {
      if (role(i) != Role::Parameter || isFixed(i) || parentOf(i) != container) continue;
      std::uint64_t kind = structureOf(i);
      if (const auto it = readers.find(i); it != readers.end())
        for (const std::int32_t r : it->second) kind += mixed(static_cast<std::uint64_t>(r) + 11);
      alike[{stemOf(in.title(i)), kind}].push_back(i);
    }
    for (const auto& [kind, members] : alike) {
      if (static_cast<int>(members.size()) < std::min(in.series, kFewWeights)) continue;
      std::vector<std::string> titles;
      for (const std::int32_t m : members) titles.push_back(in.title(m));
      addGroup(Group::Kind::Series, Part::Weight, container, members, commonTitle(titles));
    }
  }

  // Edges between the children of the containers to be grouped.
  void liftArcs() {
    arcs.resize(static_cast<size_t>(scopes) + 1);
    wanted.assign(static_cast<size_t>(scopes) + 1, 0);
    bool any = false;
    for (size_t c = 0; c < children.size(); ++c) {
      const auto flowing = std::count_if(children[c].begin(), children[c].end(), [this](std::int32_t i) { return role(i) == Role::Flow; });
      wanted[c] = flowing >= in.series && children[c].size() <= 2 * kMostMembers;
      any = any || wanted[c] != 0;
    }
    if (!any) return;
    const std::vector<std::int32_t> depth = scopeDepths();
    const auto depthOf = [&](int scope) { return scope < 0 ? -1 : depth[static_cast<size_t>(scope)]; };
    for (const Edge& e : graph.edges) {
      if (e.kind == EdgeKind::Control || e.aside || e.from < 0 || e.to < 0 || (e.weak && parentOf(e.from) != parentOf(e.to) && parentOf(e.from) >= 0)) continue;
      std::int32_t a = e.from, b = e.to;
      int pa = parentOf(a), pb = parentOf(b);
      while (depthOf(pa) > depthOf(pb)) a = nodes + pa, pa = parentOf(a);
      while (depthOf(pb) > depthOf(pa)) b = nodes + pb, pb = parentOf(b);
      while (pa != pb) a = nodes + pa, pa = parentOf(a), b = nodes + pb, pb = parentOf(b);
      const auto c = static_cast<size_t>(pa < 0 ? scopes : pa);
      if (a != b && wanted[c] != 0) arcs[c].emplace_back(a, b);
    }
    for (auto& list : arcs) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }

  std::vector<Group> run() {
    alone = ungroupedFlowOps(graph);
    readFacts();
    setRoles();
    markEdges();
    liftArcs();
    for (size_t c = 0; c < children.size(); ++c) {
      const std::int32_t container = c == static_cast<size_t>(scopes) ? -1 : static_cast<std::int32_t>(c);
      groupHelpers(container, children[c]);
      if (in.flow && wanted[c] != 0) groupFlow(container, children[c]);
    }
    if (in.flow) groupUnread();
    if (!groups.empty()) layout::orderScopes(graph);
    return std::move(groups);
  }
};

}  // namespace

void orderScopes(Graph& graph) {
  const int all = graph.scopeCount();
  std::vector<std::vector<std::int32_t>> inner(static_cast<size_t>(all) + 1);
  for (int s = 0; s < all; ++s) {
    const int parent = graph.scopeParent[static_cast<size_t>(s)];
    inner[static_cast<size_t>(parent < 0 ? all : parent)].push_back(s);
  }
  graph.scopeOrder = inner[static_cast<size_t>(all)];
  graph.scopeOrder.reserve(static_cast<size_t>(all));
  for (size_t i = 0; i < graph.scopeOrder.size(); ++i) {
    const auto& list = inner[static_cast<size_t>(graph.scopeOrder[i])];
    graph.scopeOrder.insert(graph.scopeOrder.end(), list.begin(), list.end());
  }
}

std::vector<Group> groupGraph(Graph& graph, const GroupingInput& input) { return Grouper(graph, input).run(); }

}  // namespace weft::layout
