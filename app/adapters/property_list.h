#pragma once

#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"
#include "property_sheet/property.h"

namespace weft::app {

/// Attributes of one node as its op's record states them; of several nodes of one op with `mixed` where they differ; empty for nodes of different ops.
QVector<widgets::Property> nodeProperties(const GraphContents& contents, const QStringList& nodes);

/// What is known of a layer.
struct LayerDetails {
  bool found = false;
  QString kind;  ///< "layers.dense"
  QString summary, doc, source;
  QVector<widgets::Property> parameters;
};
LayerDetails layerDetails(const GraphContents& contents, const QString& scope);
/// Parameters of several layers of one kind, `mixed` where they differ; empty for anything else.
QVector<widgets::Property> layerProperties(const GraphContents& contents, const QStringList& scopes);

/// What a node, or everything in a scope, costs per step as far as shapes are known (step_costs.h).
struct CostDetails {
  double flops = 0;
  qint64 outputBytes = 0;
  int unknown = 0;  ///< ops whose cost is not known
  bool any = false;
};

}  // namespace weft::app
