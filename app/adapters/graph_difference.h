#pragma once

#include <QPair>
#include <QStringList>
#include <QVector>

#include "adapters/graph_contents.h"
#include "graph_view/ghost.h"

namespace weft::app {

/// Nodes in which two graphs differ, sorted.
struct GraphDifference {
  QStringList added, removed;  ///< Only in the second; only in the first.
  QStringList changed;         ///< In both, with another op, device, input or attribute.
  /// By structure: pairs of nodes that only have other names, first's name before second's; sorted.
  QVector<QPair<QString, QString>> renamed;
  /// The `added` nodes, grouped by scopes that are entirely new, with the nodes of the first graph that they are wired to.
  QVector<widgets::Ghost> missing;
  bool isEmpty() const { return added.isEmpty() && removed.isEmpty() && changed.isEmpty() && renamed.isEmpty(); }
};
/// Any thread; a few milliseconds for ten thousand nodes.
GraphDifference graphDifference(const GraphContents& first, const GraphContents& second);
/// Pairs nodes by what they compute and how they are wired, whatever their names: `changed` has the first's names. Any thread.
GraphDifference graphDifferenceByStructure(const GraphContents& first, const GraphContents& second);

}  // namespace weft::app
