// What a step would take. The trace's slices are tasks: each starts after its inputs and after the task before it on its thread, and as much later than both as it did in the trace, because
// that delay is the executor's and does not change with the work. The replay of the unchanged trace gives the trace back, up to waits that the recorded inputs do not explain.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "weft/trace_questions.h"

namespace weft {
namespace {

struct Task {
  int32_t slice = -1;
  double duration = 0, delay = 0;
  int32_t before = -1;          // on the same track; −1: none
  std::vector<int32_t> inputs;  // tasks
  bool moved = false, gone = false;
};

bool concerns(const std::string& what, const std::string& name, const std::string& op) {
  return what == op || what == name || (!what.empty() && what.back() == '/' && name.compare(0, what.size(), what) == 0);
}

/// One step as tasks in the order of their starts.
class Step {
 public:
  Step(const Trace& trace, int32_t step, const std::vector<int32_t>& slices);
  bool hasInputs() const { return inputs_ > 0; }
  int64_t apply(const std::vector<WhatIf>& changes, std::vector<int64_t>& hits, double* changedNs);
  /// The duration of the step; `path` gets the chain of slices that ends last, if it is not null.
  double replay(const ReplayOptions& options, std::vector<PathSlice>* path = nullptr) const;

 private:
  const Trace& trace_;
  double start_ = 0, end_ = 0;
  std::vector<Task> tasks_;
  size_t inputs_ = 0;
  double tail_ = 0;  // from the last end to the step's end
};

Step::Step(const Trace& trace, int32_t step, const std::vector<int32_t>& slices) : trace_(trace) {
  start_ = double(trace.steps[size_t(step)].startNs);
  end_ = double(trace.steps[size_t(step)].endNs);
  std::unordered_map<std::string_view, std::vector<int32_t>> byName;  // tasks, by start
  std::unordered_map<int32_t, int32_t> lastOf;                        // by track
  double last = start_;
  for (const int32_t slice : slices) {
    const TraceSlice& s = trace.slices[size_t(slice)];
    Task task;
    task.slice = slice;
    task.duration = double(s.durationNs);
    double ready = start_;
    const auto endOf = [&](int32_t t) { return double(trace.slices[size_t(tasks_[size_t(t)].slice)].startNs) + tasks_[size_t(t)].duration; };
    if (const auto it = lastOf.find(s.track); it != lastOf.end()) {
      task.before = it->second;
      ready = std::max(ready, endOf(it->second));
    }
    if (const TraceNode* node = trace.node(trace.nameOf(s))) {
      for (const std::string& input : node->inputs) {
        const auto it = byName.find(input);
        if (it == byName.end()) continue;
        // The latest execution that had ended: in loops, that of the same iteration.
        for (auto found = it->second.rbegin(); found != it->second.rend(); ++found) {
          if (endOf(*found) > double(s.startNs)) continue;
          task.inputs.push_back(*found);
          ready = std::max(ready, endOf(*found));
          ++inputs_;
          break;
        }
      }
    }
    task.delay = std::max(0.0, double(s.startNs) - ready);
    const auto index = int32_t(tasks_.size());
    byName[trace.nameOf(s)].push_back(index);
    lastOf[s.track] = index;
    last = std::max(last, double(s.startNs) + task.duration);
    tasks_.push_back(std::move(task));
  }
  tail_ = end_ - last;
}

int64_t Step::apply(const std::vector<WhatIf>& changes, std::vector<int64_t>& hits, double* changedNs) {
  int64_t count = 0;
  for (Task& task : tasks_) {
    const TraceSlice& s = trace_.slices[size_t(task.slice)];
    bool changed = false;
    for (size_t c = 0; c < changes.size(); ++c) {
      const WhatIf& change = changes[c];
      if (!concerns(change.what, trace_.nameOf(s), trace_.opOf(s))) continue;
      if (change.change == WhatIf::Change::Fused) {
        const bool reads = std::any_of(task.inputs.begin(), task.inputs.end(), [&](int32_t i) {
          const TraceSlice& input = trace_.slices[size_t(tasks_[size_t(i)].slice)];
          return concerns(change.with, trace_.nameOf(input), trace_.opOf(input));
        });
        if (!reads) continue;
      }
      ++hits[c];
      changed = true;
      if (change.change == WhatIf::Change::Gone || change.change == WhatIf::Change::Fused) {
        task.duration = task.delay = 0;
        task.gone = true;
      } else {
        task.duration /= change.factor;
        task.moved = task.moved || change.change == WhatIf::Change::Moved;
      }
    }
    if (!changed) continue;
    ++count;
    *changedNs += double(s.durationNs);
  }
  return count;
}

double Step::replay(const ReplayOptions& options, std::vector<PathSlice>* path) const {
  std::vector<double> ends(tasks_.size());
  double last = start_, lastMoved = start_;
  // The task before on a thread counts even if it left: then what was before that.
  std::vector<double> free(tasks_.size());
  // By task, the one that it waited for last, and the one that frees its thread; −1: none.
  std::vector<int32_t> waitedFor(tasks_.size(), -1), freedBy(tasks_.size(), -1);
  int32_t lastTask = -1, movedTask = -1;
  for (size_t i = 0; i < tasks_.size(); ++i) {
    const Task& t = tasks_[i];
    const double before = t.before < 0 ? start_ : free[size_t(t.before)];
    const int32_t beforeTask = t.before < 0 ? -1 : freedBy[size_t(t.before)];
    double ready = std::max(start_, t.moved ? lastMoved : before);
    waitedFor[i] = t.moved ? movedTask : beforeTask;
    for (const int32_t input : t.inputs) {
      const Task& from = tasks_[size_t(input)];
      const double copy = from.moved != t.moved ? options.copyNs + options.copyNsPerByte * double(trace_.slices[size_t(from.slice)].bytes) : 0;
      if (ends[size_t(input)] + copy < ready) continue;
      ready = ends[size_t(input)] + copy;
      waitedFor[i] = input;
    }
    ends[i] = t.gone ? ready : ready + t.delay + t.duration;
    free[i] = t.moved || t.gone ? before : ends[i];
    freedBy[i] = t.moved || t.gone ? beforeTask : int32_t(i);
    if (t.moved) lastMoved = ends[i], movedTask = int32_t(i);
    if (lastTask < 0 || ends[i] > last) lastTask = int32_t(i);
    last = std::max(last, ends[i]);
  }
  for (int32_t at = path ? lastTask : -1; at >= 0; at = waitedFor[size_t(at)]) {
    const Task& t = tasks_[size_t(at)];
    const double took = t.gone ? 0 : t.duration;
    path->push_back({t.slice, ends[size_t(at)] - took - start_, took});
  }
  if (path) std::reverse(path->begin(), path->end());
  return last + tail_ - start_;
}

/// The position of the step of median duration among those with slices.
int32_t medianStep(const Trace& trace, const std::vector<std::vector<int32_t>>& slices) {
  std::vector<std::pair<int64_t, int32_t>> durations;
  for (size_t i = 0; i < slices.size(); ++i)
    if (!slices[i].empty()) durations.emplace_back(trace.steps[i].endNs - trace.steps[i].startNs, int32_t(i));
  if (durations.empty()) return -1;
  const auto middle = durations.begin() + std::ptrdiff_t(durations.size() / 2);
  std::nth_element(durations.begin(), middle, durations.end());
  return middle->second;
}

}  // namespace

Result<WhatIf> whatIfOf(std::string_view text) {
  const auto wrong = [&] { return invalidArgument("'", text, "': expected OP=2x, NODE=2x, SCOPE/=2x, OP=gone, OP+OP=fused or OP@DEVICE=2x"); };
  const size_t equals = text.rfind('=');
  if (equals == text.npos || equals == 0) return wrong();
  WhatIf out;
  std::string_view what = text.substr(0, equals), change = text.substr(equals + 1);
  if (change == "gone") {
    out.change = WhatIf::Change::Gone;
  } else if (change == "fused") {
    const size_t plus = what.find('+');
    if (plus == what.npos || plus == 0 || plus + 1 == what.size()) return wrong();
    out.change = WhatIf::Change::Fused;
    out.with = what.substr(0, plus);
    what = what.substr(plus + 1);
  } else {
    if (change.empty() || change.back() != 'x') return wrong();
    const auto read = std::from_chars(change.data(), change.data() + change.size() - 1, out.factor);
    if (read.ec != std::errc() || read.ptr != change.data() + change.size() - 1 || !(out.factor > 0) || !std::isfinite(out.factor)) return wrong();
    if (const size_t at = what.find('@'); at != what.npos) {
      out.change = WhatIf::Change::Moved;
      out.device = what.substr(at + 1);
      what = what.substr(0, at);
      if (out.device.empty()) return wrong();
    }
  }
  if (what.empty()) return wrong();
  out.what = what;
  return out;
}

Result<Prediction> predictStep(const Trace& trace, const std::vector<WhatIf>& changes, const ReplayOptions& options) {
  std::vector<std::vector<int32_t>> slices(trace.steps.size());
  for (size_t i = 0; i < trace.slices.size(); ++i) {
    const TraceSlice& s = trace.slices[i];
    if (s.parent < 0 && trace.counts(s)) slices[size_t(s.step)].push_back(int32_t(i));
  }
  Prediction out;
  std::vector<int64_t> hits(changes.size(), 0);
  bool known = false;
  double steps = 0;
  out.pathStep = medianStep(trace, slices);
  for (size_t step = 0; step < slices.size(); ++step) {
    if (slices[step].empty()) continue;
    std::sort(slices[step].begin(), slices[step].end(), [&](int32_t a, int32_t b) {
      const TraceSlice &x = trace.slices[size_t(a)], &y = trace.slices[size_t(b)];
      return x.startNs != y.startNs ? x.startNs < y.startNs : x.startNs + x.durationNs < y.startNs + y.durationNs;
    });
    Step replayed(trace, int32_t(step), slices[step]);
    known = known || replayed.hasInputs();
    ++steps;
    out.measuredNs += double(trace.steps[step].endNs - trace.steps[step].startNs);
    const bool shown = int32_t(step) == out.pathStep;
    out.replayedNs += replayed.replay(options, shown ? &out.pathBefore : nullptr);
    out.changed += replayed.apply(changes, hits, &out.changedNs);
    out.predictedNs += replayed.replay(options, shown ? &out.pathAfter : nullptr);
  }
  if (steps == 0) return failedPrecondition("the trace has no slices");
  if (!known && slices.size() > 0 && trace.slices.size() > slices.size())
    return failedPrecondition("the trace does not know the inputs of its nodes; name their graph");
  for (size_t c = 0; c < changes.size(); ++c)
    if (hits[c] == 0) return notFound("no slice of the trace is of ", changes[c].what, changes[c].with.empty() ? "" : " with an input from " + changes[c].with);
  out.measuredNs /= steps;
  out.replayedNs /= steps;
  out.predictedNs = out.predictedNs / steps * (out.replayedNs > 0 ? out.measuredNs / out.replayedNs : 1);
  out.changed = int64_t(std::llround(double(out.changed) / steps));
  out.changedNs /= steps;
  return out;
}

}  // namespace weft
