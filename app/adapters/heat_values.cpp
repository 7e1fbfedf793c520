#include "adapters/heat_values.h"

#include <algorithm>
#include <cmath>

#include "adapters/engine_graph.h"
#include "adapters/step_costs.h"
#include "common/format.h"

namespace weft::app {

QString HeatValues::textOf(double t) const {
  if (most <= 0) return {};
  const double value = least * std::pow(most / least, t);
  if (unit.isEmpty()) return widgets::formatValue(value, 2);
  return unit == QLatin1String("B") ? widgets::formatBytes(qint64(value)) : widgets::formatSi(value, unit);
}

HeatValues heatValues(const GraphContents& contents, const StepCosts& costs, const QString& measure) {
  HeatValues out;
  const bool memory = measure == QLatin1String("memory");
  if (!memory && measure != QLatin1String("compute")) return out;
  out.unit = memory ? QStringLiteral("B") : QStringLiteral("FLOP");
  std::vector<double> values;
  for (const auto& node : contents.arrays.nodes) {
    const StepCost cost = costOf(costs, node.name, false);
    const double value = memory ? double(cost.outputBytes) : cost.flops;
    values.push_back(value);
    if (value <= 0) continue;
    out.least = out.least <= 0 ? value : std::min(out.least, value);
    out.most = std::max(out.most, value);
  }
  const double span = out.most > out.least ? std::log(out.most / out.least) : 1;
  for (const double value : values) out.heat.push_back(value > 0 ? (out.most > out.least ? std::log(value / out.least) / span : 1.0) : -1.0);
  return out;
}

}  // namespace weft::app
