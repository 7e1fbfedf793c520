#pragma once

#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"
#include "property_sheet/property.h"

namespace weft::app {

/// The attributes of one node, as its op's record defines them. For several nodes of one op, differing values are `mixed`; empty for nodes of different ops.
QVector<widgets::Property> nodeProperties(const GraphContents& contents, const QStringList& nodes);

/// Facts on a layer.
struct LayerDetails {
  bool found = false;
  QString kind;  ///< "layers.dense"
  QString summary, doc, source;
  QVector<widgets::Property> parameters;
};
LayerDetails layerDetails(const GraphContents& contents, const QString& scope);
/// Parameters of several layers of one kind, `mixed` where they differ; empty for anything else.
QVector<widgets::Property> layerProperties(const GraphContents& contents, const QStringList& scopes);

/// Cost per step of a node or of everything in a scope, from the known shapes (step_costs.h).
}  // namespace weft::app
