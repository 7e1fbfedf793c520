#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernel/device.h"
#include "kernel/session_internals.h"
#include "kernel/session_state.h"
#include "runtime/executable_plan.h"
#include "runtime/graph_placement.h"
#include "runtime/partial_run.h"
#include "weft/mutex.h"
#include "weft/session.h"

// Internals of a session, shared by session.cpp (runs steps) and session_plans.cpp (makes plans).

namespace weft {

/// One signature and its plans.
struct Prepared {
  explicit Prepared(std::shared_ptr<const Graph> g) : graph(std::move(g)) {}

  Signature signature;
  std::vector<Output> feedOutputs;
  std::vector<DType> feedTypes;
  std::vector<Shape> feedShapes;                                             ///< Static shapes that feeds are checked against.
  std::shared_ptr<const Graph> graph WEFT_GUARDED_BY(mutex);                 ///< Guarded by mutex, as are the variants.
  std::vector<std::shared_ptr<const Graph>> earlier WEFT_GUARDED_BY(mutex);  ///< Guarded by mutex: earlier graphs, whose plans may still be running.
  uint64_t disproved WEFT_GUARDED_BY(mutex) = 0;                             ///< Guarded by mutex: SessionState::disproved when `graph` was last checked.

  struct Variant {
    std::vector<Shape> shapes;
    bool anyShapes = false;
    std::shared_ptr<ExecutablePlan> plan;
  };
  Mutex mutex;
  std::vector<Variant> variants WEFT_GUARDED_BY(mutex);             // newest last
  std::shared_ptr<ExecutablePlan> stepping WEFT_GUARDED_BY(mutex);  // made for the first run with a controller

  std::shared_ptr<const Graph> seen() {
    const MutexLock lock(mutex);
    return graph;
  }
  /// The plan for feeds of these shapes; null if there is none yet.
  std::shared_ptr<ExecutablePlan> find(std::span<const Tensor> feeds) const WEFT_REQUIRES(mutex) {
    for (const Variant& v : variants) {
      bool same = true;
      for (size_t i = 0; !v.anyShapes && i < feeds.size() && same; ++i) same = v.shapes[i] == feeds[i].shape();
      if (same) return v.plan;
    }
    return nullptr;
  }
  /// As find(), but null if shapes were disproved since. Takes the mutex.
  std::shared_ptr<ExecutablePlan> made(std::span<const Tensor> feeds, uint64_t disprovedNow) WEFT_EXCLUDES(mutex) {
    const MutexLock lock(mutex);
    return disproved == disprovedNow ? find(feeds) : nullptr;
  }
};

/// A session of this process.
class LocalSession final : public Session {
 public:
  struct Impl;
  explicit LocalSession(SessionPlace place);
  ~LocalSession() override;
  Status init(Graph graph, SessionOptions options);

  Result<std::vector<Tensor>> run(const std::vector<std::pair<std::string, Tensor>>& feeds, const std::vector<std::string>& fetches,
                                  const std::vector<std::string>& targets, const RunOptions& options, RunReport* report) override;
  Result<Callable> prepare(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches, const std::vector<std::string>& targets) override;
  Result<std::string> partialRunSetup(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                      const std::vector<std::string>& targets) override;
  Result<std::vector<Tensor>> partialRun(const std::string& handle, const std::vector<std::pair<std::string, Tensor>>& feeds,
                                         const std::vector<std::string>& fetches) override;
  std::shared_ptr<const Graph> graph() const override;
  Status extend(Graph graph) override;
  std::map<std::string, Tensor> variables() const override;
  Status setVariable(const std::string& name, const Tensor& value) override;
  std::map<std::string, std::string> opStates() const override;
  void restoreOpStates(const std::map<std::string, std::string>& states) override;
  std::vector<std::string> devices() const override;
  Result<std::vector<Placement>> placements() const override;
  void close() override;

  const std::shared_ptr<Impl>& impl() const { return impl_; }

 private:
  const std::shared_ptr<Impl> impl_;
};

struct LocalSession::Impl : std::enable_shared_from_this<LocalSession::Impl> {
  explicit Impl(SessionPlace place)
      : task(place.task.empty() ? std::string(kLocalTask) : std::move(place.task)), state(std::move(place.shared), std::move(place.nodes)) {}

  SessionOptions options;
  const std::string task;
  std::vector<std::unique_ptr<Device>> ownDevices;
  std::vector<Device*> devices;
  GraphPlacement placement;
  SessionState state;  // destroyed before the devices: a dying iterator may still call a function

  mutable Mutex mutex;
  std::shared_ptr<const Graph> graph WEFT_GUARDED_BY(mutex);   // its shapes are used for planning
  std::shared_ptr<const Graph> stated WEFT_GUARDED_BY(mutex);  // its shapes are used to check feeds
  struct CachedSignature {
    std::shared_ptr<Prepared> prepared;
    uint64_t lastUse = 0;
  };
  std::unordered_map<std::string, CachedSignature> prepared WEFT_GUARDED_BY(mutex);
  uint64_t uses WEFT_GUARDED_BY(mutex) = 0;
  std::weak_ptr<ExecutablePlan> latest WEFT_GUARDED_BY(mutex);  ///< With a memory limit: the plan that ran last.
  std::atomic<bool> closed{false};
  std::unique_ptr<PartialRuns> partialRuns;  // last member, so destroyed first

  Status init(Graph g);
  /// Session::extend() but for the log.
  Status extend(Graph newer) WEFT_EXCLUDES(mutex);
  Status logPlacement(const Session& session) const;
  void traceConstants(StepTrace& trace, const Prepared& p, const Graph& graph) const;
  Status execute(ExecutablePlan& plan, const std::atomic<bool>& cancelled);
  Result<std::shared_ptr<Prepared>> prepare(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                            const std::vector<std::string>& targets);
  /// Forgets plans whose shapes variables no longer have.
  Status forgetDisproved(Prepared& p) WEFT_REQUIRES(p.mutex);
  Result<std::shared_ptr<ExecutablePlan>> planFor(Prepared& p, std::span<const Tensor> feeds);
  Result<std::shared_ptr<ExecutablePlan>> steppingPlanFor(Prepared& p);
  /// In a session with a memory limit: frees what the plan that ran before keeps for its next run.
  void makeRoomFor(const std::shared_ptr<ExecutablePlan>& plan) WEFT_EXCLUDES(mutex);
  /// Bytes of all variables in host memory.
  size_t variableBytes() const;
  /// A step of several tasks, of which this run is one task's part.
  struct JointStep {
    int64_t id = 0;
    Rendezvous* rendezvous = nullptr;  ///< Outlives the step.
    FrameIds frameIds = FrameIds::OfNames;
  };
  Result<std::vector<Tensor>> run(Prepared& p, std::span<const Tensor> feeds, const RunOptions& runOptions, RunReport* report,
                                  const JointStep* joint = nullptr);
};

}  // namespace weft
