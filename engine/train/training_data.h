#pragma once

#include <string>
#include <vector>

#include "train/projector.h"
#include "weft/dataset.h"
#include "weft/graph.h"

namespace weft {

/// A document's data, matched to its placeholders and divided into batches.
class TrainingData {
 public:
  /// The first binding is for training; one with the option `split` = "evaluation" replaces the held-out part for evaluation.
  static Result<TrainingData> load(const std::vector<DatasetBinding>& bindings, const Graph& graph, const std::string& folder);

  const std::vector<std::string>& placeholders() const { return placeholders_; }  ///< Tensor names, in the order of batches.
  int64_t trainingSamples() const { return int64_t(split_.training.size()); }
  int64_t evaluationSamples() const { return int64_t(split_.evaluation.size()); }
  int64_t batchSize() const { return batchSize_; }
  bool fixedBatch() const { return fixedBatch_; }  ///< Whether placeholders require this batch size.
  /// A shuffled epoch drops rows that do not fill a batch (different ones each time); an unshuffled one ends with a smaller batch, unless the placeholders
  /// require a fixed batch size.
  int64_t stepsPerEpoch() const;

  /// Batch `index` of epoch `epoch` (both from 0): one tensor per placeholder.
  Result<std::vector<Tensor>> batch(int64_t epoch, int64_t index);
  /// Rows of the data set used by the last batch() call for this epoch and index; empty if another epoch was requested since.
  std::vector<int64_t> batchRows(int64_t epoch, int64_t index) const;
  /// Rows [begin, begin + count) of the evaluation data.
  Result<std::vector<Tensor>> evaluationBatch(int64_t begin, int64_t count) const;
  /// Maximum number of rows that evaluationBatch() accepts.
  int64_t evaluationBatchSize() const;
  /// Number of rows evaluated: all, or only whole batches if the placeholders require a fixed batch size.
  int64_t evaluationRows() const;
  /// The variables whose rows represent words of the data.
  const Projector& projector() const { return projector_; }

 private:
  Result<std::vector<Tensor>> take(const std::vector<Tensor>& columns, const int64_t* rows, int64_t count) const;

  std::vector<std::string> placeholders_;
  std::vector<Tensor> columns_;            // matched to the placeholders; all rows of the training data set
  std::vector<Tensor> evaluationColumns_;  // the same tensors, or those of the separate evaluation data set
  DatasetSplit split_;
  Projector projector_;
  int64_t batchSize_ = 32;
  bool fixedBatch_ = false, shuffle_ = true;
  int64_t seed_ = 1;
  int64_t orderEpoch_ = -1;
  std::vector<int64_t> order_;  // row order of epoch orderEpoch_
};

}  // namespace weft
