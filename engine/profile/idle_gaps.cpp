// Why a thread or stream had nothing to run. A gap ends with the slice that ran next, so what that slice waited for is the reason: the input that came last, the host's launch, or, when all of
// it was there, the executor.
#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "profile/transfers.h"
#include "weft/op_traits.h"
#include "weft/trace_questions.h"

namespace weft {
namespace {

bool takesData(const std::string& op) { return roleOf(op) == OpRole::Dequeue || roleOf(op) == OpRole::IteratorGetNext; }
bool isTransfer(const std::string& op) { return isDeviceCopy(op) || isSend(op) || isReceive(op); }

/// Finds the executions of nodes.
class Executions {
 public:
  explicit Executions(const Trace& trace) : trace_(trace) {
    for (size_t i = 0; i < trace.slices.size(); ++i) {
      const TraceSlice& s = trace.slices[i];
      if (trace.counts(s)) byName_[trace.nameOf(s)].push_back(int32_t(i));
      if (s.launched >= 0) launchOf_.emplace(s.launched, int32_t(i));
    }
    for (auto& [name, list] : byName_) std::sort(list.begin(), list.end(), [&](int32_t a, int32_t b) { return endOf(a) < endOf(b); });
  }
  int64_t endOf(int32_t i) const { return trace_.slices[size_t(i)].startNs + trace_.slices[size_t(i)].durationNs; }
  /// The execution of a slice's inputs that ended last before it began, in its step; −1: none.
  int32_t lastInput(const TraceSlice& s) const {
    int32_t best = -1;
    const TraceNode* node = trace_.node(trace_.nameOf(s));
    if (!node) return best;
    for (const std::string& input : node->inputs) {
      const auto it = byName_.find(input);
      if (it == byName_.end()) continue;
      const auto after = std::upper_bound(it->second.begin(), it->second.end(), s.startNs, [&](int64_t t, int32_t i) { return t < endOf(i); });
      if (after == it->second.begin()) continue;
      const int32_t found = *(after - 1);
      if (trace_.slices[size_t(found)].step == s.step && (best < 0 || endOf(found) > endOf(best))) best = found;
    }
    return best;
  }
  int32_t launchOf(int32_t slice) const {
    const auto it = launchOf_.find(slice);
    return it == launchOf_.end() ? -1 : it->second;
  }

 private:
  const Trace& trace_;
  std::unordered_map<std::string_view, std::vector<int32_t>> byName_;
  std::unordered_map<int32_t, int32_t> launchOf_;
};

}  // namespace

std::string_view nameOf(IdleGap::Reason reason) {
  constexpr std::string_view kNames[] = {"waited for an input", "copy between devices", "input pipeline or queue",
                                         "launch by the host",  "scheduling",           "no more work"};
  return kNames[int(reason)];
}

std::vector<IdleGap> idleGaps(const Trace& trace, int64_t leastNs) {
  using Reason = IdleGap::Reason;
  const Executions executions(trace);
  std::vector<IdleGap> out;
  const auto add = [&](IdleGap gap, Reason reason, int64_t from, int64_t to, int32_t cause) {
    if (to - from < std::max<int64_t>(1, leastNs)) return;
    gap.reason = reason;
    gap.startNs = from;
    gap.durationNs = to - from;
    gap.cause = cause;
    out.push_back(gap);
  };
  /// The gap [from, to) before slice `next`.
  const auto explain = [&](IdleGap gap, int64_t from, int64_t to, int32_t next) {
    const TraceSlice& s = trace.slices[size_t(next)];
    const int32_t launch = executions.launchOf(next), input = executions.lastInput(s);
    const int64_t inputEnd = input < 0 ? from : std::clamp(executions.endOf(input), from, to);
    if (inputEnd > from) {
      const std::string& op = trace.opOf(trace.slices[size_t(input)]);
      add(gap, takesData(op) ? Reason::Data : isTransfer(op) ? Reason::Copy : Reason::Input, from, inputEnd, input);
    }
    if (launch >= 0) {
      const int64_t launched = std::clamp(executions.endOf(launch), inputEnd, to);
      add(gap, Reason::Launch, inputEnd, launched, launch);
      return add(gap, Reason::Scheduler, launched, to, -1);
    }
    add(gap, Reason::Scheduler, inputEnd, to, -1);
  };
  size_t i = 0;
  while (i < trace.slices.size()) {
    const int32_t track = trace.slices[i].track;
    size_t end = i;
    while (end < trace.slices.size() && trace.slices[end].track == track) ++end;
    const TraceTrack& t = trace.tracks[size_t(track)];
    if (!t.duplicate && !t.transfers) {
      int64_t until = 0;
      int32_t before = -1, step = -1;
      const auto endStep = [&] {
        if (step < 0) return;
        IdleGap gap;
        gap.track = track;
        gap.step = step;
        gap.before = before;
        add(gap, Reason::NoWork, until, trace.steps[size_t(step)].endNs, -1);
      };
      for (size_t k = i; k < end; ++k) {
        const TraceSlice& s = trace.slices[k];
        if (s.parent >= 0) continue;
        if (s.step != step) {
          endStep();
          step = s.step;
          until = trace.steps[size_t(step)].startNs;
          before = -1;
        }
        if (s.startNs > until) {
          IdleGap gap;
          gap.track = track;
          gap.step = step;
          gap.before = before;
          gap.after = int32_t(k);
          explain(gap, until, s.startNs, int32_t(k));
        }
        if (s.startNs + s.durationNs >= until) {
          until = s.startNs + s.durationNs;
          before = int32_t(k);
        }
      }
      endStep();
    }
    i = end;
  }
  return out;
}

}  // namespace weft
