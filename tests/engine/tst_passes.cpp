#include <QTest>

#include "kernel/session_state.h"
#include "runtime/plan_graph.h"
#include "weft/builder.h"
#include "weft/session.h"

using namespace weft;

namespace {

/// The plan as text in execution order, one line per node: "y = Mul(x, c) ^before"; "c = 2" for values known before the run; a kernel created by a rewrite is
/// marked with the number of nodes that it replaces: "y = Relu(x, w)+2".
QString textOf(const PlanGraph& plan) {
  const auto name = [&](int id) {
    const PlanNode& p = plan.nodes[size_t(id)];
    return p.node ? QString::fromStdString(p.node->name) : QStringLiteral("feed%1").arg(p.feed);
  };
  QStringList lines;
  for (int id : plan.order()) {
    const PlanNode& p = plan.nodes[size_t(id)];
    if (!p.alive) continue;
    if (!p.node) {
      lines << name(id) + QStringLiteral(" = fed");
      continue;
    }
    QStringList inputs;
    for (const Output& in : p.inputs) inputs << name(in.node) + (in.index ? QStringLiteral(":%1").arg(in.index) : QString());
    QString line = name(id) + QStringLiteral(" = ");
    if (p.isConstant()) {
      line += QStringLiteral("const");
    } else {
      line += QStringLiteral("%1(%2)").arg(QString::fromStdString(p.node->op), inputs.join(QStringLiteral(", ")));
      if (p.kernel) line += QStringLiteral("+%1").arg(p.merged.size());
      for (int c : p.controls) line += QStringLiteral(" ^") + name(c);
    }
    lines << line;
  }
  return lines.join(u'\n') + u'\n';
}

/// The plan for `fetches`, with `feeds` fed in these shapes.
struct Plan {
  SessionState session;
  std::vector<std::unique_ptr<Device>> own;
  std::vector<Device*> devices;
  std::vector<Shape> shapes;
  PlanGraph graph;

  Plan(const MetaGraph& meta, const std::vector<std::pair<std::string, Shape>>& feeds, const std::vector<std::string>& fetches) {
    own.push_back(makeCpuDevice(0));
    devices.push_back(own[0].get());
    Signature signature;
    for (const auto& [feed, shape] : feeds) {
      signature.feeds.push_back(feed);
      shapes.push_back(shape);
    }
    signature.fetches = fetches;
    auto pruned = pruneGraph(meta.graph, signature);
    if (!pruned.ok()) qFatal("%s", pruned.error().toString().c_str());
    graph = std::move(*pruned);
    const Status placed = placeNodes(meta.graph, graph, devices, {}, nullptr);
    if (!placed.ok()) qFatal("%s", placed.toString().c_str());
  }
  void run(const std::string& pass) {
    PassContext context{session, &shapes};
    for (const Pass& p : passes()) {
      if (p.name != pass) continue;
      const Status status = p.run(graph, context);
      if (!status.ok()) qFatal("%s", status.toString().c_str());
      return;
    }
    qFatal("no pass %s", pass.c_str());
  }
  QString text() const { return textOf(graph); }
};

void check(const GraphBuilder& b) {
  if (!b.ok()) qFatal("%s", b.status().toString().c_str());
}

}  // namespace

/// Each rewrite alone: a plan before and after it.
class PassesTest : public QObject {
  Q_OBJECT

 private slots:
  void foldingComputesWhatNeedsNoFeed() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape::unknown(), "x");
    const Output two = b.scalar(2.f, "two"), three = b.scalar(3.f, "three");
    const Output six = b.op("Mul", {two, three}, {}, "six");
    const Output y = b.op("Mul", {x, six}, {}, "y");
    const Output shape = b.op("Shape", {y}, {}, "shape");
    b.op("Fill", {shape, two}, {}, "twos");
    check(b);
    Plan plan(meta, {{"x:0", Shape{2, 3}}}, {"y:0", "twos:0"});
    QCOMPARE(
        plan.text(),
        QStringLiteral("feed0 = fed\ntwo = Const()\nthree = Const()\nsix = Mul(two, three)\ny = Mul(feed0, six)\nshape = Shape(y)\ntwos = Fill(shape, two)\n"));
    plan.run("constant_folding");
    QCOMPARE(plan.text(), QStringLiteral("feed0 = fed\nsix = const\ny = Mul(feed0, six)\ntwos = const\n"));
  }

  void foldingLeavesRandomNumbersAndVariables() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output shape = b.constant(Tensor::vector<int32_t>({2}), "shape");
    b.op("RandomUniform", {shape}, {{"dtype", DType::Float}}, "r");
    const Output v = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape{2}}}, "v");
    b.op("Identity", {v}, {}, "read");
    check(b);
    Plan plan(meta, {}, {"r:0", "read:0"});
    plan.run("constant_folding");
    const QString text = plan.text();
    QVERIFY2(text.contains(QStringLiteral("r = RandomUniform(shape)")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("read = Identity(v)")), qPrintable(text));
  }

  void identitiesGoUnlessSomebodyCanTell() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape::unknown(), "x");
    const Output through = b.op("StopGradient", {b.op("Identity", {x}, {}, "i")}, {}, "s");
    b.op("Neg", {through}, {}, "y");
    const Output waited = b.op("Identity", {x}, {}, "waited");
    {
      const auto wait = b.controlDependencies({waited.node});
      b.op("Abs", {x}, {}, "z");
    }
    const Output v = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape{2}}}, "v");
    b.op("Neg", {b.op("Identity", {v}, {}, "read")}, {}, "w");
    b.op("Identity", {x}, {}, "fetched");
    check(b);
    Plan plan(meta, {{"x:0", Shape{2}}}, {"y:0", "z:0", "w:0", "fetched:0"});
    plan.run("identity_removal");
    QCOMPARE(
        plan.text(),
        QStringLiteral("feed0 = fed\ny = Neg(feed0)\nwaited = Identity(feed0)\nz = Abs(feed0) ^waited\nv = VariableV2()\nread = Identity(v)\nw = Neg(read)\n"
                       "fetched = Identity(feed0)\n"));
  }

  void whatNobodyReadsGoesAndItsWaitersWaitForItsInputs() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape::unknown(), "x");
    const Output a = b.op("Abs", {x}, {}, "a");
    const Output unread = b.op("Neg", {a}, {}, "unread");
    const Output checked = b.op("PreventGradient", {a}, {{"message", "bad"}}, "checked");
    {
      const auto wait = b.controlDependencies({unread.node, checked.node});
      b.op("Exp", {x}, {}, "y");
    }
    check(b);
    Plan plan(meta, {{"x:0", Shape{2}}}, {"y:0"});
    plan.run("unread_removal");
    const QString text = plan.text();
    QVERIFY2(!text.contains(QStringLiteral("unread")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("checked = PreventGradient(a)")), qPrintable(text));
    QVERIFY2(text.contains(QStringLiteral("y = Exp(feed0) ^checked ^a")), qPrintable(text));
  }

  void convolutionsTakeBiasAndReluIn() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{1, 4, 4, 3}, "x");
    const Output w = b.placeholder(DType::Float, Shape{3, 3, 3, 8}, "w"), bias = b.placeholder(DType::Float, Shape{8}, "bias");
    const AttrMap attrs{{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", "SAME"}};
    const Output conv = b.op("Conv2D", {x, w}, attrs, "conv");
    b.op("Relu", {b.op("BiasAdd", {conv, bias}, {}, "add")}, {}, "y");
    check(b);
    Plan plan(meta, {{"x:0", Shape{1, 4, 4, 3}}, {"w:0", Shape{3, 3, 3, 8}}, {"bias:0", Shape{8}}}, {"y:0"});
    plan.run("constant_folding");
    plan.run("convolution_fusion");
    QCOMPARE(plan.text(), QStringLiteral("feed0 = fed\nfeed1 = fed\nfeed2 = fed\ny = Relu(feed0, feed1, feed2)+2\n"));
    // Fetched values stay available.
    Plan seen(meta, {{"x:0", Shape{1, 4, 4, 3}}, {"w:0", Shape{3, 3, 3, 8}}, {"bias:0", Shape{8}}}, {"y:0", "conv:0"});
    seen.run("constant_folding");
    seen.run("convolution_fusion");
    QVERIFY2(seen.text().contains(QStringLiteral("conv = Conv2D(feed0, feed1)\n")), qPrintable(seen.text()));
  }

  void poolGradientsTakeReluGradIn() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output relu = b.placeholder(DType::Float, Shape{1, 4, 4, 2}, "relu"), pooled = b.placeholder(DType::Float, Shape{1, 2, 2, 2}, "pooled"),
                 dy = b.placeholder(DType::Float, Shape{1, 2, 2, 2}, "dy");
    const AttrMap attrs{{"ksize", std::vector<int64_t>{1, 2, 2, 1}}, {"strides", std::vector<int64_t>{1, 2, 2, 1}}, {"padding", "SAME"}};
    const Output dPool = b.op("MaxPoolGrad", {relu, pooled, dy}, attrs, "dpool");
    b.op("ReluGrad", {dPool, relu}, {}, "dx");
    check(b);
    const std::vector<std::pair<std::string, Shape>> feeds{{"relu:0", Shape{1, 4, 4, 2}}, {"pooled:0", Shape{1, 2, 2, 2}}, {"dy:0", Shape{1, 2, 2, 2}}};
    Plan plan(meta, feeds, {"dx:0"});
    plan.run("pool_gradient_fusion");
    QCOMPARE(plan.text(), QStringLiteral("feed0 = fed\nfeed1 = fed\nfeed2 = fed\ndx = ReluGrad(feed0, feed1, feed2)+1\n"));
    Plan seen(meta, feeds, {"dx:0", "dpool:0"});
    seen.run("pool_gradient_fusion");
    QVERIFY2(seen.text().contains(QStringLiteral("dx = ReluGrad(dpool, feed0)\n")), qPrintable(seen.text()));
  }

  void controlEdgesThatNothingTellsGo() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{2}, "x");
    const Output v = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape{2}}}, "v");
    const Output read = b.op("Identity", {v}, {}, "read");
    const Output dx = b.op("Mul", {x, read}, {}, "dx"), dv = b.op("Neg", {x}, {}, "dv");
    // As tf.gradients ties the gradients of an op's inputs together: none is handed out before all are there.
    Output group;
    {
      const auto wait = b.controlDependencies({dx.node, dv.node});
      group = {b.node("NoOp", {}, {}, "group"), 0};
    }
    Output tied;
    {
      const auto wait = b.controlDependencies({group.node});
      tied = b.op("Identity", {dv}, {}, "tied");
    }
    const Output one = b.scalar(1.f, "one");
    b.op("ApplyGradientDescent", {v, one, tied}, {}, "update");
    b.op("Exp", {dx}, {}, "y");
    check(b);
    Plan plan(meta, {{"x:0", Shape{2}}}, {"y:0", "update:0"});
    plan.run("control_simplification");
    // The product with the variable still comes before its update, for it reads the buffer that is written to.
    QCOMPARE(plan.text(), QStringLiteral("feed0 = fed\nv = VariableV2()\nread = Identity(v)\ndx = Mul(feed0, read)\ndv = Neg(feed0)\ntied = Identity(dv)\n"
                                         "one = Const()\nupdate = ApplyGradientDescent(v, one, tied) ^dx\ny = Exp(dx)\n"));
  }

  void checksStillSpeakBeforeWhatMayFail() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{2, 2}, "x");
    const Output checked = b.op("CheckNumerics", {x}, {{"message", "bad"}}, "checked");
    {
      const auto wait = b.controlDependencies({checked.node});
      b.op("Cholesky", {b.op("Identity", {x}, {}, "passed")}, {}, "y");
    }
    check(b);
    Plan plan(meta, {{"x:0", Shape{2, 2}}}, {"y:0"});
    plan.run("control_simplification");
    QCOMPARE(plan.text(), QStringLiteral("feed0 = fed\nchecked = CheckNumerics(feed0)\npassed = Identity(feed0)\ny = Cholesky(passed) ^checked\n"));
  }

  void effectsThatOnlyPureOpsWaitForStillHappen() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{2}, "x");
    const Output v = b.op("VariableV2", {}, {{"dtype", DType::Float}, {"shape", Shape{2}}}, "v");
    const Output set = b.op("Assign", {v, x}, {}, "set");
    {
      const auto wait = b.controlDependencies({set.node});
      b.op("Neg", {x}, {}, "y");
    }
    check(b);
    Plan plan(meta, {{"x:0", Shape{2}}}, {"y:0"});
    plan.run("control_simplification");
    QCOMPARE(plan.text(), QStringLiteral("feed0 = fed\nv = VariableV2()\nset = Assign(v, feed0)\ny = Neg(feed0)\n"));
    QCOMPARE(plan.graph.targets.size(), size_t(1));
  }

  void productsOfWhichPartsAreReadAreProductsOfParts() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output dz = b.placeholder(DType::Float, Shape{4, 6}, "dz"), w = b.placeholder(DType::Float, Shape{5, 6}, "w");
    const Output product = b.op("MatMul", {dz, w}, {{"transpose_b", true}}, "product");
    const Output begin = b.constant(Tensor::vector<int32_t>({0, 2}), "begin"), size = b.constant(Tensor::vector<int32_t>({4, 3}), "size");
    b.op("Slice", {product, begin, size}, {}, "dh");
    const Output first = b.constant(Tensor::vector<int32_t>({0, 0}), "first"), two = b.constant(Tensor::vector<int32_t>({4, 2}), "two");
    b.op("Slice", {product, first, two}, {}, "dx");
    check(b);
    const std::vector<std::pair<std::string, Shape>> feeds{{"dz:0", Shape{4, 6}}, {"w:0", Shape{5, 6}}};
    Plan plan(meta, feeds, {"dh:0"});
    plan.run("constant_folding");
    plan.run("product_slicing");
    QCOMPARE(plan.text(), QStringLiteral("feed0 = fed\nfeed1 = fed\ndh = Slice(feed0, feed1)+1\n"));
    // All of it in two pieces is one product.
    Plan both(meta, feeds, {"dh:0", "dx:0"});
    both.run("constant_folding");
    both.run("product_slicing");
    QVERIFY2(both.text().contains(QStringLiteral("product = MatMul(feed0, feed1)\n")), qPrintable(both.text()));
  }

  void productsAreAddedUpWhereTheyAreComputed() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape{4, 4}, "x"), y = b.placeholder(DType::Float, Shape{4, 4}, "y");
    const Output a = b.op("MatMul", {x, y}, {}, "a"), c = b.op("MatMul", {y, x}, {}, "c"), d = b.op("MatMul", {y, y}, {}, "d");
    b.op("AddN", {a, x, c, d}, {}, "sum");
    check(b);
    const std::vector<std::pair<std::string, Shape>> feeds{{"x:0", Shape{4, 4}}, {"y:0", Shape{4, 4}}};
    Plan plan(meta, feeds, {"sum:0"});
    plan.run("product_sums");
    QCOMPARE(plan.text(), QStringLiteral("feed0 = fed\nfeed1 = fed\na = MatMul(feed0, feed1)\nc = MatMul(a, feed1, feed0)+0\n"
                                         "sum = AddN(c, feed0, feed1, feed1)+1\n"));
    // Fetched values stay available.
    Plan seen(meta, feeds, {"sum:0", "d:0"});
    seen.run("product_sums");
    QCOMPARE(seen.text(),
             QStringLiteral("feed0 = fed\nfeed1 = fed\na = MatMul(feed0, feed1)\nd = MatMul(feed1, feed1)\nsum = AddN(a, feed0, d, feed1, feed0)+1\n"));
  }

  void elementwiseChainsBecomeOne() {
    MetaGraph meta;
    GraphBuilder b(meta);
    const Output x = b.placeholder(DType::Float, Shape::unknown(), "x"), y = b.placeholder(DType::Float, Shape::unknown(), "y");
    const Output sum = b.op("Add", {x, y}, {}, "sum");
    b.op("Tanh", {b.op("Mul", {sum, sum}, {}, "square")}, {}, "z");
    const AttrMap same{{"incompatible_shape_error", false}};
    b.op("LogicalNot", {b.op("Equal", {x, y}, same, "same")}, {}, "differs");
    check(b);
    Plan plan(meta, {{"x:0", Shape{8}}, {"y:0", Shape{8}}}, {"z:0"});
    plan.run("constant_folding");
    plan.run("elementwise_fusion");
    QCOMPARE(plan.text(), QStringLiteral("feed0 = fed\nfeed1 = fed\nz = Tanh(feed0, feed1)+2\n"));
    // Shapes that do not broadcast: the comparison answers with a scalar, and is left alone.
    Plan unequal(meta, {{"x:0", Shape{8}}, {"y:0", Shape{9}}}, {"differs:0"});
    unequal.run("constant_folding");
    unequal.run("elementwise_fusion");
    QCOMPARE(unequal.text(), QStringLiteral("feed0 = fed\nfeed1 = fed\nsame = Equal(feed0, feed1)\ndiffers = LogicalNot(same)\n"));
  }
};

QTEST_APPLESS_MAIN(PassesTest)
#include "tst_passes.moc"
