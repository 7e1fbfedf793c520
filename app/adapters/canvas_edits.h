#pragma once

#include <QPointF>
#include <QStringList>
#include <QVector>

#include "adapters/graph_edit.h"

namespace weft::app {

/// Several edits as one step of the history; if one fails, none is applied. Parts with a null `run` are skipped.
GraphEdit chainEdits(const QString& text, QVector<GraphEdit> parts);

/// Forgets the positions of these nodes and scopes and of everything in them, so that the layout decides again; no names: the whole drawing.
GraphEdit unplaceEdit(const QStringList& names);

/// Like pasteEdit(), but places the copies beside their originals, whose names are `originals`. (graph_clipboard.cpp)
GraphEdit pasteBesideEdit(const QString& clip, const QString& into, const QStringList& originals);

}  // namespace weft::app
