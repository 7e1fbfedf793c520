#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/broadcast.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/move.h"
#include "device/cpu/reduce.h"

using namespace weft;
using namespace weft::cpu;

namespace {

std::vector<float> randomFloats(size_t n, uint32_t seed, float low = 0.05f, float high = 3.0f) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> draw(low, high);
  std::vector<float> out(n);
  for (float& f : out) f = draw(engine);
  return out;
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

/// Flat position in a tensor of `shape` of the element at `index` of a shape that it broadcasts to.
int64_t broadcastPosition(const Shape& shape, const std::vector<int64_t>& index) {
  int64_t at = 0;
  for (int d = 0; d < shape.rank(); ++d) {
    const int64_t i = index[index.size() - size_t(shape.rank()) + size_t(d)];
    at = at * shape.dim(d) + (shape.dim(d) == 1 ? 0 : i);
  }
  return at;
}

std::vector<int64_t> indexOf(const Shape& shape, int64_t flat) {
  std::vector<int64_t> index(size_t(shape.rank()));
  for (int d = shape.rank() - 1; d >= 0; --d) {
    index[size_t(d)] = flat % shape.dim(d);
    flat /= shape.dim(d);
  }
  return index;
}

}  // namespace

/// Array loops shared by kernels, against simple implementations. The ops' results are checked by the golden cases.
class KernelsTest : public QObject {
  Q_OBJECT

 private slots:
  void anElementsValueDoesNotDependOnItsPosition() {
    const auto x = randomFloats(101, 1);
    for (const char* op : {"Exp", "Log", "Log1p", "Tanh", "Sigmoid", "Sqrt", "Rsqrt", "Sin", "Square", "Floor", "Expm1"}) {
      const ElementwiseEntry* e = findElementwise(op, DType::Float);
      QVERIFY2(e, op);
      std::vector<float> whole(x.size()), single(x.size()), shifted(x.size());
      const bool vector[] = {false};
      const void* in[] = {x.data()};
      e->fn(in, vector, whole.data(), long(x.size()));
      for (size_t i = 0; i < x.size(); ++i) {
        const void* one[] = {x.data() + i};
        e->fn(one, vector, single.data() + i, 1);
      }
      const void* rest[] = {x.data() + 3};
      e->fn(rest, vector, shifted.data() + 3, long(x.size()) - 3);
      std::copy_n(whole.begin(), 3, shifted.begin());
      QVERIFY2(sameBits(whole, single), op);
      QVERIFY2(sameBits(whole, shifted), op);
    }
  }

  void resultsMayReplaceTheirInputs() {
    const auto x = randomFloats(1000, 2), y = randomFloats(1000, 3);
    for (const char* op : {"Add", "Sub", "Mul", "RealDiv", "Maximum", "SigmoidGrad"}) {
      const ElementwiseEntry* e = findElementwise(op, DType::Float);
      std::vector<float> apart(x.size()), first = x, second = y;
      const bool vectors[] = {false, false};
      const void *in[] = {x.data(), y.data()}, *overFirst[] = {first.data(), y.data()}, *overSecond[] = {x.data(), second.data()};
      e->fn(in, vectors, apart.data(), 1000);
      e->fn(overFirst, vectors, first.data(), 1000);
      e->fn(overSecond, vectors, second.data(), 1000);
      QVERIFY2(sameBits(apart, first), op);
      QVERIFY2(sameBits(apart, second), op);
    }
  }

  void halvesRoundToNearestEven() {
    for (uint32_t bits = 0; bits < 65536; ++bits) {
      Half h;
      h.bits = uint16_t(bits);
      const float f = h;
      if (std::isnan(f)) continue;
      QCOMPARE(f, toFloat(HalfBits{uint16_t(bits)}));
      QCOMPARE(Half(f).bits, uint16_t(bits));
    }
    for (float f : randomFloats(20000, 4, -70000, 70000)) QCOMPARE(Half(f).bits, halfFromFloat(f).bits);
    for (float f : randomFloats(20000, 5, -1e-4f, 1e-4f)) QCOMPARE(Half(f).bits, halfFromFloat(f).bits);
    for (float f : randomFloats(20000, 6, -1e30f, 1e30f)) QCOMPARE(BFloat16(f).bits, bfloat16FromFloat(f).bits);
  }

  void broadcastingIsThatOfNumPy_data() {
    QTest::addColumn<QString>("x");
    QTest::addColumn<QString>("y");
    const char* pairs[][2] = {{"[3,4]", "[4]"},       {"[3,4]", "[3,1]"},       {"[300,3]", "[3]"},           {"[300,3]", "[300,1]"}, {"[5,1,7]", "[1,6,1]"},
                              {"[2,70,3]", "[70,1]"}, {"[1,100]", "[90,1]"},    {"[4,1,3,1,2]", "[2,1,5,1]"}, {"[]", "[2,3]"},        {"[1,1,1]", "[7]"},
                              {"[0,3]", "[3]"},       {"[2,3,80]", "[2,1,80]"}, {"[2000,2]", "[2]"}};
    for (const auto& p : pairs) QTest::newRow(p[0]) << p[0] << p[1];
  }
  void broadcastingIsThatOfNumPy() {
    QFETCH(QString, x);
    QFETCH(QString, y);
    const Shape sx = *Shape::parse(x.toStdString()), sy = *Shape::parse(y.toStdString());
    const auto a = randomFloats(size_t(sx.elements()), 7), b = randomFloats(size_t(sy.elements()), 8);
    const Shape* shapes[] = {&sx, &sy};
    Shape result;
    const auto plan = planBroadcast(shapes, 2, result);
    QVERIFY(plan.ok());
    QVERIFY(result == *broadcastShapes(sx, sy));
    std::vector<float> got(size_t(result.elements())), want(got.size());
    const void* in[] = {a.data(), b.data()};
    const size_t sizes[] = {4, 4};
    runBroadcast(*findElementwise("Sub", DType::Float), *plan, in, sizes, got.data(), 4, true);
    for (size_t i = 0; i < want.size(); ++i) {
      const auto index = indexOf(result, int64_t(i));
      want[i] = a[size_t(broadcastPosition(sx, index))] - b[size_t(broadcastPosition(sy, index))];
    }
    QVERIFY(sameBits(got, want));
  }

  void reductionsAddUpEveryElementOnce_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QList<int>>("axes");
    QTest::newRow("all") << "[70000]" << QList<int>{0};
    QTest::newRow("rows") << "[37,129]" << QList<int>{1};
    QTest::newRow("short rows") << "[1003,5]" << QList<int>{-1};
    QTest::newRow("columns") << "[129,37]" << QList<int>{0};
    QTest::newRow("narrow columns") << "[5003,3]" << QList<int>{0};
    QTest::newRow("tall") << "[3000,70]" << QList<int>{0};
    QTest::newRow("middle") << "[7,33,19]" << QList<int>{1};
    QTest::newRow("outside") << "[7,33,19]" << QList<int>{0, 2};
    QTest::newRow("by turns") << "[3,4,5,6,7]" << QList<int>{0, 2, 4};
    QTest::newRow("by turns, last kept") << "[3,4,5,6]" << QList<int>{0, 2};
    QTest::newRow("nothing") << "[4,5]" << QList<int>{};
    QTest::newRow("none left") << "[0,5]" << QList<int>{0};
  }
  void reductionsAddUpEveryElementOnce() {
    QFETCH(QString, shape);
    QFETCH(QList<int>, axes);
    const Shape s = *Shape::parse(shape.toStdString());
    const auto x = randomFloats(size_t(s.elements()), 9);
    Shape result;
    const auto plan = planReduction(s, Tensor::vector(std::vector<int32_t>(axes.begin(), axes.end())), true, result);
    QVERIFY(plan.ok());
    std::vector<double> sums(size_t(result.elements()), 0.0), largest(sums.size(), -1e300);
    for (size_t i = 0; i < x.size(); ++i) {
      const size_t at = size_t(broadcastPosition(result, indexOf(s, int64_t(i))));
      sums[at] += double(x[i]);
      largest[at] = std::max(largest[at], double(x[i]));
    }
    std::vector<float> first;
    for (const int threads : {1, 2}) {
      setThreadParallelism(threads);
      std::vector<float> got(sums.size());
      findReduction(Reduction::Sum, DType::Float)(*plan, x.data(), got.data());
      for (size_t i = 0; i < sums.size(); ++i) QVERIFY(std::abs(double(got[i]) - sums[i]) <= 2e-6 * (1 + sums[i]));
      if (threads == 1) first = got;
      QVERIFY(sameBits(got, first));
      findReduction(Reduction::Max, DType::Float)(*plan, x.data(), got.data());
      for (size_t i = 0; i < sums.size() && !x.empty(); ++i) QCOMPARE(double(got[i]), largest[i]);
    }
    setThreadParallelism(defaultParallelism());
  }

  void boxesAreCopiedInAnyOrder() {
    const Shape in{5, 6, 7, 8};
    const auto x = randomFloats(size_t(in.elements()), 10);
    const SmallInts from = denseStrides(in);
    std::vector<int> perm = {0, 1, 2, 3};
    do {
      Shape out;
      for (int p : perm) out.append(in.dim(p));
      const SmallInts to = denseStrides(out);
      BoxCopy box;
      for (size_t d = 0; d < 4; ++d) box.add(out.dim(int(d)), from[size_t(perm[d])], to[d]);
      std::vector<float> got(x.size()), want(x.size());
      copyBox(DType::Float, box, x.data(), got.data());
      for (size_t i = 0; i < want.size(); ++i) {
        const auto index = indexOf(out, int64_t(i));
        int64_t at = 0;
        for (size_t d = 0; d < 4; ++d) at += index[d] * from[size_t(perm[d])];
        want[i] = x[size_t(at)];
      }
      QVERIFY(sameBits(got, want));
    } while (std::next_permutation(perm.begin(), perm.end()));
  }
};

QTEST_GUILESS_MAIN(KernelsTest)
#include "tst_kernels.moc"
