// Points of many dimensions in two and three: neighbours, PCA, t-SNE and UMAP, and what they do with senseless input.
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "weft/embedding.h"

using namespace weft;

namespace {

struct Made {
  std::vector<float> values;
  int64_t rows, columns;
  PointsView view() const { return {values.data(), rows, columns}; }
};

/// Row i belongs to cluster i % clusters.
Made clusters(int64_t rows, int64_t columns, int count, double distance = 10) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  std::vector<float> centers;
  for (int64_t i = 0; i < count * columns; ++i) centers.push_back(float(distance / std::sqrt(double(columns))) * normal(random));
  Made out{{}, rows, columns};
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t c = 0; c < columns; ++c) out.values.push_back(centers[size_t((i % count) * columns + c)] + 0.3f * normal(random));
  return out;
}

double squareBetween(const float* a, const float* b, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += (double(a[i]) - b[i]) * (double(a[i]) - b[i]);
  return sum;
}

/// The share of points whose nearest point in the embedding is of the same cluster.
double purity(const Embedding& e, int count) {
  int right = 0;
  for (int64_t i = 0; i < e.rows; ++i) {
    int64_t best = -1;
    double least = 0;
    for (int64_t j = 0; j < e.rows; ++j) {
      const double d = squareBetween(e.positions.data() + i * e.dimensions, e.positions.data() + j * e.dimensions, e.dimensions);
      if (j != i && (best < 0 || d < least)) best = j, least = d;
    }
    right += best % count == i % count;
  }
  return double(right) / double(e.rows);
}

double recall(const Made& points, const Neighbors& found) {
  int64_t hits = 0, all = 0;
  for (int64_t i = 0; i < points.rows; i += std::max<int64_t>(1, points.rows / 100)) {
    const auto exact = neighborsOf(points.view(), i, found.count, PointMetric::Euclidean);
    const std::set<int32_t> own(found.index.begin() + i * found.count, found.index.begin() + (i + 1) * found.count);
    for (const int32_t j : exact->index) hits += int64_t(own.count(j));
    all += exact->count;
  }
  return double(hits) / double(all);
}

bool allFinite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
}

NeighborOptions nearest(int count, PointMetric metric = PointMetric::Euclidean) {
  NeighborOptions o;
  o.count = count;
  o.metric = metric;
  return o;
}

EmbeddingOptions optionsFor(EmbeddingMethod method, int dimensions = 2) {
  EmbeddingOptions o;
  o.method = method;
  o.dimensions = dimensions;
  return o;
}

}  // namespace

class EmbeddingTest : public QObject {
  Q_OBJECT

 private slots:
  void neighborsOfFewRowsAreExact() {
    const Made points = clusters(500, 20, 5);
    const auto found = findNeighbors(points.view(), nearest(10));
    QVERIFY(found.ok());
    QCOMPARE(recall(points, *found), 1.0);
    for (int64_t i = 0; i < points.rows; ++i) {
      for (int k = 0; k < 10; ++k) {
        const double d = std::sqrt(squareBetween(points.values.data() + i * 20, points.values.data() + found->index[size_t(i * 10 + k)] * 20, 20));
        QVERIFY(std::abs(d - found->distance[size_t(i * 10 + k)]) < 1e-3);
        if (k > 0) QVERIFY(found->distance[size_t(i * 10 + k)] >= found->distance[size_t(i * 10 + k - 1)]);
      }
    }
  }

  void manyRowsAndColumnsLoseFewNeighbors() {
    const Made points = clusters(6000, 200, 8, 4);  // more rows and columns than are compared exactly
    const auto found = findNeighbors(points.view(), nearest(15));
    QVERIFY(found.ok());
    QVERIFY2(recall(points, *found) > 0.9, qPrintable(QString::number(recall(points, *found))));
  }

  void veryManyRowsAreFoundByPartitions() {
    const Made points = clusters(140000, 8, 40);
    const auto found = findNeighbors(points.view(), nearest(10));
    QVERIFY(found.ok());
    QVERIFY2(recall(points, *found) > 0.95, qPrintable(QString::number(recall(points, *found))));
  }

  void cosineIgnoresLengths() {
    const Made points{{1, 0, 5, 0.1f, 0, 1, 0, 7, 0, 0, 0, 0}, 6, 2};
    const auto found = findNeighbors(points.view(), nearest(5, PointMetric::Cosine));
    QVERIFY(found.ok());
    QCOMPARE(found->index[0], 1);   // (5, 0.1) points nearly as (1, 0) does
    QCOMPARE(found->index[10], 3);  // (0, 7) as (0, 1)
    QVERIFY(std::abs(found->distance[10]) < 1e-6);
    QCOMPARE(found->index[20], 5);  // zeros are like zeros, and at a right angle to all others
    QVERIFY(std::abs(found->distance[21] - 1) < 1e-6);
    const auto one = neighborsOf(points.view(), 4, 5, PointMetric::Cosine);
    QCOMPARE(one->index[0], 5);
    QVERIFY(std::abs(one->distance[1] - 1) < 1e-6);
  }

  void principalComponentsAreTheLargestVariances() {
    // Variances 9, 4 and 0.01 along the first three axes.
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    Made points{{}, 3000, 30};
    for (int64_t i = 0; i < points.rows; ++i)
      for (int c = 0; c < 30; ++c) points.values.push_back(100.f + (c == 3 ? 3.f : c == 17 ? 2.f : 0.1f) * normal(random));
    const auto e = embed(points.view(), optionsFor(EmbeddingMethod::Pca));
    QVERIFY(e.ok());
    QVERIFY(std::abs(e->varianceShares[0] - 9 / 13.28) < 0.03);
    QVERIFY(std::abs(e->varianceShares[1] - 4 / 13.28) < 0.03);
    for (int64_t i = 0; i < 100; ++i) {
      QVERIFY(std::abs(std::abs(e->positions[size_t(2 * i)]) - std::abs(points.values[size_t(i * 30 + 3)] - 100)) < 0.5);
      QVERIFY(std::abs(std::abs(e->positions[size_t(2 * i + 1)]) - std::abs(points.values[size_t(i * 30 + 17)] - 100)) < 0.5);
    }
  }

  void clustersStayApart_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<int>("dimensions");
    for (const int d : {2, 3}) {
      QTest::addRow("t-SNE in %d dimensions", d) << int(EmbeddingMethod::Tsne) << d;
      QTest::addRow("UMAP in %d dimensions", d) << int(EmbeddingMethod::Umap) << d;
    }
  }
  void clustersStayApart() {
    QFETCH(int, method);
    QFETCH(int, dimensions);
    const Made points = clusters(600, 40, 6);
    EmbeddingOptions o = optionsFor(EmbeddingMethod(method), dimensions);
    o.steps = 250;
    const auto e = embed(points.view(), o);
    QVERIFY(e.ok());
    QCOMPARE(e->positions.size(), size_t(600 * dimensions));
    QVERIFY(allFinite(e->positions));
    QVERIFY2(purity(*e, 6) > 0.99, qPrintable(QString::number(purity(*e, 6))));
  }

  void theMeshGivesTheDivergenceOfAllPairs() {
    const Made points = clusters(400, 10, 4);
    EmbeddingOptions o = optionsFor(EmbeddingMethod::Tsne);
    o.perplexity = 20;
    const auto e = embed(points.view(), o);
    QVERIFY(e.ok());
    // The same by the definition: Gaussians over the 60 nearest neighbours, all pairs of positions.
    const auto near = findNeighbors(points.view(), nearest(60));
    const int64_t n = points.rows;
    std::vector<double> p(size_t(n * n), 0);
    for (int64_t i = 0; i < n; ++i) {
      double low = 1e-6, high = 1e6, sum = 0;
      std::vector<double> w(60);
      for (int round = 0; round < 100; ++round) {
        const double beta = std::sqrt(low * high);
        double moment = 0;
        sum = 0;
        for (int k = 0; k < 60; ++k) {
          const double d = std::pow(near->distance[size_t(i * 60 + k)], 2) - std::pow(near->distance[size_t(i * 60)], 2);
          w[size_t(k)] = std::exp(-beta * d);
          sum += w[size_t(k)];
          moment += beta * d * w[size_t(k)];
        }
        (std::log(sum) + moment / sum > std::log(20.0) ? low : high) = beta;
      }
      for (int k = 0; k < 60; ++k) {
        const int64_t j = near->index[size_t(i * 60 + k)];
        p[size_t(i * n + j)] += w[size_t(k)] / sum / 2 / double(n);
        p[size_t(j * n + i)] += w[size_t(k)] / sum / 2 / double(n);
      }
    }
    double z = 0, divergence = 0;
    const auto kernel = [&](int64_t i, int64_t j) { return 1 / (1 + squareBetween(e->positions.data() + 2 * i, e->positions.data() + 2 * j, 2)); };
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) z += i == j ? 0 : kernel(i, j);
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        if (const double v = p[size_t(i * n + j)]; v > 0) divergence += v * std::log(v / (kernel(i, j) / z));
    QVERIFY2(std::abs(divergence - e->divergence) < 0.01, qPrintable(QStringLiteral("%1, by all pairs %2").arg(e->divergence).arg(divergence)));
  }

  void theNumberOfThreadsChangesNothing_data() {
    QTest::addColumn<int>("method");
    QTest::newRow("PCA") << int(EmbeddingMethod::Pca);
    QTest::newRow("t-SNE") << int(EmbeddingMethod::Tsne);
    QTest::newRow("UMAP") << int(EmbeddingMethod::Umap);
  }
  void theNumberOfThreadsChangesNothing() {
    QFETCH(int, method);
    const Made points = clusters(5000, 120, 10);
    EmbeddingOptions o = optionsFor(EmbeddingMethod(method));
    o.exaggeratedSteps = o.steps = o.epochs = 30;
    o.threads = 1;
    const auto one = embed(points.view(), o);
    o.threads = 3;
    const auto three = embed(points.view(), o);
    QVERIFY(one.ok() && three.ok());
    QVERIFY(one->positions == three->positions);
    o.seed = 43;
    const auto other = embed(points.view(), o);
    if (EmbeddingMethod(method) != EmbeddingMethod::Pca) QVERIFY(other->positions != one->positions);
  }

  void aWarmStartStaysNear() {
    const Made points = clusters(600, 20, 5);
    EmbeddingOptions o = optionsFor(EmbeddingMethod::Umap);
    const auto first = embed(points.view(), o);
    o.initial = first->positions;
    o.epochs = 20;
    const auto again = embed(points.view(), o);
    double moved = 0, range = 0;
    for (size_t i = 0; i < first->positions.size(); ++i) {
      moved += std::abs(first->positions[i] - again->positions[i]) / double(first->positions.size());
      range = std::max(range, double(std::abs(first->positions[i])));
    }
    QVERIFY2(moved < 0.1 * range, qPrintable(QStringLiteral("%1 of %2").arg(moved).arg(range)));
  }

  void fewEqualAndConstantRowsHaveAPlace_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("kinds");  // of different rows
    for (const int method : {0, 1, 2}) {
      for (const auto& [rows, kinds] : {std::pair(0, 0), {1, 1}, {2, 2}, {3, 3}, {10, 10}, {50, 1}, {300, 3}})
        QTest::addRow("method %d, %d rows of %d kinds", method, rows, kinds) << method << rows << kinds;
    }
  }
  void fewEqualAndConstantRowsHaveAPlace() {
    QFETCH(int, method);
    QFETCH(int, rows);
    QFETCH(int, kinds);
    Made points{{}, rows, 4};
    for (int i = 0; i < rows; ++i)
      for (int c = 0; c < 4; ++c) points.values.push_back(float((i % std::max(1, kinds)) * (c + 1)));
    for (const int dimensions : {2, 3}) {
      EmbeddingOptions o = optionsFor(EmbeddingMethod(method), dimensions);
      o.steps = o.exaggeratedSteps = o.epochs = 50;
      const auto e = embed(points.view(), o);
      QVERIFY2(e.ok(), e.ok() ? "" : e.error().message.c_str());
      QCOMPARE(e->positions.size(), size_t(rows * dimensions));
      QVERIFY(allFinite(e->positions));
    }
  }

  void numbersThatAreNotFiniteAreNamed() {
    Made points = clusters(100, 5, 2);
    points.values[17 * 5 + 3] = std::numeric_limits<float>::quiet_NaN();
    QCOMPARE(QString::fromStdString(embed(points.view(), {}).error().message), QStringLiteral("Row 17 holds NaN in column 3; all numbers must be finite."));
    points.values[17 * 5 + 3] = -std::numeric_limits<float>::infinity();
    QCOMPARE(QString::fromStdString(findNeighbors(points.view(), {}).error().message),
             QStringLiteral("Row 17 holds -infinity in column 3; all numbers must be finite."));
  }

  void optionsOutOfRangeAreRefused() {
    const Made points = clusters(20, 3, 2);
    const auto message = [&](auto&& change) {
      EmbeddingOptions o = optionsFor(EmbeddingMethod::Tsne);
      change(o);
      const auto e = embed(points.view(), o);
      return e.ok() ? QString() : QString::fromStdString(e.error().message);
    };
    QCOMPARE(message([](auto& o) { o.dimensions = 4; }), QStringLiteral("An embedding has 2 or 3 dimensions, not 4."));
    QCOMPARE(message([](auto& o) { o.perplexity = 0; }), QStringLiteral("The perplexity is 0; it must be at least 1."));
    QVERIFY(message([](auto& o) { o.method = EmbeddingMethod::Umap, o.minimumDistance = 2; }).contains(QStringLiteral("minimum distance is 2")));
    const std::vector<float> three(3);
    QVERIFY(message([&](auto& o) { o.initial = three; }).contains(QStringLiteral("3 initial coordinates")));
    QCOMPARE(QString::fromStdString(neighborsOf(points.view(), 20, 3, PointMetric::Euclidean).error().message),
             QStringLiteral("There is no row 20; there are 20 rows."));
  }

  void itCanBeCancelled() {
    struct Canceller : EmbeddingObserver {
      CancellationToken token;
      int steps = 0;
      void progressed(const EmbeddingProgress& p) override {
        if (p.steps > 0 && ++steps == 3) token.cancel();
      }
    } canceller;
    EmbeddingOptions o = optionsFor(EmbeddingMethod::Tsne);
    o.cancellation = canceller.token;
    const auto e = embed(clusters(300, 5, 3).view(), o, &canceller);
    QVERIFY(!e.ok());
    QCOMPARE(e.error().code, Code::Cancelled);
    QCOMPARE(canceller.steps, 3);
  }

  void tensorsBecomePoints() {
    const auto points = pointsOf(Tensor::of(std::vector<int32_t>{1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2}));
    QVERIFY(points.ok());
    QCOMPARE(points->view().columns, 4);
    QCOMPARE(points->view().data[5], 6.f);
    QVERIFY(!pointsOf(Tensor::of(std::vector<float>{1, 2}, {2})).ok());
    QVERIFY(!pointsOf(Tensor::of(std::vector<std::string>{"a", "b"}, {1, 2})).ok());
  }
};

QTEST_APPLESS_MAIN(EmbeddingTest)
#include "tst_embedding.moc"
