#include <QTest>
#include <cmath>

#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

/// What generated graphs (tests/generated) found, each as the smallest graph that showed it.
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

  /// A sum must not be written into the memory of a tensor that it still has to read under another name.
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

  /// A check that only a shape waits for is made.
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

  /// Relu hands NaN on, within a convolution, too.
  void convolutionsWithReluShowNaN() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{1, 4, 4, 8}, "x");
    const Output y = b.op("Conv2D", {x, b.constant(Tensor::zeros(DType::Float, {1, 1, 8, 8}))}, {{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "SAME"}});
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
};

QTEST_GUILESS_MAIN(GeneratedFindingsTest)
#include "tst_generated_findings.moc"
