#pragma once

#include "embedding/edges.h"

namespace weft::embedding {

/// What the methods that move points share.
struct Descent {
  const EmbeddingOptions& options;
  EmbeddingObserver* observer;
  std::vector<float> positions;  ///< [rows, dimensions]: first where points begin, then where they are.

  void tell(EmbeddingPhase phase, int step, int steps) const {
    if (observer) observer->progressed({phase, step, steps, positions});
  }
};

/// Minimizes the divergence between the probabilities and those of the positions; returns the divergence. CANCELLED.
Result<double> descendTsne(Edges probabilities, Descent& descent);

/// Moves points by samples of the edges and of all pairs. CANCELLED.
Status descendUmap(Edges edges, Descent& descent);

/// The eigenvectors of the normalized Laplacian with the smallest eigenvalues above 0, roughly: [rows, dimensions]. They begin near `guess`. Empty if the graph is
/// not connected.
std::vector<float> spectralPositions(const Edges& edges, const std::vector<float>& guess, int dimensions, uint64_t seed);

}  // namespace weft::embedding
