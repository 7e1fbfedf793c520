#include "runtime/stepping_run.h"

#include <algorithm>

namespace weft::dataflow {
namespace {

/// Heap order: std::*_heap keeps the greatest element in front, which is the next to run.
struct RunsLater {
  const Structure& structure;
  template <typename Ready>
  bool operator()(const Ready& a, const Ready& b) const {
    const bool aTransfers = structure.nodes[size_t(a.node)].transfers, bTransfers = structure.nodes[size_t(b.node)].transfers;
    if (aTransfers != bTransfers) return bTransfers;  // other tasks wait for them, or they ask other tasks
    if (a.dead != b.dead) return b.dead;
    return a.node > b.node;
  }
};

}  // namespace

Status SteppingRun::runUnder(StepController& controller, std::span<const Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) {
  controller_ = &controller;
  snapshot_.emplace(state.session);
  std::vector<int> nodes;
  for (size_t id = 0; id < names_.planOf.size(); ++id) {
    if (names_.planOf[id] >= 0) nodes.push_back(int(id));
  }
  Status status;
  do {
    verdict_ = StepVerdict::Go;
    heap_.clear();
    index_ = 0;
    controller.runBegins(*names_.graph, nodes);
    for (size_t i = 0; i < feeds.size(); ++i) controller.fed(names_.feeds[i], feeds[i]);
    fetched.clear();
    status = execute(feeds, fetched, state);
    if (verdict_ != StepVerdict::Restart) break;
    state.step.clear();
    snapshot_->restore();
  } while (true);
  heap_.clear();
  snapshot_.reset();
  controller.runEnds(status);
  return status;
}

void SteppingRun::sortIn() {
  for (const Ready& r : ready_) {
    heap_.push_back(r);
    std::push_heap(heap_.begin(), heap_.end(), RunsLater{s_});
  }
  ready_.clear();
}

bool SteppingRun::follow(StepVerdict verdict) {
  if (verdict == StepVerdict::Restart && !snapshot_->irreversible().empty()) verdict = StepVerdict::Go;
  verdict_ = verdict;
  return verdict == StepVerdict::Go;
}

Status SteppingRun::runQueue() {
  sortIn();
  while (true) {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), RunsLater{s_});
      const Ready r = heap_.back();
      heap_.pop_back();
      if (state_->stopped() || state_->deadlineNs) WEFT_TRY(state_->check());
      const DataNode& d = s_.nodes[size_t(r.node)];
      if (d.waits && d.transfers) {
        bind(r);
        WEFT_TRY(startWait(r));  // ends in finishWaits()
      } else {
        WEFT_TRY(step(r));
        finishNode(r.iteration);
      }
      WEFT_TRY(takeArrived());
      sortIn();
    }
    if (!hasWaits()) return {};
    controller_->waits();
    WEFT_TRY(sleep());
    sortIn();
  }
}

/// Keeps the queues, iterators and similar resources that this op may change. False if one of them cannot be restored, or the op has none.
bool SteppingRun::keepObjects() {
  const Node& node = *node_->plan->node;
  bool any = false;
  for (size_t i = 0; i < node_->inputs.size(); ++i) {
    if (isRef(node.inputTypes[i])) {
      // A v1 reference holds [container, name]; the resource lives as long as the session.
      const auto* key = ref(int(i));
      if (!key || !*key || (*key)->dtype != DType::String) continue;
      Tensor names;
      {
        const MutexLock lock((*key)->mutex);
        names = (*key)->value;
      }
      if (!names.hasValue() || names.elements() != 2) continue;
      bool all = true;
      state_->session.forEach([&](const std::string& container, const std::string& name, SessionResource& resource) {
        if (container != names.data<std::string>()[0] || name != names.data<std::string>()[1] || dynamic_cast<Variable*>(&resource)) return;
        all &= snapshot_->keep(resource, nullptr);
        any = true;
      });
      if (!all) return false;
    } else if (node.inputTypes[i] == DType::Resource) {
      const Result<Tensor> handle = inputNow(int(i));
      if (!handle.ok() || handle->dtype() != DType::Resource || handle->elements() < 1) return false;
      const auto& resource = handle->data<ResourceHandle>()->resource;
      if (!resource || !snapshot_->keep(*resource, resource)) return false;
      any = true;
    }
  }
  return any;
}

/// Copies the variables that this op may write.
Status SteppingRun::keepVariables() {
  const Node& node = *node_->plan->node;
  if (changesSession(node) && !keepObjects()) snapshot_->noteIrreversible(node);
  for (size_t i = 0; i < node_->inputs.size(); ++i) {
    if (isRef(node.inputTypes[i])) {
      if (const auto* variable = ref(int(i)); variable && *variable) WEFT_TRY(snapshot_->keep(*variable));
    } else if (node.inputTypes[i] == DType::Resource && any(effectsOf(node) & ~Effect::Reads)) {
      const Result<Tensor> handle = inputNow(int(i));
      if (!handle.ok() || handle->dtype() != DType::Resource || handle->elements() < 1) continue;
      auto variable = std::dynamic_pointer_cast<Variable>(handle->data<ResourceHandle>()->resource);
      if (variable) WEFT_TRY(snapshot_->keep(variable));
    }
  }
  return {};
}

Status SteppingRun::computeNow(const Ready& r) {
  if (changesPlace(node_->role)) {
    WEFT_LET(Tensor value, inputNow(0));
    moved_.push_back(std::move(value));
    move(r);
    return {};
  }
  WEFT_TRY(keepVariables());
  return computeOutputs(r);
}

Status SteppingRun::step(const Ready& r) {
  bind(r);
  const PlanNode& plan = *node_->plan;
  // Feeds, copies between devices and transfers between tasks are not ops of the user's graph.
  const bool asks = plan.node && plan.node->id == plan.origin && !node_->transfers;
  if (asks) {
    user_ = names_.graph->node(plan.origin);
    loops_ = loops();
  }
  if (!asks || r.dead) {
    if (changesPlace(node_->role)) {
      move(r);
    } else {
      WEFT_TRY(computeOutputs(r));
      propagateOutputs(r);
    }
    if (asks) controller_->dead(*user_, loops_);
    return {};
  }
  taken_.clear();
  moved_.clear();
  computed_ = false;
  // Time spent in the controller does not count against the run's time limit.
  const auto ask = [&](auto&& controller) {
    const int64_t begin = state_->deadlineNs ? StepRecorder::now() : 0;
    const StepVerdict verdict = controller();
    if (begin) state_->deadlineNs += StepRecorder::now() - begin;
    return follow(verdict);
  };
  if (!ask([&] { return controller_->before(point_); })) return cancelledError("The run was ended by its debugger.").atNode(user_->name);
  for (size_t i = 0; i < node_->inputs.size(); ++i) {
    Result<Tensor> value = inputNow(int(i));
    taken_.push_back(value.ok() ? std::move(*value) : Tensor());
  }
  const DataNode& node = *node_;
  Iteration* const it = iteration_;
  const Status status = computeNow(r);
  node_ = &node;
  iteration_ = it;
  computed_ = true;
  const bool goesOn = ask([&] { return controller_->after(point_, status); });
  if (!status.ok()) return status;
  if (!goesOn) return cancelledError("The run was ended by its debugger.").atNode(user_->name);
  ++index_;
  if (!changesPlace(node.role)) propagateOutputs(r);
  taken_.clear();
  return {};
}

}  // namespace weft::dataflow
