// Ranks of least total length: beside all ranks that are possible, and on graphs as large as the layout's.
#include <QTest>
#include <functional>
#include <random>

#include "layout/network_simplex.h"

using namespace weft::layout;

namespace {

long costOf(const std::vector<RankArc>& arcs, const std::vector<std::int32_t>& ranks) {
  long cost = 0;
  for (const RankArc& a : arcs) cost += long(a.weight) * (ranks[size_t(a.to)] - ranks[size_t(a.from)]);
  return cost;
}

bool keepLengths(const std::vector<RankArc>& arcs, const std::vector<std::int32_t>& ranks) {
  return std::all_of(arcs.begin(), arcs.end(), [&](const RankArc& a) { return ranks[size_t(a.to)] - ranks[size_t(a.from)] >= a.length; });
}

/// Ranks along the longest paths, some of them further than need be. Arcs lead from lower to higher numbers.
std::vector<std::int32_t> startOf(const std::vector<RankArc>& arcs, int count, std::mt19937& random) {
  std::vector<std::int32_t> ranks(size_t(count), 0);
  for (int v = 0; v < count; ++v) {
    ranks[size_t(v)] += std::int32_t(random() % 2);
    for (const RankArc& a : arcs)
      if (a.from == v) ranks[size_t(a.to)] = std::max(ranks[size_t(a.to)], ranks[size_t(v)] + a.length);
  }
  return ranks;
}

/// The least cost of all ranks below a bound.
long leastCost(const std::vector<RankArc>& arcs, int count, std::int32_t bound) {
  std::vector<std::int32_t> ranks(size_t(count), 0);
  long least = std::numeric_limits<long>::max();
  const std::function<void(int)> tryAll = [&](int v) {
    if (v == count) {
      if (keepLengths(arcs, ranks)) least = std::min(least, costOf(arcs, ranks));
      return;
    }
    for (ranks[size_t(v)] = 0; ranks[size_t(v)] < bound; ++ranks[size_t(v)]) tryAll(v + 1);
  };
  tryAll(0);
  return least;
}

}  // namespace

class TestRanks : public QObject {
  Q_OBJECT
 private slots:
  void noRanksAreCheaper() {
    std::mt19937 random(7);
    int compared = 0;
    for (int round = 0; round < 600; ++round) {
      const int count = 2 + int(random() % 4);
      std::vector<RankArc> arcs;
      for (int k = 1 + int(random() % 9); k > 0; --k) {
        const int a = int(random() % unsigned(count)), b = int(random() % unsigned(count));
        if (a != b) arcs.push_back({std::min(a, b), std::max(a, b), std::int32_t(random() % 3), std::int32_t(random() % 4)});
      }
      std::vector<std::int32_t> ranks = startOf(arcs, count, random);
      minimizeRanks(arcs, ranks, 1000);
      QVERIFY(keepLengths(arcs, ranks));
      QCOMPARE(costOf(arcs, ranks), leastCost(arcs, count, 9));
      compared += arcs.empty() ? 0 : 1;
    }
    QVERIFY(compared > 400);
  }

  void stoppedEarlyTheLengthsAreKept() {
    std::mt19937 random(11);
    std::vector<RankArc> arcs;
    for (int v = 0; v < 400; ++v)
      for (int k = 0; k < 2; ++k)
        if (const int to = v + 1 + int(random() % 30); to < 400) arcs.push_back({v, to, 1, 1 + std::int32_t(random() % 3)});
    const std::vector<std::int32_t> start = startOf(arcs, 400, random);
    long before = std::numeric_limits<long>::max();
    for (const std::int32_t pivots : {0, 20, 60, 100000}) {
      std::vector<std::int32_t> ranks = start;
      QVERIFY(minimizeRanks(arcs, ranks, pivots) <= pivots);
      QVERIFY(keepLengths(arcs, ranks));
      QVERIFY(costOf(arcs, ranks) <= before);
      before = costOf(arcs, ranks);
    }
    QVERIFY(before < costOf(arcs, start));
  }

  void partsKeepTheirBegin() {
    std::vector<std::int32_t> ranks{3, 9, 5, 6};
    minimizeRanks({{0, 1, 1, 1}, {2, 3, 1, 1}}, ranks, 100);
    QCOMPARE(ranks, (std::vector<std::int32_t>{3, 4, 5, 6}));
  }

  void nothingToDo() {
    std::vector<std::int32_t> ranks{2, 1};
    QCOMPARE(minimizeRanks({}, ranks, 10), 0);
    QCOMPARE(ranks, (std::vector<std::int32_t>{2, 1}));
  }
};

QTEST_APPLESS_MAIN(TestRanks)
#include "tst_ranks.moc"
