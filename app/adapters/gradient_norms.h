#pragma once

#include <QHash>
#include <QString>

#include "adapters/heat_values.h"
#include "adapters/tensor_probe.h"

namespace weft::app {

/// The gradients that a training would apply now: for each variable, the square root of the sum of squares.
struct GradientNorms {
  QHash<QString, double> ofVariable;
  QString error;  ///< One sentence; empty: the rest is filled.
};

/// Runs one batch of the document's data forward and backward, with the variables of the request's checkpoint. Uses a separate session, so a running training
/// is not affected. Any thread; takes as long as a step. Ignores the request's tensors and sample.
GradientNorms gradientNorms(const ProbeRequest& request);
/// Heat by gradient norm: a variable gets its own norm, other nodes that of all variables in the enclosing scope.
HeatValues gradientHeat(const GraphContents& contents, const GradientNorms& norms);

}  // namespace weft::app
