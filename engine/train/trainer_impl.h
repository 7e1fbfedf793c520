#pragma once

#include <atomic>
#include <chrono>
#include <limits>
#include <memory>

#include "train/checkpoint_store.h"
#include "train/rate_meter.h"
#include "train/step_history.h"
#include "train/summary_log.h"
#include "train/tensor_name.h"
#include "train/training_data.h"
#include "weft/cond_var.h"
#include "weft/train.h"

namespace weft {

/// A Trainer's state. `trainer.cpp` prepares it and takes requests; `training_loop.cpp` runs the training.
struct Trainer::Impl {
  using Clock = std::chrono::steady_clock;
  enum class Order { Run, Pause, Once, Stop };

  MetaGraph document;
  TrainOptions options;
  TrainingSettings settings;
  TrainingData data;
  std::unique_ptr<Session> session;
  std::unique_ptr<CheckpointStore> checkpoints;
  std::string logFolder, checkpointFolder;
  SummaryLog summaries;
  std::shared_ptr<StepHistory> history;  // null: steps are not recorded
  int64_t totalSteps = 0;

  // Feeds of a step besides the batch, in the order of the callables' feeds.
  std::vector<std::string> trainFeedNames, evalFeedNames;
  std::vector<Tensor> trainFeedValues, evalFeedValues;
  std::vector<int> liveFeed;  // position among trainFeedValues of each live scalar
  Callable trainStep, summaryStep, probeStep, probedSummaryStep, evaluate;
  std::vector<std::string> summaryTensors;
  std::vector<GradientNorm> gradientNorms;  // of the gradients that summaryStep fetches last; empty if norms are not reported

  mutable Mutex mutex;
  CondVar wake;
  Order order WEFT_GUARDED_BY(mutex) = Order::Run;
  int64_t onceLeft WEFT_GUARDED_BY(mutex) = 0;  // steps remaining in Order::Once
  TrainState state WEFT_GUARDED_BY(mutex) = TrainState::Ready;
  std::vector<double> liveValues WEFT_GUARDED_BY(mutex);
  bool liveChanged WEFT_GUARDED_BY(mutex) = false;
  int64_t step WEFT_GUARDED_BY(mutex) = 0;  // written by the loop only
  std::optional<TrainEvaluation> lastEvaluation WEFT_GUARDED_BY(mutex);
  std::string lastCheckpoint WEFT_GUARDED_BY(mutex);

  /// `step` for the loop's own thread, which may read without locking what only it writes.
  int64_t loopStep() const WEFT_NO_THREAD_SAFETY_ANALYSIS { return step; }

  // Used by the loop only.
  int64_t epoch = 0, stepInEpoch = 0;  // from 0
  bool computing = false;              // a training step is running
  bool stepped = false;                // the last step ran under a controller
  int64_t checkpointedStep = -1;
  double bestLoss = std::numeric_limits<double>::infinity();  // best loss of the evaluations
  int withoutGain = 0;
  std::atomic<bool> early{false};
  Clock::time_point begin, lastSave;
  double pausedSeconds = 0;
  RateMeter rate;

  Status prepare();
  Status addFeeds();
  Status initialize();
  Status loop();
  Status oneStep(TrainStep* report);
  /// Runs a training step: one of trainStep, summaryStep, probeStep and probedSummaryStep. Returns what it fetches: loss and accuracy first.
  Result<std::vector<Tensor>> compute(const std::vector<Tensor>& feeds, const Callable& callable);
  Status evaluateNow();
  Status saveNow();
  /// Writes tables for TensorBoard's projector into the folder of the event files.
  Status writeProjector();
  bool waitWhilePaused();
  void setState(TrainState s);
  Status writeSummaries(const std::vector<Tensor>& values, const TrainStep& report);
};

}  // namespace weft
