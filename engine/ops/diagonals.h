#pragma once

#include <algorithm>

#include "kernel/kernel.h"

// What ops on diagonals of matrices do, checked: shared by the kernels of all devices.
namespace weft {

/// A band between two diagonals, both inclusive; 0 is the main diagonal, positive ones are above it.
struct Band {
  int64_t lower = 0, upper = 0;
  int64_t count() const { return upper - lower + 1; }
  /// Length of the longest diagonal of the band in a matrix.
  int64_t longest(int64_t rows, int64_t cols) const { return std::min(rows + std::min<int64_t>(upper, 0), cols - std::max<int64_t>(lower, 0)); }
};

/// Matrices [batches, rows, cols] and diagonals [batches, band.count(), width], left-aligned, the uppermost first.
struct DiagonalPlan {
  Shape shape;  ///< Of the result.
  Band band;
  int64_t batches = 1, rows = 0, cols = 0, width = 0;
};
/// Of MatrixDiag and MatrixDiagV2.
WEFT_API Result<DiagonalPlan> planMatrixDiag(KernelContext& c);
/// Of MatrixDiagPart and MatrixDiagPartV2.
WEFT_API Result<DiagonalPlan> planMatrixDiagPart(KernelContext& c);
/// Of MatrixSetDiag and MatrixSetDiagV2.
WEFT_API Result<DiagonalPlan> planMatrixSetDiag(KernelContext& c);
/// Of MatrixBandPart. The band is [-num_lower, num_upper]; where such a number is negative, that side is not limited.
WEFT_API Result<DiagonalPlan> planMatrixBandPart(KernelContext& c);

}  // namespace weft
