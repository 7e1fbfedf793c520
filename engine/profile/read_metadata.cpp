// RunMetadata and tfprof's profiles.
#include <algorithm>
#include <limits>
#include <map>

#include "graph/wire.h"
#include "profile/bounds.h"
#include "profile/read_trace.h"
#include "proto/config.pb.h"
#include "proto/text.h"
#include "proto/tfprof.pb.h"
#include "weft/op_traits.h"

namespace weft {

namespace tf = ::tensorflow;

namespace {

/// `[cpu 1.5MB 2MB] name = Op(input, ^control, other:1)`, of which any part may be missing; the closing parenthesis too.
struct Label {
  std::string_view op;
  std::vector<std::string> inputs;
};

Label readLabel(std::string_view text) {
  Label out;
  const size_t equals = text.find(" = ");
  if (equals == text.npos) return out;
  text.remove_prefix(equals + 3);
  const size_t open = text.find('(');
  out.op = text.substr(0, open);
  if (open == text.npos) return out;
  text.remove_prefix(open + 1);
  if (text.ends_with(')')) text.remove_suffix(1);
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    std::string_view item = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    while (item.starts_with(' ')) item.remove_prefix(1);
    if (const size_t at = item.find(" @"); at != item.npos) item = item.substr(0, at);
    if (item.empty() || item[0] == '^') continue;
    const size_t colon = item.rfind(':');
    if (colon != item.npos && colon + 1 < item.size() && item.find_first_not_of("0123456789", colon + 1) == item.npos) item = item.substr(0, colon);
    out.inputs.emplace_back(item);
  }
  return out;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// Adds what the devices report about a step.
class MetadataReader {
 public:
  explicit MetadataReader(Trace& trace) : trace_(trace) {}

  void add(const std::string& device, const tf::NodeExecStats& n, const std::string& thread) {
    const bool stream = contains(device, "/stream:") || contains(device, "/memcpy");
    TraceSlice s;
    s.track = trace_.track(device, stream ? "" : thread.empty() ? concat("thread ", n.thread_id()) : thread);
    const bool nanos = n.all_start_nanos() != 0;
    const auto time = [nanos](int64_t ns, int64_t micros) { return nanos ? boundedNs(ns) : nsOfMicros(micros); };
    const int64_t begin = time(n.all_start_nanos(), n.all_start_micros());
    const int64_t opStart = time(n.op_start_rel_nanos(), n.op_start_rel_micros());
    int64_t opEnd = time(n.op_end_rel_nanos(), n.op_end_rel_micros());
    if (opEnd == 0) opEnd = time(n.all_end_rel_nanos(), n.all_end_rel_micros());
    s.startNs = boundedNs(begin + opStart);
    s.durationNs = boundedNs(opEnd - opStart);
    if (n.scheduled_nanos() > 0) s.waitNs = std::max<int64_t>(0, s.startNs - boundedNs(n.scheduled_nanos()));
    else if (n.scheduled_micros() > 0) s.waitNs = std::max<int64_t>(0, s.startNs - nsOfMicros(n.scheduled_micros()));
    if (begin <= 0) ++withoutTime_;
    std::string name = n.node_name();
    Label label = readLabel(n.timeline_label());
    if (stream) {  // `node:Op`, or `edge_12_node` for copies
      const size_t colon = name.rfind(':');
      if (label.op.empty() && colon != std::string::npos) label.op = std::string_view(n.node_name()).substr(colon + 1);
      if (colon != std::string::npos) name.resize(colon);
      if (label.op.empty()) label.op = contains(device, "/memcpy") || name.starts_with("edge_") ? "MemcpyAsync" : "";
    }
    s.name = trace_.intern(name);
    s.op = trace_.intern(label.op);
    for (const auto& o : n.output()) {
      const auto& d = o.tensor_description();
      int64_t bytes = d.allocation_description().requested_bytes();
      if (bytes <= 0) bytes = std::max<int64_t>(0, d.allocation_description().allocated_bytes());
      s.bytes = boundedSum(s.bytes, bytes);
      if (bytes > 0) trace_.tensors.push_back({int32_t(trace_.slices.size()), o.slot(), bytes, d.allocation_description().ptr()});
    }
    if (!label.inputs.empty()) {
      TraceNode& node = trace_.nodes[name];
      if (node.inputs.empty()) node.inputs = std::move(label.inputs);
    }
    trace_.slices.push_back(s);
  }

  void add(const tf::DeviceStepStats& d) {
    for (const auto& n : d.node_stats()) {
      const auto it = d.thread_names().find(n.thread_id());
      add(d.device(), n, it == d.thread_names().end() ? std::string() : it->second);
    }
  }

  Status end() {
    markRepeats(trace_);
    if (withoutTime_ > 0 && withoutTime_ == int64_t(trace_.slices.size())) {
      trace_.problems.push_back({TraceProblem::Kind::Skipped, withoutTime_, "no op has a start time; all are drawn at the beginning"});
    }
    if (!trace_.slices.empty()) {
      int64_t first = trace_.slices.front().startNs;
      for (const TraceSlice& s : trace_.slices) first = std::min(first, s.startNs);
      trace_.startUnixUs = first / 1000;
    }
    trace_.finish();
    return {};
  }

 private:
  Trace& trace_;
  int64_t withoutTime_ = 0;
};

/// Fields of a message that may be truncated: a field whose bytes end too early is reported with the bytes that are present.
template <typename F>
bool eachField(std::string_view bytes, F&& take) {
  while (!bytes.empty()) {
    WireReader in(bytes);
    const auto f = in.next();
    if (f) {
      if (f->type == 2) take(f->number, f->bytes, true);
      bytes.remove_prefix(f->whole.size());
      continue;
    }
    size_t at = 0;
    uint64_t tag = 0, length = 0;
    const auto varint = [&](uint64_t* v) {
      for (int shift = 0; at < bytes.size() && shift < 64; shift += 7) {
        const auto byte = uint8_t(bytes[at++]);
        *v |= uint64_t(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return true;
      }
      return false;
    };
    if (varint(&tag) && (tag & 7) == 2 && varint(&length) && length > bytes.size() - at) take(int(tag >> 3), bytes.substr(at), false);
    return false;
  }
  return true;
}

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
  if (Status s = reader.end(); !s.ok()) return s.error();
  return trace;
}

Result<Trace> traceOf(const tf::RunMetadata& meta) {
  Trace trace;
  MetadataReader reader(trace);
  for (const auto& d : meta.step_stats().dev_stats()) reader.add(d);
  if (Status s = reader.end(); !s.ok()) return s.error();
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
  if (Status s = reader.end(); !s.ok()) return s.error();
  return trace;
}

}  // namespace weft
