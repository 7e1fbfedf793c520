#pragma once

#include <vector>

#include "kernel/kernel.h"

namespace weft::cpu {
struct ElementwiseEntry;
}

namespace weft {

/// How an operand of a fused group spreads over the group's elements.
enum class Spread : uint8_t {
  Full,    ///< Element by element.
  Scalar,  ///< One element for all.
  Row,     ///< Repeats with a period (a bias along the last dims).
  Column,  ///< Each element stands for a run of consecutive ones (a mean over the last dims).
};

/// A group of element-wise ops as a straight program over tiles that stay in the first-level cache: memory is read and written once,
/// whatever the length of the chain.
struct FusedProgram {
  struct Operand {
    bool isTemporary = false;
    int index = 0;  ///< Of a temporary, or of an input.
  };
  struct Input {
    Spread spread = Spread::Full;
    int64_t elements = 0;  ///< Expected.
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
