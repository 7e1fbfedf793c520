#include "runtime/loop_registers.h"

#include "runtime/moved_reads.h"

namespace weft {

Status LoopRegisters::set(int r, Tensor value) {
  if (!value.hasValue()) return internalError("Loop ", frame_, ": what register ", r, " gets is no value");
  values_[size_t(r)] = std::move(value);
  states_[size_t(r)] = State::Here;
  return {};
}

Result<const Tensor*> LoopRegisters::at(int r) const {
  if (state(r) != State::Here) return missing(r);
  return &values_[size_t(r)];
}

Result<Tensor> LoopRegisters::share(int r) const {
  if (state(r) != State::Here) return missing(r);
  return values_[size_t(r)];
}

Result<Tensor> LoopRegisters::take(int r) {
  if (state(r) != State::Here) return missing(r);
  states_[size_t(r)] = State::GivenAway;
  return std::move(values_[size_t(r)]);
}

void LoopRegisters::drop(int r) {
  values_[size_t(r)] = Tensor();
  if (state(r) == State::Here) states_[size_t(r)] = State::GivenAway;
}

void LoopRegisters::follow(const MovedReads& moved) {
  for (size_t r = 0; r < values_.size(); ++r)
    if (states_[r] == State::Here) moved.follow(values_[r]);
}

Error LoopRegisters::missing(int r) const {
  return internalError("Loop ", frame_, ": register ", r, state(r) == State::NeverComputed ? " was never computed" : " was given away", " and is read");
}

}  // namespace weft
