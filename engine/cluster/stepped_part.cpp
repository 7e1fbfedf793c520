#include "cluster/stepped_part.h"

#include <algorithm>
#include <chrono>

#include "proto/tensor_bytes.h"
#include "weft/op_traits.h"

namespace weft::cluster {
namespace {

constexpr auto kPartLook = std::chrono::milliseconds(10);  // how often a stopped part looks whether it was cancelled

void addLoops(const std::vector<LoopPlace>& loops, google::protobuf::RepeatedPtrField<pb::StepLoop>* out) {
  for (const LoopPlace& loop : loops) {
    pb::StepLoop* added = out->Add();
    added->set_frame(loop.frame);
    added->set_iteration(loop.iteration);
  }
}

pb::PartEvent eventAt(pb::PartEvent::Kind kind, const StepPoint& point) {
  pb::PartEvent event;
  event.set_kind(kind);
  event.set_node(point.node().name);
  addLoops(point.loops(), event.mutable_loops());
  return event;
}

bool sends(const Node& node) { return roleOf(node) == OpRole::Send; }

}  // namespace

void SteppedPart::publish(pb::PartEvent event) {
  google::protobuf::RepeatedPtrField<pb::DeadNode> dead;
  if (!taken_) dead.Swap(event_.mutable_dead());  // of an event that was never sent: the part did not stop there
  dead.MergeFrom(dead_);
  dead_.Clear();
  event.mutable_dead()->Swap(&dead);
  event.set_number(event_.number() + 1);
  event_ = std::move(event);
  taken_ = go_ = false;
  changed_.notify_all();
}

StepVerdict SteppedPart::stop(StepPoint* point, bool computed, pb::PartEvent event) {
  const MutexLock lock(mutex_);
  publish(std::move(event));
  point_ = point;
  computed_ = computed;
  while (!go_ && !end_ && !cancellation_.cancelled()) changed_.wait_for(mutex_, kPartLook);
  point_ = nullptr;
  return end_ || cancellation_.cancelled() ? StepVerdict::End : StepVerdict::Go;
}

void SteppedPart::runBegins(const Graph& graph, std::span<const int> nodes) {
  pb::PartEvent event;
  event.set_kind(pb::PartEvent::BEGAN);
  for (const int id : nodes) event.add_nodes(graph.node(id)->name);
  stop(nullptr, false, std::move(event));
}

StepVerdict SteppedPart::before(StepPoint& point) {
  pb::PartEvent event = eventAt(pb::PartEvent::BEFORE, point);
  for (const int id : point.ready()) event.add_nodes(point.graph().node(id)->name);
  return stop(&point, false, std::move(event));
}

StepVerdict SteppedPart::after(StepPoint& point, const Status& status) {
  pb::PartEvent event = eventAt(pb::PartEvent::AFTER, point);
  const Node& node = point.node();
  for (size_t k = 0; status.ok() && k < node.outputTypes.size(); ++k) {
    std::string* bytes = event.add_outputs();
    if (isRef(node.outputTypes[k])) continue;
    const auto value = point.output(int(k));
    if (!value.ok() || !value->hasValue()) continue;
    if (auto encoded = tensorToBytes(*value); encoded.ok()) *bytes = std::move(*encoded);
  }
  event.set_status_code(int(status.code()));
  if (!status.ok()) event.set_status_message(status.error().message);
  return stop(&point, true, std::move(event));
}

void SteppedPart::dead(const Node& node, const std::vector<LoopPlace>& loops) {
  const MutexLock lock(mutex_);
  pb::DeadNode* dead = dead_.Add();
  dead->set_node(node.name);
  addLoops(loops, dead->mutable_loops());
}

void SteppedPart::waits() {
  pb::PartEvent event;
  event.set_kind(pb::PartEvent::WAITS);
  const MutexLock lock(mutex_);
  publish(std::move(event));
}

void SteppedPart::ended(const Status& status) {
  pb::PartEvent event;
  event.set_kind(pb::PartEvent::ENDED);
  event.set_status_code(int(status.code()));
  if (!status.ok()) event.set_status_message(status.error().message);
  const MutexLock lock(mutex_);
  if (event_.kind() != pb::PartEvent::ENDED) publish(std::move(event));
}

Result<pb::PartEvent> SteppedPart::next(const pb::PartRequest& request, const CancellationToken& cancellation) {
  const MutexLock lock(mutex_);
  end_ |= request.end();
  if (request.seen() == event_.number()) go_ = true;
  changed_.notify_all();
  while (event_.number() <= request.seen()) {
    if (cancellation.cancelled()) return cancelledError("Nobody waits for the step's next op any more");
    if (event_.kind() == pb::PartEvent::ENDED) return failedPrecondition("The part has ended");
    changed_.wait_for(mutex_, kPartLook);
  }
  taken_ = true;
  return event_;
}

Result<Tensor> SteppedPart::read(const pb::PartRequest& request) {
  const MutexLock lock(mutex_);
  if (!point_) return failedPrecondition("The task is not stopped at an op");
  switch (request.kind()) {
    case pb::PartRequest::INPUT: return point_->input(request.number());
    case pb::PartRequest::OUTPUT: return point_->output(request.number());
    default: break;
  }
  WEFT_LET(const Output output, point_->graph().findOutput(request.name()));
  return point_->tensor(output);
}

Status SteppedPart::setTensor(const std::string& name, const Tensor& value) {
  const MutexLock lock(mutex_);
  if (!point_)
    return failedPrecondition(name, " cannot be changed while its task is not stopped at an op. Change it before or right after its op is computed.");
  const Graph& graph = point_->graph();
  const auto output = graph.findOutput(name);
  if (!output.ok()) return notFound(name, " is not computed by this task");
  WEFT_TRY(point_->tensor(*output).status());
  // What was sent is out of reach. Right after the op, nothing has been sent yet.
  const bool fresh = computed_ && point_->node().id == output->node;
  for (int id = 0; !fresh && id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    if (node && sends(*node) && node->inputs.size() == 1 && node->inputs[0] == *output)
      return failedPrecondition(name, " has been sent to another task or to the client. Change it before or right after its op is computed.");
  }
  return point_->setTensor(*output, value);
}

Result<pb::PartResponse> SteppedPart::answer(const pb::PartRequest& request, const CancellationToken& cancellation) {
  pb::PartResponse response;
  switch (request.kind()) {
    case pb::PartRequest::NEXT: {
      WEFT_LET(*response.mutable_event(), next(request, cancellation));
      return response;
    }
    case pb::PartRequest::SET_TENSOR:
    case pb::PartRequest::SET_VARIABLE: {
      WEFT_LET(const Tensor value, tensorFromBytes(request.value()));
      WEFT_TRY(request.kind() == pb::PartRequest::SET_TENSOR ? setTensor(request.name(), value)
                                                             : session_->setVariable(request.name(), value, request.is_reference()));
      return response;
    }
    default: break;
  }
  WEFT_LET(const Tensor value, request.kind() == pb::PartRequest::VARIABLE ? session_->variable(request.name()) : read(request));
  if (value.hasValue()) {
    WEFT_LET(*response.mutable_value(), tensorToBytes(value));
  }
  return response;
}

}  // namespace weft::cluster
