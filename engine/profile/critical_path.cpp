// The critical path of a step: from the slice that ended last back to the slice it waited for (an input, or the previous one on its thread), and so on.
#include <algorithm>
#include <unordered_map>

#include "weft/profile_views.h"

namespace weft {

std::vector<int> criticalPath(const Trace& trace, int step) {
  std::unordered_map<std::string_view, std::vector<int>> runs;  // by node, ordered by end
  std::vector<int> before(trace.slices.size(), -1);             // on the same track and row
  std::unordered_map<int64_t, int> lastOf;
  int last = -1;
  const auto endOf = [&](int i) { return trace.slices[size_t(i)].startNs + trace.slices[size_t(i)].durationNs; };
  for (size_t i = 0; i < trace.slices.size(); ++i) {
    const TraceSlice& s = trace.slices[i];
    if (s.step != step || !trace.counts(s)) continue;
    runs[trace.nameOf(s)].push_back(int(i));
    if (s.parent < 0) {
      const auto [it, made] = lastOf.try_emplace(s.track, -1);
      before[i] = it->second;
      it->second = int(i);
    }
    if (s.parent < 0 && (last < 0 || endOf(int(i)) > endOf(last))) last = int(i);
  }
  for (auto& [name, list] : runs) std::sort(list.begin(), list.end(), [&](int a, int b) { return endOf(a) < endOf(b); });
  std::vector<int> path;
  while (last >= 0) {
    path.push_back(last);
    const TraceSlice& s = trace.slices[size_t(last)];
    int next = -1;
    const auto offer = [&](int i) {
      if (i >= 0 && i != last && endOf(i) <= s.startNs && (next < 0 || endOf(i) > endOf(next))) next = i;
    };
    offer(before[size_t(last)]);
    if (const TraceNode* node = trace.node(trace.nameOf(s))) {
      for (const std::string& input : node->inputs) {
        const auto it = runs.find(input);
        if (it == runs.end()) continue;
        const auto after = std::upper_bound(it->second.begin(), it->second.end(), s.startNs, [&](int64_t t, int i) { return t < endOf(i); });
        if (after != it->second.begin()) offer(*(after - 1));
      }
    }
    // Slices of zero duration could point to each other forever. To visit each slice at most once, starts must decrease, or indices at equal starts.
    if (next >= 0 && trace.slices[size_t(next)].startNs == s.startNs && trace.slices[size_t(next)].durationNs == 0 && next > last) break;
    last = next;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace weft
