// The canvas without a window: places, hits, paths, the maps between graph and screen.
#include <QTest>
#include <random>

#include "common/format.h"
#include "graph_view/frame_times.h"
#include "graph_view/grid_index.h"
#include "graph_view/memory_graph_model.h"
#include "graph_view/scene.h"
#include "graph_view/viewport.h"

using namespace weft::widgets;

class TestScene : public QObject {
  Q_OBJECT

 private slots:
  void viewportMapsThereAndBack() {
    const Viewport v{0.37, {120, -45}};
    const QPointF p(311, 87);
    QVERIFY((v.toScreen(v.toWorld(p)) - p).manhattanLength() < 1e-9);
    const Viewport z = v.zoomedAt(p, 1.9);
    QVERIFY((z.toWorld(p) - v.toWorld(p)).manhattanLength() < 1e-9);
    QCOMPARE(v.zoomedAt(p, 1e9).zoom, Viewport::kMaxZoom);
  }
  void viewportFits() {
    const QRectF world(100, 50, 4000, 300);
    const Viewport v = Viewport::fitted(world, {1000, 600}, 20, 1);
    const QRectF r = v.toScreen(world);
    QVERIFY(r.left() >= 19.9 && r.right() <= 980.1 && r.top() >= 0);
    QVERIFY((r.center() - QPointF(500, 300)).manhattanLength() < 1e-6);
    QCOMPARE(Viewport::fitted(QRectF(0, 0, 10, 10), {1000, 600}, 20, 1).zoom, 1.0);
  }
  void viewportRevealsByTheLeastMove() {
    const Viewport v{1, {0, 0}};
    QCOMPARE(v.revealing(QRectF(100, 100, 50, 50), {800, 600}, 20).offset, QPointF(0, 0));
    QCOMPARE(v.revealing(QRectF(900, 100, 50, 50), {800, 600}, 20).offset, QPointF(170, 0));
    QCOMPARE(v.revealing(QRectF(-30, 100, 50, 50), {800, 600}, 20).offset, QPointF(-50, 0));
  }

  void gridFindsWhatThePlainSearchFinds() {
    std::mt19937 random(1);
    std::vector<QRectF> rects;
    for (int i = 0; i < 3000; ++i) {
      const double w = random() % 40 == 0 ? 9000 : random() % 200, h = random() % 30 == 0 ? 0 : random() % 90;
      rects.emplace_back(random() % 20000, random() % 8000, w, h);
    }
    GridIndex index;
    index.build(rects);
    for (int i = 0; i < 300; ++i) {
      const QRectF region(random() % 20000, random() % 8000, random() % 3000, random() % 2000);
      std::vector<int> expected;
      for (size_t k = 0; k < rects.size(); ++k)
        if (rects[k].left() <= region.right() && region.left() <= rects[k].right() && rects[k].top() <= region.bottom() && region.top() <= rects[k].bottom())
          expected.push_back(static_cast<int>(k));
      QCOMPARE(index.query(region), expected);
    }
    GridIndex empty;
    empty.build({});
    QVERIFY(empty.query(QRectF(0, 0, 10, 10)).empty());
  }

  void everythingIsHitInItsMiddle() {
    MemoryGraphModel model;
    fillMadeNetwork(model, 2000);
    Scene scene;
    scene.reset(&model);
    std::fill(scene.open().begin(), scene.open().end(), 1);
    scene.rebuild();
    QVERIFY(scene.scopeCount() >= model.scopeCount());  // with the groups of the drawing
    QCOMPARE(static_cast<int>(scene.items().size()), model.nodeCount() + scene.scopeCount());
    for (size_t i = 0; i < scene.items().size(); ++i) {
      const SceneItem& it = scene.items()[i];
      if (!it.open) QCOMPARE(scene.hit(it.rect.center()), static_cast<int>(i));
      if (it.open) QCOMPARE(scene.hit(it.rect.topLeft() + QPointF(4, 10)), static_cast<int>(i));
    }
    QCOMPARE(scene.hit(scene.bounds().topLeft() - QPointF(100, 100)), -1);
  }

  void namesSurviveAReset() {
    MemoryGraphModel model;
    fillLenet(model);
    Scene scene;
    scene.reset(&model);
    const Item conv2 = scene.itemNamed(QStringLiteral("conv2"));
    QVERIFY(conv2.isScope());
    scene.open()[static_cast<size_t>(conv2.index)] = 1;
    scene.rebuild();
    model.addNode(QStringLiteral("extra"), QStringLiteral("NoOp"), -1, OpCategory::Math);
    scene.reset(&model);
    scene.rebuild();
    QVERIFY(scene.open()[static_cast<size_t>(scene.itemNamed(QStringLiteral("conv2")).index)] != 0);
    QVERIFY(scene.find(scene.itemNamed(QStringLiteral("conv2/Relu"))) >= 0);
    QVERIFY(scene.find(scene.itemNamed(QStringLiteral("conv1/Relu"))) < 0);
    QCOMPARE(scene.visibleFor(scene.itemNamed(QStringLiteral("conv1/Relu"))), scene.itemNamed(QStringLiteral("conv1")));
    QVERIFY(scene.openAround(scene.itemNamed(QStringLiteral("conv1/Relu"))));
  }

  void pathsFollowTheData() {
    MemoryGraphModel model;
    fillLenet(model);
    Scene scene;
    scene.reset(&model);
    scene.rebuild();
    std::vector<char> items, wires;
    const auto at = [&](const char* name) { return static_cast<size_t>(scene.find(scene.itemNamed(QLatin1String(name)))); };
    scene.path(static_cast<int>(at("labels")), items, wires);
    for (const char* name : {"labels", "loss", "train"}) QVERIFY2(items[at(name)] != 0, name);
    for (const char* name : {"images", "conv1", "logits"}) QVERIFY2(items[at(name)] == 0, name);
    QCOMPARE(scene.successors(static_cast<int>(at("conv1"))), std::vector<int>{static_cast<int>(at("conv2"))});
    QCOMPARE(scene.predecessors(static_cast<int>(at("conv1"))), std::vector<int>{static_cast<int>(at("images"))});
  }

  void wiresAreHitOnTheirLine() {
    MemoryGraphModel model;
    fillLenet(model);
    Scene scene;
    scene.reset(&model);
    scene.rebuild();
    int tried = 0;
    for (size_t w = 0; w < scene.wires().size(); ++w) {
      const SceneWire& wire = scene.wires()[w];
      if (wire.quiet) continue;
      ++tried;
      const QPainterPath path = scene.wirePath(wire);
      QCOMPARE(scene.hitWire(path.pointAtPercent(0.5), 4), static_cast<int>(w));
    }
    QVERIFY(tried >= 8);
  }

  /// A bundled wire shows its count, also where one tensor is read twice, and a variable's control edge runs beside its data.
  void parallelWiresAreOneWithANumber() {
    MemoryGraphModel model;
    const int a = model.addNode(QStringLiteral("a"), QStringLiteral("Placeholder"), -1, OpCategory::Array, {}, NodeShape::Placeholder);
    const int square = model.addNode(QStringLiteral("square"), QStringLiteral("Mul"), -1, OpCategory::Math);
    const int out = model.addNode(QStringLiteral("out"), QStringLiteral("Relu"), -1, OpCategory::Math);
    const int left = model.addScope(QStringLiteral("left")), right = model.addScope(QStringLiteral("right"));
    std::vector<int> from, to;
    for (int i = 0; i < 3; ++i) {
      from.push_back(model.addNode(QStringLiteral("left/n%1").arg(i), QStringLiteral("Relu"), left, OpCategory::Math));
      to.push_back(model.addNode(QStringLiteral("right/n%1").arg(i), QStringLiteral("Relu"), right, OpCategory::Math));
    }
    model.connectNodes(a, square);
    model.connectNodes(a, square);
    model.connectNodes(square, out);
    model.connectNodes(out, from[0]);
    for (size_t i = 0; i < 3; ++i) model.connectNodes(from[i], to[i], {}, QStringLiteral("float32"), -1, i == 1 ? EdgeKind::Reference : EdgeKind::Data);
    Scene scene;
    scene.reset(&model);
    scene.rebuild();
    const auto wires = [&](const char* begin, const char* end) {
      std::vector<SceneWire> found;
      for (const SceneWire& w : scene.wires())
        if (w.from == scene.find(scene.itemNamed(QLatin1String(begin))) && w.to == scene.find(scene.itemNamed(QLatin1String(end)))) found.push_back(w);
      return found;
    };
    const auto twice = wires("a", "square"), once = wires("square", "out"), scopes = wires("left", "right");
    QCOMPARE(twice.size(), size_t(1));
    QCOMPARE(twice[0].label, QStringLiteral("2×"));
    QCOMPARE(once.size(), size_t(1));
    QCOMPARE(once[0].label, QString());
    QCOMPARE(scopes.size(), size_t(1));
    QCOMPARE(scopes[0].label, QStringLiteral("3×"));
    QCOMPARE(scopes[0].kind, EdgeKind::Data);
  }

  void wiresBetweenTasksSayWhatTheyCarry() {
    MemoryGraphModel model;
    const int w = model.addNode(QStringLiteral("w"), QStringLiteral("VariableV2"), -1, OpCategory::Variable);
    const int dense = model.addNode(QStringLiteral("dense"), QStringLiteral("MatMul"), -1, OpCategory::Math);
    const int out = model.addNode(QStringLiteral("out"), QStringLiteral("Relu"), -1, OpCategory::Math);
    const auto crossing = static_cast<size_t>(model.connectNodes(w, dense));
    model.connectNodes(dense, out);
    model.edges[crossing].crossesTasks = true;
    Scene scene;
    const auto wire = [&](int to) -> const SceneWire& {
      return *std::find_if(scene.wires().begin(), scene.wires().end(), [&](const SceneWire& s) { return s.to == scene.find(Item::node(to)); });
    };
    scene.reset(&model);
    scene.rebuild();
    QVERIFY(wire(dense).crossesTasks && !wire(out).crossesTasks);
    QCOMPARE(wire(dense).label, QString());  // nothing is known before a traced step
    model.edges[crossing].traffic = 12;
    scene.reset(&model);
    scene.rebuild();
    QCOMPARE(wire(dense).traffic, qint64(12));
  }

  void whatReadsItselfIsMarked() {
    MemoryGraphModel model;
    const int a = model.addNode(QStringLiteral("a"), QStringLiteral("Relu"), -1, OpCategory::Math),
              b = model.addNode(QStringLiteral("b"), QStringLiteral("Relu"), -1, OpCategory::Math);
    model.connectNodes(a, b);
    model.connectNodes(b, b);
    Scene scene;
    scene.reset(&model);
    scene.rebuild();
    QVERIFY(!scene.items()[static_cast<size_t>(scene.find(Item::node(a)))].selfLoop);
    QVERIFY(scene.items()[static_cast<size_t>(scene.find(Item::node(b)))].selfLoop);
  }

  void shapesAreWrittenWhereTheyChange() {
    MemoryGraphModel model;
    fillLenet(model);
    Scene scene;
    scene.reset(&model);
    scene.open()[static_cast<size_t>(scene.itemNamed(QStringLiteral("conv2")).index)] = 1;
    scene.rebuild();
    QStringList labels;
    for (const SceneWire& wire : scene.wires())
      if (!wire.label.isEmpty()) labels << wire.label;
    QCOMPARE(labels.count(QStringLiteral("50×14×14×64")), 1);  // after Conv2D, not again along the chain
    QVERIFY(labels.contains(QStringLiteral("50×28×28×1")));
  }

  /// AddN, Pack and Split have as many as a file says: each keeps its number, beyond those of 16 bits too.
  void portsAreCountedBeyondSixteenBits() {
    constexpr int kInputs = 40000;
    MemoryGraphModel model;
    const int from = model.addNode("split", "Split", -1, OpCategory::Math), to = model.addNode("sum", "AddN", -1, OpCategory::Math);
    for (int i = 0; i < kInputs; ++i) {
      MemoryGraphModel::Edge edge;
      edge.ends = {from, to, i, i, EdgeKind::Data, false};
      model.edges.push_back(edge);
    }
    model.nodes[static_cast<size_t>(from)].outputs = model.nodes[static_cast<size_t>(to)].inputs = kInputs;
    QCOMPARE(model.inputCount(to), kInputs);
    QCOMPARE(model.outputCount(from), kInputs);
    Scene scene;
    scene.reset(&model);
    scene.rebuild();
    for (const int node : {from, to})
      for (const ScenePort& p : scene.ports(scene.find(Item::node(node)))) QVERIFY(p.port.index >= 0 && p.port.index < kInputs);
    QCOMPARE(scene.edgeInto({to, kInputs - 1, false}), kInputs - 1);
    QVERIFY(!(Port{to, 0, false} == Port{to, 65536, false}));
  }

  void wireWidthFollowsTheBytes() {
    MemoryGraphModel model;
    const int a = model.addNode("a", "Const", -1, OpCategory::Math), b = model.addNode("b", "Relu", -1, OpCategory::Math);
    const int c = model.addNode("c", "Relu", -1, OpCategory::Math), d = model.addNode("d", "Relu", -1, OpCategory::Math);
    model.connectNodes(a, b, {}, "float32", 200);
    model.connectNodes(b, c, {}, "float32", 160000);
    model.connectNodes(c, d, {}, "float32", qint64{1} << 40);
    Scene scene;
    scene.reset(&model);
    scene.rebuild();
    QCOMPARE(scene.wires()[0].width, 1.F);
    QVERIFY(scene.wires()[1].width > 2.4F && scene.wires()[1].width < 2.6F);
    QCOMPARE(scene.wires()[2].width, 5.F);
  }

  void statistics() {
    FrameTimes times(100);
    for (int i = 1; i <= 200; ++i) times.add(i);
    const FrameStats stats = times.stats();
    QCOMPARE(stats.count, 100);
    QCOMPARE(stats.medianMs, 150.0);
    QCOMPARE(stats.p99Ms, 199.0);
    QCOMPARE(stats.maxMs, 200.0);
  }
};

QTEST_MAIN(TestScene)
#include "tst_scene.moc"
