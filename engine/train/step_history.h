#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "train/training_data.h"
#include "weft/mutex.h"
#include "weft/step_replay.h"

namespace weft {

/// The state of a training between two steps.
struct StateCopy {
  int64_t step = 0;  ///< Steps done.
  std::map<std::string, Tensor> variables;
  int64_t bytes = 0;
  bool forced = false;  ///< The step before cannot be computed again as it was.
  double seconds = 0;   ///< Computing time of the steps since.
};

/// What a step was computed with, and its loss.
struct StepRecord {
  int64_t step = 0, epoch = 0, stepInEpoch = 0;
  bool summarizes = false, probes = false;
  std::shared_ptr<const std::vector<Tensor>> feeds;                   ///< Besides the batch.
  std::shared_ptr<const std::map<std::string, std::string>> streams;  ///< Positions of random streams before it; null: it draws nothing.
  double loss = 0;
};

/// The last steps of a training: copies of its variables now and then, and what each step was computed with. The training's thread writes, any thread reads.
class StepHistory {
 public:
  /// `draws`: steps draw random numbers, so that positions of streams are kept.
  StepHistory(StepRecording options, TrainingData data, bool draws)
      : data(std::move(data)), options_(options), draws_(draws), interval_(options.secondsBetween) {}

  const TrainingData data;  ///< As at the start.

  /// Before a step. `feeds` besides the batch.
  void before(StepRecord record, const std::vector<Tensor>& feeds, Session& session) WEFT_EXCLUDES(mutex_);
  /// After it. `asRecorded`: a copy can compute it again as it was; false after a debugger.
  void after(double loss, double seconds, bool asRecorded) WEFT_EXCLUDES(mutex_);
  void refuse(std::string why) WEFT_EXCLUDES(mutex_);

  RecordedSteps recorded() const WEFT_EXCLUDES(mutex_);
  /// The last copy from which `step` can be computed; null: none.
  std::shared_ptr<const StateCopy> copyBefore(int64_t step) const WEFT_EXCLUDES(mutex_);
  std::optional<StepRecord> record(int64_t step) const WEFT_EXCLUDES(mutex_);
  std::vector<std::shared_ptr<const StateCopy>> copies() const WEFT_EXCLUDES(mutex_);

 private:
  void makeRoom() WEFT_REQUIRES(mutex_);

  const StepRecording options_;
  const bool draws_;
  mutable Mutex mutex_;
  std::deque<std::shared_ptr<StateCopy>> copies_ WEFT_GUARDED_BY(mutex_);
  std::deque<StepRecord> steps_ WEFT_GUARDED_BY(mutex_);
  std::string whyNot_ WEFT_GUARDED_BY(mutex_);
  double copySeconds_ WEFT_GUARDED_BY(mutex_) = 0;
  // Of the training's thread.
  double interval_, copyTakes_ = 0, since_ = 0;
  bool force_ = true;
  std::optional<StepRecord> open_;
  std::shared_ptr<const std::vector<Tensor>> feeds_;
};

/// What matters for computing steps again.
struct StepEffects {
  std::string whyNot;  ///< An op that changes something which is not kept; empty: they can be computed again.
  bool draws = false;  ///< They draw random numbers.
};
/// Of a training step that fetches `fetches` beside what the settings name.
StepEffects effectsOfStep(const Graph& graph, const TrainingSettings& settings, const std::vector<std::string>& fetches);

}  // namespace weft
