#include <QTest>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <numbers>
#include <random>

#include "base/parallel.h"
#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

struct Ran {
  std::vector<Tensor> outputs;
  std::string error;
};

/// Runs one op on fed inputs and fetches the given outputs.
Ran run(const char* op, const std::vector<Tensor>& inputs, const AttrMap& attrs = {}, std::vector<int> fetched = {0}) {
  MetaGraph meta;
  GraphBuilder b(meta);
  Inputs placeholders;
  std::vector<std::pair<std::string, Tensor>> feeds;
  for (const Tensor& t : inputs) {
    const Output p = b.op("Placeholder", {}, {{"dtype", t.dtype()}});
    placeholders.add(p);
    feeds.emplace_back(b.graph().tensorName(p), t);
  }
  const Output first = b.op(op, placeholders, attrs, "op");
  if (!b.ok()) return {{}, b.status().error().message};
  std::vector<std::string> names;
  for (const int k : fetched) names.push_back(b.graph().tensorName(Output{first.node, k}));
  auto session = Session::create(b.graph());
  if (!session.ok()) return {{}, session.error().message};
  auto got = (*session)->run(feeds, names);
  if (!got.ok()) return {{}, got.error().message};
  return {std::move(*got), ""};
}

std::vector<float> randomFloats(int64_t n, uint32_t seed, float low = -1, float high = 1) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> draw(low, high);
  std::vector<float> out(static_cast<size_t>(n));
  for (float& f : out) f = draw(engine);
  return out;
}
Tensor randomTensor(const Shape& s, uint32_t seed, float low = -1, float high = 1) { return Tensor::of(randomFloats(s.elements(), seed, low, high), s); }

template <typename T>
std::vector<T> values(const Tensor& t) {
  return std::vector<T>(t.data<T>(), t.data<T>() + t.elements());
}

using Complex = std::complex<double>;
/// The definition of the transform.
std::vector<Complex> plainTransform(const std::vector<Complex>& x, bool forward) {
  const size_t n = x.size();
  std::vector<Complex> out(n);
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = 0; i < n; ++i) out[k] += x[i] * std::polar(1.0, (forward ? -2 : 2) * std::numbers::pi * double(i * k % n) / double(n));
    if (!forward) out[k] /= double(n);
  }
  return out;
}

template <typename T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

}  // namespace

/// Ops that move, count, sort or transform whole arrays, against plain loops: odd sizes, empty arrays, single elements, NaN.
class FastMovesTest : public QObject {
  Q_OBJECT

 private slots:
  void transformsAreThoseOfTheDefinition_data() {
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("lines");
    for (const int n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 16, 30, 49, 61, 64, 67, 100, 121, 134, 210, 243, 256, 509, 512, 1018}) {
      for (const int lines : {1, 2, 3, 8, 13}) QTest::addRow("%d lines of %d", lines, n) << n << lines;
    }
  }
  void transformsAreThoseOfTheDefinition() {
    QFETCH(int, n);
    QFETCH(int, lines);
    const auto re = randomFloats(n * lines, uint32_t(n)), im = randomFloats(n * lines, uint32_t(n + 1));
    std::vector<std::complex<float>> narrow;
    std::vector<Complex> wide;
    for (size_t i = 0; i < re.size(); ++i) {
      narrow.emplace_back(re[i], im[i]);
      wide.emplace_back(re[i], im[i]);
    }
    const Shape shape{lines, n};
    const Tensor length = Tensor::vector(std::vector<int32_t>{n});
    const auto tolerance = [n](bool forward) { return (forward ? 2e-6 * std::sqrt(n) : 2e-6) * std::log2(n + 2); };
    for (const bool forward : {true, false}) {
      const Ran small = run(forward ? "FFT" : "IFFT", {Tensor::of(narrow, shape)}), big = run(forward ? "FFT" : "IFFT", {Tensor::of(wide, shape)});
      QVERIFY2(small.error.empty() && big.error.empty(), small.error.c_str());
      for (int l = 0; l < lines; ++l) {
        const auto wanted = plainTransform({wide.begin() + l * n, wide.begin() + (l + 1) * n}, forward);
        for (int k = 0; k < n; ++k) {
          QVERIFY(std::abs(Complex(small.outputs[0].data<std::complex<float>>()[l * n + k]) - wanted[size_t(k)]) < tolerance(forward));
          QVERIFY(std::abs(big.outputs[0].data<Complex>()[l * n + k] - wanted[size_t(k)]) < 1e-11);
        }
      }
    }
    // Real lines: the first half of the spectrum, and back.
    const Ran half = run("RFFT", {Tensor::of(re, shape), length});
    QVERIFY2(half.error.empty(), half.error.c_str());
    QCOMPARE(half.outputs[0].dim(1), int64_t(n / 2 + 1));
    for (int l = 0; l < lines; ++l) {
      const auto wanted = plainTransform({re.begin() + l * n, re.begin() + (l + 1) * n}, true);
      for (int k = 0; k <= n / 2; ++k) {
        QVERIFY(std::abs(Complex(half.outputs[0].data<std::complex<float>>()[l * (n / 2 + 1) + k]) - wanted[size_t(k)]) < tolerance(true));
      }
    }
    const Ran back = run("IRFFT", {half.outputs[0], length});
    QVERIFY2(back.error.empty(), back.error.c_str());
    for (size_t i = 0; i < re.size(); ++i) QVERIFY(std::abs(back.outputs[0].data<float>()[i] - re[i]) < 1e-5f);
  }

  void linesOfATransformDoNotDependOnTheirNumberOrPlace() {
    for (const int n : {30, 128, 134, 1000}) {
      const Tensor many = randomTensor(Shape{23, n}, 3);
      const Tensor length = Tensor::vector(std::vector<int32_t>{n});
      const auto all = values<std::complex<float>>(run("RFFT", {many, length}).outputs[0]);
      for (int l = 0; l < 23; ++l) {
        const auto one = values<std::complex<float>>(run("RFFT", {many.rows(l, l + 1), length}).outputs[0]);
        QVERIFY(std::memcmp(one.data(), all.data() + size_t(l) * one.size(), one.size() * sizeof(one[0])) == 0);
      }
    }
  }

  /// A sum of two waves has two lines in its spectrum; a round trip gives the numbers back.
  void longLines() {
    for (const int64_t n : {16384, 20000, 30000, 65536, 104976}) {
      std::vector<std::complex<float>> x;
      for (int64_t i = 0; i < n; ++i) {
        x.push_back(std::complex<float>(std::polar(1.0, 2 * std::numbers::pi * double(i * 5 % n) / double(n)) +
                                        std::polar(2.0, 2 * std::numbers::pi * double(i * (n - 777) % n) / double(n))));
      }
      const Ran spectrum = run("FFT", {Tensor::of(x, Shape{1, n})});
      QVERIFY2(spectrum.error.empty(), spectrum.error.c_str());
      const auto* y = spectrum.outputs[0].data<std::complex<float>>();
      for (int64_t k = 0; k < n; ++k) QVERIFY(std::abs(y[k] / float(n) - (k == 5 ? 1.0f : k == n - 777 ? 2.0f : 0.0f)) < 1e-6f);
      const Ran back = run("IFFT", {spectrum.outputs[0]});
      for (int64_t i = 0; i < n; ++i) QVERIFY(std::abs(back.outputs[0].data<std::complex<float>>()[i] - x[size_t(i)]) < 1e-5f);
    }
  }

  void realTransformsCropAndPad() {
    const Tensor x = randomTensor(Shape{3, 10}, 5);
    for (const int n : {1, 2, 7, 8, 9, 10, 11, 16, 33}) {
      if (n > 10) continue;
      const Ran got = run("RFFT", {x, Tensor::vector(std::vector<int32_t>{n})});
      for (int l = 0; l < 3; ++l) {
        const auto wanted = plainTransform({x.data<float>() + l * 10, x.data<float>() + l * 10 + n}, true);
        for (int k = 0; k <= n / 2; ++k) {
          QVERIFY(std::abs(Complex(got.outputs[0].data<std::complex<float>>()[l * (n / 2 + 1) + k]) - wanted[size_t(k)]) < 1e-5);
        }
      }
    }
    QVERIFY(run("RFFT", {x, Tensor::vector(std::vector<int32_t>{11})}).error.find("must have length of at least") != std::string::npos);
    QCOMPARE(run("RFFT", {Tensor::zeros(DType::Float, Shape{0, 8}), Tensor::vector(std::vector<int32_t>{8})}).outputs[0].dim(1), int64_t(5));
    const Ran padded = run("RFFT", {Tensor::zeros(DType::Float, Shape{2, 0}), Tensor::vector(std::vector<int32_t>{4})});
    QVERIFY2(padded.error.empty(), padded.error.c_str());
    for (const auto& v : values<std::complex<float>>(padded.outputs[0])) QCOMPARE(v, std::complex<float>(0));
  }

  void planesAndBoxesAreTransformedAlongEachDimension() {
    const Tensor x = randomTensor(Shape{2, 6, 5, 8}, 7);
    const Ran plane = run("RFFT2D", {x, Tensor::vector(std::vector<int32_t>{4, 7})});
    QVERIFY2(plane.error.empty(), plane.error.c_str());
    for (int64_t outer = 0; outer < 12; ++outer) {
      for (int a = 0; a < 4; ++a) {
        for (int k = 0; k < 4; ++k) {
          Complex sum = 0;
          for (int i = 0; i < 4; ++i) {
            for (int j = 0; j < 7; ++j) {
              sum += double(x.data<float>()[(outer * 5 + i) * 8 + j]) * std::polar(1.0, -2 * std::numbers::pi * (a * i / 4.0 + k * j / 7.0));
            }
          }
          QVERIFY(std::abs(Complex(plane.outputs[0].data<std::complex<float>>()[(outer * 4 + a) * 4 + k]) - sum) < 1e-5);
        }
      }
    }
    const Tensor lengths = Tensor::vector(std::vector<int32_t>{6, 5, 8});
    const Ran box = run("IRFFT3D", {run("RFFT3D", {x, lengths}).outputs[0], lengths});
    QVERIFY2(box.error.empty(), box.error.c_str());
    for (int64_t i = 0; i < x.elements(); ++i) QVERIFY(std::abs(box.outputs[0].data<float>()[i] - x.data<float>()[i]) < 1e-5f);
  }

  void placesOfNonzeroElements() {
    for (const int64_t n : {0, 1, 63, 64, 65, 1000, 16384, 16385, 40000}) {
      std::vector<float> x(static_cast<size_t>(n));
      std::mt19937 draw{uint32_t(n)};
      for (float& v : x) v = draw() % 3 == 0 ? 0.0f : draw() % 5 == 0 ? -0.0f : draw() % 7 == 0 ? kNan : 1.0f;
      std::vector<int64_t> wanted;
      Tensor flags = Tensor::zeros(DType::Bool, Shape{n});
      for (int64_t i = 0; i < n; ++i) {
        if (x[size_t(i)] != 0) wanted.push_back(i), flags.mutableData<bool>()[i] = true;
      }
      QCOMPARE(values<int64_t>(run("Where", {Tensor::of(x, Shape{n})}).outputs[0]), wanted);
      QCOMPARE(values<int64_t>(run("Where", {flags}).outputs[0]), wanted);
    }
    const Tensor box = Tensor::of(std::vector<int32_t>{0, 1, 0, 0, 0, 2, 3, 0, 0, 0, 0, 4}, Shape{2, 3, 2});
    QCOMPARE(values<int64_t>(run("Where", {box}).outputs[0]), (std::vector<int64_t>{0, 0, 1, 0, 2, 1, 1, 0, 0, 1, 2, 1}));
    QCOMPARE(run("Where", {Tensor::zeros(DType::Float, Shape{3, 0, 2})}).outputs[0].shape().toString(), Shape({0, 3}).toString());
  }

  void countsOfValues() {
    for (const int64_t n : {0, 1, 5, 1000, 100000}) {
      for (const int32_t bins : {0, 1, 7, 100, 5000}) {
        std::vector<int32_t> x(static_cast<size_t>(n));
        std::mt19937 draw{uint32_t(n + bins)};
        for (int32_t& v : x) v = int32_t(draw() % 120);
        const auto weights = randomFloats(n, 9);
        std::vector<int32_t> counts(static_cast<size_t>(bins));
        std::vector<float> sums(static_cast<size_t>(bins));
        for (size_t i = 0; i < x.size(); ++i) {
          if (x[i] < bins) counts[size_t(x[i])]++, sums[size_t(x[i])] += weights[i];
        }
        const Tensor in = Tensor::vector(x), size = Tensor::scalar(bins);
        QCOMPARE(values<int32_t>(run("Bincount", {in, size, Tensor::zeros(DType::Int32, Shape{0})}).outputs[0]), counts);
        if (n > 0) QVERIFY(sameBits(values<float>(run("Bincount", {in, size, Tensor::vector(weights)}).outputs[0]), sums));
      }
    }
    std::vector<int32_t> bad(50000, 3);
    bad.back() = -1;
    QCOMPARE(run("Bincount", {Tensor::vector(bad), Tensor::scalar(8), Tensor::zeros(DType::Int32, Shape{0})}).error,
             std::string("Input arr must be non-negative!"));
  }

  void wholeRowsAreSortedStably() {
    for (const int64_t n : {1, 17, 127, 128, 300, 5000}) {
      auto x = randomFloats(3 * n, uint32_t(n));
      for (size_t i = 0; i < x.size(); i += 3) x[i] = std::round(x[i] * 4);  // ties, zeros of both signs
      if (n > 100) x[5] = kInf, x[9] = -kInf;
      for (const int64_t k : {n, n / 2}) {
        const Ran got = run("TopKV2", {Tensor::of(x, Shape{3, n}), Tensor::scalar(int32_t(k))}, {}, {0, 1});
        for (int64_t r = 0; r < 3; ++r) {
          const float* row = x.data() + r * n;
          std::vector<int32_t> order(static_cast<size_t>(n));
          for (size_t i = 0; i < order.size(); ++i) order[i] = int32_t(i);
          std::stable_sort(order.begin(), order.end(), [row](int32_t a, int32_t b) { return row[a] > row[b]; });
          for (int64_t i = 0; i < k; ++i) {
            QCOMPARE(got.outputs[1].data<int32_t>()[r * k + i], order[size_t(i)]);
            QCOMPARE(std::signbit(got.outputs[0].data<float>()[r * k + i]), std::signbit(row[order[size_t(i)]]));
          }
        }
      }
    }
    const auto descending = [](auto v) {
      const int64_t n = int64_t(v.size());
      const Ran got = run("TopKV2", {Tensor::of(v, Shape{n}), Tensor::scalar(int32_t(n))});
      std::sort(v.rbegin(), v.rend());
      return got.error.empty() && values<typename decltype(v)::value_type>(got.outputs[0]) == v;
    };
    std::mt19937 draw(4);
    std::vector<int32_t> whole(500);
    std::vector<uint8_t> bytes(500);
    std::vector<int16_t> shorts(500);
    std::vector<double> doubles(500);
    for (size_t i = 0; i < 500; ++i) whole[i] = int32_t(draw()), bytes[i] = uint8_t(draw()), shorts[i] = int16_t(draw()), doubles[i] = double(int32_t(draw()));
    QVERIFY(descending(whole) && descending(bytes) && descending(shorts) && descending(doubles));
    std::vector<float> few(300, 1.0f);
    few[7] = kNan;
    QCOMPARE(run("TopKV2", {Tensor::vector(few), Tensor::scalar(300)}).outputs[0].elements(), int64_t(300));
  }

  void positionsOfExtremes() {
    for (const int64_t n : {1, 2, 31, 32, 33, 64, 1000}) {
      auto x = randomFloats(4 * n, uint32_t(n));
      for (float& v : x) v = std::round(v * 8);
      x[0] = kNan;
      for (int64_t i = 0; i < n; ++i) x[size_t(n + i)] = kNan, x[size_t(2 * n + i)] = -kInf;
      for (const bool isMax : {true, false}) {
        std::vector<int64_t> wanted;
        for (int64_t r = 0; r < 4; ++r) {
          const float* row = x.data() + r * n;
          float best = isMax ? std::numeric_limits<float>::lowest() : std::numeric_limits<float>::max();
          int64_t at = 0;
          for (int64_t i = 0; i < n; ++i) {
            if (isMax ? row[i] > best : row[i] < best) best = row[i], at = i;
          }
          wanted.push_back(at);
        }
        QCOMPARE(values<int64_t>(run(isMax ? "ArgMax" : "ArgMin", {Tensor::of(x, Shape{4, n}), Tensor::scalar(1)}).outputs[0]), wanted);
      }
    }
  }

  void transpositionsMoveEachElement_data() {
    QTest::addColumn<QString>("shape");
    QTest::addColumn<QList<int>>("order");
    QTest::newRow("square") << "[64,64]" << QList<int>{1, 0};
    QTest::newRow("odd") << "[37,51]" << QList<int>{1, 0};
    QTest::newRow("narrow") << "[3,1000]" << QList<int>{1, 0};
    QTest::newRow("tall") << "[1000,3]" << QList<int>{1, 0};
    QTest::newRow("one row") << "[1,77]" << QList<int>{1, 0};
    QTest::newRow("inner pair") << "[7,19,33]" << QList<int>{0, 2, 1};
    QTest::newRow("channels first") << "[5,9,11,6]" << QList<int>{0, 3, 1, 2};
    QTest::newRow("reversed") << "[6,7,8,9]" << QList<int>{3, 2, 1, 0};
    QTest::newRow("huge strides") << "[17,2,4096]" << QList<int>{2, 0, 1};
    QTest::newRow("empty") << "[4,0,3]" << QList<int>{2, 1, 0};
  }
  void transpositionsMoveEachElement() {
    QFETCH(QString, shape);
    QFETCH(QList<int>, order);
    const Shape s = *Shape::parse(shape.toStdString());
    std::vector<int32_t> perm(order.begin(), order.end());
    Shape out;
    for (const int32_t d : perm) out.append(s.dim(d));
    for (const DType type : {DType::UInt8, DType::Int16, DType::Int32, DType::Double, DType::Complex128}) {
      Tensor x = Tensor::zeros(type, s);
      const size_t size = sizeOf(type);
      for (size_t i = 0; i < x.bytes(); ++i) static_cast<uint8_t*>(x.mutableRaw())[i] = uint8_t(i * 37 + i / 251);
      const Ran got = run("Transpose", {x, Tensor::vector(perm)});
      QVERIFY2(got.error.empty(), got.error.c_str());
      QCOMPARE(got.outputs[0].shape().toString(), out.toString());
      std::vector<int64_t> index(perm.size(), 0);
      for (int64_t i = 0; i < out.elements(); ++i) {
        int64_t rest = i, from = 0;
        for (size_t d = perm.size(); d-- > 0;) {
          index[size_t(perm[d])] = rest % out.dim(int(d));
          rest /= out.dim(int(d));
        }
        for (int d = 0; d < s.rank(); ++d) from = from * s.dim(d) + index[size_t(d)];
        QVERIFY(std::memcmp(static_cast<const char*>(got.outputs[0].raw()) + size_t(i) * size, static_cast<const char*>(x.raw()) + size_t(from) * size, size) ==
                0);
      }
    }
  }

  void paddedRows() {
    const Tensor x = randomTensor(Shape{3, 4, 5}, 11);
    const Tensor paddings = Tensor::of(std::vector<int32_t>{1, 2, 0, 0, 3, 1}, Shape{3, 2});
    const Ran got = run("PadV2", {x, paddings, Tensor::scalar(7.0f)});
    QCOMPARE(got.outputs[0].shape().toString(), Shape({6, 4, 9}).toString());
    for (int64_t i = 0; i < 6; ++i) {
      for (int64_t j = 0; j < 4; ++j) {
        for (int64_t k = 0; k < 9; ++k) {
          const bool inside = i >= 1 && i < 4 && k >= 3 && k < 8;
          QCOMPARE(got.outputs[0].data<float>()[(i * 4 + j) * 9 + k], inside ? x.data<float>()[((i - 1) * 4 + j) * 5 + k - 3] : 7.0f);
        }
      }
    }
    const Ran empty = run("Pad", {Tensor::zeros(DType::Int64, Shape{0, 2}), Tensor::of(std::vector<int32_t>{1, 1, 0, 1}, Shape{2, 2})});
    QCOMPARE(values<int64_t>(empty.outputs[0]), std::vector<int64_t>(6, 0));
  }

  void piecesOfWhichSomeAreFetched() {
    const Tensor x = randomTensor(Shape{9, 4, 5}, 12);
    for (const std::vector<int>& fetched : {std::vector<int>{2}, std::vector<int>{3, 0}, std::vector<int>{0, 1, 2, 3}}) {
      const Ran unpacked = run("Unpack", {x}, {{"num", 4}, {"axis", 1}}, fetched);
      const Ran split = run("Split", {Tensor::scalar(1), x}, {{"num_split", 4}}, fetched);
      QVERIFY2(unpacked.error.empty() && split.error.empty(), unpacked.error.c_str());
      for (size_t f = 0; f < fetched.size(); ++f) {
        for (int64_t i = 0; i < 9; ++i) {
          for (int64_t k = 0; k < 5; ++k) {
            const float wanted = x.data<float>()[(i * 4 + fetched[f]) * 5 + k];
            QCOMPARE(unpacked.outputs[f].data<float>()[i * 5 + k], wanted);
            QCOMPARE(split.outputs[f].data<float>()[i * 5 + k], wanted);
          }
        }
      }
    }
  }

  void normalizationAcrossChannels() {
    for (const int64_t channels : {1, 3, 16, 37}) {
      for (const int radius : {0, 1, 5, 100}) {
        for (const float beta : {0.5f, 1.0f, 0.75f}) {
          const AttrMap attrs{{"depth_radius", radius}, {"bias", 1.5f}, {"alpha", 0.3f}, {"beta", beta}};
          const Shape shape{2, 1, 3, channels};
          const Tensor x = randomTensor(shape, 13), dy = randomTensor(shape, 14);
          const Ran y = run("LRN", {x}, attrs);
          QVERIFY2(y.error.empty(), y.error.c_str());
          const Ran dx = run("LRNGrad", {dy, x, y.outputs[0]}, attrs);
          for (int64_t p = 0; p < 6; ++p) {
            const float *in = x.data<float>() + p * channels, *out = y.outputs[0].data<float>() + p * channels, *g = dy.data<float>() + p * channels;
            std::vector<double> norms;
            for (int64_t k = 0; k < channels; ++k) {
              double sum = 0;
              for (int64_t i = std::max<int64_t>(0, k - radius); i < std::min(channels, k + radius + 1); ++i) sum += double(in[i]) * double(in[i]);
              norms.push_back(1.5 + double(0.3f) * sum);
              QVERIFY(std::abs(double(out[k]) - double(in[k]) * std::pow(norms.back(), -double(beta))) < 1e-5);
            }
            for (int64_t k = 0; k < channels; ++k) {
              double d = 0;
              for (int64_t j = std::max<int64_t>(0, k - radius); j < std::min(channels, k + radius + 1); ++j) {
                double part = -2 * double(0.3f) * double(beta) * double(in[k]) * double(out[j]) / norms[size_t(j)];
                if (j == k) part += std::pow(norms[size_t(j)], -double(beta));
                d += part * double(g[j]);
              }
              QVERIFY(std::abs(double(dx.outputs[0].data<float>()[p * channels + k]) - d) < 1e-4);
            }
          }
        }
      }
    }
  }

  /// Each channel of an image is resized as if it were alone.
  void resizedChannelsAreIndependent() {
    for (const char* op : {"ResizeBicubic", "ResizeArea"}) {
      for (const int64_t channels : {2, 3, 4, 5, 9}) {
        const Tensor x = randomTensor(Shape{2, 5, 7, channels}, 15, 0, 255), size = Tensor::vector(std::vector<int32_t>{8, 11});
        const Ran all = run(op, {x, size});
        QVERIFY2(all.error.empty(), all.error.c_str());
        for (int64_t k = 0; k < channels; ++k) {
          Tensor one = Tensor::zeros(DType::Float, Shape{2, 5, 7, 1});
          for (int64_t i = 0; i < one.elements(); ++i) one.mutableData<float>()[i] = x.data<float>()[i * channels + k];
          const Ran alone = run(op, {one, size});
          for (int64_t i = 0; i < alone.outputs[0].elements(); ++i) QCOMPARE(all.outputs[0].data<float>()[i * channels + k], alone.outputs[0].data<float>()[i]);
        }
      }
    }
  }

  void contrastOfManyShapes() {
    for (const Shape& shape : {Shape{1, 1, 3}, Shape{3, 17, 13, 3}, Shape{2, 100, 120, 1}, Shape{2, 3, 4, 300}, Shape{0, 4, 4, 3}, Shape{2, 64, 64, 7}}) {
      const Tensor x = randomTensor(shape, 16, 0, 1);
      const Ran got = run("AdjustContrastv2", {x, Tensor::scalar(1.7f)});
      QVERIFY2(got.error.empty(), got.error.c_str());
      if (x.elements() == 0) continue;
      const int64_t channels = shape.dim(shape.rank() - 1), pixels = shape.dim(shape.rank() - 2) * shape.dim(shape.rank() - 3);
      for (int64_t p = 0; p < x.elements() / (channels * pixels); ++p) {
        for (int64_t k = 0; k < channels; ++k) {
          const float* in = x.data<float>() + p * pixels * channels + k;
          double mean = 0;
          for (int64_t i = 0; i < pixels; ++i) mean += double(in[i * channels]) / double(pixels);
          for (int64_t i = 0; i < pixels; ++i) {
            const double wanted = (double(in[i * channels]) - mean) * double(1.7f) + mean;
            QVERIFY(std::abs(double(got.outputs[0].data<float>()[(p * pixels + i) * channels + k]) - wanted) < 1e-6);
          }
        }
      }
    }
  }

  void convolutionsOfVolumes() {
    for (const int64_t depth : {1, 2, 5}) {
      for (const char* padding : {"SAME", "VALID"}) {
        for (const int stride : {1, 2}) {
          const Tensor x = randomTensor(Shape{2, depth, 5, 4, 3}, 20), f = randomTensor(Shape{1, 3, 2, 3, 2}, 21);
          const Ran got = run("Conv3D", {x, f}, {{"strides", std::vector<int64_t>{1, 1, stride, stride, 1}}, {"padding", std::string(padding)}});
          QVERIFY2(got.error.empty(), got.error.c_str());
          const Tensor& y = got.outputs[0];
          const bool same = std::string(padding) == "SAME";
          const auto before = [&](int64_t in, int64_t out, int64_t window) { return same ? std::max<int64_t>(0, (out - 1) * stride + window - in) / 2 : 0; };
          const int64_t top = before(5, y.dim(2), 3), left = before(4, y.dim(3), 2);
          int64_t at = 0;
          for (int64_t p = 0; p < 2 * depth; ++p) {
            for (int64_t h = 0; h < y.dim(2); ++h) {
              for (int64_t w = 0; w < y.dim(3); ++w) {
                for (int64_t o = 0; o < 2; ++o, ++at) {
                  double sum = 0;
                  for (int64_t i = 0; i < 3; ++i) {
                    for (int64_t j = 0; j < 2; ++j) {
                      const int64_t row = h * stride - top + i, column = w * stride - left + j;
                      if (row < 0 || row >= 5 || column < 0 || column >= 4) continue;
                      for (int64_t k = 0; k < 3; ++k) {
                        sum += double(x.data<float>()[((p * 5 + row) * 4 + column) * 3 + k]) * double(f.data<float>()[((i * 2 + j) * 3 + k) * 2 + o]);
                      }
                    }
                  }
                  QVERIFY(std::abs(double(y.data<float>()[at]) - sum) < 1e-5);
                }
              }
            }
          }
        }
      }
    }
  }

  void productsOf16BitFloats() {
    for (const int64_t n : {1, 7, 33}) {
      for (const DType type : {DType::Half, DType::BFloat16}) {
        const Tensor x = run("Cast", {randomTensor(Shape{n, n + 1}, 22)}, {{"DstT", type}}).outputs[0];
        const Tensor y = run("Cast", {randomTensor(Shape{n + 1, 3}, 23)}, {{"DstT", type}}).outputs[0];
        const auto wide = [](const Tensor& t) { return run("Cast", {t}, {{"DstT", DType::Float}}).outputs[0]; };
        const Ran got = run("MatMul", {x, y});
        QVERIFY2(got.error.empty(), got.error.c_str());
        const Tensor a = wide(x), b = wide(y), c = wide(got.outputs[0]);
        for (int64_t i = 0; i < n * 3; ++i) {
          double sum = 0;
          for (int64_t k = 0; k <= n; ++k) sum += double(a.data<float>()[i / 3 * (n + 1) + k]) * double(b.data<float>()[k * 3 + i % 3]);
          QVERIFY(std::abs(double(c.data<float>()[i]) - sum) <= (std::abs(sum) + 1e-3) * (type == DType::Half ? 6e-4 : 5e-3));
        }
      }
    }
  }

  void conversionsOf16BitFloats() {
    const auto x = randomFloats(1001, 17, -70000, 70000);
    std::vector<float> all = x;
    for (const float f : {0.0f, -0.0f, kInf, -kInf, kNan, 65504.0f, 65520.0f, 6e-8f, 2.9e-8f, 6.1e-5f, 1e-40f, 1.00048828125f}) all.push_back(f);
    for (const DType type : {DType::Half, DType::BFloat16}) {
      const Ran whole = run("Cast", {Tensor::vector(all)}, {{"DstT", type}});
      QVERIFY2(whole.error.empty(), whole.error.c_str());
      const Ran wide = run("Cast", {whole.outputs[0]}, {{"DstT", DType::Float}});
      for (size_t i = 0; i < all.size(); ++i) {
        const uint16_t bits = static_cast<const uint16_t*>(whole.outputs[0].raw())[i];
        const uint16_t wanted = type == DType::Half ? halfFromFloat(all[i]).bits : bfloat16FromFloat(all[i]).bits;
        if (std::isnan(all[i])) QVERIFY(std::isnan(wide.outputs[0].data<float>()[i]));
        else QCOMPARE(bits, wanted);
      }
    }
  }
};

QTEST_GUILESS_MAIN(FastMovesTest)
#include "tst_fast_moves.moc"
