// Sorting, nesting and steps of a trace's slices.
#include "weft/profile.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <tuple>

#include "profile/bounds.h"

namespace weft {

Trace::Trace() { intern(""); }

const TraceNode* Trace::node(const std::string& name) const {
  const auto it = nodes.find(name);
  return it == nodes.end() ? nullptr : &it->second;
}

int32_t Trace::intern(std::string_view text) {
  if (const auto it = byText_.find(text); it != byText_.end()) return it->second;
  strings_.emplace_back(text);  // a deque: the views that are keys stay valid
  const auto index = int32_t(strings_.size()) - 1;
  byText_.emplace(strings_.back(), index);
  return index;
}

int Trace::track(const std::string& device, const std::string& name) {
  const auto [it, made] = byTrack_.try_emplace(device + '\n' + name, int(tracks.size()));
  if (made) {
    TraceTrack t;
    t.device = device;
    t.name = name;
    tracks.push_back(std::move(t));
  }
  return it->second;
}

void Trace::finish() {
  int64_t negative = 0, far = 0, first = std::numeric_limits<int64_t>::max();
  for (TraceSlice& s : slices) {
    // Readers clamp times to these bounds already; this counts and reports them.
    s.startNs = boundedNs(s.startNs);
    s.durationNs = boundedNs(s.durationNs);
    far += std::abs(s.startNs) == kFarthestNs || std::abs(s.durationNs) == kFarthestNs;
    if (s.durationNs < 0) {
      ++negative;
      s.durationNs = 0;
    }
    s.selfNs = s.durationNs;
    first = std::min(first, s.startNs);
  }
  for (const TraceCounter& c : counters) {
    if (!c.points.empty()) first = std::min(first, c.points.front().first);
  }
  if (negative > 0) {
    problems.push_back({TraceProblem::Kind::NegativeDuration, negative,
                        concat(negative, negative == 1 ? " slice ends" : " slices end", " before it begins; shown as instants")});
  }
  if (far > 0) {
    problems.push_back(
        {TraceProblem::Kind::Skipped, far, concat(far, far == 1 ? " slice has a time" : " slices have times", " of more than 73 years; shown as 73 years")});
  }
  if (first == std::numeric_limits<int64_t>::max()) first = 0;
  // Tensors refer to slices by their index before sorting.
  const auto less = [this](const TraceSlice& a, const TraceSlice& b) {
    if (a.track != b.track) return a.track < b.track;
    if (a.startNs != b.startNs) return a.startNs < b.startNs;
    return a.durationNs > b.durationNs;
  };
  if (!std::is_sorted(slices.begin(), slices.end(), less)) {
    std::vector<int32_t> order(slices.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = int32_t(i);
    std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return less(slices[size_t(a)], slices[size_t(b)]); });
    std::vector<TraceSlice> sorted(slices.size());
    std::vector<int32_t> place(slices.size());
    for (size_t i = 0; i < order.size(); ++i) {
      sorted[i] = slices[size_t(order[i])];
      place[size_t(order[i])] = int32_t(i);
    }
    slices = std::move(sorted);
    for (TraceTensor& t : tensors) t.slice = place[size_t(t.slice)];
    for (TraceTransfer& t : transfers) {
      for (int32_t* slice : {&t.send, &t.ask, &t.receive})
        if (*slice >= 0) *slice = place[size_t(*slice)];
    }
  }
  for (TraceSlice& s : slices) {
    s.startNs -= first;
    durationNs = std::max(durationNs, s.startNs + s.durationNs);
  }
  for (TraceTransfer& t : transfers) {
    for (int64_t* time : {&t.sentNs, &t.askedNs, &t.receivedNs})
      if (*time != TraceTransfer::kUnknownTime) *time -= first;
  }
  std::stable_sort(transfers.begin(), transfers.end(),
                   [](const TraceTransfer& a, const TraceTransfer& b) { return std::max(a.sentNs, a.askedNs) < std::max(b.sentNs, b.askedNs); });
  for (TraceCounter& c : counters) {
    std::stable_sort(c.points.begin(), c.points.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& p : c.points) p.first -= first;
    if (!c.points.empty()) durationNs = std::max(durationNs, c.points.back().first);
  }
  if (steps.empty()) steps.push_back({1, 0, 0});
  std::vector<bool> seen(steps.size(), false);
  for (TraceSlice& s : slices) {
    s.step = std::clamp<int32_t>(s.step, 0, int32_t(steps.size()) - 1);
    TraceStep& step = steps[size_t(s.step)];
    step.startNs = seen[size_t(s.step)] ? std::min(step.startNs, s.startNs) : s.startNs;
    step.endNs = seen[size_t(s.step)] ? std::max(step.endNs, s.startNs + s.durationNs) : s.startNs + s.durationNs;
    seen[size_t(s.step)] = true;
  }
  nest();
  joinLaunches();
}

// Slices of a track are ordered by start, longer ones first, so the parent of a slice is the last one still running. A slice that begins inside another and
// ends after it cannot be nested: it goes to the first free row, and nobody's self time is reduced.
void Trace::nest() {
  int64_t overlaps = 0;
  std::vector<int32_t> running;
  std::vector<char> used;
  std::vector<int64_t> rowEnds;
  bool mixed = false;  // whether some running slice is not nested in the previous one
  int track = -1;
  const auto endOf = [this](int32_t k) { return slices[size_t(k)].startNs + slices[size_t(k)].durationNs; };
  for (size_t i = 0; i < slices.size(); ++i) {
    TraceSlice& s = slices[i];
    if (s.track != track) {
      track = s.track;
      running.clear();
      mixed = false;
    }
    const int64_t end = s.startNs + s.durationNs;
    if (tracks[size_t(track)].parallel) {
      // The first row that is free.
      if (i == 0 || slices[i - 1].track != track) rowEnds.clear();
      s.parent = -1;
      s.depth = int32_t(std::find_if(rowEnds.begin(), rowEnds.end(), [&](int64_t e) { return e <= s.startNs; }) - rowEnds.begin());
      if (size_t(s.depth) == rowEnds.size()) rowEnds.push_back(end);
      else rowEnds[size_t(s.depth)] = end;
      tracks[size_t(track)].rows = std::max(tracks[size_t(track)].rows, s.depth + 1);
      continue;
    }
    if (mixed) {
      std::erase_if(running, [&](int32_t k) { return endOf(k) <= s.startNs; });
      mixed = running.size() > 1;
    } else {
      while (!running.empty() && endOf(running.back()) <= s.startNs) running.pop_back();
    }
    s.parent = -1;
    s.depth = 0;
    if (!running.empty()) {
      // The innermost running slice that encloses it; slices that end earlier overlap it.
      for (auto it = running.rbegin(); it != running.rend() && s.parent < 0; ++it) {
        if (endOf(*it) >= end) s.parent = *it;
        else mixed = true;
      }
      if (s.parent >= 0) {
        TraceSlice& outer = slices[size_t(s.parent)];
        s.depth = outer.depth + 1;
        outer.selfNs = std::max<int64_t>(0, outer.selfNs - s.durationNs);
      }
      overlaps += s.parent != running.back() && !tracks[size_t(track)].duplicate;
      if (mixed) {
        used.assign(running.size() + size_t(s.depth) + 2, 0);
        for (const int32_t k : running) {
          if (size_t(slices[size_t(k)].depth) < used.size()) used[size_t(slices[size_t(k)].depth)] = 1;
        }
        while (used[size_t(s.depth)]) ++s.depth;
      }
    }
    tracks[size_t(track)].rows = std::max(tracks[size_t(track)].rows, s.depth + 1);
    running.push_back(int32_t(i));
  }
  if (overlaps > 0) {
    problems.push_back({TraceProblem::Kind::Overlap, overlaps,
                        concat(overlaps, overlaps == 1 ? " slice overlaps another" : " slices overlap others",
                               " of the same thread without lying inside; they have rows of their own")});
  }
}

std::string_view deviceOfTrack(std::string_view device) { return device.substr(0, std::min(device.find("/stream:"), device.find("/memcpy"))); }

bool isDeviceCopy(std::string_view op) { return op == "_HostToDevice" || op == "_DeviceToHost" || op == "_DeviceToDevice"; }

// The k-th execution of a node on a GPU's host thread queued the k-th share of its slices on the GPU's streams: an op may take several kernels.
void Trace::joinLaunches() {
  std::vector<std::string_view> device(tracks.size());
  std::unordered_map<std::string_view, int32_t> streamed;  // devices with streams, numbered
  for (size_t t = 0; t < tracks.size(); ++t) {
    device[t] = deviceOfTrack(tracks[t].device);
    if (device[t].size() < tracks[t].device.size() && !tracks[t].duplicate) streamed.try_emplace(device[t], int32_t(streamed.size()));
  }
  if (streamed.empty()) return;
  struct Runs {
    std::vector<int32_t> launches, work;
  };
  std::map<std::tuple<int32_t, int32_t, int32_t>, Runs> runs;  // device, step, name
  for (size_t i = 0; i < slices.size(); ++i) {
    const TraceSlice& s = slices[i];
    const auto on = streamed.find(device[size_t(s.track)]);
    if (on == streamed.end() || tracks[size_t(s.track)].duplicate || tracks[size_t(s.track)].transfers) continue;
    Runs& r = runs[{on->second, s.step, s.name}];
    (device[size_t(s.track)].size() < tracks[size_t(s.track)].device.size() ? r.work : r.launches).push_back(int32_t(i));
  }
  const auto byStart = [this](int32_t a, int32_t b) { return slices[size_t(a)].startNs < slices[size_t(b)].startNs; };
  for (auto& [key, r] : runs) {
    if (r.work.empty()) continue;
    std::stable_sort(r.launches.begin(), r.launches.end(), byStart);
    std::stable_sort(r.work.begin(), r.work.end(), byStart);
    for (size_t i = 0; i < r.launches.size(); ++i) {
      TraceSlice& launch = slices[size_t(r.launches[i])];
      launch.launched = r.work[i * r.work.size() / r.launches.size()];
      TraceSlice& work = slices[size_t(launch.launched)];
      work.bytes = std::max(work.bytes, launch.bytes);
    }
  }
}

}  // namespace weft
