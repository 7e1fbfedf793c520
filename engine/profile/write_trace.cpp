#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

#include "proto/config.pb.h"
#include "weft/profile.h"

namespace weft {
namespace {

// Formatted by hand: a JSON tree of a trace with a million slices would need gigabytes.
void quote(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (uint8_t(c) < 0x20) {
      static constexpr char kHex[] = "0123456789abcdef";
      out += "\\u00";
      out += kHex[uint8_t(c) >> 4];
      out += kHex[uint8_t(c) & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

/// Nanoseconds as microseconds with three digits.
void micros(std::string& out, int64_t ns) {
  char text[40];
  if (ns < 0) {
    out += '-';
    ns = -ns;
  }
  const auto end = std::to_chars(text, text + sizeof text, ns / 1000).ptr;
  out.append(text, end);
  if (const int rest = int(ns % 1000)) {
    out += '.';
    out += char('0' + rest / 100);
    out += char('0' + rest / 10 % 10);
    out += char('0' + rest % 10);
  }
}

}  // namespace

std::string toChromeJson(const Trace& trace) {
  std::string out = "{\"traceEvents\":[";
  bool first = true;
  const auto begin = [&](std::string_view phase, int pid, int tid) {
    out += first ? "\n" : ",\n";
    first = false;
    out += "{\"ph\":\"";
    out += phase;
    out += concat("\",\"pid\":", pid, ",\"tid\":", tid);
  };
  std::map<std::string, int> pids;
  std::vector<int> pidOf;
  for (const TraceTrack& t : trace.tracks) {
    const auto [it, made] = pids.try_emplace(t.device, int(pids.size()) + 1);
    pidOf.push_back(it->second);
    if (!made) continue;
    begin("M", it->second, 0);
    out += ",\"name\":\"process_name\",\"args\":{\"name\":";
    quote(out, t.device.starts_with('/') && t.device.find("/stream:") == t.device.npos ? t.device + " Compute" : t.device);
    out += "}}";
  }
  for (size_t i = 0; i < trace.tracks.size(); ++i) {
    begin("M", pidOf[i], int(i));
    out += ",\"name\":\"thread_name\",\"args\":{\"name\":";
    quote(out, trace.tracks[i].name.empty() ? concat("lane ", i) : trace.tracks[i].name);
    out += "}}";
  }
  const int64_t origin = trace.startUnixUs * 1000;
  for (const TraceSlice& s : trace.slices) {
    const std::string &name = trace.nameOf(s), &op = trace.opOf(s);
    begin("X", pidOf[size_t(s.track)], s.track);
    out += op.empty() ? ",\"name\":" : ",\"cat\":\"Op\",\"name\":";
    quote(out, op.empty() ? name : op);
    out += ",\"ts\":";
    micros(out, origin + s.startNs);
    out += ",\"dur\":";
    micros(out, s.durationNs);
    out += ",\"args\":{\"name\":";
    quote(out, name);
    if (!op.empty()) {
      out += ",\"op\":";
      quote(out, op);
    }
    if (s.bytes > 0) out += concat(",\"bytes\":", s.bytes);
    if (trace.steps.size() > 1) out += concat(",\"step\":", trace.steps[size_t(s.step)].number);
    if (const TraceNode* node = trace.node(name)) {
      for (size_t k = 0; k < node->inputs.size(); ++k) {
        out += concat(",\"input", k, "\":");
        quote(out, node->inputs[k]);
      }
    }
    out += "}}";
  }
  for (const TraceCounter& c : trace.counters) {
    for (const auto& [time, value] : c.points) {
      begin("C", 0, 0);
      out += ",\"name\":";
      quote(out, c.name);
      out += ",\"ts\":";
      micros(out, origin + time);
      out += concat(",\"args\":{\"value\":", std::to_string(value), "}}");
    }
  }
  out += "\n]}\n";
  return out;
}

namespace {

/// How a server records the ends of transfers, so that a reader finds them again.
class TransferLabels {
 public:
  explicit TransferLabels(const Trace& trace) : trace_(trace) {
    for (const TraceTransfer& t : trace.transfers)
      for (const int32_t slice : {t.send, t.ask, t.receive})
        if (slice >= 0) transfers_.emplace(slice, &t);
  }

  void apply(int32_t slice, tensorflow::NodeExecStats* stats, std::string* device) const {
    const auto it = transfers_.find(slice);
    if (it == transfers_.end()) return;
    const TraceTransfer& t = *it->second;
    const std::string& op = trace_.opOf(trace_.slices[size_t(slice)]);
    if (op == "RecvTensor") {
      stats->set_node_name(op);
      stats->set_timeline_label(concat("[", std::max<int64_t>(0, t.bytes), "B] [0Mb/s] ", t.tensor, " from ", t.from, " to ", t.to));
    } else if (slice == t.ask && slice != t.receive) {  // it ends when the tensor is asked for
      stats->set_node_name(concat(stats->node_name(), ":", op));
      stats->set_timeline_label(concat("id=0,device=", *device, ",async=true"));
      *device = concat(clusterTaskOf(*device), "/host:CPU");
    } else if (slice == t.send || slice == t.ask) {
      stats->set_timeline_label(concat(stats->node_name(), " = ", op, "(", t.tensor, " @", slice == t.send ? t.to : t.from, ")"));
    }
  }

 private:
  const Trace& trace_;
  std::unordered_map<int32_t, const TraceTransfer*> transfers_;
};

}  // namespace

std::string toRunMetadata(const Trace& trace, int step) {
  tensorflow::RunMetadata meta;
  const TransferLabels transfers(trace);
  std::map<std::string, tensorflow::DeviceStepStats*> devices;
  std::vector<tensorflow::NodeExecStats*> stats(trace.slices.size(), nullptr);
  const int64_t origin = trace.startUnixUs * 1000;
  for (size_t i = 0; i < trace.slices.size(); ++i) {
    const TraceSlice& s = trace.slices[i];
    if (step >= 0 && s.step != step) continue;
    const TraceTrack& t = trace.tracks[size_t(s.track)];
    tensorflow::NodeExecStats node;
    auto* n = &node;
    const std::string& name = trace.nameOf(s);
    const int64_t start = origin + s.startNs;
    n->set_node_name(name);
    n->set_all_start_micros(start / 1000);
    n->set_op_end_rel_micros((s.durationNs + 999) / 1000);
    n->set_all_end_rel_micros((s.durationNs + 999) / 1000);
    n->set_all_start_nanos(start);
    n->set_op_end_rel_nanos(s.durationNs);
    n->set_all_end_rel_nanos(s.durationNs);
    n->set_scheduled_micros((start - s.waitNs) / 1000);
    n->set_scheduled_nanos(start - s.waitNs);
    n->set_thread_id(uint32_t(s.track));
    std::string label = name + " = " + trace.opOf(s) + "(";
    if (const TraceNode* node = trace.node(name)) {
      for (size_t k = 0; k < node->inputs.size(); ++k) label += (k ? ", " : "") + node->inputs[k];
    }
    n->set_timeline_label(label + ")");
    std::string on = t.device;
    transfers.apply(int32_t(i), n, &on);
    auto*& device = devices[on];
    if (!device) {
      device = meta.mutable_step_stats()->add_dev_stats();
      device->set_device(on);
    }
    if (!t.name.empty()) (*device->mutable_thread_names())[uint32_t(s.track)] = t.name;
    stats[i] = device->add_node_stats();
    *stats[i] = std::move(node);
  }
  for (const TraceTensor& t : trace.tensors) {
    tensorflow::NodeExecStats* n = stats[size_t(t.slice)];
    if (!n) continue;
    auto* o = n->add_output();
    o->set_slot(t.slot);
    auto* a = o->mutable_tensor_description()->mutable_allocation_description();
    a->set_requested_bytes(t.bytes);
    a->set_allocated_bytes(t.bytes);
    a->set_allocator_name("cpu");
    a->set_ptr(t.buffer);
  }
  return meta.SerializeAsString();
}

}  // namespace weft
