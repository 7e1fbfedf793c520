// Memory over time. An output occupies memory from the start of its op until the end of its last reader. Pass-through ops (views, references) occupy none and
// extend their input's lifetime; variables and constants live all the time.
#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "weft/op_traits.h"
#include "weft/profile_views.h"

namespace weft {
namespace {

/// Whether the op's output shares its input's memory: pass-through, reshape, or an updated variable.
bool isPassThrough(std::string_view op) {
  const OpRole r = roleOf(op);
  return r == OpRole::Identity || r == OpRole::Identities || r == OpRole::RefIdentity || r == OpRole::Reshape || r == OpRole::ReadVariable || isFlow(r) ||
         changesVariable(r);
}

bool isLasting(std::string_view op) {
  const OpRole r = roleOf(op);
  return r == OpRole::Variable || r == OpRole::ScratchVariable || r == OpRole::Constant;
}

using Wide = __int128;  // for sums of sizes from a file

struct Lifetime {
  int32_t slice = 0, slot = 0;
  int64_t bytes = 0, start = 0, end = 0;
};

}  // namespace

std::vector<MemoryTimeline> memoryTimelines(const Trace& trace) {
  // Executions of a node within a step, by time; in loops each output is replaced by the next iteration's.
  std::unordered_map<int64_t, std::vector<int>> runs;  // step and name -> slices
  const auto key = [](int32_t step, int32_t name) { return int64_t(step) << 32 | uint32_t(name); };
  for (size_t i = 0; i < trace.slices.size(); ++i) {
    const TraceSlice& s = trace.slices[i];
    if (trace.counts(s)) runs[key(s.step, s.name)].push_back(int(i));
  }
  for (auto& [k, list] : runs) {
    std::sort(list.begin(), list.end(), [&](int a, int b) { return trace.slices[size_t(a)].startNs < trace.slices[size_t(b)].startNs; });
  }
  std::unordered_map<std::string_view, int32_t> nameOf;
  for (const TraceSlice& s : trace.slices) nameOf.emplace(trace.nameOf(s), s.name);
  const auto endOf = [&](int i) { return trace.slices[size_t(i)].startNs + trace.slices[size_t(i)].durationNs; };

  // Time until which an execution's outputs are needed; a pass-through output is needed as long as its readers. Readers start later than what they read, so one
  // pass over the slices from last to first is enough.
  std::vector<int64_t> until(trace.slices.size());
  for (size_t i = 0; i < trace.slices.size(); ++i) until[i] = endOf(int(i));
  std::vector<int> byStart(trace.slices.size());
  for (size_t i = 0; i < byStart.size(); ++i) byStart[i] = int(i);
  std::sort(byStart.begin(), byStart.end(), [&](int a, int b) { return trace.slices[size_t(a)].startNs > trace.slices[size_t(b)].startNs; });
  for (const int i : byStart) {
    const TraceSlice& s = trace.slices[size_t(i)];
    const TraceNode* node = trace.node(trace.nameOf(s));
    if (!node) continue;
    const int64_t need = isPassThrough(trace.opOf(s)) ? until[size_t(i)] : endOf(i);
    for (const std::string& input : node->inputs) {
      const auto name = nameOf.find(input);
      if (name == nameOf.end()) continue;
      const auto list = runs.find(key(s.step, name->second));
      if (list == runs.end()) continue;
      const auto after =
          std::upper_bound(list->second.begin(), list->second.end(), s.startNs, [&](int64_t t, int k) { return t < trace.slices[size_t(k)].startNs; });
      if (after == list->second.begin()) continue;
      int64_t& end = until[size_t(*(after - 1))];
      end = std::max(end, need);
    }
  }

  std::map<std::string, std::vector<Lifetime>> devices;
  std::set<std::tuple<std::string, int32_t, int32_t>> lasting;  // counted once, not once per step
  for (const TraceTensor& t : trace.tensors) {
    // On a GPU a tensor lives as long as the work on the stream needs it, not as long as the host that runs ahead.
    const int32_t launched = trace.slices[size_t(t.slice)].launched, slice = launched >= 0 ? launched : t.slice;
    const TraceSlice& s = trace.slices[size_t(slice)];
    const std::string& op = trace.opOf(s);
    if (t.bytes <= 0 || !trace.counts(s) || isPassThrough(op)) continue;
    const std::string device(deviceOfTrack(trace.tracks[size_t(s.track)].device));
    if (isLasting(op)) {
      if (!lasting.emplace(device, s.name, t.slot).second) continue;
      devices[device].push_back({slice, t.slot, t.bytes, 0, trace.durationNs});
    } else {
      devices[device].push_back({slice, t.slot, t.bytes, s.startNs, std::max(until[size_t(slice)], s.startNs + 1)});
    }
  }

  std::vector<MemoryTimeline> out;
  for (auto& [device, lifetimes] : devices) {
    MemoryTimeline m;
    m.device = device;
    std::vector<std::pair<int64_t, int64_t>> changes;
    changes.reserve(lifetimes.size() * 2);
    for (const Lifetime& l : lifetimes) {
      changes.emplace_back(l.start, l.bytes);
      changes.emplace_back(l.end, -l.bytes);
    }
    std::sort(changes.begin(), changes.end());  // at equal times, releases (negative) come first
    Wide now = 0;
    for (size_t i = 0; i < changes.size(); ++i) {
      now += changes[i].second;
      if (now > m.peakBytes) {
        m.peakBytes = int64_t(std::min<Wide>(now, std::numeric_limits<int64_t>::max()));
        m.peakNs = changes[i].first;
      }
      if (i + 1 == changes.size() || changes[i + 1].first != changes[i].first) m.points.emplace_back(changes[i].first, double(now));
    }
    for (const Lifetime& l : lifetimes) {
      if (l.start > m.peakNs || l.end <= m.peakNs) continue;
      const TraceSlice& s = trace.slices[size_t(l.slice)];
      m.atPeak.push_back({trace.nameOf(s), trace.opOf(s), l.slot, l.bytes, l.start, l.end});
    }
    std::stable_sort(m.atPeak.begin(), m.atPeak.end(), [](const MemoryOwner& a, const MemoryOwner& b) { return a.bytes > b.bytes; });
    out.push_back(std::move(m));
  }
  return out;
}

}  // namespace weft
