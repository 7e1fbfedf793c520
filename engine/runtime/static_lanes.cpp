#include <immintrin.h>

#include <algorithm>

#include "base/parallel.h"
#include "base/pool.h"
#include "runtime/moved_reads.h"
#include "runtime/static_plan.h"

// Runs the phases of a plan: the calls of one phase side by side. Threads take the calls that are ready, the most urgent first, so a thread that the system does
// not run delays at most the call that it holds. Which thread takes what changes nothing in the results: each call splits its work as it does alone.

namespace weft::staticplan {

namespace {
constexpr int kTaken = -1;  ///< In Instance::waits, in place of a number of calls to wait for.
/// How often a thread without a ready call looks again (some 50 µs) before it leaves the rest to those who are busy.
constexpr int kLooks = 1500;
}  // namespace

/// One phase in one run.
class PhaseRun {
 public:
  PhaseRun(const StaticPlan& plan, Instance& in, RunState& state, const Phase& phase, int threads)
      : plan_(plan), in_(in), state_(state), phase_(phase), threads_(threads), left_(int(phase.calls.size())) {
    for (size_t i = 0; i < phase.calls.size(); ++i) in.waits[i].store(phase.waits[i], std::memory_order_relaxed);
  }

  Status run(bool& diverged) {
    pool::share(std::min(threads_, int(phase_.calls.size())), [&](int) { work(); });
    diverged |= diverged_.load(std::memory_order_relaxed);
    for (Suspicion& s : inOrder()) WEFT_TRY(reportToWatch(state_, *s.step->node, s.output, s.value, state_.frame, state_.iteration));
    const MutexLock lock(mutex_);
    return status_;
  }

 private:
  /// A value that the watch is to be told of, after the phase, in the order of the graph.
  struct Suspicion {
    int index;
    const Step* step;
    int output;
    Tensor value;
  };

  void work() {
    const SplitAsAlone alone(threads_);
    StaticSink sink(plan_, in_, nullptr, &in_.layout->slots, state_);
    KernelContext c;
    ExecutorAccess::bind(c, state_.step, state_.session, sink);
    for (int looks = 0; left_.load(std::memory_order_acquire) > 0 && looks < kLooks;) {
      const int at = take();
      if (at < 0) {
        ++looks;
        _mm_pause();
        continue;
      }
      looks = 0;
      call(at, sink, c);
      for (const int next : phase_.next[size_t(at)]) in_.waits[size_t(next)].fetch_sub(1, std::memory_order_acq_rel);
      left_.fetch_sub(1, std::memory_order_acq_rel);
    }
    if (sink.diverged) diverged_.store(true, std::memory_order_relaxed);
  }

  int take() {
    const int n = int(phase_.calls.size());
    bool untaken = false;
    for (int i = first_.load(std::memory_order_relaxed); i < n; ++i) {
      int waits = in_.waits[size_t(i)].load(std::memory_order_relaxed);
      if (waits == 0 && in_.waits[size_t(i)].compare_exchange_strong(waits, kTaken, std::memory_order_acq_rel)) return i;
      if (waits != kTaken) untaken = true;
      if (!untaken) first_.store(i + 1, std::memory_order_relaxed);
    }
    return -1;
  }

  void call(int at, StaticSink& sink, KernelContext& c) {
    const int index = phase_.calls[size_t(at)];
    if (index > failed_.load(std::memory_order_acquire)) return;  // as if they ran one after another
    const Step& s = plan_.steps_[size_t(index)];
    Status status;
    if (state_.stopped() || state_.deadlineNs) status = state_.check();
    if (status.ok() && s.refCount > 0) status = plan_.prepare(s, in_);
    if (status.ok()) {
      sink.begin(s, index);
      ExecutorAccess::bindNode(c, *s.node->node, in_.inputs.data() + s.firstInput, s.inputCount, s.outputCount, *s.node->device);
      status = invokeKernel(*s.kernel, c);
    }
    if (!status.ok()) return fail(index, std::move(status));
    for (int r = 0; r < s.refCount; ++r) in_.refValues[s.firstRef + r] = Tensor();
    if (!state_.watch) return;
    for (int w = s.firstWatched; w < s.firstWatched + s.watchedCount; ++w) {
      const Tensor& value = in_.slots[plan_.watched_[w]];
      if (!state_.watch->isSuspicious(value)) continue;
      auto copy = value.clone();  // later calls may write here
      if (!copy.ok()) return fail(index, std::move(copy.error()));
      const MutexLock lock(mutex_);
      suspicions_.push_back({index, &s, plan_.watched_[w] - s.firstOutput, std::move(*copy)});
    }
  }

  /// The first call that fails in the order of the graph decides, whichever thread is faster: those before it still run.
  void fail(int index, Status status) {
    const MutexLock lock(mutex_);
    if (index > failed_.load(std::memory_order_relaxed)) return;
    failed_.store(index, std::memory_order_release);
    status_ = std::move(status);
  }

  std::vector<Suspicion> inOrder() {
    const MutexLock lock(mutex_);
    const int failed = failed_.load(std::memory_order_relaxed);
    std::erase_if(suspicions_, [&](const Suspicion& s) { return s.index > failed; });
    std::stable_sort(suspicions_.begin(), suspicions_.end(), [](const Suspicion& a, const Suspicion& b) { return a.index < b.index; });
    return std::move(suspicions_);
  }

  const StaticPlan& plan_;
  Instance& in_;
  RunState& state_;
  const Phase& phase_;
  const int threads_;
  alignas(64) std::atomic<int> left_;
  alignas(64) std::atomic<int> first_{0};  ///< All calls before it are taken.
  alignas(64) std::atomic<int> failed_{INT_MAX};
  std::atomic<bool> diverged_{false};
  Mutex mutex_;
  Status status_ WEFT_GUARDED_BY(mutex_);
  std::vector<Suspicion> suspicions_ WEFT_GUARDED_BY(mutex_);
};

Status StaticPlan::runPhases(Instance& in, bool& diverged, RunState& state) const {
  const PhasedOrder& order = *in.layout->order;
  StaticSink sink(*this, in, nullptr, &in.layout->slots, state);
  KernelContext c;
  ExecutorAccess::bind(c, state.step, state.session, sink);
  if (!in.waits) {
    size_t most = 1;
    for (const Phase& p : order.schedule.phases) most = std::max(most, p.calls.size());
    in.waits = std::make_unique<std::atomic<int>[]>(most);
  }
  uint64_t seen = MovedReads::epoch();
  for (size_t p = 0; p < order.schedule.phases.size(); ++p) {
    const Phase& phase = order.schedule.phases[p];
    if (MovedReads::epoch() != seen) followVariables(in, seen);
    if (phase.calls.size() > 1) {
      WEFT_TRY(PhaseRun(*this, in, state, phase, order.schedule.threads).run(diverged));
    } else {
      const int index = phase.calls[0];
      const Step& s = steps_[size_t(index)];
      if (state.stopped() || (state.deadlineNs && (p & 15) == 0)) WEFT_TRY(state.check());
      if (s.refCount > 0) WEFT_TRY(prepare(s, in));
      sink.begin(s, index);
      ExecutorAccess::bindNode(c, *s.node->node, in.inputs.data() + s.firstInput, s.inputCount, s.outputCount, *s.node->device);
      WEFT_TRY(invokeKernel(*s.kernel, c));
      if (state.watch && s.watchedCount > 0) WEFT_TRY(lookAt(s, in, state));
      for (int r = 0; r < s.refCount; ++r) in.refValues[s.firstRef + r] = Tensor();
    }
    release(in, order.released[p].data(), int(order.released[p].size()));
  }
  diverged |= sink.diverged;
  if (MovedReads::epoch() != seen) followVariables(in, seen);
  return {};
}

}  // namespace weft::staticplan
