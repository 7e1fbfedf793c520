#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// Ops that can become a layer, or scopes that can become instances of a group.
struct FoldOffer {
  QString scope;       ///< What `group.fold` takes.
  QString kind;        ///< "layers.dense", or a group's name.
  QString parameters;  ///< "units 64, activation relu"
  QStringList nodes;   ///< Nodes and scopes to show on the canvas.
  int moved = 0;       ///< Ops that get another name.
  int instances = 0;   ///< Of a group; 0: it is a layer.
};
struct FoldOffers {
  QVector<FoldOffer> offers;
  QStringList left;  ///< Sentences: what stays, and why.
};
/// Any thread; takes a second on graphs of ten thousand nodes.
FoldOffers foldOffers(const GraphContents& contents);

}  // namespace weft::app
