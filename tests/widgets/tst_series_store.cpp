// The pyramid against the plain list, and smoothing against TensorBoard's formula.
#include <QTest>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "plot/series_store.h"
#include "plot/smoothing.h"

using namespace weft::widgets;

namespace {

SeriesStore randomStore(int count, unsigned seed, bool holes = false) {
  std::mt19937 random(seed);
  std::normal_distribution<double> value(0, 3);
  SeriesStore store;
  for (int i = 0; i < count; ++i) {
    double v = value(random);
    if (holes && random() % 10 == 0) v = random() % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
    store.append({i * 2.0, 100.0 + i * 0.5, v});
  }
  return store;
}

Block plain(const SeriesStore& store, size_t first, size_t last) {
  Block b;
  for (size_t i = first; i < last; ++i) {
    const double v = store[i].value;
    ++b.count;
    if (!std::isfinite(v)) continue;
    b.min = b.finite == 0 ? v : std::min(b.min, v);
    b.max = b.finite == 0 ? v : std::max(b.max, v);
    b.sum += v;
    ++b.finite;
  }
  return b;
}

void compare(const Block& a, const Block& b) {
  QCOMPARE(a.count, b.count);
  QCOMPARE(a.finite, b.finite);
  QCOMPARE(a.min, b.min);
  QCOMPARE(a.max, b.max);
  QVERIFY(std::abs(a.sum - b.sum) < 1e-6 * (1 + std::abs(b.sum)));
}

}  // namespace

class TestSeriesStore : public QObject {
  Q_OBJECT

 private slots:
  void summariesEqualThePlainOnes() {
    const SeriesStore store = randomStore(5000, 1, true);
    std::mt19937 random(2);
    for (int i = 0; i < 2000; ++i) {
      size_t a = random() % 5001, b = random() % 5001;
      if (a > b) std::swap(a, b);
      compare(store.summary(a, b), plain(store, a, b));
    }
  }

  void piecesEqualOneByOne() {
    std::mt19937 random(11);
    std::vector<Sample> all;
    double step = 0;
    for (int i = 0; i < 20000; ++i) {
      step = random() % 4000 == 0 ? std::max(0.0, step - double(random() % 900)) : step + double(random() % 3);  // now and then a resumed run
      all.push_back({step, double(i), random() % 50 == 0 ? std::numeric_limits<double>::quiet_NaN() : double(random() % 1000)});
    }
    SeriesStore single, pieces;
    for (const Sample& sample : all) single.append(sample);
    for (size_t at = 0; at < all.size();) {
      const size_t count = std::min<size_t>(all.size() - at, 1 + random() % 700);
      pieces.append(std::span<const Sample>(all.data() + at, count));
      at += count;
    }
    QCOMPARE(pieces.size(), single.size());
    QCOMPARE(pieces.version(), single.version());
    for (int i = 0; i < 300; ++i) {
      size_t first = random() % single.size(), last = random() % (single.size() + 1);
      if (first > last) std::swap(first, last);
      const Block a = single.summary(first, last), b = pieces.summary(first, last);
      QCOMPARE(b.count, a.count);
      QCOMPARE(b.finite, a.finite);
      QCOMPARE(b.min, a.min);
      QCOMPARE(b.max, a.max);
      QCOMPARE(b.sum, a.sum);  // of whole numbers: exact in any order
    }
  }
  void blocksCoverEverythingOnce_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("most");
    for (const int count : {1, 2, 7, 100, 999, 20000})
      for (const int most : {1, 2, 50, 900}) QTest::addRow("%d/%d", count, most) << count << most;
  }
  void blocksCoverEverythingOnce() {
    QFETCH(int, count);
    QFETCH(int, most);
    const SeriesStore store = randomStore(count, 3);
    const auto blocks = store.blocks(-1e9, 1e9, SeriesStore::X::Step, static_cast<size_t>(most));
    QVERIFY2(blocks.size() <= static_cast<size_t>(std::max(most, 1)) + 1, qPrintable(QString::number(blocks.size())));
    size_t next = 0;
    Block all;
    for (const Block& block : blocks) {
      QCOMPARE(block.first, next);
      QCOMPARE(block.x0, store[next].step);
      next += static_cast<size_t>(block.count);
      QCOMPARE(block.x1, store[next - 1].step);
      compare(block, plain(store, block.first, next));
    }
    QCOMPARE(next, static_cast<size_t>(count));
    if (count <= most - 2) QCOMPARE(blocks.size(), static_cast<size_t>(count));
  }

  void aRangeHasItsNeighbours() {
    const SeriesStore store = randomStore(1000, 4);
    const auto blocks = store.blocks(100, 120, SeriesStore::X::Step, 500);
    QCOMPARE(blocks.front().x0, 98.0);
    QCOMPARE(blocks.back().x1, 122.0);
    QVERIFY(store.blocks(5, 4, SeriesStore::X::Step, 10).empty());
  }

  void goingBackReplaces() {
    SeriesStore store = randomStore(3000, 5);
    store.append({1001, 0, 42});
    QCOMPARE(store.size(), size_t{502});
    QCOMPARE(store[501].value, 42.0);
    compare(store.summary(0, 502), plain(store, 0, 502));
    for (int i = 0; i < 700; ++i) store.append({2000.0 + i, 0, i * 1.0});
    compare(store.summary(300, 1200), plain(store, 300, 1200));
  }

  void axesAndNearest() {
    const SeriesStore store = randomStore(100, 6);
    QCOMPARE(store.x(4, SeriesStore::X::Step), 8.0);
    QCOMPARE(store.x(4, SeriesStore::X::Wall), 102.0);
    QCOMPARE(store.x(4, SeriesStore::X::Relative), 2.0);
    QCOMPARE(store.nearest(8.9, SeriesStore::X::Step), size_t{4});
    QCOMPARE(store.nearest(9.1, SeriesStore::X::Step), size_t{5});
    QCOMPARE(store.nearest(-5, SeriesStore::X::Step), size_t{0});
    QCOMPARE(store.nearest(1e9, SeriesStore::X::Step), size_t{99});
  }

  // TensorBoard's line chart, written out as in its documentation of the formula: debiased exponential moving average.
  void smoothingIsTensorBoards_data() {
    QTest::addColumn<double>("weight");
    for (const double w : {0.0, 0.3, 0.6, 0.9, 0.99, 0.999}) QTest::addRow("%g", w) << w;
  }
  void smoothingIsTensorBoards() {
    QFETCH(double, weight);
    const SeriesStore store = randomStore(2000, 7, true);
    std::vector<double> expected;
    double last = 0;
    int accumulated = 0;
    for (size_t i = 0; i < store.size(); ++i) {
      const double next = store[i].value;
      if (!std::isfinite(next)) {
        expected.push_back(next);
        continue;
      }
      last = last * weight + (1 - weight) * next;
      ++accumulated;
      const double debias = weight == 1 ? 1 : 1 - std::pow(weight, accumulated);
      expected.push_back(last / debias);
    }
    const std::vector<double> got = smoothed(store, {Smoothing::Kind::Ema, weight});
    QCOMPARE(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      if (std::isnan(expected[i])) {
        QVERIFY(std::isnan(got[i]));
      } else if (std::isinf(expected[i])) {
        QCOMPARE(got[i], expected[i]);
      } else {
        QVERIFY2(std::abs(got[i] - expected[i]) <= 1e-12 * (1 + std::abs(expected[i])),
                 qPrintable(QStringLiteral("%1: %2 %3").arg(i).arg(got[i]).arg(expected[i])));
      }
    }
  }

  void neighboursAreWeighed_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("strength");
    for (const double strength : {0.3, 0.9, 0.99}) {
      QTest::addRow("average %g", strength) << int(Smoothing::Kind::Average) << strength;
      QTest::addRow("Gaussian %g", strength) << int(Smoothing::Kind::Gaussian) << strength;
    }
  }
  // Against the sums as they are written down, sample by sample.
  void neighboursAreWeighed() {
    QFETCH(int, kind);
    QFETCH(double, strength);
    const SeriesStore store = randomStore(1500, 11, true);
    const Smoothing how{Smoothing::Kind(kind), strength};
    const std::vector<double> got = smoothed(store, how);
    const double half = double(how.window() / 2), sigma = how.sigma();
    // Wide Gaussians are summed over blocks of an eighth of their standard deviation.
    const double tolerance = how.kind == Smoothing::Kind::Gaussian ? (sigma >= 16 ? 3e-2 : 1e-3) : 1e-9;
    for (size_t i = 0; i < store.size(); i += 7) {
      if (!std::isfinite(store[i].value)) continue;
      double sum = 0, all = 0;
      for (size_t k = 0; k < store.size(); ++k) {
        const double away = std::abs(double(k) - double(i));
        const double w = how.kind == Smoothing::Kind::Average ? (away <= half ? 1 : 0) : std::exp(-0.5 * away * away / (sigma * sigma));
        if (!std::isfinite(store[k].value)) continue;
        sum += w * store[k].value;
        all += w;
      }
      QVERIFY2(std::abs(got[i] - sum / all) < tolerance, qPrintable(QStringLiteral("%1: %2, not %3").arg(i).arg(got[i]).arg(sum / all)));
    }
  }

  // At one strength all ways leave the same part of white noise.
  void strengthsAreComparable() {
    SeriesStore store;
    std::mt19937 random(5);
    std::normal_distribution<double> noise;
    for (int i = 0; i < 40000; ++i) store.append({i * 1.0, i * 0.5, noise(random)});
    const double expected = (1 - 0.9) / (1 + 0.9);
    for (const auto kind : {Smoothing::Kind::Ema, Smoothing::Kind::TimeEma, Smoothing::Kind::Average, Smoothing::Kind::Gaussian}) {
      double squares = 0;
      for (const double v : smoothed(store, {kind, 0.9})) squares += v * v;
      QVERIFY2(std::abs(squares / 40000 / expected - 1) < 0.1,
               qPrintable(QStringLiteral("%1: %2, not %3").arg(smoothingName(kind)).arg(squares / 40000).arg(expected)));
    }
  }

  void timeCountsNotSamples() {
    // A second of many samples at 0, then one of a few at 1: by samples the many weigh more, by time both seconds weigh the same.
    SeriesStore store;
    for (int i = 0; i < 1000; ++i) store.append({i * 1.0, i * 1e-3, 0});
    for (int i = 0; i < 10; ++i) store.append({1000.0 + i, 1 + i * 0.1, 1});
    const double bySample = smoothed(store, {Smoothing::Kind::Ema, 0.95}).back(), byTime = smoothed(store, {Smoothing::Kind::TimeEma, 0.95}).back();
    QVERIFY2(bySample < 0.5 && byTime > 0.95, qPrintable(QStringLiteral("%1 %2").arg(bySample).arg(byTime)));
  }

  void aGrowingSeriesIsSmoothedAsAWhole_data() {
    QTest::addColumn<int>("kind");
    for (int kind = 0; kind < 4; ++kind) QTest::addRow("%s", qPrintable(smoothingName(Smoothing::Kind(kind)))) << kind;
  }
  void aGrowingSeriesIsSmoothedAsAWhole() {
    QFETCH(int, kind);
    const Smoothing how{Smoothing::Kind(kind), 0.95};
    SmoothedCurve curve;
    curve.set(how);
    SeriesStore store;
    const SeriesStore all = randomStore(900, 3, true);
    for (size_t i = 0; i < all.size(); ++i) {
      store.append(all[i]);
      if (i % 37 == 0) curve.update(store);
    }
    const auto same = [&] {
      const std::vector<double> whole = smoothed(store, how);
      const std::vector<double>& grown = curve.update(store);
      QCOMPARE(grown.size(), whole.size());
      for (size_t i = 0; i < whole.size(); ++i)
        QVERIFY2(std::isnan(whole[i]) ? std::isnan(grown[i]) : grown[i] == whole[i] || std::abs(grown[i] - whole[i]) < 1e-9, qPrintable(QString::number(i)));
    };
    same();
    store.append({400, 400, 2});  // a resumed run
    same();
  }

  void aConstantStays() {
    SeriesStore store;
    for (int i = 0; i < 100; ++i) store.append({i * 1.0, 0, 0.1});
    for (const double v : smoothed(store, {Smoothing::Kind::Ema, 0.97})) QCOMPARE(v, 0.1);
  }

  void aMillionIsQuick() {
    SeriesStore store;
    for (int i = 0; i < 1'000'000; ++i) store.append({i * 1.0, i * 1.0, std::sin(i * 1e-3)});
    QBENCHMARK { QVERIFY(store.blocks(0, 1e6, SeriesStore::X::Step, 900).size() <= 901); }
  }
};

QTEST_GUILESS_MAIN(TestSeriesStore)
#include "tst_series_store.moc"
