#include "profile/metadata_reader.h"

#include <algorithm>
#include <map>

#include "profile/bounds.h"
#include "profile/read_trace.h"

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

/// The device in the label of a host tracer's slice, `id=1,device=/job:ps/replica:0/task:0/device:CPU:0,async=true`; empty: none.
std::string_view hostLabelDevice(std::string_view label) {
  const size_t at = label.find("device=");
  if (!label.starts_with("id=") || at == label.npos) return {};
  label.remove_prefix(at + 7);
  return label.substr(0, label.find(','));
}

}  // namespace

bool MetadataReader::addTransfer(const std::string& device, const tf::NodeExecStats& n, TraceSlice& s) {
  const std::string& label = n.timeline_label();
  const auto slice = int32_t(trace_.slices.size());
  const auto place = [&](const std::string& on, std::string_view name, std::string_view op) {
    s.track = trace_.track(on, "transfers");
    trace_.tracks[size_t(s.track)].transfers = trace_.tracks[size_t(s.track)].parallel = true;
    s.name = trace_.intern(name);
    s.op = trace_.intern(op);
  };
  if (n.node_name() == "RecvTensor") {
    TransferEdge edge = readTransferLabel(label);
    if (edge.tensor.empty() || clusterTaskOf(edge.to).empty()) return false;
    place(edge.to, edge.tensor, "RecvTensor");
    transfers_.onTheWay(slice, std::move(edge));
    return true;
  }
  std::string name = n.node_name(), on = device;
  std::string_view op;
  const bool host = device.ends_with("/host:CPU");
  if (host) {
    const size_t colon = name.rfind(':');
    op = colon == name.npos ? std::string_view() : std::string_view(n.node_name()).substr(colon + 1);
    on = hostLabelDevice(label);
    name.resize(std::min(colon, name.size()));
  } else if (const size_t at = label.find(" = "); at != label.npos) {
    op = std::string_view(label).substr(at + 3);
    op = op.substr(0, op.find('('));
  }
  if ((!isSend(op) && !isReceive(op)) || clusterTaskOf(on).empty()) return false;
  // A feed or fetch of the caller, `_recv_x_0`. Its way on to another task is numbered, `_recv_x_0_S3`.
  const size_t number = name.rfind("_S");
  const bool numbered = number != name.npos && number + 2 < name.size() && name.find_first_not_of("0123456789", number + 2) == name.npos;
  if (!numbered && (name.starts_with("_recv_") || name.starts_with("_send_"))) return false;
  place(on, name, op);
  TransferEdge edge = host ? TransferEdge() : readEdgeLabel(label, on, isSend(op));
  if (isSend(op)) transfers_.sent(slice, name, on, std::move(edge));
  else transfers_.received(slice, name, on, std::move(edge), host);
  return true;
}

void MetadataReader::add(const std::string& device, const tf::NodeExecStats& n, const std::string& thread, int32_t step, bool parallel) {
  const bool stream = contains(device, "/stream:") || contains(device, "/memcpy");
  TraceSlice s;
  s.step = step;
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
  if (!addTransfer(device, n, s)) {
    std::string name = n.node_name();
    Label label = readLabel(n.timeline_label());
    if (stream) {  // `node:Op`, or `edge_12_node` for copies
      const size_t colon = name.rfind(':');
      if (label.op.empty() && colon != std::string::npos) label.op = std::string_view(n.node_name()).substr(colon + 1);
      if (colon != std::string::npos) name.resize(colon);
      if (label.op.empty()) label.op = contains(device, "/memcpy") || name.starts_with("edge_") ? "MemcpyAsync" : "";
    }
    // All tasks of a cluster call their host `/host:CPU`; the label of a slice tells which it was.
    const std::string_view task = device == "/host:CPU" ? clusterTaskOf(hostLabelDevice(n.timeline_label())) : std::string_view();
    s.track = trace_.track(task.empty() ? device : concat(task, device), stream || parallel ? "" : thread.empty() ? concat("thread ", n.thread_id()) : thread);
    trace_.tracks[size_t(s.track)].parallel = parallel;
    s.name = trace_.intern(name);
    s.op = trace_.intern(label.op);
    if (!label.inputs.empty()) {
      TraceNode& node = trace_.nodes[name];
      if (node.inputs.empty()) node.inputs = std::move(label.inputs);
    }
  }
  for (const auto& o : n.output()) {
    const auto& d = o.tensor_description();
    int64_t bytes = d.allocation_description().requested_bytes();
    if (bytes <= 0) bytes = std::max<int64_t>(0, d.allocation_description().allocated_bytes());
    s.bytes = boundedSum(s.bytes, bytes);
    if (bytes > 0) trace_.tensors.push_back({int32_t(trace_.slices.size()), o.slot(), bytes, d.allocation_description().ptr()});
  }
  trace_.slices.push_back(s);
}

void MetadataReader::add(const tf::DeviceStepStats& d, int32_t step) {
  // Several threads may have the same name.
  std::map<std::string, std::vector<uint32_t>> threads;
  for (const auto& [id, name] : d.thread_names()) threads[name].push_back(id);
  std::map<uint32_t, std::string> names;
  for (auto& [name, ids] : threads) {
    std::sort(ids.begin(), ids.end());
    for (size_t i = 0; i < ids.size(); ++i) names[ids[i]] = ids.size() == 1 ? name : concat(name, " ", i + 1);
  }
  // A server reports the ops of a device without their threads.
  const bool parallel = names.empty() && !clusterTaskOf(d.device()).empty() &&
                        std::all_of(d.node_stats().begin(), d.node_stats().end(), [](const tf::NodeExecStats& n) { return n.thread_id() == 0; });
  for (const auto& n : d.node_stats()) {
    const auto it = names.find(n.thread_id());
    add(d.device(), n, it == names.end() ? std::string() : it->second, step, parallel);
  }
}

void MetadataReader::add(const tf::RunMetadata& metadata, int32_t step) {
  for (const auto& graph : metadata.partition_graphs()) {
    for (const auto& node : graph.node()) {
      if (!clusterTaskOf(node.device()).empty()) trace_.nodes[node.name()].device = node.device();
      if (!isSend(node.op()) && !isReceive(node.op())) continue;
      const auto attr = [&](const char* name) {
        const auto it = node.attr().find(name);
        return it == node.attr().end() ? std::string() : it->second.s();
      };
      transfers_.know(node.name(), {attr("tensor_name"), attr("send_device"), attr("recv_device")});
    }
  }
  for (const auto& d : metadata.step_stats().dev_stats()) add(d, step);
}

void MetadataReader::end() {
  markRepeats(trace_);
  if (withoutTime_ > 0 && withoutTime_ == int64_t(trace_.slices.size())) {
    trace_.problems.push_back({TraceProblem::Kind::Skipped, withoutTime_, "no op has a start time; all are drawn at the beginning"});
  }
  transfers_.end();
  correctClocks(trace_);
  if (!trace_.slices.empty()) {
    int64_t first = trace_.slices.front().startNs;
    for (const TraceSlice& s : trace_.slices) first = std::min(first, s.startNs);
    trace_.startUnixUs = first / 1000;
  }
  trace_.finish();
}

}  // namespace weft
