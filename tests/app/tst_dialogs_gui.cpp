// Mouse operations outside the canvas: choosing the debugger's feeds, dragging a checkpoint's key onto a variable.
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDirIterator>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidgetItemIterator>
#include <memory>

#include "common/theme.h"
#include "document/debug_controller.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/name_mapping.h"
#include "document/run_controller.h"
#include "main_window/feeds_dialog.h"
#include "main_window/main_window.h"
#include "views/files/match_tree.h"

using namespace weft::app;

namespace {

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
    QString error = "pending";
    window_->workspace().open(path, [&](const QString& e) { error = e; });
    QTRY_COMPARE_WITH_TIMEOUT(error, QString(), 20000);
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
    window_->resize(1500, 1600);
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
    auto* source = qobject_cast<QComboBox*>(table->cellWidget(0, 2));
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
    QTRY_VERIFY(!window_->workspace().debugger().isActive() && !window_->workspace().debugger().isBusy());
    QVERIFY(run("debug.feeds"));
    dialog = window_->findChild<FeedsDialog*>();
    QVERIFY(dialog);
    QVERIFY2(dialog->runInputs().feeds.contains("x:0=[1,2,3]"), qPrintable(dialog->runInputs().feeds.join(' ')));
    QCOMPARE(dialog->runInputs().fetches, QStringList{"loss:0"});
  }

  /// Looking through the sources by keys loses nothing that was typed.
  void eachSourceKeepsWhatWasTypedForIt() {
    FeedsDialog* dialog = feeds();
    QVERIFY(dialog);
    auto* table = dialog->findChild<QTableWidget*>();
    QVERIFY(table->rowCount() >= 1);
    auto* source = qobject_cast<QComboBox*>(table->cellWidget(0, 2));
    auto* text = table->cellWidget(0, 3)->findChild<QLineEdit*>();
    const auto pick = [source](const QString& name) {
      source->showPopup();
      QAbstractItemView* list = source->view();
      list->setCurrentIndex(list->model()->index(source->findText(name), 0));
      QTest::keyClick(list, Qt::Key_Return);
    };
    const auto type = [text](const QString& words) {
      text->setFocus();
      text->selectAll();
      QTest::keyClicks(text, words);
    };
    pick("value");
    QCOMPARE(source->currentText(), QStringLiteral("value"));
    type("[1,2,3]");
    pick("value");  // the same again
    QCOMPARE(text->text(), QStringLiteral("[1,2,3]"));
    pick("file (.npy)");
    QCOMPARE(text->text(), QString());
    type("/data/x.npy");
    pick("zeros");
    type("[7]");
    pick("value");
    QCOMPARE(text->text(), QStringLiteral("[1,2,3]"));
    pick("file (.npy)");
    QCOMPARE(text->text(), QStringLiteral("/data/x.npy"));
    pick("zeros");
    QCOMPARE(text->text(), QStringLiteral("[7]"));
    QTest::mouseClick(button(dialog, "Cancel"), Qt::LeftButton);
    QTRY_VERIFY(!window_->findChild<FeedsDialog*>());
  }

  void cancelStartsNothing() {
    FeedsDialog* dialog = feeds();
    QVERIFY(dialog);
    QTest::mouseClick(button(dialog, "Cancel"), Qt::LeftButton);
    QTRY_VERIFY(!window_->findChild<FeedsDialog*>());
    QVERIFY(!window_->workspace().debugger().isActive());
  }

  /// Drags a checkpoint key onto a variable.
  void aKeyIsDraggedOntoAVariable() {
    QVERIFY(run("file.new", {"softmax"}));
    QTRY_VERIFY(window_->workspace().current());
    settle();
    QVERIFY(run("run.train", {"--steps", "2"}));
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().runs().run(1) && !window_->workspace().runs().isActive(), 30000);
    settle();
    const RunRecord* trained = window_->workspace().runs().run(1);
    QVERIFY(trained);
    QDirIterator files(trained->folder, {"*.index"}, QDir::Files, QDirIterator::Subdirectories);
    QVERIFY(files.hasNext());
    const QString checkpoint = files.next();
    Document* document = window_->workspace().current();
    QVERIFY(run("graph.rename", {"logits", "scores"}));
    QTRY_VERIFY_WITH_TIMEOUT(document->hasNode("scores/kernel") && !document->isEditing(), 20000);
    open(checkpoint);
    const QString variable = "scores/kernel", name = "logits/kernel";
    window_->useLayout("inspect");
    window_->showView("files");
    QVERIFY(run("inspect.against", {document->title()}));  // its own .meta has the old names
    auto* tree = window_->findChild<MatchTree*>();
    QVERIFY(tree);
    FileTab* file = window_->workspace().currentFile();
    QTRY_VERIFY_WITH_TIMEOUT(rowOf(tree, MatchTree::kVariableRole, variable, true) && rowOf(tree, MatchTree::kKeyRole, name, false), 20000);
    settle();
    const auto at = [tree](QTreeWidgetItem* item) { return tree->visualItemRect(item).center(); };
    QVERIFY(tree->viewport()->rect().contains(at(rowOf(tree, MatchTree::kKeyRole, name, false))));
    // Onto a heading: nothing is mapped.
    QTreeWidgetItem* key = rowOf(tree, MatchTree::kKeyRole, name, false);
    carry(tree, at(key), at(tree->topLevelItem(0)));
    QVERIFY(NameMapping::of(*file).keys().isEmpty());
    key = rowOf(tree, MatchTree::kKeyRole, name, false);
    carry(tree, at(key), at(rowOf(tree, MatchTree::kVariableRole, variable, true)));
    QTRY_COMPARE(NameMapping::of(*file).keys().value(variable), name);
    QCOMPARE(NameMapping::of(*file).keys().value("scores/bias"), QStringLiteral("logits/bias"));  // it differs in the same way
    // The row now says both, and Delete takes it back.
    QTRY_VERIFY(rowOf(tree, MatchTree::kVariableRole, variable, true) &&
                rowOf(tree, MatchTree::kVariableRole, variable, true)->data(0, MatchTree::kMappedRole).toBool());
    QTreeWidgetItem* mapped = rowOf(tree, MatchTree::kVariableRole, variable, true);
    QCOMPARE(mapped->text(0), variable + QString::fromUtf8(" \u2190 ") + name);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, at(mapped));
    QTest::keyClick(tree, Qt::Key_Delete);
    QTRY_VERIFY(!NameMapping::of(*file).keys().contains(variable));
  }

 private:
  /// The mouse starts the drag; offscreen there is no drag and drop, so the moves and the drop are sent to the view here.
  void carry(MatchTree* tree, QPoint from, QPoint to) {
    QWidget* port = tree->viewport();
    QTest::mousePress(port, Qt::LeftButton, {}, from);
    QMouseEvent pulled(QEvent::MouseMove, from + QPoint(QApplication::startDragDistance() + 8, 1), port->mapToGlobal(QPointF(from)), Qt::NoButton,
                       Qt::LeftButton, {});
    QApplication::sendEvent(port, &pulled);
    const std::unique_ptr<QMimeData> data(tree->model()->mimeData(tree->selectionModel()->selectedIndexes()));
    QVERIFY(data);
    QDragEnterEvent enter(from, Qt::CopyAction, data.get(), Qt::LeftButton, {});
    QApplication::sendEvent(port, &enter);
    QVERIFY(enter.isAccepted());
    QDragMoveEvent move(to, Qt::CopyAction, data.get(), Qt::LeftButton, {});
    QApplication::sendEvent(port, &move);
    if (!move.isAccepted()) {
      QDragLeaveEvent leave;
      QApplication::sendEvent(port, &leave);
    } else {
      QDropEvent drop(to, Qt::CopyAction, data.get(), Qt::LeftButton, {});
      QApplication::sendEvent(port, &drop);
    }
    QTest::mouseRelease(port, Qt::LeftButton, {}, to);
  }
};

QTEST_MAIN(DialogsGuiTest)
#include "tst_dialogs_gui.moc"
