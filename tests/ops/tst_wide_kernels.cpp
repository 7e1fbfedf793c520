#include <Eigen/Core>
#include <QTest>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "device/cpu/dtypes.h"
#include "device/cpu/hot_doubles.h"
#include "device/cpu/hot_extremes.h"
#include "device/cpu/hot_optimizers.h"
#include "device/cpu/hot_pixels.h"
#include "device/cpu/move.h"
#include "device/cpu/reduce.h"
#include "weft/tensor.h"

using namespace weft;
using namespace weft::cpu;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();

/// Few different values, so that there are ties; floats also have values that are not finite.
template <typename T>
std::vector<T> tiedValues(size_t n, uint32_t seed) {
  std::mt19937 engine(seed);
  std::vector<T> out(n);
  for (T& v : out) {
    const int k = int(engine() % 12);
    if constexpr (std::is_floating_point_v<T>) v = k == 0 ? T(kNan) : k == 1 ? T(-kInf) : k == 2 ? T(kInf) : T(k);
    else v = k == 0 ? std::numeric_limits<T>::lowest() : k == 1 ? std::numeric_limits<T>::max() : T(k);
  }
  return out;
}

template <typename T>
int64_t plainExtreme(const T* x, int64_t n, int64_t stride, bool isMin) {
  T best = isMin ? std::numeric_limits<T>::max() : std::numeric_limits<T>::lowest();
  int64_t at = 0;
  for (int64_t i = 0; i < n; ++i) {
    const T v = x[i * stride];
    if (isMin ? v < best : v > best) best = v, at = i;
  }
  return at;
}

template <typename T>
void checkExtremes(const ArgExtremes<T>& find) {
  for (int isMin = 0; isMin < 2; ++isMin) {
    for (int64_t n = 1; n < 300; n = n * 3 / 2 + 1) {
      const std::vector<T> row = tiedValues<T>(size_t(n), uint32_t(n));
      QCOMPARE(find.row[isMin](row.data(), n), plainExtreme(row.data(), n, 1, isMin != 0));
      for (const int64_t columns : {1, 3, 16, 63, 64}) {
        const int64_t stride = columns + 5;
        const std::vector<T> x = tiedValues<T>(size_t(n * stride), uint32_t(n + columns));
        std::vector<int64_t> at(static_cast<size_t>(columns), -7);
        find.columns[isMin](x.data(), n, stride, columns, at.data());
        for (int64_t j = 0; j < columns; ++j) QCOMPARE(at[size_t(j)], plainExtreme(x.data() + j, n, stride, isMin != 0));
      }
    }
  }
}

template <typename T>
void checkMaxPool(PoolFunction<T> pool) {
  PoolGeometry g;
  g.inHeight = 7, g.inWidth = 5, g.outHeight = 4, g.outWidth = 3, g.windowHeight = 3, g.windowWidth = 3, g.strideHeight = 2, g.strideWidth = 2;
  g.padTop = g.padLeft = 1;
  for (const int64_t channels : {1, 3, 8, 37, 130}) {
    g.channels = channels;
    std::vector<T> x(size_t(2 * 7 * 5 * channels));
    std::mt19937 engine(5);
    for (T& v : x) v = T(engine());
    std::vector<T> y(size_t(2 * 4 * 3 * channels));
    pool(y.data(), x.data(), g, 0, 3);
    pool(y.data(), x.data(), g, 3, 8);
    for (int64_t image = 0; image < 2; ++image) {
      for (int64_t i = 0; i < 4; ++i) {
        for (int64_t j = 0; j < 3; ++j) {
          for (int64_t c = 0; c < channels; ++c) {
            T most = std::numeric_limits<T>::lowest();
            for (int64_t a = std::max<int64_t>(0, 2 * i - 1); a < std::min<int64_t>(7, 2 * i + 2); ++a)
              for (int64_t b = std::max<int64_t>(0, 2 * j - 1); b < std::min<int64_t>(5, 2 * j + 2); ++b)
                most = std::max(most, x[size_t(((image * 7 + a) * 5 + b) * channels + c)]);
            QCOMPARE(y[size_t(((image * 4 + i) * 3 + j) * channels + c)], most);
          }
        }
      }
    }
  }
}

/// Elements of any type that sums of hundreds of them hold exactly.
template <typename T>
Tensor smallNumbers(DType type, const Shape& shape) {
  Tensor t = Tensor::zeros(type, shape);
  T* x = static_cast<T*>(t.mutableRaw());
  std::mt19937 engine(9);
  for (int64_t i = 0; i < t.elements(); ++i) x[i] = T(float(int(engine() % 3) - 1));
  return t;
}

template <typename T>
void checkReductions(DType type) {
  for (const Shape& shape : {Shape{1}, Shape{5000}, Shape{300, 70}, Shape{7, 19, 33}, Shape{2, 40, 600}, Shape{900, 4}, Shape{33, 5, 3, 9}}) {
    const Tensor x = smallNumbers<T>(type, shape);
    const T* in = static_cast<const T*>(x.raw());
    for (int mask = 1; mask < 1 << shape.rank(); ++mask) {
      std::vector<int32_t> axes;
      for (int d = 0; d < shape.rank(); ++d) {
        if (mask >> d & 1) axes.push_back(d);
      }
      Shape result;
      const auto plan = planReduction(shape, Tensor::vector(axes), false, result);
      QVERIFY(plan.ok());
      std::vector<double> sum(size_t(result.elements()), 0), most(sum.size(), -kInf), least(sum.size(), kInf), product(sum.size(), 1);
      for (int64_t i = 0; i < x.elements(); ++i) {
        int64_t rest = i, to = 0, stride = 1;
        for (int d = shape.rank() - 1; d >= 0; --d) {
          const int64_t k = rest % shape.dim(d);
          rest /= shape.dim(d);
          if (mask >> d & 1) continue;
          to += k * stride;
          stride *= shape.dim(d);
        }
        const double v = double(float(in[i]));
        sum[size_t(to)] += v, product[size_t(to)] *= v;
        most[size_t(to)] = std::max(most[size_t(to)], v), least[size_t(to)] = std::min(least[size_t(to)], v);
      }
      std::vector<T> got(sum.size());
      const auto check = [&](Reduction kind, const std::vector<double>& want) {
        findReduction(kind, type)(*plan, x.raw(), got.data());
        for (size_t i = 0; i < want.size(); ++i) QCOMPARE(double(float(got[i])), double(float(T(float(want[i])))));
      };
      check(Reduction::Sum, sum);
      check(Reduction::Max, most);
      check(Reduction::Min, least);
      check(Reduction::Prod, product);
    }
  }
}

}  // namespace

/// Inner loops of element types other than float.
class WideKernelsTest : public QObject {
  Q_OBJECT

 private slots:
  void positionsOfExtremesAreThoseOfAPlainLoop() {
    const ExtremeKernels& k = extremeKernels();
    checkExtremes(k.floats);
    checkExtremes(k.doubles);
    checkExtremes(k.int8);
    checkExtremes(k.uint8);
    checkExtremes(k.int16);
    checkExtremes(k.uint16);
    checkExtremes(k.int32);
    checkExtremes(k.int64);
  }

  void rowsWithoutANumberHaveTheirExtremeFirst() {
    const std::vector<double> nothing(77, kNan), lowest(77, -kInf);
    QCOMPARE(extremeKernels().doubles.row[0](nothing.data(), 77), int64_t(0));
    QCOMPARE(extremeKernels().doubles.row[0](lowest.data(), 77), int64_t(0));
  }

  void softmaxOfDoublesFollowsTheFormula() {
    std::mt19937 engine(3);
    for (int64_t columns = 1; columns < 40; ++columns) {
      std::vector<double> x(size_t(3 * columns)), y(x.size()), logs(x.size());
      for (double& v : x) v = double(engine() % 2000) / 50 - 20;
      x[size_t(columns)] = -kInf;  // e^-inf is 0
      if (columns > 1) x[size_t(columns) + 1] = -2000;
      wideKernels().softmax(y.data(), x.data(), 3, columns);
      wideKernels().logSoftmax(logs.data(), x.data(), 3, columns);
      for (int64_t r = 0; r < 3; ++r) {
        const double *row = x.data() + r * columns, most = *std::max_element(row, row + columns);
        if (std::isinf(most)) continue;
        const double sum = std::accumulate(row, row + columns, 0.0, [&](double s, double v) { return s + std::exp(v - most); });
        for (int64_t c = 0; c < columns; ++c) {
          const size_t at = size_t(r * columns + c);
          QVERIFY(std::abs(y[at] - std::exp(row[c] - most) / sum) < 1e-14);
          if (!std::isinf(row[c])) QVERIFY(std::abs(logs[at] - (row[c] - most - std::log(sum))) < 1e-12 * (1 + std::abs(row[c])));
        }
      }
    }
  }

  void crossEntropiesOfDoublesFollowTheFormula() {
    std::mt19937 engine(4);
    for (int64_t columns = 1; columns < 30; ++columns) {
      std::vector<double> x(static_cast<size_t>(columns)), labels(x.size(), 0), back(x.size()), sparseBack(x.size());
      for (double& v : x) v = double(engine() % 2000) / 100;
      const int64_t label = columns / 2;
      labels[size_t(label)] = 1;
      double loss = 0, sparseLoss = 0;
      wideKernels().crossEntropy(&loss, back.data(), x.data(), labels.data(), 1, columns);
      wideKernels().sparseCrossEntropy64(&sparseLoss, sparseBack.data(), x.data(), &label, 1, columns);
      double sum = 0;
      for (double v : x) sum += std::exp(v);
      QVERIFY(std::abs(loss - (std::log(sum) - x[size_t(label)])) < 1e-12);
      QVERIFY(std::abs(sparseLoss - loss) < 1e-12);
      for (size_t c = 0; c < x.size(); ++c) {
        QVERIFY(std::abs(back[c] - (std::exp(x[c]) / sum - labels[c])) < 1e-13);
        QVERIFY(std::abs(sparseBack[c] - back[c]) < 1e-13);
      }
    }
  }

  void maximaOfWindowsHaveAllTypes() {
    checkMaxPool(wideKernels().maxPool);
    checkMaxPool(wideKernels().maxPoolInt8);
    checkMaxPool(wideKernels().maxPoolUInt8);
    checkMaxPool(wideKernels().maxPoolInt16);
    checkMaxPool(wideKernels().maxPoolUInt16);
    checkMaxPool(wideKernels().maxPoolInt32);
    checkMaxPool(wideKernels().maxPoolInt64);
  }

  void reductionsOfAllAxesHaveAllTypes() {
    checkReductions<Half>(DType::Half);
    checkReductions<BFloat16>(DType::BFloat16);
    checkReductions<int32_t>(DType::Int32);
    checkReductions<int64_t>(DType::Int64);
    checkReductions<double>(DType::Double);
  }

  void sumsAndProductsOfIntegersWrap() {
    Tensor x = Tensor::zeros(DType::Int32, Shape{100});
    for (int i = 0; i < 100; ++i) x.mutableData<int32_t>()[i] = std::numeric_limits<int32_t>::max() - i;
    uint32_t sum = 0, product = 1;
    for (int i = 0; i < 100; ++i) sum += uint32_t(x.data<int32_t>()[i]), product *= uint32_t(x.data<int32_t>()[i]);
    Shape result;
    const auto plan = planReduction(x.shape(), Tensor::vector(std::vector<int32_t>{0}), false, result);
    int32_t got = 0;
    findReduction(Reduction::Sum, DType::Int32)(*plan, x.raw(), &got);
    QCOMPARE(got, int32_t(sum));
    findReduction(Reduction::Prod, DType::Int32)(*plan, x.raw(), &got);
    QCOMPARE(got, int32_t(product));
  }

  void truthOfRowsAndColumns() {
    for (const int64_t n : {1, 7, 8, 33, 1000}) {
      Tensor x = Tensor::zeros(DType::Bool, Shape{3, n});
      bool* b = x.mutableData<bool>();
      std::fill_n(b, 3 * n, false);
      std::fill_n(b + n, n, true);
      b[3 * n - 1] = true;
      Shape result;
      bool any[3], all[3];
      const auto rows = planReduction(x.shape(), Tensor::vector(std::vector<int32_t>{1}), false, result);
      findReduction(Reduction::Any, DType::Bool)(*rows, b, any);
      findReduction(Reduction::All, DType::Bool)(*rows, b, all);
      QVERIFY(!any[0] && any[1] && any[2] && !all[0] && all[1]);
      QCOMPARE(all[2], n == 1);
      std::vector<uint8_t> columns(static_cast<size_t>(n));
      const auto plan = planReduction(x.shape(), Tensor::vector(std::vector<int32_t>{0}), false, result);
      findReduction(Reduction::All, DType::Bool)(*plan, b, columns.data());
      QVERIFY(std::all_of(columns.begin(), columns.end(), [](uint8_t v) { return v == 0; }));
      findReduction(Reduction::Any, DType::Bool)(*plan, b, columns.data());
      QVERIFY(std::all_of(columns.begin(), columns.end(), [](uint8_t v) { return v == 1; }));
    }
  }

  /// All numbers of steps: each operation's result is rounded, as if every operator returned a half.
  void optimizerStepsOfHalvesRoundAfterEachOperation() {
    using H = Eigen::half;
    std::mt19937 engine(8);
    std::vector<H> var(1000), accum(1000), g(1000);
    for (size_t i = 0; i < var.size(); ++i) {
      var[i] = H(float(engine() % 1000) / 300 - 1);
      accum[i] = H(float(engine() % 1000) * (i % 3 ? 0.01f : 1e-6f));  // also subnormal ones
      g[i] = H(i % 50 == 0 ? 60000.0f : float(engine() % 1000) / 500 - 1);
    }
    std::vector<H> wantVar = var, wantAccum = accum;
    const H scalars[8] = {H(0.01f), H(0.9f)};
    for (size_t i = 0; i < var.size(); ++i) {
      wantAccum[i] = wantAccum[i] * scalars[1] + g[i];
      wantVar[i] = wantVar[i] - wantAccum[i] * scalars[0];
    }
    H* const arrays[] = {var.data(), accum.data()};
    optimizerStep<H>(Optimizer::Momentum)(arrays, g.data(), scalars, false, 1000);
    for (size_t i = 0; i < var.size(); ++i) {
      QCOMPARE(accum[i].x, wantAccum[i].x);
      QCOMPARE(var[i].x, wantVar[i].x);
    }
  }

  void colours() {
    std::vector<float> rgb, hsv(3 * 77), back(3 * 77);
    std::mt19937 engine(2);
    for (int i = 0; i < 3 * 77; ++i) rgb.push_back(i < 9 ? float(i / 3) / 2 : float(engine() % 256) / 255);
    pixelKernels().toHsv(hsv.data(), rgb.data(), 77);
    pixelKernels().fromHsv(back.data(), hsv.data(), 77);
    for (size_t i = 0; i < rgb.size(); ++i) QVERIFY(std::abs(back[i] - rgb[i]) < 1e-6f);
    for (size_t i = 0; i < 9; ++i) QCOMPARE(hsv[i], i % 3 < 2 ? 0.0f : rgb[i]);  // greys
    const float red[] = {1, 0, 0};
    float turned[3];
    pixelKernels().turnHues(turned, red, 1.0f / 3, 1);
    QVERIFY(std::abs(turned[0]) < 1e-6f && std::abs(turned[1] - 1) < 1e-6f && std::abs(turned[2]) < 1e-6f);
    pixelKernels().scaleSaturations(turned, red, 0, 1);
    QCOMPARE(turned[1], 1.0f);
  }

  void boxesOfAllWidthsAndDirections() {
    std::mt19937 engine(6);
    for (const DType type : {DType::Int8, DType::Int16, DType::Float, DType::Double, DType::Complex128}) {
      const size_t size = storageSize(type);
      for (int64_t width = 1; width < 70; width = width * 5 / 4 + 1) {
        for (const int64_t step : {1, -1, 2}) {
          const int64_t rows = 9, rowLength = 2 * width + 3;
          std::vector<uint8_t> from(size_t(rows * rowLength) * size), to(size_t(rows * width) * size);
          for (uint8_t& b : from) b = uint8_t(engine());
          const int64_t first = step < 0 ? width - 1 : 0;
          BoxCopy box;
          box.add(rows, rowLength, width);
          box.add(width, step, 1);
          copyBox(type, box, offsetBy(from.data(), first, size), to.data());
          for (int64_t r = 0; r < rows; ++r) {
            for (int64_t c = 0; c < width; ++c)
              QVERIFY(std::equal(&to[size_t(r * width + c) * size], &to[size_t(r * width + c) * size] + size,
                                 &from[size_t(r * rowLength + first + c * step) * size]));
          }
        }
      }
    }
  }
};

QTEST_APPLESS_MAIN(WideKernelsTest)
#include "tst_wide_kernels.moc"
