#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// A layer with variables that a training changes.
struct SpineLayer {
  QString scope;          ///< "block1/conv1"
  QStringList variables;  ///< Full names.
  qint64 parameters = 0;
  QString category;  ///< Category of ops that gives its colour: "nn", "math", "array".
};

/// The short path of a training: data, layers in graph order, loss, optimizers.
struct TrainSpine {
  QString input, inputShape;  ///< The placeholder of the first data column; its shape `?×64`.
  QVector<SpineLayer> layers;
  QString loss;            ///< Name of the node.
  QStringList optimizers;  ///< "Adam"
  int variables = 0;

  /// The spine with the layers of each outermost scope merged into one.
  TrainSpine grouped() const;
};
TrainSpine trainSpineOf(const GraphContents& contents);

}  // namespace weft::app
