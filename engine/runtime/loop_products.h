#pragma once

#include <vector>

#include "runtime/native_loop.h"

namespace weft {

class LoopRegisters;
class SessionState;
struct RunState;

/// Reduces the control edges of a loop's part to those that order effects. Does nothing for a part with branches.
void simplifyControls(PlanGraph& part);

/// Finds the variables of `loop` to which each iteration adds a matrix product or a sum over rows (gradients of weights and biases used in the
/// loop): v + MatMul(x, dy, transpose_a) and v + BiasAddGrad(dy). They are removed from the body: the rows of their operands are collected, and
/// one product over all iterations is added at the end. This changes the order of summation. Returns the number found.
int deferProducts(NativeLoop& loop);

/// The collected rows of one run.
class LoopProducts {
 public:
  LoopProducts(const NativeLoop& loop, SessionState& session) : loop_(loop), session_(session) {}
  /// Takes the operands from the registers after an iteration of the body. INVALID_ARGUMENT, in MatMul's words, if they do not fit each other.
  Status collect(LoopRegisters& registers);
  /// Adds the collected products to the variables after the last iteration.
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
  SessionState& session_;
  std::vector<Rows> rows_;
  std::vector<Tensor> sums_;  // by product
};

}  // namespace weft
