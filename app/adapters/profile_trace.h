// Only sources in app/adapters include this: the engine's side of ProfileContents.
#pragma once

#include <memory>
#include <vector>

#include "adapters/profile_plan.h"
#include "adapters/trace_answers.h"
#include "support/step_plan.h"
#include "weft/profile.h"
#include "weft/session.h"

namespace weft::app {

struct EngineTrace {
  explicit EngineTrace(Trace t) : trace(std::move(t)) {}
  const Trace trace;
  ProfilePlanPtr plan;  ///< Null: unknown.
  QString whyNoPlan;    ///< For steps recorded here.
};

struct TracedSteps {
  std::vector<std::shared_ptr<StepTrace>> steps;
  std::shared_ptr<const Graph> graph;
  qint64 first = 1;                      ///< Number of the first step, if they are consecutive.
  std::vector<qint64> numbers;           ///< Number of each step, if they are not; else empty.
  std::shared_ptr<const StepPlan> plan;  ///< Null: `whyNoPlan`.
  QString whyNoPlan;
  qint64 numberOf(std::size_t i) const { return numbers.empty() ? first + qint64(i) : numbers[i]; }
};

/// Converts a plan for the window. Any thread.
ProfilePlanPtr makePlan(const StepPlan& plan);
/// Tables, timeline and advice of a trace. `steps`: the steps it was recorded from; null if it was read from a file. Any thread.
ProfilePtr makeProfile(Trace trace, const QString& title, const QString& path, const TracedSteps* steps = nullptr);
/// Translates the recorder's thread names (`thread 3`); other names are returned unchanged.
QString threadText(const std::string& name);
/// `/job:localhost/replica:0/task:0/device:CPU:0` as `CPU:0`; with the task if it is of a cluster, `worker:1 CPU:0`.
QString deviceText(const std::string& device);
/// `/job:ps/replica:0/task:0` as `ps:0`.
QString taskText(std::string_view task);
/// The tasks of a trace with several, and what they sent each other.
QVector<ProfileTask> profileTasks(const Trace& trace);
QVector<ProfileTransfer> profileTransfers(const Trace& trace);
/// The device of each node, as the tasks' partition graphs or their recorded ops tell.
QHash<QString, QString> placesOf(const Trace& trace);
/// The rows of the timeline, with slices coloured by `colors`. `comparison`: for SliceColors::Difference, which needs it.
std::shared_ptr<const widgets::TimelineData> makeTimeline(const Trace& trace, SliceColors colors = SliceColors::Category,
                                                          const TraceComparison* comparison = nullptr);
/// By track of a trace, its position among the tracks of the timeline.
std::vector<int> timelineTracks(const Trace& trace);

}  // namespace weft::app
