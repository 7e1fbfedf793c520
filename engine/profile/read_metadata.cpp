// RunMetadata and tfprof's profiles.
#include <algorithm>
#include <limits>
#include <map>

#include "profile/bounds.h"
#include "profile/metadata_reader.h"
#include "profile/read_trace.h"
#include "profile/wire_fields.h"
#include "proto/text.h"
#include "proto/tfprof.pb.h"
#include "weft/op_traits.h"

namespace weft {

namespace tf = ::tensorflow;

namespace {

/// The complete parts of a truncated RunMetadata.
Result<Trace> readCut(std::string_view bytes, Error why) {
  Trace trace;
  MetadataReader reader(trace);
  eachField(bytes, [&](int number, std::string_view stats, bool) {
    if (number != 1) return;
    eachField(stats, [&](int n, std::string_view device, bool) {
      if (n != 1) return;
      std::string name;
      eachField(device, [&](int field, std::string_view value, bool whole) {
        if (field == 1) name = value;
        tf::NodeExecStats node;
        if (field == 2 && whole && node.ParseFromArray(value.data(), int(value.size()))) reader.add(name, node, {});
      });
    });
  });
  if (trace.slices.empty()) return why;
  trace.problems.push_back({TraceProblem::Kind::Truncated, 1, concat("the file breaks off; the ", trace.slices.size(), " ops before that are shown")});
  reader.end();
  return trace;
}

Result<Trace> traceOf(const tf::RunMetadata& meta) {
  Trace trace;
  MetadataReader reader(trace);
  reader.add(meta);
  reader.end();
  return trace;
}

}  // namespace

Result<Trace> readRunMetadata(std::string_view bytes) {
  tf::RunMetadata meta;
  if (Status s = parseWire(bytes, &meta); !s.ok()) return readCut(bytes, s.error());
  return traceOf(meta);
}

Result<Trace> readRunMetadataText(std::string_view text) {
  tf::RunMetadata meta;
  WEFT_TRY(parseText(text, &meta, true));
  return traceOf(meta);
}

Result<Trace> readTfprof(std::string_view bytes) {
  tf::tfprof::ProfileProto profile;
  WEFT_TRY(parseWire(bytes, &profile));
  Trace trace;
  MetadataReader reader(trace);
  std::map<int64_t, int32_t> steps;
  for (const int64_t s : profile.steps()) steps.emplace(s, 0);
  for (const auto& [id, node] : profile.nodes()) {
    for (const auto& [step, exec] : node.execs()) steps.emplace(step, 0);
  }
  for (auto& [step, place] : steps) {
    place = int32_t(trace.steps.size());
    trace.steps.push_back({step, 0, 0});
  }
  const auto word = [&](int64_t id, const std::string& old) {
    const auto it = profile.id_to_string().find(id);
    return it != profile.id_to_string().end() ? it->second : old;
  };
  // The map is unordered; ids reflect the order in which the graph's nodes were seen.
  std::map<int64_t, const tf::tfprof::ProfileNode*> nodes;
  for (const auto& [id, node] : profile.nodes()) nodes.emplace(id, &node);
  for (const auto& [id, pointer] : nodes) {
    const tf::tfprof::ProfileNode& n = *pointer;
    TraceNode& facts = trace.nodes[n.name()];
    std::map<int32_t, int64_t> inputs(n.inputs().begin(), n.inputs().end());
    for (const auto& [slot, from] : inputs) {
      if (const auto it = nodes.find(from); it != nodes.end()) facts.inputs.push_back(it->second->name());
    }
    for (const auto& t : n.trace().traces()) {
      facts.code.push_back({word(t.file_id(), t.file()), word(t.function_id(), t.function()), word(t.line_id(), t.line()), t.lineno()});
    }
    facts.flops = double(std::max<int64_t>(0, n.float_ops()));
    if (roleOf(n.op()) == OpRole::Variable) {
      facts.parameters = n.shape_size() > 0 ? 1 : 0;
      for (const int64_t d : n.shape())
        if (__builtin_mul_overflow(facts.parameters, std::max<int64_t>(0, d), &facts.parameters)) facts.parameters = std::numeric_limits<int64_t>::max();
    }
    if (const auto it = n.attrs().find("data_format"); it != n.attrs().end()) facts.dataFormat = it->second.s();
    for (const auto& [step, exec] : n.execs()) {
      int64_t bytes = 0;
      for (const auto& m : exec.memory_execs()) {
        for (const auto& [slot, memory] : m.output_memory()) bytes = boundedSum(bytes, std::max<int64_t>(0, memory.bytes()));
      }
      const auto add = [&, step = step](const auto& devices) {
        for (const auto& [device, times] : devices) {
          for (const auto& pair : times.times()) {
            if (pair.int64_values_size() < 2) continue;
            TraceSlice s;
            s.track = trace.track(device, "");
            s.startNs = nsOfMicros(pair.int64_values(0));
            s.durationNs = nsOfMicros(pair.int64_values(1));
            s.bytes = bytes;
            s.name = trace.intern(n.name());
            s.op = trace.intern(n.op());
            s.step = steps[step];
            trace.slices.push_back(s);
          }
        }
      };
      add(exec.cpu_execs());
      add(exec.accelerator_execs());
    }
  }
  reader.end();
  return trace;
}

}  // namespace weft
