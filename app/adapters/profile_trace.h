// Only sources in app/adapters include this: the engine's side of ProfileContents.
#pragma once

#include <memory>
#include <vector>

#include "adapters/profile_looks.h"
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
  qint64 first = 1;             ///< Number of the first one, if they follow each other.
  std::vector<qint64> numbers;  ///< Of each, if they do not; else empty.
  qint64 numberOf(std::size_t i) const { return numbers.empty() ? first + qint64(i) : numbers[i]; }
};

/// Tables, timeline and advice of a trace. Any thread.
ProfilePtr makeProfile(Trace trace, const QString& title, const QString& path);
/// The rows of the timeline, its slices in colours by `colors`.
std::shared_ptr<const widgets::TimelineData> makeTimeline(const Trace& trace, SliceColors colors = SliceColors::Category);

}  // namespace weft::app
