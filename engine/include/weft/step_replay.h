#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/debug.h"
#include "weft/session.h"
#include "weft/train.h"

namespace weft {

/// Computes steps of a training again, bit for bit, in a session of its own; the training goes on meanwhile. Not thread-safe.
class WEFT_API StepReplay {
 public:
  ~StepReplay();
  StepReplay(const StepReplay&) = delete;

  RecordedSteps recorded() const;
  /// Goes to the state before step `step`. OUT_OF_RANGE names the steps that are recorded. CANCELLED. DATA_LOSS if a step gave another loss than in the training.
  Status goTo(int64_t step, const CancellationToken& cancellation = {});
  /// The step of the last goTo(); 0: none.
  int64_t step() const;
  /// Computes this step under a controller. The state is that before the step again afterwards.
  Status compute(StepController& controller);
  /// Fetches tensors in the state before the step, with its data, without training. With `row` >= 0, row `row` of the batch alone; where the graph has a fixed batch
  /// size, a batch of copies of that row.
  Result<std::vector<Tensor>> evaluate(const std::vector<std::string>& fetches, int64_t row = -1);
  /// The variables before the step, by the names of Session::variables().
  const std::map<std::string, Tensor>& variables() const;
  /// Names and values of what the step was fed with; the batch first.
  std::vector<std::pair<std::string, Tensor>> feeds() const;
  /// The tensors that batches are fed to: the first of the feeds.
  const std::vector<std::string>& dataTensors() const;
  /// Whether the graph takes batches of one size only.
  bool hasFixedBatch() const;
  /// Rows of the data set in the step's batch; empty without data.
  std::vector<int64_t> rows() const;
  /// The loss that the training had in a recorded step; NaN if it has none.
  double loss(int64_t step) const;
  /// A variable's element wherever a copy of all variables was made: steps done, value. `element`: its position, row by row.
  std::vector<std::pair<int64_t, double>> history(const std::string& variable, int64_t element) const;

  const TrainingSettings& settings() const;
  const Graph& graph() const;

 private:
  friend class Trainer;
  struct Impl;
  explicit StepReplay(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft
