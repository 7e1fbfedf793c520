// A drawing persists: another view of a model that has it shows the same, to the pixel, and later additions move nothing.
#include <QApplication>
#include <QLineEdit>
#include <QTest>

#include "common/theme.h"
#include "graph_view/drawn_model.h"
#include "graph_view/graph_view.h"

using namespace weft::widgets;

class TestDrawing : public QObject {
  Q_OBJECT

  static int scopeNamed(const MemoryGraphModel& model, const char* name) {
    for (int s = 0; s < model.scopeCount(); ++s)
      if (model.scopeName(s) == QLatin1String(name)) return s;
    return -1;
  }
  static void show(GraphView& view, GraphModel& model) {
    view.setMotion(false);
    view.setMinimapVisible(false);
    view.resize(1500, 700);
    view.setModel(&model);
    view.show();
    view.waitForLayout();
  }
  /// Everything at 100 %, whole.
  static QImage picture(GraphView& view) {
    view.clearSelection();
    view.setZoom(1);
    view.panBy(view.toScreen({-60, -80}));
    QImage before, now;
    for (int i = 0; i < 60; ++i) {
      QTest::qWait(10);
      now = view.grab().toImage();
      if (now == before) break;
      before = now;
    }
    return now;
  }
  static QPointF place(const GraphView& view, Item item) { return view.toWorld(view.itemRect(item).topLeft()); }

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }

  void anotherViewShowsTheSame_data() {
    QTest::addColumn<QStringList>("open");
    QTest::newRow("closed") << QStringList{};
    QTest::newRow("one scope open") << QStringList{QStringLiteral("conv2")};
    QTest::newRow("several") << QStringList{QStringLiteral("conv1"), QStringLiteral("fc1")};
  }
  void anotherViewShowsTheSame() {
    QFETCH(QStringList, open);
    DrawnGraph model;
    model.editable = true;
    fillLenet(model);
    model.scopes[static_cast<size_t>(scopeNamed(model, "conv1"))].position = QPointF(180, 160);
    GraphView first;
    show(first, model);
    first.setExpandedScopes(open);
    model.commit();  // as an edit does
    // Items drawn before an edit are drawn the same after it.
    const QImage seen = picture(first);
    model.drawn = first.drawing();
    QVERIFY(model.drawn != nullptr);
    model.commit();
    QCOMPARE(picture(first), seen);
    GraphView second;
    show(second, model);
    QStringList opened = second.expandedScopes(), wanted = open;
    opened.sort();
    wanted.sort();
    QCOMPARE(opened, wanted);
    QCOMPARE(picture(second), seen);
    // And again from the second one's drawing.
    const auto again = second.drawing();
    QCOMPARE(again->places.size(), model.drawn->places.size());
    QCOMPARE(again->wires.size(), model.drawn->wires.size());
  }

  void whatIsAddedMovesNothing() {
    DrawnGraph model;
    model.editable = true;
    fillLenet(model);
    GraphView view;
    show(view, model);
    model.drawn = view.drawing();
    QVector<QPointF> before;
    for (int s = 0; s < model.scopeCount(); ++s) before << place(view, Item::scope(s));
    const int extra = model.addNode(QStringLiteral("extra"), QStringLiteral("Relu"), -1, OpCategory::Nn);
    int source = -1;
    for (int n = 0; n < model.nodeCount() && source < 0; ++n)
      if (model.nodeScope(n) == scopeNamed(model, "conv1")) source = n;
    model.connectNodes(source, extra);
    model.commit();
    for (int s = 0; s < model.scopeCount(); ++s)
      if (model.scopeParent(s) < 0) QCOMPARE(place(view, Item::scope(s)), before[s]);
    QVERIFY(!view.itemRect(Item::node(extra)).isEmpty());
  }

  // Of two states of a graph each has its own drawing: going from one to the other and back shows each as it was.
  void backToAnEarlierDrawing() {
    DrawnGraph model;
    model.editable = true;
    for (const char* name : {"a", "b", "c"}) model.addNode(QLatin1String(name), QStringLiteral("Relu"), -1, OpCategory::Nn);
    model.connectNodes(0, 1);
    model.connectNodes(1, 2);
    GraphView view;
    show(view, model);
    const QImage first = picture(view);
    const auto firstDrawing = view.drawing();
    model.drawn = firstDrawing;
    model.nodes[1].position = QPointF(140, 300);
    model.commit();
    const QImage second = picture(view);
    const auto secondDrawing = view.drawing();
    QVERIFY(first != second);
    model.nodes[1].position.reset();
    model.drawn = firstDrawing;
    model.commit();
    QCOMPARE(picture(view), first);
    model.nodes[1].position = QPointF(140, 300);
    model.drawn = secondDrawing;
    model.commit();
    QCOMPARE(picture(view), second);
  }

  void largeGraphsKeepTheirDrawing() {
    DrawnGraph model;
    model.editable = true;
    fillFlat(model, 3000);
    GraphView view;
    show(view, model);
    model.drawn = view.drawing();
    QVERIFY(model.drawn != nullptr);
    QVector<QPointF> before;
    for (int n = 0; n < model.nodeCount(); n += 97) before << place(view, Item::node(n));
    model.addNode(QStringLiteral("extra"), QStringLiteral("Relu"), -1, OpCategory::Nn);
    model.commit();
    QVERIFY(view.isLayoutPending());
    QVERIFY2(view.drawing() == nullptr, "not that of the graph before");
    view.waitForLayout();
    for (int n = 0, k = 0; n < 3000; n += 97, ++k) QCOMPARE(place(view, Item::node(n)), before[k]);
  }

  void theFieldKeepsEnterAndEscapeToItself() {
    DrawnGraph model;
    model.editable = true;
    fillLenet(model);
    GraphView view;
    show(view, model);
    const int scope = scopeNamed(model, "conv1");
    view.select({Item::scope(scope)});
    for (const Qt::Key end : {Qt::Key_Return, Qt::Key_Escape}) {
      QTest::keyClick(&view, Qt::Key_R);
      auto* field = view.findChild<QLineEdit*>(QStringLiteral("rename"));
      QVERIFY(field != nullptr);
      QTest::keyClicks(field, QStringLiteral("af"));
      QTest::keyClick(field, end);
      QTRY_VERIFY(view.findChild<QLineEdit*>(QStringLiteral("rename")) == nullptr);
      QVERIFY2(!view.isExpanded(scope), "neither opened nor renamed to what the canvas takes for keys");
      QCOMPARE(view.selection(), QVector<Item>{Item::scope(scope)});
      QVERIFY(view.hasFocus());
    }
  }

  void aFrameGrowsWithTheScopeInIt() {
    DrawnGraph model;
    model.editable = true;
    fillLenet(model);
    GraphView view;
    show(view, model);
    const int scope = scopeNamed(model, "conv2");
    const QPointF at = view.placeOf(Item::scope(scope)).position;
    const QSizeF size = view.itemRect(Item::scope(scope)).size() / view.zoom();
    Annotation frame;
    frame.kind = Annotation::Kind::Frame;
    frame.id = QStringLiteral("f");
    frame.text = QStringLiteral("frame");
    frame.rect = QRectF(at, size).adjusted(-14, -30, 14, 14);
    model.annotations.push_back(frame);
    model.drawn = view.drawing();
    model.commit();
    view.setExpanded(scope, true);
    view.setZoom(1);
    view.centerOn(Item::scope(scope));
    // Its title is above the opened scope, and dragging it moves the scope along.
    const QRectF opened = view.itemRect(Item::scope(scope));
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(int(opened.left()) + 40, int(opened.top()) - 20));
    QCOMPARE(view.selectedAnnotation(), QStringLiteral("f"));
    QVERIFY(view.selection().contains(Item::scope(scope)));
  }

  void theMinimapLetsANodeBeneathItBeClicked() {
    DrawnGraph model;
    model.editable = true;
    for (int i = 0; i < 40; ++i) model.addNode(QStringLiteral("n%1").arg(i), QStringLiteral("Relu"), -1, OpCategory::Nn);
    GraphView view;
    show(view, model);
    view.setMinimapVisible(true);
    view.setZoom(1);
    // A node into the lower right corner, where the minimap is.
    const QRectF rect = view.itemRect(Item::node(7));
    const QPointF corner(view.width() - 90, view.height() - 55);
    view.panBy(rect.center() - corner);
    view.clearSelection();
    QTest::mouseClick(&view, Qt::LeftButton, {}, corner.toPoint());
    QCOMPARE(view.selection(), QVector<Item>{Item::node(7)});
  }
};

QTEST_MAIN(TestDrawing)
#include "tst_drawing.moc"
