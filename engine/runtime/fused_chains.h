#pragma once

#include <vector>

#include "device/cpu/hot.h"
#include "runtime/fused_kernel.h"

namespace weft {

/// One pass over a tile: one instruction, or a chain of several whose values stay in registers.
struct FusedStage {
  struct Link {
    cpu::ChainOp op = cpu::ChainOp::Add;
    bool hasOperand = false;
    FusedProgram::Operand operand;
  };
  int instruction = 0;          ///< The last instruction, whose result is the stage's.
  FusedProgram::Operand start;  ///< Input of the first link.
  std::vector<Link> links;      ///< Empty: call the instruction's own function.
};

/// Divides `program` into stages, with chains as long as possible.
std::vector<FusedStage> stagesOf(const FusedProgram& program);

}  // namespace weft
