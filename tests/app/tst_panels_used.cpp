// Panels in everyday use: values are edited in place, choices are kept, and nothing that exists disappears.
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>

#include "document/document.h"
#include "document/profile_store.h"
#include "document/run_archive.h"
#include "tensor_view/tensor_view.h"
#include "views/profile/profile_table.h"
#include "window_fixture.h"

using namespace weft::app;
using weft::widgets::TensorView;

class PanelsUsedTest : public WindowFixture {
  Q_OBJECT

  Workspace& workspace() { return window_->workspace(); }
  DebugController& debug() { return workspace().debugger(); }
  QWidget* tensor() { return window_->viewWidget("tensor"); }
  TensorView* values() { return tensor()->findChild<TensorView*>(); }
  QTableView* table() { return values()->findChild<QTableView*>(); }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!workspace().isBusy() && workspace().tasks().isEmpty() && window_->isSettled(), 60000); }
  void still() {
    QTRY_VERIFY_WITH_TIMEOUT(!debug().isBusy(), 30000);
    settle();
  }
  /// The loop with its variable w, stopped before the first op.
  void debugLoop() {
    open(QStringLiteral(WEFT_SOURCE_DIR "/tests/debug/loop.pb"));
    window_->useLayout("debug");
    settle();
    QVERIFY(run("debug.start", {"--fetch", "rnn/Exit_1:0", "--feed", "x:0=[1,2,3]"}));
    QTRY_VERIFY_WITH_TIMEOUT(debug().isStopped(), 30000);
    still();
  }
  void showTensor(const QString& name) {
    QVERIFY(run("debug.show", {name}));
    settle();
    QTRY_COMPARE(tensor()->findChild<QLineEdit*>()->text(), name);
  }
  QString json(const QString& name) {
    QString text, error;
    return debug().tensorJson(name, &text, &error) ? text.section("\"data\":", 1).section(']', 0, 0) : error;
  }
  QPoint cell(int column) { return table()->visualRect(table()->model()->index(0, column)).center(); }
  /// Types into the open cell editor.
  void typeIntoCell(const QString& text) {
    QTRY_VERIFY(table()->viewport()->findChild<QLineEdit*>());
    auto* field = table()->viewport()->findChild<QLineEdit*>();
    field->selectAll();
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_VERIFY(!table()->viewport()->findChild<QLineEdit*>());
  }
  QString said() {
    QStringList all;
    for (const QLabel* label : values()->findChildren<QLabel*>())
      if (label->isVisible()) all << label->text();
    return all.join('\n');
  }

  /// Clicks the wire from `x` to `y` between the two and deletes it. Both nodes stay.
  void cutWire() {
    auto* canvas = window_->canvas();
    QVERIFY(run("graph.fit"));
    QTest::qWait(300);
    const auto rectOf = [&](const char* name) {
      canvas->selectNames({name});
      return canvas->itemRect(canvas->selection().front());
    };
    const QRectF from = rectOf("x"), to = rectOf("y");
    QVector<double> on;  // heights at which the pointer is on the wire
    const double x = (from.right() + to.left()) / 2;
    for (double y = from.top(); y < from.bottom(); ++y)
      if (!canvas->itemAt({x, y}) && canvas->edgeAt({x, y}) >= 0) on << y;
    QVERIFY(!on.isEmpty());
    const QPointF at(x, on[on.size() / 2]);
    canvas->clearSelection();
    QTest::mouseClick(canvas, Qt::LeftButton, {}, at.toPoint());
    QCOMPARE(workspace().current()->selection(), (QStringList{"x", "y"}));
    QTest::keyClick(canvas, Qt::Key_Delete);
    QTRY_VERIFY(canvas->edgeAt(at) < 0);
    settle();
    QVERIFY(workspace().current()->hasNode("x") && workspace().current()->hasNode("y"));
  }

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { stopAndClose(); }

  void aCellOfTheTableIsChangedWhereTheDebuggerStands() {
    debugLoop();
    showTensor("w:0");
    QCOMPARE(values()->look(), TensorView::Look::Table);
    QCOMPARE(json("w:0"), QString("[1.5,2.0,0.5"));
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, cell(1));
    QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, cell(1));
    typeIntoCell("7.25");
    QTRY_COMPARE(json("w:0"), QString("[1.5,7.25,0.5"));
    settle();
    QTRY_COMPARE(table()->model()->index(0, 1).data().toString(), QString("7.25"));
    QVERIFY(debug().state().changed().contains("w") || debug().state().changed().contains("w:0"));
    // F2, and typing over it.
    table()->setCurrentIndex(table()->model()->index(0, 2));
    QTest::keyClick(table(), Qt::Key_F2);
    typeIntoCell("nan");
    QTRY_COMPARE(json("w:0"), QString("[1.5,7.25,\"NaN\""));
    settle();
    table()->setCurrentIndex(table()->model()->index(0, 0));
    QTest::keyClick(table(), Qt::Key_4);
    QTRY_VERIFY(table()->viewport()->findChild<QLineEdit*>());
    QTest::keyClick(table()->viewport()->findChild<QLineEdit*>(), Qt::Key_Return);
    QTRY_COMPARE(json("w:0"), QString("[4.0,7.25,\"NaN\""));
    // Input that is not a number is refused in a sentence, and changes nothing.
    settle();
    QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, cell(1));
    typeIntoCell("seven");
    QTRY_VERIFY2(said().contains("seven"), qPrintable(said()));
    QCOMPARE(json("w:0"), QString("[4.0,7.25,\"NaN\""));
  }

  void aCellThatCannotBeChangedSaysWhy() {
    debugLoop();
    QVERIFY(run("debug.continue"));
    QTRY_VERIFY_WITH_TIMEOUT(!debug().isActive(), 30000);
    still();
    showTensor("rnn/Exit_1:0");
    QTRY_VERIFY(table()->isVisible());
    QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, cell(0));
    QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, cell(0));
    QTRY_VERIFY2(said().contains("while the debugger is paused"), qPrintable(said()));
    QVERIFY(!table()->viewport()->findChild<QLineEdit*>());
  }

  void anElementInTheWatchListIsChanged() {
    debugLoop();
    window_->showView("watch");
    QVERIFY(run("debug.watch", {"w:0[1]"}));
    settle();
    auto* list = window_->viewWidget("watch")->findChild<QTreeWidget*>();
    QTRY_COMPARE(list->topLevelItemCount(), 1);
    QTRY_COMPARE(list->topLevelItem(0)->text(1), QString("2"));
    QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(list->model()->index(0, 1)).center());
    list->setCurrentItem(list->topLevelItem(0), 1);
    list->editItem(list->topLevelItem(0), 1);
    QTRY_VERIFY(list->viewport()->findChild<QLineEdit*>());
    auto* field = list->viewport()->findChild<QLineEdit*>();
    field->selectAll();
    QTest::keyClicks(field, "9");
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(json("w:0"), QString("[1.5,9.0,0.5"));
    // A position that is not there is named.
    const CommandResult wrong = window_->actionRegistry().run("debug.set", {"w:0[5]", "1"});
    QVERIFY(!wrong.ok);
    QVERIFY2(wrong.message.contains("5") && wrong.message.contains("0 to 2"), qPrintable(wrong.message));
    // So is an invalid position: it is not taken for the first element.
    for (const char* place : {"w:0[]", "w:0[ ]", "w:0[1-2]", "w:0[,]"}) {
      QVERIFY2(!window_->actionRegistry().run("debug.set", {place, "7"}).ok, place);
      QCOMPARE(json("w:0"), QString("[1.5,9.0,0.5"));
    }
  }

  void thePinAndTheLookStayFromStopToStop() {
    debugLoop();
    window_->showView("tensor");
    settle();
    auto* name = tensor()->findChild<QLineEdit*>();
    for (int i = 0; i < 3; ++i) {
      QVERIFY(run("debug.step-op"));
      still();
    }
    QTRY_VERIFY(!name->text().isEmpty() && values()->isVisible());
    QToolButton* pin = nullptr;
    for (auto* button : tensor()->findChildren<QToolButton*>())
      if (button->toolTip().startsWith("Keep this tensor")) pin = button;
    QVERIFY(pin && pin->isEnabled());
    const QString kept = name->text();
    QTest::mouseClick(pin, Qt::LeftButton);
    QVERIFY(pin->isChecked());
    for (int i = 0; i < 4; ++i) {
      QVERIFY(run("debug.step-op"));
      still();
      QTest::qWait(30);
      QCOMPARE(name->text(), kept);
    }
    // Unpinned, it follows the stop again; a manually chosen look does not.
    QToolButton* map = nullptr;
    for (auto* button : values()->findChildren<QToolButton*>())
      if (button->text() == "Histogram") map = button;
    QVERIFY(map);
    QTest::mouseClick(map, Qt::LeftButton);
    QCOMPARE(values()->look(), TensorView::Look::Histogram);
    QTest::mouseClick(pin, Qt::LeftButton);
    QTRY_VERIFY(name->text() != kept);
    settle();
    for (int i = 0; i < 4; ++i) {
      QVERIFY(run("debug.step-op"));
      still();
      QTest::qWait(30);
      if (values()->isVisible()) QCOMPARE(values()->look(), TensorView::Look::Histogram);
    }
  }

  /// A file that was trained shows its last run after a restart; hidden ones are offered where their curves are missed.
  void theLastRunIsThereAfterARestart() {
    const QString path = folder_.filePath("kept.weft");
    openTemplate();
    QVERIFY(run("file.save", {path}));
    settle();
    QVERIFY(run("run.train", {"--steps", "12"}));
    QTRY_VERIFY_WITH_TIMEOUT(!workspace().runs().isActive(), 60000);
    settle();
    closeWindow();
    showWindow();
    open(path);
    window_->useLayout("train");
    window_->showView("overview");
    settle();
    const auto shown = [this] {
      const auto& runs = workspace().summaries().runs();
      return std::count_if(runs.begin(), runs.end(), [](const auto& r) { return r->visible && !r->foreign && r->scalars.count("loss") > 0; });
    };
    QTRY_COMPARE_WITH_TIMEOUT(shown(), 1, 30000);
    QWidget* overview = window_->viewWidget("overview");
    auto* pages = overview->findChild<QStackedWidget*>();
    QTRY_COMPARE(pages->currentIndex(), 1);
    // Hidden, it is named by a button that shows it.
    workspace().summaries().setRunVisible(workspace().summaries().runs().front()->id, false);
    QTRY_COMPARE(pages->currentIndex(), 0);
    auto* button = overview->findChild<QPushButton*>();
    QTRY_COMPARE(button->text(), QString("Show run 1"));
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_COMPARE(shown(), 1);
    QTRY_COMPARE(pages->currentIndex(), 1);
  }

  void theExactNameOfANodeIsFoundFirst() {
    open(write("images.pbtxt",
               "node { name: \"images\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } }\n"
               "node { name: \"scope/y\" op: \"Relu\" input: \"images\" attr { key: \"T\" value { type: DT_FLOAT } } }\n"));
    settle();
    QVERIFY(run("graph.select", {"scope/y"}));
    QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
    auto* finder = window_->findChild<QWidget*>("finder");
    QVERIFY(finder);
    QTest::keyClicks(finder->findChild<QLineEdit*>(), "images");
    QTest::qWait(200);
    QTest::keyClick(finder->findChild<QLineEdit*>(), Qt::Key_Return);
    QTRY_COMPARE(workspace().current()->selection(), QStringList{"images"});
  }

  void anErrorGoesWhenWhatItWasAboutIsOver() {
    debugLoop();
    const auto bar = [this] { return window_->findChild<QWidget*>("message_bar"); };
    const CommandResult wrong = window_->actionRegistry().run("debug.set", {"w:0", "seven"});
    QVERIFY(!wrong.ok);
    window_->showError(wrong.message);
    QVERIFY(bar()->isVisible());
    QTest::qWait(1700);  // it was read
    QVERIFY(run("debug.stop"));
    QTRY_VERIFY_WITH_TIMEOUT(!debug().isActive(), 30000);
    QTRY_VERIFY(!bar()->isVisible());
  }

  /// A click on a wire selects its ends; Delete removes only the wire.
  void aWireIsClickedAndDeleted() {
    open(write("wire.pbtxt",
               "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } }\n"
               "node { name: \"y\" op: \"Relu\" input: \"x\" attr { key: \"T\" value { type: DT_FLOAT } } }\n"));
    settle();
    cutWire();
    auto* canvas = window_->canvas();
    // Elsewhere a click selects nothing.
    QTest::mouseClick(canvas, Qt::LeftButton, {}, QPoint(4, canvas->height() - 4));
    QVERIFY(workspace().current()->selection().isEmpty());
  }

  /// A bundle drawn as one wire is cut as one: all its edges are removed, and the nodes stay.
  void aWireOfSeveralEdgesIsDeletedWhole() {
    open(write("twice.pbtxt",
               "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } }\n"
               "node { name: \"y\" op: \"Mul\" input: \"x\" input: \"x\" attr { key: \"T\" value { type: DT_FLOAT } } }\n"));
    settle();
    cutWire();
  }

  /// The list of runs and the settings of the next one fit the width that they have at first.
  void theRunsPanelIsWideEnough() {
    window_->resize(1600, 1000);
    openTemplate();
    window_->useLayout("train");
    window_->showView("runs");
    settle();
    QTest::qWait(100);
    QWidget* runs = window_->viewWidget("runs");
    for (auto* bar : runs->window()->findChildren<QScrollBar*>()) {
      if (bar->orientation() != Qt::Horizontal || !bar->isVisible()) continue;
      QVERIFY2(!bar->parentWidget()->isAncestorOf(runs) && !bar->parentWidget()->parentWidget()->isAncestorOf(runs), "a horizontal scroll bar");
    }
  }

  /// Layers of the strip are in dataflow order; a table that names them keeps them apart, and lists fused ones.
  void aProfileNamesLayersInTheirOrder() {
    workspace().newFromTemplate("lenet");
    QTRY_VERIFY_WITH_TIMEOUT(window_->canvas(), 30000);
    settle();
    window_->useLayout("profile");
    ProfileStore& store = ProfileStore::of(workspace());
    QVERIFY(run("profile.trace", {"--steps", "2"}));
    QTRY_VERIFY_WITH_TIMEOUT(store.current() != nullptr, 120000);
    settle();
    const PassTimes& passes = store.current()->passes;
    QStringList order;
    for (const PassColumn& column : passes.columns)
      if (column.forward >= 0) order << passes.parts[column.forward].scope;
    qsizetype before = -1;
    for (const char* scope : {"conv1", "conv2", "conv3", "fc1", "logits", "cross_entropy"}) {
      if (!order.contains(scope)) continue;  // a scope with nearly all of the time is opened
      QVERIFY2(order.indexOf(scope) > before, qPrintable(order.join(' ')));
      before = order.indexOf(scope);
    }
    QVERIFY(run("panels.option", {"profile", "node"}));
    QAbstractItemModel* rows = nullptr;
    for (auto* tree : window_->viewWidget("profile")->findChildren<QTreeView*>())
      if (tree->isVisible()) rows = tree->model();
    QVERIFY(rows);
    QStringList types, texts;
    for (int r = 0; r < rows->rowCount(); ++r)
      if (rows->index(r, ProfileTable::Name).data(ProfileTable::NodeRole).toString().endsWith("/Relu"))
        types << rows->index(r, ProfileTable::Type).data().toString();
    QVERIFY2(types.contains("Relu with Conv2D, BiasAdd"), qPrintable(types.join(", ")));
    // Cut names.
    const QFontMetricsF metrics(window_->font());
    for (const char* layer : {"conv1", "conv2"}) {
      const QString name = QStringLiteral("train/gradients/%1/Conv2D_grad/Conv2DBackpropInput").arg(layer);
      const QString cut = elideLayer(name, metrics, 170);
      QVERIFY(metrics.horizontalAdvance(cut) <= 170);
      QVERIFY2(cut.contains(layer) && cut.endsWith("Input"), qPrintable(cut));
      texts << cut;
    }
    QVERIFY(texts[0] != texts[1]);
  }
};

QTEST_MAIN(PanelsUsedTest)
#include "tst_panels_used.moc"
