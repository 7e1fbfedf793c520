#include "support/step_plan.h"

#include <algorithm>
#include <cstdint>
#include <sstream>

namespace weft {
namespace {

using Names = std::vector<std::string>;

/// Reads the lines after the schedule's name from the newest plan in `explained`.
void readDataflow(const std::string& explained, StepPlan& out) {
  std::istringstream lines(explained);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("dataflow schedule:")) {
      out.isDataflow = true;
      out.passes.clear();
    } else if (out.isDataflow && !line.starts_with("plan for") && line.find(": ") != std::string::npos) {
      out.passes.push_back(line);
    }
  }
}

}  // namespace

Result<StepPlan> planOfStep(const Session& session, const std::function<bool(const Names& fetches, const Names& targets)>& wanted,
                            const std::string& explained) {
  StepPlan out;
  WEFT_LET(out.report, planReport(session, wanted));
  out.passes = out.report.passes;
  if (out.report.steps.empty()) readDataflow(explained, out);
  const auto graph = session.graph();
  for (const PlannedStep& s : out.report.steps)
    for (const int id : s.merged)
      if (const Node* node = graph->node(id)) out.names[id] = node->name;
  return out;
}

Result<StepPlan> planOfTraining(Trainer& trainer) {
  // A loop has two signatures with its train_op; the one that also fetches summaries has more fetches.
  const std::string& trainOp = trainer.settings().trainOp;
  const auto trains = [&](const Names& targets) { return std::find(targets.begin(), targets.end(), trainOp) != targets.end(); };
  size_t fewest = SIZE_MAX;
  const auto count = [&](const Names& fetches, const Names& targets) {
    if (trains(targets)) fewest = std::min(fewest, fetches.size());
    return false;
  };
  static_cast<void>(planReport(trainer.session(), count).ok());
  const std::string explained = trainer.explainStep();
  auto usual = planOfStep(
      trainer.session(), [&](const Names& fetches, const Names& targets) { return trains(targets) && fetches.size() == fewest; }, explained);
  if (usual.ok() || usual.error().code != Code::NotFound) return usual;
  return planOfStep(
      trainer.session(), [&](const Names&, const Names& targets) { return trains(targets); }, explained);
}

}  // namespace weft
