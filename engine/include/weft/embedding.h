#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weft/error.h"
#include "weft/export.h"
#include "weft/file_system.h"
#include "weft/session.h"
#include "weft/tensor.h"

namespace weft {

/// Rows of float32 numbers, borrowed: row i begins at data + i * columns.
struct PointsView {
  const float* data = nullptr;
  int64_t rows = 0, columns = 0;
};

/// Rows of float32 numbers that a tensor holds or that were made from it.
struct Points {
  Tensor values;  ///< float32 [rows, columns]
  PointsView view() const { return {values.data<float>(), values.dim(0), values.dim(1)}; }
};
/// The rows of a tensor of numbers with at least two dimensions: the first counts rows, the others are columns. Complex numbers lose their imaginary part. Shares the
/// tensor's memory if it is float32. INVALID_ARGUMENT for other tensors; RESOURCE_EXHAUSTED.
WEFT_API Result<Points> pointsOf(const Tensor& tensor);
/// The points in a file: an array (.npy), a table of comma-separated numbers (.csv), or of tab-separated ones without names of columns. Errors name the file.
WEFT_API Result<Points> loadPoints(const std::string& path, FileSystem* files = nullptr);

/// How far two rows are apart: their Euclidean distance, or 1 - cosine of their angle. A row of zeros has no direction:
/// its cosine distance is 0 to rows of zeros and 1 to all others.
enum class PointMetric { Euclidean, Cosine };

/// The nearest other rows of each row, nearest first; rows at the same distance by number.
struct Neighbors {
  int64_t rows = 0;
  int count = 0;                ///< Neighbours of a row: fewer than asked for if there are too few rows.
  std::vector<int32_t> index;   ///< [rows, count]
  std::vector<float> distance;  ///< [rows, count]
};

struct NeighborOptions {
  int count = 15;
  PointMetric metric = PointMetric::Euclidean;
  bool exact = false;  ///< Compare all pairs in all columns. Up to 4,096 rows are compared in this way in any case.
  uint64_t seed = 42;
  int threads = 0;  ///< 0: all processors.
  CancellationToken cancellation;
};

/// Finds neighbours of all rows. Large sets are compared in as many principal directions as find 97 % of the neighbours of some rows, all pairs or, above 131,072 rows, by random partitions and neighbours of
/// neighbours; the best candidates are then compared in all columns. INVALID_ARGUMENT for a number that is not finite, naming its row and column, and for a count
/// below 1; CANCELLED. The result depends on the seed, not on the number of threads.
WEFT_API Result<Neighbors> findNeighbors(const PointsView& points, const NeighborOptions& options);

/// The nearest rows of one row among all others, by comparing with each. INVALID_ARGUMENT if there is no such row.
WEFT_API Result<Neighbors> neighborsOf(const PointsView& points, int64_t row, int count, PointMetric metric);

enum class EmbeddingMethod { Pca, Tsne, Umap };

/// What an embedding is computing.
enum class EmbeddingPhase { Directions, Neighbors, Affinities, Exaggerated, Descent };

/// The state of an embedding while it is computed.
struct EmbeddingProgress {
  EmbeddingPhase phase;
  int step, steps;                   ///< Within all steps of the descent; 0 of 0 in other phases.
  std::span<const float> positions;  ///< [rows, dimensions], valid during the call; empty before there are any.
};

/// Watches an embedding; called on the thread that computes it, after each step.
class WEFT_API EmbeddingObserver {
 public:
  virtual ~EmbeddingObserver() = default;
  virtual void progressed(const EmbeddingProgress& progress) = 0;
};

struct EmbeddingOptions {
  EmbeddingMethod method = EmbeddingMethod::Pca;
  int dimensions = 2;  ///< 2 or 3.
  PointMetric metric = PointMetric::Euclidean;
  uint64_t seed = 42;
  int threads = 0;  ///< 0: all processors.
  CancellationToken cancellation;
  /// [rows, dimensions]: positions to begin with instead of principal components. t-SNE then leaves out the exaggerated phase. Empty: none.
  std::span<const float> initial;

  // t-SNE
  double perplexity = 30;  ///< Lowered to (rows - 1) / 3 if there are too few rows.
  double exaggeration = 12;
  int exaggeratedSteps = 250, steps = 500;
  double learningRate = 0;  ///< 0: rows / exaggeration, as Belkina et al. (2019) advise.

  // UMAP
  int neighbors = 15;
  double minimumDistance = 0.1, spread = 1;
  int epochs = 0;  ///< 0: 500, or 200 above 10,000 rows.
  int negativeSamples = 5;
};

struct Embedding {
  int64_t rows = 0;
  int dimensions = 0;
  std::vector<float> positions;             ///< [rows, dimensions]
  std::vector<double> varianceShares;       ///< PCA: of the total variance, by component.
  double perplexity = 0;                    ///< t-SNE: as used.
  double divergence = 0;                    ///< t-SNE: Kullback-Leibler divergence of the result.
  int neighbors = 0;                        ///< t-SNE and UMAP: as used.
  double neighborSeconds = 0, seconds = 0;  ///< Time for the neighbours, and for everything.
};

/// Computes positions of rows in 2 or 3 dimensions. PCA: principal components (randomized SVD, Halko et al. 2011). t-SNE (van der Maaten 2014) with repulsion from a
/// mesh by Fourier transforms (as in FIt-SNE, Linderman et al. 2019). UMAP (McInnes et al. 2018). No rows give no positions, and one row or rows that are all equal
/// give the origin. INVALID_ARGUMENT for a number that is not finite, naming its row and column, and for options out of range; CANCELLED. The result depends on the
/// seed and on the instruction set, not on the number of threads.
WEFT_API Result<Embedding> embed(const PointsView& points, const EmbeddingOptions& options, EmbeddingObserver* observer = nullptr);

}  // namespace weft
