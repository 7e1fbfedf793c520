#pragma once

#include <vector>

#include "embedding/points.h"

namespace weft::embedding {

/// A sparse symmetric matrix of weights between rows, by row; the columns of a row ascend.
struct Edges {
  std::vector<long> start;  ///< [rows + 1]
  std::vector<int32_t> column;
  std::vector<float> weight;

  int64_t rows() const { return int64_t(start.size()) - 1; }
  EdgeView view() const { return {start.data(), column.data(), weight.data()}; }
};

/// t-SNE's joint probabilities: Gaussians around each row whose entropies fit the perplexity, made symmetric. Their sum is 1.
Edges jointProbabilities(const Neighbors& neighbors, double perplexity);

/// UMAP's fuzzy set: memberships that fall from 1 at the nearest other place and sum up to log2 of the neighbours, joined by a + b - a b.
Edges fuzzySet(const Neighbors& neighbors);

/// The same graph with row order[k] as row k.
Edges reordered(const Edges& edges, const std::vector<int32_t>& order);

/// Rows in an order in which near positions follow one another (a Z-curve): then the partners of a row's edges are in the processor's cache.
std::vector<int32_t> curveOrder(const std::vector<float>& positions, int dimensions);

}  // namespace weft::embedding
