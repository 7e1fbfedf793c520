#include "embedding/neighbors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "device/cpu/pieces.h"
#include "device/cpu/products.h"
#include "embedding/pca.h"

// Squared distances are |x|² + |y|² - 2 x·y. For a query x its own norm is left out, so a candidate's score is |y|² - 2 x·y, and the products are those of matrices.
//
// Rows of many columns are first compared in their first 64 principal directions, with the norms of the whole rows: only the product of what lies outside of the
// directions is missing from the estimate, and it is nearly zero on average. The best candidates are compared again in all columns. How many true neighbours
// are among the candidates is measured on some rows; if too many are missing, more directions are taken, and at last all columns.
namespace weft::embedding {
namespace {

constexpr int64_t kExactRows = 4096;                  // up to here all columns are compared
constexpr int64_t kAllPairsRows = 1 << 17;            // up to here all pairs are compared
constexpr int kDirections = 64, kMoreDirections = 3;  // at first, and by what factor they become more
constexpr int64_t kTestedRows = 64;
constexpr double kEnoughFound = 0.97;
constexpr int64_t kQueries = 256, kOthers = 1024;

/// Rows of length 1 in one more column: it is 0, or 1 for rows of zeros, which are so at a right angle to all others.
std::vector<float> normalized(const PointsView& points) {
  const int64_t columns = points.columns + 1;
  std::vector<float> out(size_t(points.rows * columns));
  parallelFor(points.rows, 64, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float* from = points.data + i * points.columns;
      double square = 0;
      for (int64_t c = 0; c < points.columns; ++c) square += double(from[c]) * from[c];
      const double factor = square > 0 ? 1 / std::sqrt(square) : 0;
      for (int64_t c = 0; c < points.columns; ++c) out[size_t(i * columns + c)] = float(from[c] * factor);
      if (square == 0) out[size_t(i * columns + points.columns)] = 1;
    }
  });
  return out;
}

std::vector<float> centredRows(const PointsView& points, const std::vector<double>& mean) {
  std::vector<float> out(size_t(points.rows * points.columns));
  parallelFor(points.rows, 64, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin * points.columns; i < end * points.columns; ++i) out[size_t(i)] = float(points.data[i] - mean[size_t(i % points.columns)]);
  });
  return out;
}

std::vector<float> squaredNorms(const PointsView& points) {
  std::vector<float> out(static_cast<size_t>(points.rows));
  parallelFor(points.rows, 256, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) out[size_t(i)] = kernels().dot(points.data + i * points.columns, points.data + i * points.columns, points.columns);
  });
  return out;
}

/// The share of the true neighbours of some rows that are among the candidates.
double foundShare(const PointsView& rows, const Compared& compared, int count, int most, uint64_t seed) {
  std::vector<int32_t> tested(size_t(std::min(kTestedRows, rows.rows)));
  for (size_t k = 0; k < tested.size(); ++k) tested[k] = int32_t(uniform(seed, k) * double(rows.rows));
  const Compared whole{rows.data, rows.rows, rows.columns, compared.norms};
  // Pieces of the other rows, so that threads share the work; each row's best are joined from those of the pieces.
  constexpr int64_t kPieces = 8;
  const auto search = [&](const Compared& by, int kept) {
    std::vector<std::vector<Best>> parts(kPieces, std::vector<Best>(tested.size(), Best(kept)));
    cpu::overPieces(parallelism(), kPieces, [&](int64_t piece) {
      const SplitAsAlone alone(1);
      ScanRoom room;
      const int64_t first = rows.rows * piece / kPieces, last = rows.rows * (piece + 1) / kPieces;
      std::vector<int32_t> others(size_t(last - first));
      std::iota(others.begin(), others.end(), int32_t(first));
      scan(by, tested.data(), int64_t(tested.size()), others.data(), last - first, parts[size_t(piece)].data(), room);
    });
    std::vector<std::vector<int32_t>> out(tested.size());
    for (size_t q = 0; q < tested.size(); ++q) {
      Best all(kept);
      for (auto& part : parts)
        for (const Best::Entry& e : part[q].sorted()) all.add(e.score, e.row);
      for (const Best::Entry& e : all.sorted()) out[q].push_back(e.row);
      std::sort(out[q].begin(), out[q].end());
    }
    return out;
  };
  const auto candidates = search(compared, most), exact = search(whole, count);
  size_t hits = 0, all = 0;
  for (size_t q = 0; q < tested.size(); ++q) {
    all += exact[q].size();
    for (const int32_t row : exact[q]) hits += std::binary_search(candidates[q].begin(), candidates[q].end(), row);
  }
  return all > 0 ? double(hits) / double(all) : 1;
}

}  // namespace

void Best::clear() {
  entries_.clear();
  limit_ = 3.4e38f;
}

void Best::reduce() {
  if (repeats_) {
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.row < b.row || (a.row == b.row && a.score < b.score); });
    entries_.erase(std::unique(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.row == b.row; }), entries_.end());
  }
  if (int(entries_.size()) < most_) return;
  std::nth_element(entries_.begin(), entries_.begin() + most_ - 1, entries_.end());
  entries_.resize(size_t(most_));
  limit_ = entries_.back().score;
}

const std::vector<Best::Entry>& Best::sorted() {
  reduce();
  std::sort(entries_.begin(), entries_.end());
  return entries_;
}

void scan(const Compared& points, const int32_t* queries, int64_t queryCount, const int32_t* others, int64_t otherCount, Best* best, ScanRoom& room) {
  const int64_t d = points.columns;
  room.queries.resize(size_t(queryCount * d));
  for (int64_t q = 0; q < queryCount; ++q) std::copy_n(points.data + queries[q] * d, d, room.queries.data() + q * d);
  room.dots.resize(size_t(queryCount * kOthers));
  room.scores.resize(size_t(kOthers));
  room.places.resize(size_t(kOthers));
  for (int64_t first = 0; first < otherCount; first += kOthers) {
    const int64_t n = std::min(kOthers, otherCount - first);
    const float *data = points.data + first * d, *norms = points.norms + first;
    if (others) {
      room.others.resize(size_t(kOthers * d));
      room.norms.resize(size_t(kOthers));
      for (int64_t k = 0; k < n; ++k) {
        std::copy_n(points.data + others[first + k] * d, d, room.others.data() + k * d);
        room.norms[size_t(k)] = points.norms[others[first + k]];
      }
      data = room.others.data();
      norms = room.norms.data();
    }
    cpu::product(cpu::ProductType::Float, queryCount, d, n, {room.queries.data(), d, 1, false}, {data, 1, d, false}, room.dots.data(), n, cpu::Update::Set);
    for (int64_t q = 0; q < queryCount; ++q) {
      const long found = kernels().closer(room.dots.data() + q * n, norms, n, best[q].limit(), 0, room.places.data(), room.scores.data());
      for (long k = 0; k < found; ++k) {
        const int32_t row = others ? others[first + room.places[size_t(k)]] : int32_t(first + room.places[size_t(k)]);
        if (row != queries[q] && room.scores[size_t(k)] < best[q].limit()) best[q].add(room.scores[size_t(k)], row);
      }
    }
  }
}

Result<Neighbors> neighborsOfAll(const PointsView& points, const NeighborOptions& options) {
  Neighbors out;
  out.rows = points.rows;
  out.count = int(std::max<int64_t>(0, std::min<int64_t>(options.count, points.rows - 1)));
  out.index.resize(size_t(out.rows * out.count));
  out.distance.resize(out.index.size());
  if (out.count == 0) return out;
  const bool cosine = options.metric == PointMetric::Cosine;
  const bool exact = options.exact || points.rows <= kExactRows;

  // The whole rows, moved so that sums of squares do not cancel: distances do not change, angles would.
  std::vector<float> moved, norms;
  PointsView rows = points;
  if (cosine) {
    moved = normalized(points);
    rows = {moved.data(), points.rows, points.columns + 1};
  }
  WEFT_LET(const Directions none, principalDirections(rows, 0, 0, options.seed, options.cancellation));
  const std::vector<float> centred = centredRows(rows, none.mean);
  moved = {};
  rows.data = centred.data();
  norms = squaredNorms(rows);
  std::vector<float> reduced;
  Compared compared{rows.data, rows.rows, rows.columns, norms.data()};
  int most = out.count + 4;
  for (int wanted = kDirections; !exact && wanted * 3 / 2 < rows.columns; wanted *= kMoreDirections) {
    WEFT_LET(const Directions directions, principalDirections(rows, wanted, 1, options.seed, options.cancellation));
    reduced = project(rows, directions);
    most = out.count + std::max(16, out.count / 4);
    compared = {reduced.data(), rows.rows, directions.count, norms.data()};
    if (foundShare(rows, compared, out.count, most, options.seed) >= kEnoughFound) break;
    compared = {rows.data, rows.rows, rows.columns, norms.data()};
    most = out.count + 4;
  }
  std::vector<int32_t> candidates;
  const bool partitioned = !exact && points.rows > kAllPairsRows;
  if (partitioned) candidates = partitionedCandidates(compared, most, options.seed, options.cancellation);
  const int64_t blocks = (rows.rows + kQueries - 1) / kQueries;
  cpu::overPieces(parallelism(), blocks, [&](int64_t block) {
    if (options.cancellation.cancelled()) return;
    const SplitAsAlone alone(1);
    const int64_t first = block * kQueries, count = std::min(kQueries, rows.rows - first);
    std::vector<Best> best(static_cast<size_t>(count), Best(most));
    if (!partitioned) {
      thread_local ScanRoom room;
      std::vector<int32_t> queries(static_cast<size_t>(count));
      std::iota(queries.begin(), queries.end(), int32_t(first));
      scan(compared, queries.data(), count, nullptr, rows.rows, best.data(), room);
    }
    std::vector<Best::Entry> order;
    for (int64_t q = 0; q < count; ++q) {
      const float* own = rows.data + (first + q) * rows.columns;
      order.clear();
      if (partitioned) {
        const int32_t* from = candidates.data() + (first + q) * most;
        for (int k = 0; k < most && from[k] >= 0; ++k) order.push_back({0, from[k]});
      } else {
        order = best[size_t(q)].sorted();
      }
      for (Best::Entry& e : order) e.score = kernels().squaredDistance(own, rows.data + int64_t(e.row) * rows.columns, rows.columns);
      std::sort(order.begin(), order.end());
      for (int k = 0; k < out.count; ++k) {
        const Best::Entry& e = order[size_t(k)];
        out.index[size_t((first + q) * out.count + k)] = e.row;
        out.distance[size_t((first + q) * out.count + k)] = cosine ? e.score / 2 : std::sqrt(e.score);
      }
    }
  });
  if (options.cancellation.cancelled()) return stopped();
  return out;
}

}  // namespace weft::embedding

namespace weft {

Result<Neighbors> findNeighbors(const PointsView& points, const NeighborOptions& options) {
  if (options.count < 1) return invalidArgument("The number of neighbours is ", options.count, "; it must be at least 1.");
  const embedding::ThreadCount threads(options.threads);
  WEFT_TRY(embedding::checkPoints(points));
  return embedding::neighborsOfAll(points, options);
}

Result<Neighbors> neighborsOf(const PointsView& points, int64_t row, int count, PointMetric metric) {
  if (row < 0 || row >= points.rows) return invalidArgument("There is no row ", row, "; there are ", points.rows, " rows.");
  if (count < 1) return invalidArgument("The number of neighbours is ", count, "; it must be at least 1.");
  WEFT_TRY(embedding::checkPoints(points));
  const auto& k = embedding::kernels();
  const float* own = points.data + row * points.columns;
  const float square = k.dot(own, own, points.columns);
  std::vector<float> distances(static_cast<size_t>(points.rows));
  parallelFor(points.rows, 512, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float* other = points.data + i * points.columns;
      if (metric == PointMetric::Euclidean) {
        distances[size_t(i)] = std::sqrt(k.squaredDistance(own, other, points.columns));
      } else {
        const float product = square * k.dot(other, other, points.columns);
        const bool bothZero = square == 0 && product == 0 && k.dot(other, other, points.columns) == 0;
        distances[size_t(i)] = product > 0 ? std::max(0.f, 1 - k.dot(own, other, points.columns) / std::sqrt(product)) : bothZero ? 0 : 1;
      }
    }
  });
  std::vector<int32_t> order;
  order.reserve(size_t(points.rows));
  for (int64_t i = 0; i < points.rows; ++i)
    if (i != row) order.push_back(int32_t(i));
  const size_t most = std::min(order.size(), size_t(count));
  std::partial_sort(order.begin(), order.begin() + ptrdiff_t(most), order.end(), [&](int32_t a, int32_t b) {
    return distances[size_t(a)] < distances[size_t(b)] || (distances[size_t(a)] == distances[size_t(b)] && a < b);
  });
  Neighbors out;
  out.rows = 1;
  out.count = int(most);
  out.index.assign(order.begin(), order.begin() + ptrdiff_t(most));
  for (const int32_t i : out.index) out.distance.push_back(distances[size_t(i)]);
  return out;
}

}  // namespace weft
