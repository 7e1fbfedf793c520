#pragma once

#include <QString>
#include <vector>

#include "adapters/graph_contents.h"
#include "adapters/step_costs.h"

namespace weft::app {

/// One value per node, scaled to 0…1 logarithmically; negative: unknown.
struct HeatValues {
  std::vector<double> heat;
  double least = 0, most = 0;  ///< values at 0 and 1
  QString unit;                ///< "B", "FLOP"; empty: plain numbers
  /// The value that a heat stands for, as text.
  QString textOf(double heat) const;
};

/// "memory": bytes of a node's outputs; "compute": FLOPs of one execution. Uses only what is known before a run. Empty `heat`: unknown measure.
HeatValues heatValues(const GraphContents& contents, const StepCosts& costs, const QString& measure);

}  // namespace weft::app
