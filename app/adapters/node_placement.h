// Where a session would run the nodes of a graph.
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "adapters/graph_contents.h"

namespace weft::app {

/// By node of the arrays.
struct NodePlacement {
  std::vector<QString> device;  ///< "/device:GPU:0"; empty: unknown.
  std::vector<QString> reason;  ///< Why there, translated; empty: none.
  QString error;                ///< Why nothing is known: a node asks for what is not there.
};
using NodePlacementPtr = std::shared_ptr<const NodePlacement>;

/// With `device` ("GPU:0") as the default; nodes without a kernel there go to the CPU. Any thread; takes as long as planning the graph.
NodePlacementPtr placeNodes(const GraphContentsPtr& contents, const QString& device);

}  // namespace weft::app
