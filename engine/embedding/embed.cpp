#include <algorithm>
#include <cmath>

#include "embedding/descent.h"
#include "embedding/neighbors.h"
#include "embedding/pca.h"

namespace weft {
namespace embedding {
namespace {

Status checkOptions(const PointsView& points, const EmbeddingOptions& o) {
  if (o.dimensions != 2 && o.dimensions != 3) return invalidArgument("An embedding has 2 or 3 dimensions, not ", o.dimensions, ".");
  if (!o.initial.empty() && int64_t(o.initial.size()) != points.rows * o.dimensions)
    return invalidArgument("There are ", o.initial.size(), " initial coordinates; ", points.rows, " points in ", o.dimensions, " dimensions have ",
                           points.rows * o.dimensions, ".");
  for (const float v : o.initial)
    if (!std::isfinite(v)) return invalidArgument("An initial position is not finite.");
  if (o.method == EmbeddingMethod::Tsne) {
    if (!(o.perplexity >= 1)) return invalidArgument("The perplexity is ", o.perplexity, "; it must be at least 1.");
    if (!(o.exaggeration >= 1)) return invalidArgument("The exaggeration is ", o.exaggeration, "; it must be at least 1.");
    if (o.exaggeratedSteps < 0 || o.steps < 0)
      return invalidArgument("The numbers of steps are ", o.exaggeratedSteps, " and ", o.steps, "; they cannot be negative.");
    if (!(o.learningRate >= 0) || !std::isfinite(o.learningRate))
      return invalidArgument("The learning rate is ", o.learningRate, "; it must be positive, or 0 for automatic.");
  } else if (o.method == EmbeddingMethod::Umap) {
    if (o.neighbors < 2) return invalidArgument("UMAP needs at least 2 neighbours, not ", o.neighbors, ".");
    if (!(o.minimumDistance >= 0) || !(o.spread > 0) || !(o.minimumDistance <= o.spread))
      return invalidArgument("The minimum distance is ", o.minimumDistance, " and the spread ", o.spread, "; 0 <= distance <= spread is expected.");
    if (o.epochs < 0 || o.negativeSamples < 0 || o.negativeSamples > 100)
      return invalidArgument("There are ", o.epochs, " epochs and ", o.negativeSamples,
                             " negative samples; 0 or more epochs and 0 to 100 samples are expected.");
  }
  return {};
}

bool allEqual(const PointsView& points) {
  for (int64_t i = 1; i < points.rows; ++i)
    if (!std::equal(points.data, points.data + points.columns, points.data + i * points.columns)) return false;
  return true;
}

/// Principal components as [rows, dimensions], zeros where there are too few; and their shares of the variance.
Result<std::vector<float>> principalPositions(const PointsView& points, const EmbeddingOptions& o, int rounds, std::vector<double>* shares) {
  WEFT_LET(const Directions directions, principalDirections(points, o.dimensions, rounds, o.seed, o.cancellation));
  const std::vector<float> projected = project(points, directions);
  std::vector<float> out(size_t(points.rows * o.dimensions), 0.f);
  for (int64_t i = 0; i < points.rows; ++i) {
    for (int d = 0; d < directions.count; ++d) out[size_t(i * o.dimensions + d)] = projected[size_t(i * directions.count + d)];
  }
  if (shares) {
    *shares = directions.varianceShares;
    shares->resize(size_t(o.dimensions), 0);
  }
  return out;
}

/// Scales positions so that `measure` of them becomes `wanted`, and adds noise that separates equal points.
void scaleTo(std::vector<float>& y, double measure, double wanted, uint64_t seed) {
  const double factor = measure > 0 ? wanted / measure : 0;
  for (size_t i = 0; i < y.size(); ++i) y[i] = float(y[i] * factor + wanted * 1e-3 * gaussian(seed, i));
}

double deviationOf(const std::vector<float>& y, int dimensions) {
  double squares = 0;
  for (size_t i = 0; i < y.size(); i += size_t(dimensions)) squares += double(y[i]) * y[i];
  return std::sqrt(squares / std::max<double>(1, double(y.size()) / dimensions));
}

double largestOf(const std::vector<float>& y) {
  float most = 0;
  for (const float v : y) most = std::max(most, std::abs(v));
  return most;
}

Result<Embedding> compute(const PointsView& points, const EmbeddingOptions& o, EmbeddingObserver* observer) {
  const Clock clock;
  Embedding out;
  out.rows = points.rows;
  out.dimensions = o.dimensions;
  out.positions.assign(size_t(points.rows * o.dimensions), 0.f);
  out.perplexity = o.method == EmbeddingMethod::Tsne ? std::max(1.0, std::min(o.perplexity, double(points.rows - 1) / 3)) : 0;
  if (o.method == EmbeddingMethod::Pca) out.varianceShares.assign(size_t(o.dimensions), 0);
  if (points.rows < 2 || allEqual(points)) return out;
  Descent descent{o, observer, {}};
  descent.tell(EmbeddingPhase::Directions, 0, 0);
  if (o.method == EmbeddingMethod::Pca) {
    WEFT_LET(out.positions, principalPositions(points, o, 4, &out.varianceShares));
    out.seconds = clock.seconds();
    return out;
  }
  const bool tsne = o.method == EmbeddingMethod::Tsne;
  if (!o.initial.empty()) {
    descent.positions.assign(o.initial.begin(), o.initial.end());
  } else {
    WEFT_LET(descent.positions, principalPositions(points, o, 2, nullptr));
    if (tsne) scaleTo(descent.positions, deviationOf(descent.positions, o.dimensions), 1e-4, o.seed);
  }
  descent.tell(EmbeddingPhase::Neighbors, 0, 0);
  const Clock neighborClock;
  const int wanted = tsne ? int(std::min<double>(3 * out.perplexity, 1e6)) : o.neighbors - 1;  // umap-learn counts the point itself
  WEFT_LET(Neighbors neighbors, neighborsOfAll(points, {std::max(1, wanted), o.metric, false, o.seed, o.threads, o.cancellation}));
  out.neighbors = neighbors.count;
  out.neighborSeconds = neighborClock.seconds();
  descent.tell(EmbeddingPhase::Affinities, 0, 0);
  Edges edges = tsne ? jointProbabilities(neighbors, out.perplexity) : fuzzySet(neighbors);
  neighbors = {};
  if (tsne) {
    WEFT_LET(out.divergence, descendTsne(std::move(edges), descent));
  } else {
    if (o.initial.empty()) {
      std::vector<float> spectral = spectralPositions(edges, descent.positions, o.dimensions, o.seed);
      if (!spectral.empty()) descent.positions = std::move(spectral);
      scaleTo(descent.positions, largestOf(descent.positions), 10, o.seed);
    }
    WEFT_TRY(descendUmap(std::move(edges), descent));
  }
  out.positions = std::move(descent.positions);
  out.seconds = clock.seconds();
  return out;
}

}  // namespace
}  // namespace embedding

Result<Embedding> embed(const PointsView& points, const EmbeddingOptions& options, EmbeddingObserver* observer) {
  const embedding::ThreadCount threads(options.threads);
  WEFT_TRY(embedding::checkOptions(points, options));
  WEFT_TRY(embedding::checkPoints(points));
  return embedding::compute(points, options, observer);
}

}  // namespace weft
