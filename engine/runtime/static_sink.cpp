#include <algorithm>

#include "runtime/static_plan.h"

// Chooses the memory of an op's outputs: recorded in the first run of a plan, repeated and checked in later ones.

namespace weft::staticplan {

/// Keeps a run that allocates freely within the session's memory limit.
Status StaticSink::checkLimit(int slot, const Shape& shape) const {
  const PlannedMemory& memory = plan_.graph_.memory;
  const int64_t n = shape.elements();
  if ((memory.limit == 0 && !state_.memory) || n <= 0) return {};
  const size_t bytes = size_t(n) * sizeOf(plan_.slots_[slot].type);
  // Sizes that a recording has added up; if one of unknown size grew since, the next run records again.
  if (memory.known && !rec_ && (memory.unknown == 0 || layout_)) return {};
  if (!rec_ || !memory.known) return state_.memory ? state_.memory->ask(bytes) : Status();
  if (memory.limit == 0 || memory.held + rec_->liveBytes + bytes <= memory.limit) return {};
  std::string unknown;
  if (memory.unknown > 0)
    unknown = concat("; ", memory.unknown, " nodes have tensors whose size is known only while they run, so too little could be computed again");
  return resourceExhausted("The step has ", memoryText(memory.held + rec_->liveBytes), " in use and needs ", memoryText(bytes),
                           " more, which the memory limit of ", memoryText(memory.limit), " does not allow", unknown);
}

Result<Tensor*> StaticSink::fresh(int slot, const Shape& shape) {
  WEFT_TRY(checkLimit(slot, shape));
  auto t = allocateTensor(step_->node->allocatorOf(slot - step_->firstOutput), plan_.slots_[slot].type, shape);
  if (!t.ok()) return std::move(t.error());
  in_.slots[slot] = std::move(*t);
  return &in_.slots[slot];
}

void StaticSink::record(int slot, int block, SlotKind kind) {
  // A kernel may give an output twice.
  if (const int before = rec_->slotBlock[slot]; before >= 0 && --rec_->blocks[before].live == 0) rec_->liveBytes -= rec_->blocks[before].block.bytes;
  rec_->slotBlock[slot] = block;
  rec_->slots[slot].kind = kind;
  rec_->slots[slot].shape = in_.slots[slot].shape();
  if (block < 0) return;
  Recording::Block& b = rec_->blocks[block];
  if (b.live++ == 0) rec_->liveBytes += b.block.bytes;
  if (plan_.slots_[slot].lastUse == kNever) b.outside = true;
}

Result<Tensor*> StaticSink::allocate(int k, const Shape& shape) {
  const int slot = step_->firstOutput + k;
  if (rec_) {
    WEFT_LET(Tensor * t, fresh(slot, shape));
    const bool ours = sizeOf(t->dtype()) > 0 && t->place() == 0;
    if (!ours) {
      record(slot, -1, SlotKind::Outside);
      return t;
    }
    const int id = int(rec_->blocks.size());
    rec_->blocks.push_back({{t->bytes(), index_, index_, 0}, 0, false});
    rec_->byBuffer[t->buffer().get()] = id;
    record(slot, id, SlotKind::Arena);
    return t;
  }
  if (!layout_) return fresh(slot, shape);
  const SlotPlan& p = (*layout_)[slot];
  if (p.kind == SlotKind::Outside) return fresh(slot, shape);
  Tensor& t = in_.slots[slot];
  if (p.kind == SlotKind::Arena) {
    if (t.shape() == shape && t.buffer().get() == in_.arena.get()) return &t;
    const int64_t n = shape.elements();
    if (n >= 0 && size_t(n) * sizeOf(plan_.slots_[slot].type) <= p.bytes) {
      t = Tensor(plan_.slots_[slot].type, shape, in_.arena, static_cast<char*>(in_.arena->data()) + p.offset);
      return &t;
    }
  }
  diverged = true;
  return fresh(slot, shape);
}

Result<Tensor*> StaticSink::forward(int k, const Shape& shape, std::initializer_list<int> candidates) {
  const int slot = step_->firstOutput + k;
  if (rec_ || !layout_) {
    for (int i : candidates) {
      const int from = plan_.inputSlots_[step_->firstInput + i];
      if (from < 0 || plan_.slots_[from].isRef || plan_.slots_[from].lastUse != index_) continue;
      // An input that is passed twice is still read through the other operand while the output is written: AddN of x, x and x.
      const auto begin = plan_.inputSlots_.begin() + step_->firstInput;
      if (std::count(begin, begin + step_->inputCount, from) > 1) continue;
      Tensor& source = in_.slots[from];
      const int64_t n = shape.elements();
      if (!source.ownsBufferAlone() || n < 0 || sizeOf(source.dtype()) == 0 || size_t(n) * sizeOf(plan_.slots_[slot].type) != source.bytes() ||
          sizeOf(plan_.slots_[slot].type) == 0 || source.place() != step_->node->placeOf(k)) {
        continue;
      }
      int block = -1;
      if (rec_) {
        block = rec_->slotBlock[from];
        if (block < 0) continue;
      } else if (plan_.graph_.nodes[size_t(plan_.slotNode_[from])].feed >= 0) {
        continue;
      }
      in_.slots[slot] = Tensor(plan_.slots_[slot].type, shape, source.buffer(), const_cast<void*>(source.raw()));
      if (rec_) {
        record(slot, block, SlotKind::Forward);
        rec_->slots[slot].forwardInput = i;
      }
      return &in_.slots[slot];
    }
    return allocate(k, shape);
  }
  const SlotPlan& p = (*layout_)[slot];
  if (p.kind == SlotKind::Forward) {
    Tensor& t = in_.slots[slot];
    const bool same = std::find(candidates.begin(), candidates.end(), p.forwardInput) != candidates.end();
    if (same && t.shape() == shape && t.buffer().get() == in_.arena.get()) return &t;
    const int64_t n = shape.elements();
    const int from = same ? plan_.inputSlots_[step_->firstInput + p.forwardInput] : -1;
    if (same && from >= 0 && n >= 0 && size_t(n) * sizeOf(plan_.slots_[slot].type) == in_.slots[from].bytes() && in_.slots[from].bytes() <= p.bytes) {
      t = Tensor(plan_.slots_[slot].type, shape, in_.arena, static_cast<char*>(in_.arena->data()) + p.offset);
      return &t;
    }
    diverged = true;
    return fresh(slot, shape);
  }
  return allocate(k, shape);
}

void StaticSink::set(int k, Tensor value) {
  const int slot = step_->firstOutput + k;
  if (rec_) {
    const auto it = rec_->byBuffer.find(value.buffer().get());
    const int block = it != rec_->byBuffer.end() && rec_->blocks[it->second].live > 0 ? it->second : -1;
    in_.slots[slot] = std::move(value);
    record(slot, block, block < 0 ? SlotKind::Outside : SlotKind::Alias);
    return;
  }
  if (layout_ && inArena(value)) {
    const SlotPlan& p = (*layout_)[slot];
    const size_t at = size_t(static_cast<const char*>(value.raw()) - static_cast<const char*>(in_.arena->data()));
    if (p.kind != SlotKind::Alias || at < p.offset || at + value.bytes() > p.offset + p.bytes) {
      diverged = true;
      auto copy = value.clone();
      in_.slots[slot] = copy.ok() ? std::move(*copy) : Tensor();
      return;
    }
  } else if (layout_ && (*layout_)[slot].kind != SlotKind::Outside) {
    diverged = true;
  }
  in_.slots[slot] = std::move(value);
}

void StaticSink::setRef(int k, const std::shared_ptr<Variable>& variable) {
  auto& ref = in_.refs[step_->firstOutput + k];
  if (ref != variable) ref = variable;
}

bool StaticSink::wanted(int k) const {
  const int slot = step_->firstOutput + k;
  return plan_.slots_[slot].lastUse > index_;
}

const std::shared_ptr<Variable>* StaticSink::ref(int i) const {
  for (int r = 0; r < step_->refCount; ++r) {
    const RefInput& in = plan_.refInputs_[step_->firstRef + r];
    if (in.input == i) return &in_.refs[in.slot];
  }
  return nullptr;
}

void StaticSink::dropRead(int i) {
  for (int r = 0; r < step_->refCount; ++r) {
    if (plan_.refInputs_[step_->firstRef + r].input == i) in_.refValues[step_->firstRef + r] = Tensor();
  }
}

}  // namespace weft::staticplan
