#include <QTest>
#include <cmath>
#include <limits>

#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();

Tensor floats(std::vector<float> v, const Shape& s) { return Tensor::of(v, s); }
Tensor ints(std::vector<int32_t> v) { return Tensor::vector(v); }
Tensor texts(std::vector<std::string> v) { return Tensor::vector(v); }
Tensor text(const char* v) { return Tensor::scalar(std::string(v)); }

struct Case {
  const char* name;
  const char* op;
  std::vector<Tensor> inputs;
  AttrMap attrs;
  std::optional<Tensor> wanted;
  const char* error = "";
};

/// TensorFlow 1.15.5's results where they are not the obvious ones.
std::vector<Case> cases() {
  const Tensor flat = floats({0, 0, 0, 1, 5, 5, 6, 6}, {2, 4}),
               overlaps = floats({1.49f, 0.324f, 0.655f, 0.324f, 1.918f, 1.109f, 0.655f, 1.109f, 1.142f}, {3, 3});
  const Tensor scores = floats({0.3f, 0.2f, 0.1f}, {3}), half = Tensor::scalar(0.5f), zero = Tensor::scalar(0.f);
  const auto reshaped = [](std::initializer_list<int64_t> dims) { return Tensor::zeros(DType::Float, Shape(dims)); };
  return {
      {"boxes without an area come out again", "NonMaxSuppressionV2", {flat, floats({0.5f, 0.4f}, {2}), Tensor::scalar(int32_t(3)), half}, {}, ints({0, 0, 0})},
      {"boxes that overlap themselves little",
       "NonMaxSuppressionWithOverlaps",
       {overlaps, scores, Tensor::scalar(int32_t(6)), Tensor::scalar(1.4f), zero},
       {},
       ints({0, 1, 2, 2, 2, 2})},
      {"as much as is allowed is too much",
       "NonMaxSuppressionWithOverlaps",
       {overlaps, floats({0.1f, 0.3f, 0.2f}, {3}), Tensor::scalar(int32_t(6)), Tensor::scalar(1.109f), zero},
       {},
       ints({1, 0})},
      {"poles", "Digamma", {floats({0, -1, -kInf, 1}, {4})}, {}, floats({kInf, kInf, kInf, -0.5772157f}, {4})},
      {"denormals round to zero", "Ceil", {Tensor::vector(std::vector<double>{1e-310, 0.5})}, {}, Tensor::vector(std::vector<double>{0, 1})},
      {"places in a scalar", "Where", {Tensor::scalar(true)}, {}, std::nullopt, "WhereOp : Unhandled input dimensions: 0"},
      {"an open size beside an empty one", "Reshape", {reshaped({1, 4, 0, 2}), ints({-1, 4, 2, 0})}, {}, reshaped({1, 4, 2, 0})},
      {"an open size that need not fit", "Reshape", {reshaped({0, 5}), ints({-1, 0, 2})}, {}, reshaped({2, 0, 2})},
      {"an open size of what is not empty", "Reshape", {reshaped({2, 3}), ints({0, -1})}, {}, std::nullopt, "requested shape has 0"},
      {"slices of what is empty",
       "GatherNd",
       {reshaped({2, 0}), ints({5})},
       {},
       std::nullopt,
       "Requested more than 0 entries, but params is empty.  Params shape: [2,0]"},
      {"shapes before values", "FloorMod", {ints({1, 1}), ints({0, 0, 0})}, {}, std::nullopt, "Incompatible shapes: [2] vs. [3]"},
      {"no negative axes", "Transpose", {reshaped({2, 3}), ints({-1, 0})}, {}, std::nullopt, "-1 is out of range [0 .. 2)"},
      {"a part that does not exist", "RegexReplace", {texts({"bab", ""}), text("a"), text("\\1")}, {}, texts({"bb", ""})},
      {"a rewrite that ends too soon", "RegexReplace", {texts({"bab"}), text("a"), text("x\\")}, {{"replace_global", false}}, texts({"bab"})},
      {"segments that end below zero", "SegmentMax", {floats({1, 2}, {2}), ints({0, -1})}, {}, std::nullopt, "segment ids must be >= 0"},
      {"bytes behind the end", "Substr", {texts({"ab", "c"}), ints({0, 5}), ints({1, 1})}, {}, std::nullopt, "pos 5 out of range for string b'c' at index 1"},
      {"characters behind the end",
       "Substr",
       {texts({"ab", "c"}), ints({0, 5}), ints({1, 1})},
       {{"unit", "UTF8_CHAR"}},
       std::nullopt,
       "pos 5 out of range for string at index 1"},
      {"one row on the corners of two",
       "ResizeArea",
       {floats({1, 2, 3}, {1, 1, 3, 1}), ints({2, 1})},
       {{"align_corners", true}},
       floats({kNan, kNan}, {1, 2, 1, 1})},
  };
}

}  // namespace

class EdgeValuesTest : public QObject {
  Q_OBJECT

 private slots:
  void likeTensorFlow_data() {
    QTest::addColumn<int>("index");
    QTest::addColumn<bool>("fed");
    const auto all = cases();
    for (size_t i = 0; i < all.size(); ++i) {
      for (const bool fed : {false, true}) QTest::newRow((std::string(all[i].name) + (fed ? ", fed" : ", constant")).c_str()) << int(i) << fed;
    }
  }

  void likeTensorFlow() {
    QFETCH(int, index);
    QFETCH(bool, fed);
    const Case c = cases()[size_t(index)];
    MetaGraph meta;
    GraphBuilder b(meta);
    Inputs inputs;
    std::vector<std::pair<std::string, Tensor>> feeds;
    for (const Tensor& t : c.inputs) {
      const Output in = fed ? b.placeholder(t.dtype(), Shape::unknown()) : b.constant(t);
      inputs.add(in);
      if (fed) feeds.emplace_back(b.graph().tensorName(in), t);
    }
    const Output out = b.op(c.op, inputs, c.attrs, "op");
    Result<std::vector<Tensor>> got{std::vector<Tensor>{}};
    if (b.ok()) {
      auto session = Session::create(b.graph());
      QVERIFY2(session.ok(), session.ok() ? "" : session.error().toString().c_str());
      got = (*session)->run(feeds, {b.graph().tensorName(out)});
    } else {
      got = b.status().error();
    }
    if (!c.wanted) {
      QVERIFY(!got.ok());
      QVERIFY2(got.error().code == Code::InvalidArgument, got.error().toString().c_str());
      if (fed) QVERIFY2(got.error().message.find(c.error) != std::string::npos, got.error().toString().c_str());
      return;
    }
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().toString().c_str());
    const Tensor& t = (*got)[0];
    QCOMPARE(t.shape().toString(), c.wanted->shape().toString());
    QVERIFY(t.dtype() == c.wanted->dtype());
    for (int64_t i = 0; i < t.elements(); ++i) {
      if (t.dtype() == DType::String) {
        QCOMPARE(t.data<std::string>()[i], c.wanted->data<std::string>()[i]);
        continue;
      }
      const double x = t.asDouble(i), want = c.wanted->asDouble(i);
      QVERIFY2((std::isnan(x) && std::isnan(want)) || x == want || std::abs(x - want) <= 1e-6 * std::abs(want),
               qPrintable(QString("%1: %2, not %3").arg(i).arg(x).arg(want)));
    }
  }
};

QTEST_GUILESS_MAIN(EdgeValuesTest)
#include "tst_edge_values.moc"
