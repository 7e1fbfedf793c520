#pragma once

#include <QPointF>
#include <QStringList>
#include <QVector>

#include "adapters/graph_edit.h"

namespace weft::app {

/// Several edits as one step of the history; if one fails, none was made. Null `run` parts are left out.
GraphEdit chainEdits(const QString& text, QVector<GraphEdit> parts);

/// Lets the layout decide again where these nodes and scopes lie.
GraphEdit unplaceEdit(const QStringList& names);

}  // namespace weft::app
