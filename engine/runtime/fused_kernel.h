#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace weft::cpu {
struct ElementwiseEntry;
}

namespace weft {

/// How an operand of a fused group is broadcast over the group's elements.
enum class Spread : uint8_t {
  Full,    ///< Element by element.
  Scalar,  ///< One element for all.
  Row,     ///< Repeats with a period (a bias along the last dims).
  Column,  ///< Each element applies to a run of consecutive elements (a mean over the last dims).
};

/// A group of element-wise ops as a straight-line program over tiles that stay in the L1 cache. Memory is read and written once, however long the
/// group is.
struct FusedProgram {
  struct Operand {
    bool isTemporary = false;
    int index = 0;  ///< Index of a temporary or an input.
  };
  struct Input {
    Spread spread = Spread::Full;
    int64_t elements = 0;  ///< Expected number.
    size_t elementSize = 0;
  };
  struct Instruction {
    const cpu::ElementwiseEntry* entry = nullptr;
    std::vector<Operand> operands;
    int result = 0;  ///< Temporary; -1: the output.
  };
  std::vector<Input> inputs;
  std::vector<Instruction> instructions;
  int temporaries = 0;
  size_t temporarySize = 8;  ///< Bytes of one element of the widest temporary, or of the widest input that is spread.
  Shape shape;               ///< Of the output.
  float nanoseconds = 1;     ///< Rough cost of one element of the whole program.
};

/// The kernel that interprets `program`. Inputs come in the order of program.inputs; output 0 has program.shape.
std::shared_ptr<Kernel> makeFusedKernel(FusedProgram program);

}  // namespace weft
