// Each command that asks for a file or a folder shows the same dialog, in which a typed path counts.
#include <QApplication>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>

#include "document/document.h"
#include "document/profile_store.h"
#include "main_window/difference_marks.h"
#include "main_window/feeds_dialog.h"
#include "shell/action_registry.h"
#include "window_fixture.h"

using namespace weft::app;

class FileDialogsTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    keepToOwnFolder();
  }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void commandsAskWithTheSameDialog_data() {
    QTest::addColumn<QString>("command");
    for (const char* id : {"file.open", "file.compare-with", "inspect.compare", "profile.open", "program.run", "program.debug", "program.names",
                           "panels.open-logdir", "data.to-records"})
      QTest::newRow(id) << QString::fromLatin1(id);
  }
  void commandsAskWithTheSameDialog() {
    QFETCH(QString, command);
    open(write("plain.pbtxt", kGraph));
    window_->actionRegistry().action(command)->trigger();
    QFileDialog* dialog = openDialog();
    QVERIFY(dialog);
    QVERIFY(isOurs(dialog));
    dialog->reject();
    QTRY_VERIFY(!window_->findChild<QFileDialog*>());
    QVERIFY2(window_->shownError().isEmpty(), qPrintable(window_->shownError()));
  }
  void commandsThatWriteAskWithTheSameDialog_data() {
    QTest::addColumn<QString>("command");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("graph.export") << "graph.export" << QStringList();
    QTest::newRow("program.new") << "program.new" << QStringList();
    QTest::newRow("data.to-records") << "data.to-records" << QStringList{folder_.path()};
  }
  void commandsThatWriteAskWithTheSameDialog() {
    QFETCH(QString, command);
    QFETCH(QStringList, words);
    open(write("plain.pbtxt", kGraph));
    bool ours = false;
    answer([&](QFileDialog* dialog) {
      ours = dialog->objectName() == "save_dialog" && isOurs(dialog);
      dialog->reject();
    });
    QVERIFY(window_->actionRegistry().run(command, words).ok);
    QVERIFY(ours);
  }
  void theFileOfAPlaceholderIsChosenWithTheSameDialog() {
    open(QStringLiteral(WEFT_SOURCE_DIR "/tests/debug/loop.pb"));
    QVERIFY(run("debug.feeds"));
    auto* feeds = window_->findChild<FeedsDialog*>();
    QVERIFY(feeds);
    auto* browse = feeds->findChild<QToolButton*>();
    QVERIFY(browse);
    browse->click();  // shown for a file only
    QFileDialog* dialog = openDialog();
    QVERIFY(dialog && isOurs(dialog));
    const QString array = write("array.npy", "?");
    typeInto(dialog, array);
    QTRY_VERIFY(!window_->findChild<QFileDialog*>());
    QVERIFY2(feeds->runInputs().feeds.join(' ').contains(array), qPrintable(feeds->runInputs().feeds.join(' ')));
    feeds->reject();
  }

  void aTypedPathIsTheFile() {
    open(write("plain.pbtxt", kGraph));
    const QString other = write("other.pbtxt", QByteArray(kGraph).replace("a/y", "a/z"));
    window_->actionRegistry().action("file.compare-with")->trigger();
    QFileDialog* dialog = openDialog();
    QVERIFY(dialog);
    typeInto(dialog, other);
    QTRY_VERIFY(!window_->findChild<QFileDialog*>());
    QTRY_VERIFY_WITH_TIMEOUT(DifferenceMarks::of(window_->workspace().current())->isShown(), 10000);
  }
  void severalTypedNamesAreAllOpened() {
    const QString one = write("one.pbtxt", kGraph), two = write("two.pbtxt", kGraph);
    window_->workspace().settings().setValue("file/folder", folder_.path());
    window_->actionRegistry().action("file.open")->trigger();
    QFileDialog* dialog = openDialog();
    QVERIFY(dialog);
    typeInto(dialog, "\"one.pbtxt\" \"two.pbtxt\"");
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().documents().size(), 2, 10000);
    QStringList paths;
    for (const Document* document : window_->workspace().documents()) paths << document->path();
    paths.sort();
    QCOMPARE(paths, (QStringList{one, two}));
  }
  void aTypedPathIsTheFolder() {
    const QString events = QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/events/restart_start");
    window_->actionRegistry().action("panels.open-logdir")->trigger();
    QFileDialog* dialog = openDialog();
    QVERIFY(dialog);
    typeInto(dialog, events);
    QTRY_VERIFY(!window_->findChild<QFileDialog*>());
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().summaries().folders(), QStringList{events}, 10000);
  }
  void aFolderThatIsNotThereIsRefused() {
    window_->actionRegistry().action("panels.open-logdir")->trigger();
    QFileDialog* dialog = openDialog();
    QVERIFY(dialog);
    QTimer close;
    connect(&close, &QTimer::timeout, this, [dialog] {
      QWidget* message = QApplication::activeModalWidget();
      if (message && message != dialog) message->close();
    });
    close.start(50);
    typeInto(dialog, folder_.filePath("missing"));
    QTest::qWait(200);
    QVERIFY(dialog->isVisible() && window_->workspace().summaries().folders().isEmpty());
    dialog->reject();
  }
  void aTypedPathIsWritten() {
    open(write("plain.pbtxt", kGraph));
    const QString path = folder_.filePath("written.dot");
    answer([&](QFileDialog* dialog) { typeInto(dialog, path); });
    QVERIFY(run("graph.export"));
    QVERIFY(QFileInfo(path).size() > 0);
  }
  void whatIsTypedCountsMoreThanWhatWasSelectedBefore() {
    QDir(folder_.path()).mkpath("two_graphs");
    const QString listed = write("two_graphs/listed.pbtxt", kGraph), typed = write("two_graphs/typed.pbtxt", kGraph);
    window_->workspace().settings().setValue("file/folder", QFileInfo(listed).path());
    window_->actionRegistry().action("file.open")->trigger();
    QFileDialog* dialog = openDialog();
    QVERIFY(dialog);
    auto* tree = dialog->findChild<QTreeView*>("treeView");
    QTRY_COMPARE_WITH_TIMEOUT(tree->model()->rowCount(tree->rootIndex()), 2, 10000);
    const QModelIndexList rows = tree->model()->match(tree->model()->index(0, 0, tree->rootIndex()), Qt::DisplayRole, "listed.pbtxt", 1, Qt::MatchExactly);
    QCOMPARE(rows.size(), 1);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(rows.first()).center());
    auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
    QTRY_COMPARE(name->text(), QStringLiteral("listed.pbtxt"));
    name->setFocus();
    name->selectAll();
    QTest::keyClicks(name, typed);
    if (name->completer()) name->completer()->popup()->hide();
    for (QAbstractButton* button : dialog->findChild<QDialogButtonBox*>()->buttons())
      if (button->text().remove(u'&') == "Open") QTest::mouseClick(button, Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().documents().size(), 1, 10000);
    QCOMPARE(window_->workspace().current()->path(), typed);
  }

 private:
  QFileDialog* openDialog() {
    QFileDialog* dialog = nullptr;
    if (!QTest::qWaitFor([&] { return (dialog = window_->findChild<QFileDialog*>("open_dialog")) && dialog->isVisible(); }, 10000)) return nullptr;
    return dialog;
  }
  /// Its sidebar lists folders that were used, and its columns are in our order.
  static bool isOurs(QFileDialog* dialog) {
    auto* side = dialog->findChild<QListView*>("sidebar");
    auto* list = dialog->findChild<QToolButton*>("listModeButton");
    return side && side->model()->rowCount() >= 2 && list && list->isHidden() && dialog->viewMode() == QFileDialog::Detail;
  }
  static void typeInto(QFileDialog* dialog, const QString& text) {
    auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
    name->setFocus();
    name->selectAll();
    QTest::keyClicks(name, text);
    QTest::qWait(100);  // a list of completions comes
    QWidget* popup = name->completer() ? name->completer()->popup() : nullptr;
    QCOMPARE(name->text(), text);
    QTest::keyClick(popup && popup->isVisible() ? popup : name, Qt::Key_Return);
  }
  /// Does something with the dialog that the next command waits for.
  void answer(const std::function<void(QFileDialog*)>& how) {
    auto* timer = new QTimer(this);
    connect(timer, &QTimer::timeout, timer, [timer, how] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (!dialog) return;
      timer->stop();
      timer->deleteLater();
      how(dialog);
    });
    timer->start(20);
  }
};

QTEST_MAIN(FileDialogsTest)
#include "tst_file_dialogs.moc"
