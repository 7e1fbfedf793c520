#pragma once

#include "embedding/points.h"

namespace weft::embedding {

/// As findNeighbors(), for points that have been checked and with the threads of this thread's loops.
Result<Neighbors> neighborsOfAll(const PointsView& points, const NeighborOptions& options);

/// The best candidates of one query, by (score, row). It holds up to twice as many until they are reduced.
class Best {
 public:
  struct Entry {
    float score;
    int32_t row;
    bool operator<(const Entry& other) const { return score < other.score || (score == other.score && row < other.row); }
  };

  /// `repeats`: the same row may be offered several times, perhaps with scores that differ in their last bits.
  explicit Best(int most, bool repeats = false) : most_(most), repeats_(repeats) {}
  /// Candidates below it may be among the best. Of equal ones the first are kept.
  float limit() const { return limit_; }
  void add(float score, int32_t row) {
    entries_.push_back({score, row});
    if (int(entries_.size()) >= 2 * most_) reduce();
  }
  /// Sorted, each row once.
  const std::vector<Entry>& sorted();
  void clear();

 private:
  void reduce();

  int most_;
  bool repeats_;
  float limit_ = 3.4e38f;
  std::vector<Entry> entries_;
};

/// Rows as they are compared: in some directions only, but with their whole norms.
struct Compared {
  const float* data = nullptr;
  int64_t rows = 0, columns = 0;
  const float* norms = nullptr;  ///< Squared, of the whole rows.
};

/// Candidates of all rows from random partitions, improved by neighbours of neighbours: [rows, most], -1 where there are none.
std::vector<int32_t> partitionedCandidates(const Compared& points, int most, uint64_t seed, const CancellationToken& cancellation);

/// Work memory of scan().
struct ScanRoom {
  std::vector<float> others, norms, queries, dots, scores;
  std::vector<int> places;
};
/// Offers the rows `others` (or, if null, the rows [0, otherCount)) to best[q] of each query, without the query itself.
void scan(const Compared& points, const int32_t* queries, int64_t queryCount, const int32_t* others, int64_t otherCount, Best* best, ScanRoom& room);

}  // namespace weft::embedding
