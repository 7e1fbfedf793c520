// Editing on the canvas with mouse and keys: the emitted requests, and that untouched items do not move.
#include <QApplication>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include "common/theme.h"
#include "graph_view/graph_view.h"
#include "graph_view/memory_graph_model.h"

using namespace weft::widgets;

class TestCompose : public QObject {
  Q_OBJECT

  // x, y → Add; Add → Relu; Words (a string) is unconnected; Free has no wires.
  struct Model : MemoryGraphModel {
    int x, y, add, relu, words, free;
    Model() {
      editable = true;
      x = addNode(QStringLiteral("x"), QStringLiteral("Placeholder"), -1, OpCategory::IoSummary, {}, NodeShape::Placeholder);
      y = addNode(QStringLiteral("y"), QStringLiteral("Placeholder"), -1, OpCategory::IoSummary, {}, NodeShape::Placeholder);
      add = addNode(QStringLiteral("add"), QStringLiteral("Add"), -1, OpCategory::Math);
      relu = addNode(QStringLiteral("relu"), QStringLiteral("Relu"), -1, OpCategory::Nn);
      words = addNode(QStringLiteral("words"), QStringLiteral("StringJoin"), -1, OpCategory::IoSummary);
      free = addNode(QStringLiteral("free"), QStringLiteral("Relu"), -1, OpCategory::Nn);
      const std::pair<int, int> ports[] = {{0, 1}, {0, 1}, {2, 1}, {1, 1}, {1, 1}, {1, 1}};
      for (size_t i = 0; i < nodes.size(); ++i) {
        nodes[i].inputs = static_cast<qint16>(ports[i].first);
        nodes[i].outputs = static_cast<qint16>(ports[i].second);
      }
      wire(x, add, 0);
      wire(add, relu, 0);
      nodes[static_cast<size_t>(x)].position = QPointF(0, 0);
      nodes[static_cast<size_t>(y)].position = QPointF(0, 120);
      nodes[static_cast<size_t>(add)].position = QPointF(220, 40);
      nodes[static_cast<size_t>(relu)].position = QPointF(420, 40);
      nodes[static_cast<size_t>(words)].position = QPointF(220, 200);
      nodes[static_cast<size_t>(free)].position = QPointF(420, 200);
      connectRule = [this](Port from, Port to, QString* why) {
        const bool text = from.node == words || to.node == words;
        if (text && why != nullptr) *why = QStringLiteral("string is needed, float32 comes");
        return !text;
      };
      portLookUp = [](Port port) {
        return PortInfo{port.output ? QStringLiteral("out") : QStringLiteral("in%1").arg(port.index), QStringLiteral("float32"), QStringLiteral("2×3"), {}};
      };
    }
    void wire(int from, int to, int input) {
      const int e = connectNodes(from, to, QStringLiteral("2×3"));
      edges[static_cast<size_t>(e)].ends.toInput = static_cast<qint16>(input);
    }
  };

  std::unique_ptr<Model> model_;
  std::unique_ptr<GraphView> view_;

  QPoint port(int node, bool output, int index = 0) const {
    for (const auto& p : view_->portsOf(Item::node(node)))
      if (p.port.output == output && p.port.index == index) return p.at.toPoint();
    return {};
  }
  QPoint middle(int node) const { return view_->itemRect(Item::node(node)).center().toPoint(); }
  void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mousePress(view_.get(), button, modifiers, from);
    for (const double t : {0.1, 0.4, 0.8, 1.0}) {
      const QPoint at = from + (QPointF(to - from) * t).toPoint();
      QMouseEvent move(QEvent::MouseMove, at, view_->mapToGlobal(QPointF(at)), Qt::NoButton, button, modifiers);
      QApplication::sendEvent(view_.get(), &move);
    }
    view_->grab();
    QTest::mouseRelease(view_.get(), button, modifiers, to);
  }

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }
  void init() {
    model_ = std::make_unique<Model>();
    view_ = std::make_unique<GraphView>();
    view_->resize(1000, 600);
    view_->setModel(model_.get());
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    view_->setZoom(1);
    view_->fitAll();
  }
  void cleanup() {
    view_.reset();
    model_.reset();
  }

  void portsOfConnectedAndOpenInputs() {
    const auto ports = view_->portsOf(Item::node(model_->add));
    QCOMPARE(ports.size(), 3);
    QVERIFY(!ports[0].port.output && !ports[1].port.output && ports[2].port.output);
    QCOMPARE(std::count_if(ports.begin(), ports.end(), [](const auto& p) { return p.connected; }), 2);
    QVERIFY(std::abs(ports[0].at.y() - ports[1].at.y()) > 5);
  }

  void dragFromPortConnects() {
    QSignalSpy spy(view_.get(), &GraphView::connectRequested);
    drag(port(model_->y, true), port(model_->add, false, 1));
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].value<Port>(), (Port{model_->y, 0, true}));
    QCOMPARE(spy[0][1].value<Port>(), (Port{model_->add, 1, false}));
    QCOMPARE(spy[0][2].toInt(), -1);
  }

  void dropNearAPortSnaps() {
    QSignalSpy spy(view_.get(), &GraphView::connectRequested);
    drag(port(model_->y, true), port(model_->add, false, 1) + QPoint(-16, 6));
    QCOMPARE(spy.count(), 1);
    // From an input, backwards.
    drag(port(model_->free, false), port(model_->relu, true) + QPoint(10, 4));
    QCOMPARE(spy.count(), 2);
    QCOMPARE(spy[1][0].value<Port>(), (Port{model_->relu, 0, true}));
    QCOMPARE(spy[1][1].value<Port>(), (Port{model_->free, 0, false}));
  }

  void refusesWhatDoesNotFitAndSaysWhy() {
    QSignalSpy connected(view_.get(), &GraphView::connectRequested), dropped(view_.get(), &GraphView::wireDropped);
    const QPoint target = port(model_->words, false);
    QTest::mousePress(view_.get(), Qt::LeftButton, {}, port(model_->y, true));
    QTest::mouseMove(view_.get(), target - QPoint(40, 0));
    QTest::mouseMove(view_.get(), target);
    QTRY_COMPARE(QToolTip::text(), QStringLiteral("string is needed, float32 comes"));
    QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, target);
    QCOMPARE(connected.count(), 0);
    QCOMPARE(dropped.count(), 0);
  }

  void refusesLoops() {
    QSignalSpy spy(view_.get(), &GraphView::connectRequested);
    drag(port(model_->relu, true), port(model_->add, false, 1));
    QCOMPARE(spy.count(), 0);
    drag(port(model_->relu, true), port(model_->relu, false));
    QCOMPARE(spy.count(), 0);
  }

  void dropOnEmptyAsksForTheMenu() {
    QSignalSpy spy(view_.get(), &GraphView::wireDropped);
    drag(port(model_->relu, true), port(model_->relu, true) + QPoint(90, 60));
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].value<Port>(), (Port{model_->relu, 0, true}));
  }

  void pullingOffAnInputDisconnectsOrReconnects() {
    QSignalSpy cut(view_.get(), &GraphView::cutRequested), connected(view_.get(), &GraphView::connectRequested);
    drag(port(model_->relu, false), port(model_->relu, false) + QPoint(-20, 110));
    QCOMPARE(cut.count(), 1);
    QCOMPARE(cut[0][0].value<QVector<int>>(), QVector<int>{1});
    drag(port(model_->relu, false), port(model_->free, false));
    QCOMPARE(connected.count(), 1);
    QCOMPARE(connected[0][0].value<Port>(), (Port{model_->add, 0, true}));
    QCOMPARE(connected[0][2].toInt(), 1);
    // Put back where it was: nothing.
    const QPoint in = port(model_->relu, false);
    drag(in, in + QPoint(2, 6));
    QCOMPARE(connected.count(), 1);
  }

  void ctrlRightDragCuts() {
    QSignalSpy cut(view_.get(), &GraphView::cutRequested), menu(view_.get(), &GraphView::contextMenuRequested);
    const QPoint a = (port(model_->add, true) + port(model_->relu, false)) / 2;
    drag(a - QPoint(0, 60), a + QPoint(4, 60), Qt::RightButton, Qt::ControlModifier);
    QCOMPARE(cut.count(), 1);
    QCOMPARE(cut[0][0].value<QVector<int>>(), QVector<int>{1});
    drag(QPoint(5, 5), QPoint(30, 8), Qt::RightButton, Qt::ControlModifier);
    QCOMPARE(cut.count(), 1);
    QCOMPARE(menu.count(), 0);
  }

  void shiftRightDragReroutes() {
    QSignalSpy spy(view_.get(), &GraphView::rerouteRequested);
    const QPoint a = (port(model_->add, true) + port(model_->relu, false)) / 2;
    drag(a - QPoint(0, 60), a + QPoint(0, 60), Qt::RightButton, Qt::ShiftModifier);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].toInt(), 1);
  }

  void altRightDragConnectsWhatFits() {
    QSignalSpy spy(view_.get(), &GraphView::connectRequested);
    drag(middle(model_->y), middle(model_->add), Qt::RightButton, Qt::AltModifier);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][1].value<Port>(), (Port{model_->add, 1, false}));
    drag(middle(model_->y), middle(model_->words), Qt::RightButton, Qt::AltModifier);
    QCOMPARE(spy.count(), 1);
  }

  void dragMovesAndNothingElseDoes() {
    QSignalSpy spy(view_.get(), &GraphView::moveRequested);
    const QRectF before = view_->itemRect(Item::node(model_->free)), relu = view_->itemRect(Item::node(model_->relu));
    drag(middle(model_->free), middle(model_->free) + QPoint(40, 30));
    QCOMPARE(spy.count(), 1);
    const auto moved = spy[0][0].value<QVector<Placement>>();
    QCOMPARE(moved.size(), 1);
    model_->nodes[static_cast<size_t>(model_->free)].position = moved[0].position;
    model_->commit();
    QCOMPARE(view_->itemRect(Item::node(model_->relu)), relu);
    QVERIFY((view_->itemRect(Item::node(model_->free)).topLeft() - before.topLeft() - QPointF(40, 30)).manhattanLength() < 3);
  }

  void wiresAreFollowedByNewNodesNotByOld() {
    // Without any place by hand: the layout decides at first, then an edit moves nothing.
    for (auto& node : model_->nodes) node.position.reset();
    view_ = std::make_unique<GraphView>();
    view_->resize(1000, 600);
    view_->setModel(model_.get());
    view_->show();
    view_->fitAll();
    QVector<QPointF> before;
    for (int i = 0; i < model_->nodeCount(); ++i) before << view_->toWorld(view_->itemRect(Item::node(i)).topLeft());
    const int extra = model_->addNode(QStringLiteral("extra"), QStringLiteral("Relu"), -1, OpCategory::Nn);
    model_->wire(model_->relu, extra, 0);
    model_->wire(model_->y, model_->add, 1);
    model_->commit();
    for (int i = 0; i < before.size(); ++i)
      QVERIFY2((view_->toWorld(view_->itemRect(Item::node(i)).topLeft()) - before[i]).manhattanLength() < 0.5, qPrintable(model_->nodeName(i)));
    for (int i = 0; i < before.size(); ++i) QVERIFY(!view_->itemRect(Item::node(extra)).intersects(view_->itemRect(Item::node(i))));
    // Tidy lays out anew: new nodes are to the right of their sources.
    view_->tidy();
    QVERIFY(view_->itemRect(Item::node(extra)).left() > view_->itemRect(Item::node(model_->relu)).right());
  }

  void dropOfALooseNodeOnAWireInserts() {
    QSignalSpy spy(view_.get(), &GraphView::insertRequested);
    const QPoint a = (port(model_->add, true) + port(model_->relu, false)) / 2;
    drag(middle(model_->free), a);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].value<Item>(), Item::node(model_->free));
    QCOMPARE(spy[0][1].toInt(), 1);
  }

  void paletteDropSaysWhereAndOnWhat() {
    QSignalSpy spy(view_.get(), &GraphView::typeDropped);
    QMimeData mime;
    mime.setData(QLatin1String(kPaletteMime), "MatMul");
    const QPoint a = (port(model_->add, true) + port(model_->relu, false)) / 2;
    QDragEnterEvent enter(a, Qt::CopyAction, &mime, Qt::LeftButton, {});
    QApplication::sendEvent(view_.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(a, Qt::CopyAction, &mime, Qt::LeftButton, {});
    QApplication::sendEvent(view_.get(), &drop);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].toString(), QStringLiteral("MatMul"));
    QCOMPARE(spy[0][2].toInt(), 1);
  }

  void renameInPlace() {
    QSignalSpy spy(view_.get(), &GraphView::renameRequested);
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, middle(model_->relu));
    QTest::keyClick(view_.get(), Qt::Key_R);
    auto* editor = view_->findChild<QLineEdit*>(QStringLiteral("rename"));
    QVERIFY(editor != nullptr);
    QCOMPARE(editor->text(), QStringLiteral("relu"));
    QTest::keyClicks(editor, QStringLiteral("rectify"));
    QTest::keyClick(editor, Qt::Key_Return);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][1].toString(), QStringLiteral("rectify"));
  }

  void tabAfterAClickAdds() {
    QSignalSpy spy(view_.get(), &GraphView::addRequested);
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, QPoint(6, 6));
    QTest::keyClick(view_.get(), Qt::Key_Tab);
    QCOMPARE(spy.count(), 1);
  }

  void alignAndSpread() {
    QSignalSpy spy(view_.get(), &GraphView::moveRequested);
    view_->select({Item::node(model_->x), Item::node(model_->y), Item::node(model_->add)});
    view_->align(Alignment::Left);
    for (const Placement& p : spy[0][0].value<QVector<Placement>>()) QCOMPARE(p.position.x(), 0.0);
    view_->align(Alignment::SpreadDown);
    QCOMPARE(spy.count(), 2);
    view_->select({Item::node(model_->x)});
    view_->align(Alignment::Left);
    QCOMPARE(spy.count(), 2);
  }

  void bookmarks() {
    QSignalSpy asked(view_.get(), &GraphView::bookmarkRequested);
    view_->setBookmark(1);
    QCOMPARE(asked.count(), 1);
    const auto bookmark = asked[0][1].value<CanvasBookmark>();
    QVERIFY(!bookmark.anchor.isEmpty());
    const QPointF at = view_->toWorld(QPointF(500, 300));
    view_->panBy({400, 200});
    QTest::keyClick(view_.get(), Qt::Key_1);
    QVERIFY((view_->toWorld(QPointF(500, 300)) - at).manhattanLength() < 2);
    QVERIFY(!view_->goToBookmark(7));
    // A document's bookmark leads there, too, as long as its anchor exists.
    view_->panBy({300, 0});
    view_->setBookmarks({{4, bookmark}, {5, {QStringLiteral("nobody"), {}, {100, 100}}}});
    QVERIFY(view_->goToBookmark(4));
    QVERIFY((view_->toWorld(QPointF(500, 300)) - at).manhattanLength() < 2);
    QVERIFY(!view_->goToBookmark(5));
    QVERIFY(!view_->goToBookmark(1));
  }

  void annotationsAreDrawnMovedEditedAndRemoved() {
    Annotation frame, note, bend;
    frame.kind = Annotation::Kind::Frame;
    frame.id = QStringLiteral("f");
    frame.text = QStringLiteral("Inputs");
    frame.rect = QRectF(-14, -30, 150, 210);
    frame.color = 2;
    note.id = QStringLiteral("n");
    note.text = QStringLiteral("A comment of several words");
    note.rect = QRectF(0, 320, 0, 0);
    bend.kind = Annotation::Kind::Reroute;
    bend.id = QStringLiteral("r");
    bend.edge = 1;
    bend.rect = QRectF(390, 140, 0, 0);
    model_->annotations = {frame, note, bend};
    model_->commit();
    view_->fitAll();
    // The wire passes the point.
    const QPoint point = view_->placeToScreen({-1, bend.rect.topLeft()}).toPoint();
    QCOMPARE(view_->edgeAt(point), 1);
    // A frame moves its contents along.
    QSignalSpy moved(view_.get(), &GraphView::frameMoveRequested), annotationMoved(view_.get(), &GraphView::annotationMoved);
    QSignalSpy alone(view_.get(), &GraphView::moveRequested);
    const QPoint title = view_->itemRect(Item::node(model_->x)).topLeft().toPoint() + QPoint(10, -static_cast<int>(18 * view_->zoom()));
    drag(title, title + QPoint(0, 40));
    QCOMPARE(moved.count(), 1);
    QCOMPARE(moved[0][0].toString(), QStringLiteral("f"));
    QCOMPARE(moved[0][2].value<QVector<Placement>>().size(), 2);
    QCOMPARE(annotationMoved.count() + alone.count(), 0);
    // A frame is resized by its corner, a comment only by its sides; neither gets too small to be dragged again.
    QSignalSpy resized(view_.get(), &GraphView::annotationResized);
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, title);
    QCOMPARE(view_->selectedAnnotation(), QStringLiteral("f"));
    const QPoint corner = view_->placeToScreen({-1, frame.rect.bottomRight()}).toPoint();
    drag(corner, corner + QPoint(50, 30));
    QCOMPARE(resized.count(), 1);
    QCOMPARE(resized[0][0].toString(), QStringLiteral("f"));
    const QRectF larger = resized[0][1].toRectF();
    QVERIFY(larger.topLeft() == frame.rect.topLeft() && larger.width() > 190 && larger.height() > 230);
    drag(corner, title);
    QVERIFY(resized[1][1].toRectF().width() >= 60 && resized[1][1].toRectF().height() >= 40);
    // A comment and a point move alone.
    const QPoint comment = view_->placeToScreen({-1, note.rect.topLeft()}).toPoint() + QPoint(12, 8);
    drag(comment, comment + QPoint(30, 0));
    QCOMPARE(annotationMoved.count(), 1);
    QCOMPARE(annotationMoved[0][0].toString(), QStringLiteral("n"));
    QVERIFY(annotationMoved[0][1].value<CanvasPlace>().position.x() > 20);
    drag(point, point + QPoint(0, 20));
    QCOMPARE(annotationMoved.count(), 2);
    QCOMPARE(view_->selectedAnnotation(), QStringLiteral("r"));
    QSignalSpy edited(view_.get(), &GraphView::annotationEdited), removed(view_.get(), &GraphView::annotationRemoved);
    QTest::keyClick(view_.get(), Qt::Key_Delete);
    QCOMPARE(removed.count(), 1);
    QTest::mouseClick(view_.get(), Qt::LeftButton, {}, comment);
    QTest::mouseDClick(view_.get(), Qt::LeftButton, {}, comment);
    auto* editor = view_->findChild<QLineEdit*>(QStringLiteral("annotation"));
    QVERIFY(editor != nullptr);
    QTest::keyClicks(editor, QStringLiteral("Short"));
    QTest::keyClick(editor, Qt::Key_Return);
    QCOMPARE(edited.count(), 1);
    QCOMPARE(edited[0][1].toString(), QStringLiteral("Short"));
  }

  // Before anything is edited, opening a scope lays out as ever; afterwards the edited container stays put.
  void onlyEditedContainersAreKept() {
    MemoryGraphModel model;
    model.editable = true;
    fillLenet(model);
    GraphView edited, fresh;
    for (GraphView* view : {&edited, &fresh}) {
      view->resize(1200, 700);
      view->setModel(&model);
    }
    int scope = -1;
    for (int s = 0; s < model.scopeCount(); ++s)
      if (model.scopeName(s) == QLatin1String("conv2")) scope = s;
    QVERIFY(scope >= 0);
    edited.setExpanded(scope, true);
    edited.setExpanded(scope, false);
    const auto place = [&](const GraphView& view, int s) { return view.toWorld(view.itemRect(Item::scope(s)).topLeft()); };
    for (int s = 0; s < model.scopeCount(); ++s)
      if (model.scopeParent(s) < 0) QVERIFY((place(edited, s) - place(fresh, s)).manhattanLength() < 1);
  }

  void colourByTypeNamesTheTypes() {
    view_->setColorMode(ColorMode::Type);
    QStringList labels;
    for (const LegendEntry& entry : view_->legend()) labels << entry.label;
    QVERIFY(labels.contains(QStringLiteral("Relu")) && labels.contains(QStringLiteral("Placeholder")));
  }

  void escapeGivesUpAGesture() {
    QSignalSpy connected(view_.get(), &GraphView::connectRequested), moved(view_.get(), &GraphView::moveRequested);
    QTest::mousePress(view_.get(), Qt::LeftButton, {}, port(model_->y, true));
    QTest::mouseMove(view_.get(), port(model_->add, false, 1));
    QTest::keyClick(view_.get(), Qt::Key_Escape);
    QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, port(model_->add, false, 1));
    QCOMPARE(connected.count(), 0);
    QTest::mousePress(view_.get(), Qt::LeftButton, {}, middle(model_->free));
    QTest::mouseMove(view_.get(), middle(model_->free) + QPoint(50, 50));
    QTest::keyClick(view_.get(), Qt::Key_Escape);
    QTest::mouseRelease(view_.get(), Qt::LeftButton, {}, middle(model_->free) + QPoint(50, 50));
    QCOMPARE(moved.count(), 0);
  }

  void whatIsNotEditableStaysPut() {
    model_->editable = false;
    model_->commit();
    QSignalSpy connected(view_.get(), &GraphView::connectRequested), moved(view_.get(), &GraphView::moveRequested);
    drag(middle(model_->free), middle(model_->free) + QPoint(40, 30));
    drag(port(model_->y, true), port(model_->add, false, 1));
    QCOMPARE(connected.count(), 0);
    QCOMPARE(moved.count(), 0);
  }

  // Opening a scope pushes items to its right; closing it restores everything to the pixel.
  void openedScopesMakeRoomAndGiveItBack() {
    MemoryGraphModel model;
    model.editable = true;
    const int scope = model.addScope(QStringLiteral("s"));
    const int a = model.addNode(QStringLiteral("a"), QStringLiteral("Relu"), -1, OpCategory::Nn);
    const int b = model.addNode(QStringLiteral("s/b"), QStringLiteral("Relu"), scope, OpCategory::Nn);
    const int c = model.addNode(QStringLiteral("s/c"), QStringLiteral("Relu"), scope, OpCategory::Nn);
    const int d = model.addNode(QStringLiteral("d"), QStringLiteral("Relu"), -1, OpCategory::Nn);
    model.connectNodes(a, b);
    model.connectNodes(b, c);
    model.connectNodes(c, d);
    model.nodes[static_cast<size_t>(a)].position = QPointF(0, 0);
    model.scopes[static_cast<size_t>(scope)].position = QPointF(200, -10);
    model.nodes[static_cast<size_t>(d)].position = QPointF(420, 0);
    GraphView view;
    view.resize(900, 500);
    view.setModel(&model);
    const auto at = [&](Item item) { return view.toWorld(view.itemRect(item).topLeft()); };
    const QPointF before = at(Item::node(d));
    QVERIFY((before - at(Item::node(a)) - QPointF(420, 0)).manhattanLength() < 1);
    view.setExpanded(scope, true);
    QVERIFY(at(Item::node(d)).x() > before.x() + 40);
    QVERIFY(view.itemRect(Item::node(d)).left() > view.itemRect(Item::scope(scope)).right());
    view.setExpanded(scope, false);
    QVERIFY((at(Item::node(d)) - before).manhattanLength() < 1);
  }

  // Large graphs are laid out off the GUI thread; calls made meanwhile are executed when the layout arrives.
  void largeGraphsArriveLater() {
    MemoryGraphModel model;
    fillFlat(model, 5000);
    GraphView view;
    view.resize(800, 600);
    view.setModel(&model);
    QVERIFY(view.isLayoutPending());
    QVERIFY(!view.itemAt(QPointF(400, 300)));
    QCOMPARE(view.selectNames({model.nodeName(17)}), 1);
    view.waitForLayout();
    QVERIFY(!view.isLayoutPending());
    QCOMPARE(view.selection(), QVector<Item>{Item::node(17)});
    QVERIFY(view.visibleItemCount() >= 5000);  // the group around them was opened
    // A second change while the first is placed: the newest counts, the selection stays.
    model.nodes.pop_back();
    model.edges.erase(std::remove_if(model.edges.begin(), model.edges.end(), [](const auto& e) { return e.ends.to == 4999 || e.ends.from == 4999; }),
                      model.edges.end());
    model.commit();
    model.nodes[3].detail = QStringLiteral("changed");
    model.commit();
    QTRY_VERIFY(!view.isLayoutPending());
    QVERIFY(view.visibleItemCount() >= 4999);
    QCOMPARE(view.selection(), QVector<Item>{Item::node(17)});
    model.commit();  // destroyed on its way
  }
};

QTEST_MAIN(TestCompose)
#include "tst_compose.moc"
