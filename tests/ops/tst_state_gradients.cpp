#include <QTest>
#include <cmath>

#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

namespace {

/// A graph under construction, and values of its tensors.
struct Bench {
  MetaGraph meta;
  GraphBuilder b{meta};

  struct Array {
    Output handle, flow;
  };
  Array array(int size) {
    const int id = b.node("TensorArrayV3", {b.scalar<int32_t>(size)}, {{"dtype", DType::Float}, {"clear_after_read", false}});
    return {{id, 0}, {id, 1}};
  }
  Output read(Array a, int i) { return b.op("TensorArrayReadV3", {a.handle, b.scalar<int32_t>(i), a.flow}, {{"dtype", DType::Float}}); }
  Array write(Array a, int i, Output value) { return {a.handle, b.op("TensorArrayWriteV3", {a.handle, b.scalar<int32_t>(i), value, a.flow})}; }
  Output sum(Output x) { return b.op("Sum", {x, b.ints({0})}); }

  std::vector<float> valueOf(Output o, std::vector<std::pair<std::string, Tensor>> feeds, const std::vector<std::string>& first = {}) {
    if (!b.ok()) qFatal("%s", b.status().toString().c_str());
    auto session = Session::create(meta.graph);
    if (!session.ok()) qFatal("%s", session.error().toString().c_str());
    for (const std::string& target : first)
      if (const auto r = (*session)->run({}, {}, {target}); !r.ok()) qFatal("%s", r.error().toString().c_str());
    const auto r = (*session)->run(feeds, {meta.graph.tensorName(o)});
    if (!r.ok()) qFatal("%s", r.error().toString().c_str());
    return {(*r)[0].data<float>(), (*r)[0].data<float>() + (*r)[0].elements()};
  }

  /// d(y)/d(x), dense.
  Output gradient(Output y, Output x) {
    const auto g = addGradients(b, {y}, {x});
    if (!g.ok()) qFatal("%s", g.error().toString().c_str());
    if ((*g)[0].slices) {
      const IndexedSlices& s = *(*g)[0].slices;
      return b.op("UnsortedSegmentSum",
                  {s.values, s.indices, b.op("StridedSlice", {s.denseShape, b.ints({0}), b.ints({1}), b.ints({1})}, {{"shrink_axis_mask", 1}})});
    }
    return (*g)[0].dense;
  }
};

using Floats = std::vector<float>;

}  // namespace

/// Gradients through tensor arrays and variables by handle, built by this engine (the goldens run those that TensorFlow has built).
class TestStateGradients : public QObject {
  Q_OBJECT
 private slots:
  void throughScatterAndRead() {
    Bench t;
    const Output x = t.b.placeholder(DType::Float, Shape{3, 2}, "x");
    auto a = t.array(3);
    a.flow = t.b.op("TensorArrayScatterV3", {a.handle, t.b.ints({0, 1, 2}), x, a.flow});
    const Output last = t.read(a, 2);
    const Output y = t.b.op("Add", {t.b.op("Mul", {t.read(a, 0), t.b.scalar(2.0f)}), t.b.op("Mul", {last, last})});
    const Output g = t.gradient(t.sum(y), x);
    QCOMPARE(t.valueOf(g, {{"x:0", Tensor::of<float>({1, 2, 3, 4, 5, 6}, {3, 2})}}), Floats({2, 2, 0, 0, 10, 12}));
  }

  void twoReadsOfOneElementAdd() {
    Bench t;
    const Output x = t.b.placeholder(DType::Float, Shape{2}, "x");
    const auto a = t.write(t.array(1), 0, x);
    const Output y = t.b.op("Mul", {t.read(a, 0), t.read(a, 0)});
    const Output g = t.gradient(t.sum(y), x);
    QCOMPARE(t.valueOf(g, {{"x:0", Tensor::vector<float>({3, -1})}}), Floats({6, -2}));
  }

  void throughWriteAndGather() {
    Bench t;
    const Output x = t.b.placeholder(DType::Float, Shape{2}, "x");
    auto a = t.write(t.array(2), 0, x);
    a = t.write(a, 1, t.b.op("Mul", {x, x}));
    const Output both = t.b.op("TensorArrayGatherV3", {a.handle, t.b.ints({1, 0}), a.flow}, {{"dtype", DType::Float}});
    const Output weighted = t.b.op("Mul", {both, t.b.constant(Tensor::of<float>({1, 2, 10, 20}, {2, 2}))});
    const Output g = t.gradient(t.b.op("Sum", {weighted, t.b.ints({0, 1})}), x);
    // d/dx of w1·x² + w0·x
    QCOMPARE(t.valueOf(g, {{"x:0", Tensor::vector<float>({3, 4})}}), Floats({1 * 6 + 10, 2 * 8 + 20}));
  }

  void throughSplitAndConcat() {
    Bench t;
    const Output x = t.b.placeholder(DType::Float, Shape{3}, "x");
    auto a = t.array(2);
    a.flow = t.b.op("TensorArraySplitV3", {a.handle, x, t.b.constant(Tensor::vector<int64_t>({1, 2})), a.flow});
    const int id = t.b.node("TensorArrayConcatV3", {a.handle, a.flow}, {{"dtype", DType::Float}});
    const Output joined{id, 0};
    const Output g = t.gradient(t.sum(t.b.op("Mul", {joined, joined})), x);
    QCOMPARE(t.valueOf(g, {{"x:0", Tensor::vector<float>({1, 2, 3})}}), Floats({2, 4, 6}));
  }

  void throughResourceGather() {
    Bench t;
    const Output v = t.b.op("VarHandleOp", {}, {{"dtype", DType::Float}, {"shape", Shape{3, 2}}, {"shared_name", "v"}}, "v");
    t.b.node("AssignVariableOp", {v, t.b.constant(Tensor::of<float>({1, 2, 3, 4, 5, 6}, {3, 2}))}, {}, "init");
    const Output rows = t.b.op("ResourceGather", {v, t.b.ints({2, 0, 2})}, {{"dtype", DType::Float}});
    QVERIFY(t.b.shape(rows) == (Shape{3, 2}));
    const Output y = t.b.op("Sum", {t.b.op("Mul", {rows, rows}), t.b.ints({0, 1})});
    QCOMPARE(t.valueOf(t.gradient(y, v), {}, {"init"}), Floats({2, 4, 0, 0, 20, 24}));
  }

  void throughReadVariable() {
    Bench t;
    const Output v = t.b.op("VarHandleOp", {}, {{"dtype", DType::Float}, {"shape", Shape{2}}, {"shared_name", "v"}}, "v");
    t.b.node("AssignVariableOp", {v, t.b.constant(Tensor::vector<float>({3, 4}))}, {}, "init");
    const Output value = t.b.op("ReadVariableOp", {v}, {{"dtype", DType::Float}});
    QCOMPARE(t.valueOf(t.gradient(t.sum(t.b.op("Mul", {value, value})), v), {}, {"init"}), Floats({6, 8}));
  }
};

QTEST_GUILESS_MAIN(TestStateGradients)
#include "tst_state_gradients.moc"
