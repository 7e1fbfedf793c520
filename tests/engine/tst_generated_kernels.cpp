#include <QTest>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "weft/arrays.h"
#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

/// Bugs of single kernels and shape functions found by generated graphs (tests/generated); numbers are TensorFlow 1.15.5's.
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
    struct {
      float low, high;
      int32_t from, to;
      float wantLow, wantHigh;
    } const kCases[] = {{-0.1f, 0.3f, -7, 1000, 0, 0.10000009834766388f},
                        {-3.7f, 12.9f, -1000000, 5, 0, 4.600000381469727f},
                        {-1, 1, 0, 100, 0, 4.6798959374427795e-08f},
                        {-41.7022f, 0.093255736f, -1750892400, 2143362693, -37.84286880493164f, 0.05315195396542549f},
                        {-759.3488f, 0.060632948f, -1677888830, 2098590410, -676.3179931640625f, -8.584381103515625f}};
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

  /// 32-bit integers are interpolated with float precision.
  void picturesOfWideIntegers() {
    struct {
      int32_t left, right, want;
    } const kCases[] = {{-2076323117, 1978610027, -48856511},
                        {2000000001, 2000000005, 2000000000},
                        {-100000001, 100000003, 0},
                        {2147483647, 2147483000, 2147483328},
                        {0, 1000000, 500000}};
    for (const auto& one : kCases) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const Output pixels = b.constant(Tensor::of(std::vector<int32_t>{7, one.left, one.right, 9}, {1, 1, 4, 1}));
      const Output x = b.op("Bitcast", {pixels}, {{"type", DType::QInt32}});
      const Output y = b.op("QuantizedResizeBilinear", {x, b.ints({2, 1}), b.scalar(-1.f), b.scalar(1.f)}, {{"half_pixel_centers", true}});
      const Output out = b.op("Bitcast", {y}, {{"type", DType::Int32}});
      QVERIFY(b.ok());
      auto session = Session::create(meta.graph);
      QVERIFY(session.ok());
      const auto r = (*session)->run({}, {meta.graph.tensorName(out)});
      QVERIFY(r.ok());
      QCOMPARE((*r)[0].at<int32_t>(0), one.want);
    }
  }

  /// NaN is never an extreme; of infinities the first one is.
  void extremesBeginWithTheLastFiniteNumber() {
    struct {
      std::vector<float> x;
      int least, most;
    } const kCases[] = {{{NAN, 1, 2}, 1, 2},
                        {{2, NAN, 1}, 2, 0},
                        {{INFINITY, 3.40282347e38f, INFINITY}, 0, 0},
                        {{NAN, INFINITY}, 0, 1},
                        {{NAN, 3.40282347e38f}, 0, 1},
                        {{-INFINITY, -3.40282347e38f}, 0, 0},
                        {{NAN, -INFINITY}, 1, 0},
                        {{NAN, NAN}, 0, 0},
                        {{INFINITY, INFINITY, 5}, 2, 0}};
    for (const auto& one : kCases) {
      for (const DType type : {DType::Float, DType::Double}) {
        if (type == DType::Double && std::any_of(one.x.begin(), one.x.end(), [](float v) { return std::isfinite(v) && std::abs(v) > 1e38f; }))
          continue;  // the last one of single precision
        for (const Shape& shape : {Shape{int64_t(one.x.size())}, Shape{1, int64_t(one.x.size()), 1}, Shape{1, int64_t(one.x.size()), 2}}) {
          const bool twice = shape.rank() == 3 && shape.dim(2) == 2;
          std::vector<float> values;
          for (const float v : one.x) values.insert(values.end(), twice ? 2 : 1, v);
          MetaGraph meta;
          GraphBuilder b(meta);
          const Output x = b.cast(b.constant(Tensor::of(values, shape)), type), axis = b.scalar<int32_t>(shape.rank() == 1 ? 0 : 1);
          const Output least = b.op("ArgMin", {x, axis}), most = b.op("ArgMax", {x, axis});
          QVERIFY(b.ok());
          auto session = Session::create(meta.graph);
          QVERIFY(session.ok());
          const auto r = (*session)->run({}, {meta.graph.tensorName(least), meta.graph.tensorName(most)});
          QVERIFY(r.ok());
          QCOMPARE((*r)[0].asInt(0), int64_t(one.least));
          QCOMPARE((*r)[1].asInt(0), int64_t(one.most));
        }
      }
    }
  }

  /// The quotient of halves is a half before it is rounded down.
  void quotientsOfHalvesAreHalves() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.cast(b.constant(Tensor::vector<float>({1.1920929e-07f, -1e-3f, 5})), DType::Half),
                 y = b.cast(b.constant(Tensor::vector<float>({-14, 1, -3})), DType::Half);
    const Output q = b.cast(b.op("FloorDiv", {x, y}), DType::Float);
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    const auto r = (*session)->run({}, {meta.graph.tensorName(q)});
    QVERIFY(r.ok());
    QVERIFY((*r)[0].at<float>(0) == 0 && std::signbit((*r)[0].at<float>(0)));
    QCOMPARE((*r)[0].at<float>(1), -1.f);
    QCOMPARE((*r)[0].at<float>(2), -2.f);
  }

  void joinsAlongAxesThatAreNotThere() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output axis = b.placeholder(DType::Int32, Shape{-1}, "axis");
    const Output joined = b.op("ReduceJoin", {b.constant(Tensor::of(std::vector<std::string>{"a", "b"}, {1, 2})), axis});
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    const auto r = (*session)->run({{"axis:0", Tensor::vector<int32_t>({2})}}, {meta.graph.tensorName(joined)});
    QVERIFY(!r.ok() && r.error().code == Code::OutOfRange);
  }

  /// A kernel accepts a range's end of any rank; only a static value must be a scalar.
  void rangesOfInstanceNormMayBeVectors() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.op("Bitcast", {b.constant(Tensor::of(std::vector<uint8_t>{1, 2, 3, 9}, {1, 2, 2, 1}))}, {{"type", DType::QUInt8}});
    const Output low = b.placeholder(DType::Float, Shape::unknown(), "low");
    const int norm = b.node("QuantizedInstanceNorm", {x, low, b.scalar(1.f)});
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    const auto r = (*session)->run({{"low:0", Tensor::vector<float>({0})}}, {meta.graph.tensorName({norm, 1}), meta.graph.tensorName({norm, 2})});
    QVERIFY2(r.ok(), r.ok() ? "" : r.error().message.c_str());
    QVERIFY(std::abs((*r)[0].at<float>(0) + 0.85530233f) < 1e-6f);
    QVERIFY(std::abs((*r)[1].at<float>(0) - 1.63284993f) < 1e-6f);
  }

  /// A batch becomes as many pieces as there are workers, empty ones where it is not enough for all.
  void everyWorkerGetsAPiece() {
    struct {
      int64_t size, workers;
      std::vector<int64_t> pieces;
    } const kCases[] = {{4, 3, {2, 2, 0}}, {5, 4, {2, 2, 1, 0}}, {7, 3, {3, 3, 1}}, {1, 3, {1, 0, 0}}, {4, 2, {2, 2}}};
    for (const auto& one : kCases) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const AttrMap element{{"output_types", std::vector<DType>{DType::Float}}, {"output_shapes", std::vector<Shape>{Shape::unknown()}}};
      const Output batch = b.constant(Tensor::zeros(DType::Float, {one.size}));
      const Output source =
          b.op("TensorDataset", {batch}, {{"Toutput_types", std::vector<DType>{DType::Float}}, {"output_shapes", std::vector<Shape>{Shape{one.size}}}});
      const Output pieces = b.op("RebatchDataset", {source, b.scalar<int64_t>(one.workers)}, element);
      AttrMap named = element;
      named.set("shared_name", "");
      named.set("container", "");
      const Output iterator = b.op("IteratorV2", {}, named);
      const int begin = b.node("MakeIterator", {pieces, iterator});
      const Output next = b.op("IteratorGetNext", {iterator}, element);
      QVERIFY(b.ok());
      auto session = Session::create(meta.graph);
      QVERIFY(session.ok());
      QVERIFY((*session)->run({}, {}, {meta.graph.node(begin)->name}).ok());
      for (const int64_t size : one.pieces) {
        const auto r = (*session)->run({}, {meta.graph.tensorName(next)});
        QVERIFY(r.ok());
        QCOMPARE((*r)[0].elements(), size);
      }
      const auto end = (*session)->run({}, {meta.graph.tensorName(next)});
      QVERIFY(!end.ok() && end.error().code == Code::OutOfRange);
    }
  }

  /// A row whose splits decrease has no n-grams; it is refused only if padding alone would create some.
  void rowsThatEndBeforeTheyBegin() {
    struct {
      std::vector<int64_t> splits, widths;
      bool fine;
    } const kCases[] = {{{2, 1}, {1, 2}, true}, {{1, 3}, {1, 2}, true}, {{2, 1}, {3}, false}, {{-1, 3}, {1}, false}, {{0, 4}, {1}, false}};
    for (const auto& one : kCases) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const Output data = b.placeholder(DType::String, Shape{3}, "data"), splits = b.constant(Tensor::vector(one.splits));
      const int grams = b.node("StringNGrams", {data, splits},
                               {{"separator", "|"},
                                {"ngram_widths", one.widths},
                                {"left_pad", "L"},
                                {"right_pad", "R"},
                                {"pad_width", int64_t(-1)},
                                {"preserve_short_sequences", false}});
      QVERIFY(b.ok());
      auto session = Session::create(meta.graph);
      QVERIFY(session.ok());
      const auto r =
          (*session)->run({{"data:0", Tensor::vector<std::string>({"a", "b", "c"})}}, {meta.graph.tensorName({grams, 0}), meta.graph.tensorName({grams, 1})});
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
        b.node("RaggedTensorToTensor", Inputs(in),
               {{"num_row_partition_tensors", int64_t(shapes.size())}, {"row_partition_types", kinds}, {"Tindex", DType::Int64}, {"Tshape", DType::Int64}});
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

  /// Bytes from outside become truth values where they enter: C++ says nothing of a bool that is 137.
  void bytesBecomeTruthValues() {
    const char text[] = R"(
      node { name: "k" op: "Const" attr { key: "dtype" value { type: DT_BOOL } } attr { key: "value" value { tensor { dtype: DT_BOOL tensor_shape { dim { size: 3 } } tensor_content: "\211\000\001" } } } }
      node { name: "s" op: "Const" attr { key: "dtype" value { type: DT_STRING } } attr { key: "value" value { tensor { dtype: DT_STRING tensor_shape {} string_val: "\211\000\001" } } } }
      node { name: "r" op: "DecodeRaw" input: "s" attr { key: "out_type" value { type: DT_BOOL } } }
      node { name: "same" op: "Equal" input: "k" input: "r" attr { key: "T" value { type: DT_BOOL } } }
      node { name: "not" op: "LogicalNot" input: "r" }
      node { name: "n" op: "Cast" input: "r" attr { key: "SrcT" value { type: DT_BOOL } } attr { key: "DstT" value { type: DT_INT32 } } })";
    auto loaded = loadGraphBytes(std::make_shared<const std::string>(text), "test");
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().toString().c_str());
    auto s = Session::create(loaded->meta.graph);
    QVERIFY(s.ok());
    Tensor odd = Tensor::zeros(DType::Bool, {2});
    static_cast<uint8_t*>(odd.mutableRaw())[0] = 137;
    MetaGraph written;
    GraphBuilder b(written);
    b.constant(odd, "odd");
    const auto binary = serializeGraph(written, GraphFormat::GraphBinary);  // which is read by other code than texts are
    QVERIFY(binary.ok());
    const auto readBack = loadGraphBytes(std::make_shared<const std::string>(*binary), "binary");
    QVERIFY(readBack.ok());
    const Tensor* inFile = readBack->meta.graph.find("odd")->attrs.find("value")->get<Tensor>();
    QCOMPARE(int(static_cast<const uint8_t*>(inFile->raw())[0]), 1);
    const auto array = decodeNpy(*encodeNpy(odd));
    QVERIFY(array.ok());
    QCOMPARE(int(static_cast<const uint8_t*>(array->raw())[0]), 1);
    const auto r = (*s)->run({}, {"k:0", "r:0", "not:0", "n:0", "same:0"});
    QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
    const auto byteOf = [&](int k, int64_t i) { return int(static_cast<const uint8_t*>((*r)[size_t(k)].raw())[i]); };
    for (const int k : {0, 1}) {
      for (int i = 0; i < 3; ++i) QCOMPARE(byteOf(k, i), int(i != 1));
    }
    for (int i = 0; i < 3; ++i) {
      QCOMPARE(byteOf(2, i), int(i == 1));
      QCOMPARE((*r)[3].at<int32_t>(i), int32_t(i != 1));
      QCOMPARE(byteOf(4, i), 1);
    }
  }

  /// What a graph says may be the largest number there is, to which nothing can be added.
  void largestNumbersAreRefused() {
    MetaGraph meta;
    GraphBuilder b(meta);
    constexpr int64_t most = std::numeric_limits<int64_t>::max();
    const Output many = b.placeholder(DType::Int64, Shape::unknown(), "many");
    const Output tiled = b.op("Tile", {b.constant(Tensor::zeros(DType::Float, {2})), many}, {{"Tmultiples", DType::Int64}});
    const Output gathered = b.op("GatherV2", {b.constant(Tensor::zeros(DType::Float, {2})), b.scalar<int32_t>(0), b.op("Squeeze", {many})});
    const Output none = b.constant(Tensor::zeros(DType::Int64, {0, 1})), nothing = b.constant(Tensor::zeros(DType::Float, {0}));
    const Output joined = b.op("SparseConcat", {none, none, nothing, nothing, many, many}, {{"concat_dim", int64_t(0)}, {"N", int64_t(2)}});
    QVERIFY2(b.ok(), b.ok() ? "" : b.status().error().toString().c_str());
    auto s = Session::create(meta.graph);
    QVERIFY(s.ok());
    for (const Output o : {tiled, gathered, joined}) {
      const auto r = (*s)->run({{"many:0", Tensor::vector<int64_t>({most})}}, {meta.graph.tensorName(o)});
      QVERIFY(!r.ok());
      QCOMPARE(r.error().code, Code::InvalidArgument);
      if (o == gathered) QVERIFY2(r.error().message.find("at least rank 9223372036854775808 ") != std::string::npos, r.error().message.c_str());
    }
    GraphBuilder again(meta);
    again.op("Tile", {again.constant(Tensor::zeros(DType::Float, {2})), again.constant(Tensor::vector<int64_t>({most}))}, {{"Tmultiples", DType::Int64}});
    QVERIFY(!again.ok());
  }
};

QTEST_GUILESS_MAIN(GeneratedKernelsTest)
#include "tst_generated_kernels.moc"
