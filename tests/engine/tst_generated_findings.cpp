#include <QTest>
#include <cmath>
#include <cstring>
#include <tuple>

#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

/// Bugs found by generated graphs (tests/generated), each as the smallest graph that showed it.
class GeneratedFindingsTest : public QObject {
  Q_OBJECT

 private slots:
  /// Old ops have the inputs and attributes that files of TensorFlow 1.15 state, not those of the versions after them.
  void firstVersionsHaveTheirOwnSignatures() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output table = b.op("MutableDenseHashTable", {b.scalar<int64_t>(-1)}, {{"key_dtype", DType::Int64}, {"value_dtype", DType::Float}});
    const Output size = b.op("LookupTableSize", {table});
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    const auto r = (*session)->run({}, {meta.graph.tensorName(size)});
    QVERIFY(!r.ok());
    QVERIFY(r.error().code == Code::InvalidArgument && r.error().message.find("deleted_key") != std::string::npos);
    QVERIFY(!OpRegistry::instance().find("FixedLengthRecordReader")->findAttr("encoding"));
    QVERIFY(OpRegistry::instance().find("FixedLengthRecordReaderV2")->findAttr("encoding"));
  }

  /// A sum must not be written into the memory of a tensor that it still reads under another name.
  void aTensorMayComeInSeveralTimes() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{3}, "x");
    const Output once = b.op("Tan", {x}), sum = b.op("AddN", {once, once, once});  // no pass knows Tan
    const Output mixed = b.op("AddN", {b.op("Tan", {sum}), sum, sum});
    QVERIFY(b.ok());
    SessionOptions plain;
    plain.disabledPasses = {"all"};
    for (const SessionOptions& options : {SessionOptions{}, plain}) {
      auto session = Session::create(meta.graph, options);
      QVERIFY(session.ok());
      const Tensor value = Tensor::vector<float>({0.5f, -0.25f, 1});
      for (int round = 0; round < 3; ++round) {
        const auto r = (*session)->run({{"x:0", value}}, {meta.graph.tensorName(sum)});
        QVERIFY(r.ok());
        for (int i = 0; i < 3; ++i) QVERIFY(qFuzzyCompare((*r)[0].at<float>(i), 3 * std::tan(value.at<float>(i))));
        const auto m = (*session)->run({{"x:0", value}}, {meta.graph.tensorName(mixed)});
        QVERIFY(m.ok());
        for (int i = 0; i < 3; ++i) {
          const float s = 3 * std::tan(value.at<float>(i));
          QVERIFY(std::abs((*m)[0].at<float>(i) - (std::tan(s) + 2 * s)) < 1e-4f);
        }
      }
    }
  }

  /// The shape of a variable read after an update is known beforehand; the update was asked for nevertheless.
  void whatOnlyAShapeWaitsForRuns() {
    for (const bool resource : {false, true}) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const AttrMap kind{{"dtype", DType::Float}, {"shape", Shape{2}}, {"shared_name", "v"}, {"container", ""}};
      const Output v = b.op(resource ? "VarHandleOp" : "VariableV2", {}, kind, "v");
      const int start = b.node(resource ? "AssignVariableOp" : "Assign", {v, b.constant(Tensor::vector<float>({1, 2}))}, {}, "start");
      const int up = b.node(resource ? "AssignAddVariableOp" : "AssignAdd", {v, b.constant(Tensor::vector<float>({1, 1}))}, {}, "up");
      const int read = resource ? b.node("ReadVariableOp", {v}, {{"dtype", DType::Float}}, "read") : b.node("Identity", {v}, {}, "read");
      b.addControlInputs(read, {up});
      const Output copy = b.op("Neg", {Output{read, 0}});
      const Output size = b.op("Size", {copy}), shape = b.op("Shape", {copy}), rank = b.op("Rank", {copy});
      QVERIFY(b.ok() && start >= 0);
      auto session = Session::create(meta.graph);
      QVERIFY(session.ok() && (*session)->run({}, {}, {"start"}).ok());
      float want = 1;
      for (const Output o : {size, shape, rank}) {
        QVERIFY((*session)->run({}, {meta.graph.tensorName(o)}).ok());
        QCOMPARE((*session)->variables().at("v").at<float>(0), ++want);
      }
    }
  }

  /// A check runs even if only a shape depends on it.
  void whatOnlyAShapeWaitsForIsChecked() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{2}, "x");
    const Output size = b.op("Size", {b.op("CheckNumerics", {x}, {{"message", "not finite"}})});
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    QVERIFY((*session)->run({{"x:0", Tensor::vector<float>({1, 2})}}, {meta.graph.tensorName(size)}).ok());
    const auto bad = (*session)->run({{"x:0", Tensor::vector<float>({1, NAN})}}, {meta.graph.tensorName(size)});
    QVERIFY(!bad.ok());
    QVERIFY(bad.error().code == Code::InvalidArgument);
  }

  /// An op without a kernel for its type is refused alone and fused with others, or in neither way.
  void fusedOpsHaveKernels() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::BFloat16, Shape{2, 3}, "x");
    const Output y = b.op("Tanh", {b.op("BiasAdd", {x, b.constant(Tensor::zeros(DType::BFloat16, {3}))})});
    QVERIFY(b.ok());
    SessionOptions plain;
    plain.disabledPasses = {"all"};
    Code codes[2] = {};
    for (const bool fused : {false, true}) {
      auto session = Session::create(meta.graph, fused ? SessionOptions{} : plain);
      QVERIFY(session.ok());
      codes[int(fused)] = (*session)->run({{"x:0", Tensor::zeros(DType::BFloat16, {2, 3})}}, {meta.graph.tensorName(y)}).status().code();
    }
    QVERIFY(codes[0] == codes[1]);
  }

  /// The declared shape of a default is shown, and feeds must match it; the default that a run computes has its real shape.
  void defaultsHaveTheirOwnShape() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape::unknown(), "x");
    const Output rank = b.op("Rank", {b.op("Abs", {b.op("PlaceholderWithDefault", {x}, {{"shape", Shape{4, -1}}}, "d")})});
    QVERIFY(b.ok());
    SessionOptions plain;
    plain.disabledPasses = {"all"};
    for (const SessionOptions& options : {SessionOptions{}, plain}) {
      auto session = Session::create(meta.graph, options);
      QVERIFY(session.ok());
      for (const Shape& given : {Shape{4, 2}, Shape{4, 2, 1}, Shape{}}) {
        const auto r = (*session)->run({{"x:0", Tensor::zeros(DType::Float, given)}}, {meta.graph.tensorName(rank)});
        QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
        QCOMPARE((*r)[0].at<int32_t>(0), given.rank());
      }
      const auto r = (*session)->run({{"d:0", Tensor::zeros(DType::Float, {3, 2})}}, {meta.graph.tensorName(rank)});
      QVERIFY(!r.ok() && r.error().code == Code::InvalidArgument);
    }
  }

  /// An op that does not fit the shapes that are fed fails although only the shape of its result is asked for, which the graph seemed to know.
  void whatDoesNotFitFailsWhoeverAsks() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape::unknown(), "x"), y = b.placeholder(DType::Float, Shape{2, 3}, "y");
    const std::vector<Output> shaped = {b.op("AddN", {x, y}), b.op("Reshape", {x, b.ints({2, 3})}), b.op("EnsureShape", {x}, {{"shape", Shape{2, 3}}})};
    // Also where the shape is known only when it runs.
    const Output late =
        b.op("EnsureShape", {b.op("Reshape", {x, b.op("Cast", {b.placeholder(DType::Float, Shape::unknown(), "s")}, {{"DstT", DType::Int32}})})},
             {{"shape", Shape{2, 3}}});
    std::vector<Output> sizes;
    for (const Output& o : shaped) sizes.push_back(b.op("Size", {b.op("Abs", {o})}));
    sizes.push_back(b.op("Size", {b.op("Abs", {late})}));
    QVERIFY(b.ok());
    SessionOptions plain;
    plain.disabledPasses = {"all"};
    for (const SessionOptions& options : {SessionOptions{}, plain}) {
      for (const Output& size : sizes) {
        auto session = Session::create(meta.graph, options);
        QVERIFY(session.ok());
        const Tensor two = Tensor::zeros(DType::Float, {2, 3});
        const auto good = (*session)->run({{"x:0", two}, {"y:0", two}, {"s:0", Tensor::vector<float>({2, 3})}}, {meta.graph.tensorName(size)});
        QVERIFY2(good.ok(), good.status().toString().c_str());
        QCOMPARE((*good)[0].asInt(0), int64_t(6));
        const Tensor other = Tensor::zeros(DType::Float, {4, 2});
        const auto bad = (*session)->run({{"x:0", other}, {"y:0", two}, {"s:0", Tensor::vector<float>({4, 2})}}, {meta.graph.tensorName(size)});
        QVERIFY(!bad.ok());
        QVERIFY(bad.error().code == Code::InvalidArgument);
      }
    }
  }

  /// A requested range may end below 0; it must not end before it begins.
  void requantizedRangesBelowZero() {
    for (const float most : {-1.f, -6.f}) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const Output x = b.placeholder(DType::QInt32, Shape{2}, "x");
      const Output y =
          b.op("Requantize", {x, b.scalar<float>(-1e6f), b.scalar<float>(1e6f), b.scalar<float>(-5), b.scalar<float>(most)}, {{"out_type", DType::QUInt8}});
      QVERIFY(b.ok());
      auto session = Session::create(meta.graph);
      QVERIFY(session.ok());
      const auto r = (*session)->run({{"x:0", Tensor::zeros(DType::QInt32, {2})}}, {meta.graph.tensorName(y)});
      QCOMPARE(r.ok(), most > -5);
      if (r.ok()) QCOMPARE((*r)[0].asInt(0), int64_t(255));
      else QVERIFY(r.error().message.find(">= requested_output_min") != std::string::npos);
    }
  }

  /// The number of windows follows from the number of elements; datasets that skip failing elements report the size of their input; divided batches are not
  /// counted.
  void datasetsSayHowManyTheyHave() {
    for (const auto& [n, drop, want] :
         {std::tuple(5, true, 2), std::tuple(5, false, 3), std::tuple(2, true, 0), std::tuple(2, false, 1), std::tuple(0, false, 0)}) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const auto element = [](DType type, const Shape& shape) {
        return AttrMap{{"output_types", std::vector<DType>{type}}, {"output_shapes", std::vector<Shape>{shape}}};
      };
      const Output set = b.op("TensorSliceDataset", {b.constant(Tensor::zeros(DType::Float, {n, 2}))},
                              {{"Toutput_types", std::vector<DType>{DType::Float}}, {"output_shapes", std::vector<Shape>{Shape{2}}}});
      const Output windows =
          b.op("WindowDataset", {set, b.scalar<int64_t>(3), b.scalar<int64_t>(2), b.scalar<int64_t>(1), b.scalar(drop)}, element(DType::Variant, Shape{}));
      const Output sure = b.op("IgnoreErrorsDataset", {set}, element(DType::Float, Shape{2}));
      const Output divided = b.op("RebatchDataset", {set, b.scalar<int64_t>(1)}, element(DType::Float, Shape::unknown()));
      std::vector<std::string> counts;
      for (const Output o : {windows, sure, divided}) counts.push_back(meta.graph.tensorName(b.op("DatasetCardinality", {o})));
      QVERIFY(b.ok());
      auto session = Session::create(meta.graph);
      QVERIFY(session.ok());
      const auto r = (*session)->run({}, counts);
      QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
      QCOMPARE((*r)[0].asInt(0), int64_t(want));
      QCOMPARE((*r)[1].asInt(0), int64_t(n));
      QCOMPARE((*r)[2].asInt(0), int64_t(-2));
    }
  }

  /// Samples per second of a summary's sound: whole ones, halves to even, at least one.
  void soundsHaveWholeRates() {
    for (const auto& [rate, want] : {std::pair(0.125f, 1), std::pair(2.5f, 2), std::pair(3.5f, 4), std::pair(44100.6f, 44101)}) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const Output sound =
          b.op("AudioSummaryV2", {b.constant(Tensor::scalar(std::string("a"))), b.constant(Tensor::zeros(DType::Float, {1, 3})), b.scalar(rate)},
               {{"max_outputs", int64_t(1)}});
      QVERIFY(b.ok());
      auto session = Session::create(meta.graph);
      QVERIFY(session.ok());
      const auto r = (*session)->run({}, {meta.graph.tensorName(sound)});
      QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
      const std::string& bytes = (*r)[0].data<std::string>()[0];
      const size_t wave = bytes.find("RIFF");
      QVERIFY(wave != std::string::npos && wave + 28 <= bytes.size());
      int stated = 0;
      std::memcpy(&stated, bytes.data() + wave + 24, sizeof stated);
      QCOMPARE(stated, want);
    }
  }

  /// What is joined has a range that holds 0 from below, whatever the ranges of the parts.
  void joinedRangesHoldZero() {
    struct {
      DType type;
      float low, high, wantLow, wantHigh;
    } const kCases[] = {{DType::QUInt8, 1, 3, 0, 3}, {DType::QInt32, 1, 3, -3, 3},    {DType::QUInt8, 1, 0, 0, 0},
                        {DType::QInt32, 1, 0, 0, 0}, {DType::QUInt8, -3, -1, -3, -1}, {DType::QInt32, -3, -1, -3, 3}};
    for (const auto& one : kCases) {
      MetaGraph meta;
      GraphBuilder b(meta);
      const Output x = b.constant(Tensor::zeros(one.type, {2})), low = b.scalar(one.low), high = b.scalar(one.high);
      const int joined = b.node("QuantizedConcat", {b.scalar<int32_t>(0), x, x, low, low, high, high}, {{"N", int64_t(2)}});
      QVERIFY(b.ok());
      auto session = Session::create(meta.graph);
      QVERIFY(session.ok());
      const auto r = (*session)->run({}, {meta.graph.tensorName({joined, 1}), meta.graph.tensorName({joined, 2})});
      QVERIFY(r.ok());
      QCOMPARE((*r)[0].at<float>(0), one.wantLow);
      QCOMPARE((*r)[1].at<float>(0), one.wantHigh);
    }
  }

  /// Where TensorFlow's shape functions contradict its kernels, graphs show the former; runs use the kernels' shapes.
  void misstatedShapesAreNotBelieved() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output count = b.op("DebugNanCount", {b.placeholder(DType::Float, Shape{2}, "x")}, {{"tensor_name", "x:0"}});
    const Output rank = b.op("Rank", {count}), size = b.op("Size", {b.op("Neg", {count})});
    const Output x = b.placeholder(DType::Float, Shape{1, 1, 1, 2}, "y"), two = b.constant(Tensor::vector<float>({1, 2}));
    const int back = b.node("FusedBatchNormGrad", {x, x, two, two, two}, {{"is_training", true}});
    const Output sum = b.op("AddN", {Output{back, 3}}), backRank = b.op("Rank", {Output{back, 4}});
    QVERIFY(b.ok());
    QVERIFY(meta.graph.shape(count).isScalar());
    SessionOptions plain;
    plain.disabledPasses = {"all"};
    for (const SessionOptions& options : {SessionOptions{}, plain}) {
      auto session = Session::create(meta.graph, options);
      QVERIFY(session.ok());
      const auto r = (*session)->run({{"x:0", Tensor::vector<float>({1, NAN})}, {"y:0", Tensor::zeros(DType::Float, {1, 1, 1, 2})}},
                                     {meta.graph.tensorName(count), meta.graph.tensorName(rank), meta.graph.tensorName(size), meta.graph.tensorName(sum),
                                      meta.graph.tensorName(backRank)});
      QVERIFY2(r.ok(), r.ok() ? "" : r.error().toString().c_str());
      QVERIFY((*r)[0].shape() == Shape{1} && (*r)[0].asInt(0) == 1);
      QCOMPARE((*r)[1].asInt(0), 1);
      QCOMPARE((*r)[2].asInt(0), 1);
      QVERIFY((*r)[3].shape() == Shape{});
      QCOMPARE((*r)[4].asInt(0), 0);
    }
  }

  /// Equal shapes have no axes to sum over, not even axes of length 1; the same holds for static values.
  void sameShapesSumOverNothing() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{4, 1}, "x");
    const int same = b.node("BroadcastGradientArgs", {b.ints({4, 1}), b.ints({4, 1})}),
              other = b.node("BroadcastGradientArgs", {b.ints({4, 1}), b.ints({1, 1})});
    const Output sums[] = {b.op("Sum", {x, {same, 0}}), b.op("Sum", {x, {other, 0}}), b.op("Sum", {x, {other, 1}})};
    QVERIFY(b.ok());
    auto session = Session::create(meta.graph);
    QVERIFY(session.ok());
    const Shape want[] = {Shape{4, 1}, Shape{4}, Shape{}};
    for (int i = 0; i < 3; ++i) {
      QVERIFY(meta.graph.shape(sums[i]) == want[i]);
      const auto r = (*session)->run({{"x:0", Tensor::zeros(DType::Float, {4, 1})}}, {meta.graph.tensorName(sums[i])});
      QVERIFY(r.ok() && (*r)[0].shape() == want[i]);
    }
  }
};

QTEST_GUILESS_MAIN(GeneratedFindingsTest)
#include "tst_generated_findings.moc"
