#include "sweep/plan_json.h"

#include <nlohmann/json.hpp>

namespace weft::sweep {

using nlohmann::json;

std::string planToJson(const SweepPlan& plan) {
  json parameters = json::array();
  for (const SweepParameter& p : plan.parameters) parameters.push_back(textOf(p));
  json fixed = json::array();
  for (const auto& [name, value] : plan.fixed) fixed.push_back({name, value});
  return json{{"parameters", parameters},
              {"fixed", fixed},
              {"method", nameOf(plan.method)},
              {"runs", plan.runs},
              {"seed", plan.seed},
              {"metric", plan.metric},
              {"maximize", plan.maximize},
              {"stop", nameOf(plan.stop.kind)},
              {"eta", plan.stop.eta},
              {"first_share", plan.stop.firstShare},
              {"least_runs", plan.stop.leastRuns}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<SweepPlan> planFromJson(const std::string& text) {
  const json j = json::parse(text, nullptr, false);
  if (!j.is_object()) return dataLoss("the plan of a sweep is no JSON object").ofKind("malformed");
  SweepPlan plan;
  try {
    for (const json& p : j.value("parameters", json::array())) {
      WEFT_LET(SweepParameter parameter, sweepParameterOf(p.get<std::string>()));
      plan.parameters.push_back(std::move(parameter));
    }
    for (const json& f : j.value("fixed", json::array())) plan.fixed.emplace_back(f.at(0).get<std::string>(), f.at(1).get<std::string>());
    WEFT_LET(plan.method, sweepMethodNamed(j.value("method", "random")));
    WEFT_LET(plan.stop.kind, stopRuleNamed(j.value("stop", "none")));
    plan.runs = j.value("runs", 0);
    plan.seed = j.value("seed", uint64_t(1));
    plan.metric = j.value("metric", "");
    plan.maximize = j.value("maximize", false);
    plan.stop.eta = j.value("eta", plan.stop.eta);
    plan.stop.firstShare = j.value("first_share", plan.stop.firstShare);
    plan.stop.leastRuns = j.value("least_runs", plan.stop.leastRuns);
  } catch (const json::exception& e) {
    return dataLoss("the plan of a sweep is malformed: ", e.what()).ofKind("malformed");
  }
  return plan;
}

}  // namespace weft::sweep
