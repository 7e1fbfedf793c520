#pragma once

#include <QStringList>

#include "adapters/graph_contents.h"
#include "graph_view/ghost.h"

namespace weft::app {

/// Nodes in which two graphs differ, by name, sorted.
struct GraphDifference {
  QStringList added, removed;  ///< Only in the second; only in the first.
  QStringList changed;         ///< In both, with another op, device, input or attribute.
  /// The `added` nodes, grouped by scopes that are entirely new, with the nodes of the first graph that they are wired to.
  QVector<widgets::Ghost> missing;
  bool isEmpty() const { return added.isEmpty() && removed.isEmpty() && changed.isEmpty(); }
};
/// Any thread; a few milliseconds for ten thousand nodes.
GraphDifference graphDifference(const GraphContents& first, const GraphContents& second);

}  // namespace weft::app
