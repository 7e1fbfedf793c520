#include <QTest>
#include <functional>

#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

/// What generated graphs (tests/generated) found of single kernels and shape functions; numbers are TensorFlow 1.15.5's.
class GeneratedKernelsTest : public QObject {
  Q_OBJECT

  static std::string refusal(const std::function<void(GraphBuilder&)>& make) {
    MetaGraph meta;
    GraphBuilder b(meta);
    make(b);
    return b.ok() ? std::string() : b.status().error().message;
  }

 private slots:
  /// Where the range of 32-bit integers begins, and the integers themselves, are rounded to single precision: up to 128 of 2^32 steps.
  void rangesOfWideIntegersBegin() {
    struct { float low, high; int32_t from, to; float wantLow, wantHigh; } const kCases[] = {
        {-0.1f, 0.3f, -7, 1000, 0, 0.10000009834766388f}, {-3.7f, 12.9f, -1000000, 5, 0, 4.600000381469727f}, {-1, 1, 0, 100, 0, 4.6798959374427795e-08f},
        {-41.7022f, 0.093255736f, -1750892400, 2143362693, -37.84286880493164f, 0.05315195396542549f}, {-759.3488f, 0.060632948f, -1677888830, 2098590410, -676.3179931640625f, -8.584381103515625f}};
    for (const auto& one : kCases) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const Output x = b.op("Bitcast", {b.ints({one.from, one.to})}, {{"type", DType::QInt32}});
      const int range = b.node("RequantizationRange", {x, b.scalar(one.low), b.scalar(one.high)});
      QVERIFY(b.ok());
      auto session = Session::create(meta.graph);
      QVERIFY(session.ok());
      const auto r = (*session)->run({}, {meta.graph.tensorName({range, 0}), meta.graph.tensorName({range, 1})});
      QVERIFY(r.ok());
      QVERIFY((*r)[0].at<float>(0) == one.wantLow);
      QVERIFY((*r)[1].at<float>(0) == one.wantHigh);
    }
  }

  /// A row whose splits go backwards has no n-grams; it is refused only where pads alone would make some of what lies before it.
  void rowsThatEndBeforeTheyBegin() {
    struct { std::vector<int64_t> splits, widths; bool fine; } const kCases[] = {{{2, 1}, {1, 2}, true}, {{1, 3}, {1, 2}, true}, {{2, 1}, {3}, false}, {{-1, 3}, {1}, false}, {{0, 4}, {1}, false}};
    for (const auto& one : kCases) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const Output data = b.placeholder(DType::String, Shape{3}, "data"), splits = b.constant(Tensor::vector(one.splits));
      const int grams = b.node("StringNGrams", {data, splits}, {{"separator", "|"}, {"ngram_widths", one.widths}, {"left_pad", "L"}, {"right_pad", "R"}, {"pad_width", int64_t(-1)}, {"preserve_short_sequences", false}});
      QVERIFY(b.ok());
      auto session = Session::create(meta.graph);
      QVERIFY(session.ok());
      const auto r = (*session)->run({{"data:0", Tensor::vector<std::string>({"a", "b", "c"})}}, {meta.graph.tensorName({grams, 0}), meta.graph.tensorName({grams, 1})});
      QCOMPARE(r.ok(), one.fine);
      if (!one.fine) QVERIFY(r.error().message.find("Invalid split value") != std::string::npos);
      if (one.fine && one.splits[0] == 2) QCOMPARE((*r)[1].asInt(1), 0 * one.splits[0]);
    }
  }

  void partitionsOfRaggedTensorsFit() {
    const auto make = [](std::vector<std::string> kinds, std::vector<Shape> shapes) {
      return refusal([&](GraphBuilder& b) {
        std::vector<Output> in{b.scalar<int64_t>(-1), b.placeholder(DType::Float, Shape{3}), b.scalar(0.f)};
        for (const Shape& s : shapes) in.push_back(b.placeholder(DType::Int64, s));
        b.node("RaggedTensorToTensor", Inputs(in), {{"num_row_partition_tensors", int64_t(shapes.size())}, {"row_partition_types", kinds}, {"Tindex", DType::Int64}, {"Tshape", DType::Int64}});
      });
    };
    const auto says = [](const std::string& text, const char* words) { return text.find(words) != std::string::npos; };
    QVERIFY(make({"ROW_SPLITS"}, {Shape{2}}).empty());
    QVERIFY(make({"ROW_SPLITS"}, {Shape::unknown()}).empty());
    QVERIFY(make({"FIRST_DIM_SIZE", "VALUE_ROWIDS"}, {Shape{}, Shape{3}}).empty());
    QVERIFY(says(make({"ROW_SPLITS"}, {Shape{1, 2}}), "Row partition must be a vector."));
    QVERIFY(says(make({"FIRST_DIM_SIZE", "VALUE_ROWIDS"}, {Shape{1}, Shape{3}}), "FIRST_DIM_SIZE must be a scalar."));
    QVERIFY(says(make({"FIRST_DIM_SIZE", "ROW_SPLITS"}, {Shape{}, Shape{2}}), "FIRST_DIM_SIZE must be followed by VALUE_ROWIDS"));
    QVERIFY(says(make({"ROW_SPLITS", "FIRST_DIM_SIZE"}, {Shape{2}, Shape{}}), "FIRST_DIM_SIZE must be first"));
    QVERIFY(says(make({"ROW_SPLITS", "ROW_SPLITS"}, {Shape{2}}), "does not equal the number of row partition types(2)"));
    QVERIFY(says(make({"VALUE_ROWIDS"}, {Shape{3}}), "VALUE_ROWIDS cannot be first"));
  }

  void scalarsAreNotJoinedAlongAnyAxis() {
    const auto join = [](const Shape& a, const Shape& c) {
      return refusal([&](GraphBuilder& b) {
        b.op("ConcatV2", {b.placeholder(DType::Float, a), b.placeholder(DType::Float, c), b.placeholder(DType::Int32, Shape{})}, {{"N", int64_t(2)}});
      });
    };
    QVERIFY(join(Shape{2}, Shape::unknown()).empty());
    QVERIFY(join(Shape{}, Shape{}).find("Can't concatenate scalars") != std::string::npos);
    QVERIFY(!join(Shape{2, 3}, Shape{2}).empty());
  }
};

QTEST_GUILESS_MAIN(GeneratedKernelsTest)
#include "tst_generated_kernels.moc"
