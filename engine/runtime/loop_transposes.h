#pragma once

#include <vector>

#include "runtime/native_loop.h"

namespace weft {

class LoopRegisters;

/// A matrix that stays the same in all rounds, transposed once before the first: rows [begin, begin + rows) of register `source` as the
/// columns of register `to`.
struct LoopTranspose {
  int source = -1, to = -1;
  int64_t begin = 0, rows = 0, columns = 0;  ///< Of the source: what is taken, and how wide it is.
};

/// Finds in a body's rewritten plan the products of few rows with a transposed matrix that `stays` (by feed), as a recurrent cell's gradient
/// has them: with the matrix turned beforehand they take about two thirds of the time. The plan reads what is turned from further feeds, whose registers,
/// from `registers` on, are added to `feeds`.
std::vector<LoopTranspose> turnMatrices(PlanGraph& body, std::vector<int>& feeds, const std::vector<uint8_t>& stays, int registers);

/// Makes what `t` says. INTERNAL if the matrix is not what was planned.
Status turn(const LoopTranspose& t, LoopRegisters& registers);

}  // namespace weft
