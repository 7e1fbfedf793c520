#include "embedding/edges.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::embedding {
namespace {

/// join(own, other) of the weights of i -> j and j -> i; a weight that is missing is 0.
template <typename Join>
Edges symmetric(const Neighbors& neighbors, const std::vector<float>& weights, Join&& join) {
  const int64_t rows = neighbors.rows;
  const int k = neighbors.count;
  std::vector<long> backStart(size_t(rows + 1), 0);
  for (const int32_t j : neighbors.index) ++backStart[size_t(j) + 1];
  for (int64_t i = 0; i < rows; ++i) backStart[size_t(i + 1)] += backStart[size_t(i)];
  std::vector<int32_t> back(neighbors.index.size());
  std::vector<float> backWeight(neighbors.index.size());
  {
    std::vector<long> at(backStart.begin(), backStart.end() - 1);
    for (int64_t i = 0; i < rows; ++i) {
      for (int n = 0; n < k; ++n) {
        const long place = at[size_t(neighbors.index[size_t(i * k + n)])]++;
        back[size_t(place)] = int32_t(i);
        backWeight[size_t(place)] = weights[size_t(i * k + n)];
      }
    }
  }
  // Both lists of a row are merged, first to count and then to write.
  Edges out;
  out.start.assign(size_t(rows + 1), 0);
  const auto merge = [&](int64_t i, auto&& add) {
    thread_local std::vector<std::pair<int32_t, float>> own;
    own.clear();
    for (int n = 0; n < k; ++n) own.emplace_back(neighbors.index[size_t(i * k + n)], weights[size_t(i * k + n)]);
    std::sort(own.begin(), own.end());
    long b = backStart[size_t(i)];
    const long last = backStart[size_t(i + 1)];
    size_t a = 0;
    while (a < own.size() || b < last) {
      const int32_t left = a < own.size() ? own[a].first : std::numeric_limits<int32_t>::max(),
                    right = b < last ? back[size_t(b)] : std::numeric_limits<int32_t>::max();
      const int32_t column = std::min(left, right);
      const float x = left == column ? own[a++].second : 0, y = right == column ? backWeight[size_t(b++)] : 0;
      add(column, join(x, y));
    }
  };
  parallelFor(rows, 512, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) merge(i, [&](int32_t, float w) { out.start[size_t(i + 1)] += w > 0 ? 1 : 0; });
  });
  for (int64_t i = 0; i < rows; ++i) out.start[size_t(i + 1)] += out.start[size_t(i)];
  out.column.resize(size_t(out.start.back()));
  out.weight.resize(out.column.size());
  parallelFor(rows, 512, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      long at = out.start[size_t(i)];
      merge(i, [&](int32_t column, float w) {
        if (!(w > 0)) return;
        out.column[size_t(at)] = column;
        out.weight[size_t(at++)] = w;
      });
    }
  });
  return out;
}

/// exp(-beta (d² - least)) for a row's squared distances, with the beta whose entropy is log(perplexity); they sum up to 1.
void calibrate(const float* distances, int count, double perplexity, float* out) {
  const double wanted = std::log(perplexity), least = double(distances[0]) * distances[0];
  double low = 0, high = std::numeric_limits<double>::infinity(), sum = 0;
  const double far = double(distances[count - 1]) * distances[count - 1] - least;
  double beta = far > 0 ? 1 / far : 1;
  for (int round = 0; round < 100; ++round) {
    double moment = 0;
    sum = 0;
    for (int n = 0; n < count; ++n) {
      const double d = double(distances[n]) * distances[n] - least, e = std::exp(-beta * d);
      sum += e;
      moment += d * e;
      out[n] = float(e);
    }
    const double entropy = std::log(sum) + beta * moment / sum;
    if (std::abs(entropy - wanted) < 1e-5 || far <= 0) break;
    (entropy > wanted ? low : high) = beta;
    beta = std::isinf(high) ? beta * 2 : (low + high) / 2;
    if (!std::isfinite(beta)) break;
  }
  for (int n = 0; n < count; ++n) out[n] = float(out[n] / sum);
}

/// The membership strengths of a row's neighbours.
void memberships(const float* distances, int count, double meanOfAll, float* out) {
  double nearest = 0, mean = 0;
  for (int n = count - 1; n >= 0; --n) {
    if (distances[n] > 0) nearest = distances[n];
    mean += distances[n] / double(count);
  }
  // The row itself counts as a neighbour of weight 1, as in umap-learn, where each list begins with it.
  const double wanted = std::log2(double(count) + 1);
  double low = 0, high = std::numeric_limits<double>::infinity(), width = 1;
  for (int round = 0; round < 64; ++round) {
    double sum = 0;
    for (int n = 0; n < count; ++n) sum += distances[n] > nearest ? std::exp(-(distances[n] - nearest) / width) : 1;
    if (std::abs(sum - wanted) < 1e-5) break;
    (sum > wanted ? high : low) = width;
    width = std::isinf(high) ? width * 2 : (low + high) / 2;
  }
  width = std::max(width, 1e-3 * (nearest > 0 ? mean : meanOfAll));
  for (int n = 0; n < count; ++n) out[n] = distances[n] > nearest && width > 0 ? float(std::exp(-(distances[n] - nearest) / width)) : 1.f;
}

}  // namespace

Edges jointProbabilities(const Neighbors& neighbors, double perplexity) {
  std::vector<float> weights(neighbors.index.size());
  const int k = neighbors.count;
  parallelFor(neighbors.rows, 128, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) calibrate(neighbors.distance.data() + i * k, k, std::min(perplexity, double(k)), weights.data() + i * k);
  });
  const float share = float(0.5 / double(std::max<int64_t>(1, neighbors.rows)));
  return symmetric(neighbors, weights, [share](float a, float b) { return (a + b) * share; });
}

Edges fuzzySet(const Neighbors& neighbors) {
  std::vector<float> weights(neighbors.index.size());
  const int k = neighbors.count;
  double mean = 0;
  for (const float d : neighbors.distance) mean += d;
  mean /= double(std::max<size_t>(1, neighbors.distance.size()));
  parallelFor(neighbors.rows, 128, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) memberships(neighbors.distance.data() + i * k, k, mean, weights.data() + i * k);
  });
  return symmetric(neighbors, weights, [](float a, float b) { return a + b - a * b; });
}

Edges reordered(const Edges& edges, const std::vector<int32_t>& order) {
  const int64_t rows = edges.rows();
  std::vector<int32_t> place(size_t(rows), 0);
  Edges out;
  out.start.assign(size_t(rows + 1), 0);
  for (int64_t k = 0; k < rows; ++k) {
    const size_t row = size_t(order[size_t(k)]);
    place[row] = int32_t(k);
    out.start[size_t(k + 1)] = out.start[size_t(k)] + edges.start[row + 1] - edges.start[row];
  }
  out.column.resize(edges.column.size());
  out.weight.resize(edges.weight.size());
  parallelFor(rows, 512, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      long at = out.start[size_t(k)];
      const size_t row = size_t(order[size_t(k)]);
      for (long e = edges.start[row]; e < edges.start[row + 1]; ++e, ++at) {
        out.column[size_t(at)] = place[size_t(edges.column[size_t(e)])];
        out.weight[size_t(at)] = edges.weight[size_t(e)];
      }
    }
  });
  return out;
}

std::vector<int32_t> curveOrder(const std::vector<float>& positions, int dimensions) {
  const size_t rows = positions.size() / size_t(dimensions);
  float low[3], high[3];
  for (int d = 0; d < dimensions; ++d) low[d] = high[d] = rows > 0 ? positions[size_t(d)] : 0;
  for (size_t i = 0; i < positions.size(); ++i) {
    const size_t d = i % size_t(dimensions);
    low[d] = std::min(low[d], positions[i]);
    high[d] = std::max(high[d], positions[i]);
  }
  constexpr int kBits = 10;
  std::vector<std::pair<uint32_t, int32_t>> keys(rows);
  for (size_t i = 0; i < rows; ++i) {
    uint32_t key = 0;
    for (int d = 0; d < dimensions; ++d) {
      const float range = high[d] - low[d], share = range > 0 ? (positions[i * size_t(dimensions) + size_t(d)] - low[d]) / range : 0;
      const uint32_t cell = std::min(uint32_t(share * (1 << kBits)), uint32_t((1 << kBits) - 1));
      for (int b = 0; b < kBits; ++b) key |= ((cell >> b) & 1u) << (b * dimensions + d);
    }
    keys[i] = {key, int32_t(i)};
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int32_t> out(rows);
  for (size_t i = 0; i < rows; ++i) out[i] = keys[i].second;
  return out;
}

}  // namespace weft::embedding
