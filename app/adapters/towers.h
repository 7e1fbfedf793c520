#pragma once

#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// One copy of a network that is built once for each device: the scopes `tower_0`, `clone_1` …, or all that is placed on one device.
struct Tower {
  QString name;        ///< "tower_0", "/gpu:1"
  QString device;      ///< Of most of its nodes; empty: of none.
  QStringList scopes;  ///< Outermost scopes with that name, among the gradients, too.
  QStringList nodes;   ///< Of a device: its nodes.
  int size = 0;        ///< Nodes.
};
/// By scopes if there are at least two of such names, else by devices if there are at least two; empty: the graph has no towers.
QVector<Tower> towersOf(const GraphContents& contents);

}  // namespace weft::app
