// Runs a sweep: several trainings of a document at once, each with parameters of its own.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/experiments.h"
#include "weft/graph.h"
#include "weft/sweep.h"
#include "weft/train.h"

namespace weft {

/// One run, as its body gets it.
struct SweepTrial {
  int64_t number = 0;  ///< From 1.
  SweepPoint parameters;
  std::string folder;   ///< For its files; exists.
  int threads = 1;      ///< Its share.
  bool resume = false;  ///< It was interrupted before: continue from its checkpoint, if there is one.
};

struct SweepReport {
  int64_t step = 0, totalSteps = 0;
  std::vector<std::pair<std::string, double>> values;  ///< Of metrics, by name.
};

/// What a body hears from its sweep and tells it. Any thread.
class WEFT_API SweepControl {
 public:
  virtual ~SweepControl() = default;
  /// Metrics at a step. Returns whether to go on; false: end soon, like stop().
  virtual bool report(const SweepReport& report) = 0;
  /// Progress without metrics. Waits while the sweep is paused. Returns whether to go on.
  virtual bool progress(int64_t step, int64_t totalSteps) = 0;
  virtual bool paused() const = 0;
  /// The memory that the run has needed so far, where the body knows it.
  virtual void needs(int64_t bytes) = 0;
  /// Becomes true when the run has to end. Lives as long as the control.
  virtual const std::atomic<bool>& stop() const = 0;
};

/// Makes a training report as runs of sweeps do: every step, about 50 times the means of loss and accuracy since the last time, and every evaluation
/// ("test_loss", "test_accuracy"). A report without values is progress alone. Replaces the callbacks `step` and `evaluation`.
WEFT_API void reportTraining(TrainCallbacks& callbacks, std::function<void(const SweepReport&)> report);

/// Performs a run, until it is done or told to stop; neither is an error. Called on a thread of the sweep. RESOURCE_EXHAUSTED with a file means that the
/// disk is full, which ends the sweep; any other error ends this run alone.
using SweepBody = std::function<Status(const SweepTrial& trial, SweepControl& control)>;

/// A body that trains the document in this process. Its metrics: "test_loss", "test_accuracy" of evaluations, "loss", "accuracy" of training steps, as a mean
/// since the last report. Writes event files into the run's folder and, when it is interrupted, a checkpoint.
WEFT_API SweepBody trainDocument(LoadedGraph document, std::string documentFolder, std::string device = {});
/// A body that trains each run in a process of its own, `program train …`, so that a crash or the system's want of memory ends that run alone. Ends with this process.
WEFT_API SweepBody trainInProcesses(std::string program, LoadedGraph document, std::string documentFolder, std::string device = {});
/// The metric to compare runs by, and whether larger is better: test_accuracy, test_loss, accuracy or loss, the first that the document's training reports.
WEFT_API std::pair<std::string, bool> defaultMetric(const MetaGraph& document);
/// Whether larger values of a metric are better, by its name: accuracy, precision, recall, auc, f1.
WEFT_API bool isMaximized(std::string_view metric);

struct SweepProgress {
  int64_t total = 0, waiting = 0, running = 0, finished = 0, stoppedEarly = 0, failed = 0;
  int64_t bestRun = 0;  ///< Its number; 0: none yet.
  double bestValue = 0;
  SweepPoint bestPoint;
  double seconds = 0;  ///< Since run().
  bool paused = false;
};

struct SweepOptions {
  int parallel = 0;  ///< Runs at once; 0: one per processor.
  int threads = 0;   ///< Of all runs together; 0: all processors.
  /// Another run waits while the machine has less free memory than the largest run has needed so far, at least this. 0: not checked.
  int64_t freeBytes = int64_t(256) << 20;
  bool writeEvents = true;  ///< The records of TensorBoard's plugin hparams.
  /// Called when a run begins or ends, and with every report, on the run's thread. `sentence`: why a run failed or stopped early.
  std::function<void(const ExperimentRun& run)> changed;
};

/// Runs the plan of a sweep in the store. Runs that are finished stay; interrupted ones, and those left over from a killed program, continue.
class WEFT_API SweepRunner {
 public:
  /// `sweep`: of the store, which must outlive the runner. INVALID_ARGUMENT for a plan that cannot be run.
  static Result<std::unique_ptr<SweepRunner>> create(ExperimentStore& store, const ExperimentSweep& sweep, SweepBody body, SweepOptions options);
  virtual ~SweepRunner() = default;

  /// Runs to the end, or until stopped. Failed runs are no error; a full disk or a store that cannot be written is. Call it once, on any thread.
  virtual Status run() = 0;
  virtual void pause() = 0;  ///< Runs wait after their present step; no new ones begin. Any thread.
  virtual void resume() = 0;
  /// Ends the runs after their present step, as interrupted. Any thread; also from a signal handler's flag, by polling.
  virtual void stop() = 0;
  virtual bool stopped() const = 0;
  virtual SweepProgress progress() const = 0;  ///< Any thread.
};

/// Begins a sweep: chooses its name and folder below `folder` ("sweep-1"), and records it in the store.
WEFT_API Result<ExperimentSweep> beginSweep(ExperimentStore& store, const std::string& folder, const std::string& document, const SweepPlan& plan);
/// The folder of a document's sweeps: "lenet.weft" -> "lenet-sweeps" beside it.
WEFT_API std::string sweepFolderOf(const std::string& document);
/// The store in such a folder.
WEFT_API std::string experimentsFileOf(const std::string& sweepFolder);
/// The best finished run of a sweep, by its plan's metric. NOT_FOUND if no run has a value.
WEFT_API Result<ExperimentRecord> bestRunOf(ExperimentStore& store, const ExperimentSweep& sweep);

/// Reads runs from event files below `folder` (each folder with event files is a run, those of hparams with their sessions; FOLDER/eval belongs to its parent)
/// and their `run.json` into the store, as a sweep of its own. Runs that the store already has from there are replaced. Returns the number of runs.
/// CANCELLED if `stop` becomes true.
WEFT_API Result<int64_t> importRuns(ExperimentStore& store, const std::string& folder, const std::atomic<bool>* stop = nullptr);

}  // namespace weft
