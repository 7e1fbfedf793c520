#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "embedding/descent.h"

// The stochastic descent of umap-learn moves both ends of an edge at once, one edge after another, so its threads would race. Here every point adds up the forces of
// an epoch from the positions before it, and Adam chooses the lengths of the steps (as the batch mode of uwot does): the same at any number of threads.
namespace weft::embedding {
namespace {

constexpr float kFirstMoment = 0.5f, kSecondMoment = 0.9f, kSmall = 1e-7f;

/// a and b of 1 / (1 + a d^(2b)) nearest to 1 below the minimum distance and exp(-(d - minimum) / spread) above it: damped least squares, as in umap-learn.
std::pair<double, double> curveOf(double minimum, double spread) {
  constexpr int kPlaces = 300;
  Eigen::Vector2d p(1.6, 0.9);
  const auto residuals = [&](const Eigen::Vector2d& at, Eigen::VectorXd* r, Eigen::MatrixXd* j) {
    double sum = 0;
    for (int k = 1; k < kPlaces; ++k) {
      const double d = 3 * spread * k / (kPlaces - 1), wanted = d < minimum ? 1 : std::exp(-(d - minimum) / spread);
      const double raised = std::pow(d, 2 * at[1]), below = 1 + at[0] * raised, difference = 1 / below - wanted;
      sum += difference * difference;
      if (!r) continue;
      (*r)[k] = difference;
      (*j)(k, 0) = -raised / (below * below);
      (*j)(k, 1) = -at[0] * raised * 2 * std::log(d) / (below * below);
    }
    return sum;
  };
  Eigen::VectorXd r = Eigen::VectorXd::Zero(kPlaces);
  Eigen::MatrixXd j = Eigen::MatrixXd::Zero(kPlaces, 2);
  double damping = 1e-3, error = residuals(p, &r, &j);
  for (int round = 0; round < 200; ++round) {
    const Eigen::Matrix2d square = j.transpose() * j;
    const Eigen::Vector2d slope = j.transpose() * r;
    const Eigen::Matrix2d damped = square + damping * Eigen::Matrix2d(square.diagonal().asDiagonal());
    const Eigen::Vector2d next = p - damped.ldlt().solve(slope);
    const double nextError = next.minCoeff() > 0 ? residuals(next, nullptr, nullptr) : error + 1;
    if (nextError < error) {
      const bool settled = error - nextError < 1e-12;
      p = next;
      error = residuals(p, &r, &j);
      damping /= 3;
      if (settled) break;
    } else {
      damping *= 4;
    }
  }
  return {p[0], p[1]};
}

/// Removes edges that no epoch would take; the strongest edge gets the weight 1.
void scaleWeights(Edges& edges, int epochs) {
  float most = 0;
  for (const float w : edges.weight) most = std::max(most, w);
  if (!(most > 0)) return;
  long at = 0, e = 0;
  for (size_t i = 0; i + 1 < edges.start.size(); ++i) {
    const long last = edges.start[i + 1];
    edges.start[i] = at;
    for (; e < last; ++e) {
      const float w = edges.weight[size_t(e)] / most;
      if (w * float(epochs) < 1) continue;
      edges.column[size_t(at)] = edges.column[size_t(e)];
      edges.weight[size_t(at++)] = w;
    }
  }
  edges.start.back() = at;
  edges.column.resize(size_t(at));
  edges.weight.resize(size_t(at));
}

}  // namespace

Status descendUmap(Edges edges, Descent& descent) {
  const EmbeddingOptions& options = descent.options;
  const int dimensions = options.dimensions;
  const int64_t rows = edges.rows();
  const int epochs = options.epochs > 0 ? options.epochs : rows > 10000 ? 200 : 500;
  const auto [a, b] = curveOf(options.minimumDistance, options.spread);
  scaleWeights(edges, epochs);
  std::vector<float>& y = descent.positions;
  std::vector<float> gradient(y.size()), mean(y.size(), 0.f), square(y.size(), 0.f);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    if (options.cancellation.cancelled()) return stopped();
    const UmapEpoch now{float(a), float(b), epoch, options.negativeSamples, options.seed, long(rows)};
    const float rate = float(options.initial.empty() ? 1.0 : 0.25) * (1 - float(epoch) / float(epochs));
    const float meanShare = 1 / (1 - std::pow(kFirstMoment, float(epoch + 1))), squareShare = 1 / (1 - std::pow(kSecondMoment, float(epoch + 1)));
    parallelFor(rows, 256, [&](int64_t begin, int64_t end) {
      kernels().umap[dimensions - 2](edges.view(), now, y.data(), begin, end, gradient.data());
      for (int64_t c = begin * dimensions; c < end * dimensions; ++c) {
        const size_t at = size_t(c);
        mean[at] += (1 - kFirstMoment) * (gradient[at] - mean[at]);
        square[at] += (1 - kSecondMoment) * (gradient[at] * gradient[at] - square[at]);
        gradient[at] = rate * mean[at] * meanShare / (std::sqrt(square[at] * squareShare) + kSmall);
      }
    });
    for (size_t i = 0; i < y.size(); ++i) y[i] += gradient[i];
    descent.tell(EmbeddingPhase::Descent, epoch + 1, epochs);
  }
  return {};
}

}  // namespace weft::embedding
