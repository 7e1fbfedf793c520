#include "adapters/step_costs.h"

#include "adapters/border.h"
#include "adapters/engine_graph.h"

namespace weft::app {

StepCostsPtr stepCosts(const GraphContents& contents, int batch) {
  const std::shared_ptr<const Graph> graph(contents.engine, &contents.engine->loaded.meta.graph);
  StepCostsPtr out;
  if (failureOf([&] { out = std::make_shared<const StepCosts>(graph, batch); }).isEmpty()) return out;
  return std::make_shared<const StepCosts>(StepCosts::unknown(graph, batch));
}

StepCost costOf(const StepCosts& costs, const QString& name, bool isScope) {
  return isScope ? costs.ofScope(name.toStdString()) : costs.ofNode(name.toStdString());
}

}  // namespace weft::app
