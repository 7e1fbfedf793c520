#pragma once

#include "weft/builder.h"

// tf.metrics: measures over all batches since their local variables were initialized, node for node as TensorFlow 1.15 builds them.
#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api::metrics {

/// `value` is the current result; `update` adds this batch and returns the new result.
struct Metric {
  Output value, update;
};

Metric mean(GraphBuilder& b, Output values, const std::string& name = {});
/// Labels and predictions of the same shape: 0 is false, all others true.
Metric precision(GraphBuilder& b, Output labels, Output predictions, const std::string& name = {});
Metric recall(GraphBuilder& b, Output labels, Output predictions, const std::string& name = {});
/// Area under the ROC curve of probabilities, by 200 thresholds.
Metric auc(GraphBuilder& b, Output labels, Output predictions, const std::string& name = {});

}  // namespace weft::api::metrics
#pragma GCC visibility pop
