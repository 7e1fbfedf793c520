#include <algorithm>
#include <numeric>

#include "device/cpu/pieces.h"
#include "embedding/neighbors.h"

// Neighbours of many rows. Each of several trees halves the rows by random hyperplanes (Dasgupta and Freund 2008) until the parts are small; within a part all pairs
// are compared. Near rows that no part has together are found as neighbours of neighbours (Dong, Moses, Li 2011). Each round reads the lists of the round before, so
// the order in which threads take the rows has no influence.
namespace weft::embedding {
namespace {

constexpr int kTrees = 6, kRounds = 2;
constexpr int64_t kPartRows = 1024;
constexpr int kExplored = 12;  // neighbours whose neighbours are looked at

/// Halves `rows` by the hyperplane between two random rows.
void halve(const Compared& points, int32_t* rows, int64_t n, uint64_t seed, uint64_t at) {
  const int64_t d = points.columns;
  const float* a = points.data + int64_t(rows[int64_t(uniform(seed, 2 * at) * double(n))]) * d;
  const float* b = points.data + int64_t(rows[int64_t(uniform(seed, 2 * at + 1) * double(n))]) * d;
  std::vector<float> normal(static_cast<size_t>(d));
  for (int64_t c = 0; c < d; ++c) normal[size_t(c)] = a[c] - b[c];
  std::vector<std::pair<float, int32_t>> placed(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) placed[size_t(i)] = {kernels().dot(normal.data(), points.data + int64_t(rows[i]) * d, d), rows[i]};
  std::nth_element(placed.begin(), placed.begin() + n / 2, placed.end());
  for (int64_t i = 0; i < n; ++i) rows[i] = placed[size_t(i)].second;
}

/// An order of all rows in which parts [k * n / parts, (k + 1) * n / parts) lie together. `levels`: log2 of the number of parts.
std::vector<int32_t> partition(const Compared& points, int levels, uint64_t seed) {
  std::vector<int32_t> rows(static_cast<size_t>(points.rows));
  std::iota(rows.begin(), rows.end(), 0);
  std::vector<std::pair<int64_t, int64_t>> spans{{0, points.rows}};
  uint64_t at = 0;
  for (int level = 0; level < levels; ++level) {
    std::vector<std::pair<int64_t, int64_t>> next(spans.size() * 2);
    cpu::overPieces(parallelism(), int64_t(spans.size()), [&](int64_t k) {
      const auto [begin, end] = spans[size_t(k)];
      halve(points, rows.data() + begin, end - begin, seed, at + uint64_t(k));
      const int64_t middle = begin + (end - begin) / 2;
      std::sort(rows.begin() + begin, rows.begin() + middle);  // nth_element leaves an order that its implementation chooses
      std::sort(rows.begin() + middle, rows.begin() + end);
      next[size_t(2 * k)] = {begin, middle};
      next[size_t(2 * k + 1)] = {middle, end};
    });
    at += spans.size();
    spans = std::move(next);
  }
  return rows;
}

/// Lists of candidates with their scores, [rows, most], sorted; -1 after the last.
struct Lists {
  int most;
  std::vector<int32_t> row;
  std::vector<float> score;

  Lists(int64_t rows, int most) : most(most), row(size_t(rows * most), -1), score(size_t(rows * most)) {}
  void offerTo(Best& best, int64_t i) const {
    for (int k = 0; k < most && row[size_t(i * most + k)] >= 0; ++k) best.add(score[size_t(i * most + k)], row[size_t(i * most + k)]);
  }
  void take(Best& best, int64_t i) {
    const auto& sorted = best.sorted();
    for (int k = 0; k < most; ++k) {
      const bool there = size_t(k) < sorted.size();
      row[size_t(i * most + k)] = there ? sorted[size_t(k)].row : -1;
      score[size_t(i * most + k)] = there ? sorted[size_t(k)].score : 0;
    }
  }
};

void comparePart(const Compared& points, const int32_t* rows, int64_t n, Lists& lists) {
  constexpr int64_t kQueries = 128;
  thread_local ScanRoom room;
  std::vector<Best> best(kQueries, Best(lists.most, true));
  for (int64_t first = 0; first < n; first += kQueries) {
    const int64_t count = std::min(kQueries, n - first);
    for (int64_t q = 0; q < count; ++q) {
      best[size_t(q)].clear();
      lists.offerTo(best[size_t(q)], rows[first + q]);
    }
    scan(points, rows + first, count, rows, n, best.data(), room);
    for (int64_t q = 0; q < count; ++q) lists.take(best[size_t(q)], rows[first + q]);
  }
}

/// For each row, up to kExplored of the rows that have it among their nearest kExplored.
std::vector<int32_t> reversed(const Lists& lists, int64_t rows) {
  std::vector<int32_t> out(size_t(rows * kExplored), -1), count(size_t(rows), 0);
  for (int k = 0; k < std::min(kExplored, lists.most); ++k) {
    for (int64_t i = 0; i < rows; ++i) {
      const int32_t j = lists.row[size_t(i * lists.most + k)];
      if (j >= 0 && count[size_t(j)] < kExplored) out[size_t(int64_t(j) * kExplored + count[size_t(j)]++)] = int32_t(i);
    }
  }
  return out;
}

void exploreNeighbors(const Compared& points, Lists& lists, const CancellationToken& cancellation) {
  const Lists before = lists;
  const std::vector<int32_t> back = reversed(before, points.rows);
  parallelFor(points.rows, 512, [&](int64_t begin, int64_t end) {
    Best best(lists.most, true);
    std::vector<int32_t> near, found;
    for (int64_t i = begin; i < end && !cancellation.cancelled(); ++i) {
      near.clear();
      found.clear();
      const auto addNear = [&](int32_t j) {
        if (j >= 0) near.push_back(j);
      };
      for (int k = 0; k < std::min(kExplored, before.most); ++k) addNear(before.row[size_t(i * before.most + k)]);
      for (int k = 0; k < kExplored; ++k) addNear(back[size_t(i * kExplored + k)]);
      for (const int32_t j : near) {
        found.push_back(j);
        for (int k = 0; k < std::min(kExplored, before.most); ++k) found.push_back(before.row[size_t(int64_t(j) * before.most + k)]);
        for (int k = 0; k < kExplored; ++k) found.push_back(back[size_t(int64_t(j) * kExplored + k)]);
      }
      std::sort(found.begin(), found.end());
      found.erase(std::unique(found.begin(), found.end()), found.end());
      best.clear();
      const float* own = points.data + i * points.columns;
      for (const int32_t j : found) {
        if (j < 0 || j == i) continue;
        const float score = points.norms[j] - 2 * kernels().dot(own, points.data + int64_t(j) * points.columns, points.columns);
        if (score < best.limit()) best.add(score, j);
      }
      // Scores of the same pair differ in their last bits from those of the parts, so rows of the old list are offered again only if they were not found.
      for (int k = 0; k < before.most; ++k) {
        const int32_t j = before.row[size_t(i * before.most + k)];
        if (j >= 0 && !std::binary_search(found.begin(), found.end(), j)) best.add(before.score[size_t(i * before.most + k)], j);
      }
      lists.take(best, i);
    }
  });
}

}  // namespace

std::vector<int32_t> partitionedCandidates(const Compared& points, int most, uint64_t seed, const CancellationToken& cancellation) {
  int levels = 0;
  while ((points.rows >> levels) > kPartRows) ++levels;
  const int64_t parts = int64_t(1) << levels;
  Lists lists(points.rows, most);
  for (int tree = 0; tree < kTrees && !cancellation.cancelled(); ++tree) {
    const std::vector<int32_t> rows = partition(points, levels, mixed(seed + uint64_t(tree)));
    // Parts differ by a row where halves do: their borders are found as partition() finds them.
    std::vector<int64_t> borders{0, points.rows};
    for (int level = 0; level < levels; ++level) {
      std::vector<int64_t> next{0};
      for (size_t k = 0; k + 1 < borders.size(); ++k) next.insert(next.end(), {borders[k] + (borders[k + 1] - borders[k]) / 2, borders[k + 1]});
      borders = std::move(next);
    }
    cpu::overPieces(parallelism(), parts, [&](int64_t k) {
      if (cancellation.cancelled()) return;
      const SplitAsAlone alone(1);
      comparePart(points, rows.data() + borders[size_t(k)], borders[size_t(k + 1)] - borders[size_t(k)], lists);
    });
  }
  for (int round = 0; round < kRounds && !cancellation.cancelled(); ++round) exploreNeighbors(points, lists, cancellation);
  return std::move(lists.row);
}

}  // namespace weft::embedding
