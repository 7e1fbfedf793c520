#include "layout/acyclic.h"

#include <algorithm>
#include <numeric>

namespace weft::layout {

std::vector<std::int32_t> acyclicOrder(std::int32_t count, const std::vector<std::pair<std::int32_t, std::int32_t>>& arcs, std::vector<char>& back) {
  const auto n = static_cast<size_t>(count);
  back.assign(arcs.size(), 0);
  std::vector<std::int32_t> start(n + 1, 0), inputs(n, 0), list(arcs.size());
  for (const auto& [from, to] : arcs) {
    ++start[static_cast<size_t>(from) + 1];
    if (from != to) ++inputs[static_cast<size_t>(to)];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::int32_t> fill(start.begin(), start.end() - 1);
  for (size_t a = 0; a < arcs.size(); ++a) list[static_cast<size_t>(fill[static_cast<size_t>(arcs[a].first)]++)] = static_cast<std::int32_t>(a);

  std::vector<std::int32_t> order;
  order.reserve(n);
  std::vector<char> state(n, 0);  // 1: on the stack, 2: done
  std::vector<std::int32_t> next(start.begin(), start.end() - 1), stack;
  const auto visit = [&](std::int32_t root) {
    if (state[static_cast<size_t>(root)] != 0) return;
    stack.push_back(root);
    state[static_cast<size_t>(root)] = 1;
    while (!stack.empty()) {
      const auto v = static_cast<size_t>(stack.back());
      if (next[v] == start[v + 1]) {
        state[v] = 2;
        order.push_back(stack.back());
        stack.pop_back();
        continue;
      }
      const auto arc = static_cast<size_t>(list[static_cast<size_t>(next[v]++)]);
      char& s = state[static_cast<size_t>(arcs[arc].second)];
      if (s == 1) back[arc] = 1;
      if (s == 0) {
        s = 1;
        stack.push_back(arcs[arc].second);
      }
    }
  };
  for (std::int32_t i = 0; i < count; ++i)
    if (inputs[static_cast<size_t>(i)] == 0) visit(i);
  for (std::int32_t i = 0; i < count; ++i) visit(i);
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace weft::layout
