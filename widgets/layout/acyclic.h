#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft::layout {

/// A topological order of `count` vertices; `back[arc]` is set for arcs that close cycles. Depth-first from the sources in ascending order, so that the arc
/// that returns to an earlier vertex is the one marked as back. O(count + arcs).
std::vector<std::int32_t> acyclicOrder(std::int32_t count, const std::vector<std::pair<std::int32_t, std::int32_t>>& arcs, std::vector<char>& back);

/// The same with weak arcs: the strong arcs alone decide the order, and weak arcs against it are marked as back.
template <typename IsWeak>
std::vector<std::int32_t> flowOrder(std::int32_t count, const std::vector<std::pair<std::int32_t, std::int32_t>>& arcs, IsWeak&& isWeak,
                                    std::vector<char>& back) {
  std::vector<std::pair<std::int32_t, std::int32_t>> strong;
  for (std::size_t a = 0; a < arcs.size(); ++a)
    if (!isWeak(a)) strong.push_back(arcs[a]);
  if (strong.size() == arcs.size()) return acyclicOrder(count, arcs, back);
  std::vector<char> strongBack;
  const std::vector<std::int32_t> order = acyclicOrder(count, strong, strongBack);
  std::vector<std::int32_t> place(static_cast<std::size_t>(count), 0);
  for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  // A vertex without strong arcs is placed after all of its weak predecessors, so that no arc is reversed needlessly.
  std::vector<std::pair<std::int32_t, std::int32_t>> forward;
  std::vector<std::size_t> kept;
  std::vector<char> linked(static_cast<std::size_t>(count), 0);
  for (const auto& [from, to] : strong) linked[static_cast<std::size_t>(from)] = linked[static_cast<std::size_t>(to)] = 1;
  back.assign(arcs.size(), 0);
  std::size_t s = 0;
  for (std::size_t a = 0; a < arcs.size(); ++a) {
    const auto [from, to] = arcs[a];
    const bool weak = isWeak(a);
    const bool both = linked[static_cast<std::size_t>(from)] && linked[static_cast<std::size_t>(to)];
    back[a] = weak ? both && place[static_cast<std::size_t>(from)] >= place[static_cast<std::size_t>(to)] : strongBack[s++];
    if (back[a]) continue;
    forward.push_back(arcs[a]);
    kept.push_back(a);
  }
  std::vector<char> more;
  std::vector<std::int32_t> result = acyclicOrder(count, forward, more);
  for (std::size_t k = 0; k < kept.size(); ++k)
    if (more[k]) back[kept[k]] = 1;
  return result;
}

}  // namespace weft::layout
