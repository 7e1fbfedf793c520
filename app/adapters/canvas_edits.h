#pragma once

#include <QPointF>
#include <QStringList>
#include <QVector>

#include "adapters/graph_edit.h"

namespace weft::app {

/// Several edits as one step of the history; if one fails, none was made. Null `run` parts are left out.
GraphEdit chainEdits(const QString& text, QVector<GraphEdit> parts);

/// Lets the layout decide again where these nodes and scopes lie, with all that is in them; none: where everything lies.
GraphEdit unplaceEdit(const QStringList& names);

/// As pasteEdit(); the copies are put beside what they are copies of. `originals`: their names. (graph_clipboard.cpp)
GraphEdit pasteBesideEdit(const QString& clip, const QString& into, const QStringList& originals);

}  // namespace weft::app
