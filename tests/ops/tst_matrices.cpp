#include <QTest>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/convolution.h"
#include "device/cpu/matrices.h"
#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;
using namespace weft::cpu;

namespace {

using Complex = std::complex<double>;

template <typename T>
std::vector<T> randomNumbers(int64_t n, uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<T> out(static_cast<size_t>(n));
  for (T& x : out) {
    const auto draw = [&] { return double(engine() % 2001) / 1000 - 1; };
    if constexpr (std::is_integral_v<T>) x = T(engine());
    else if constexpr (std::is_floating_point_v<T>) x = T(draw());
    else x = T(typename T::value_type(draw()), typename T::value_type(draw()));
  }
  return out;
}

template <typename T>
T conjugateIf(bool yes, const T& x) {
  if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, Complex>) return yes ? std::conj(x) : x;
  else return x;
}

template <typename T>
T elementOf(const MatrixView& v, int64_t i, int64_t j) {
  return conjugateIf(v.conjugate, static_cast<const T*>(v.data)[i * v.rowStride + j * v.columnStride]);
}

/// Compares a product with sums in the order of the definition.
template <typename T>
void compareProduct(int64_t m, int64_t k, int64_t n) {
  const std::vector<T> a = randomNumbers<T>(m * k, 1), b = randomNumbers<T>(k * n, 2), old = randomNumbers<T>(m * n, 3);
  const auto compare = [&](bool ta, bool tb, Update update) {
    const MatrixView left{a.data(), ta ? 1 : k, ta ? m : 1, ta}, right{b.data(), tb ? 1 : n, tb ? k : 1, tb};
    std::vector<T> c = old;
    product(productTypeOf<T>(), m, k, n, left, right, c.data(), n, update);
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        T want(0);
        const auto add = [](T x, T y) {
          if constexpr (std::is_integral_v<T>) return T(uint64_t(x) + uint64_t(y));
          else return T(x + y);
        };
        for (int64_t p = 0; p < k; ++p) {
          const T x = elementOf<T>(left, i, p), y = elementOf<T>(right, p, j);
          if constexpr (std::is_integral_v<T>) want = add(want, T(uint64_t(x) * uint64_t(y)));
          else want += x * y;
        }
        const T before = old[size_t(i * n + j)], got = c[size_t(i * n + j)];
        if (update == Update::Add) want = add(before, want);
        if (update == Update::Subtract) want = add(before, -want);
        if constexpr (std::is_integral_v<T>) {
          QCOMPARE(got, want);
        } else {
          const double limit = double(std::numeric_limits<decltype(std::abs(got))>::epsilon()) * 24 * std::sqrt(double(k) + 1);
          QVERIFY2(double(std::abs(got - want)) <= limit, qPrintable(QString("%1 x %2 x %3 at %4, %5").arg(m).arg(k).arg(n).arg(i).arg(j)));
        }
      }
    }
  };
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) compare(ta, tb, Update::Set);
  }
  compare(false, false, Update::Add);
  compare(true, false, Update::Subtract);
}

template <typename T>
std::vector<T> plainProduct(int64_t m, int64_t k, int64_t n, const std::vector<T>& a, const std::vector<T>& b, bool adjointB = false) {
  std::vector<T> c(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t p = 0; p < k; ++p)
        c[size_t(i * n + j)] += a[size_t(i * k + p)] * (adjointB ? conjugateIf(true, b[size_t(j * k + p)]) : b[size_t(p * n + j)]);
    }
  }
  return c;
}

template <typename T>
double distance(const std::vector<T>& a, const std::vector<T>& b) {
  double most = a.size() == b.size() ? 0 : 1e300;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double d = std::abs(a[i] - b[i]);
    if (!(d <= most)) most = d;
  }
  return most;
}

template <typename T>
std::vector<T> identity(int64_t n) {
  std::vector<T> out(static_cast<size_t>(n * n));
  for (int64_t i = 0; i < n; ++i) out[size_t(i * (n + 1))] = T(1);
  return out;
}

/// A Hermitian matrix with positive eigenvalues.
template <typename T>
std::vector<T> positiveMatrix(int64_t n) {
  const std::vector<T> a = randomNumbers<T>(n * n, 5);
  std::vector<T> out = plainProduct(n, n, n, a, a, true);
  for (int64_t i = 0; i < n; ++i) out[size_t(i * (n + 1))] += T(double(n));
  return out;
}

template <typename T>
void compareFactors(int64_t n) {
  const double limit = 1e-13 * double(n * n + 10);
  const std::vector<T> p = positiveMatrix<T>(n), a = randomNumbers<T>(n * n, 6);

  std::vector<T> l = p;
  QVERIFY(choleskyFactor(l.data(), n, n));
  for (int64_t i = 0; i < n; ++i) std::fill_n(l.begin() + i * n + i + 1, n - i - 1, T(0));
  QVERIFY(distance(plainProduct(n, n, n, l, l, true), p) < limit);

  std::vector<T> lu = a, moved = a, lower = identity<T>(n), upper(a.size());
  std::vector<int> pivots(static_cast<size_t>(n));
  luFactor(lu.data(), n, n, pivots.data());
  for (int64_t i = 0; i < n; ++i) {
    std::swap_ranges(moved.begin() + i * n, moved.begin() + (i + 1) * n, moved.begin() + pivots[size_t(i)] * n);
    for (int64_t j = 0; j < n; ++j) (j < i ? lower : upper)[size_t(i * n + j)] = lu[size_t(i * n + j)];
  }
  // A row exchanged with itself must stay as it is: swap_ranges of equal ranges does nothing.
  QVERIFY(distance(plainProduct(n, n, n, lower, upper), moved) < limit);

  std::vector<T> r = a, q = identity<T>(n);
  qrFactor(r.data(), n, n, n).apply(q.data(), n, n, true);
  for (int64_t i = 0; i < n; ++i) std::fill_n(r.begin() + i * n, i, T(0));
  QVERIFY(distance(plainProduct(n, n, n, q, r), a) < limit);
  QVERIFY(distance(plainProduct(n, n, n, q, q, true), identity<T>(n)) < limit);

  std::vector<T> h = p, vectors(p.size()), scaled(p.size());
  std::vector<double> values(static_cast<size_t>(n));
  QVERIFY(hermitianEigen(h.data(), n, values.data(), vectors.data()));
  for (int64_t i = 0; i < n * n; ++i) scaled[size_t(i)] = vectors[size_t(i)] * values[size_t(i % n)];
  QVERIFY(distance(plainProduct(n, n, n, scaled, vectors, true), p) < limit);
  QVERIFY(std::is_sorted(values.begin(), values.end()));

  const int64_t m = 2 * n + 1;
  const std::vector<T> tall = randomNumbers<T>(m * n, 7);
  std::vector<T> work = tall, u(static_cast<size_t>(m * n)), v(static_cast<size_t>(n * n));
  QVERIFY(singularValues(work.data(), m, n, values.data(), u.data(), n, v.data()));
  for (int64_t i = 0; i < m * n; ++i) u[size_t(i)] *= values[size_t(i % n)];
  QVERIFY(distance(plainProduct(m, n, n, u, v, true), tall) < limit);
  QVERIFY(std::is_sorted(values.rbegin(), values.rend()));
}

/// The outputs of an op for one matrix [rows, columns].
Result<std::vector<Tensor>> resultsOf(const char* op, const std::vector<double>& elements, int64_t columns, bool complex = false) {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output fed = b.placeholder(DType::Double, Shape::unknown(), "x");
  const Output x = complex ? b.op("Cast", {fed}, {{"DstT", DType::Complex128}}) : fed;
  const int node = b.node(op, {x}, {}, "y");
  if (!b.ok()) return b.status().error();
  std::vector<std::string> fetches;
  for (const Output& o : b.outputsOf(node)) fetches.push_back(meta.graph.tensorName(o));
  WEFT_LET(const auto session, Session::create(meta.graph, {}));
  return session->run({{"x", Tensor::vector(elements).reshaped({int64_t(elements.size()) / columns, columns})}}, fetches);
}

}  // namespace

class Matrices : public QObject {
  Q_OBJECT

 private slots:
  void cleanup() { setThreadParallelism(0); }

  void productsOfAllTypes_data() {
    QTest::addColumn<QList<int>>("sizes");
    for (const QList<int>& s : {QList<int>{1, 1, 1},
                                {3, 3, 3},
                                {1, 40, 70},
                                {70, 40, 1},
                                {5, 300, 17},
                                {13, 7, 31},
                                {64, 64, 64},
                                {97, 33, 130},
                                {2, 3, 200},
                                {30, 2, 40},
                                {8, 8, 8}}) {
      QTest::newRow(qPrintable(QString("%1 x %2 x %3").arg(s[0]).arg(s[1]).arg(s[2]))) << s;
    }
  }
  void productsOfAllTypes() {
    QFETCH(QList<int>, sizes);
    compareProduct<float>(sizes[0], sizes[1], sizes[2]);
    compareProduct<double>(sizes[0], sizes[1], sizes[2]);
    compareProduct<int32_t>(sizes[0], sizes[1], sizes[2]);
    compareProduct<int64_t>(sizes[0], sizes[1], sizes[2]);
    compareProduct<std::complex<float>>(sizes[0], sizes[1], sizes[2]);
    compareProduct<Complex>(sizes[0], sizes[1], sizes[2]);
  }

  void aProductWithoutTermsIsZero() {
    std::vector<double> c = {1, 2, 3, 4};
    product(ProductType::Double, 2, 0, 2, {nullptr, 0, 1, false}, {nullptr, 2, 1, false}, c.data(), 2, Update::Add);
    QCOMPARE(c, (std::vector<double>{1, 2, 3, 4}));
    product(ProductType::Double, 2, 0, 2, {nullptr, 0, 1, false}, {nullptr, 2, 1, false}, c.data(), 2, Update::Set);
    QCOMPARE(c, std::vector<double>(4, 0.0));
  }

  void resultsDoNotDependOnTheNumberOfThreads() {
    const auto bits = [](int threads) {
      setThreadParallelism(threads);
      std::vector<double> all;
      for (const auto& [m, k, n] : {std::array<int64_t, 3>{150, 300, 170}, {8, 5000, 8}, {4, 300, 600}, {1, 700, 700}}) {
        const std::vector<double> a = randomNumbers<double>(m * k, 1), b = randomNumbers<double>(k * n, 2);
        std::vector<double> c(static_cast<size_t>(m * n));
        product(ProductType::Double, m, k, n, {a.data(), k, 1, false}, {b.data(), n, 1, false}, c.data(), n, Update::Set);
        all.insert(all.end(), c.begin(), c.end());
      }
      const int64_t n = 140;
      std::vector<double> p = positiveMatrix<double>(n), vectors(p.size()), values(static_cast<size_t>(n));
      hermitianEigen(p.data(), n, values.data(), vectors.data());
      all.insert(all.end(), vectors.begin(), vectors.end());
      ConvGeometry g;
      g.batch = 3, g.inHeight = g.outHeight = 20, g.inWidth = g.outWidth = 20, g.inChannels = 6, g.outChannels = 5, g.kernelHeight = g.kernelWidth = 3;
      g.strideHeight = g.strideWidth = 1, g.padTop = g.padLeft = g.padBottom = g.padRight = 1;
      std::vector<double> images = randomNumbers<double>(3 * 400 * 6, 8), grads = randomNumbers<double>(3 * 400 * 5, 9), filter(9 * 6 * 5);
      unfoldedConvolution(ConvDirection::Filter, g, images.data(), filter.data(), grads.data());
      all.insert(all.end(), filter.begin(), filter.end());
      return all;
    };
    const std::vector<double> one = bits(1), three = bits(3);
    QVERIFY(one.size() == three.size() && std::memcmp(one.data(), three.data(), one.size() * sizeof(double)) == 0);
  }

  void factorsGiveTheMatrixBack_data() {
    QTest::addColumn<int>("n");
    for (const int n : {1, 2, 3, 8, 17, 33, 65, 100}) QTest::newRow(qPrintable(QString::number(n))) << n;
  }
  void factorsGiveTheMatrixBack() {
    QFETCH(int, n);
    compareFactors<double>(n);
    compareFactors<Complex>(n);
  }

  void trianglesAreSolvedInAllFourWays() {
    for (const int64_t n : {1, 5, 64, 65, 150}) {
      std::vector<Complex> a = randomNumbers<Complex>(n * n, 3);
      for (int64_t i = 0; i < n; ++i) a[size_t(i * (n + 1))] += Complex(double(n));
      for (const bool lower : {true, false}) {
        for (const bool adjoint : {true, false}) {
          const std::vector<Complex> b = randomNumbers<Complex>(n * 3, 4);
          std::vector<Complex> x = b, used(a.size());
          solveTriangle<Complex>({lower, adjoint, false}, a.data(), n, n, x.data(), 3, 3);
          for (int64_t i = 0; i < n; ++i) {
            for (int64_t j = lower ? 0 : i; j < (lower ? i + 1 : n); ++j) {
              (adjoint ? used[size_t(j * n + i)] : used[size_t(i * n + j)]) = conjugateIf(adjoint, a[size_t(i * n + j)]);
            }
          }
          QVERIFY(distance(plainProduct(n, n, int64_t(3), used, x), b) < 1e-11);
        }
      }
    }
  }

  void matricesWithoutFactorsAreRecognised() {
    std::vector<double> indefinite = {1, 2, 2, 1};
    QVERIFY(!choleskyFactor(indefinite.data(), 2, 2));
    std::vector<double> singular(9, 1.0);
    int pivots[3];
    luFactor(singular.data(), 3, 3, pivots);
    QCOMPARE(singular[8], 0.0);
    std::vector<double> broken = {1, 0, std::nan(""), 1}, values(2), vectors(4);
    QVERIFY(!hermitianEigen(broken.data(), 2, values.data(), vectors.data()));
  }

  // TensorFlow 1.15.5's answers: the least pivot is found by comparisons, in which a NaN that is not the first never wins.
  void matricesWithNaNAreInvertedUnlessTheFirstPivotIsOne() {
    const double nan = std::nan("");
    for (const bool complex : {false, true}) {
      const auto inverse = resultsOf("MatrixInverse", {1, nan, 2, 3}, 2, complex);
      QVERIFY2(inverse.ok(), inverse.ok() ? "" : inverse.error().toString().c_str());
      const auto lu = resultsOf("Lu", {1, nan, 2, 3}, 2, complex);
      QVERIFY(lu.ok());
      QCOMPARE((*lu)[1].at<int32_t>(0), 1);
      QCOMPARE((*lu)[1].at<int32_t>(1), 0);
      if (!complex) {
        for (int i = 0; i < 4; ++i) QVERIFY(std::isnan((*inverse)[0].at<double>(i)));
        QCOMPARE((*lu)[0].at<double>(0), 2.0);
        QCOMPARE((*lu)[0].at<double>(2), 0.5);
        QVERIFY(std::isnan((*lu)[0].at<double>(3)));
      }
      const auto first = resultsOf("MatrixInverse", {nan, 1, 1, 2}, 2, complex);
      QVERIFY(!first.ok());
      QVERIFY2(first.error().message.find("Input is not invertible.") != std::string::npos, first.error().message.c_str());
      QVERIFY(!resultsOf("MatrixInverse", {1, 2, 2, 4}, 2, complex).ok());
    }
  }

  // The signs and the order are those of TensorFlow 1.15.5.
  void singularVectorsOfSmallMatricesHaveTensorFlowsSigns() {
    const auto singular = resultsOf("Svd", {1, 2, 2, 4}, 2), wide = resultsOf("Svd", {1, 2, 3, 4, 5, 6}, 3), exchanged = resultsOf("Svd", {-1, 0, 0, 2}, 2);
    QVERIFY(singular.ok() && wide.ok() && exchanged.ok());
    const auto near = [](const Tensor& t, const std::vector<double>& want) {
      for (size_t i = 0; i < want.size(); ++i)
        if (std::abs(t.at<double>(int64_t(i)) - want[i]) > 1e-12) return false;
      return true;
    };
    QVERIFY(near((*singular)[1], {0.4472135954999579, 0.8944271909999159, 0.8944271909999159, -0.4472135954999579}));
    QVERIFY(near((*singular)[2], {0.4472135954999579, 0.8944271909999159, 0.8944271909999159, -0.4472135954999579}));
    QVERIFY(near((*wide)[1], {-0.38631770311861147, -0.9223657800770583, -0.9223657800770583, 0.38631770311861147}));
    QVERIFY(near((*wide)[2], {-0.42866713354862596, 0.8059639085892975, -0.5663069188480350}));
    QVERIFY(near((*exchanged)[1], {0, -1, 1, 0}));
    QVERIFY(near((*exchanged)[2], {0, 1, 1, 0}));
  }

  void singularMatricesHaveOrthogonalVectors() {
    for (const int64_t n : {4, 20}) {
      std::vector<double> a(static_cast<size_t>(n * n)), u(a.size()), v(a.size()), values(static_cast<size_t>(n));
      for (int64_t i = 0; i + 1 < n; ++i) a[size_t(i * n + i + 1)] = 1;  // rank n - 1
      QVERIFY(singularValues(a.data(), n, n, values.data(), u.data(), n, v.data()));
      QVERIFY(values.back() < 1e-14 && std::abs(values.front() - 1) < 1e-14);
      QVERIFY(distance(plainProduct(n, n, n, u, u, true), identity<double>(n)) < 1e-13);
      QVERIFY(distance(plainProduct(n, n, n, v, v, true), identity<double>(n)) < 1e-13);
    }
  }
};

QTEST_GUILESS_MAIN(Matrices)
#include "tst_matrices.moc"
