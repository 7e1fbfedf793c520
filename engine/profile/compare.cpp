#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "profile/aggregate.h"

namespace weft {

std::vector<ProfileChange> compareTraces(const Trace& before, const Trace& after, bool byOp) {
  std::vector<ProfileChange> out;
  std::unordered_map<std::string, size_t> place;
  const auto add = [&](const Trace& trace, bool later) {
    for (const NodeTotals& n : nodeTotals(trace, -1, false)) {
      const std::string& op = trace.text(n.op);
      const std::string& name = byOp && n.op ? op : trace.text(n.name);
      const auto [it, made] = place.try_emplace(name, out.size());
      if (made) out.push_back({name, op});
      ProfileChange& c = out[it->second];
      (later ? c.afterNs : c.beforeNs) += n.numbers.selfNs;
      (later ? c.afterCount : c.beforeCount) += n.numbers.count;
    }
  };
  add(before, false);
  add(after, true);
  std::stable_sort(out.begin(), out.end(), [](const ProfileChange& a, const ProfileChange& b) { return std::fabs(a.deltaNs()) > std::fabs(b.deltaNs()); });
  return out;
}

}  // namespace weft
