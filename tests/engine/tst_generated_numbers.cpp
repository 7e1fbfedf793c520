#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

/// Numerical bugs found by generated graphs (tests/generated): non-finite values, integers, random numbers, alone and after rewrites.
class GeneratedNumbersTest : public QObject {
  Q_OBJECT

 private slots:
  /// Relu hands NaN on, within a convolution, too.
  void convolutionsWithReluShowNaN() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{1, 4, 4, 8}, "x");
    const Output y =
        b.op("Conv2D", {x, b.constant(Tensor::zeros(DType::Float, {1, 1, 8, 8}))}, {{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "SAME"}});
    const Output relu = b.op("Relu", {b.op("BiasAdd", {y, b.constant(Tensor::zeros(DType::Float, {8}))})});
    QVERIFY(b.ok());
    Tensor value = Tensor::zeros(DType::Float, {1, 4, 4, 8});
    value.mutableData<float>()[3] = NAN;
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    const auto r = (*session)->run({{"x:0", value}}, {meta.graph.tensorName(relu)});
    QVERIFY(r.ok());
    for (int i = 0; i < 8; ++i) QVERIFY(std::isnan((*r)[0].at<float>(i)));
    QCOMPARE((*r)[0].at<float>(8), 0.f);
  }

  /// Nor do they hide the effect of an infinite input: NaN where a filter is 0, nothing where it is negative.
  void convolutionsWithReluShowWhatIsInfinite() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{1, 1, 1, 2}, "x"), w = b.placeholder(DType::Float, Shape{1, 1, 2, 8}, "w");
    const Output y = b.op("Conv2D", {x, w}, {{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "SAME"}});
    const Output relu = b.op("Relu", {b.op("BiasAdd", {y, b.constant(Tensor::zeros(DType::Float, {8}))})});
    QVERIFY(b.ok());
    Tensor values = Tensor::zeros(DType::Float, {1, 1, 1, 2}), filter = Tensor::zeros(DType::Float, {1, 1, 2, 8});
    values.mutableData<float>()[0] = INFINITY;
    filter.mutableData<float>()[6] = -1;
    filter.mutableData<float>()[7] = 1;
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    const auto r = (*session)->run({{"x:0", values}, {"w:0", filter}}, {meta.graph.tensorName(relu)});
    QVERIFY(r.ok());
    for (int i = 0; i < 6; ++i) QVERIFY(std::isnan((*r)[0].at<float>(i)));
    QCOMPARE((*r)[0].at<float>(6), 0.f);
    QCOMPARE((*r)[0].at<float>(7), INFINITY);
  }

  /// Relu propagates NaN for every type, and non-finite gradients are visible where Relu and Relu6 cut off.
  void whatIsNotFiniteShowsInRelu() {
    for (const DType type : {DType::Float, DType::Double, DType::Half, DType::BFloat16}) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const Output x = b.placeholder(type, Shape{40}, "x"), g = b.placeholder(type, Shape{40}, "g");
      const Output relu = b.op("Relu", {x}), cut = b.op("Relu6", {x}), grad = b.op("ReluGrad", {g, x}), cutGrad = b.op("Relu6Grad", {g, x});
      // The same among other ops, where chains are one pass over memory.
      const Output chain = b.op("Neg", {b.op("ReluGrad", {b.op("Mul", {g, g}), x})}),
                   reluChain = b.op("Neg", {b.op("Relu", {b.op("Neg", {b.op("Neg", {x})})})});
      QVERIFY(b.ok());
      Tensor features = Tensor::zeros(DType::Float, {40}), gradients = features;
      for (int i = 0; i < 40; ++i) {
        const float f[] = {-1, 0, 7, NAN, 3}, d[] = {INFINITY, NAN, -INFINITY, 2};
        features.mutableData<float>()[i] = f[i % 5];
        gradients.mutableData<float>()[i] = d[i % 4];
      }
      const auto as = [&](const Tensor& t) {
        MetaGraph casting;
        GraphBuilder c(casting);
        const Output out = c.op("Cast", {c.constant(t)}, {{"DstT", type}});
        auto session = Session::create(casting.graph);
        return session.ok() ? (*session)->run({}, {casting.graph.tensorName(out)}).value()[0] : Tensor();
      };
      SessionOptions plain;
      plain.disabledPasses = {"all"};
      for (const SessionOptions& options : {SessionOptions{}, plain}) {
        auto session = Session::create(meta.graph, options);
        QVERIFY(session.ok());
        std::vector<std::string> names;
        for (const Output& o : {relu, cut, grad, cutGrad, chain, reluChain}) names.push_back(meta.graph.tensorName(o));
        const auto r = (*session)->run({{"x:0", as(features)}, {"g:0", as(gradients)}}, names);
        QVERIFY2(r.ok(), r.status().toString().c_str());
        for (int i = 0; i < 40; ++i) {
          const float f = features.at<float>(i), d = gradients.at<float>(i);
          const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
          QVERIFY(same((*r)[0].asDouble(i), std::isnan(f) ? f : std::max(f, 0.f)));
          QVERIFY(same((*r)[1].asDouble(i), std::isnan(f) ? f : std::min(std::max(f, 0.f), 6.f)));
          QVERIFY(same((*r)[2].asDouble(i), d * (f > 0 ? 1.f : 0.f)));
          QVERIFY(same((*r)[3].asDouble(i), d * (f > 0 && f < 6 ? 1.f : 0.f)));
          QVERIFY(same((*r)[4].asDouble(i), -(d * d * (f > 0 ? 1.f : 0.f))));
          QVERIFY(same((*r)[5].asDouble(i), std::isnan(f) ? f : -std::max(f, 0.f)));
        }
      }
    }
  }

  /// The gradient of Relu before a pool lets NaN through where the maximum is cut off, joined with the pool's or not.
  void poolsOfReluShowNaN() {
    for (const int channels : {1, 16}) {
      for (const int window : {2, 3}) {
        MetaGraph meta;
        GraphBuilder b(meta);
        const Shape image{1, 6, 6, channels}, small{1, 6 / window, 6 / window, channels};
        const Output x = b.placeholder(DType::Float, image, "x"), d = b.placeholder(DType::Float, small, "d");
        const AttrMap attrs{
            {"ksize", std::vector<int64_t>{1, window, window, 1}}, {"strides", std::vector<int64_t>{1, window, window, 1}}, {"padding", "SAME"}};
        const Output relu = b.op("Relu", {x}), pool = b.op("MaxPool", {relu}, attrs);
        const Output back = b.op("ReluGrad", {b.op("MaxPoolGrad", {relu, pool, d}, attrs), relu});
        QVERIFY(b.ok());
        Tensor features = Tensor::zeros(DType::Float, image), gradients = Tensor::zeros(DType::Float, small);
        for (int64_t i = 0; i < features.elements(); ++i) features.mutableData<float>()[i] = float(i % 7) - (i < features.elements() / 2 ? 9.f : 3.f);
        for (int64_t i = 0; i < gradients.elements(); ++i) gradients.mutableData<float>()[i] = i % 2 ? 1.f : NAN;
        SessionOptions plain;
        plain.disabledPasses = {"all"};
        std::vector<Tensor> results;
        for (const SessionOptions& options : {SessionOptions{}, plain}) {
          auto session = Session::create(meta.graph, options);
          QVERIFY(session.ok());
          const auto r = (*session)->run({{"x:0", features}, {"d:0", gradients}}, {meta.graph.tensorName(back)});
          QVERIFY(r.ok());
          results.push_back((*r)[0]);
        }
        int lost = 0;
        for (int64_t i = 0; i < features.elements(); ++i) {
          QCOMPARE(std::isnan(results[0].at<float>(i)), std::isnan(results[1].at<float>(i)));
          lost += std::isnan(results[0].at<float>(i)) && features.at<float>(i) < 0;
        }
        QVERIFY(lost > 0);
      }
    }
  }

  /// A root that is not real is NaN, not the real part of the root.
  void rootsThatAreNotReal() {
    MetaGraph meta;
    GraphBuilder b(meta);
    Tensor value = Tensor::zeros(DType::Double, {3, 1, 1});
    for (int i = 0; i < 3; ++i) value.mutableData<double>()[i] = i == 0 ? -2 : i == 1 ? 0 : 4;
    const Output root = b.op("MatrixSquareRoot", {b.constant(value)});
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    const auto r = (*session)->run({}, {meta.graph.tensorName(root)});
    QVERIFY(r.ok());
    QVERIFY(std::isnan((*r)[0].at<double>(0)));
    QCOMPARE((*r)[0].at<double>(1), 0.);
    QCOMPARE((*r)[0].at<double>(2), 2.);
  }

  /// Polygamma and Zeta at their poles.
  void polesAreInfinite() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const auto numbers = [&](std::initializer_list<float> v) { return b.constant(Tensor::vector<float>(v)); };
    const Output p = b.op("Polygamma", {numbers({0, 1, 2, 3, 2}), numbers({0, 0, -1, -3, 1})}), z = b.op("Zeta", {numbers({3, 2, 2}), numbers({0, -1, 1})});
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    const auto r = (*session)->run({}, {meta.graph.tensorName(p), meta.graph.tensorName(z)});
    QVERIFY(r.ok());
    const float want[] = {INFINITY, INFINITY, -INFINITY, INFINITY};
    for (int i = 0; i < 4; ++i) QCOMPARE((*r)[0].at<float>(i), want[i]);
    QVERIFY(std::abs((*r)[0].at<float>(4) + 2.4041138f) < 1e-5f);
    QCOMPARE((*r)[1].at<float>(0), INFINITY);
    QCOMPARE((*r)[1].at<float>(1), INFINITY);
    QVERIFY(std::abs((*r)[1].at<float>(2) - 1.6449341f) < 1e-5f);
  }

  /// Parameters with which a proximal method would write NaN into its variable are refused, and the variable is as it was.
  void proximalMethodsCheckTheirParameters() {
    struct Bad {
      const char* op;
      int scalar;
      float value;
      const char* says;
    };
    for (const Bad& bad : {Bad{"ApplyFtrl", 0, 0, "lr is not a positive"},
                           {"ApplyFtrl", 0, NAN, "lr is not a positive"},
                           {"ApplyFtrl", 1, -1, "l1 regularization"},
                           {"ApplyFtrl", 2, -1, "l2 regularization"},
                           {"ApplyFtrl", 3, 1, "lr_power is not a non-positive"},
                           {"ApplyFtrlV2", 3, -1, "l2 shrinkage"},
                           {"ApplyProximalAdagrad", 0, -1, "lr is not a positive"},
                           {"ApplyProximalAdagrad", 1, NAN, "l1 regularization"},
                           {"ApplyFtrl", -1, 0, ""}}) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const std::string op = bad.op;
      const bool adagrad = op == "ApplyProximalAdagrad";
      const Output half = b.constant(Tensor::vector<float>({0.5f}));
      std::vector<Output> inputs;
      std::vector<std::string> starts;
      for (int i = 0; i < (adagrad ? 2 : 3); ++i) {
        inputs.push_back(b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape{1}}}));
        starts.push_back(meta.graph.node(b.op("Assign", {inputs.back(), half}).node)->name);
      }
      std::vector<float> scalars = adagrad ? std::vector<float>{0.5f, 0.1f, 0.1f} : std::vector<float>{0.5f, 0.1f, 0.1f, -0.5f};
      if (op == "ApplyFtrlV2") scalars.insert(scalars.begin() + 3, 0.1f);
      if (bad.scalar >= 0) scalars[size_t(bad.scalar)] = bad.value;
      if (!adagrad) inputs.push_back(half);
      for (const float v : scalars) inputs.push_back(b.scalar<float>(v));
      if (adagrad) inputs.push_back(half);
      const Output update = b.op(op, Inputs(inputs));
      QVERIFY2(b.ok(), bad.op);
      auto session = Session::create(meta.graph);
      QVERIFY(session.ok());
      QVERIFY((*session)->run({}, {}, starts).ok());
      const auto r = (*session)->run({}, {}, {meta.graph.node(update.node)->name});
      QCOMPARE(r.ok(), bad.scalar < 0);
      if (r.ok()) continue;
      QVERIFY(r.error().code == Code::InvalidArgument);
      QVERIFY2(r.error().message.find(bad.says) != std::string::npos, r.error().message.c_str());
      for (const auto& [name, value] : (*session)->variables()) QCOMPARE(value.at<float>(0), 0.5f);
    }
  }

  /// A gradient of 0 stays 0 where a root has its pole: masks before roots rely on it.
  void gradientsOfZeroStayZero() {
    for (const DType type : {DType::Float, DType::Double}) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const auto as = [&](std::initializer_list<float> v) { return b.op("Cast", {b.constant(Tensor::vector<float>(v))}, {{"DstT", type}}); };
      const Output y = as({0, 0, INFINITY, 2, NAN, 0, 0, 0, 0, 0, 0}), dy = as({0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0});
      const Output root = b.op("SqrtGrad", {y, dy}), inverse = b.op("RsqrtGrad", {y, dy});
      QVERIFY(b.ok());
      auto session = Session::create(meta.graph);
      QVERIFY(session.ok());
      const auto r = (*session)->run({}, {meta.graph.tensorName(root), meta.graph.tensorName(inverse)});
      QVERIFY(r.ok());
      for (const Tensor& t : *r)
        for (int i = 0; i < 11; ++i)
          if (i != 1 && i != 3) QCOMPARE(t.asDouble(i), 0.);
      QCOMPARE((*r)[0].asDouble(1), double(INFINITY));
      QCOMPARE((*r)[0].asDouble(3), 0.25);
      QCOMPARE((*r)[1].asDouble(3), -4.);
    }
  }

  /// A shuffle of n consumes n - 1 random numbers, as the numbers after a shuffle of five show. The orders are TensorFlow 1.15's.
  void shufflesTakeWhatTheyNeed() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{-1}, "x"), y = b.op("RandomShuffle", {x}, {{"seed", int64_t(7)}, {"seed2", int64_t(9)}});
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    for (const auto& want : {std::vector<float>{1, 0, 4, 2, 3}, {5, 3, 4, 2, 0, 1}, {2, 3, 0, 4, 1}, {2, 5, 1, 4, 3, 0}}) {
      Tensor value = Tensor::zeros(DType::Float, {int64_t(want.size())});
      for (size_t i = 0; i < want.size(); ++i) value.mutableData<float>()[i] = float(i);
      const auto r = (*session)->run({{"x:0", value}}, {meta.graph.tensorName(y)});
      QVERIFY(r.ok());
      for (size_t i = 0; i < want.size(); ++i) QCOMPARE((*r)[0].at<float>(int64_t(i)), want[i]);
    }
  }

  /// Hues of pixels below 0 turn like others.
  void huesBelowZeroTurn() {
    MetaGraph meta;
    GraphBuilder b(meta);
    Tensor pixel = Tensor::zeros(DType::Float, {1, 1, 3});
    const float values[] = {-0.5f, -0.25f, -1};
    std::copy(values, values + 3, pixel.mutableData<float>());
    const Output same = b.op("AdjustHue", {b.constant(pixel), b.scalar<float>(0)}), turned = b.op("AdjustHue", {b.constant(pixel), b.scalar<float>(0.25f)});
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    const auto r = (*session)->run({}, {meta.graph.tensorName(same), meta.graph.tensorName(turned)});
    QVERIFY(r.ok());
    const float quarter[] = {-1, -0.25f, -0.375f};
    for (int i = 0; i < 3; ++i) {
      QVERIFY(std::abs((*r)[0].at<float>(i) - values[i]) < 1e-6f);
      QVERIFY(std::abs((*r)[1].at<float>(i) - quarter[i]) < 1e-6f);
    }
  }

  /// A non-finite matrix has no singular values; the result must not be uninitialized memory.
  void singularValuesOfNaN() {
    for (const float other : {NAN, INFINITY}) {
      MetaGraph meta;
      GraphBuilder b(meta);
      Tensor value = Tensor::zeros(DType::Float, {2, 3, 2});
      value.mutableData<float>()[0] = 2;
      value.mutableData<float>()[7] = other;
      const int svd = b.node("Svd", {b.constant(value)}, {{"compute_uv", true}});
      QVERIFY(b.ok());
      auto session = Session::create(meta.graph);
      QVERIFY(session.ok());
      std::vector<std::string> names;
      for (int k = 0; k < 3; ++k) names.push_back(meta.graph.tensorName({svd, k}));
      const auto r = (*session)->run({}, names);
      QVERIFY(r.ok());
      QCOMPARE((*r)[0].at<float>(0), 2.f);
      for (const Tensor& t : *r)
        for (int64_t i = 0; i < t.elements(); ++i) QCOMPARE(std::isnan(t.at<float>(i)), i >= t.elements() / 2);
    }
  }

  /// Non-finite gradients reach the gradients of a range's ends, wherever they are.
  void rangesOfFakeQuantShowNaN() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const int back = b.node("FakeQuantWithMinMaxVarsGradient",
                            {b.constant(Tensor::vector<float>({NAN, 1})), b.constant(Tensor::vector<float>({0, 3})), b.scalar<float>(-1), b.scalar<float>(1)});
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    const auto r = (*session)->run({}, {meta.graph.tensorName({back, 0}), meta.graph.tensorName({back, 1}), meta.graph.tensorName({back, 2})});
    QVERIFY(r.ok());
    QVERIFY(std::isnan((*r)[0].at<float>(0)) && std::isnan((*r)[1].at<float>(0)) && std::isnan((*r)[2].at<float>(0)));
  }

  /// Sums and products of every integer type and length equal sequential addition and multiplication, along rows, columns and over all.
  void integersAddUp() {
    for (const DType type : {DType::Int8, DType::Int16, DType::UInt8, DType::UInt16, DType::Int32, DType::Int64}) {
      for (const char* op : {"Sum", "Prod", "Max", "Min", "Mean"}) {
        MetaGraph meta;
        GraphBuilder b(meta);
        const Output x = b.placeholder(type, Shape{-1, -1}, "x");
        const Output all = b.op(op, {x, b.ints({0, 1})}), rows = b.op(op, {x, b.ints({1})}), columns = b.op(op, {x, b.ints({0})});
        QVERIFY(b.ok());
        const bool isSigned = type == DType::Int8 || type == DType::Int16 || type == DType::Int32 || type == DType::Int64;
        const int64_t bits = int64_t(sizeOf(type)) * 8;
        const auto wrapped = [&](uint64_t v) {
          return bits == 64 ? int64_t(v) : isSigned ? int64_t(v << (64 - bits)) >> (64 - bits) : int64_t(v & ((uint64_t(1) << bits) - 1));
        };
        auto session = Session::create(meta.graph);
        QVERIFY(session.ok());
        const std::string name = op;
        for (int64_t n = 1; n < 70; ++n) {
          for (const Shape& shape : {Shape{2, n}, Shape{n, 2}}) {
            std::vector<int64_t> v;
            uint64_t state = uint64_t(n) * 977;
            for (int64_t i = 0; i < 2 * n; ++i)
              v.push_back(int64_t((state = state * 6364136223846793005ULL + 1442695040888963407ULL) >> 33) % 5 + (isSigned ? -2 : 1));
            Tensor t = Tensor::zeros(type, shape);
            for (int64_t i = 0; i < 2 * n; ++i)
              std::memcpy(static_cast<char*>(t.mutableRaw()) + i * int64_t(sizeOf(type)), &v[size_t(i)], sizeOf(type));  // little-endian
            const auto reduced = [&](const std::vector<int64_t>& list) {
              uint64_t a = name == "Prod" ? 1 : 0;
              if (name == "Max") return *std::max_element(list.begin(), list.end());
              if (name == "Min") return *std::min_element(list.begin(), list.end());
              for (const int64_t x : list) a = name == "Prod" ? a * uint64_t(x) : a + uint64_t(x);
              const int64_t count = wrapped(uint64_t(list.size()));
              return name == "Mean" ? (count ? wrapped(uint64_t(wrapped(a) / count)) : 0) : wrapped(a);
            };
            const auto r = (*session)->run({{"x:0", t}}, {meta.graph.tensorName(all), meta.graph.tensorName(rows), meta.graph.tensorName(columns)});
            QVERIFY(r.ok());
            const QByteArray where = QByteArray(op) + " of " + dtypeName(type).data() + " " + shape.toString().c_str();
            QVERIFY2((*r)[0].asInt(0) == reduced(v), where.constData());
            for (int64_t i = 0; i < shape.dim(0); ++i) {
              const std::vector<int64_t> row(v.begin() + i * shape.dim(1), v.begin() + (i + 1) * shape.dim(1));
              QVERIFY2((*r)[1].asInt(i) == reduced(row), where.constData());
            }
            for (int64_t j = 0; j < shape.dim(1); ++j) {
              std::vector<int64_t> column;
              for (int64_t i = 0; i < shape.dim(0); ++i) column.push_back(v[size_t(i * shape.dim(1) + j)]);
              QVERIFY2((*r)[2].asInt(j) == reduced(column), where.constData());
            }
          }
        }
      }
    }
  }
};

QTEST_GUILESS_MAIN(GeneratedNumbersTest)
#include "tst_generated_numbers.moc"
