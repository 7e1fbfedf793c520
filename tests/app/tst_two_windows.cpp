// One file in two windows, two programs or twice in one window: no work is lost, and the user can choose.
#include <QFileInfo>
#include <QPushButton>
#include <QTabBar>
#include <QTest>

#include "code_editor/code_editor.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/line_difference.h"
#include "document/text_buffer.h"
#include "graph_view/graph_view.h"
#include "main_window/difference_marks.h"
#include "studio_script.h"
#include "views/editor/program_page.h"
#include "window_fixture.h"

using namespace weft::app;
using weft::widgets::CodeEditor;

class TwoWindowsTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  /// Saved before anybody could notice that the file is another one.
  void savingNeverWritesOverWhatOthersWrote() {
    const QString path = write("guard.pbtxt", kGraph);
    open(path);
    rename(*window_, "a/y", "a/mine");
    write("guard.pbtxt", others());
    QString error;
    window_->workspace().save(document(*window_), path, [&](const QString& e) { error = e; });
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().isBusy(), 10000);
    QVERIFY2(error.contains("guard.pbtxt was not saved"), qPrintable(error));
    QCOMPARE(onDisk(path), others());
    QVERIFY(document(*window_)->isModified());
    QVERIFY2(messages(*window_).contains("was not saved"), qPrintable(messages(*window_)));
    QVERIFY2(window_->shownError().isEmpty(), "it is said once");

    QVERIFY(window_->pressMessageButton("Compare"));
    QTRY_VERIFY_WITH_TIMEOUT(messages(*window_).contains("theirs"), 10000);
    QCOMPARE(onDisk(path), others());

    // A script says that it means it; the window asks again, and has a button for it.
    QVERIFY(run("file.save"));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().isBusy() && messages(*window_).contains("was not saved"), 10000);
    QCOMPARE(onDisk(path), others());
    QVERIFY(window_->pressMessageButton("Overwrite"));
    QTRY_VERIFY_WITH_TIMEOUT(!document(*window_)->isModified(), 10000);
    QVERIFY(onDisk(path).contains("a/mine") && !onDisk(path).contains("theirs"));
    QTRY_VERIFY2(messages(*window_).isEmpty(), qPrintable(messages(*window_)));
    QVERIFY(run("file.save"));  // and from then on as ever
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().isBusy(), 10000);
    QVERIFY2(messages(*window_).isEmpty(), qPrintable(messages(*window_)));
  }
  void keptIsKeptAndWrittenOver() {
    const QString path = write("keep.pbtxt", kGraph);
    open(path);
    rename(*window_, "a/y", "a/mine");
    write("keep.pbtxt", others());
    QTRY_VERIFY_WITH_TIMEOUT(messages(*window_).contains("both here and by another program or window"), 10000);
    QVERIFY(window_->pressMessageButton("Keep mine"));
    QTest::qWait(500);
    QVERIFY2(messages(*window_).isEmpty(), "asked once");
    QVERIFY(run("file.save"));
    QTRY_VERIFY_WITH_TIMEOUT(!document(*window_)->isModified(), 10000);
    QVERIFY(onDisk(path).contains("a/mine"));
    // Another change after that is another question.
    rename(*window_, "a/mine", "a/again");
    write("keep.pbtxt", others());
    QTRY_VERIFY_WITH_TIMEOUT(messages(*window_).contains("another program or window"), 10000);
    QVERIFY(window_->pressMessageButton("Reload"));
    QTRY_VERIFY_WITH_TIMEOUT(document(*window_)->hasNode("theirs"), 10000);
    QVERIFY(!document(*window_)->isModified());
  }
  /// An overwriting save of a script.
  void aScriptMayOverwrite() {
    const QString path = write("script.pbtxt", kGraph);
    open(path);
    rename(*window_, "a/y", "a/mine");
    write("script.pbtxt", others());
    QVERIFY(run("file.save", {"--overwrite"}));
    QTRY_VERIFY_WITH_TIMEOUT(!document(*window_)->isModified(), 10000);
    QVERIFY(onDisk(path).contains("a/mine"));
  }
  void aFileThatIsGoneIsWrittenAgain() {
    const QString path = write("gone.pbtxt", kGraph);
    open(path);
    rename(*window_, "a/y", "a/mine");
    QVERIFY(QFile::remove(path));
    QVERIFY(run("file.save"));
    QTRY_VERIFY_WITH_TIMEOUT(!document(*window_)->isModified(), 10000);
    QVERIFY(onDisk(path).contains("a/mine"));
  }
  void savingThroughALinkKeepsTheLink() {
    const QString path = write("target.pbtxt", kGraph), link = folder_.filePath("link.pbtxt");
    QVERIFY(QFile::link(path, link));
    open(link);
    rename(*window_, "a/y", "a/mine");
    QVERIFY(run("file.save"));
    QTRY_VERIFY_WITH_TIMEOUT(!document(*window_)->isModified(), 10000);
    QVERIFY(QFileInfo(link).isSymLink());
    QVERIFY(onDisk(path).contains("a/mine"));
  }

  void theSameFileIsOneTab() {
    const QString path = write("once.pbtxt", kGraph), link = folder_.filePath("once-link.pbtxt");
    QVERIFY(QFile::link(path, link));
    Workspace& workspace = window_->workspace();
    // Open the file several times while it is still being read, then by other spellings of its path.
    int told = 0;
    for (int i = 0; i < 3; ++i) workspace.open(path, [&](const QString& error) { told += error.isEmpty() ? 1 : 100; });
    QTRY_COMPARE_WITH_TIMEOUT(told, 3, 10000);
    QCOMPARE(workspace.documents().size(), 1);
    open(write("other.pbtxt", kGraph));
    for (const QString& spelling : {path, folder_.filePath("./x/../once.pbtxt"), link}) {
      workspace.setCurrent(workspace.documents().last());
      workspace.open(spelling, [&](const QString& error) { told += error.isEmpty() ? 1 : 100; });
      QTRY_COMPARE(workspace.current(), workspace.documents().first());
    }
    QCOMPARE(told, 6);
    QCOMPARE(workspace.documents().size(), 2);
    const QString program = write("once.py", "x = 1\n");
    for (int i = 0; i < 2; ++i) workspace.open(program);
    QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy() && workspace.tasks().isEmpty(), 10000);
    QCOMPARE(workspace.files().size(), 1);
  }
  void twoTabsNeverShareAFile() {
    const QString first = write("tab1.pbtxt", kGraph), second = write("tab2.pbtxt", kGraph);
    open(first);
    open(second);
    rename(*window_, "a/y", "a/mine");
    QVERIFY(run("file.save", {first}));
    QTRY_VERIFY2(window_->shownError().contains("open in another tab"), qPrintable(window_->shownError()));
    QCOMPARE(onDisk(first), QByteArray(kGraph));
    QCOMPARE(document(*window_)->path(), second);
    QVERIFY(document(*window_)->isModified());
  }

  void oneFileInTwoWindows() {
    const QString path = write("both.pbtxt", kGraph);
    MainWindow first(Settings::Kind::User), second(Settings::Kind::User);
    for (MainWindow* window : {&first, &second}) {
      window->setLanguage("en");
      window->show();
      window->workspace().open(path);
      QTRY_COMPARE_WITH_TIMEOUT(window->workspace().documents().size(), 1, 10000);
    }
    QTRY_VERIFY2(messages(second).contains("open in another window"), qPrintable(messages(second)));
    rename(first, "a/y", "a/first");
    rename(second, "a/y", "a/second");
    QVERIFY(first.actionRegistry().run("file.save").ok);
    QTRY_VERIFY_WITH_TIMEOUT(!document(first)->isModified(), 10000);
    QTRY_VERIFY_WITH_TIMEOUT(messages(second).contains("was changed both here and by another program or window"), 10000);
    QVERIFY2(!messages(first).contains("was changed"), "who saved is not asked");
    QVERIFY(second.actionRegistry().run("file.save").ok);  // it is known later
    QTRY_VERIFY_WITH_TIMEOUT(messages(second).contains("was not saved"), 10000);
    QVERIFY(onDisk(path).contains("a/first"));
    QVERIFY(document(second)->hasNode("a/second") && document(second)->isModified());
    QVERIFY(second.pressMessageButton("Reload"));
    QTRY_VERIFY_WITH_TIMEOUT(document(second)->hasNode("a/first"), 10000);
    QVERIFY(!document(second)->isModified());
    for (MainWindow* window : {&first, &second}) QTRY_VERIFY_WITH_TIMEOUT(window->workspace().tasks().isEmpty() && window->isSettled(), 30000);
  }
  /// Another process: its own window, its own memory.
  void oneFileInTwoPrograms() {
    const QString path = write("process.pbtxt", kGraph);
    open(path);
    rename(*window_, "a/y", "a/mine");
    const Outcome other =
        runStudio(folder_.filePath("home"), "file.open " + path.toUtf8() + "\nwait idle\ngraph.rename x theirs\nwait idle\nfile.save\nwait idle\nquit\n");
    QVERIFY2(other.status == 0, qPrintable(other.errors));
    QVERIFY(onDisk(path).contains("theirs"));
    QTRY_VERIFY_WITH_TIMEOUT(messages(*window_).contains("both here and by another program or window"), 10000);
    QVERIFY(document(*window_)->hasNode("a/mine"));
    QVERIFY(window_->pressMessageButton("Compare"));
    QTRY_VERIFY_WITH_TIMEOUT(DifferenceMarks::of(document(*window_)) && DifferenceMarks::of(document(*window_))->isShown(), 10000);
  }

  void oneProgramTextInTwoPlaces() {
    const QString path = write("model.py", "a = 1\nb = 2\nc = 3\n");
    window_->workspace().open(path);
    QTRY_VERIFY_WITH_TIMEOUT(page() && page()->isVisible(), 10000);
    page()->editor()->setFocus();
    QTest::keyClicks(page()->editor(), "z");
    write("model.py", "a = 1\nb = 20\nc = 3\n");
    QVERIFY2(!run("file.save"), "saved in the same moment");
    QCOMPARE(onDisk(path), QByteArray("a = 1\nb = 20\nc = 3\n"));
    QVERIFY2(messages(*window_).contains("was not saved"), qPrintable(messages(*window_)));
    QVERIFY(window_->pressMessageButton("Compare"));
    QTRY_VERIFY2(messages(*window_).contains("2 lines only in the file, 2 lines only here"), qPrintable(messages(*window_)));
    QCOMPARE(page()->editor()->text(), QString("za = 1\nb = 2\nc = 3\n"));
    QVERIFY(window_->pressMessageButton("Keep mine"));
    QVERIFY(run("file.save"));
    QCOMPARE(onDisk(path), QByteArray("za = 1\nb = 2\nc = 3\n"));
    QTRY_VERIFY(messages(*window_).isEmpty());
    // Undoing all after "Keep mine" is still a change to what is in the file.
    QTest::keyClicks(page()->editor(), "y");
    write("model.py", "others\n");
    QTRY_VERIFY_WITH_TIMEOUT(messages(*window_).contains("both here and by another program or window"), 10000);
    QVERIFY(window_->pressMessageButton("Keep mine"));
    QVERIFY(run("edit.undo"));
    QVERIFY(window_->workspace().files().first()->text()->isModified());
    QVERIFY(run("file.save"));
    QCOMPARE(onDisk(path), QByteArray("za = 1\nb = 2\nc = 3\n"));
  }

  void linesAreCompared_data() {
    QTest::addColumn<QString>("there");
    QTest::addColumn<QString>("here");
    QTest::addColumn<QStringList>("listing");
    QTest::newRow("the same") << "a\nb\n"
                              << "a\nb\n"
                              << QStringList();
    QTest::newRow("both empty") << ""
                                << "" << QStringList();
    QTest::newRow("one changed") << "a\nb\nc"
                                 << "a\nB\nc" << QStringList{"- 2: b", "+ 2: B"};
    QTest::newRow("one more here") << "a\nc"
                                   << "a\nb\nc" << QStringList{"+ 2: b"};
    QTest::newRow("one less here") << "a\nb\nc"
                                   << "a\nc" << QStringList{"- 2: b"};
    QTest::newRow("two places") << "a\nb\nc\nd\ne"
                                << "a\nc\nd\nx\ne" << QStringList{"- 2: b", "+ 4: x"};
  }
  void linesAreCompared() {
    QFETCH(QString, there);
    QFETCH(QString, here);
    QFETCH(QStringList, listing);
    QCOMPARE(lineDifference(there, here).listing, listing);
    QCOMPARE(lineDifference(there, here).isEmpty(), listing.isEmpty());
  }
  void longTextsAreComparedInAMoment() {
    QString there, here;
    for (int i = 0; i < 20000; ++i) there += QStringLiteral("line %1\n").arg(i), here += QStringLiteral("other %1\n").arg(i);
    QElapsedTimer timer;
    timer.start();
    const LineDifference difference = lineDifference(there, here);
    QCOMPARE(difference.onlyThere, 20000);
    QCOMPARE(difference.onlyHere, 20000);
    QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
  }

 private:
  static Document* document(MainWindow& window) { return window.workspace().current(); }
  static QString messages(const MainWindow& window) { return window.shownMessages().join('|'); }
  static QByteArray others() { return QByteArray(kGraph) + "node { name: \"theirs\" op: \"NoOp\" }\n"; }
  static void rename(MainWindow& window, const QString& from, const QString& to) {
    QVERIFY(window.actionRegistry().run("graph.rename", {from, to}).ok);
    QTRY_VERIFY_WITH_TIMEOUT(document(window)->hasNode(to), 10000);
  }
  ProgramPage* page() const { return window_->findChild<ProgramPage*>(); }
};

QTEST_MAIN(TwoWindowsTest)
#include "tst_two_windows.moc"
