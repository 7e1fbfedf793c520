// The simplex tree spans each connected part with arcs of zero slack. A tree arc with a negative cut value leaves; the arc of least slack that crosses the same
// cut in the other direction enters. `low` and `number` number the tree in postorder, so that a subtree test is one comparison.
#include "layout/network_simplex.h"

#include <algorithm>
#include <limits>
#include <queue>

namespace weft::layout {
namespace {

constexpr std::int32_t kNone = -1;

struct Simplex {
  const std::vector<RankArc>& arcs;
  std::vector<std::int32_t>& rank;
  std::size_t n;
  std::vector<std::vector<std::int32_t>> incident;  // arcs of each vertex
  std::vector<std::vector<std::int32_t>> tree;      // tree arcs of each vertex
  std::vector<char> inTree;                         // per arc
  std::vector<std::int64_t> cut;                    // per arc of the tree
  std::vector<std::int32_t> parent;                 // per vertex: arc to its parent, kNone for a root
  std::vector<std::int32_t> low, number, part;
  std::int32_t counter = 0;
  std::vector<std::int32_t> treeArcs, placeOf;  // the tree's arcs, and the index of each among them
  std::size_t next = 0;                         // where the search for a leaving arc continues

  const RankArc& arc(std::int32_t a) const { return arcs[static_cast<std::size_t>(a)]; }
  std::int32_t& at(std::int32_t v) { return rank[static_cast<std::size_t>(v)]; }
  std::int32_t slack(std::int32_t a) { return at(arc(a).to) - at(arc(a).from) - arc(a).length; }
  std::int32_t otherEnd(std::int32_t a, std::int32_t v) const { return arc(a).from == v ? arc(a).to : arc(a).from; }
  bool below(std::int32_t v, std::int32_t top) const {
    const auto i = static_cast<std::size_t>(v), t = static_cast<std::size_t>(top);
    return low[t] <= number[i] && number[i] <= number[t];
  }
  /// The end of a tree arc farther from the root.
  std::int32_t childOf(std::int32_t a) const { return parent[static_cast<std::size_t>(arc(a).from)] == a ? arc(a).from : arc(a).to; }

  explicit Simplex(const std::vector<RankArc>& all, std::vector<std::int32_t>& ranks) : arcs(all), rank(ranks), n(ranks.size()) {
    incident.resize(n);
    tree.resize(n);
    inTree.assign(arcs.size(), 0);
    cut.assign(arcs.size(), 0);
    parent.assign(n, kNone);
    low.assign(n, 0);
    number.assign(n, 0);
    part.assign(n, kNone);
    placeOf.assign(arcs.size(), kNone);
    for (std::size_t a = 0; a < arcs.size(); ++a) {
      incident[static_cast<std::size_t>(arcs[a].from)].push_back(static_cast<std::int32_t>(a));
      incident[static_cast<std::size_t>(arcs[a].to)].push_back(static_cast<std::int32_t>(a));
    }
  }

  /// Grows a tree from each vertex that is in none, by the outgoing arc of least slack; the tree is moved until that slack is zero. Arcs towards the tree and
  /// away from it are queued separately, so that the queues stay ordered while the tree moves.
  void span() {
    for (std::size_t root = 0; root < n; ++root)
      if (part[root] == kNone) grow(static_cast<std::int32_t>(root));
  }

  void grow(std::int32_t root) {
    using Waiting = std::pair<std::int64_t, std::int32_t>;  // slack relative to the tree's movement, arc
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> out, in;
    std::int64_t moved = 0;
    std::vector<std::pair<std::int32_t, std::int64_t>> members;  // with the distance that the tree had moved when they joined
    const auto enter = [&](std::int32_t v) {
      part[static_cast<std::size_t>(v)] = root;
      members.emplace_back(v, moved);
      for (const std::int32_t a : incident[static_cast<std::size_t>(v)]) {
        if (part[static_cast<std::size_t>(otherEnd(a, v))] == root) continue;
        // From here on the rank of v is relative to the tree's movement, which shortens outgoing arcs and lengthens incoming ones.
        if (arc(a).from == v) out.emplace(slack(a) + moved, a);
        else in.emplace(slack(a) - moved, a);
      }
    };
    const auto inside = [&](std::int32_t a) {
      return part[static_cast<std::size_t>(arc(a).from)] == root && part[static_cast<std::size_t>(arc(a).to)] == root;
    };
    enter(root);
    while (true) {
      while (!out.empty() && inside(out.top().second)) out.pop();
      while (!in.empty() && inside(in.top().second)) in.pop();
      if (out.empty() && in.empty()) break;
      const std::int64_t slackOut = out.empty() ? std::numeric_limits<std::int64_t>::max() : out.top().first - moved;
      const std::int64_t slackIn = in.empty() ? std::numeric_limits<std::int64_t>::max() : in.top().first + moved;
      const bool leaving = slackOut <= slackIn;
      const std::int32_t a = leaving ? out.top().second : in.top().second;
      moved += leaving ? slackOut : -slackIn;
      const std::int32_t v = leaving ? arc(a).to : arc(a).from;
      addToTree(a, static_cast<std::int32_t>(treeArcs.size()));
      enter(v);
    }
    for (const auto& [v, before] : members) at(v) += static_cast<std::int32_t>(moved - before);
  }

  void addToTree(std::int32_t a, std::int32_t place) {
    if (static_cast<std::size_t>(place) == treeArcs.size()) treeArcs.push_back(a);
    treeArcs[static_cast<std::size_t>(place)] = a;
    placeOf[static_cast<std::size_t>(a)] = place;
    inTree[static_cast<std::size_t>(a)] = 1;
    tree[static_cast<std::size_t>(arc(a).from)].push_back(a);
    tree[static_cast<std::size_t>(arc(a).to)].push_back(a);
  }

  void removeFromTree(std::int32_t a) {
    inTree[static_cast<std::size_t>(a)] = 0;
    for (const std::int32_t v : {arc(a).from, arc(a).to}) {
      auto& list = tree[static_cast<std::size_t>(v)];
      list.erase(std::find(list.begin(), list.end(), a));
    }
  }

  /// Numbers the subtree of `top` in postorder from `first`; `order` receives it.
  void numberSubtree(std::int32_t top, std::int32_t parentArc, std::int32_t first, std::vector<std::int32_t>& order) {
    struct Step {
      std::int32_t v;
      std::size_t next;
    };
    std::vector<Step> stack{{top, 0}};
    counter = first;
    parent[static_cast<std::size_t>(top)] = parentArc;
    low[static_cast<std::size_t>(top)] = counter;
    while (!stack.empty()) {
      const std::int32_t v = stack.back().v;
      const auto& list = tree[static_cast<std::size_t>(v)];
      if (stack.back().next == list.size()) {
        number[static_cast<std::size_t>(v)] = counter++;
        order.push_back(v);
        stack.pop_back();
        continue;
      }
      const std::int32_t a = list[stack.back().next++];
      if (a == parent[static_cast<std::size_t>(v)]) continue;
      const std::int32_t w = otherEnd(a, v);
      parent[static_cast<std::size_t>(w)] = a;
      low[static_cast<std::size_t>(w)] = counter;
      stack.push_back({w, 0});
    }
  }

  /// Cut value of the arc from a vertex to its parent: weight leaving the subtree minus weight entering it, seen from the arc's tail. REQUIRES: known for the
  /// arcs below.
  void computeCut(std::int32_t v) {
    const std::int32_t up = parent[static_cast<std::size_t>(v)];
    if (up == kNone) return;
    std::int64_t leaves = 0;
    for (const std::int32_t a : incident[static_cast<std::size_t>(v)]) {
      leaves += arc(a).from == v ? arc(a).weight : -arc(a).weight;
      if (a == up || !inTree[static_cast<std::size_t>(a)]) continue;
      leaves += arc(a).from == v ? -cut[static_cast<std::size_t>(a)] : cut[static_cast<std::size_t>(a)];
    }
    cut[static_cast<std::size_t>(up)] = arc(up).from == v ? leaves : -leaves;
  }

  /// A tree arc with a negative cut value, the lowest of the first few found; kNone if the ranks are optimal.
  std::int32_t leaving() {
    constexpr int kEnough = 40;
    std::int32_t best = kNone;
    std::int64_t least = 0;
    int found = 0;
    for (std::size_t looked = 0; looked < treeArcs.size() && found < kEnough; ++looked) {
      const std::int32_t a = treeArcs[next];
      next = next + 1 == treeArcs.size() ? 0 : next + 1;
      const std::int64_t value = cut[static_cast<std::size_t>(a)];
      if (value >= 0) continue;
      ++found;
      if (value >= least) continue;
      least = value;
      best = a;
    }
    return best;
  }

  /// The arc of least slack from the head's side of the cut to the tail's.
  std::int32_t entering(std::int32_t leave) {
    const std::int32_t top = childOf(leave);
    const bool headBelow = arc(leave).to == top;
    std::int32_t best = kNone, least = std::numeric_limits<std::int32_t>::max();
    std::vector<std::int32_t> stack{top};
    while (!stack.empty()) {
      const std::int32_t v = stack.back();
      stack.pop_back();
      for (const std::int32_t a : incident[static_cast<std::size_t>(v)]) {
        const std::int32_t w = otherEnd(a, v);
        if (inTree[static_cast<std::size_t>(a)]) {
          if (a != parent[static_cast<std::size_t>(v)] && parent[static_cast<std::size_t>(w)] == a) stack.push_back(w);
          continue;
        }
        if (below(w, top) || (arc(a).from == v) != headBelow) continue;
        if (slack(a) < least) {
          least = slack(a);
          best = a;
        }
      }
    }
    return best;
  }

  void shift(std::int32_t top, std::int32_t by) {
    std::vector<std::int32_t> stack{top};
    while (!stack.empty()) {
      const std::int32_t v = stack.back();
      stack.pop_back();
      at(v) += by;
      for (const std::int32_t a : tree[static_cast<std::size_t>(v)])
        if (a != parent[static_cast<std::size_t>(v)]) stack.push_back(otherEnd(a, v));
    }
  }

  void exchange(std::int32_t leave, std::int32_t enter) {
    const std::int32_t top = childOf(leave), delta = slack(enter);
    shift(top, arc(leave).to == top ? delta : -delta);
    // The lowest common ancestor of the new arc's ends: only the tree below it changes.
    std::int32_t meet = arc(enter).from;
    while (!below(arc(enter).to, meet)) meet = otherEnd(parent[static_cast<std::size_t>(meet)], meet);
    // Cut values change only along the path between the new arc's ends.
    const std::int64_t value = cut[static_cast<std::size_t>(leave)];
    for (const bool fromTail : {true, false})
      for (std::int32_t v = fromTail ? arc(enter).from : arc(enter).to; v != meet;) {
        const std::int32_t a = parent[static_cast<std::size_t>(v)];
        const bool along = (arc(a).from == v) == fromTail;
        cut[static_cast<std::size_t>(a)] += along ? value : -value;
        v = otherEnd(a, v);
      }
    removeFromTree(leave);
    addToTree(enter, placeOf[static_cast<std::size_t>(leave)]);
    cut[static_cast<std::size_t>(enter)] = -value;
    std::vector<std::int32_t> order;
    numberSubtree(meet, parent[static_cast<std::size_t>(meet)], low[static_cast<std::size_t>(meet)], order);
  }

  std::int32_t run(std::int32_t pivots) {
    span();
    std::vector<std::int32_t> order;
    for (std::size_t v = 0; v < n; ++v)
      if (part[v] == static_cast<std::int32_t>(v)) numberSubtree(static_cast<std::int32_t>(v), kNone, counter, order);
    for (const std::int32_t v : order) computeCut(v);
    std::int32_t done = 0;
    for (; done < pivots; ++done) {
      const std::int32_t leave = leaving();
      if (leave == kNone) break;
      const std::int32_t enter = entering(leave);
      if (enter == kNone) {
        cut[static_cast<std::size_t>(leave)] = 0;  // no arc crosses in the other direction: its weight has no effect
        continue;
      }
      exchange(leave, enter);
    }
    return done;
  }
};

}  // namespace

std::int32_t minimizeRanks(const std::vector<RankArc>& arcs, std::vector<std::int32_t>& ranks, std::int32_t pivots) {
  if (arcs.empty()) return 0;
  Simplex simplex(arcs, ranks);
  const std::vector<std::int32_t> before = ranks;
  const std::int32_t done = simplex.run(pivots);
  // Each connected part keeps its least rank.
  std::vector<std::int32_t> was(ranks.size(), std::numeric_limits<std::int32_t>::max()), is = was;
  for (std::size_t v = 0; v < ranks.size(); ++v) {
    const auto p = static_cast<std::size_t>(simplex.part[v]);
    was[p] = std::min(was[p], before[v]);
    is[p] = std::min(is[p], ranks[v]);
  }
  for (std::size_t v = 0; v < ranks.size(); ++v) {
    const auto p = static_cast<std::size_t>(simplex.part[v]);
    ranks[v] += was[p] - is[p];
  }
  return done;
}

}  // namespace weft::layout
