#pragma once

#include <string>
#include <vector>

#include "train/projector.h"
#include "weft/dataset.h"
#include "weft/graph.h"

namespace weft {

/// A document's data, fitted to its placeholders and cut into batches.
class TrainingData {
 public:
  /// The first binding trains; one with the option `split` = "evaluation" evaluates in place of the part that is held back.
  static Result<TrainingData> load(const std::vector<DatasetBinding>& bindings, const Graph& graph, const std::string& folder);

  const std::vector<std::string>& placeholders() const { return placeholders_; }  ///< Tensor names, in the order of batches.
  int64_t trainingSamples() const { return int64_t(split_.training.size()); }
  int64_t evaluationSamples() const { return int64_t(split_.evaluation.size()); }
  int64_t batchSize() const { return batchSize_; }
  /// A shuffled epoch leaves out what does not fill a batch (other rows each time); an unshuffled one ends with a smaller batch, unless the
  /// placeholders want batches of one size.
  int64_t stepsPerEpoch() const;

  /// Batch `index` of epoch `epoch` (both from 0): one tensor per placeholder.
  Result<std::vector<Tensor>> batch(int64_t epoch, int64_t index);
  /// Rows of the data set that batch() took last for this epoch and index; empty if it was asked for another epoch.
  std::vector<int64_t> batchRows(int64_t epoch, int64_t index) const;
  /// Rows [begin, begin + count) of the evaluation part.
  Result<std::vector<Tensor>> evaluationBatch(int64_t begin, int64_t count) const;
  /// Most rows that evaluationBatch() takes.
  int64_t evaluationBatchSize() const;
  /// Number of rows evaluated: all, but only whole batches if the placeholders need batches of one size.
  int64_t evaluationRows() const;
  /// The variables whose rows stand for words of the data.
  const Projector& projector() const { return projector_; }

 private:
  Result<std::vector<Tensor>> take(const std::vector<Tensor>& columns, const int64_t* rows, int64_t count) const;

  std::vector<std::string> placeholders_;
  std::vector<Tensor> columns_;            // fitted, all rows of the training data set
  std::vector<Tensor> evaluationColumns_;  // the same tensors, or those of the data set for evaluation
  DatasetSplit split_;
  Projector projector_;
  int64_t batchSize_ = 32;
  bool fixedBatch_ = false, shuffle_ = true;
  int64_t seed_ = 1;
  int64_t orderEpoch_ = -1;
  std::vector<int64_t> order_;  // of epoch orderEpoch_
};

}  // namespace weft
