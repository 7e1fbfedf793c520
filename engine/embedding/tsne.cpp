#include <algorithm>
#include <cmath>
#include <numeric>

#include "embedding/descent.h"
#include "embedding/repulsion.h"

namespace weft::embedding {
namespace {

constexpr float kMomentum = 0.8f, kSmallestGain = 0.01f, kLongestStep = 5;
constexpr int64_t kGrain = 512;

/// Σ p log(p / q), with q = 1 / ((1 + d²) sum).
double divergenceOf(const Edges& edges, const std::vector<float>& y, int dimensions, double sum) {
  const int64_t rows = edges.rows();
  std::vector<double> byRow(size_t(rows), 0);
  parallelFor(rows, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      for (long e = edges.start[size_t(i)]; e < edges.start[size_t(i + 1)]; ++e) {
        double square = 1;
        for (int d = 0; d < dimensions; ++d) {
          const double difference = y[size_t(i * dimensions + d)] - y[size_t(int64_t(edges.column[size_t(e)]) * dimensions + d)];
          square += difference * difference;
        }
        const double p = edges.weight[size_t(e)];
        byRow[size_t(i)] += p * std::log(p * square * sum);
      }
    }
  });
  double total = 0;
  for (const double v : byRow) total += v;
  return total;
}

void centre(std::vector<float>& y, int dimensions) {
  double mean[3] = {};
  const size_t rows = y.size() / size_t(dimensions);
  for (size_t i = 0; i < rows; ++i) {
    for (int d = 0; d < dimensions; ++d) mean[d] += y[i * size_t(dimensions) + size_t(d)];
  }
  for (size_t i = 0; i < rows; ++i) {
    for (int d = 0; d < dimensions; ++d) y[i * size_t(dimensions) + size_t(d)] -= float(mean[d] / double(rows));
  }
}

/// What moves with the points: rows are put into an order that keeps neighbours together whenever the positions have changed much.
struct Moving {
  Edges edges;
  std::vector<int32_t> order;  ///< The original row of each row.
  std::vector<float> y, update, gains;
  int dimensions;

  void sort() {
    const std::vector<int32_t> next = curveOrder(y, dimensions);
    edges = reordered(edges, next);
    std::vector<int32_t> rows(order.size());
    for (size_t k = 0; k < next.size(); ++k) rows[k] = order[size_t(next[k])];
    order = std::move(rows);
    for (std::vector<float>* values : {&y, &update, &gains}) {
      std::vector<float> moved(values->size());
      for (size_t k = 0; k < next.size(); ++k)
        std::copy_n(values->begin() + int64_t(next[k]) * dimensions, dimensions, moved.begin() + int64_t(k) * dimensions);
      *values = std::move(moved);
    }
  }
  void original(std::vector<float>& out) const {
    out.resize(y.size());
    for (size_t k = 0; k < order.size(); ++k) std::copy_n(y.begin() + int64_t(k) * dimensions, dimensions, out.begin() + int64_t(order[k]) * dimensions);
  }
};

}  // namespace

Result<double> descendTsne(Edges probabilities, Descent& descent) {
  const EmbeddingOptions& options = descent.options;
  const int dimensions = options.dimensions;
  const int64_t rows = probabilities.rows();
  const size_t size = descent.positions.size();
  Moving moving{std::move(probabilities), {}, descent.positions, std::vector<float>(size, 0.f), std::vector<float>(size, 1.f), dimensions};
  moving.order.resize(size_t(rows));
  std::iota(moving.order.begin(), moving.order.end(), 0);
  std::vector<float> pull(size), push(size);
  Repulsion repulsion(dimensions);
  const int exaggerated = options.initial.empty() ? options.exaggeratedSteps : 0, steps = exaggerated + options.steps;
  for (int step = 0; step < steps; ++step) {
    if (options.cancellation.cancelled()) return stopped();
    const bool early = step < exaggerated;
    if (step == exaggerated) {
      std::fill(moving.update.begin(), moving.update.end(), 0.f);
      std::fill(moving.gains.begin(), moving.gains.end(), 1.f);
    }
    if (step == 0 || step == exaggerated / 4 || step == exaggerated || step == exaggerated + 50) moving.sort();
    std::vector<float>&y = moving.y, &update = moving.update, &gains = moving.gains;
    const float exaggeration = early ? float(options.exaggeration) : 1.f;
    const float rate = options.learningRate > 0 ? float(options.learningRate) : float(double(rows) / exaggeration);
    const float share = float(1 / repulsion.compute(y, push));
    parallelFor(rows, kGrain, [&](int64_t begin, int64_t end) {
      kernels().attract[dimensions - 2](moving.edges.view(), y.data(), begin, end, pull.data());
      for (int64_t i = begin; i < end; ++i) {
        float square = 0;
        for (int64_t c = i * dimensions; c < (i + 1) * dimensions; ++c) {
          const size_t at = size_t(c);
          const float gradient = exaggeration * pull[at] - share * push[at];
          const bool overshot = (update[at] > 0) == (gradient > 0);  // an update goes against the gradient
          gains[at] = overshot ? gains[at] * 0.8f + kSmallestGain : gains[at] + 0.2f;
          update[at] = kMomentum * update[at] - rate * gains[at] * gradient;
          square += update[at] * update[at];
        }
        if (square > kLongestStep * kLongestStep) {
          const float factor = kLongestStep / std::sqrt(square);
          for (int d = 0; d < dimensions; ++d) update[size_t(i * dimensions + d)] *= factor;
        }
      }
    });
    for (size_t i = 0; i < y.size(); ++i) y[i] += update[i];
    centre(y, dimensions);
    if (descent.observer) {
      moving.original(descent.positions);
      descent.tell(early ? EmbeddingPhase::Exaggerated : EmbeddingPhase::Descent, step + 1, steps);
    }
  }
  moving.original(descent.positions);
  return divergenceOf(moving.edges, moving.y, dimensions, repulsion.compute(moving.y, push));
}

}  // namespace weft::embedding
