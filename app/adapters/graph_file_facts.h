// What a graph file holds beside its nodes: versions, collections, saver, signatures, and what is worth a warning there.
#pragma once

#include <QString>
#include <QVector>

#include "adapters/file_contents.h"

namespace weft::app {

struct GraphFact {
  enum class Kind { Plain, Good, Warning };
  QString name, value;
  QString node;  ///< That it is about; empty: none.
  QString tip;
  Kind kind = Kind::Plain;
  QVector<GraphFact> parts;
  QStringList command = {};  ///< What Enter or a double-click runs: an action with its words.
};

/// Translated. `path` (may be empty) is read again for its signatures. Any thread; blocks.
QVector<GraphFact> graphFileFacts(const GraphContents& contents, const QString& path);
/// What the SavedModel of a graph holds beside it: its signatures, the other graphs, its variables. Translated.
QVector<GraphFact> modelFacts(const FileContents& model, int graph);

}  // namespace weft::app
