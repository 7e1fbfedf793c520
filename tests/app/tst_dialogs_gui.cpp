// What a person does by mouse outside of the canvas: choosing what the debugger is fed, dragging a checkpoint's key onto a variable.
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeWidgetItemIterator>
#include <QWindow>
#include <memory>

#include "common/theme.h"
#include "document/debug_controller.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/name_mapping.h"
#include "graph_view/graph_model.h"
#include "main_window/feeds_dialog.h"
#include "main_window/main_window.h"
#include "views/files/match_tree.h"

using namespace weft::app;

namespace {

/// Two variables with a Saver that knows them under names that the checkpoint does not have.
const QString kStem = QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/metagraphs/collections_ref");

QTreeWidgetItem* rowOf(MatchTree* tree, int role, const QString& text, bool isVariable) {
  for (QTreeWidgetItemIterator it(tree); *it; ++it) {
    const bool hasVariable = !(*it)->data(0, MatchTree::kVariableRole).toString().isEmpty();
    if ((*it)->data(0, role).toString() == text && hasVariable == isVariable) return *it;
  }
  return nullptr;
}

}  // namespace

class DialogsGuiTest : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::unique_ptr<MainWindow> window_;

  void open(const QString& path) {
    bool done = false;
    QString error;
    window_->workspace().open(path, [&](const QString& e) { done = true, error = e; });
    QTRY_VERIFY_WITH_TIMEOUT(done, 20000);
    QVERIFY2(error.isEmpty(), qPrintable(error));
    settle();
  }
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().isBusy() && window_->workspace().tasks().isEmpty() && window_->isSettled(), 20000); }
  bool run(const char* command, const QStringList& arguments = {}) { return window_->actionRegistry().run(QLatin1String(command), arguments).ok; }
  FeedsDialog* feeds() {
    open(QStringLiteral(WEFT_SOURCE_DIR "/tests/debug/loop.pb"));
    if (!run("debug.feeds")) return nullptr;
    auto* dialog = window_->findChild<FeedsDialog*>();
    if (!dialog || !QTest::qWaitForWindowExposed(dialog)) return nullptr;
    return dialog;
  }
  static QPushButton* button(QWidget* dialog, const char* text) {
    for (QPushButton* b : dialog->findChildren<QPushButton*>())
      if (b->text().remove(u'&') == QLatin1String(text)) return b;
    return nullptr;
  }

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"}) qputenv(name, folder_.path().toUtf8());
    weft::widgets::Theme::apply(*qApp, weft::widgets::Theme::Kind::Light);
  }
  void init() {
    window_ = std::make_unique<MainWindow>(Settings::Kind::InMemory);
    window_->setLanguage("en");
    window_->resize(1500, 900);
    window_->show();
  }
  void cleanup() {
    window_->workspace().debugger().stop();
    settle();
    window_.reset();
  }

  void theStartButtonDebugsWithTheChosenValues() {
    FeedsDialog* dialog = feeds();
    QVERIFY(dialog);
    auto* fetches = dialog->findChild<QLineEdit*>();
    QVERIFY(fetches);
    QTest::mouseClick(fetches, Qt::LeftButton);
    fetches->selectAll();
    QTest::keyClicks(fetches, "loss:0");
    QTest::keyClick(fetches, Qt::Key_Tab);
    auto* table = dialog->findChild<QTableWidget*>();
    QCOMPARE(table->rowCount(), 1);
    auto* source = table->findChild<QComboBox*>();
    source->setCurrentIndex(source->findText("value"));
    emit source->activated(source->currentIndex());
    auto* value = table->cellWidget(0, 3)->findChild<QLineEdit*>();
    QPushButton* start = button(dialog, "Start debugging");
    QVERIFY(value && start);
    // A value that does not fit keeps it from starting, and says why.
    QTest::mouseClick(value, Qt::LeftButton);
    QTest::keyClicks(value, "[1,2,words");
    QVERIFY(!start->isEnabled());
    QTest::mouseClick(start, Qt::LeftButton);
    QVERIFY(dialog->isVisible() && !window_->workspace().debugger().isActive());
    value->selectAll();
    QTest::keyClicks(value, "[1,2,3]");
    QVERIFY(start->isEnabled());
    QTest::mouseClick(start, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().debugger().isStopped(), 20000);
    QTRY_VERIFY(!window_->findChild<FeedsDialog*>());
    // It is offered again the next time.
    window_->workspace().debugger().stop();
    settle();
    QVERIFY(run("debug.feeds"));
    dialog = window_->findChild<FeedsDialog*>();
    QVERIFY(dialog);
    QVERIFY2(dialog->wishes().feeds.contains("x:0=[1,2,3]"), qPrintable(dialog->wishes().feeds.join(' ')));
    QCOMPARE(dialog->wishes().fetches, QStringList{"loss:0"});
  }

  void cancelStartsNothing() {
    FeedsDialog* dialog = feeds();
    QVERIFY(dialog);
    QTest::mouseClick(button(dialog, "Cancel"), Qt::LeftButton);
    QTRY_VERIFY(!window_->findChild<FeedsDialog*>());
    QVERIFY(!window_->workspace().debugger().isActive());
  }

  /// A key of the checkpoint is pressed, carried over a variable and let go there.
  void aKeyIsDraggedOntoAVariable() {
    open(kStem + ".meta");
    const QString variable = renamedVariable();
    QVERIFY(!variable.isEmpty());
    open(kStem + ".index");
    window_->useLayout("inspect");
    window_->showView("files");
    auto* tree = window_->findChild<MatchTree*>();
    QVERIFY(tree);
    FileTab* file = window_->workspace().currentFile();
    QTRY_VERIFY_WITH_TIMEOUT(rowOf(tree, MatchTree::kVariableRole, "renamed/" + variable, true) && rowOf(tree, MatchTree::kKeyRole, variable, false), 20000);
    settle();
    const auto at = [tree](QTreeWidgetItem* item) {
      tree->scrollToItem(item);
      return tree->visualItemRect(item).center();
    };
    // Onto a heading: nothing is mapped.
    QTreeWidgetItem* key = rowOf(tree, MatchTree::kKeyRole, variable, false);
    carry(tree, at(key), at(tree->topLevelItem(0)));
    QVERIFY(NameMapping::of(*file).keys().isEmpty());
    key = rowOf(tree, MatchTree::kKeyRole, variable, false);
    carry(tree, at(key), at(rowOf(tree, MatchTree::kVariableRole, "renamed/" + variable, true)));
    QTRY_COMPARE(NameMapping::of(*file).keys().value("renamed/" + variable), variable);
    // The row now says both, and Delete takes it back.
    QTRY_VERIFY(rowOf(tree, MatchTree::kMappedRole, "true", true));
    QTreeWidgetItem* mapped = rowOf(tree, MatchTree::kMappedRole, "true", true);
    QVERIFY(mapped->text(0).contains("renamed/" + variable));
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, at(mapped));
    QTest::keyClick(tree, Qt::Key_Delete);
    QTRY_VERIFY(NameMapping::of(*file).keys().isEmpty());
  }

 private:
  /// The first variable of the graph in front, moved into the scope `renamed`; its old name.
  QString renamedVariable() {
    Document* document = window_->workspace().current();
    const auto* model = document->model();
    for (int i = 0; i < model->nodeCount(); ++i) {
      const QString name = model->nodeName(i);
      if (!QStringList{"VariableV2", "VarHandleOp"}.contains(model->nodeOp(i))) continue;
      if (!run("graph.rename", {name, "renamed/" + name})) return {};
      if (!QTest::qWaitFor([&] { return document->hasNode("renamed/" + name) && !document->isEditing(); }, 20000)) return {};
      return name;
    }
    return {};
  }
  /// The view starts a drag when the pressed mouse moves; while that waits for the mouse, timers go on with it.
  void carry(MatchTree* tree, QPoint from, QPoint to) {
    QWidget* port = tree->viewport();
    QWindow* window = window_->windowHandle();
    const auto inWindow = [&](QPoint p) { return port->mapTo(window_.get(), p); };
    const QPoint target = inWindow(to);
    int step = 0;
    QTimer hand;
    connect(&hand, &QTimer::timeout, this, [&] {
      ++step;
      if (step <= 3) QTest::mouseMove(window, target + QPoint(0, step - 3));
      if (step == 4) QTest::mouseRelease(window, Qt::LeftButton, {}, target);
      if (step == 5) hand.stop();
    });
    QTest::mousePress(window, Qt::LeftButton, {}, inWindow(from));
    hand.start(20);
    QTest::mouseMove(window, inWindow(from) + QPoint(2, 0));
    QTest::mouseMove(window, inWindow(from) + QPoint(QApplication::startDragDistance() + 12, 1));
    QTRY_VERIFY(!hand.isActive());
  }
};

QTEST_MAIN(DialogsGuiTest)
#include "tst_dialogs_gui.moc"
