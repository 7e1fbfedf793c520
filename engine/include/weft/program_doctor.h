#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weft/doctor.h"
#include "weft/session.h"

namespace weft {

/// The nodes that were made to differentiate some tensors: those from `first` on, before `end`.
struct Differentiation {
  int first = 0, end = 0;
  std::vector<Output> of;
};

/// What a program runs: names as for Session::prepare(), and the gradients of its graph.
struct ProgramRun {
  std::vector<std::string> feeds, fetches, targets;
  std::vector<Differentiation> gradients;
};

/// A run of a program that the doctor looks at. Thread-safe; of two runs at the same time one is watched.
class WEFT_API ProgramStep {
 public:
  virtual ~ProgramStep();
  /// Runs it as `plain`, the callable prepared for it, would: the same values and errors. Before the first training step the rules on graph, data and initial values
  /// look; while it trains, some steps fetch more.
  virtual Result<std::vector<Tensor>> run(const Callable& plain, std::span<const Tensor> feeds, const RunOptions& options, RunReport* report) = 0;
  /// Whether it is a training step.
  virtual bool trains() const { return false; }

 protected:
  ProgramStep() = default;
};

/// The doctor of a program that builds graphs and runs sessions itself. A run trains if it reaches an optimizer's op, or changes a trainable variable by what
/// gradients say. Thread-safe.
class WEFT_API ProgramDoctor {
 public:
  /// `mostCost`: share of the training steps' time that measuring may take; a short training may cost a quarter of a second.
  explicit ProgramDoctor(double mostCost = 0.03);
  ~ProgramDoctor();
  /// `session` must outlive the result. Null for a run about which there is nothing to say, or if many trainings are watched already.
  std::shared_ptr<ProgramStep> know(const MetaGraph& meta, Session& session, ProgramRun run);
  /// Forgets a session that is about to be closed, and says of it what can be said only at the end: `ran` are the nodes that it fetched and ran.
  std::vector<DoctorFinding> afterwards(const MetaGraph& meta, const Session* session, const std::vector<int>& ran);
  /// Called for each finding, on the thread of the run: each rule once per node and training.
  void setListener(std::function<void(const Session& session, const DoctorFinding& finding)> listener);

  struct Totals {
    int64_t trainings = 0, steps = 0, measured = 0;
    double seconds = 0, extra = 0;        ///< Of the training steps; what the doctor took of them, without what it did before the first ones.
    double before = 0;                    ///< Seconds of the rules before the first steps.
    std::vector<std::string> notWatched;  ///< Why some runs were not watched, each once.
  };
  Totals totals() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace weft
