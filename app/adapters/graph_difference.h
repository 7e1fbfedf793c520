#pragma once

#include <QStringList>

#include "adapters/graph_contents.h"
#include "graph_view/ghost.h"

namespace weft::app {

/// Nodes in which two graphs differ, by name, sorted.
struct GraphDifference {
  QStringList added, removed;  ///< Only in the second; only in the first.
  QStringList changed;         ///< In both, with another op, device, input or attribute.
  /// What `added` is of, each scope that the first graph has nothing of as a whole, and what of the first graph it is wired to.
  QVector<widgets::Ghost> missing;
  bool isEmpty() const { return added.isEmpty() && removed.isEmpty() && changed.isEmpty(); }
};
/// Any thread; a few milliseconds for ten thousand nodes.
GraphDifference graphDifference(const GraphContents& first, const GraphContents& second);

}  // namespace weft::app
