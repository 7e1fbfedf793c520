#include "weft/side_by_side.h"

#include <algorithm>
#include <numeric>

namespace weft {
namespace {

constexpr int kAhead = 256;  ///< How far behind a wide call others are looked for that could run before it.

/// One call with all threads.
void runAlone(int c, double ns, Schedule& out) {
  Phase p;
  p.calls = {c};
  p.next.resize(1);
  p.waits = {0};
  p.ns = ns;
  out.ns += ns;
  out.phases.push_back(std::move(p));
}

/// Makes the phases of the calls between two borders.
class Region {
 public:
  Region(std::span<const ScheduledCall> calls, int begin, int end, Schedule& out, const ScheduleCosts& costs, const std::vector<double>& urgency)
      : calls_(calls),
        begin_(begin),
        end_(end),
        out_(out),
        costs_(costs),
        urgency_(urgency),
        done_(size_t(end - begin), 0),
        position_(size_t(end - begin), -1),
        seenFor_(size_t(end - begin), -1),
        first_(begin) {}

  void schedule() {
    for (int wide = begin_; wide < end_; ++wide) {
      if (calls_[size_t(wide)].narrow) continue;
      phaseBefore(wide);
      alone(wide);
    }
    std::vector<int> rest;
    for (int c = begin_; c < end_; ++c)
      if (!done_[size_t(c - begin_)]) rest.push_back(c);
    emit(rest);
  }

 private:
  bool isDone(int c) const { return c < begin_ || done_[size_t(c - begin_)] != 0; }
  const ScheduledCall& at(int c) const { return calls_[size_t(c)]; }

  void alone(int c) {
    runAlone(c, at(c).ns, out_);
    done_[size_t(c - begin_)] = 1;
  }

  /// The calls that `wide` still needs. They are narrow, for wide ones run in order.
  std::vector<int> needed(int wide) {
    std::vector<int> found, open = {wide};
    while (!open.empty()) {
      const int c = open.back();
      open.pop_back();
      for (const int before : at(c).after) {
        if (isDone(before) || seenFor_[size_t(before - begin_)] == wide) continue;
        seenFor_[size_t(before - begin_)] = wide;
        found.push_back(before);
        open.push_back(before);
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  /// When each thread is free, and when each call of the phase in the making has ended.
  struct Lanes {
    std::vector<double> freeAt;
    double end = 0;
  };

  /// The end of call `c` if the thread that is free first takes it. Only calls of this phase and of earlier ones may precede it.
  double place(int c, const Lanes& lanes, size_t* lane) const {
    double ready = 0;
    for (const int before : at(c).after)
      if (before >= begin_ && position_[size_t(before - begin_)] >= 0) ready = std::max(ready, endOf_[size_t(position_[size_t(before - begin_)])]);
    *lane = size_t(std::min_element(lanes.freeAt.begin(), lanes.freeAt.end()) - lanes.freeAt.begin());
    return std::max(ready, lanes.freeAt[*lane]) + at(c).ns + costs_.callNs;
  }

  void take(int c, double end, size_t lane, Lanes& lanes) {
    lanes.freeAt[lane] = end;
    lanes.end = std::max(lanes.end, end);
    position_[size_t(c - begin_)] = int(endOf_.size());
    endOf_.push_back(end);
    chosen_.push_back(c);
  }

  void byUrgency(std::vector<int>& some) const {
    std::stable_sort(some.begin(), some.end(), [&](int a, int b) { return urgency_[size_t(a)] > urgency_[size_t(b)]; });
  }

  Lanes start() {
    endOf_.clear();
    chosen_.clear();
    return {std::vector<double>(size_t(out_.threads), 0.), 0};
  }

  void forget() {
    for (const int c : chosen_) position_[size_t(c - begin_)] = -1;
  }

  /// Begins a phase of `some`, the most urgent first.
  Lanes takeAll(std::vector<int> some) {
    byUrgency(some);
    Lanes lanes = start();
    size_t lane = 0;
    for (const int c : some) {
      const double end = place(c, lanes, &lane);
      take(c, end, lane, lanes);
    }
    return lanes;
  }

  void phaseBefore(int wide) {
    const std::vector<int> some = needed(wide);
    if (some.empty()) return;
    Lanes lanes = takeAll(some);
    size_t lane = 0;
    // Others that would end by then, in the order of the list: that keeps memory as it is planned for.
    const double until = lanes.end;
    while (first_ < end_ && isDone(first_)) ++first_;
    for (int c = first_; c < std::min(end_, wide + kAhead); ++c) {
      if (isDone(c) || !at(c).narrow || position_[size_t(c - begin_)] >= 0) continue;
      const bool ready = std::all_of(at(c).after.begin(), at(c).after.end(), [&](int b) { return isDone(b) || position_[size_t(b - begin_)] >= 0; });
      if (!ready) continue;
      const double end = place(c, lanes, &lane);
      if (end <= until) take(c, end, lane, lanes);
    }
    finish(lanes, some);
  }

  void emit(const std::vector<int>& some) {
    if (!some.empty()) finish(takeAll(some), some);
  }

  /// Makes the chosen calls a phase, or runs those of `otherwise`, which are in the order of the list, one by one where that is no slower.
  void finish(const Lanes& lanes, const std::vector<int>& otherwise) {
    double sum = 0;
    for (const int c : chosen_) sum += at(c).ns;
    const double together = lanes.end + costs_.phaseNs;
    if (chosen_.size() < 2 || together >= sum) {
      forget();
      for (const int c : otherwise) alone(c);
      return;
    }
    Phase p;
    p.ns = together;
    p.calls = chosen_;
    byUrgency(p.calls);
    for (size_t i = 0; i < p.calls.size(); ++i) position_[size_t(p.calls[i] - begin_)] = int(i);
    p.next.resize(p.calls.size());
    p.waits.assign(p.calls.size(), 0);
    for (size_t i = 0; i < p.calls.size(); ++i) {
      for (const int before : at(p.calls[i]).after) {
        if (before < begin_ || done_[size_t(before - begin_)] || position_[size_t(before - begin_)] < 0) continue;
        p.next[size_t(position_[size_t(before - begin_)])].push_back(int(i));
        ++p.waits[i];
      }
    }
    forget();
    for (const int c : p.calls) done_[size_t(c - begin_)] = 1;
    out_.ns += p.ns;
    out_.phases.push_back(std::move(p));
  }

  std::span<const ScheduledCall> calls_;
  const int begin_, end_;
  Schedule& out_;
  const ScheduleCosts& costs_;
  const std::vector<double>& urgency_;
  std::vector<uint8_t> done_;
  std::vector<int> position_;  ///< In the phase in the making; -1: not in it.
  std::vector<int> seenFor_;   ///< The wide call for which needed() has met it last.
  int first_;                  ///< No call before it is left.
  std::vector<double> endOf_;
  std::vector<int> chosen_;
};

/// The longest way from a call's start to the end of the list. A call has more than each that waits for it.
std::vector<double> urgencies(std::span<const ScheduledCall> calls) {
  std::vector<double> out(calls.size(), 0.);
  for (size_t c = calls.size(); c-- > 0;) {
    out[c] += std::max(calls[c].ns, 1.);
    for (const int before : calls[c].after) out[size_t(before)] = std::max(out[size_t(before)], out[c]);
  }
  return out;
}

}  // namespace

Schedule sideBySide(std::span<const ScheduledCall> calls, int threads, const ScheduleCosts& costs) {
  Schedule out;
  out.threads = std::max(1, threads);
  const std::vector<double> urgency = urgencies(calls);
  for (const ScheduledCall& c : calls) out.oneByOneNs += c.ns;
  int begin = 0;
  const int n = int(calls.size());
  for (int c = 0; c <= n; ++c) {
    if (c < n && !calls[size_t(c)].border) continue;
    Region(calls, begin, c, out, costs, urgency).schedule();
    if (c < n) runAlone(c, calls[size_t(c)].ns, out);
    begin = c + 1;
  }
  return out;
}

}  // namespace weft
