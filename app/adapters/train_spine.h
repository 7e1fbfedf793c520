#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// A layer that a training changes.
struct SpineLayer {
  QString scope;          ///< "block1/conv1"
  QStringList variables;  ///< Full names.
  qint64 parameters = 0;
  QString category;  ///< Of operations, by which it is coloured: "nn", "math", "array".
};

/// What a training passes through, in short: data, layers in the order of the graph, loss, optimizers.
struct TrainSpine {
  QString input, inputShape;  ///< The placeholder that the first data column goes to, `?×64`.
  QVector<SpineLayer> layers;
  QString loss;            ///< Node.
  QStringList optimizers;  ///< "Adam"
  int variables = 0;

  /// The same with the layers of one outermost scope as one.
  TrainSpine grouped() const;
};
TrainSpine trainSpineOf(const GraphContents& contents);

}  // namespace weft::app
