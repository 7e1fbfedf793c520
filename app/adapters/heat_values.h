#pragma once

#include <QString>
#include <vector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// A value for each node, brought to 0…1 on a logarithmic scale; negative: not known.
struct HeatValues {
  std::vector<double> heat;
  double least = 0, most = 0;  ///< values at 0 and 1
  QString unit;                ///< "B", "FLOP"; empty: plain numbers
  /// What a heat stands for.
  QString textOf(double heat) const;
};

class StepCosts;

/// "memory": bytes of a node's outputs; "compute": FLOPs of one execution. Of what is known before a run. Empty `heat`: there is no such measure.
HeatValues heatValues(const GraphContents& contents, const StepCosts& costs, const QString& measure);

}  // namespace weft::app
