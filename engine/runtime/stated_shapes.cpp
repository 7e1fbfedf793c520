#include "runtime/stated_shapes.h"

#include "graph/graph_shapes.h"
#include "kernel/session_state.h"

namespace weft {
namespace {

bool isDisproved(const Node& n, const SessionState& state) {
  if (!isVariable(n)) return false;
  if (!n.attrs.shape("shape").hasRank()) return false;
  std::string container = n.attrs.text("container"), name = n.attrs.text("shared_name");
  const auto variable = state.find<Variable>(container.empty() ? SessionState::kDefaultContainer : std::string_view(container), name.empty() ? n.name : name);
  if (!variable) return false;
  const MutexLock lock(variable->mutex);
  return variable->disproved;
}

}  // namespace

Result<SessionGraph> sessionGraph(Graph graph) {
  WEFT_TRY(graph.topologicalOrder());
  SessionGraph out;
  out.stated = std::make_shared<const Graph>(graph);
  WEFT_LET(const bool changed, inferShapesForRuns(graph));
  out.planned = changed ? std::make_shared<const Graph>(std::move(graph)) : out.stated;
  return out;
}

Result<std::shared_ptr<const Graph>> withoutDisprovedShapes(std::shared_ptr<const Graph> graph, const SessionState& state) {
  std::unique_ptr<Graph> changed;
  for (int id = 0; id < graph->size(); ++id) {
    const Node* n = graph->node(id);
    if (!n || !isDisproved(*n, state)) continue;
    if (!changed) changed = std::make_unique<Graph>(*graph);
    WEFT_TRY(changed->change(id, [](Node& node) { node.attrs.set("shape", Attr(Shape::unknown())); }));
  }
  if (!changed) return graph;
  changed->statesShapes = true;
  WEFT_TRY(inferShapesForRuns(*changed));
  return std::make_shared<const Graph>(std::move(*changed));
}

}  // namespace weft
