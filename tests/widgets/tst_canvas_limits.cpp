// Extreme graphs: very many nodes, very long names, very deep scopes, self-loops, no wires. The canvas shows them all in acceptable time, and every gesture
// keeps working.
#include <QApplication>
#include <QElapsedTimer>
#include <QTest>
#include <algorithm>

#include "common/theme.h"
#include "graph_view/graph_view.h"
#include "graph_view/memory_graph_model.h"

using namespace weft::widgets;

class CanvasLimitsTest : public QObject {
  Q_OBJECT

  static constexpr int kPatience = 60000;  // with sanitizers, on a machine that compiles meanwhile

  static int addNodes(MemoryGraphModel& model, int count, int scope = -1, const QString& prefix = QStringLiteral("n")) {
    const int first = model.nodeCount();
    for (int i = 0; i < count; ++i) model.addNode(prefix + QString::number(i), QStringLiteral("Relu"), scope, OpCategory::Nn);
    return first;
  }
  /// As connectNodes(), which looks for the next free input among all wires.
  static void wire(MemoryGraphModel& model, int from, int to) {
    MemoryGraphModel::Edge edge;
    edge.ends = {from, to, 0, 0, EdgeKind::Data, false};
    model.edges.push_back(edge);
  }
  /// Shows, opens, closes, zooms, hovers and selects; ends with a picture that is not empty.
  static void useIt(MemoryGraphModel& model, bool opens = true) {
    model.editable = true;
    QElapsedTimer timer;
    timer.start();
    GraphView view;
    view.setMotion(false);
    view.resize(1000, 700);
    view.setModel(&model);
    view.show();
    view.waitForLayout();
    QVERIFY(view.visibleItemCount() > 0);
    if (opens && model.scopeCount() > 0) {
      view.setExpanded(0, true);
      view.waitForLayout();
    }
    view.fitAll();
    view.grab();
    view.setZoom(1);
    view.selectAll();
    view.clearSelection();
    for (int x = 10; x < 1000; x += 90) QTest::mouseMove(&view, QPoint(x, 350));
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(500, 350));
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_BracketRight, Qt::Key_A}) QTest::keyClick(&view, key);
    if (opens) {
      view.expandAll();
      view.waitForLayout();
      view.fitAll();
      view.grab();
      view.collapseAll();
      view.waitForLayout();
    }
    QVERIFY(!view.grab().isNull());
    QVERIFY2(view.drawing() != nullptr || view.isLayoutPending(), "what is drawn is known");
    model.commit();  // as after an edit
    view.waitForLayout();
    QVERIFY(view.visibleItemCount() > 0);
    qInfo("%d nodes, %d edges: %lld ms, the last layout %.0f ms", model.nodeCount(), model.edgeCount(), static_cast<long long>(timer.elapsed()),
          view.lastLayoutMs());
    QVERIFY2(timer.elapsed() < kPatience, qPrintable(QString::number(timer.elapsed())));
  }

 private slots:
  void initTestCase() { Theme::apply(*qApp, Theme::Kind::Light); }

  void aHundredThousandNodesInOneScope() {
    MemoryGraphModel model;
    addNodes(model, 100000);
    for (int i = 1; i < 100000; ++i) wire(model, std::max(0, i - 1 - (i % 7 == 0 ? i % 50 : 0)), i);
    useIt(model, false);
  }
  void tenThousandEqualBlocks() {
    MemoryGraphModel model;
    int before = -1;
    for (int b = 0; b < 10000; ++b) {
      const QString name = QStringLiteral("block_%1").arg(b);
      const int scope = model.addScope(name);
      const int in = model.addNode(name + QStringLiteral("/conv"), QStringLiteral("Conv2D"), scope, OpCategory::Nn);
      const int out = model.addNode(name + QStringLiteral("/relu"), QStringLiteral("Relu"), scope, OpCategory::Nn);
      wire(model, in, out);
      if (before >= 0) wire(model, before, in);
      before = out;
    }
    useIt(model);
  }
  void namesOfFourThousandLetters() {
    MemoryGraphModel model;
    const QString name(4000, u'n');
    const int scope = model.addScope(QStringLiteral("s") + name);
    const int a = model.addNode(QStringLiteral("s") + name + u'/' + name, QStringLiteral("Relu"), scope, OpCategory::Nn, QString(4000, u'd'));
    const int b = model.addNode(name, QString(4000, u'O'), -1, OpCategory::Nn);
    model.connectNodes(a, b, QString(4000, u'9'));
    useIt(model);
    GraphView view;
    view.resize(800, 500);
    view.setModel(&model);
    view.expandAll();
    QVERIFY2(view.itemRect(Item::node(b)).width() / view.zoom() < 1000, "a name makes no node wider than others may be");
  }
  void twoHundredScopesInEachOther() {
    MemoryGraphModel model;
    QString name;
    int scope = -1, before = -1;
    for (int depth = 0; depth < 200; ++depth) {
      name += (depth > 0 ? QStringLiteral("/") : QString()) + QStringLiteral("s%1").arg(depth);
      scope = model.addScope(name, scope);
      const int node = model.addNode(name + QStringLiteral("/relu"), QStringLiteral("Relu"), scope, OpCategory::Nn);
      if (before >= 0) model.connectNodes(before, node);
      before = node;
    }
    useIt(model);
    // The innermost one is found and shown, and Backspace comes out again, scope by scope.
    GraphView view;
    view.setMotion(false);
    view.resize(800, 500);
    view.setModel(&model);
    view.show();
    view.select({Item::node(before)});
    view.waitForLayout();
    QVERIFY(!view.itemRect(Item::node(before)).isEmpty());
    for (int i = 0; i < 200; ++i) QTest::keyClick(&view, Qt::Key_Backspace);
    QVERIFY(!view.isExpanded(0));
  }
  void loopsOnOneNodeAndBothWays() {
    MemoryGraphModel model;
    const int scope = model.addScope(QStringLiteral("s"));
    addNodes(model, 4);
    const int inside = model.addNode(QStringLiteral("s/a"), QStringLiteral("Relu"), scope, OpCategory::Nn);
    for (int i = 0; i < 4; ++i) model.connectNodes(i, i);
    for (int i = 0; i < 4; ++i) model.connectNodes(i, (i + 1) % 4);
    model.connectNodes(inside, inside);
    model.connectNodes(inside, 0);
    model.connectNodes(0, inside);
    model.connectNodes(2, 2, {}, {}, -1, EdgeKind::Control);
    useIt(model);
  }
  void noWiresAtAll() {
    MemoryGraphModel model;
    addNodes(model, 20000);
    useIt(model);
  }
  void nothingAndOneNode() {
    MemoryGraphModel nothing;
    nothing.editable = true;
    GraphView view;
    view.resize(800, 500);
    view.setModel(&nothing);
    view.grab();
    view.fitAll();
    view.tidy();
    view.expandAll();
    QCOMPARE(view.visibleItemCount(), 0);
    MemoryGraphModel one;
    addNodes(one, 1);
    useIt(one);
  }
};

QTEST_MAIN(CanvasLimitsTest)
#include "tst_canvas_limits.moc"
