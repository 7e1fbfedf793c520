#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "device/cpu/elementwise.h"
#include "runtime/native_loop.h"

namespace weft {

struct RunState;

/// A loop whose values are all scalars, as a program over cells of eight bytes: no tensors, no allocations, one function call per op.
class ScalarLoop {
 public:
  /// Null if some value is not a scalar, or some op has effects or no element-wise function. `inputs`: shapes valid in every iteration; the graphs are
  /// the loop's parts after constant folding.
  static std::unique_ptr<ScalarLoop> make(const NativeLoop& loop, const std::vector<Shape>& inputs, const PlanGraph& condition, const PlanGraph& hoisted,
                                          const PlanGraph& body);
  /// REQUIRES: inputs of the loop's types, one element each.
  Status run(KernelContext& c, const RunState& state) const;
  int instructions() const { return int(condition_.size() + body_.size()); }

 private:
  struct alignas(8) Cell {
    std::byte bytes[8];
  };
  struct Instruction {
    cpu::SpanFunction fn;
    int operands;
    std::array<int, 3> in;
    int out;
  };
  struct Move {
    int from, to;
  };
  class Maker;
  static void execute(const std::vector<Instruction>& code, Cell* cells);

  std::vector<Cell> cells_;    ///< Initial cells of a run, with the constants set.
  std::vector<size_t> sizes_;  ///< Of the inputs; 0 for those that nothing reads.
  std::vector<Instruction> condition_, body_;
  std::vector<Move> moves_, moreMoves_;  ///< To spare cells, then from there, so that all variables change at once.
  std::vector<int> exits_;
  int predicate_ = 0;
};

}  // namespace weft
