#pragma once

#include <vector>

#include "embedding/points.h"

namespace weft::embedding {

/// The first principal directions of rows.
struct Directions {
  int64_t columns = 0;
  int count = 0;                       ///< At most what was asked for; fewer if the rows or columns are fewer.
  std::vector<double> mean;            ///< [columns]
  std::vector<float> vectors;          ///< [columns, count], orthonormal columns, the largest variance first
  std::vector<double> varianceShares;  ///< [count], of the total variance; zeros if there is none
};

/// Randomized SVD (Halko, Martinsson, Tropp 2011) of the centred rows, with `rounds` power iterations. The sign of a direction is such that its largest entry is
/// positive. CANCELLED.
Result<Directions> principalDirections(const PointsView& points, int count, int rounds, uint64_t seed, const CancellationToken& cancellation);

/// [rows, directions.count]: the centred rows in these directions.
std::vector<float> project(const PointsView& points, const Directions& directions);

}  // namespace weft::embedding
