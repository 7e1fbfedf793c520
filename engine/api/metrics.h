#pragma once

#include "weft/builder.h"

// tf.metrics: measures over all batches since their local variables were initialised, node for node as TensorFlow 1.15 builds them.
#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api::metrics {

/// `value` reads what has been counted, `update` counts this batch, too, and gives what comes out then.
struct Metric {
  Output value, update;
};

Metric mean(GraphBuilder& b, Output values, const std::string& name = {});
/// Labels and predictions of one shape: 0 is no, anything else yes.
Metric precision(GraphBuilder& b, Output labels, Output predictions, const std::string& name = {});
Metric recall(GraphBuilder& b, Output labels, Output predictions, const std::string& name = {});
/// Area under the ROC curve of probabilities, by 200 thresholds.
Metric auc(GraphBuilder& b, Output labels, Output predictions, const std::string& name = {});

}  // namespace weft::api::metrics
#pragma GCC visibility pop
