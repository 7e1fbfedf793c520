// The canvas under mouse and keys.
#include <QApplication>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "common/theme.h"
#include "graph_view/canvas_bench.h"
#include "graph_view/graph_view.h"
#include "graph_view/memory_graph_model.h"

using namespace weft::widgets;

class TestGraphView : public QObject {
  Q_OBJECT

  MemoryGraphModel model_;
  std::unique_ptr<GraphView> view_;

  Item named(const char* name) const {
    for (int i = 0; i < model_.nodeCount(); ++i)
      if (model_.nodeName(i) == QLatin1String(name)) return Item::node(i);
    for (int i = 0; i < model_.scopeCount(); ++i)
      if (model_.scopeName(i) == QLatin1String(name)) return Item::scope(i);
    return {};
  }
  QPoint middle(const char* name) const { return view_->itemRect(named(name)).center().toPoint(); }

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }

  void init() {
    model_.nodes.clear();
    model_.scopes.clear();
    model_.edges.clear();
    fillLenet(model_);
    view_ = std::make_unique<GraphView>();
    view_->resize(1200, 700);
    view_->setModel(&model_);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
  }
  void cleanup() { view_.reset(); }

  void clickSelects() {
    QSignalSpy spy(view_.get(), &GraphView::selectionChanged);
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, middle("conv1"));
    QCOMPARE(view_->selection(), QVector<Item>{named("conv1")});
    QTest::mouseClick(view_.get(), Qt::LeftButton, Qt::ControlModifier, middle("loss"));
    QCOMPARE(view_->selection().size(), 2);
    QTest::mouseClick(view_.get(), Qt::LeftButton, Qt::ControlModifier, middle("conv1"));
    QCOMPARE(view_->selection(), QVector<Item>{named("loss")});
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, QPoint(5, 690));
    QVERIFY(view_->selection().isEmpty());
    QCOMPARE(spy.count(), 4);
    QVERIFY(view_->accessibleName() == QStringLiteral("Graph canvas"));
  }

  void whoSeesEverythingGoesOnToSeeEverything() {
    const auto allInside = [this] {
      for (const char* name : {"images", "conv1", "loss"})
        if (!QRectF(view_->rect()).contains(view_->itemRect(named(name)))) return false;
      return true;
    };
    view_->fitAll();
    QVERIFY(allInside());
    view_->resize(700, 400);
    QCoreApplication::processEvents();
    QVERIFY(allInside());
    view_->resize(1200, 700);
    QCoreApplication::processEvents();
    QVERIFY(allInside());
    // Moving does not change an item's size.
    view_->setZoom(1.5);
    view_->resize(700, 400);
    QCoreApplication::processEvents();
    QCOMPARE(view_->zoom(), 1.5);
  }

  void ghostsStandInFreePlacesBesideTheirNeighbours() {
    view_->setGhosts({{QStringLiteral("extra"), QStringLiteral("Relu"), QStringLiteral("conv1"), {}},
                      {QStringLiteral("other"), QStringLiteral("Relu"), QStringLiteral("conv1"), {}}});
    const QRectF first = view_->ghostRect(QStringLiteral("extra")), second = view_->ghostRect(QStringLiteral("other"));
    QVERIFY(!first.isEmpty() && !second.isEmpty());
    QVERIFY(first.left() > view_->itemRect(named("conv1")).right());
    QVERIFY(!first.intersects(second));
    for (int i = 0; i < model_.scopeCount(); ++i)
      if (!view_->isExpanded(i)) QVERIFY2(!first.intersects(view_->itemRect(Item::scope(i))), qPrintable(model_.scopeName(i)));
    view_->setGhosts({});
    QVERIFY(view_->ghostRect(QStringLiteral("extra")).isEmpty());
  }

  void rubberBandSelectsWhatItTouches() {
    const QRect all = view_->itemRect(named("images")).united(view_->itemRect(named("conv1"))).toAlignedRect().adjusted(-6, -30, 4, 30);
    QTest::mousePress(view_.get(), Qt::LeftButton, {}, all.topLeft());
    QTest::mouseMove(view_.get(), all.center());
    QTest::mouseMove(view_.get(), all.bottomRight());
    QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, all.bottomRight());
    QCOMPARE(view_->selection().size(), 2);
    QVERIFY(view_->selection().contains(named("images")) && view_->selection().contains(named("conv1")));
  }

  void doubleClickOpensInPlace() {
    QSignalSpy spy(view_.get(), &GraphView::expandedChanged);
    const QPointF corner = view_->itemRect(named("conv2")).topLeft();
    QTest::mouseDClick(view_.get(), Qt::LeftButton, {}, middle("conv2"));
    QVERIFY(view_->isExpanded(named("conv2").index));
    QCOMPARE(spy.count(), 1);
    // The opened item keeps its screen position.
    QVERIFY((view_->itemRect(named("conv2")).topLeft() - corner).manhattanLength() < 2);
    QVERIFY(!view_->itemRect(named("conv2/Relu")).isEmpty());
    QTest::mouseDClick(view_.get(), Qt::LeftButton, {}, (view_->itemRect(named("conv2")).topLeft() + QPointF(60, 6)).toPoint());
    QVERIFY(!view_->isExpanded(named("conv2").index));
  }

  void insideAndUpAgain() {
    QSignalSpy spy(view_.get(), &GraphView::currentScopeChanged);
    QTest::mouseDClick(view_.get(), Qt::LeftButton, Qt::ControlModifier, middle("conv2"));
    QCOMPARE(view_->rootScope(), named("conv2").index);
    QVERIFY(view_->itemRect(named("conv1")).isEmpty());
    view_->clearSelection();
    QTest::keyClick(view_.get(), Qt::Key_Backspace);
    QCOMPARE(view_->rootScope(), -1);
    QVERIFY(spy.count() >= 1);
  }

  void keysOpenCloseAndWalk() {
    view_->select({named("conv1")});
    QTest::keyClick(view_.get(), Qt::Key_Right);
    QCOMPARE(view_->selection(), QVector<Item>{named("conv2")});
    QTest::keyClick(view_.get(), Qt::Key_Left);
    QTest::keyClick(view_.get(), Qt::Key_Left);
    QCOMPARE(view_->selection(), QVector<Item>{named("images")});
    QTest::keyClick(view_.get(), Qt::Key_BracketRight);
    QVERIFY(view_->selection() != QVector<Item>{named("images")});
    view_->select({named("conv2")});
    QTest::keyClick(view_.get(), Qt::Key_Return);
    QVERIFY(view_->isExpanded(named("conv2").index));
    view_->select({named("conv2/Relu")});
    QSignalSpy activated(view_.get(), &GraphView::nodeActivated);
    QTest::keyClick(view_.get(), Qt::Key_Return);
    QCOMPARE(activated.count(), 1);
    QTest::keyClick(view_.get(), Qt::Key_Backspace);
    QVERIFY(!view_->isExpanded(named("conv2").index));
    QCOMPARE(view_->selection(), QVector<Item>{named("conv2")});
    QTest::keyClick(view_.get(), Qt::Key_Escape);
    QVERIFY(view_->selection().isEmpty());
  }

  void wheelZoomsAtThePointer() {
    const QPointF at(300, 200);
    const QPointF before = view_->toWorld(at);
    const double zoom = view_->zoom();
    QWheelEvent wheel(at, view_->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(view_.get(), &wheel);
    QVERIFY(view_->zoom() > zoom * 1.1);
    QVERIFY((view_->toWorld(at) - before).manhattanLength() < 2);
  }

  void middleDragAndSpaceDragPan() {
    const QPointF before = view_->toWorld(QPointF(100, 100));
    QTest::mousePress(view_.get(), Qt::MiddleButton, {}, QPoint(400, 300));
    QTest::mouseMove(view_.get(), QPoint(430, 320));
    QTest::mouseMove(view_.get(), QPoint(450, 340));
    QTest::mouseRelease(view_.get(), Qt::MiddleButton, {}, QPoint(450, 340));
    const QPointF moved = view_->toWorld(QPointF(150, 140)) - before;
    QVERIFY2(moved.manhattanLength() < 3, qPrintable(QStringLiteral("%1 %2").arg(moved.x()).arg(moved.y())));
    QTest::keyPress(view_.get(), Qt::Key_Space);
    const QPointF again = view_->toWorld(QPointF(100, 100));
    QTest::mousePress(view_.get(), Qt::LeftButton, {}, QPoint(400, 300));
    QTest::mouseMove(view_.get(), QPoint(300, 300));
    QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, QPoint(300, 300));
    QTest::keyRelease(view_.get(), Qt::Key_Space);
    QVERIFY((view_->toWorld(QPointF(0, 100)) - again).manhattanLength() < 3);
    QVERIFY(view_->selection().isEmpty());
  }

  void fitShowsEverything() {
    view_->setZoom(3);
    QTest::keyClick(view_.get(), Qt::Key_A);
    for (const char* name : {"images", "conv1", "train"}) QVERIFY2(view_->rect().contains(view_->itemRect(named(name)).toAlignedRect()), name);
    view_->select({named("loss")});
    QTest::keyClick(view_.get(), Qt::Key_F);
    QVERIFY((view_->itemRect(named("loss")).center() - QRectF(view_->rect()).center()).manhattanLength() < 3);
    QVERIFY(view_->zoom() > 1);
  }

  void selectingByNameOpensTheWay() {
    QCOMPARE(view_->selectNames({QStringLiteral("conv1/kernel"), QStringLiteral("no such node")}), 1);
    QVERIFY(view_->isExpanded(named("conv1").index));
    QVERIFY(view_->rect().contains(view_->itemRect(named("conv1/kernel")).toAlignedRect()));
  }

  void editsKeepOpenScopesAndSelection() {
    view_->setExpanded(named("conv2").index, true);
    view_->select({named("conv2/Relu")});
    const int added = model_.addNode(QStringLiteral("summary"), QStringLiteral("ScalarSummary"), -1, OpCategory::IoSummary, {}, NodeShape::Annotation);
    model_.connectNodes(named("conv2/Relu").index, added);
    model_.commit();
    QVERIFY(view_->isExpanded(named("conv2").index));
    QCOMPARE(view_->selection(), QVector<Item>{named("conv2/Relu")});
    QCOMPARE(view_->expandedScopes(), QStringList{QStringLiteral("conv2")});
  }

  void editsMayShiftAllIndexes() {
    view_->setExpanded(named("conv2").index, true);
    view_->select({named("conv2/Relu"), named("images")});
    const QPointF before = view_->itemRect(named("conv2/Relu")).topLeft();
    view_->centerOn(named("conv2/Relu"));
    QSignalSpy spy(view_.get(), &GraphView::selectionChanged);
    // The first node goes: every node has another index now.
    model_.nodes.erase(model_.nodes.begin());
    std::erase_if(model_.edges, [](const auto& e) { return e.ends.from == 0 || e.ends.to == 0; });
    for (auto& e : model_.edges) {
      --e.ends.from;
      --e.ends.to;
    }
    model_.commit();
    QCOMPARE(view_->selection(), QVector<Item>{named("conv2/Relu")});
    QCOMPARE(spy.count(), 1);
    QVERIFY(view_->isExpanded(named("conv2").index));
    // The item in the middle of the screen is still there.
    QVERIFY((view_->itemRect(named("conv2/Relu")).center() - QRectF(view_->rect()).center()).manhattanLength() < 4);
    QVERIFY(before != QPointF());
  }

  void coloursHaveALegend() {
    QVERIFY(view_->legend().size() >= 4);
    for (auto& node : model_.nodes) node.device = node.name.startsWith(u'f') ? QStringLiteral("/gpu:0") : QStringLiteral("/cpu:0");
    view_->setColorMode(ColorMode::Device);
    QCOMPARE(view_->legend().size(), 2);
    QCOMPARE(view_->legend().first().label, QStringLiteral("cpu:0"));
    QVERIFY(view_->legend()[0].color != view_->legend()[1].color);
    for (auto& node : model_.nodes) node.device = QStringLiteral("/job:worker/replica:0/task:1/device:GPU:0");
    view_->setColorMode(ColorMode::Category);
    view_->setColorMode(ColorMode::Device);
    QCOMPARE(view_->legend().size(), 1);
    QCOMPARE(view_->legend().first().label, QStringLiteral("worker 1 GPU:0"));
  }

  void severalTasksAreColouredInsteadOfDevices() {
    for (auto& node : model_.nodes) {
      node.device = node.name.startsWith(u'f') ? QStringLiteral("/job:ps/task:0") : QString();
      if (node.name.startsWith(u'c')) node.placed = QStringLiteral("/job:worker/replica:0/task:1/device:CPU:0");
    }
    view_->setColorMode(ColorMode::Category);
    view_->setColorMode(ColorMode::Device);
    QHash<QString, QColor> colors;
    for (const LegendEntry& entry : view_->legend()) colors.insert(entry.label, entry.color);
    // Hues in the order of the tasks' names, as in the timeline.
    QCOMPARE(colors.value(QStringLiteral("ps:0")), Theme::current().categorical(0));
    QCOMPARE(colors.value(QStringLiteral("worker:1")), Theme::current().categorical(1));
    QVERIFY(colors.contains(QStringLiteral("unplaced")));
    QCOMPARE(colors.size(), 3);
  }

  void pictureFollowsTheTheme() {
    const auto shot = [this] {
      for (int i = 0; i < 30; ++i) QCoreApplication::processEvents();
      return view_->grab().toImage();
    };
    const QImage light = shot();
    QCOMPARE(light.pixelColor(3, 3), Theme::get(Theme::Kind::Light).color(Role::Surface0));
    Theme::apply(*qApp, Theme::Kind::Dark);
    const QImage dark = shot();
    QCOMPARE(dark.pixelColor(3, 3), Theme::get(Theme::Kind::Dark).color(Role::Surface0));
    Theme::apply(*qApp, Theme::Kind::Light);
  }

  void modelMayGo() {
    auto model = std::make_unique<MemoryGraphModel>();
    fillLenet(*model);
    view_->setModel(model.get());
    QVERIFY(view_->visibleItemCount() > 0);
    model.reset();
    QCOMPARE(view_->visibleItemCount(), 0);
    view_->repaint();
    view_->setModel(nullptr);
    QTest::keyClick(view_.get(), Qt::Key_A);
    QTest::keyClick(view_.get(), Qt::Key_BracketRight);
  }

  void fifteenThousandNodes() {
    MemoryGraphModel made;
    fillMadeNetwork(made, 15000);
    QVERIFY(made.nodeCount() > 12000);
    CanvasBenchOptions options;
    options.panSteps = 30;
    options.zoomSteps = 30;
    options.expandSteps = 10;
    options.editSteps = 2;
    int edits = 0;
    options.edit = [&](int i) {
      made.addNode(QStringLiteral("edit_%1").arg(i), QStringLiteral("Relu"), -1, OpCategory::Nn);
      made.commit();
      ++edits;
    };
    const CanvasBench bench = runCanvasBench(made, options);
    qInfo("first picture %.1f ms (layout %.1f), frames: median %.2f, p99 %.2f, max %.2f ms", bench.firstPictureMs, bench.layoutMs, bench.all.medianMs,
          bench.all.p99Ms, bench.all.maxMs);
    QCOMPARE(edits, 2);
    QCOMPARE(bench.pan.count, 30);
    QCOMPARE(bench.zoom.count, 30);
    QVERIFY(bench.visibleItems > 100);
    // The goal is 300 ms and 16 ms on a quiet machine; a test may run beside others.
    QVERIFY(bench.firstPictureMs < 3000);
    QVERIFY(bench.all.medianMs < 200);
  }
};

QTEST_MAIN(TestGraphView)
#include "tst_graph_view.moc"
