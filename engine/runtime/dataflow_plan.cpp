#include "runtime/dataflow_plan.h"

#include <sstream>

#include "runtime/dataflow_run.h"
#include "weft/mutex.h"

namespace weft {
namespace {

using namespace dataflow;

class DataflowPlan final : public ExecutablePlan {
 public:
  Status run(std::span<const Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) override {
    std::unique_ptr<DataflowRun> r;
    {
      const MutexLock lock(mutex_);
      if (!idle_.empty()) {
        r = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    if (!r) r = std::make_unique<DataflowRun>(structure);
    Status status = r->execute(feeds, fetched, state);
    const MutexLock lock(mutex_);
    if (idle_.size() < 4) idle_.push_back(std::move(r));
    return status;
  }

  std::string explain() const override {
    std::ostringstream out;
    int nodes = 0;
    for (const auto& d : structure.nodes) nodes += d.plan != nullptr;
    out << "dataflow schedule: " << nodes << " nodes in " << structure.frames.size() << " frames\n";
    for (const std::string& line : structure.graph.applied) out << line << '\n';
    return out.str();
  }

  Structure structure;

 private:
  Mutex mutex_;
  std::vector<std::unique_ptr<DataflowRun>> idle_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace

Result<std::unique_ptr<ExecutablePlan>> makeDataflowPlan(PlanGraph plan, SessionState& session) {
  auto out = std::make_unique<DataflowPlan>();
  WEFT_TRY(buildStructure(std::move(plan), session, out->structure));
  return std::unique_ptr<ExecutablePlan>(std::move(out));
}

}  // namespace weft
