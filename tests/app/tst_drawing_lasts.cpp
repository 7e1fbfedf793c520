// A drawing is part of the document: after saving and opening, undo and redo it is unchanged, and only edited items move.
#include <QApplication>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QRegularExpression>

#include "canvas_fixture.h"
#include "common/theme.h"
#include "graph_view/drawing.h"
#include "main_window/document_page.h"

using namespace weft::app;
using weft::widgets::Annotation;
using weft::widgets::Drawing;
using weft::widgets::GraphView;
using weft::widgets::Item;

class DrawingLastsTest : public CanvasFixture {
  Q_OBJECT

  Item item(const QString& name) const {
    return document()->nodeIndex(name) >= 0 ? Item::node(document()->nodeIndex(name)) : Item::scope(document()->scopeIndex(name));
  }
  QRectF rect(const QString& name) const { return canvas()->itemRect(item(name)); }
  /// The item's place in the graph, independent of the view.
  QPointF place(const QString& name) const { return canvas()->toWorld(rect(name).topLeft()); }
  void drag(QPoint from, QPoint to) {
    QTest::mousePress(canvas(), Qt::LeftButton, {}, from);
    for (const double t : {0.2, 0.6, 1.0}) {
      const QPoint at = from + (QPointF(to - from) * t).toPoint();
      QMouseEvent move(QEvent::MouseMove, at, canvas()->mapToGlobal(QPointF(at)), Qt::NoButton, Qt::LeftButton, {});
      QApplication::sendEvent(canvas(), &move);
    }
    QTest::mouseRelease(canvas(), Qt::LeftButton, {}, to);
    settle();
  }
  /// The handle of a frame or comment at the top level.
  QPoint grip(const QString& text) const {
    for (const Annotation& a : document()->model()->annotations)
      if (a.text == text) return ((a.rect.topLeft() + QPointF(12, 10) - canvas()->toWorld(QPointF())) * canvas()->zoom()).toPoint();
    return {};
  }
  void click(QPoint at) { QTest::mouseClick(canvas(), Qt::LeftButton, {}, at); }
  void undo() { perform("edit.undo"); }
  void redo() { perform("edit.redo"); }

  /// Everything that is drawn, as text: places by name, wires by their points, frames and comments with their texts and rectangles.
  QStringList look() const {
    QStringList out;
    const auto drawing = canvas()->drawing();
    if (!drawing) return {QStringLiteral("nothing is known")};
    const auto number = [](double v) { return QString::number(qRound(v * 4) / 4.0); };
    for (const Drawing::Place& p : drawing->places)
      out << QStringLiteral("%1%2 %3,%4 %5x%6")
                 .arg(p.name, p.scope ? QStringLiteral("/") : QString(), number(p.box.x()), number(p.box.y()), number(p.box.width()), number(p.box.height()));
    for (const Drawing::Wire& w : drawing->wires) {
      QStringList points;
      for (const auto& at : w.way.points) points << number(at.x) + u',' + number(at.y);
      out << QStringLiteral("wire %1: %2").arg(QString::number(w.ends, 16), points.join(u' '));
    }
    for (const Annotation& a : document()->model()->annotations) {
      const QString kind = a.kind == Annotation::Kind::Frame     ? QStringLiteral("frame")
                           : a.kind == Annotation::Kind::Comment ? QStringLiteral("comment")
                                                                 : QStringLiteral("reroute");
      const QString scope = a.scope < 0 ? QString() : document()->model()->scopes[size_t(a.scope)].name;
      out << QStringLiteral("%1 \"%2\" in \"%3\", color %4: %5,%6 %7x%8")
                 .arg(kind, a.text, scope, QString::number(a.color), number(a.rect.x()), number(a.rect.y()), number(a.rect.width()), number(a.rect.height()));
    }
    out.sort();
    return out;
  }
  void save(const QString& name) {
    const QString path = folder_.filePath(name);
    bool done = false;
    window_->workspace().save(document(), path, [&](const QString& error) { done = error.isEmpty(); });
    QTRY_VERIFY(done);
  }
  void closeDocument() {
    const auto count = window_->workspace().documents().size();
    window_->workspace().close(document());
    QTRY_COMPARE(window_->workspace().documents().size(), count - 1);
  }
  void openAgain(const QString& name) {
    open(folder_.filePath(name));
    QTRY_VERIFY(canvas() != nullptr);
    QTRY_VERIFY(canvas()->findChild<QObject*>() != nullptr);
    settle();
    QTest::qWait(20);
  }
  /// A small network as people draw it: typed one after the other, moved by hand, with a frame and a comment.
  void drawSomething() {
    perform("graph.add-here", {"data"});
    for (const char* type : {"layers.conv2d", "layers.max_pooling2d", "layers.flatten", "layers.dense"}) perform("graph.add-here", {QLatin1String(type)});
    perform("graph.add", {"Neg", "--name", "below", "--at", "300,260"});
    perform("graph.connect", {"flatten:0", "below:0"});
  }

 private slots:
  void initTestCase() { useOwnFolder(); }
  void init() { begin("empty"); }
  void cleanup() { closeWindow(); }

  void savedAndOpenedAgainItIsTheSame() {
    drawSomething();
    canvas()->fitAll();
    drag(rect("max_pooling2d").center().toPoint(), rect("max_pooling2d").center().toPoint() + QPoint(0, 90));
    canvas()->setExpanded(document()->scopeIndex("flatten"), true);
    settle();
    canvas()->selectNames({"conv2d"});
    perform("graph.frame", {"first"});
    perform("graph.comment", {"what it is", "40,400"});
    const QStringList was = look();
    QVERIFY(was.size() > 12);
    QCOMPARE(was.filter(QRegularExpression("^frame \"first\"")).size(), 1);
    QCOMPARE(was.filter(QRegularExpression("^comment \"what it is\"")).size(), 1);
    save("drawn.weft");
    closeDocument();
    openAgain("drawn.weft");
    QVERIFY(canvas()->isExpanded(document()->scopeIndex("flatten")));
    QCOMPARE(look(), was);
    // Nothing in it moves when it is edited on.
    perform("graph.add", {"Relu", "--name", "more", "--at", "900,500"});
    QStringList now = look();
    now.removeIf([](const QString& line) { return line.startsWith(QLatin1String("more ")); });
    QCOMPARE(now, was);
  }

  void undoAndRedoBringBackWhatWasThere() {
    drawSomething();
    canvas()->fitAll();
    QVector<QStringList> looks{look()};
    const auto step = [&] { looks << look(); };
    drag(rect("dense").center().toPoint(), rect("dense").center().toPoint() + QPoint(30, 80));
    step();
    perform("graph.delete", {"flatten"});
    step();
    perform("graph.rename", {"conv2d", "first_convolution"});
    step();
    canvas()->clearSelection();
    perform("graph.tidy");
    step();
    perform("graph.add", {"Relu", "--name", "late", "--at", "10,500"});
    step();
    canvas()->selectNames({"first_convolution"});
    perform("graph.frame", {"first"});
    step();
    canvas()->clearSelection();
    perform("graph.comment", {"what it is", "40,700"});
    step();
    canvas()->fitAll();
    drag(grip("what it is"), grip("what it is") + QPoint(60, 20));
    step();
    // A frame moves its contents along.
    const QRectF member = rect("first_convolution");
    drag(grip("first"), grip("first") + QPoint(-20, -40));
    QVERIFY(rect("first_convolution") != member);
    step();
    QTest::keyClick(canvas(), Qt::Key_Delete);
    settle();
    step();
    for (qsizetype i = 1; i < looks.size(); ++i) QVERIFY2(looks[i] != looks[i - 1], qPrintable(QStringLiteral("step %1 changed nothing").arg(i)));
    for (qsizetype i = looks.size() - 2; i >= 0; --i) {
      undo();
      QVERIFY2(look() == looks[i], qPrintable(QStringLiteral("after undo to step %1:\n%2\nbefore:\n%3").arg(i).arg(look().join(u'\n'), looks[i].join(u'\n'))));
    }
    for (qsizetype i = 1; i < looks.size(); ++i) {
      redo();
      QVERIFY2(look() == looks[i], qPrintable(QStringLiteral("after redo to step %1:\n%2\nbefore:\n%3").arg(i).arg(look().join(u'\n'), looks[i].join(u'\n'))));
    }
  }

  void aFileThatWasNotEditedStaysTheSameBytes() {
    const QString path = write("untouched.pbtxt", kGraph);
    open(path);
    settle();
    canvas()->expandAll();
    settle();
    save("untouched.pbtxt");
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray(kGraph));
  }

  void draggingTheNodeInTheMiddleMovesTheNodeAndNotTheView() {
    drawSomething();
    canvas()->setZoom(1);
    canvas()->centerOn(item("max_pooling2d"));
    const QRectF before = rect("max_pooling2d"), other = rect("conv2d");
    drag(before.center().toPoint(), before.center().toPoint() + QPoint(20, 130));
    QVERIFY2(std::abs(rect("max_pooling2d").top() - before.top() - 130) < 8, "the node went where it was dragged");
    QCOMPARE(rect("conv2d"), other);
  }

  void typedChainsAreStraight() {
    for (const char* type : {"data", "layers.conv2d", "layers.max_pooling2d", "layers.flatten", "layers.dense", "Relu"})
      perform("graph.add-here", {QLatin1String(type)});
    const double line = rect("images").center().y();
    for (const char* name : {"conv2d", "max_pooling2d", "flatten", "dense", "Relu"})
      QVERIFY2(std::abs(rect(QLatin1String(name)).center().y() - line) < 1.5, name);
  }

  void sevenNodesInAChainLieInOneRowAfterTidy_data() {
    QTest::addColumn<QStringList>("types");
    QTest::newRow("operations") << QStringList{"Neg", "Relu", "Exp", "Tanh", "Abs", "Square"};
    QTest::newRow("layers") << QStringList{"layers.conv2d filters=8 kernel_size=3",
                                           "layers.max_pooling2d pool_size=2 strides=2",
                                           "layers.flatten",
                                           "layers.dense units=32",
                                           "Relu",
                                           "layers.dense units=10"};
  }
  void sevenNodesInAChainLieInOneRowAfterTidy() {
    QFETCH(QStringList, types);
    perform("graph.add", {"Placeholder", "--name", "n0", "--set", "dtype=float32", "--set", "shape=[?,28,28,1]", "--at", "0,0"});
    // Drawn all over the canvas, so that nothing but the order of the chain says where they belong.
    for (qsizetype i = 0; i < types.size(); ++i)
      perform("graph.add", types[i].split(u' ') + QStringList{"--name", QStringLiteral("n%1").arg(i + 1), "--from", QStringLiteral("n%1:0").arg(i), "--at",
                                                              QStringLiteral("%1,%2").arg(700 - 260 * (i % 3)).arg(150 * i)});
    for (int i = 1; i <= 6; ++i)
      QVERIFY2(document()->hasNode(QStringLiteral("n%1").arg(i)) || document()->hasScope(QStringLiteral("n%1").arg(i)), qPrintable(QString::number(i)));
    QVERIFY2(std::abs(place("n1").y() - place("n6").y()) > 100, "not in a row before");
    canvas()->clearSelection();
    perform("graph.tidy");
    canvas()->fitAll();
    QTRY_VERIFY(!canvas()->isLayoutPending());
    for (int i = 1; i <= types.size(); ++i) {
      const QRectF before = rect(QStringLiteral("n%1").arg(i - 1)), here = rect(QStringLiteral("n%1").arg(i));
      QVERIFY2(std::abs(here.center().y() - before.center().y()) < 1.5,
               qPrintable(QStringLiteral("n%1 is %2 off the row").arg(i).arg(here.center().y() - before.center().y())));
      QVERIFY2(here.left() > before.right(), qPrintable(QStringLiteral("n%1 is not to the right of n%2").arg(i).arg(i - 1)));
    }
  }

  void aCopyLiesBesideItsOriginalAndTheViewStays() {
    drawSomething();
    canvas()->fitAll();
    canvas()->setZoom(1);
    canvas()->centerOn(item("conv2d"));
    const QRectF original = rect("conv2d");
    click(original.center().toPoint());
    QTest::keyClick(canvas(), Qt::Key_D, Qt::ControlModifier);
    QTRY_VERIFY(document()->hasScope("conv2d_1"));
    settle();
    QCOMPARE(rect("conv2d"), original);
    const QRectF copy = rect("conv2d_1");
    QVERIFY(!copy.intersects(original));
    QVERIFY2(QLineF(copy.center(), original.center()).length() < 320, "near its original");
    click(original.center().toPoint());
    QTest::keyClick(canvas(), Qt::Key_D);
    QTRY_VERIFY(document()->hasScope("conv2d_2"));
  }

  void dataIsPutWhereItIsDropped() {
    QMimeData data;
    data.setData(QLatin1String(weft::widgets::kPaletteMime), "data");
    const QPointF at(500, 300);
    QDragEnterEvent enter(at.toPoint(), Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(canvas(), &enter);
    QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(canvas(), &drop);
    QTRY_VERIFY(document()->hasNode("images"));
    settle();
    QVERIFY((rect("images").topLeft() - at).manhattanLength() < 4);
    QVERIFY2(rect("labels").top() > rect("images").bottom() && rect("labels").left() == rect("images").left(), "one beneath the other");
  }

  void addingTrainingMovesNothingAndScattersNothing() {
    perform("graph.add-here", {"data"});
    perform("graph.add", {"layers.dense", "--name", "hidden", "units=32", "--from", "images:0", "--at", "300,-120"});
    perform("graph.add", {"layers.dense", "--name", "logits", "units=10", "--from", "hidden:0", "--at", "620,180"});
    perform("graph.add",
            {"losses.sparse_softmax_cross_entropy", "--name", "loss", "--from", "labels=labels:0", "--from", "logits=logits:0", "--at", "940,-40"});
    QVERIFY(document()->problems().isEmpty());
    const QStringList names{"images", "labels", "hidden", "logits", "loss"};
    QVector<QPointF> places;
    QRectF drawn;
    for (const QString& name : names) {
      places << place(name);
      drawn = drawn.united(canvas()->itemRect(item(name)));
    }
    perform("graph.add-training");
    QVERIFY(document()->contents()->training.present);
    for (qsizetype i = 0; i < names.size(); ++i) QCOMPARE(place(names[i]), places[i]);
    // New items are near: beside or beneath the drawing, at most two boxes away.
    const QRectF world(canvas()->toWorld(drawn.topLeft()), canvas()->toWorld(drawn.bottomRight()));
    constexpr double kNear = 480;
    const auto drawing = canvas()->drawing();
    QStringList added;
    for (const Drawing::Place& p : drawing->places) {
      if (p.name.contains(u'/') || names.contains(p.name)) continue;
      added << p.name;
      QVERIFY2(world.adjusted(-kNear, -kNear, kNear, kNear).intersects(p.box),
               qPrintable(QStringLiteral("%1 lies at %2, %3").arg(p.name).arg(p.box.x()).arg(p.box.y())));
    }
    QVERIFY2(added.size() >= 3, qPrintable(added.join(u' ')));
    // Nothing overlaps.
    for (const Drawing::Place& a : drawing->places)
      for (const Drawing::Place& b : drawing->places)
        if (&a != &b && !a.name.contains(u'/') && !b.name.contains(u'/'))
          QVERIFY2(!a.box.intersects(b.box), qPrintable(a.name + QStringLiteral(" lies on ") + b.name));
  }

  /// Items that an edit places beside an open scope stay with the others when the scope is closed, also after undo, redo and from the file.
  void whatComesBesideAnOpenScopeComesBackWhenItIsClosed() {
    perform("graph.add-here", {"data"});
    perform("graph.add", {"layers.dense", "--name", "logits", "units=10", "--from", "images:0"});
    perform("graph.add", {"losses.sparse_softmax_cross_entropy", "--name", "loss", "--from", "labels=labels:0", "--from", "logits=logits:0"});
    perform("graph.add-training");
    const QPointF init = place("init");
    perform("graph.expand", {"save"});
    QVERIFY(place("init").x() > init.x() + 200);
    perform("graph.set", {"logits", "units=11"});
    perform("graph.collapse", {"save"});
    QCOMPARE(place("init"), init);
    undo();
    redo();
    QCOMPARE(place("init"), init);
    save(QStringLiteral("closed.weft"));
    closeDocument();
    openAgain(QStringLiteral("closed.weft"));
    QCOMPARE(place("init"), init);
  }

  void whatIsInsertedComesBetween() {
    perform("graph.add-here", {"data"});
    perform("graph.add", {"Neg", "--name", "a", "--from", "images:0"});
    perform("graph.add", {"Neg", "--name", "b", "--from", "a:0"});
    const QRectF b = rect("b");
    perform("graph.insert", {"b:0", "Relu", "--name", "between"});
    QVERIFY(rect("between").left() > rect("a").right());
    QVERIFY(rect("between").right() < rect("b").left());
    QVERIFY(std::abs(rect("between").center().y() - rect("a").center().y()) < 1.5);
    undo();
    QCOMPARE(rect("b").topLeft(), b.topLeft());
  }

  /// The legend of colouring by structure names repeated structures with their count.
  void theLegendOfStructuresNamesThem() {
    window_->workspace().newFromTemplate("resnet-digits");
    QTRY_VERIFY_WITH_TIMEOUT(document()->hasScope("block1"), 30000);
    settle();
    canvas()->setColorMode(weft::widgets::ColorMode::Structure);
    QTRY_VERIFY(!canvas()->legend().isEmpty());
    QStringList labels;
    for (const auto& entry : canvas()->legend()) labels << entry.label;
    QVERIFY2(!labels.filter(QRegularExpression("^\\S+ · \\d+ alike$")).isEmpty(), qPrintable(labels.join('|')));
    QVERIFY2(labels.filter(QRegularExpression("^structure")).isEmpty(), qPrintable(labels.join('|')));
  }

  void newFramesAndCommentsAreBeingWritten() {
    drawSomething();
    canvas()->fitAll();
    click(rect("conv2d").center().toPoint());
    QTest::keyClick(window_.get(), Qt::Key_J, Qt::ControlModifier);
    QTRY_VERIFY(canvas()->findChild<QLineEdit*>("annotation"));
    auto* field = canvas()->findChild<QLineEdit*>("annotation");
    QTRY_VERIFY(field->hasFocus());
    QTest::keyClicks(field, "Dig it");
    QTest::keyClick(field, Qt::Key_Return);
    settle();
    QCOMPARE(document()->model()->annotations.back().text, QStringLiteral("Dig it"));
    QVERIFY2(!canvas()->isExpanded(document()->scopeIndex("conv2d")), "Enter ended the text and did nothing else");
    QVERIFY(canvas()->hasFocus());
    QTest::keyClick(canvas(), Qt::Key_C);
    QTRY_VERIFY(canvas()->findChild<QLineEdit*>("annotation"));
    QTest::keyClicks(canvas()->findChild<QLineEdit*>("annotation"), "note");
    QTest::keyClick(canvas()->findChild<QLineEdit*>("annotation"), Qt::Key_Return);
    settle();
    QCOMPARE(document()->model()->annotations.back().text, QStringLiteral("note"));
  }

  void aFrameGrowsWithWhatIsOpenedInIt() {
    drawSomething();
    canvas()->selectNames({"flatten"});
    perform("graph.frame", {"row"});
    const auto inside = [&] { return document()->model()->annotations.back().rect; };
    const QRectF own = inside();
    canvas()->setExpanded(document()->scopeIndex("flatten"), true);
    settle();
    const QRectF opened = rect("flatten");
    // Its title is still above the opened scope, and a click there selects the frame.
    canvas()->clearSelection();
    click(QPoint(int(opened.left()) + 30, int(opened.top()) - 18));
    QCOMPARE(canvas()->selectedAnnotation(), document()->model()->annotations.back().id);
    QVERIFY(canvas()->selection().contains(item("flatten")));
    QCOMPARE(inside(), own);
  }

  void escapeEndsRenamingAndKeepsTheSelection() {
    drawSomething();
    canvas()->fitAll();
    click(rect("below").center().toPoint());
    QTest::keyClick(canvas(), Qt::Key_R);
    auto* field = canvas()->findChild<QLineEdit*>("rename");
    QVERIFY(field != nullptr);
    QTest::keyClicks(field, "other");
    QTest::keyClick(field, Qt::Key_Escape);
    QTRY_VERIFY(canvas()->findChild<QLineEdit*>("rename") == nullptr);
    QVERIFY(canvas()->hasFocus());
    QCOMPARE(canvas()->selection(), QVector<Item>{item("below")});
    settle();
    QVERIFY(document()->hasNode("below"));
  }

  void whatIsFoundComesIntoTheMiddle() {
    window_->workspace().newFromTemplate("lenet");
    QTRY_VERIFY(document()->hasScope("flatten"));
    settle();
    canvas()->setMotion(false);
    canvas()->setZoom(1);
    QString nested;
    for (const auto& node : document()->model()->nodes)
      if (node.op == QLatin1String("Conv2D") && node.name.contains(u'/')) nested = node.name;
    QVERIFY(!nested.isEmpty());
    QTest::keyClick(window_.get(), Qt::Key_F, Qt::ControlModifier);
    auto* field = window_->findChild<QWidget*>("find_popup")->findChild<QLineEdit*>();
    QTest::keyClicks(field, nested);
    QTest::keyClick(field, Qt::Key_Return);
    settle();
    QTRY_VERIFY(!rect(nested).isEmpty());
    QVERIFY(QLineF(rect(nested).center(), QRectF(canvas()->rect()).center()).length() < 4);
  }

  void flattenedShapesAreShown() {
    window_->workspace().newFromTemplate("lenet");
    QTRY_VERIFY(document()->hasScope("flatten"));
    settle();
    const auto detail = [&] { return document()->model()->scopes[size_t(document()->scopeIndex("flatten"))].detail.join(u' '); };
    QVERIFY2(detail().contains(QStringLiteral("?×")) && !detail().contains(QStringLiteral("?×?")), qPrintable(detail()));
    save("shapes.weft");
    closeDocument();
    openAgain("shapes.weft");
    QVERIFY2(detail().contains(QStringLiteral("?×")) && !detail().contains(QStringLiteral("?×?")), qPrintable(detail()));
  }
};

QTEST_MAIN(DrawingLastsTest)
#include "tst_drawing_lasts.moc"
