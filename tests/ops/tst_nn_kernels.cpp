#include <QTest>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/openmp_calls.h"
#include "base/parallel.h"
#include "device/cpu/convolution.h"
#include "device/cpu/gemm.h"
#include "device/cpu/hot_nn.h"
#include "device/cpu/hot_random.h"
#include "device/cpu/philox.h"

using namespace weft;
using namespace weft::cpu;

namespace {

std::vector<float> randomFloats(int64_t n, uint32_t seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> draw(-1, 1);
  std::vector<float> out(static_cast<size_t>(n));
  for (float& f : out) f = draw(engine);
  return out;
}

/// SAME padding.
ConvGeometry geometry(int64_t batch, int64_t size, int64_t in, int64_t kernel, int64_t out, int64_t stride, int64_t dilation = 1) {
  ConvGeometry g;
  g.batch = batch;
  g.inHeight = g.inWidth = size;
  g.inChannels = in;
  g.outChannels = out;
  g.kernelHeight = g.kernelWidth = kernel;
  g.strideHeight = g.strideWidth = stride;
  g.dilationHeight = g.dilationWidth = dilation;
  g.outHeight = g.outWidth = (size + stride - 1) / stride;
  const int64_t pad = std::max<int64_t>(0, (g.outHeight - 1) * stride + (kernel - 1) * dilation + 1 - size);
  g.padTop = g.padLeft = pad / 2;
  g.padBottom = g.padRight = pad - pad / 2;
  return g;
}

double largestDifference(const std::vector<float>& a, const std::vector<float>& b) {
  double worst = 0;
  for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, double(std::abs(a[i] - b[i])) / (1 + std::abs(b[i])));
  return worst;
}

}  // namespace

/// Kernels of neural-network ops below the ops themselves; the ops' results are checked by the golden cases.
class NnKernelsTest : public QObject {
  Q_OBJECT

 private slots:
  void convolutionsRunOptimisedCode_data() {
    QTest::addColumn<QList<int>>("sizes");  // batch, image, in, kernel, out, stride
    QTest::newRow("digits, one channel") << QList<int>{4, 28, 1, 5, 32, 1};
    QTest::newRow("digits, second layer") << QList<int>{4, 14, 32, 5, 64, 1};
    QTest::newRow("three channels") << QList<int>{4, 32, 3, 3, 16, 1};
    QTest::newRow("residual block") << QList<int>{4, 32, 16, 3, 16, 1};
    QTest::newRow("residual block, stride") << QList<int>{4, 32, 16, 3, 32, 2};
    QTest::newRow("projection") << QList<int>{4, 16, 32, 1, 64, 2};
    QTest::newRow("deep block") << QList<int>{4, 8, 64, 3, 64, 1};
    QTest::newRow("autoencoder, one channel") << QList<int>{4, 28, 1, 3, 16, 2};
    QTest::newRow("photograph") << QList<int>{1, 64, 3, 7, 64, 2};
    QTest::newRow("odd channels") << QList<int>{2, 9, 5, 3, 7, 1};
  }
  void convolutionsRunOptimisedCode() {
    QFETCH(QList<int>, sizes);
    const ConvGeometry g = geometry(sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5]);
    const char* names[] = {"output", "input", "filter"};
    for (int d = 0; d < 3; ++d) {
      const auto direction = ConvDirection(d);
      auto made = DnnlConvolution::make(direction, g);
      QVERIFY2(made.ok(), names[d]);
      QVERIFY2(!QString::fromStdString((*made)->implementation()).startsWith("ref"), qPrintable(QString::fromStdString((*made)->implementation())));
      std::vector<float> a[3] = {randomFloats(g.inputElements(), 1), randomFloats(g.filterElements(), 2), randomFloats(g.outputElements(), 3)};
      std::vector<float> b[3] = {a[0], a[1], a[2]};
      const size_t target = direction == ConvDirection::Output ? 2 : direction == ConvDirection::Input ? 0 : 1;
      std::vector<char> scratch((*made)->scratchBytes() + 64);
      void* aligned = reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(scratch.data()) + 63) / 64 * 64);
      QVERIFY((*made)->run(a[0].data(), a[1].data(), a[2].data(), aligned).ok());
      unfoldedConvolution(direction, g, b[0].data(), b[1].data(), b[2].data());
      QVERIFY2(largestDifference(a[target], b[target]) < 2e-4, names[d]);
    }
  }

  /// A primitive stays within the scratchpad that it requested, also where pixels are skipped and the channels do not fill a vector.
  void thinnedConvolutionsKeepToTheirScratchpad() {
    for (const int channels : {1, 2, 3, 5, 8, 16}) {
      for (const int stride : {2, 3}) {
        for (int d = 0; d < 3; ++d) {
          const ConvGeometry g = geometry(1, 9, channels, 1, 2, stride);
          const auto direction = ConvDirection(d);
          for (const int threads : {1, 2}) {
            setThreadParallelism(threads);
            auto made = DnnlConvolution::make(direction, g);
            QVERIFY(made.ok());
            std::vector<float> a[3] = {randomFloats(g.inputElements(), 1), randomFloats(g.filterElements(), 2), randomFloats(g.outputElements(), 3)};
            std::vector<float> b[3] = {a[0], a[1], a[2]};
            const size_t target = direction == ConvDirection::Output ? 2 : direction == ConvDirection::Input ? 0 : 1;
            const size_t bytes = (*made)->scratchBytes();
            std::vector<char> scratch(bytes + 1088, 0x5a);
            char* aligned = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(scratch.data()) + 63) / 64 * 64);
            QVERIFY((*made)->run(a[0].data(), a[1].data(), a[2].data(), aligned).ok());
            unfoldedConvolution(direction, g, b[0].data(), b[1].data(), b[2].data());
            const auto where = QString("%1 channels, stride %2, direction %3, %4 threads").arg(channels).arg(stride).arg(d).arg(threads);
            QVERIFY2(largestDifference(a[target], b[target]) < 1e-4, qPrintable(where));
            QVERIFY2(std::all_of(aligned + bytes, aligned + bytes + 1024, [](char c) { return c == 0x5a; }), qPrintable(where));
          }
        }
      }
    }
    setThreadParallelism(0);
  }

  /// Gradients of filters are sums over parts of the images, each on one thread: oneDNN's own threads would wait for one another.
  void gradientsOfFiltersAreSumsOfParts() {
    for (const int batch : {2, 5, 8}) {
      for (const int threads : {2, 3, 8}) {
        setThreadParallelism(threads);
        const ConvGeometry g = geometry(batch, 40, 8, 3, 16, 1);
        auto made = DnnlConvolution::make(ConvDirection::Filter, g);
        QVERIFY(made.ok());
        auto in = randomFloats(g.inputElements(), 1), out = randomFloats(g.outputElements(), 3);
        std::vector<float> a(size_t(g.filterElements()), 9.f), b(a);
        const size_t bytes = (*made)->scratchBytes();
        std::vector<char> scratch(bytes + 1088, 0x5a);
        char* aligned = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(scratch.data()) + 63) / 64 * 64);
        const int64_t forks = openmp::forks();
        QVERIFY((*made)->run(in.data(), a.data(), out.data(), aligned).ok());
        if (batch >= threads) QCOMPARE(openmp::forks(), forks);
        unfoldedConvolution(ConvDirection::Filter, g, in.data(), b.data(), out.data());
        const auto where = QString("batch %1, %2 threads").arg(batch).arg(threads);
        QVERIFY2(largestDifference(a, b) < 2e-4 * batch, qPrintable(where));
        QVERIFY2(std::all_of(aligned + bytes, aligned + bytes + 1024, [](char c) { return c == 0x5a; }), qPrintable(where));
      }
    }
    setThreadParallelism(0);
  }

  void dilatedConvolutionIsThatOfTheUnfoldedWindows() {
    const ConvGeometry g = geometry(2, 11, 3, 3, 8, 1, 2);
    auto made = DnnlConvolution::make(ConvDirection::Output, g);
    QVERIFY(made.ok());
    auto in = randomFloats(g.inputElements(), 1), filter = randomFloats(g.filterElements(), 2);
    std::vector<float> a(size_t(g.outputElements())), b(a);
    std::vector<char> scratch((*made)->scratchBytes() + 64);
    void* aligned = reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(scratch.data()) + 63) / 64 * 64);
    QVERIFY((*made)->run(in.data(), filter.data(), a.data(), aligned).ok());
    unfoldedConvolution(ConvDirection::Output, g, in.data(), filter.data(), b.data());
    QVERIFY(largestDifference(a, b) < 1e-4);
  }

  void primitivesAreMadeOnce() {
    ConvolutionCache cache;
    const ConvGeometry g = geometry(1, 8, 4, 3, 4, 1);
    auto first = cache.get(ConvDirection::Output, g), again = cache.get(ConvDirection::Output, g);
    QVERIFY(first.ok() && again.ok());
    QCOMPARE(first->get(), again->get());
    auto other = cache.get(ConvDirection::Filter, g);
    QVERIFY(other.ok() && other->get() != first->get());
  }

  void productsOfAllSizesAndTranspositions() {
    const int64_t sizes[][3] = {{1, 1, 1}, {3, 5, 2}, {16, 16, 16}, {17, 40, 9}, {64, 33, 70}, {5, 0, 4}, {1, 300, 7}};
    for (const auto& s : sizes) {
      for (int flags = 0; flags < 4; ++flags) {
        const GemmShape shape{s[0], s[1], s[2], (flags & 1) != 0, (flags & 2) != 0};
        const auto a = randomFloats(s[0] * s[1], 1), b = randomFloats(s[1] * s[2], 2);
        std::vector<float> got(size_t(s[0] * s[2]), 7.f), want(got);
        gemm(shape, a.data(), b.data(), got.data());
        for (int64_t i = 0; i < s[0]; ++i) {
          for (int64_t j = 0; j < s[2]; ++j) {
            double sum = 0;
            for (int64_t p = 0; p < s[1]; ++p) {
              sum += double(a[size_t(shape.transposeA ? p * s[0] + i : i * s[1] + p)]) * double(b[size_t(shape.transposeB ? j * s[1] + p : p * s[2] + j)]);
            }
            want[size_t(i * s[2] + j)] = float(sum);
          }
        }
        QVERIFY2(largestDifference(got, want) < 1e-5, qPrintable(QString("%1x%2x%3 %4").arg(s[0]).arg(s[1]).arg(s[2]).arg(flags)));
      }
    }
  }

  /// The answers that the authors of Philox publish for their tests.
  void philoxGivesItsKnownAnswers() {
    Philox zero(0, 0);
    QCOMPARE(zero(), (Philox::Group{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
    Philox skipped(5, 9), walked(5, 9);
    skipped.skip(1000);
    for (int i = 0; i < 1000; ++i) walked();
    QCOMPARE(skipped(), walked());
  }

  void vectorisedRandomNumbersAreThoseOfOneStream() {
    for (const uint64_t step : {1ull, 128ull}) {
      Philox gen(0x123456789abcdefull, 42);
      gen.skip(0xfffffff0ull);  // the lower counter word overflows on the way
      std::vector<uint32_t> got(4 * 37);
      randomKernels().philox(got.data(), 37, gen.counter().data(), gen.key().data(), step);
      for (size_t g = 0; g < 37; ++g) {
        Philox at = gen;
        at.skip(g * step);
        const auto x = at();
        for (size_t i = 0; i < 4; ++i) QCOMPARE(got[4 * g + i], x[i]);
      }
    }
    Philox last(7, ~0ull);
    last.skip(~0ull - 3);  // all four words of the counter overflow
    std::vector<uint32_t> got(4 * 20);
    randomKernels().philox(got.data(), 20, last.counter().data(), last.key().data(), 1);
    for (size_t g = 0; g < 20; ++g) {
      const auto x = last();
      for (size_t i = 0; i < 4; ++i) QCOMPARE(got[4 * g + i], x[i]);
    }
  }

  void fractionsOfRandomNumbersAreExact() {
    Philox gen(3, 4);
    std::vector<uint32_t> bits(204), rest(203);
    randomKernels().philox(bits.data(), 51, gen.counter().data(), gen.key().data(), 1);
    std::vector<float> floats(203);
    randomKernels().fractions(floats.data(), bits.data(), 0x7fffffu, 0x1p-23f, 203);
    for (size_t i = 0; i < 203; ++i) QCOMPARE(floats[i], uniformFloat(bits[i]));
    std::vector<double> doubles(101);
    randomKernels().doubles(doubles.data(), bits.data(), 101);
    for (size_t i = 0; i < 101; ++i) QCOMPARE(doubles[i], uniformDouble(bits[2 * i], bits[2 * i + 1]));
  }

  void remaindersAreExact() {
    std::vector<uint32_t> bits = {0, 1, 2, 3, 5, 6, 7, 9, 10, 0x7ffffffeu, 0x7fffffffu, 0x80000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu};
    Philox gen(5, 6);
    for (int g = 0; g < 50; ++g) {
      for (const uint32_t x : gen()) bits.push_back(x);
    }
    std::vector<uint32_t> got(bits.size());
    for (const uint32_t range : {1u, 2u, 3u, 7u, 10u, 97u, 65535u, 65536u, 1000003u, 0x7fffffffu, 0x80000000u, 0x80000001u, 0xfffffffeu, 0xffffffffu}) {
      randomKernels().remainders(got.data(), bits.data(), 11, range, int64_t(bits.size()));
      for (size_t i = 0; i < bits.size(); ++i) QCOMPARE(got[i], 11 + bits[i] % range);
    }
  }

  void sumsOfExponentialsSkipWhatIsNotFinite() {
    const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> x = {1, -inf, 2, nan, 0.5, inf, -800, 3, 1, 1, 2, -1};
    std::vector<double> sums(x.size());
    const double total = randomKernels().expSumsOfDoubles(sums.data(), x.data(), int64_t(x.size()));
    double want = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      if (std::isfinite(x[i])) want += std::exp(x[i] - 3);
      QVERIFY(std::abs(sums[i] - want) <= 1e-14);
    }
    QCOMPARE(total, sums.back());
    const std::vector<float> none(19, float(-inf));
    std::vector<double> zeros(none.size(), 1);
    QCOMPARE(randomKernels().expSums(zeros.data(), none.data(), 19), 0.0);
    QCOMPARE(zeros, std::vector<double>(19, 0.0));
  }

  void aStreamGoesOnFromItsSavedPosition() {
    RandomStream a(1, 2), b(1, 2);
    a.reserve(777);
    b.restore(a.save());
    QCOMPARE(a.reserve(1)(), b.reserve(1)());
  }
};

QTEST_APPLESS_MAIN(NnKernelsTest)
#include "tst_nn_kernels.moc"
