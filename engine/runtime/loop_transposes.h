#pragma once

#include <vector>

#include "runtime/native_loop.h"

namespace weft {

class LoopRegisters;

/// A loop-invariant matrix, transposed once before the first iteration: rows [begin, begin + rows) of register `source` become the columns of
/// register `to`.
struct LoopTranspose {
  int source = -1, to = -1;
  int64_t begin = 0, rows = 0, columns = 0;  ///< The rows taken from the source, and its width.
};

/// Finds products of few rows with a transposed invariant matrix (`stays`, by feed) in a body's rewritten plan, as in the gradient of a recurrent
/// cell. With the matrix transposed beforehand they take about two thirds of the time. The plan reads the transposed matrices from additional feeds,
/// whose registers, starting at `registers`, are appended to `feeds`.
std::vector<LoopTranspose> turnMatrices(PlanGraph& body, std::vector<int>& feeds, const std::vector<uint8_t>& stays, int registers);

/// Transposes the matrix of `t`. INTERNAL if it is not as planned.
Status turn(const LoopTranspose& t, LoopRegisters& registers);

}  // namespace weft
