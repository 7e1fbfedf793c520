// Unsaved program text survives a program that is ended from outside. The program that ends is this test itself, started once more.
#include <signal.h>

#include <QApplication>
#include <QDir>
#include <QProcess>
#include <QTest>
#include <cstdio>
#include <cstring>

#include "code_editor/code_editor.h"
#include "document/file_tab.h"
#include "document/recovery.h"
#include "document/text_buffer.h"
#include "document/text_recovery.h"
#include "views/editor/program_page.h"
#include "window_fixture.h"

using namespace weft::app;

namespace {

const char* const kFirst = "x = 1\n";
constexpr int kKeptMs = 1500;  // typed text is on the disk by then

/// The program that is killed: opens the file, types, says that it did, and waits.
int typeAndWait(const QString& path, const QString& typed) {
  MainWindow window(Settings::Kind::InMemory);
  window.setLanguage(QStringLiteral("en"));
  window.show();
  window.workspace().open(path);
  const ProgramPage* page = nullptr;
  if (!QTest::qWaitFor([&] { return (page = window.findChild<ProgramPage*>()) != nullptr; }, 20000)) return 1;
  QTest::keyClicks(page->editor(), typed);
  QTest::qWait(kKeptMs);
  std::puts("typed");
  std::fflush(stdout);
  return QApplication::exec();
}

}  // namespace

class UnsavedTextTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() {
    keepToOwnFolder();
    qputenv("WEFT_RECOVERY", folder_.filePath("recovery").toUtf8());
  }
  void cleanup() {
    if (window_) closeWindow();
    QDir(folder_.filePath("recovery")).removeRecursively();
  }

  void typedTextSurvivesKill() {
    const QString path = write("model.py", kFirst);
    typeAndKill(path, "yy");
    showWindow();
    QTRY_VERIFY2(messages().contains("model.py"), qPrintable(messages()));
    QVERIFY(window_->pressMessageButton("Recover"));
    QTRY_VERIFY_WITH_TIMEOUT(page() && page()->editor()->text() == QString("yyx = 1\n"), 20000);
    QVERIFY(buffer()->isModified());
    QCOMPARE(onDisk(path), QByteArray(kFirst));
    QVERIFY(window_->workspace().recovery().recoverable().isEmpty());
    QTRY_VERIFY2(messages().isEmpty(), qPrintable(messages()));
    // It is one undo step of the editor, and it is saved again, because this process may be killed, too.
    QTRY_COMPARE(textsKept(), 1);
    QVERIFY(run("edit.undo"));
    QCOMPARE(page()->editor()->text(), QString(kFirst));
    QVERIFY(run("edit.redo"));
    QVERIFY(run("file.save"));
    QCOMPARE(onDisk(path), QByteArray("yyx = 1\n"));
    QTRY_COMPARE(textsKept(), 0);
  }
  /// The file was changed after the crash: the text is there, and saving asks.
  void whatOthersWroteSinceIsNotLost() {
    const QString path = write("changed.py", kFirst);
    typeAndKill(path, "yy");
    write("changed.py", "x = 5\n");
    showWindow();
    QTRY_VERIFY(messages().contains("changed.py"));
    QVERIFY(window_->pressMessageButton("Recover"));
    QTRY_VERIFY_WITH_TIMEOUT(page() && page()->editor()->text() == QString("yyx = 1\n"), 20000);
    QVERIFY(!run("file.save"));
    QCOMPARE(onDisk(path), QByteArray("x = 5\n"));
    QVERIFY(window_->pressMessageButton("Overwrite"));
    QCOMPARE(onDisk(path), QByteArray("yyx = 1\n"));
  }
  void aProgramThatIsGoneComesBack() {
    const QString path = write("gone.py", kFirst);
    typeAndKill(path, "yy");
    QVERIFY(QFile::remove(path));
    showWindow();
    QTRY_VERIFY(messages().contains("gone.py"));
    QVERIFY(window_->pressMessageButton("Recover"));
    QTRY_VERIFY_WITH_TIMEOUT(page() && page()->editor()->text() == QString("yyx = 1\n"), 20000);
    QVERIFY(run("file.save"));
    QCOMPARE(onDisk(path), QByteArray("yyx = 1\n"));
  }
  void forgottenIsForgotten() {
    typeAndKill(write("forget.py", kFirst), "yy");
    showWindow();
    QTRY_VERIFY(messages().contains("forget.py"));
    QVERIFY(window_->pressMessageButton("Discard"));
    QTRY_VERIFY(window_->workspace().recovery().recoverable().isEmpty());
    closeWindow();
    showWindow();
    QTest::qWait(100);
    QVERIFY2(messages().isEmpty(), qPrintable(messages()));
  }
  void whatCannotBeReadSaysSo() {
    const QString session = folder_.filePath("recovery/ended");
    QVERIFY(QDir().mkpath(session));
    QFile torn(unsavedTextFile(session, 1));
    QVERIFY(torn.open(QIODevice::WriteOnly) && torn.write("torn") == 4);
    torn.close();
    showWindow();
    QTRY_VERIFY(messages().contains("unsaved work"));
    QVERIFY(window_->pressMessageButton("Recover"));
    QTRY_VERIFY2(messages().contains("contains no unsaved program text"), qPrintable(messages()));
    QVERIFY(QFile::exists(torn.fileName()));
  }
  void savedOrUndoneNothingIsKept() {
    showWindow();
    window_->workspace().open(write("saved.py", kFirst));
    QTRY_VERIFY_WITH_TIMEOUT(page() && page()->isVisible(), 10000);
    QTest::keyClicks(page()->editor(), "y");
    QTRY_COMPARE(textsKept(), 1);
    QVERIFY(run("edit.undo"));
    QTRY_COMPARE(textsKept(), 0);
    QTest::keyClicks(page()->editor(), "z");
    QTRY_COMPARE(textsKept(), 1);
    QVERIFY(run("file.close", {"--force"}));
    QTRY_COMPARE(textsKept(), 0);
  }

 private:
  ProgramPage* page() const { return window_->findChild<ProgramPage*>(); }
  TextBuffer* buffer() const { return window_->workspace().files().first()->text(); }
  QString messages() const { return window_->shownMessages().join('|'); }
  int textsKept() const {
    int sum = 0;
    for (const QString& session : QDir(folder_.filePath("recovery")).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
      sum += int(unsavedTextsIn(folder_.filePath("recovery/" + session)).size());
    return sum;
  }
  static void typeAndKill(const QString& path, const QString& typed) {
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(), {"--type", path, typed});
    QTRY_VERIFY_WITH_TIMEOUT(process.canReadLine() || process.state() == QProcess::NotRunning, 60000);
    QCOMPARE(process.readLine().trimmed(), QByteArray("typed"));
    ::kill(pid_t(process.processId()), SIGKILL);
    QVERIFY(process.waitForFinished(10000));
  }
};

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  if (argc == 4 && std::strcmp(argv[1], "--type") == 0) return typeAndWait(QString::fromLocal8Bit(argv[2]), QString::fromLocal8Bit(argv[3]));
  UnsavedTextTest test;
  return QTest::qExec(&test, argc, argv);
}

#include "tst_unsaved_text.moc"
