#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "weft/plan_report.h"
#include "weft/train.h"

namespace weft {

/// What the plan of a step became, with what is needed to speak of it.
struct StepPlan {
  PlanReport report;
  std::map<int, std::string> names;  ///< Of the nodes that others do the work of, by number.
  std::vector<std::string> passes;   ///< "constant_folding: 12 nodes"; of dataflow plans, too, whose report has none.
  bool isDataflow = false;           ///< Nodes run when their inputs have come: there are no steps, and memory is not laid out beforehand.
};

/// The plan of the newest step for which `wanted(fetches, targets)` holds; `explained`: what Callable::explain() says of it.
Result<StepPlan> planOfStep(const Session& session,
                            const std::function<bool(const std::vector<std::string>& fetches, const std::vector<std::string>& targets)>& wanted,
                            const std::string& explained);
/// The plan of the step that a training takes most often: the one without summaries, unless none of these has run. On the training thread, or when it has ended.
Result<StepPlan> planOfTraining(Trainer& trainer);

}  // namespace weft
