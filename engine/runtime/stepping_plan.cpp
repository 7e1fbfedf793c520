#include <sstream>

#include "runtime/executable_plan.h"
#include "runtime/executor.h"
#include "runtime/stepping_run.h"
#include "weft/mutex.h"

namespace weft {
namespace {

using namespace dataflow;

/// The plan for stepping: the user's graph without rewrites.
class SteppingPlan final : public ExecutablePlan {
 public:
  Status run(std::span<const Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) override {
    SteppingRun run(structure, names);
    return run.runUnder(*state.controller, feeds, fetched, state);
  }
  std::string explain() const override { return concat("stepping schedule: ", structure.nodes.size(), " nodes, no rewrites\n"); }

  Structure structure;
  SteppingNames names;
};

}  // namespace

Result<std::unique_ptr<ExecutablePlan>> makeSteppingPlan(PlanGraph plan, SessionState& session, const Graph& graph, const std::vector<Output>& feeds) {
  auto out = std::make_unique<SteppingPlan>();
  WEFT_TRY(buildStructure(std::move(plan), session, out->structure));
  out->names.graph = &graph;
  out->names.feeds = feeds;
  out->names.planOf.assign(size_t(graph.size()), -1);
  const auto& nodes = out->structure.graph.nodes;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].node && nodes[i].node->id == nodes[i].origin) out->names.planOf[size_t(nodes[i].origin)] = int(i);
  }
  return std::unique_ptr<ExecutablePlan>(std::move(out));
}

}  // namespace weft
