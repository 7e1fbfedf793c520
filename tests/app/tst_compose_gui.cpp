// Composing in the whole window by mouse and keys, as a person does: wires, refusals, the menu to add, cutting, inserting, editing values, undo.
#include <QApplication>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolTip>
#include <QTreeView>
#include <QTreeWidget>

#include "adapters/graph_edit.h"
#include "common/theme.h"
#include "document/document.h"
#include "graph_view/graph_view.h"
#include "main_window/main_window.h"
#include "main_window/probes.h"
#include "palette/add_menu.h"
#include "palette/palette_view.h"
#include "property_sheet/property_editor.h"
#include "property_sheet/property_sheet.h"
#include "shell/action_registry.h"

using namespace weft::app;
using weft::widgets::GraphView;
using weft::widgets::Item;

namespace {

const char* kGraph = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 4 } dim { size: 3 } } } } }
node { name: "y" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 4 } dim { size: 3 } } } } }
node { name: "words" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } } attr { key: "shape" value { shape { } } } }
node { name: "neg" op: "Neg" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "sum" op: "Add" input: "neg" input: "y" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "pool" op: "MaxPool" input: "image" attr { key: "T" value { type: DT_FLOAT } }
       attr { key: "ksize" value { list { i: 1 i: 2 i: 2 i: 1 } } } attr { key: "strides" value { list { i: 1 i: 2 i: 2 i: 1 } } }
       attr { key: "padding" value { s: "SAME" } } attr { key: "data_format" value { s: "NHWC" } } }
node { name: "image" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 1 } dim { size: 8 } dim { size: 8 } dim { size: 1 } } } } }
)";

}  // namespace

class ComposeGuiTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<MainWindow> window_;

  Document* document() const { return window_->workspace().current(); }
  GraphView* canvas() const { return window_->canvas(); }
  Item node(const char* name) const { return Item::node(document()->nodeIndex(QLatin1String(name))); }
  QPoint port(const char* name, bool output, int index = 0) const {
    for (const GraphView::ShownPort& p : canvas()->portsOf(node(name)))
      if (p.port.output == output && p.port.index == index) return p.at.toPoint();
    return {-1000, -1000};
  }
  QString source(const char* name, int input) const { return nodePorts(*document()->contents(), QLatin1String(name)).inputs.value(input).source; }
  int steps() const { return document()->history().index(); }
  void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mousePress(canvas(), button, modifiers, from);
    for (const double t : {0.2, 0.6, 1.0}) {
      const QPoint at = from + (QPointF(to - from) * t).toPoint();
      QMouseEvent move(QEvent::MouseMove, at, canvas()->mapToGlobal(QPointF(at)), Qt::NoButton, button, modifiers);
      QApplication::sendEvent(canvas(), &move);
    }
    QTest::mouseRelease(canvas(), button, modifiers, to);
  }
  void settle() {
    QTRY_VERIFY(!document()->isEditing());
    QTRY_VERIFY(!canvas()->isLayoutPending());
  }

 private slots:
  void initTestCase() {
    weft::widgets::Theme::apply(*qApp, weft::widgets::Theme::Kind::Light);
    QVERIFY(folder_.isValid());
  }

  void init() {
    QFile file(folder_.filePath("g.pbtxt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(kGraph);
    file.close();
    window_ = std::make_unique<MainWindow>(Settings::Kind::InMemory);
    window_->resize(1500, 900);
    window_->show();
    window_->workspace().open(folder_.filePath("g.pbtxt"));
    QTRY_VERIFY(window_->canvas() != nullptr);
    QTRY_VERIFY(window_->isSettled());
    canvas()->setFocus();
    canvas()->setZoom(1);
    canvas()->fitAll();
    settle();
  }
  void cleanup() { window_.reset(); }

  void dragConnectsAndUndoTakesItBack() {
    QCOMPARE(source("sum", 1), QStringLiteral("y:0"));
    drag(port("x", true), port("sum", false, 1));
    QTRY_COMPARE(steps(), 1);
    settle();
    QCOMPARE(source("sum", 1), QStringLiteral("x:0"));
    QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(steps(), 0);
    settle();
    QCOMPARE(source("sum", 1), QStringLiteral("y:0"));
  }

  void whatDoesNotFitIsRefusedWithTheReason() {
    const QPoint target = port("neg", false);
    QTest::mousePress(canvas(), Qt::LeftButton, {}, port("words", true));
    QTest::mouseMove(canvas(), target - QPoint(30, 0));
    QTest::mouseMove(canvas(), target);
    QTRY_VERIFY2(QToolTip::text().contains(QLatin1String("string")), qPrintable(QToolTip::text()));
    QTest::mouseRelease(canvas(), Qt::LeftButton, {}, target);
    QTest::qWait(50);
    QCOMPARE(steps(), 0);
    // Types agree, shapes do not.
    const QPoint sum = port("sum", false, 1);
    QTest::mousePress(canvas(), Qt::LeftButton, {}, port("image", true));
    QTest::mouseMove(canvas(), sum - QPoint(30, 0));
    QTest::mouseMove(canvas(), sum);
    QTRY_VERIFY2(QToolTip::text().contains(QLatin1String("sum")), qPrintable(QToolTip::text()));
    QTest::mouseRelease(canvas(), Qt::LeftButton, {}, sum);
    QTest::qWait(50);
    QCOMPARE(steps(), 0);
  }

  void dropOnEmptyTypeAndEnter() {
    const QPoint from = port("sum", true);
    drag(from, from + QPoint(120, 90));
    auto* menu = window_->findChild<weft::widgets::AddMenu*>();
    QVERIFY(menu != nullptr && menu->isVisible());
    QVERIFY(menu->model()->shownCount() > 10);
    QTest::keyClicks(menu->field(), QStringLiteral("erf"));
    QCOMPARE(menu->model()->data(menu->model()->first(), Qt::DisplayRole).toString(), QStringLiteral("Erf"));
    QTest::keyClick(menu->field(), Qt::Key_Return);
    QTRY_COMPARE(steps(), 1);
    settle();
    QVERIFY(document()->hasNode(QStringLiteral("Erf")));
    QCOMPARE(source("Erf", 0), QStringLiteral("sum:0"));
    // It is placed where the wire was dropped.
    const QPointF at = canvas()->itemRect(node("Erf")).topLeft();
    QVERIFY2((at - QPointF(from + QPoint(120, 90))).manhattanLength() < 30, qPrintable(QStringLiteral("%1 %2").arg(at.x()).arg(at.y())));
  }

  void nothingMovesThatWasNotTouched() {
    const QRectF before = canvas()->itemRect(node("pool")), sum = canvas()->itemRect(node("sum"));
    const QPoint middle = canvas()->itemRect(node("words")).center().toPoint();
    drag(middle, middle + QPoint(10, 120));
    QTRY_COMPARE(steps(), 1);
    settle();
    QCOMPARE(canvas()->itemRect(node("pool")), before);
    QCOMPARE(canvas()->itemRect(node("sum")), sum);
    const CommandResult added =
        window_->actionRegistry().run(QStringLiteral("graph.add"), {QStringLiteral("Abs"), QStringLiteral("--from"), QStringLiteral("sum:0")});
    QVERIFY(added.ok);
    QTRY_COMPARE(steps(), 2);
    settle();
    QCOMPARE(canvas()->itemRect(node("sum")).size(), sum.size());
    QVERIFY((canvas()->itemRect(node("pool")).topLeft() - canvas()->itemRect(node("sum")).topLeft() - (before.topLeft() - sum.topLeft())).manhattanLength() <
            2);
  }

  void cutWithTheMouse() {
    const QPoint a = (port("neg", true) + port("sum", false)) / 2;
    drag(a - QPoint(0, 40), a + QPoint(0, 40), Qt::RightButton, Qt::ControlModifier);
    QTRY_COMPARE(steps(), 1);
    settle();
    QVERIFY(source("sum", 0).isEmpty());
    QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(steps(), 0);
    settle();
    QCOMPARE(source("sum", 0), QStringLiteral("neg:0"));
  }

  void dropOfThePaletteOnAWireInserts() {
    const QPoint a = (port("neg", true) + port("sum", false)) / 2;
    QMimeData mime;
    mime.setData(QLatin1String(weft::widgets::kPaletteMime), "Abs");
    QDragEnterEvent enter(a, Qt::CopyAction, &mime, Qt::LeftButton, {});
    QApplication::sendEvent(canvas(), &enter);
    QDropEvent drop(a, Qt::CopyAction, &mime, Qt::LeftButton, {});
    QApplication::sendEvent(canvas(), &drop);
    QTRY_COMPARE(steps(), 1);
    settle();
    QCOMPARE(source("Abs", 0), QStringLiteral("neg:0"));
    QCOMPARE(source("sum", 0), QStringLiteral("Abs:0"));
  }

  void paletteAddsBesideTheSelection() {
    window_->showView(QStringLiteral("palette"));
    auto* palette = window_->findChild<weft::widgets::PaletteView*>();
    QVERIFY(palette != nullptr);
    canvas()->select({node("sum")});
    palette->field()->setFocus();
    QTest::keyClicks(palette->field(), QStringLiteral("erf"));
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QTRY_COMPARE(steps(), 1);
    settle();
    QCOMPARE(source("Erf", 0), QStringLiteral("sum:0"));
    QVERIFY(canvas()->itemRect(node("Erf")).left() > canvas()->itemRect(node("sum")).right());
  }

  void renameDeleteDuplicateByKeys() {
    canvas()->select({node("neg")});
    QTest::keyClick(canvas(), Qt::Key_R);
    auto* editor = canvas()->findChild<QLineEdit*>(QStringLiteral("rename"));
    QVERIFY(editor != nullptr);
    QTest::keyClicks(editor, QStringLiteral("minus"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_COMPARE(steps(), 1);
    settle();
    QVERIFY(document()->hasNode(QStringLiteral("minus")));
    canvas()->select({node("minus")});
    QTest::keyClick(canvas(), Qt::Key_D);
    QTRY_COMPARE(steps(), 2);
    settle();
    canvas()->select({node("minus")});
    QTest::keyClick(canvas(), Qt::Key_Delete);
    QTRY_COMPARE(steps(), 3);
    settle();
    QVERIFY(!document()->hasNode(QStringLiteral("minus")));
  }

  void editAnAttributeInTheInspector() {
    window_->showView(QStringLiteral("inspector"));
    canvas()->select({node("pool")});
    weft::widgets::PropertySheet* sheet = nullptr;
    QTRY_VERIFY((sheet = window_->findChild<weft::widgets::PropertySheet*>(QStringLiteral("property_sheet"))) != nullptr &&
                sheet->editor(QStringLiteral("ksize")) != nullptr);
    QLineEdit* second = sheet->editor(QStringLiteral("ksize"))->findChildren<QLineEdit*>().value(1);
    QVERIFY(second != nullptr);
    second->setFocus();
    second->selectAll();
    QTest::keyClicks(second, QStringLiteral("x"));
    QVERIFY(!sheet->editor(QStringLiteral("ksize"))->problem().isEmpty());
    QTest::keyClick(second, Qt::Key_Return);
    QCOMPARE(steps(), 0);
    second->selectAll();
    QTest::keyClicks(second, QStringLiteral("4"));
    QTest::keyClick(second, Qt::Key_Return);
    QTRY_COMPARE(steps(), 1);
    settle();
  }

  void probeShowsAValueWithoutTraining() {
    const CommandResult result = window_->actionRegistry().run(QStringLiteral("graph.probe"), {QStringLiteral("sum")});
    QVERIFY2(result.ok, qPrintable(result.message));
    auto* probes = canvas()->findChild<Probes*>();
    QTRY_VERIFY(!probes->isBusy() && !probes->shown().isEmpty());
    QVERIFY2(probes->shown().first().contains(QStringLiteral("4×3 float32")), qPrintable(probes->shown().first()));
    QVERIFY(window_->actionRegistry().run(QStringLiteral("graph.probe"), {QStringLiteral("sum")}).ok);
    QTRY_VERIFY(probes->shown().isEmpty());
    QVERIFY(!window_->actionRegistry().run(QStringLiteral("graph.probe"), {QStringLiteral("nobody")}).ok);
  }

  void annotationsAreKeptInTheDocument() {
    canvas()->select({node("neg"), node("sum")});
    QVERIFY(window_->actionRegistry().run(QStringLiteral("graph.frame"), {QStringLiteral("My"), QStringLiteral("part")}).ok);
    QTRY_COMPARE(steps(), 1);
    QVERIFY(window_->actionRegistry().run(QStringLiteral("graph.comment"), {QStringLiteral("look here"), QStringLiteral("10,400")}).ok);
    QTRY_COMPARE(steps(), 2);
    settle();
    QCOMPARE(document()->model()->annotationCount(), 2);
    QVERIFY(document()->model()->annotation(0).rect.width() > 100);
    const QString path = folder_.filePath("kept.weft");
    QString error = QStringLiteral("?");
    window_->workspace().save(document(), path, [&](const QString& e) { error = e; });
    QTRY_COMPARE(error, QString());
    window_->workspace().close(document());
    window_->workspace().open(path);
    QTRY_VERIFY(document() != nullptr);
    QTRY_COMPARE(document()->model()->annotationCount(), 2);
    QCOMPARE(document()->model()->annotation(1).text, QStringLiteral("look here"));
  }

  void framesAreResizedAndGoWithWhatTheyHold() {
    canvas()->select({node("neg"), node("sum")});
    QVERIFY(window_->actionRegistry().run(QStringLiteral("graph.frame"), {QStringLiteral("Part")}).ok);
    QTRY_COMPARE(steps(), 1);
    settle();
    const auto frame = [&] { return document()->model()->annotation(0).rect; };
    const auto screen = [&](QPointF at) { return canvas()->placeToScreen({-1, at}).toPoint(); };
    QTest::mouseClick(canvas(), Qt::LeftButton, {}, screen(frame().topLeft() + QPointF(40, 10)));
    QVERIFY(!canvas()->selectedAnnotation().isEmpty());
    const QRectF before = frame();
    drag(screen(before.bottomRight()), screen(before.bottomRight()) + QPoint(40, 60));
    QTRY_COMPARE(steps(), 2);
    settle();
    QVERIFY(frame().width() > before.width() + 10 && frame().height() > before.height() + 20 && frame().topLeft() == before.topLeft());
    // Dragged by its title it moves with its nodes, and one undo reverts all of it.
    const QRectF larger = frame();
    const QPointF neg = canvas()->placeOf(node("neg")).position;
    drag(screen(larger.topLeft() + QPointF(40, 10)), screen(larger.topLeft() + QPointF(40, 10)) + QPoint(0, 50));
    QTRY_COMPARE(steps(), 3);
    settle();
    QVERIFY(frame().top() > larger.top() + 20 && canvas()->placeOf(node("neg")).position.y() > neg.y() + 20);
    QTest::keyClick(canvas(), Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(steps(), 2);
    settle();
    QCOMPARE(frame(), larger);
    QVERIFY((canvas()->placeOf(node("neg")).position - neg).manhattanLength() < 2);
  }

  /// Between closed scopes, where one wire represents two edges.
  void aWireOfSeveralEdgesBends() {
    for (const QStringList& node : {QStringList{"Abs", "to/a"}, QStringList{"Neg", "to/b"}, QStringList{"Sign", "from/a"}, QStringList{"Neg", "from/b"}}) {
      QVERIFY(window_->actionRegistry().run(QStringLiteral("graph.add"), {node[0], "--name", node[1]}).ok);
      settle();
    }
    for (const QStringList& wire :
         {QStringList{"x:0", "from/a:0"}, QStringList{"x:0", "from/b:0"}, QStringList{"from/a:0", "to/a:0"}, QStringList{"from/b:0", "to/b:0"}}) {
      QVERIFY(window_->actionRegistry().run(QStringLiteral("graph.connect"), wire).ok);
      settle();
    }
    for (const char* scope : {"from", "to"}) canvas()->setExpanded(document()->scopeIndex(QLatin1String(scope)), false);
    settle();
    canvas()->clearSelection();
    QVERIFY(window_->actionRegistry().run(QStringLiteral("graph.tidy")).ok);
    settle();
    canvas()->fitAll();
    const QRectF from = canvas()->itemRect(Item::scope(document()->scopeIndex("from"))), to = canvas()->itemRect(Item::scope(document()->scopeIndex("to")));
    QVERIFY(from.right() + 20 < to.left());
    const QPoint middle(qRound((from.right() + to.left()) / 2), qRound((from.center().y() + to.center().y()) / 2));
    const int before = steps();
    drag(middle - QPoint(0, 60), middle + QPoint(0, 60), Qt::RightButton, Qt::ShiftModifier);
    QTRY_COMPARE(steps(), before + 1);
    settle();
    // Pulled away from the straight line, the dot takes the wire along.
    const int dot = document()->model()->annotationCount() - 1;
    const QPoint now = canvas()->placeToScreen({-1, document()->model()->annotation(dot).rect.topLeft()}).toPoint();
    drag(now, now + QPoint(0, 70));
    QTRY_VERIFY(steps() > before + 1);
    settle();
    const QPoint bent = canvas()->placeToScreen({-1, document()->model()->annotation(dot).rect.topLeft()}).toPoint();
    QVERIFY((bent - now).y() > 40);
    QVERIFY2(canvas()->edgeAt(bent) >= 0, "the wire passes the dot");
  }

  void aWireIsReroutedAndABookmarkSet() {
    const QPoint a = (port("neg", true) + port("sum", false)) / 2;
    drag(a - QPoint(0, 30), a + QPoint(0, 30), Qt::RightButton, Qt::ShiftModifier);
    QTRY_COMPARE(steps(), 1);
    settle();
    QCOMPARE(document()->model()->annotationCount(), 1);
    QVERIFY(document()->model()->annotation(0).kind == weft::widgets::Annotation::Kind::Reroute && document()->model()->annotation(0).edge >= 0);
    QTest::keyClick(canvas(), Qt::Key_4, Qt::AltModifier);
    QTRY_COMPARE(steps(), 2);
    settle();
    const QPointF at = canvas()->toWorld(QPointF(0, 0));
    canvas()->panBy({300, 100});
    QTest::keyClick(canvas(), Qt::Key_4);
    QTRY_VERIFY((canvas()->toWorld(QPointF(0, 0)) - at).manhattanLength() < 4);
  }

  void dialogsSaveExportAndOpen() {
    // The text typed into the next dialog; empty: cancels it.
    const auto answer = [](const QString& name) {
      auto* timer = new QTimer(qApp);
      QObject::connect(timer, &QTimer::timeout, timer, [timer, name] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr) return;
        timer->deleteLater();
        if (name.isEmpty()) return dialog->reject();
        dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(name);
        QMetaObject::invokeMethod(dialog, "accept", Qt::QueuedConnection);
      });
      timer->start(50);
    };
    const auto run = [this](const char* id) { return window_->actionRegistry().run(QLatin1String(id), {}).ok; };
    const QString was = document()->path();
    answer({});
    QVERIFY(run("file.save-as"));
    QCOMPARE(document()->path(), was);
    answer(folder_.filePath(QStringLiteral("saved")));
    QVERIFY(run("file.save-as"));
    QTRY_COMPARE(document()->path(), folder_.filePath(QStringLiteral("saved.weft")));
    for (const char* name : {"d.svg", "d.png", "d.pdf", "d.dot", "d.py"}) {
      answer(folder_.filePath(QLatin1String(name)));
      QVERIFY2(run("graph.export"), name);
      QTRY_VERIFY2(QFileInfo(folder_.filePath(QLatin1String(name))).size() > 100, name);
    }
    window_->workspace().close(document());
    answer(folder_.filePath(QStringLiteral("saved.weft")));
    QVERIFY(run("file.open"));
    QTRY_VERIFY(document() != nullptr);
    QCOMPARE(document()->summary().nodes, 7);
  }

  void lazyConnectTakesWhatFitsFirst() {
    const QPoint from = canvas()->itemRect(node("x")).center().toPoint(), to = canvas()->itemRect(node("sum")).center().toPoint();
    drag(from, to, Qt::RightButton, Qt::AltModifier);
    QTRY_COMPARE(steps(), 1);
    settle();
    QVERIFY(source("sum", 0) == QLatin1String("x:0") || source("sum", 1) == QLatin1String("x:0"));
  }

  void coloursByMemoryAndType() {
    for (const char* mode : {"type", "memory", "compute", "device", "category"}) {
      const CommandResult result = window_->actionRegistry().run(QStringLiteral("graph.color-by"), {QLatin1String(mode)});
      QVERIFY2(result.ok, mode);
      QVERIFY(!canvas()->legend().isEmpty());
    }
    QVERIFY(!window_->actionRegistry().run(QStringLiteral("graph.color-by"), {QStringLiteral("taste")}).ok);
  }

  void findAsksForOpTypeAndShape_data() {
    QTest::addColumn<QString>("asked");
    QTest::addColumn<QStringList>("found");
    const auto row = [](const char* asked, const char* found) {
      QTest::newRow(asked) << QString::fromUtf8(asked) << QString::fromLatin1(found).split(' ', Qt::SkipEmptyParts);
    };
    row("op:Add", "sum");
    row("op:placeholder", "x y words image");
    row("dtype:string", "words");
    row("dtype:float32 op:Placeholder", "x y image");
    row("op:Add dtype:float32", "sum");  // read by nothing
    row("op:MaxPool shape:1x4x4x1", "pool");
    row("shape:4×3 n", "neg");
    row("pool", "pool");
    row("op:Conv2D", "");
    row("dtype:int32", "");
    row("shape:", "x y words neg sum pool image");  // not asked to the end yet
  }
  void findAsksForOpTypeAndShape() {
    QFETCH(QString, asked);
    QFETCH(QStringList, found);
    QTest::keyClick(canvas(), Qt::Key_F, Qt::ControlModifier);
    auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    QVERIFY(field != nullptr);
    auto* popup = window_->findChild<QWidget*>(QStringLiteral("find_popup"));
    QVERIFY(popup != nullptr && popup->isAncestorOf(field));
    QTest::keyClicks(field, asked);
    const auto* list = popup->findChild<QTreeWidget*>();
    QStringList names;
    for (int i = 0; i < list->topLevelItemCount(); ++i) names << list->topLevelItem(i)->text(0);
    names.sort();
    found.sort();
    QCOMPARE(names, found);
    if (found.size() != 1) return;
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(document()->selection(), found);
  }

  void outlineFollowsAndLeads() {
    window_->showView(QStringLiteral("outline"));
    auto* tree = window_->findChild<QTreeView*>(QStringLiteral("outline_tree"));
    QVERIFY(tree != nullptr);
    QTRY_COMPARE(tree->model()->rowCount(), 7);
    canvas()->select({node("neg")});
    QTRY_COMPARE(tree->currentIndex().data().toString(), QStringLiteral("neg"));
    tree->setFocus();
    tree->keyboardSearch(QStringLiteral("po"));
    QTRY_COMPARE(document()->selection(), QStringList{QStringLiteral("pool")});
  }
};

QTEST_MAIN(ComposeGuiTest)
#include "tst_compose_gui.moc"
