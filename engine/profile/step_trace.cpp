// Builds a Trace from a session's recordings and graphs.
#include <algorithm>
#include <map>

#include "profile/metadata_reader.h"
#include "profile/node_facts.h"
#include "profile/read_trace.h"
#include "weft/op.h"
#include "weft/session.h"

namespace weft {

namespace {

/// Steps that a server's tasks recorded, each with its clock.
Trace traceOfServer(const std::vector<std::shared_ptr<StepTrace>>& steps, const Graph& graph, int64_t first) {
  Trace out;
  NodeFacts facts(graph);
  MetadataReader reader(out);
  for (size_t k = 0; k < steps.size(); ++k) {
    out.steps.push_back({first + int64_t(k), 0, 0});
    tensorflow::RunMetadata metadata;
    if (metadata.ParseFromString(steps[k]->received)) reader.add(metadata, int32_t(k));
    for (const TraceEvent& e : steps[k]->events)
      if (e.node >= 0) facts.saw(e.node, e.outputs);
  }
  facts.fill(out);
  reader.end();
  return out;
}

}  // namespace

Trace traceOfSteps(const std::vector<std::shared_ptr<StepTrace>>& steps, const Graph& graph, int64_t first) {
  if (!steps.empty() && std::all_of(steps.begin(), steps.end(), [](const auto& step) { return !step->received.empty(); })) {
    return traceOfServer(steps, graph, first);
  }
  Trace out;
  NodeFacts facts(graph);
  std::map<std::string, int> tracks;
  // Untraced steps may lie between traced ones, so steps are placed by wall-clock time.
  const int64_t origin = steps.empty() ? 0 : steps.front()->startUnixUs;
  out.startUnixUs = origin;
  int64_t behind = 0;
  size_t count = 0;
  for (const auto& step : steps) count += step->events.size();
  out.slices.reserve(count);
  for (size_t k = 0; k < steps.size(); ++k) {
    const StepTrace& step = *steps[k];
    const int64_t start = std::max((step.startUnixUs - origin) * 1000, behind);
    out.steps.push_back({first + int64_t(k), 0, 0});
    for (const TraceEvent& e : step.events) {
      const std::string key = e.device + '\n' + std::to_string(e.thread);
      const auto [it, made] = tracks.try_emplace(key, 0);
      if (made) it->second = out.track(e.device, concat("thread ", e.thread + 1));
      TraceSlice s;
      s.startNs = start + e.startNs;
      s.durationNs = e.endNs - e.startNs;
      s.bytes = e.outputBytes;
      s.name = out.intern(e.name);
      s.op = out.intern(e.op);
      s.track = it->second;
      s.step = int32_t(k);
      behind = std::max(behind, s.startNs + s.durationNs);
      for (size_t slot = 0; slot < e.outputs.size(); ++slot) {
        const auto& [dtype, shape] = e.outputs[slot];
        const int64_t elements = shape.elements();
        if (dtype == DType::Invalid || elements < 0) continue;
        out.tensors.push_back({int32_t(out.slices.size()), int32_t(slot), elements * int64_t(sizeOf(baseType(dtype))), 0});
      }
      if (e.node >= 0) facts.saw(e.node, e.outputs);
      out.slices.push_back(s);
    }
    behind = std::max(behind, start + step.durationNs);
  }
  facts.fill(out);
  out.finish();
  return out;
}

void describeNodes(Trace& trace, const Graph& graph) {
  NodeFacts facts(graph);
  facts.fill(trace);
}

}  // namespace weft
