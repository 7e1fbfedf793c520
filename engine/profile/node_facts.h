#pragma once

#include <utility>
#include <vector>

#include "weft/graph.h"
#include "weft/op.h"
#include "weft/profile.h"

namespace weft {

/// Collects facts about a trace's nodes from a graph. Shapes observed in a run take precedence over inferred ones.
class WEFT_API NodeFacts {
 public:
  explicit NodeFacts(const Graph& graph) : graph_(graph), seen_(size_t(graph.size())) {}

  /// Outputs of an execution; ids are those of the graph.
  void saw(int node, const std::vector<std::pair<DType, Shape>>& outputs);
  /// Output shapes for which a plan was made.
  void knows(int node, const std::vector<Shape>& outputs);
  TraceNode describe(const Node& node) const;
  /// Fills in facts about the nodes that have slices in `trace`; existing facts are kept.
  void fill(Trace& trace) const;

 private:
  const Shape& shapeOf(Output o) const;

  const Graph& graph_;
  std::vector<std::vector<Shape>> seen_;
};

/// FLOPs and bytes of an execution: from the op's record, else one operation per output element for element-wise maths.
Cost costOf(const Node& node, const std::vector<Shape>& inputs, const std::vector<Shape>& outputs);

}  // namespace weft
