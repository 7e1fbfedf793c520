#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "base/log.h"
#include "proto/config.pb.h"
#include "proto/convert.h"
#include "runtime/executable_plan.h"
#include "runtime/executor.h"
#include "runtime/trace_metadata.h"

namespace weft {

StepRecorder::StepRecorder(StepTrace* trace, std::vector<RunObserver*> observers, const Graph& graph)
    : trace_(trace), observers_(std::move(observers)), graph_(graph), start_(now()) {
  if (!trace_) return;
  const Moment start = Moment::now();
  start_ = start.steadyNs;
  trace_->startUnixUs = start.unixNs / 1000;
}

Moment Moment::now() {
  // A thread may be suspended between the two readings.
  constexpr int kTries = 8;
  constexpr int64_t kClose = 1000;
  Moment best;
  int64_t least = INT64_MAX;
  for (int i = 0; i < kTries && least > kClose; ++i) {
    const int64_t before = StepRecorder::now();
    const int64_t system = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    const int64_t after = StepRecorder::now();
    if (after - before >= least) continue;
    least = after - before;
    best = {before + (after - before) / 2, system};
  }
  return best;
}

int64_t StepRecorder::now() { return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

StepRecorder::Timed* StepRecorder::timedOf(Device& device) {
  if (!trace_ || device.place() == 0) return nullptr;
  const auto [it, fresh] = timed_.try_emplace(&device);
  if (fresh) {
    auto timer = device.timer();
    if (timer.ok()) it->second.timer = std::move(*timer);
    else logMessage(LogLevel::Warning, "this step's trace lacks the work on ", device.name(), ": ", timer.error().message);
  }
  return it->second.timer ? &it->second : nullptr;
}

void StepRecorder::starting(const PlanNode& node) {
  began_ = -1;
  Timed* timed = timedOf(*node.device);
  if (!timed) return;
  if (const auto mark = timed->timer->mark(); mark.ok()) began_ = *mark;
}

void StepRecorder::done(const PlanNode& node, std::string_view frame, int64_t iteration, int64_t startNs, int64_t endNs,
                        std::span<const Tensor* const> outputs) {
  const Node* user = graph_.node(node.origin);
  if (!user) return;
  if (trace_) {
    TraceEvent e;
    e.node = node.origin;
    e.name = node.again || node.isCopy ? node.node->name : user->name;
    e.op = node.node ? node.node->op : user->op;
    e.device = node.device->name();
    e.frame = frame;
    e.iteration = iteration;
    e.startNs = startNs - start_;
    e.endNs = endNs - start_;
    for (const Tensor* t : outputs) {
      if (!t || !t->hasValue()) {
        e.outputs.emplace_back(DType::Invalid, Shape());
        continue;
      }
      e.outputs.emplace_back(t->dtype(), t->shape());
      e.outputBytes += int64_t(t->totalBytes());
    }
    trace_->events.push_back(std::move(e));
    if (Timed* timed = began_ >= 0 ? timedOf(*node.device) : nullptr) {
      if (const auto mark = timed->timer->mark(); mark.ok()) timed->work.push_back({trace_->events.size() - 1, began_, *mark});
    }
  }
  if (node.again) return;  // observers have seen these values
  const OpEvent event{*user, node.device->name(), frame, iteration, 0, startNs - start_, endNs - start_, outputs};
  for (RunObserver* o : observers_) o->opDone(event);
}

void StepRecorder::finish() {
  if (!trace_) return;
  // The same ops once more, on the track of the device's stream, as in TensorFlow's traces.
  for (auto& [device, timed] : timed_) {
    if (!timed.timer || timed.work.empty()) continue;
    const auto moments = timed.timer->moments();
    if (!moments.ok()) continue;  // the step fails with the device's error
    for (const DeviceWork& work : timed.work) {
      TraceEvent e = trace_->events[work.event];
      e.device += "/stream:all";
      e.startNs = std::max<int64_t>(0, (*moments)[size_t(work.begin)] - start_);
      e.endNs = std::max(e.startNs, (*moments)[size_t(work.end)] - start_);
      e.outputs.clear();
      e.outputBytes = 0;
      trace_->events.push_back(std::move(e));
    }
  }
  trace_->durationNs = now() - start_;
}

Result<StepTrace> StepTrace::ofRunMetadata(std::string bytes, const Graph& graph) {
  tensorflow::RunMetadata metadata;
  if (!metadata.ParseFromString(bytes)) return dataLoss("the step's RunMetadata of ", bytes.size(), " bytes cannot be parsed");
  StepTrace trace;
  int64_t first = INT64_MAX, last = 0;
  for (const auto& device : metadata.step_stats().dev_stats())
    for (const auto& node : device.node_stats()) first = std::min<int64_t>(first, node.all_start_micros());
  trace.startUnixUs = first == INT64_MAX ? 0 : first;
  for (const auto& device : metadata.step_stats().dev_stats()) {
    for (const auto& node : device.node_stats()) {
      TraceEvent e;
      e.name = node.node_name();
      e.device = device.device();
      if (const Node* known = graph.find(e.name)) {
        e.node = known->id;
        e.op = known->op;
      } else if (const size_t at = node.timeline_label().find(" = "); at != std::string::npos) {
        e.op = node.timeline_label().substr(at + 3, node.timeline_label().find('(', at) - at - 3);  // "name = Op(inputs)"
      }
      e.thread = int(node.thread_id());
      e.startNs = (node.all_start_micros() - first) * 1000;
      e.endNs = e.startNs + (node.all_end_rel_nanos() > 0 ? node.all_end_rel_nanos() : node.all_end_rel_micros() * 1000);
      last = std::max(last, e.endNs);
      for (const auto& output : node.output()) {
        const auto& described = output.tensor_description();
        const auto shape = shapeFromProto(described.shape());
        e.outputs.emplace_back(static_cast<DType>(int(described.dtype())), shape.ok() ? *shape : Shape());
        e.outputBytes += described.allocation_description().requested_bytes();
      }
      trace.events.push_back(std::move(e));
    }
  }
  std::stable_sort(trace.events.begin(), trace.events.end(), [](const TraceEvent& a, const TraceEvent& b) { return a.startNs < b.startNs; });
  trace.durationNs = last;
  trace.received = std::move(bytes);
  return trace;
}

namespace {

/// `TENSOR @OTHER_DEVICE` for a send or receive; else empty.
std::string edgeText(const TraceEvent& e, const Graph* part) {
  const bool sends = e.op == "_Send" || e.op == "_HostSend";
  if (!part || (!sends && e.op != "_Recv" && e.op != "_HostRecv")) return {};
  const Node* node = part->find(e.name);
  return node ? concat(node->attrs.text("tensor_name"), " @", node->attrs.text(sends ? "recv_device" : "send_device")) : std::string();
}

std::string metadataOf(const StepTrace& trace, const Graph* part) {
  const int64_t startUnixUs = trace.startUnixUs;
  tensorflow::RunMetadata out;
  std::map<std::string, tensorflow::DeviceStepStats*> devices;
  for (const TraceEvent& e : trace.events) {
    auto*& device = devices[e.device];
    if (!device) {
      device = out.mutable_step_stats()->add_dev_stats();
      device->set_device(e.device);
    }
    auto* n = device->add_node_stats();
    // Kernels of a stream are called `node:Op`.
    n->set_node_name(e.device.ends_with("/stream:all") ? concat(e.name, ":", e.op) : e.name);
    n->set_all_start_micros(startUnixUs + e.startNs / 1000);
    n->set_op_start_rel_micros(0);
    n->set_op_end_rel_micros((e.endNs - e.startNs) / 1000);
    n->set_all_end_rel_micros((e.endNs - e.startNs) / 1000);
    n->set_all_start_nanos(startUnixUs * 1000 + e.startNs);
    n->set_op_end_rel_nanos(e.endNs - e.startNs);
    n->set_all_end_rel_nanos(e.endNs - e.startNs);
    n->set_timeline_label(concat(e.name, " = ", e.op, "(", edgeText(e, part), ")"));
    n->set_thread_id(uint32_t(e.thread));
    for (size_t k = 0; k < e.outputs.size(); ++k) {
      if (e.outputs[k].first == DType::Invalid) continue;
      auto* o = n->add_output();
      o->set_slot(int(k));
      auto* d = o->mutable_tensor_description();
      d->set_dtype(static_cast<tensorflow::DataType>(int(e.outputs[k].first)));
      for (int64_t dim : e.outputs[k].second.dims()) d->mutable_shape()->add_dim()->set_size(dim);
      const int64_t bytes = e.outputs[k].second.elements() * int64_t(sizeOf(e.outputs[k].first));
      d->mutable_allocation_description()->set_requested_bytes(bytes);
      d->mutable_allocation_description()->set_allocated_bytes(bytes);
      d->mutable_allocation_description()->set_allocator_name("cpu");
    }
  }
  return out.SerializeAsString();
}

}  // namespace

std::string StepTrace::toRunMetadata() const { return received.empty() ? metadataOf(*this, nullptr) : received; }

std::string partMetadata(const StepTrace& trace, const Graph& part) { return metadataOf(trace, &part); }

std::string StepTrace::toChromeJson() const {
  nlohmann::json list = nlohmann::json::array();
  std::map<std::string, int> pids;
  for (const TraceEvent& e : events) {
    const auto [it, made] = pids.try_emplace(e.device, int(pids.size()));
    if (made) {
      list.push_back({{"ph", "M"}, {"pid", it->second}, {"tid", 0}, {"name", "process_name"}, {"args", {{"name", e.device + " Compute"}}}});
    }
    nlohmann::json args = {{"name", e.name}, {"op", e.op}, {"bytes", e.outputBytes}};
    if (!e.frame.empty()) {
      args["frame"] = e.frame;
      args["iteration"] = e.iteration;
    }
    list.push_back({{"ph", "X"},
                    {"cat", "Op"},
                    {"name", e.op},
                    {"pid", it->second},
                    {"tid", e.thread},
                    {"ts", double(e.startNs) / 1000},
                    {"dur", double(e.endNs - e.startNs) / 1000},
                    {"args", std::move(args)}});
  }
  return nlohmann::json{{"traceEvents", std::move(list)}}.dump();
}

}  // namespace weft
