#pragma once

// Loops of embeddings that are compiled once per instruction set (hot_embedding.cpp). Included there: nothing of the standard library.
namespace weft::embedding {

/// The graph of neighbours: entries [start[i], start[i + 1]) are those of row i.
struct EdgeView {
  const long* start;
  const int* column;
  const float* weight;
};

/// What moves points in one epoch of UMAP.
struct UmapEpoch {
  float a, b;  ///< Of the curve 1 / (1 + a d^(2b)).
  int epoch, negativeSamples;
  unsigned long long seed;
  long rows;
};

/// One table per instruction set. Functions with two versions: for 2 and for 3 dimensions. No function uses threads.
struct EmbeddingKernels {
  /// Entries with norms[j] - 2 * dots[j] < limit: base + j and that score. Returns how many; there is room for n.
  long (*closer)(const float* dots, const float* norms, long n, float limit, int base, int* at, float* score);
  float (*squaredDistance)(const float* a, const float* b, long n);
  float (*dot)(const float* a, const float* b, long n);
  /// force[i] = the sum of weight * (y_i - y_j) / (1 + |y_i - y_j|²) over row i's entries, for rows [begin, end).
  void (*attract[2])(const EdgeView& edges, const float* y, long begin, long end, float* force);
  /// Adds cubic B-splines around the points [begin, end) to a mesh of `side` nodes in each direction; place = (y - low) / spacing.
  void (*spread[2])(const float* y, long begin, long end, const float* low, float perSpacing, long side, float* mesh);
  /// potential[i] and its gradient by mesh spacing, gradient[i * dimensions + d], at the points [begin, end).
  void (*sample[2])(const float* y, long begin, long end, const float* low, float perSpacing, long side, const float* mesh, float* potential, float* gradient);
  /// gradient[i] = the pull of this epoch's edges and the push of its negative samples, for rows [begin, end). weight: how often an edge is taken, at most 1.
  void (*umap[2])(const EdgeView& edges, const UmapEpoch& epoch, const float* y, long begin, long end, float* gradient);
};

}  // namespace weft::embedding
