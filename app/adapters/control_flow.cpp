#include "adapters/control_flow.h"

#include "adapters/engine_graph.h"
#include "support/flow_facts.h"

namespace weft::app {

std::shared_ptr<const layout::FlowFacts> flowFactsOf(const GraphContents& contents) {
  if (!contents.engine) return nullptr;
  const Graph& graph = contents.engine->loaded.meta.graph;
  std::vector<int> indexOf(size_t(graph.size()), -1);
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* node = graph.node(id)) indexOf[size_t(id)] = contents.arrays.nodeIndex.value(text(node->name), -1);
  return std::make_shared<const layout::FlowFacts>(flowFactsOf(graph, indexOf, contents.arrays.nodes.size()));
}

}  // namespace weft::app
