#pragma once

#include "api/control_flow.h"
#include "api/metrics.h"
#include "api/statement.h"
#include "api/tf.h"

// Building blocks of tf.metrics.
namespace weft::api {
namespace metrics {

/// A local variable of zeros, not trained, in the collections of metrics.
VariablePtr counter(GraphBuilder& b, const Argument& shape, DType type, std::string_view name);
Output assignAdd(GraphBuilder& b, const VariablePtr& v, Output value, tf::Name name = {});
/// The current value and the update op; both are added to their collections.
Built result(const Call& c, Output value, Output update);

/// Predictions, labels and weights of ranks that fit; invalid where there are none.
struct Given {
  Output predictions, labels, weights;
};
Given given(GraphBuilder& b, const Argument& predictions, const Argument& labels, const Argument& weights);

Metric mean(GraphBuilder& b, const Argument& values, const Argument& weights, const std::string& name);

}  // namespace metrics

void registerThresholdMetrics(ApiRegistry& registry);
void registerRankMetrics(ApiRegistry& registry);

}  // namespace weft::api
