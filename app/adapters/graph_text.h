// A graph, or a part of it, as text that is edited beside the canvas.
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_edit.h"

namespace weft::app {

/// Where a node stands in a text; lines from 1 on.
struct NodePlace {
  QString name;
  int first = 0, last = 0;
};
QVector<NodePlace> nodePlaces(const QString& text);

/// The named nodes and scopes as text; all of the graph where no names are given. Any thread.
QString graphText(const GraphContents& contents, const QStringList& names, QString* error);
/// How many nodes that would be.
int countNodes(const GraphContents& contents, const QStringList& names);

/// What an edited text comes to.
struct TextCheck {
  QMap<int, QString> errors;    ///< By line: what keeps it from being applied.
  QMap<int, QString> problems;  ///< By line: what would be wrong with the graph then and is not now.
  int changed = 0, added = 0, removed = 0;
  bool isChange() const { return changed + added + removed > 0; }
};
/// `before`: as graphText() gave it. Any thread; blocks.
TextCheck checkText(const GraphContents& contents, const QString& before, const QString& after);
/// The edit as one step. Fails as checkText() says.
GraphEdit textEdit(const QString& before, const QString& after);

}  // namespace weft::app
