#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "weft/plan_report.h"
#include "weft/train.h"

namespace weft {

/// The plan of a step, with names for its display.
struct StepPlan {
  PlanReport report;
  std::map<int, std::string> names;  ///< Names of merged nodes, by number.
  std::vector<std::string> passes;   ///< "constant_folding: 12 nodes"; also for dataflow plans, whose report has none.
  bool isDataflow = false;           ///< Nodes run when their inputs arrive, so there are no steps, and memory is not laid out beforehand.
};

/// The plan of the newest step for which `wanted(fetches, targets)` holds; `explained`: the text of Callable::explain().
Result<StepPlan> planOfStep(const Session& session,
                            const std::function<bool(const std::vector<std::string>& fetches, const std::vector<std::string>& targets)>& wanted,
                            const std::string& explained);
/// The plan of a training's most frequent step: the one without summaries, unless none of those has run. Call on the training thread, or when it has ended.
Result<StepPlan> planOfTraining(Trainer& trainer);

}  // namespace weft
