#pragma once

#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// One copy of a network that is built once per device: the scopes `tower_0`, `clone_1` …, or all nodes placed on one device.
struct Tower {
  QString name;        ///< "tower_0", "/gpu:1"
  QString device;      ///< The device of most of its nodes; empty: none.
  QStringList scopes;  ///< Outermost scopes of that name, including those among the gradients.
  QStringList nodes;   ///< The nodes of a device.
  int size = 0;        ///< Number of nodes.
};
/// Towers by scope name if there are at least two, else by device if there are at least two; empty: none.
QVector<Tower> towersOf(const GraphContents& contents);

}  // namespace weft::app
