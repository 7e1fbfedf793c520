#include "cluster/stepped_step.h"

#include <chrono>
#include <deque>
#include <map>
#include <optional>

#include "cluster/debug_service.h"
#include "cluster/messages.h"
#include "cluster/proto/debug.pb.h"
#include "cluster/request_ids.h"
#include "proto/tensor_bytes.h"
#include "weft/cond_var.h"
#include "weft/mutex.h"

namespace weft::cluster {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kNewsLook = std::chrono::milliseconds(10);
constexpr int64_t kValueMs = 60000;                         // for a value, which may be large
constexpr auto kPatience = std::chrono::milliseconds(200);  // with an op that may wait for ops of other tasks, such as a Dequeue

/// What the calls of a step bring. Shared with the threads that read answers.
struct Inbox {
  Mutex mutex;
  CondVar came;
  std::deque<std::pair<size_t, Result<rpc::Bytes>>> events WEFT_GUARDED_BY(mutex);  ///< Of tasks, by number.
  std::optional<Result<rpc::Bytes>> result WEFT_GUARDED_BY(mutex);                  ///< Of the step.
};

std::vector<LoopPlace> loopsOf(const google::protobuf::RepeatedPtrField<pb::StepLoop>& loops) {
  std::vector<LoopPlace> out;
  for (const pb::StepLoop& loop : loops) out.push_back({loop.frame(), loop.iteration()});
  return out;
}

/// A task's part of the step.
struct Part {
  enum class State { Runs, Began, Before, After, Waits, Ended, NotStepped };
  std::string task;
  State state = State::Runs;
  pb::PartEvent event;
  std::function<void()> cancel;  ///< Of the call for the next event.
};

/// The client's side of a step. Used by one thread, except for the inbox.
class SteppedStep {
 public:
  SteppedStep(SteppedRequest request, StepController& controller)
      : request_(std::move(request)), controller_(controller), number_(newRequestId()), inbox_(std::make_shared<Inbox>()) {}
  Result<rpc::Bytes> run();

 private:
  class Point;
  friend class Point;

  void start();
  Status findTasks();
  Status begin();
  Status walk();
  Status visit(size_t number);
  bool settled() const;
  /// Waits for the next event, for a while. False: the step has ended.
  bool take();
  void takeEvent(size_t number, Result<rpc::Bytes> answer);
  void next(size_t number, bool end = false);
  Result<pb::PartResponse> ask(const std::string& task, pb::PartRequest request) const;
  /// A value from the first task that has it, `first` before the others.
  Result<pb::PartResponse> askAll(const std::string& first, const pb::PartRequest& request) const;
  bool isOver() const;
  /// `timeoutMs` 0: none, but the end of the step ends the call.
  Result<rpc::Bytes> call(const char* method, rpc::Bytes message, int64_t timeoutMs = 0) const;

  const SteppedRequest request_;
  StepController& controller_;
  const int64_t number_;
  const std::shared_ptr<Inbox> inbox_;
  std::function<void()> cancelStep_;
  int64_t step_ = 0;
  std::vector<Part> parts_;
  int64_t index_ = 0;
  Clock::time_point lastNews_ = Clock::now();
};

/// An op of a task. Its node is the client's.
class SteppedStep::Point final : public StepPoint {
 public:
  Point(const SteppedStep& step, const Part& part, const Node& node) : step_(step), part_(part), node_(node), loops_(loopsOf(part.event.loops())) {}
  const Graph& graph() const override { return *step_.request_.graph; }
  const Node& node() const override { return node_; }
  int64_t index() const override { return step_.index_; }
  const std::vector<LoopPlace>& loops() const override { return loops_; }
  std::string task() const override { return part_.task; }

  Result<Tensor> input(int i) const override { return numbered(pb::PartRequest::INPUT, i); }
  Result<Tensor> output(int k) const override {
    if (k >= 0 && k < part_.event.outputs_size() && !isRef(node_.outputTypes[size_t(k)])) return valueOf(part_.event.outputs(k));
    return numbered(pb::PartRequest::OUTPUT, k);
  }
  Result<Tensor> tensor(Output o) const override {
    pb::PartRequest request;
    request.set_kind(pb::PartRequest::TENSOR);
    request.set_name(graph().tensorName(o));
    return valueOf(step_.askAll(part_.task, request));
  }
  Status setTensor(Output o, const Tensor& value) override {
    pb::PartRequest request;
    request.set_kind(pb::PartRequest::SET_TENSOR);
    request.set_name(graph().tensorName(o));
    const DType type = baseType(graph().dtype(o));
    if (value.dtype() != type) return invalidArgument("Tensor ", request.name(), " is ", dtypeName(type), ", not ", dtypeName(value.dtype()));
    WEFT_LET(*request.mutable_value(), tensorToBytes(value));
    return step_.askAll(part_.task, request).status();
  }
  Result<Tensor> variable(const std::string& name) const override {
    {
      const MutexLock lock(mutex_);
      if (const auto it = known_.find(name); it != known_.end()) return it->second;
    }
    pb::PartRequest request;
    request.set_kind(pb::PartRequest::VARIABLE);
    request.set_name(name);
    WEFT_LET(Tensor value, valueOf(step_.askAll(part_.task, request)));
    const MutexLock lock(mutex_);
    return known_[name] = std::move(value);
  }
  Status setVariable(const std::string& name, const Tensor& value) override {
    pb::PartRequest request;
    request.set_kind(pb::PartRequest::SET_VARIABLE);
    request.set_name(name);
    const Node* node = graph().find(name);
    request.set_is_reference(!node || node->outputTypes.empty() || node->outputTypes[0] != DType::Resource);
    WEFT_LET(*request.mutable_value(), tensorToBytes(value));
    WEFT_TRY(step_.askAll(part_.task, request).status());
    const MutexLock lock(mutex_);
    known_[name] = value;
    return {};
  }
  std::vector<int> ready() const override {
    std::vector<int> out;
    const auto add = [&](const std::string& name) {
      const Node* node = graph().find(name);
      if (node && node != &node_) out.push_back(node->id);
    };
    for (const Part& part : step_.parts_) {
      if (part.state != Part::State::Before) continue;
      add(part.event.node());
      for (const std::string& name : part.event.nodes()) add(name);
    }
    return out;
  }
  std::string cannotRestart() const override { return "the step runs on " + step_.request_.target; }

 private:
  static Result<Tensor> valueOf(const std::string& bytes) { return bytes.empty() ? Result<Tensor>(Tensor()) : tensorFromBytes(bytes); }
  static Result<Tensor> valueOf(Result<pb::PartResponse> response) {
    if (!response.ok()) return std::move(response.error());
    return valueOf(response->value());
  }
  Result<Tensor> numbered(pb::PartRequest::Kind kind, int number) const {
    pb::PartRequest request;
    request.set_kind(kind);
    request.set_number(number);
    return valueOf(step_.ask(part_.task, std::move(request)));
  }

  const SteppedStep& step_;
  const Part& part_;
  const Node& node_;
  const std::vector<LoopPlace> loops_;
  mutable Mutex mutex_;
  mutable std::map<std::string, Tensor> known_ WEFT_GUARDED_BY(mutex_);  ///< Variables that were read: views ask for them often.
};

bool SteppedStep::isOver() const {
  const MutexLock lock(inbox_->mutex);
  return inbox_->result.has_value();
}

Result<rpc::Bytes> SteppedStep::call(const char* method, rpc::Bytes message, int64_t timeoutMs) const {
  rpc::CallLimits limits;
  limits.timeoutMs = timeoutMs;
  limits.stopped = [this] { return isOver() || request_.stopped(); };
  return request_.channel->call(method, std::move(message), limits);
}

void SteppedStep::start() {
  pb::RunStepRequest request = request_.step;
  request.set_stepped(number_);
  cancelStep_ = request_.channel->start(kSteppedRunStep, bufferOf(request), 0, [inbox = inbox_](Result<rpc::Bytes> result) {
    const MutexLock lock(inbox->mutex);
    inbox->result = std::move(result);
    inbox->came.notify_all();
  });
}

Status SteppedStep::findTasks() {
  pb::StepTasksRequest request;
  request.set_run(number_);
  WEFT_LET(const rpc::Bytes bytes, call(kSteppedTasks, bufferOf(request)));
  pb::StepTasksResponse response;
  WEFT_TRY(parse(bytes, "StepTasksResponse", &response));
  step_ = response.step();
  for (const std::string& task : response.task()) parts_.push_back({task, Part::State::Runs, {}, {}});
  for (size_t i = 0; i < parts_.size(); ++i) next(i);
  return {};
}

void SteppedStep::next(size_t number, bool end) {
  Part& part = parts_[number];
  pb::PartRequest request;
  request.set_step(step_);
  request.set_seen(part.event.number());
  request.set_end(end);
  pb::TaskPartRequest passed;
  passed.set_run(number_);
  passed.set_task(part.task);
  passed.set_request(request.SerializeAsString());
  part.state = Part::State::Runs;
  lastNews_ = Clock::now();
  part.cancel = request_.channel->start(kTaskPart, bufferOf(passed), 0, [inbox = inbox_, number](Result<rpc::Bytes> answer) {
    const MutexLock lock(inbox->mutex);
    inbox->events.emplace_back(number, std::move(answer));
    inbox->came.notify_all();
  });
}

void SteppedStep::takeEvent(size_t number, Result<rpc::Bytes> answer) {
  Part& part = parts_[number];
  lastNews_ = Clock::now();
  pb::PartResponse response;
  const bool wasKnown = part.event.number() > 0;
  if (!answer.ok() || !parse(*answer, "PartResponse", &response).ok()) {
    // A task that fails says so in the step's result; one of TensorFlow's does not know the call.
    part.state = !answer.ok() && answer.error().code == Code::Unimplemented && !wasKnown ? Part::State::NotStepped : Part::State::Ended;
    return;
  }
  part.event = std::move(*response.mutable_event());
  for (const pb::DeadNode& dead : part.event.dead())
    if (const Node* node = request_.graph->find(dead.node())) controller_.dead(*node, loopsOf(dead.loops()));
  switch (part.event.kind()) {
    case pb::PartEvent::BEGAN: part.state = Part::State::Began; break;
    case pb::PartEvent::BEFORE: part.state = Part::State::Before; break;
    case pb::PartEvent::AFTER: part.state = Part::State::After; break;
    case pb::PartEvent::WAITS:
      next(number);  // the event after it comes with the awaited value
      part.state = Part::State::Waits;
      break;
    default: part.state = Part::State::Ended;
  }
}

bool SteppedStep::take() {
  std::deque<std::pair<size_t, Result<rpc::Bytes>>> events;
  {
    const MutexLock lock(inbox_->mutex);
    if (inbox_->events.empty() && !inbox_->result) inbox_->came.wait_for(inbox_->mutex, kNewsLook);
    events.swap(inbox_->events);
    if (inbox_->result) return false;
  }
  for (auto& [number, answer] : events) takeEvent(number, std::move(answer));
  if (request_.stopped()) cancelStep_();
  return true;
}

Status SteppedStep::begin() {
  const auto begun = [&] {
    for (const Part& part : parts_)
      if (part.state == Part::State::Runs) return false;
    return true;
  };
  while (!begun())
    if (!take()) return cancelledError("The step has ended");
  std::vector<int> nodes;
  for (const Part& part : parts_)
    for (const std::string& name : part.event.nodes())
      if (const Node* node = request_.graph->find(name)) nodes.push_back(node->id);
  controller_.runBegins(*request_.graph, nodes);
  for (const Part& part : parts_)
    if (part.state == Part::State::NotStepped) controller_.notStepped(part.task);
  for (const auto& [tensor, value] : request_.feeds) controller_.fed(tensor, value);
  for (size_t i = 0; i < parts_.size(); ++i)
    if (parts_[i].state == Part::State::Began) next(i);
  return {};
}

/// Whether the next op can be chosen: no task computes, or one has done so for long.
bool SteppedStep::settled() const {
  for (const Part& part : parts_)
    if (part.state == Part::State::Runs) return Clock::now() - lastNews_ > kPatience;
  return true;
}

/// An op of a part that stopped before or after it. Not OK if the controller ends the step.
Status SteppedStep::visit(size_t number) {
  const bool computed = parts_[number].state == Part::State::After;
  const Node* node = request_.graph->find(parts_[number].event.node());
  if (!node) {  // of the master's making
    next(number);
    return {};
  }
  Point point(*this, parts_[number], *node);
  StepVerdict verdict = StepVerdict::Go;
  if (computed) {
    const int code = parts_[number].event.status_code();
    verdict =
        controller_.after(point, code == 0 ? Status() : Status(Error{codeOf(code), parts_[number].event.status_message(), {}, {}, {}}.atNode(node->name)));
    ++index_;
  } else {
    verdict = controller_.before(point);
  }
  next(number, verdict == StepVerdict::End);
  if (verdict != StepVerdict::End) return {};
  return cancelledError("The run was ended by its debugger.").atNode(node->name);
}

/// Computes ops until the step has ended: the smallest number first among the ops at which tasks are stopped, and the one that is being computed before others.
Status SteppedStep::walk() {
  while (take()) {
    while (settled()) {
      size_t best = parts_.size();
      int bestNode = 0;
      for (size_t i = 0; i < parts_.size(); ++i) {
        if (parts_[i].state != Part::State::Before && parts_[i].state != Part::State::After) continue;
        const Node* node = request_.graph->find(parts_[i].event.node());
        const int id = parts_[i].state == Part::State::After || !node ? -1 : node->id;
        if (best == parts_.size() || id < bestNode) {
          best = i;
          bestNode = id;
        }
      }
      if (best == parts_.size()) break;
      WEFT_TRY(visit(best));
    }
  }
  return {};
}

Result<pb::PartResponse> SteppedStep::ask(const std::string& task, pb::PartRequest request) const {
  request.set_step(step_);
  pb::TaskPartRequest passed;
  passed.set_run(number_);
  passed.set_task(task);
  passed.set_request(request.SerializeAsString());
  WEFT_LET(const rpc::Bytes bytes, call(kTaskPart, bufferOf(passed), kValueMs));
  pb::PartResponse response;
  WEFT_TRY(parse(bytes, "PartResponse", &response));
  return response;
}

Result<pb::PartResponse> SteppedStep::askAll(const std::string& first, const pb::PartRequest& request) const {
  auto found = ask(first, request);
  std::string others;  // whose values are out of reach
  for (const Part& part : parts_) {
    if (found.ok() || found.error().code != Code::NotFound) break;
    if (part.state == Part::State::NotStepped) others += (others.empty() ? "" : ", ") + part.task;
    if (part.task == first || part.state == Part::State::NotStepped) continue;
    auto other = ask(part.task, request);
    // A task that is not stopped at an op cannot be asked for tensors, which then count as not available.
    if (other.ok() || other.error().code != Code::NotFound) found = std::move(other);
  }
  if (!found.ok() && found.error().code == Code::NotFound && !others.empty()) found.error().message += ". Values on " + others + " cannot be read.";
  return found;
}

Result<rpc::Bytes> SteppedStep::run() {
  start();
  Status status = findTasks();
  if (status.ok()) status = begin();
  const bool begun = status.ok();
  if (status.ok()) status = walk();
  if (!status.ok() && begun) cancelStep_();  // ended by the controller
  for (const Part& part : parts_)
    if (part.cancel) part.cancel();
  Result<rpc::Bytes> result = cancelledError("The step has ended");
  {
    const MutexLock lock(inbox_->mutex);
    while (!inbox_->result) {
      inbox_->came.wait_for(inbox_->mutex, kNewsLook);
      if (!inbox_->result && request_.stopped()) break;
    }
    if (inbox_->result) result = std::move(*inbox_->result);
  }
  cancelStep_();
  if (begun && !status.ok()) result = status.error();
  if (begun) {
    Status ended = result.status();
    if (pb::RunStepResponse response; ended.ok() && parse(*result, "RunStepResponse", &response).ok() && response.status_code() != 0)
      ended = Error{codeOf(response.status_code()), response.status_error_message(), {}, {}, {}};
    controller_.runEnds(ended);
  }
  return result;
}

Error runsWholeSteps(const std::string& target) {
  return unimplemented("The server at ", target,
                       " runs steps as a whole, so their ops cannot be stepped through. Weft's servers can do that, TensorFlow's cannot.");
}

}  // namespace

Result<rpc::Bytes> runStepped(SteppedRequest request, StepController& controller) {
  const std::string target = request.target;
  auto result = SteppedStep(std::move(request), controller).run();
  if (!result.ok() && result.error().code == Code::Unimplemented) return runsWholeSteps(target);
  return result;
}

Status canStepOn(const std::string& target, const CancellationToken& cancellation) {
  rpc::CallLimits limits;
  limits.stopped = [cancellation] { return cancellation.cancelled(); };
  const Status status = rpc::Channel::to(target.substr(std::string_view("grpc://").size()))->call(kCanStep, {}, limits).status();
  return status.code() == Code::Unimplemented ? Status(runsWholeSteps(target)) : status;
}

}  // namespace weft::cluster
