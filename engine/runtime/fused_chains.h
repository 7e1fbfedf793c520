#pragma once

#include <vector>

#include "device/cpu/hot.h"
#include "runtime/fused_kernel.h"

namespace weft {

/// What a fused program does in one go on a tile: one instruction, or several whose values stay in registers.
struct FusedStage {
  struct Link {
    cpu::ChainOp op = cpu::ChainOp::Add;
    bool hasOperand = false;
    FusedProgram::Operand operand;
  };
  int instruction = 0;          ///< The last one: its result is the stage's.
  FusedProgram::Operand start;  ///< What the first link works on.
  std::vector<Link> links;      ///< Empty: the instruction is called by itself.
};

/// Divides `program` into stages: as many instructions as possible join chains.
std::vector<FusedStage> stagesOf(const FusedProgram& program);

}  // namespace weft
