#include <QtTest>

#include "weft/builder.h"

using namespace weft;

class TestBuilder : public QObject {
  Q_OBJECT

 private slots:
  void namesAreUniqueWithoutRegardToCase();
  void scopes();
  void controlDependencies();
  void devicesMerge();
  void colocation();
  void seeds();
  void attributesFollowInputs();
  void errorsStick_data();
  void errorsStick();
  void shapesAreCheckedAtOnce();
  void constantsAreSeenByShapes();
};

namespace {
std::string nameOf(GraphBuilder& b, std::string_view name) { return b.nodeAt(b.noOp({}, name)).name; }
std::string joined(const std::vector<std::string>& v) {
  std::string out;
  for (const auto& s : v) out += s + " ";
  return out;
}
}  // namespace

void TestBuilder::namesAreUniqueWithoutRegardToCase() {
  MetaGraph meta;
  GraphBuilder b(meta);
  std::vector<std::string> got;
  for (const char* n : {"a", "A", "a", "a_1", "a"}) got.push_back(nameOf(b, n));
  QCOMPARE(joined(got), std::string("a A_1 a_2 a_1_1 a_3 "));
  QCOMPARE(nameOf(b, "scope/"), std::string("scope"));
}

void TestBuilder::scopes() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const auto scopeName = [&](const char* n) {
    const auto guard = b.nameScope(n);
    return b.currentScope();
  };
  QCOMPARE(scopeName("s"), std::string("s/"));
  QCOMPARE(scopeName("s"), std::string("s_1/"));
  QCOMPARE(scopeName("S"), std::string("S_2/"));
  QCOMPARE(scopeName("s/"), std::string("s/"));
  {
    const auto outer = b.nameScope("outer");
    QCOMPARE(nameOf(b, "x"), std::string("outer/x"));
    {
      const auto inner = b.nameScope("inner");
      QCOMPARE(nameOf(b, "x"), std::string("outer/inner/x"));
      const auto root = b.nameScope("");
      QCOMPARE(nameOf(b, "x"), std::string("x"));
    }
    const auto back = b.nameScope("outer/");
    QCOMPARE(nameOf(b, "x"), std::string("outer/x_1"));
  }
  QCOMPARE(b.currentScope(), std::string());
  (void)b.nameScope("not valid");
  QCOMPARE(b.status().error().message, std::string("'not valid' is not a valid scope name"));
}

void TestBuilder::controlDependencies() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const int first = b.noOp({}, "first");
  const Output x = b.scalar(1.0f, "x");
  {
    const auto wait = b.controlDependencies({first});
    const Output y = b.scalar(2.0f, "y");
    QCOMPARE(b.nodeAt(y.node).controls, std::vector<int>{first});
    // Nodes that depend on a node created inside already wait.
    QVERIFY(b.nodeAt(b.op("Neg", {y}).node).controls.empty());
    QCOMPARE(b.nodeAt(b.op("Neg", {x}).node).controls, std::vector<int>{first});
    const auto none = b.clearControlDependencies();
    QVERIFY(b.nodeAt(b.op("Neg", {x}).node).controls.empty());
  }
  QVERIFY(b.nodeAt(b.op("Neg", {x}).node).controls.empty());
}

void TestBuilder::devicesMerge() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const auto deviceOf = [&] { return b.nodeAt(b.noOp({}, "n")).device; };
  const auto ps = b.device("/job:ps");
  QCOMPARE(deviceOf(), std::string("/job:ps"));
  const auto task = b.device("/task:1");
  QCOMPARE(deviceOf(), std::string("/job:ps/task:1"));
  const auto gpu = b.device("/gpu:0");
  QCOMPARE(deviceOf(), std::string("/job:ps/task:1/device:GPU:0"));
  {
    const auto worker = b.device("/job:worker/cpu:0");
    QCOMPARE(deviceOf(), std::string("/job:worker/task:1/device:CPU:0"));
  }
  {
    const auto same = b.device("");
    QCOMPARE(deviceOf(), std::string("/job:ps/task:1/device:GPU:0"));
    const auto none = b.device(std::string_view());
    QCOMPARE(deviceOf(), std::string());
  }
  const auto bad = b.device("/nonsense");
  QVERIFY(!b.ok());
}

void TestBuilder::colocation() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output v = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape{}}}, "v");
  const auto classOf = [&](int id) { return joined(b.nodeAt(id).attrs.list<std::string>("_class")); };
  {
    const auto with = b.colocateWith(v.node);
    QCOMPARE(classOf(b.scalar(1.0f).node), std::string("loc:@v "));
  }
  // Ops on a reference are placed with the variable.
  QCOMPARE(classOf(b.node("Assign", {v, b.scalar(1.0f)})), std::string("loc:@v "));
  QCOMPARE(classOf(b.scalar(1.0f).node), std::string());
}

void TestBuilder::seeds() {
  MetaGraph meta;
  GraphBuilder b(meta);
  using Pair = std::pair<int64_t, int64_t>;
  QVERIFY(b.seedsFor({}) == Pair(0, 0));
  QVERIFY(b.seedsFor(5) == Pair(87654321, 5));
  b.setGraphSeed(7);
  QVERIFY(b.seedsFor(5) == Pair(7, 5));
  b.noOp({}, "a");
  b.noOp({}, "b");
  QVERIFY(b.seedsFor({}) == Pair(7, 2));
  b.setGraphSeed(0);
  QVERIFY(b.seedsFor(0) == Pair(0, 2147483647));
}

void TestBuilder::attributesFollowInputs() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output x = b.scalar(1.0, "x"), y = b.scalar(2.0, "y");
  const int pack = b.node("Pack", {x, y, x});
  QCOMPARE(b.nodeAt(pack).attrs.integer("N"), int64_t(3));
  QVERIFY(b.nodeAt(pack).attrs.type("T") == DType::Double);
  QCOMPARE(b.nodeAt(pack).attrs.integer("axis", -1), int64_t(0));
  QCOMPARE(b.shape({pack, 0}).toString(), std::string("[3]"));
  const int stitch = b.node("DynamicStitch", {b.ints({0}), b.ints({1}), b.ints({5}), b.ints({6})});
  QCOMPARE(b.nodeAt(stitch).attrs.integer("N"), int64_t(2));
  const int order = b.node("Assert", {b.scalar(true), x, b.scalar<int32_t>(3)});
  QVERIFY((b.nodeAt(order).attrs.list<DType>("T") == std::vector<DType>{DType::Double, DType::Int32}));
}

void TestBuilder::errorsStick_data() {
  QTest::addColumn<int>("which");
  QTest::addColumn<QString>("message");
  QTest::newRow("types") << 0 << "Input 'y' of 'Mul' Op has type int32 that does not match type float32 of argument 'x'.";
  QTest::newRow("fixed type") << 1 << "Input 'begin' of 'Slice' Op has type float32 that does not match expected type of int32";
  QTest::newRow("not allowed") << 2 << "Value passed to parameter 'x' has DataType string not in list of allowed values:";
  QTest::newRow("no variable") << 3 << "'Assign' Op requires that input 'ref' be a mutable tensor (e.g.: a tf.Variable)";
  QTest::newRow("unknown op") << 4 << "Op type not registered 'Nonsense'";
  QTest::newRow("count") << 5 << "Op 'Mul' was given 1 inputs, expected 2";
  QTest::newRow("name") << 6 << "'a b' is not a valid node name";
}

void TestBuilder::errorsStick() {
  QFETCH(int, which);
  QFETCH(QString, message);
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output f = b.scalar(1.0f), i = b.scalar<int32_t>(1), s = b.scalar(std::string("s")), v = b.ints({1});
  switch (which) {
    case 0: b.op("Mul", {f, i}); break;
    case 1: b.op("Slice", {v, f, v}, {{"Index", DType::Int32}}); break;
    case 2: b.op("Neg", {s}); break;
    case 3: b.op("Assign", {f, f}); break;
    case 4: b.op("Nonsense", {}); break;
    case 5: b.op("Mul", {f}); break;
    default: b.op("Neg", {f}, {}, "a b");
  }
  QVERIFY(!b.ok());
  QVERIFY2(b.status().error().message.find(message.toStdString()) != std::string::npos, b.status().error().message.c_str());
  const std::string first = b.status().error().message;
  const int nodes = meta.graph.nodeCount();
  QVERIFY(!b.op("Neg", {f}).valid());
  QCOMPARE(b.status().error().message, first);
  QCOMPARE(meta.graph.nodeCount(), nodes);
}

void TestBuilder::shapesAreCheckedAtOnce() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output x = b.placeholder(DType::Float, Shape{2, 3}, "x"), y = b.placeholder(DType::Float, Shape{4, 5}, "y");
  b.op("MatMul", {x, y}, {}, "m");
  QVERIFY2(b.status().error().message == "Dimensions must be equal, but are 3 and 4 for 'm' (op: 'MatMul') with input shapes: [2,3], [4,5].",
           b.status().error().message.c_str());
}

void TestBuilder::constantsAreSeenByShapes() {
  MetaGraph meta;
  GraphBuilder b(meta);
  const Output x = b.placeholder(DType::Float, Shape{-1, 6}, "x");
  const Output shape = b.op("Shape", {x});
  const Output rows = b.op("StridedSlice", {shape, b.ints({0}), b.ints({1}), b.ints({1})}, {{"shrink_axis_mask", 1}});
  const Output dims = b.op("Pack", {rows, b.scalar<int32_t>(2), b.scalar<int32_t>(3)});
  const Output y = b.op("Reshape", {x, dims});
  QCOMPARE(b.shape(y).toString(), std::string("[?,2,3]"));
  QVERIFY(!b.constantValue(shape));
  const Output known = b.placeholder(DType::Float, Shape{4, 6}, "known");
  QCOMPARE(b.constantValue(b.op("Shape", {known}))->asInt(1), int64_t(6));
}

QTEST_GUILESS_MAIN(TestBuilder)
#include "tst_builder.moc"
