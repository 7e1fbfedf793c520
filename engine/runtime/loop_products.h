#pragma once

#include <vector>

#include "runtime/native_loop.h"

namespace weft {

class LoopRegisters;
struct RunState;

/// Leaves of the control edges of a loop's part, which has no branches, what orders effects.
void simplifyControls(PlanGraph& part);

/// Finds in the body of `loop` the variables to which every round adds a matrix product or a sum over rows (the gradients of
/// weights and biases that a loop uses): v + MatMul(x, dy, transpose_a) and v + BiasAddGrad(dy). They leave the body: their
/// operands are collected row by row, and one product over all rounds is added at the end. Sums are added in another order than
/// round by round. Returns how many were found.
int deferProducts(NativeLoop& loop);

/// The collected rows of one run.
class LoopProducts {
 public:
  explicit LoopProducts(const NativeLoop& loop) : loop_(loop) {}
  /// After a body: takes the operands from the registers. INVALID_ARGUMENT for operands that do not fit each other, in MatMul's
  /// words.
  Status collect(LoopRegisters& registers);
  /// After the last round: adds what was collected to the variables.
  Status finish(LoopRegisters& registers, RunState& state);

 private:
  struct Rows {
    int source = -1;  // register
    int64_t columns = 0, count = 0, capacity = 0;
    Tensor memory;
  };
  Status begin(const LoopRegisters& registers);
  Status addUp();
  Status append(Rows& rows, const Tensor& t);
  Rows& of(int source);

  const NativeLoop& loop_;
  std::vector<Rows> rows_;
  std::vector<Tensor> sums_;  // by product
};

}  // namespace weft
