#pragma once

#include <QHash>
#include <QString>

#include "adapters/heat_values.h"
#include "adapters/tensor_probe.h"

namespace weft::app {

/// How large the gradients are that a training would apply now: root of the sum of squares, by variable.
struct GradientNorms {
  QHash<QString, double> ofVariable;
  QString error;  ///< One sentence; empty: the rest is filled.
};

/// Computes one batch of the document's data forward and backward, with the variables of the request's checkpoint, in a session of its own, so that a
/// training that is under way notices nothing. Any thread; takes as long as a step. Tensors and sample of the request are not read.
GradientNorms gradientNorms(const ProbeRequest& request);
/// Colours by them: variables have their own norm, other nodes that of all variables of the scope around.
HeatValues gradientHeat(const GraphContents& contents, const GradientNorms& norms);

}  // namespace weft::app
