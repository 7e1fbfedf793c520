// Chooses the scopes that are open in the first picture of a graph.
#include <algorithm>

#include "layout/grouping.h"

namespace weft::layout {
namespace {

constexpr std::int32_t kSmall = 100;    // graphs with fewer nodes open without expanded scopes
constexpr std::int32_t kBoxes = 7;      // parallel boxes of the network: with more, nothing needs to be opened
constexpr std::int32_t kContents = 60;  // boxes that the scope may contain, kChain of them in its flow
constexpr std::int32_t kChain = 20;
constexpr double kMost = 0.6, kInner = 0.45;  // share of the network's nodes, at the top level and further in
constexpr int kDeepest = 3;

}  // namespace

std::vector<char> openAtFirst(const Graph& graph) {
  const auto scopes = static_cast<size_t>(graph.scopeCount());
  std::vector<char> open(scopes, 0);
  if (graph.nodeCount() < kSmall || graph.scopeRole.size() < scopes || graph.nodeRole.size() < graph.nodeScope.size()) return open;
  std::vector<std::int32_t> ops(scopes, 0), boxes(scopes + 1, 0), flowing(scopes + 1, 0);
  const auto containerOf = [scopes](int scope) { return scope < 0 ? scopes : static_cast<size_t>(scope); };
  std::int32_t singles = 0;  // network nodes at the top level
  for (size_t n = 0; n < graph.nodeScope.size(); ++n) {
    const int scope = graph.nodeScope[n];
    ++boxes[containerOf(scope)];
    if (graph.nodeRole[n] == Role::Flow) ++flowing[containerOf(scope)];
    if (scope >= 0) ++ops[static_cast<size_t>(scope)];
    else if (graph.nodeRole[n] == Role::Flow) ++singles;
  }
  for (int at = graph.scopeCount() - 1; at >= 0; --at) {
    const auto s = static_cast<size_t>(graph.scopeAt(at));
    const int parent = graph.scopeParent[s];
    ++boxes[containerOf(parent)];
    if (graph.scopeRole[s] == Role::Flow) ++flowing[containerOf(parent)];
    if (parent >= 0) ops[static_cast<size_t>(parent)] += ops[s];
  }
  int container = -1;
  for (int depth = 0; depth < kDeepest && flowing[containerOf(container)] <= kBoxes; ++depth) {
    std::int32_t all = depth == 0 ? singles : 0, best = -1;
    for (size_t s = 0; s < scopes; ++s) {
      if (graph.scopeParent[s] != container || graph.scopeRole[s] != Role::Flow) continue;
      all += ops[s];
      if (best < 0 || ops[s] > ops[static_cast<size_t>(best)]) best = static_cast<std::int32_t>(s);
    }
    if (best < 0 || ops[static_cast<size_t>(best)] < (depth == 0 ? kMost : kInner) * all || boxes[static_cast<size_t>(best)] > kContents ||
        flowing[static_cast<size_t>(best)] > kChain)
      break;
    open[static_cast<size_t>(best)] = 1;
    container = best;
  }
  return open;
}

}  // namespace weft::layout
