// Facts in a graph file besides its nodes: versions, collections, saver, signatures, and warnings about them.
#pragma once

#include <QString>
#include <QVector>

#include "adapters/file_contents.h"

namespace weft::app {

struct GraphFact {
  enum class Kind { Plain, Good, Warning };
  QString name, value;
  QString node;  ///< The node concerned; empty: none.
  QString tip;
  Kind kind = Kind::Plain;
  QVector<GraphFact> parts;
  QStringList command = {};  ///< Run by Enter or a double-click: an action with its words.
};

/// The facts, translated. Rereads `path` (may be empty) for its signatures. Any thread; blocks.
QVector<GraphFact> graphFileFacts(const GraphContents& contents, const QString& path);
/// Facts on a graph's SavedModel: its signatures, its other graphs, its variables. Translated.
QVector<GraphFact> modelFacts(const FileContents& model, int graph);

}  // namespace weft::app
