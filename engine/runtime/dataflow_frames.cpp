#include <algorithm>
#include <unordered_set>

#include "runtime/dataflow_run.h"

// Start, filling and end of frames and iterations.
namespace weft::dataflow {

Iteration* DataflowRun::makeIteration(Frame* frame) {
  const FrameInfo& info = s_.frames[frame->id];
  auto& pool = iterationPool_[frame->id];
  std::unique_ptr<Iteration> it;
  if (pool.empty()) {
    it = std::make_unique<Iteration>();
    it->slots.resize(info.slotCount);
    it->refs.resize(info.slotCount);
    it->deadCount.resize(info.nodeCount);
    it->liveInput.resize(info.nodeCount);
    it->done.resize(info.nodeCount);
    it->deadInput.resize(info.nodeCount);
  } else {
    it = std::move(pool.back());
    pool.pop_back();
  }
  it->frame = frame;
  it->outstanding = 0;
  it->uses = info.usesTemplate;
  it->pending = info.pendingTemplate;
  std::fill(it->deadCount.begin(), it->deadCount.end(), 0);
  std::fill(it->liveInput.begin(), it->liveInput.end(), -1);
  std::fill(it->done.begin(), it->done.end(), 0);
  std::fill(it->deadInput.begin(), it->deadInput.end(), 0);
  it->index = ++frame->latest;
  frame->live.push_back(it.get());
  return it.release();
}

void DataflowRun::recycle(Iteration* it) {
  for (Tensor& t : it->slots) {
    if (t.hasValue()) t = Tensor();
  }
  for (auto& r : it->refs) r.reset();
  iterationPool_[it->frame->id].push_back(std::unique_ptr<Iteration>(it));
}

void DataflowRun::startIteration(Frame* frame) {
  Iteration* it = makeIteration(frame);
  frame->deadExits.clear();
  ++it->outstanding;  // keeps settle() from ending it while it is being filled
  for (int enter : frame->arrived) {
    const DataNode& d = s_.nodes[enter];
    const bool dead = frame->invariantState[d.firstSlot] == 2;
    for (const Consumer& c : d.consumers[0]) arrive(c.node, c.input, dead, dead, it);
    for (const Consumer& c : d.controlConsumers) arrive(c.node, -1, dead, dead, it);
  }
  std::vector<Frame::Deferred> waiting;
  waiting.swap(frame->deferred);
  for (Frame::Deferred& w : waiting) {
    const DataNode& d = s_.nodes[w.node];
    it->slots[d.firstSlot] = std::move(w.value);
    it->refs[d.firstSlot] = std::move(w.ref);
    deliver(d, 0, false, it);
    deliverControls(d, false, it);
  }
  --it->outstanding;
}

Frame* DataflowRun::childFrame(int id, Iteration* parent) {
  auto& list = children_[parent];
  for (Frame* f : list) {
    if (f->id == id) return f;
  }
  auto frame = std::make_unique<Frame>();
  Frame* f = frame.get();
  const FrameInfo& info = s_.frames[id];
  f->id = id;
  f->parent = parent->frame;
  f->parentIteration = parent;
  f->enterPending = info.enterCount;
  f->invariants.resize(info.invariantCount);
  f->invariantRefs.resize(info.invariantCount);
  f->invariantState.assign(info.invariantCount, 0);
  frames_.emplace(f, std::move(frame));
  list.push_back(f);
  ++parent->outstanding;
  makeIteration(f);
  return f;
}

void DataflowRun::enterInvariant(const DataNode& d, bool dead, Frame* child) {
  child->invariantState[d.firstSlot] = dead ? 2 : 1;
  child->arrived.push_back(int(&d - s_.nodes.data()));
  for (size_t k = 0; k < child->live.size(); ++k) {
    Iteration* target = child->live[k];
    for (const Consumer& c : d.consumers[0]) arrive(c.node, c.input, dead, dead, target);
    for (const Consumer& c : d.controlConsumers) arrive(c.node, -1, dead, dead, target);
  }
}

/// Removes the finished iterations at the front of a frame, and the frame itself if it has ended.
void DataflowRun::settle(Frame* frame) {
  if (!frame->parent) return;
  while (true) {
    while (!frame->live.empty()) {
      Iteration* front = frame->live.front();
      if (front->outstanding > 0 || (front->index == 0 && frame->enterPending > 0)) break;
      // The last iteration stays while a deferred NextIteration may follow it.
      children_.erase(front);
      frame->live.pop_front();
      ++frame->first;
      recycle(front);
    }
    if (!frame->deferred.empty() && int(frame->live.size()) < window(s_.frames[frame->id])) {
      startIteration(frame);
      continue;
    }
    break;
  }
  if (frame->live.empty() && frame->enterPending == 0 && frame->deferred.empty()) endFrame(frame);
}

void DataflowRun::endFrame(Frame* frame) {
  Iteration* parent = frame->parentIteration;
  for (int exit : frame->deadExits) {
    const DataNode& d = s_.nodes[exit];
    if (!parent->frame->parent) exitOutcomes_[size_t(exit)] = NodeOutcome::Dead;
    deliver(d, 0, true, parent);
    deliverControls(d, true, parent);
  }
  auto& list = children_[parent];
  list.erase(std::remove(list.begin(), list.end(), frame), list.end());
  frames_.erase(frame);
  --parent->outstanding;
  settle(parent->frame);
}

std::vector<LoopPlace> DataflowRun::loops() const {
  std::vector<LoopPlace> out;
  for (const Iteration* it = iteration_; it && it->frame && it->frame->parent; it = it->frame->parentIteration)
    out.push_back({s_.frames[size_t(it->frame->id)].name, it->index});
  std::reverse(out.begin(), out.end());
  return out;
}

void DataflowRun::finishNode(Iteration* it) {
  if (--it->outstanding == 0) settle(it->frame);
}

std::vector<HeldMemory> DataflowRun::held(const Iteration* base) const {
  std::vector<HeldMemory> out;
  std::unordered_set<const Buffer*> seen;
  const auto add = [&](const DataNode& d, int k, const Tensor& t, const std::string& place) {
    if (!t.hasValue() || !seen.insert(t.buffer().get()).second) return;
    out.push_back({concat(d.plan->node ? d.plan->node->name : std::string("feed"), ":", k, place), t.dtype(), t.shape(), t.bytes()});
  };
  const auto addIteration = [&](const Iteration& it, int frame) {
    const std::string place = frame > 0 ? concat(" (iteration ", it.index, ")") : std::string();
    for (const DataNode& d : s_.nodes) {
      if (!d.plan || d.outputFrame != frame) continue;
      for (int k = 0; k < d.outputCount; ++k) {
        if (!d.invariant) add(d, k, it.slots[d.firstSlot + k], place);
        else if (it.frame && it.frame->parent) add(d, k, it.frame->invariants[d.firstSlot + k], {});
      }
    }
  };
  addIteration(*base, 0);
  for (const auto& [key, frame] : frames_) {
    for (const Iteration* it : frame->live) addIteration(*it, frame->id);
  }
  return out;
}

}  // namespace weft::dataflow
