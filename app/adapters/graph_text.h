// A graph, or a part of it, as text that can be edited beside the canvas.
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_edit.h"

namespace weft::app {

/// The lines of a node in the text, counted from 1.
struct NodePlace {
  QString name;
  int first = 0, last = 0;
};
QVector<NodePlace> nodePlaces(const QString& text);

/// The named nodes and scopes as text; no names: the whole graph. Any thread.
QString graphText(const GraphContents& contents, const QStringList& names, QString* error);
/// Number of nodes in that text.
int countNodes(const GraphContents& contents, const QStringList& names);

/// The result of checking an edited text.
struct TextCheck {
  QMap<int, QString> errors;    ///< By line: errors that prevent applying it.
  QMap<int, QString> problems;  ///< By line: new problems that applying it would cause.
  int changed = 0, added = 0, removed = 0;
  bool isChange() const { return changed + added + removed > 0; }
};
/// `before`: the result of graphText(). Any thread; blocks.
TextCheck checkText(const GraphContents& contents, const QString& before, const QString& after);
/// The change as one step of the history. Fails on the errors that checkText() reports.
GraphEdit textEdit(const QString& before, const QString& after);

}  // namespace weft::app
