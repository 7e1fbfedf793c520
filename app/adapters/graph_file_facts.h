// What a graph file holds beside its nodes: versions, collections, saver, signatures, and what is worth a warning there.
#pragma once

#include <QString>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

struct GraphFact {
  enum class Kind { Plain, Good, Warning };
  QString name, value;
  QString node;      ///< That it is about; empty: none.
  QString tip;
  Kind kind = Kind::Plain;
  QVector<GraphFact> parts;
};

/// Translated. `path` (may be empty) is read again for its signatures. Any thread; blocks.
QVector<GraphFact> graphFileFacts(const GraphContents& contents, const QString& path);

}  // namespace weft::app
