#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "kernel/rendezvous.h"
#include "runtime/partition_edges.h"
#include "weft/cond_var.h"
#include "weft/session.h"

// What one step of a registered graph keeps beside its plans.
namespace weft {

/// The step's rendezvous as its kernels see it: some keys stay within the step, the others go to the rendezvous that the tasks share.
class StepRendezvous final : public Rendezvous {
 public:
  /// `own` outlives the step. `shared` may be null: then there are no other keys.
  StepRendezvous(std::shared_ptr<Rendezvous> shared, const std::unordered_set<std::string>& own) : shared_(std::move(shared)), own_(own) {}
  Status send(const std::string& key, Tensor value, bool dead) override;
  Cancel receive(const std::string& key, Done done) override;
  void abort(Error why) override;

 private:
  const std::shared_ptr<Rendezvous> shared_;
  const std::unordered_set<std::string>& own_;
  LocalRendezvous local_;
};

/// Takes tensors that have been sent. INTERNAL if one of them has not.
Result<std::vector<Received>> takeSent(Rendezvous& rendezvous, std::span<const std::string> keys);

/// When a step has to end.
class StepLimit {
 public:
  explicit StepLimit(const RunOptions& options);
  /// CANCELLED or DEADLINE_EXCEEDED if it has to.
  Status check() const;
  /// The options of a run that takes the rest of the step's time.
  RunOptions rest() const;

 private:
  const RunOptions& options_;
  int64_t untilNs_ = 0;
};

/// The tensors that a step awaits from other tasks. Shared with the threads that deliver them.
class Arrivals : public std::enable_shared_from_this<Arrivals> {
 public:
  /// REQUIRES: `graph` and `edges` live until wait() or giveUp() returns.
  Arrivals(const Graph& graph, const std::vector<PartitionEdge>& edges);
  /// Asks for all of them. Called once.
  void ask(Rendezvous& rendezvous);
  /// Returns when all have come, one could not be had, or the limit is reached. REQUIRES: the rendezvous that was asked lives.
  Status wait(const StepLimit& limit);
  /// Stops waiting.
  void giveUp();
  /// REQUIRES: wait() succeeded.
  std::vector<Received> take();
  /// Adds the receives of what take() returned to a trace that began at `startNs` (steady clock).
  void traceInto(StepTrace& trace, const std::vector<Received>& taken, int64_t startNs);

 private:
  void arrived(size_t i, Result<Received> received);

  const Graph& graph_;
  const std::vector<PartitionEdge>& edges_;
  std::vector<Rendezvous::Cancel> cancels_;
  int64_t askedNs_ = 0;
  Rendezvous* rendezvous_ = nullptr;   ///< That was asked.
  std::atomic<bool> finished_{false};  ///< Nothing is missing, or something failed.
  Mutex mutex_;
  CondVar changed_;
  std::vector<Received> values_ WEFT_GUARDED_BY(mutex_);
  std::vector<int64_t> whenNs_ WEFT_GUARDED_BY(mutex_);
  size_t missing_ WEFT_GUARDED_BY(mutex_);
  Status failed_ WEFT_GUARDED_BY(mutex_);
};

/// Appends the trace of a later part of the same step, which began `afterNs` later.
void appendTrace(StepTrace& trace, StepTrace&& later, int64_t afterNs);

}  // namespace weft
