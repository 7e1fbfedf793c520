// Only sources in app/adapters include this: the engine's side of ProfileContents.
#pragma once

#include <memory>
#include <vector>

#include "adapters/profile_plan.h"
#include "support/step_plan.h"
#include "weft/profile.h"
#include "weft/session.h"

namespace weft::app {

struct EngineTrace {
  explicit EngineTrace(Trace t) : trace(std::move(t)) {}
  const Trace trace;
  ProfilePlanPtr plan;  ///< Null: not known.
  QString whyNoPlan;    ///< Of steps that were recorded here.
};

struct TracedSteps {
  std::vector<std::shared_ptr<StepTrace>> steps;
  std::shared_ptr<const Graph> graph;
  qint64 first = 1;                      ///< Number of the first one, if they follow each other.
  std::vector<qint64> numbers;           ///< Of each, if they do not; else empty.
  std::shared_ptr<const StepPlan> plan;  ///< Null: `whyNoPlan`.
  QString whyNoPlan;
  qint64 numberOf(std::size_t i) const { return numbers.empty() ? first + qint64(i) : numbers[i]; }
};

/// What a plan becomes for the window. Any thread.
ProfilePlanPtr makePlan(const StepPlan& plan);
/// Tables, timeline and advice of a trace; `steps`: what it is made of, null if it was read from a file. Any thread.
ProfilePtr makeProfile(Trace trace, const QString& title, const QString& path, const TracedSteps* steps = nullptr);
/// `thread 3`, as the recorder names it, in the language of the user; other names as they are.
QString threadText(const std::string& name);
/// The rows of the timeline, its slices in colours by `colors`.
std::shared_ptr<const widgets::TimelineData> makeTimeline(const Trace& trace, SliceColors colors = SliceColors::Category);

}  // namespace weft::app
