#include "runtime/dataflow_run.h"

// Asynchronous kernels: the run starts them, runs other nodes, and sleeps when nothing else is ready.
namespace weft::dataflow {

Status DataflowRun::startWait(const Ready& r) {
  const DataNode& d = *node_;
  WEFT_TRY(gatherInputs(d, r.iteration));
  if (!mailbox_) mailbox_ = std::make_shared<Mailbox>();
  const int64_t number = nextWait_++;
  Wait& wait = waits_[number];
  wait.ready = r;
  if (state_->recorder) wait.start = StepRecorder::now();
  wait.cancel = startKernel(*d.waits, context_, Mailbox::slot(mailbox_, number));
  dropReads(d);
  return {};
}

/// Hands on the results that have arrived. Returns the first error.
Status DataflowRun::finishWaits(std::vector<Mailbox::Letter> letters) {
  Status first;
  for (Mailbox::Letter& letter : letters) {
    const auto it = waits_.find(letter.number);
    const Wait wait = std::move(it->second);
    waits_.erase(it);
    if (!first.ok()) continue;
    bind(wait.ready);
    const DataNode& d = *node_;
    if (!letter.outputs.ok()) {
      first = letter.outputs.error().atNode(d.plan->node->name);
      continue;
    }
    for (size_t k = 0; k < letter.outputs->size(); ++k) {
      Tensor& value = (*letter.outputs)[k];
      if (value.hasValue()) set(int(k), std::move(value));
      else setDead(int(k));
    }
    if (state_->recorder) record(d, iteration_, wait.start);
    if (state_->watch && d.watched) first = look();
    if (!first.ok()) continue;
    propagateOutputs(wait.ready);
    finishNode(wait.ready.iteration);
  }
  return first;
}

/// Waits for a result. A sleeping run does not count as computing.
Status DataflowRun::sleep() {
  if (state_->activeRuns) state_->activeRuns->fetch_sub(1, std::memory_order_relaxed);
  std::vector<Mailbox::Letter> letters = mailbox_->take();
  Status end;
  while (letters.empty() && end.ok()) {
    letters = mailbox_->take(kWakeMs);
    if (letters.empty()) end = state_->check();
  }
  if (state_->activeRuns) state_->activeRuns->fetch_add(1, std::memory_order_relaxed);
  if (end.ok()) return finishWaits(std::move(letters));
  if (end.code() == Code::Cancelled) {
    // The waiting kernel's own message is the clearest one: "Dequeue operation was cancelled".
    for (auto& [number, wait] : waits_) {
      if (wait.cancel) wait.cancel();
    }
    WEFT_TRY(finishWaits(mailbox_->take(kWakeMs)));
  }
  return end;
}

/// Cancels all waits: the run has ended, and no kernel may write to it later.
void DataflowRun::cancelWaits() {
  for (auto& [number, wait] : waits_) {
    if (wait.cancel) wait.cancel();
  }
  while (!waits_.empty()) {
    for (const Mailbox::Letter& letter : mailbox_->take(kWakeMs)) waits_.erase(letter.number);
  }
}

}  // namespace weft::dataflow
