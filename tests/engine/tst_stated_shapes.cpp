#include <QTest>

#include "api/control_flow.h"
#include "weft/builder.h"
#include "weft/graph.h"
#include "weft/partial_run.h"
#include "weft/session.h"

using namespace weft;

namespace {

QString errorOf(const auto& r) { return r.ok() ? QString() : QString::fromStdString(r.error().toString()); }

std::unique_ptr<Session> sessionOf(const MetaGraph& meta, const SessionOptions& options = {}) {
  auto s = Session::create(meta.graph, options);
  if (!s.ok()) qFatal("%s", s.error().toString().c_str());
  return std::move(*s);
}

std::vector<int32_t> numbers(const Result<std::vector<Tensor>>& r) {
  if (!r.ok()) return {};
  const int32_t* v = (*r)[0].data<int32_t>();
  return {v, v + (*r)[0].elements()};
}

using Numbers = std::vector<int32_t>;

/// A resource variable with a declared shape of two numbers, and the node that assigns the fed "value".
std::pair<Output, int> assigned(GraphBuilder& b) {
  const Output value = b.placeholder(DType::Float, Shape::unknown(), "value");
  const Output v = b.op("VarHandleOp", {}, {{"dtype", DType::Float}, {"shape", Shape{2}}}, "v");
  return {v, b.node("AssignVariableOp", {v, value}, {}, "assign")};
}

}  // namespace

/// Declared shapes of a program or variable are shown, and feeds must match them; a run's results follow from the values, as in TensorFlow.
class TestStatedShapes : public QObject {
  Q_OBJECT

 private slots:
  void aStatedShapeIsNotWhatARunGives() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape::unknown(), "x"), n = b.placeholder(DType::Int32, Shape::unknown(), "n");
    const Output y = b.op("Reshape", {x, n}, {}, "y");
    b.setShape(y, Shape{3, 1});
    QCOMPARE(b.shape(y), (Shape{3, 1}));  // shown
    const Output shape = b.op("Shape", {y}), size = b.op("Size", {y});
    QVERIFY(b.ok());
    const auto s = sessionOf(meta);
    const std::vector<std::pair<std::string, Tensor>> feeds{{"x:0", Tensor::zeros(DType::Float, {2, 3})}, {"n:0", Tensor::vector<int32_t>({3, 2})}};
    QCOMPARE(numbers(s->run(feeds, {meta.graph.tensorName(shape)})), (Numbers{3, 2}));
    QCOMPARE(numbers(s->run(feeds, {meta.graph.tensorName(size)})), (Numbers{6}));
  }

  void aGradientHasTheShapeThatComesOut() {
    // One value for all places: its gradient is stated to be a scalar and has one for each place, and all of these are summed for the rest's.
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output value = b.placeholder(DType::Float, Shape{}, "value");
    const Output places = b.placeholder(DType::Int32, Shape::unknown(), "places");
    const Output rest = b.placeholder(DType::Float, Shape{}, "rest");
    const Output dense = b.op("SparseToDense", {places, b.ints({4}), value, rest});
    const auto g = addGradients(b, {dense}, {value, rest}, {});
    QVERIFY2(g.ok(), qPrintable(errorOf(g)));
    const std::string name = meta.graph.tensorName((*g)[1].dense);
    for (const bool passes : {true, false}) {
      SessionOptions options;
      if (!passes) options.disabledPasses = {"all"};
      const auto r = sessionOf(meta, options)
                         ->run({{"value:0", Tensor::scalar(3.f)}, {"rest:0", Tensor::scalar(1.f)}, {"places:0", Tensor::of<int32_t>({0, 2}, {2, 1})}}, {name});
      QVERIFY2(r.ok(), qPrintable(errorOf(r)));
      QCOMPARE((*r)[0].shape(), Shape{});
      QCOMPARE((*r)[0].at<float>(0), 2.f);
    }
  }

  void feedsAreHeldToWhatIsStated() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape::unknown(), "x");
    b.setShape(x, Shape{-1, 3});
    const auto s = sessionOf(meta);
    QVERIFY(s->run({{"x:0", Tensor::zeros(DType::Float, {2, 3})}}, {"x:0"}).ok());
    QVERIFY(errorOf(s->run({{"x:0", Tensor::zeros(DType::Float, {2, 4})}}, {"x:0"})).contains("which has shape '(?, 3)'"));
  }

  void aLoopKnowsWhatItsGradientTakesFromStacks() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.constant(Tensor::zeros(DType::Float, {2, 3}), "x");
    const auto out = api::whileLoop(
        b,
        [&](const std::vector<Output>& v) {
          return b.op("Less", {v[0], b.scalar<int32_t>(3)});
        },
        [&](const std::vector<Output>& v) {
          return std::vector<Output>{b.op("Add", {v[0], b.scalar<int32_t>(1)}), b.op("Tanh", {v[1]})};
        },
        {b.scalar<int32_t>(0), x});
    const auto g = addGradients(b, {out[1]}, {x}, {});
    QVERIFY2(g.ok(), qPrintable(errorOf(g)));
    const auto planned = sessionOf(meta)->graph();
    int pops = 0;
    for (int id = 0; id < planned->size(); ++id) {
      const Node* n = planned->node(id);
      if (!n || !n->op.starts_with("StackPop")) continue;
      QCOMPARE(n->outputShapes[0], (Shape{2, 3}));
      ++pops;
    }
    QCOMPARE(pops, 1);
  }

  /// The first loop gives more rows in each round. The second makes one of them, ever wider: that it has one row is so only if it runs.
  void whatEntersALoopCountsAsWhatItGivesBack() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{1, 3}, "x"), rounds = b.placeholder(DType::Int32, Shape{}, "rounds");
    const auto doubled = [&](Output t, int32_t axis) { return b.op("ConcatV2", {t, t, b.scalar(axis)}, {{"N", int64_t(2)}}); };
    api::WhileOptions rows, any;
    rows.shapeInvariants = {Shape{}, Shape{-1, 3}};
    any.shapeInvariants = {Shape{}, Shape{-1, -1}};
    const auto first = api::whileLoop(
        b,
        [&](const std::vector<Output>& v) {
          return b.op("Less", {v[0], b.scalar<int32_t>(2)});
        },
        [&](const std::vector<Output>& v) {
          return std::vector<Output>{b.op("Add", {v[0], b.scalar<int32_t>(1)}), doubled(v[1], 0)};
        },
        {b.scalar<int32_t>(0), x}, rows);
    const auto second = api::whileLoop(
        b,
        [&](const std::vector<Output>& v) {
          return b.op("Less", {v[0], rounds});
        },
        [&](const std::vector<Output>& v) {
          return std::vector<Output>{b.op("Add", {v[0], b.scalar<int32_t>(1)}), doubled(b.op("Slice", {v[1], b.ints({0, 0}), b.ints({1, -1})}), 1)};
        },
        {b.scalar<int32_t>(0), first[1]}, any);
    const Output shape = b.op("Shape", {second[1]});
    QVERIFY(b.ok());
    const auto s = sessionOf(meta);
    QCOMPARE(s->graph()->shape(second[1]), (Shape{-1, -1}));
    for (const auto& [n, want] : {std::pair{0, Numbers{4, 3}}, {1, Numbers{1, 6}}})
      QCOMPARE(numbers(s->run({{"x:0", Tensor::zeros(DType::Float, {1, 3})}, {"rounds:0", Tensor::scalar(int32_t(n))}}, {meta.graph.tensorName(shape)})), want);
  }

  void aResourceVariableTakesAnyShape() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const auto [v, assign] = assigned(b);
    const Output shape = b.op("Shape", {b.op("ReadVariableOp", {v}, {{"dtype", DType::Float}}, "read")}, {}, "shape");
    Output after;
    {
      const auto wait = b.controlDependencies({assign});
      after = b.op("Shape", {b.op("ReadVariableOp", {v}, {{"dtype", DType::Float}})}, {}, "after");
    }
    QVERIFY(shape.valid() && after.valid());
    const auto s = sessionOf(meta);
    const auto planned = s->prepare({}, {"shape:0"}, {});
    QVERIFY(planned.ok());
    const auto feed = [](int64_t n) { return std::vector<std::pair<std::string, Tensor>>{{"value:0", Tensor::zeros(DType::Float, {n})}}; };
    QVERIFY(s->run(feed(2), {}, {"assign"}).ok());
    QCOMPARE(numbers(s->run({}, {"shape:0"})), Numbers{2});
    QCOMPARE(numbers(planned->run({})), Numbers{2});
    QVERIFY(s->run(feed(3), {}, {"assign"}).ok());
    QCOMPARE(numbers(s->run({}, {"shape:0"})), Numbers{3});
    QCOMPARE(numbers(planned->run({})), Numbers{3});
    QCOMPARE(numbers(s->run(feed(4), {"after:0"})), Numbers{4});
    const auto part = partialRunSetup(*s, {}, {"read:0"}, {});
    QVERIFY2(part.ok(), qPrintable(errorOf(part)));
    const auto read = partialRun(*s, *part, {}, {"read:0"});
    QVERIFY2(read.ok(), qPrintable(errorOf(read)));
    QCOMPARE((*read)[0].shape(), Shape{4});
  }

  /// A step that was planned before the variable had another shape, and gives it one itself, says so; it does not hand out the old one.
  void aStepThatDisprovesItsPlanSaysSo() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const auto [v, assign] = assigned(b);
    const auto wait = b.controlDependencies({assign});
    const Output size = b.op("Size", {b.op("ReadVariableOp", {v}, {{"dtype", DType::Float}}, "read")}, {}, "size");
    QVERIFY(size.valid());
    const auto s = sessionOf(meta);
    const auto step = [&] { return s->run({{"value:0", Tensor::zeros(DType::Float, {3})}}, {"size:0"}); };
    const auto first = step();
    QVERIFY(errorOf(first).contains("Variable v states the shape [2]") && errorOf(first).contains("[3]"));
    QCOMPARE(numbers(step()), Numbers{3});
  }

  void aReferenceVariableThatMayChangeItsShape() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output value = b.placeholder(DType::Float, Shape::unknown(), "value");
    const Output v = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape{2}}}, "v");
    const Output set = b.op("Assign", {v, value}, {{"validate_shape", Attr(false)}}, "set");
    const Output read = b.op("Identity", {v}, {}, "read"), shape = b.op("Shape", {read}, {}, "shape");
    const auto wait = b.controlDependencies({set.node});
    const Output after = b.op("Shape", {b.op("Identity", {v})}, {}, "after");
    QVERIFY(shape.valid() && after.valid());
    const auto s = sessionOf(meta);
    const auto feed = [](int64_t n) { return std::vector<std::pair<std::string, Tensor>>{{"value:0", Tensor::zeros(DType::Float, {n})}}; };
    QCOMPARE(numbers(s->run(feed(3), {"after:0"})), Numbers{3});
    QCOMPARE(numbers(s->run({}, {"shape:0"})), Numbers{3});
    QCOMPARE(numbers(s->run(feed(5), {"after:0"})), Numbers{5});
    QCOMPARE(numbers(s->run({}, {"shape:0"})), Numbers{5});
  }
};

QTEST_GUILESS_MAIN(TestStatedShapes)
#include "tst_stated_shapes.moc"
