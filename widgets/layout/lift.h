// First pass: the wires between visible items.
#pragma once

#include "layout/graph_layout.h"

namespace weft::layout {

/// A place where a wire of `source` crosses the edge of an open scope.
struct Port {
  std::int32_t source = -1;
  EdgeKind kind = EdgeKind::Data;
  double y = 0;  ///< below the scope's top edge; set by its layout
};

struct Container {
  std::vector<std::int32_t> children;  ///< items: scopes and nodes in the model's order
  std::vector<std::int32_t> segments;
  std::vector<Port> inPorts, outPorts;
};

struct Lifted {
  std::vector<Shown> shown;
  std::vector<Segment> segments;
  std::vector<std::int32_t> inPort, outPort;   ///< per segment: port of its container at which it starts or ends, else -1
  std::vector<std::int32_t> fromPort, toPort;  ///< per segment: port of the open child at which it starts or ends, else -1
  std::vector<Route> routes;
  std::vector<std::int32_t> routeSegments, routeEdges;
  std::vector<Container> containers;  ///< per scope, the root last
};

/// Marks the segments that are drawn on demand.
void chooseOnDemandWires(const Graph& graph, Lifted& lifted);

/// Lifts edges to their visible ends, bundles them by (from, to, kind) and cuts them at the borders of open scopes. Pieces with the same source are one
/// segment.
Lifted lift(const Graph& graph, const std::vector<char>& open, int root);

}  // namespace weft::layout
