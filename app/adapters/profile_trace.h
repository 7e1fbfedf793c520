// Only sources in app/adapters include this: the engine's side of ProfileContents.
#pragma once

#include <memory>
#include <vector>

#include "adapters/profile_contents.h"
#include "weft/profile.h"
#include "weft/session.h"

namespace weft::app {

struct EngineTrace {
  explicit EngineTrace(Trace t) : trace(std::move(t)) {}
  const Trace trace;
};

struct TracedSteps {
  std::vector<std::shared_ptr<StepTrace>> steps;
  std::shared_ptr<const Graph> graph;
  qint64 first = 1;  ///< Number of the first one.
};

/// Tables, timeline and advice of a trace. Any thread.
ProfilePtr makeProfile(Trace trace, const QString& title, const QString& path);
/// The rows and colours of the timeline.
std::shared_ptr<const widgets::TimelineData> makeTimeline(const Trace& trace);

}  // namespace weft::app
