#include "adapters/schedule.h"

#include "adapters/engine_graph.h"
#include "adapters/preview_words.h"
#include "weft/preview.h"

namespace weft::app {

bool changesWithSteps(const GraphContents& contents, const QString& node) {
  const MetaGraph& meta = contents.engine->loaded.meta;
  const Node* n = meta.graph.find(node.toStdString());
  return n && weft::changesWithSteps(meta, *n);
}

ScheduleCurve scheduleCurve(const ScheduleRequest& request, const std::atomic<bool>& cancelled) {
  SimulatedSchedule simulated;
  const Status status = simulateSchedule(request.contents->engine->loaded.meta, request.tensor.toStdString(), request.lastStep, cancelled, &simulated);
  ScheduleCurve out;
  out.tensor = text(simulated.tensor);
  out.step = text(simulated.step);
  out.lastStep = simulated.lastStep;
  if (!status.ok()) {
    out.error = previewErrorText(status.error());
    return out;
  }
  for (const auto& [step, value] : simulated.points) out.points << widgets::Sample{double(step), 0, value};
  return out;
}

}  // namespace weft::app
