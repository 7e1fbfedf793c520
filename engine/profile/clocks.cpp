// The clocks of the tasks. A receive cannot end before its send began. With m the correction of a task's clock, a transfer from A to B so demands
// m(A) - m(B) <= received - sent. These are difference constraints: the shortest paths over them bound each correction relative to each other one, and a cycle
// of negative length means that no corrections suit all transfers.
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>

#include "profile/transfers.h"

namespace weft {
namespace {

constexpr int64_t kFree = INT64_MAX;                                          // no bound
constexpr int64_t kLongest = int64_t(1) << 50, kFarthest = int64_t(1) << 60;  // for times of damaged files
constexpr size_t kMostTasks = 400;                                            // the paths between all of them take their number cubed

/// bound(a, b): the most that m(a) - m(b) may be.
class Bounds {
 public:
  explicit Bounds(size_t tasks) : n_(tasks), bound_(tasks * tasks, kFree) {
    for (size_t i = 0; i < n_; ++i) at(i, i) = 0;
  }
  int64_t& at(size_t a, size_t b) { return bound_[a * n_ + b]; }
  int64_t at(size_t a, size_t b) const { return bound_[a * n_ + b]; }
  void lower(size_t a, size_t b, int64_t most) { at(a, b) = std::min(at(a, b), most); }

  /// With `slack` more for each pair, and what follows for all others. `consistent`: no cycle is negative.
  Bounds closed(int64_t slack, bool* consistent) const {
    Bounds out = *this;
    for (size_t a = 0; a < n_; ++a)
      for (size_t b = 0; b < n_; ++b)
        if (a != b && at(a, b) != kFree) out.at(a, b) += slack;
    for (size_t k = 0; k < n_; ++k)
      for (size_t a = 0; a < n_; ++a) {
        const int64_t first = out.at(a, k);
        if (first == kFree) continue;
        for (size_t b = 0; b < n_; ++b)
          if (const int64_t rest = out.at(k, b); rest != kFree) out.lower(a, b, std::max(first + rest, -kFarthest));
      }
    *consistent = true;
    for (size_t a = 0; a < n_; ++a) *consistent = *consistent && out.at(a, a) >= 0;
    return out;
  }

 private:
  size_t n_;
  std::vector<int64_t> bound_;
};

/// The closed bounds, with the least slack that makes them consistent.
Bounds consistent(const Bounds& given, int64_t* slack) {
  bool fits = false;
  Bounds closed = given.closed(*slack = 0, &fits);
  if (fits) return closed;
  int64_t tooLittle = 0, enough = 1000;
  while (closed = given.closed(enough, &fits), !fits) {
    tooLittle = enough;
    enough *= 2;
  }
  while (enough - tooLittle > 1) {
    const int64_t middle = tooLittle + (enough - tooLittle) / 2;
    given.closed(middle, &fits);
    (fits ? enough : tooLittle) = middle;
  }
  return given.closed(*slack = enough, &fits);
}

struct Pair {
  int64_t least = kFree;  // received - sent
  int64_t count = 0;
};

}  // namespace

void correctClocks(Trace& trace) {
  std::map<std::string, size_t, std::less<>> numbers;
  for (const TraceTrack& track : trace.tracks)
    if (const std::string_view task = clusterTaskOf(track.device); !task.empty()) numbers.emplace(task, 0);
  if (numbers.size() < 2) return;
  for (auto& [name, number] : numbers) {
    number = trace.tasks.size();
    trace.tasks.push_back({name});
  }
  const size_t n = trace.tasks.size();
  if (n > kMostTasks) return;
  const auto taskOf = [&](std::string_view device) {
    const auto it = numbers.find(clusterTaskOf(device));
    return it == numbers.end() ? -1 : int(it->second);
  };
  std::map<std::pair<int, int>, Pair> pairs;
  for (const TraceTransfer& t : trace.transfers) {
    const int a = taskOf(t.from), b = taskOf(t.to);
    if (a < 0 || b < 0 || t.sentNs == TraceTransfer::kUnknownTime || t.receivedNs == TraceTransfer::kUnknownTime) continue;
    Pair& pair = pairs[{a, b}];
    pair.least = std::min(pair.least, std::clamp(t.receivedNs - t.sentNs, -kLongest, kLongest));
    ++pair.count;
  }
  Bounds given(n);
  std::vector<int64_t> links(n, 0);
  std::vector<std::vector<size_t>> neighbours(n);
  for (const auto& [between, pair] : pairs) {
    const auto [a, b] = between;
    given.lower(size_t(a), size_t(b), pair.least);
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
      links[size_t(from)] += pair.count;
      neighbours[size_t(from)].push_back(size_t(to));
    }
  }
  int64_t slack = 0;
  const Bounds bounds = consistent(given, &slack);

  // From the task with the most transfers outwards. A clock that nothing contradicts stays; one that is known to be wrong goes to the middle of its bounds.
  std::vector<size_t> order(n), fixed;
  for (size_t i = 0; i < n; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return links[a] > links[b]; });
  std::vector<char> seen(n, 0);
  for (const size_t root : order) {
    if (seen[root] || links[root] == 0) continue;
    const bool main = fixed.empty();
    std::deque<size_t> waiting{root};
    seen[root] = 1;
    if (main) trace.tasks[root].clock = TraceTask::Clock::Reference;
    for (; !waiting.empty(); waiting.pop_front()) {
      const size_t t = waiting.front();
      for (const size_t next : neighbours[t])
        if (!seen[next]) {
          seen[next] = 1;
          waiting.push_back(next);
        }
      int64_t low = -kFree, high = kFree;
      for (const size_t f : fixed) {
        const int64_t at = trace.tasks[f].movedNs;
        if (bounds.at(f, t) != kFree) low = std::max(low, at - bounds.at(f, t));
        if (bounds.at(t, f) != kFree) high = std::min(high, at + bounds.at(t, f));
      }
      TraceTask& task = trace.tasks[t];
      if (t != root) {
        const bool agrees = low <= 0 && high >= 0, both = low != -kFree && high != kFree;
        task.movedNs = agrees ? 0 : both ? low + (high - low) / 2 : low > 0 ? low : high;
        task.uncertaintyNs = both && !agrees ? (high - low + 1) / 2 : 0;
        if (main) task.clock = agrees ? TraceTask::Clock::Agrees : both ? TraceTask::Clock::Moved : TraceTask::Clock::MovedAtLeast;
      }
      fixed.push_back(t);
    }
  }

  int64_t contradicted = 0, worst = 0;
  for (TraceTransfer& t : trace.transfers) {
    const int a = taskOf(t.from), b = taskOf(t.to);
    const auto move = [&](int64_t& time, int task) {
      if (task >= 0 && time != TraceTransfer::kUnknownTime) time += trace.tasks[size_t(task)].movedNs;
    };
    move(t.sentNs, a);
    move(t.askedNs, b);
    move(t.receivedNs, b);
    if (t.sentNs == TraceTransfer::kUnknownTime || t.receivedNs == TraceTransfer::kUnknownTime || t.receivedNs >= t.sentNs) continue;
    ++contradicted;
    worst = std::max(worst, t.sentNs - t.receivedNs);
    for (const int task : {a, b})
      if (task >= 0) trace.tasks[size_t(task)].clock = TraceTask::Clock::Contradictory;
  }
  for (TraceSlice& s : trace.slices)
    if (const int task = taskOf(trace.tracks[size_t(s.track)].device); task >= 0) s.startNs += trace.tasks[size_t(task)].movedNs;
  if (contradicted > 0) {
    trace.problems.push_back({TraceProblem::Kind::Clocks, contradicted,
                              concat(contradicted, contradicted == 1 ? " transfer ends" : " transfers end", " before the send began, by up to ",
                                     (worst + 999) / 1000, " µs: no correction of the tasks' clocks suits all transfers")});
  }
}

}  // namespace weft
