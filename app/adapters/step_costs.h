#pragma once

#include <memory>

#include "adapters/graph_contents.h"
#include "weft/step_costs.h"

namespace weft::app {

using StepCostsPtr = std::shared_ptr<const StepCosts>;

/// The costs of a document's graph. If counting fails, all ops are of unknown cost. Any thread.
StepCostsPtr stepCosts(const GraphContents& contents, int batch);
/// Of a node or scope.
StepCost costOf(const StepCosts& costs, const QString& name, bool isScope);

}  // namespace weft::app
