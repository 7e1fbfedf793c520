// The views of a graph: other boxes, the same graph; going back shows everything where it was. Hidden wires that are kept drawn.
#include <QApplication>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include "common/theme.h"
#include "graph_view/drawn_model.h"
#include "graph_view/graph_view.h"
#include "graph_view/layer_scopes.h"

using namespace weft::widgets;

class TestArrangements : public QObject {
  Q_OBJECT

  DrawnGraph model_;
  std::unique_ptr<GraphView> view_;

  Item named(const char* name) const {
    for (int s = 0; s < model_.scopeCount(); ++s)
      if (model_.scopeName(s) == QLatin1String(name)) return Item::scope(s);
    for (int n = 0; n < model_.nodeCount(); ++n)
      if (model_.nodeName(n) == QLatin1String(name)) return Item::node(n);
    return {};
  }
  QRectF rect(const char* name) const { return view_->itemRect(named(name)); }
  bool isSeen(const char* name) const { return !rect(name).isEmpty(); }
  void show() {
    view_ = std::make_unique<GraphView>();
    view_->setMotion(false);
    view_->resize(1200, 700);
    view_->setModel(&model_);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    view_->waitForLayout();
  }
  void arrange(Arrangement::Kind kind, int depth = 0) {
    view_->setArrangement({kind, depth});
    view_->waitForLayout();
    QCoreApplication::processEvents();
  }
  /// All visible items with their screen positions.
  QMap<QString, QRectF> places() const {
    QMap<QString, QRectF> out;
    for (int s = 0; s < model_.scopeCount(); ++s)
      if (const QRectF r = view_->itemRect(Item::scope(s)); !r.isEmpty()) out.insert(model_.scopeName(s) + u'/', r);
    for (int n = 0; n < model_.nodeCount(); ++n)
      if (const QRectF r = view_->itemRect(Item::node(n)); !r.isEmpty()) out.insert(model_.nodeName(n), r);
    return out;
  }
  int add(const char* name, const char* op, int scope, const char* device = "", NodeShape shape = NodeShape::Op) {
    const int n = model_.addNode(QLatin1String(name), QLatin1String(op), scope, OpCategory::Math, {}, shape);
    model_.nodes.back().device = QLatin1String(device);
    return n;
  }

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }
  void init() {
    model_.nodes.clear();
    model_.scopes.clear();
    model_.edges.clear();
    model_.annotations.clear();
    model_.drawn = nullptr;
    model_.editable = true;
    fillLenet(model_);
  }
  void cleanup() { view_.reset(); }

  void backAgainEverythingIsWhereItWas_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("depth");
    QTest::newRow("layers") << int(Arrangement::Kind::Layers) << 0;
    QTest::newRow("ops") << int(Arrangement::Kind::Ops) << 0;
    QTest::newRow("devices") << int(Arrangement::Kind::Devices) << 0;
    QTest::newRow("depth") << int(Arrangement::Kind::Depth) << 1;
  }
  void backAgainEverythingIsWhereItWas() {
    QFETCH(int, kind);
    QFETCH(int, depth);
    model_.scopes[size_t(named("conv1").index)].position = QPointF(180, 160);
    show();
    view_->setExpanded(named("conv2").index, true);
    view_->setZoom(0.8);
    view_->panBy({37, -12});
    view_->select({named("loss")}, false);
    const auto before = places();
    const auto drawn = view_->drawing();
    QSignalSpy changed(view_.get(), &GraphView::arrangementChanged);
    arrange(Arrangement::Kind(kind), depth);
    QVERIFY(changed.count() > 0);
    QVERIFY(places() != before);
    // The document's drawing is that of the view by scope, whichever view is shown.
    QVERIFY(view_->drawing() != nullptr && view_->drawing()->places.size() == drawn->places.size());
    view_->setZoom(1.4);
    view_->panBy({500, 300});
    QCOMPARE(view_->selection(), QVector<Item>{named("loss")});
    arrange(Arrangement::Kind::Scopes);
    QCOMPARE(places(), before);
    QCOMPARE(view_->selection(), QVector<Item>{named("loss")});
    // And there, too: it is seen as it was left.
    arrange(Arrangement::Kind(kind), depth);
    QCOMPARE(view_->zoom(), 1.4);
  }

  void opsStandInOneBoxEach() {
    show();
    arrange(Arrangement::Kind::Ops);
    QSet<QString> ops;
    for (int n = 0; n < model_.nodeCount(); ++n) ops.insert(model_.nodeOp(n));
    QCOMPARE(view_->arrangementFacts().groups, int(ops.size()));
    QCOMPARE(view_->visibleItemCount(), int(ops.size()));
    QVERIFY(!isSeen("conv1") && !isSeen("conv1/Conv2D"));
    // A node is revealed by opening its box; a click there selects the contents.
    view_->select({named("conv1/Conv2D")});
    QVERIFY(isSeen("conv1/Conv2D"));
    QVERIFY(!isSeen("conv1/BiasAdd"));
    // Nothing is moved or renamed there.
    QSignalSpy moved(view_.get(), &GraphView::moveRequested), added(view_.get(), &GraphView::addRequested);
    const QPoint at = rect("conv1/Conv2D").center().toPoint();
    QTest::mousePress(view_.get(), Qt::LeftButton, {}, at);
    QTest::mouseMove(view_.get(), at + QPoint(80, 60));
    QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, at + QPoint(80, 60));
    QTest::mouseDClick(view_.get(), Qt::LeftButton, {}, QPoint(5, 690));
    QCOMPARE(moved.count() + added.count(), 0);
  }

  void layersAreFoundByTheirWeights() {
    model_.nodes.clear();
    model_.scopes.clear();
    model_.edges.clear();
    const int net = model_.addScope(QStringLiteral("net"), -1), block = model_.addScope(QStringLiteral("net/block"), net);
    const int conv = model_.addScope(QStringLiteral("net/block/conv"), block), norm = model_.addScope(QStringLiteral("net/block/conv/norm"), conv);
    const int drop = model_.addScope(QStringLiteral("net/drop"), net), out = model_.addScope(QStringLiteral("net/out"), net);
    const int x = add("x", "Placeholder", -1), w = add("net/block/conv/w", "VariableV2", conv, "", NodeShape::Variable);
    const int c = add("net/block/conv/Conv2D", "Conv2D", conv), n = add("net/block/conv/norm/FusedBatchNorm", "FusedBatchNorm", norm);
    const int r = add("net/block/Relu", "Relu", block), d = add("net/drop/mul", "Mul", drop), m = add("net/out/MatMul", "MatMul", out);
    for (const auto& [a, b] : {std::pair{x, c}, {w, c}, {c, n}, {n, r}, {r, d}, {d, m}}) model_.connectNodes(a, b);
    QCOMPARE(layerScopes(model_), (std::vector<char>{0, 0, 1, 0, 0, 1}));
    show();
    QVERIFY(isSeen("net") && !isSeen("net/out"));
    arrange(Arrangement::Kind::Layers);
    QCOMPARE(view_->arrangementFacts().groups, 2);
    // Scopes around layers disappear; a scope that neither is nor contains a layer stays a box, single nodes stay single.
    QVERIFY(!isSeen("net") && !isSeen("net/block") && !isSeen("net/block/conv/norm"));
    for (const char* name : {"net/block/conv", "net/drop", "net/out", "net/block/Relu", "x"}) QVERIFY2(isSeen(name), name);
    // One that is inside of a layer is found by opening it.
    view_->select({named("net/block/conv/norm/FusedBatchNorm")});
    QVERIFY(isSeen("net/block/conv/norm/FusedBatchNorm"));
  }

  void aGraphWithoutLayersSaysSo() {
    model_.nodes.clear();
    model_.scopes.clear();
    model_.edges.clear();
    add("a", "Relu", -1);
    show();
    QVERIFY(view_->arrangementFacts().found);
    arrange(Arrangement::Kind::Layers);
    QVERIFY(!view_->arrangementFacts().found);
    QVERIFY(isSeen("a"));
    arrange(Arrangement::Kind::Devices);
    QVERIFY(!view_->arrangementFacts().found);
    QVERIFY(isSeen("a"));  // a single box is open
  }

  void devicesTakeWholeScopesAndPartsOfThem() {
    model_.nodes.clear();
    model_.scopes.clear();
    model_.edges.clear();
    const int whole = model_.addScope(QStringLiteral("whole"), -1), split = model_.addScope(QStringLiteral("split"), -1);
    const int inner = model_.addScope(QStringLiteral("split/inner"), split);
    const int a = add("whole/a", "Relu", whole, "/job:worker/replica:0/task:1/device:GPU:0"), b = add("split/b", "Relu", split, "/job:worker/task:1/gpu:0");
    const int c = add("split/c", "Relu", split, "/job:ps/task:0"), d = add("split/inner/d", "Relu", inner, "/job:ps/task:0"), e = add("e", "Relu", -1);
    for (const auto& [from, to] : {std::pair{a, b}, {b, c}, {c, d}, {d, e}}) model_.connectNodes(from, to);
    show();
    arrange(Arrangement::Kind::Devices);
    QCOMPARE(view_->arrangementFacts().groups, 3);  // worker:1 GPU:0, ps:0, none: both ways to write the GPU are one
    QCOMPARE(view_->visibleItemCount(), 3);
    view_->select({Item::node(a)});
    QVERIFY(isSeen("whole/a") && isSeen("whole"));
    view_->select({Item::node(d)});
    QVERIFY(isSeen("split/inner") && isSeen("split/inner/d") && !isSeen("split"));
    view_->select({Item::node(b)});
    QVERIFY(isSeen("split/b"));
    // The part of a split scope is a box of the drawing.
    QVERIFY(!isSeen("split"));
  }

  void depthOpensLevelByLevel() {
    model_.nodes.clear();
    model_.scopes.clear();
    model_.edges.clear();
    const int a = model_.addScope(QStringLiteral("a"), -1), b = model_.addScope(QStringLiteral("a/b"), a), c = model_.addScope(QStringLiteral("a/b/c"), b);
    add("a/b/c/d", "Relu", c);
    add("x", "Relu", -1);
    show();
    QCOMPARE(view_->arrangementFacts().levels, 3);
    arrange(Arrangement::Kind::Depth, 1);
    QVERIFY(isSeen("a/b") && !isSeen("a/b/c"));
    arrange(Arrangement::Kind::Depth, 2);
    QVERIFY(isSeen("a/b/c") && !isSeen("a/b/c/d"));
    arrange(Arrangement::Kind::Depth, 3);
    QVERIFY(isSeen("a/b/c/d"));
    arrange(Arrangement::Kind::Scopes);
    QVERIFY(isSeen("a") && !isSeen("a/b"));
  }

  // An edit while another view is shown: back in the first one, only new items have new places.
  void editsInAnotherViewMoveNothing() {
    show();
    model_.drawn = view_->drawing();
    model_.commit();
    const auto before = places();
    arrange(Arrangement::Kind::Ops);
    const int extra = model_.addNode(QStringLiteral("extra"), QStringLiteral("Softsign"), -1, OpCategory::Nn);
    model_.connectNodes(named("images").index, extra);
    model_.drawn = view_->drawing();
    model_.commit();
    view_->waitForLayout();
    QCOMPARE(view_->arrangement().kind, Arrangement::Kind::Ops);
    arrange(Arrangement::Kind::Scopes);
    auto after = places();
    QVERIFY(after.contains(QStringLiteral("extra")));
    after.remove(QStringLiteral("extra"));
    QCOMPARE(after.keys(), before.keys());
    const QPointF shift = after.first().topLeft() - before.first().topLeft();
    for (auto it = before.cbegin(); it != before.cend(); ++it) QCOMPARE(after[it.key()].topLeft() - it->topLeft(), shift);
  }

  void largeGraphsAreArrangedBesideTheWindow() {
    model_.nodes.clear();
    model_.scopes.clear();
    model_.edges.clear();
    fillMadeNetwork(model_, 5200);
    show();
    const auto before = places();
    double longest = 0;
    for (const auto kind :
         {Arrangement::Kind::Ops, Arrangement::Kind::Layers, Arrangement::Kind::Devices, Arrangement::Kind::Depth, Arrangement::Kind::Scopes}) {
      QElapsedTimer timer;
      timer.start();
      view_->setArrangement({kind, kind == Arrangement::Kind::Depth ? 2 : 0});
      longest = std::max(longest, double(timer.nsecsElapsed()) / 1e6);
      QVERIFY(view_->isLayoutPending());
      timer.start();
      view_->waitForLayout();
      qInfo("view %d: %lld ms, %d boxes", int(kind), static_cast<long long>(timer.elapsed()), view_->visibleItemCount());
      QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
    }
    // The goal is 5 ms on an otherwise idle machine.
    QVERIFY2(longest < 40, qPrintable(QString::number(longest)));
    QCOMPARE(places(), before);
  }

  // With rapid requests, the last one is shown.
  void askedTwiceTheLastOneCounts() {
    model_.nodes.clear();
    model_.scopes.clear();
    model_.edges.clear();
    fillMadeNetwork(model_, 4000);
    show();
    const auto before = places();
    for (const auto kind : {Arrangement::Kind::Ops, Arrangement::Kind::Layers, Arrangement::Kind::Scopes}) view_->setArrangement({kind, 0});
    view_->waitForLayout();
    QCOMPARE(view_->arrangement().kind, Arrangement::Kind::Scopes);
    QCOMPARE(places(), before);
  }

  // --- hidden wires ---

  void aClickOnTheChipKeepsItsWiresDrawn() {
    // A saver that reads three weights: its wires are quiet.
    const int saver = model_.addNode(QStringLiteral("save/SaveV2"), QStringLiteral("SaveV2"), -1, OpCategory::IoSummary, {}, NodeShape::Annotation);
    model_.nodes.back().part = weft::layout::Part::Save;
    const Item conv = named("conv1");
    for (int n = 0; n < saver; ++n)
      if (model_.nodeScope(n) == conv.index && model_.nodeOp(n) == QLatin1String("Relu")) model_.connectNodes(n, saver);
    show();
    view_->setZoom(1);
    view_->select({conv});
    // At half the size its number can still be read; smaller, nothing is drawn.
    view_->setZoom(0.3);
    QVERIFY(view_->hiddenWiresChip(conv).isEmpty());
    view_->setZoom(0.5);
    QVERIFY(view_->hiddenWiresChip(conv).height() >= 10);
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, view_->hiddenWiresChip(conv).center().toPoint());
    QVERIFY(view_->areHiddenWiresShown(conv));
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, view_->hiddenWiresChip(conv).center().toPoint());
    view_->setZoom(1);
    const QRectF chip = view_->hiddenWiresChip(conv);
    QVERIFY(!chip.isEmpty());
    QVERIFY(!view_->areHiddenWiresShown(conv));
    QMouseEvent over(QEvent::MouseMove, chip.center(), view_->mapToGlobal(chip.center()), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(view_.get(), &over);
    QCOMPARE(view_->cursor().shape(), Qt::PointingHandCursor);
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, chip.center().toPoint());
    QVERIFY(view_->areHiddenWiresShown(conv));
    QVERIFY(!view_->isExpanded(conv.index));  // the scope stays closed
    model_.commit();                          // they stay drawn when the graph changes
    QVERIFY(view_->areHiddenWiresShown(conv));
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, view_->hiddenWiresChip(conv).center().toPoint());
    QVERIFY(!view_->areHiddenWiresShown(conv));
    // The command does the same for all that is selected; a helper has no chip, but its wires are shown, too.
    QVERIFY(view_->toggleHiddenWires() > 0);
    QVERIFY(view_->areHiddenWiresShown(conv));
    view_->toggleHiddenWires();
    QVERIFY(!view_->areHiddenWiresShown(conv));
    view_->select({Item::node(saver)});
    QVERIFY(view_->hiddenWiresChip(Item::node(saver)).isEmpty());
    QVERIFY(view_->toggleHiddenWires() > 0);
    view_->clearSelection();
    QCOMPARE(view_->toggleHiddenWires(), 0);
  }
};

QTEST_MAIN(TestArrangements)
#include "tst_arrangements.moc"
