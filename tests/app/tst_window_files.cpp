// Files in the window: changed, deleted or half written by others, dropped, in two windows, come back, unsaved.
#include <QDropEvent>
#include <QMimeData>
#include <QPushButton>
#include <QTest>

#include "document/document.h"
#include "graph_view/graph_view.h"
#include "main_window/session.h"
#include "main_window/unsaved_dialog.h"
#include "window_fixture.h"

using namespace weft::app;

class WindowFilesTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void aFileThatAnotherProgramChangedIsAskedAbout() {
    const QString path = write("g.pbtxt", kGraph);
    open(path);
    write("g.pbtxt", QByteArray(kGraph) + "node { name: \"new\" op: \"NoOp\" }\n");
    QTRY_VERIFY_WITH_TIMEOUT(!window_->shownMessages().isEmpty(), 5000);
    QVERIFY(window_->shownMessages().first().contains("g.pbtxt"));
    QVERIFY(window_->pressMessageButton("Compare"));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->shownMessages().isEmpty() && window_->shownMessages().first().contains("new"), 5000);
    QVERIFY(!canvas()->ghostRect("new").isEmpty());  // nodes that only the file has are drawn
    QVERIFY(window_->pressMessageButton("Reload"));
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().current()->summary().nodes, 3, 5000);
    QCOMPARE(window_->workspace().documents().size(), 1);
    QVERIFY(window_->workspace().current()->hasNode("new"));
  }
  void aFileThatIsDeletedLeavesTheGraph() {
    const QString path = write("d.pbtxt", kGraph);
    open(path);
    QVERIFY(QFile::remove(path));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->shownMessages().isEmpty() && window_->shownMessages().first().contains("deleted"), 5000);
    QCOMPARE(window_->workspace().documents().size(), 1);
  }
  void aFileThatIsHalfWrittenKeepsWhatIsHere() {
    const QString path = write("h.pbtxt", kGraph);
    open(path);
    write("h.pbtxt", "node { name: \"x");
    QTRY_VERIFY_WITH_TIMEOUT(!window_->shownMessages().isEmpty(), 5000);
    QVERIFY(window_->pressMessageButton("Reload"));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->shownError().isEmpty(), 5000);
    QCOMPARE(window_->workspace().current()->summary().nodes, 2);
  }
  void ourOwnSavingIsNoChange() {
    open(write("s.pbtxt", kGraph));
    run("file.save", {folder_.filePath("s.pbtxt")});
    QTRY_VERIFY(!window_->workspace().isBusy());
    QTest::qWait(600);
    QVERIFY2(window_->shownMessages().isEmpty(), qPrintable(window_->shownMessages().join(' ')));
  }
  void theDocumentsComeBack() {
    const QString first = write("one.pbtxt", kGraph), second = write("two.pbtxt", kGraph);
    open(first);
    window_->canvas()->selectNames({"a/y"});
    open(second);
    window_->session().remember();
    while (!window_->workspace().documents().isEmpty()) window_->workspace().close(window_->workspace().documents().first());
    QVERIFY(QFile::remove(second));
    QCOMPARE(window_->session().restore(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().documents().size(), 1, 5000);
    QTRY_COMPARE(window_->workspace().current()->selection(), QStringList{"a/y"});
    QVERIFY(window_->shownMessages().first().contains("two.pbtxt"));
  }
  void filesOfEachKindCanBeDropped_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("opens");  // 0: a graph, 1: a tab of a file, 2: curves in the panels, 3: an error
    QTest::newRow("graph") << "metagraphs/collections_ref.meta" << 0;
    QTest::newRow("checkpoint") << "metagraphs/collections_ref.index" << 1;
    QTest::newRow("its data") << "metagraphs/collections_ref.data-00000-of-00001" << 1;
    QTest::newRow("model") << "savedmodels/functions_v2" << 0;
    QTest::newRow("array") << "arrays/float32.npy" << 1;
    QTest::newRow("records") << "tfrecord/examples.gz" << 1;
    QTest::newRow("model of Keras") << "keras/functional.h5" << 0;
    QTest::newRow("weights of Keras") << "keras/weights_only.h5" << 1;
    QTest::newRow("log folder") << "events/hparams" << 2;
    QTest::newRow("damaged") << "broken/lfs_pointer.pb" << 3;
    QTest::newRow("not there") << "no such file" << 3;
  }
  void filesOfEachKindCanBeDropped() {
    QFETCH(QString, name);
    QFETCH(int, opens);
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/") + name)});
    QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(window_.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(window_.get(), &drop);
    Workspace& workspace = window_->workspace();
    if (opens == 0) QTRY_COMPARE_WITH_TIMEOUT(workspace.documents().size(), 1, 10000);
    if (opens == 1) QTRY_COMPARE_WITH_TIMEOUT(workspace.files().size(), 1, 10000);
    if (opens == 2) QTRY_VERIFY_WITH_TIMEOUT(!workspace.summaries().runs().empty(), 10000);
    if (opens == 3) QTRY_VERIFY_WITH_TIMEOUT(!window_->shownError().isEmpty(), 10000);
    QTRY_VERIFY_WITH_TIMEOUT(!workspace.isBusy() && workspace.tasks().isEmpty(), 10000);
    if (opens != 3) QVERIFY2(window_->shownError().isEmpty(), qPrintable(window_->shownError()));
  }
  void openingCanBeCancelled() {
    Workspace& workspace = window_->workspace();
    QTRY_VERIFY_WITH_TIMEOUT(workspace.tasks().isEmpty(), 30000);
    QString error = "pending";
    workspace.open(QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/tfrecord/examples.gz"), [&](const QString& e) { error = e; });
    QCOMPARE(workspace.tasks().running().size(), 1);
    workspace.tasks().cancel(workspace.tasks().running().first().id);
    QVERIFY2(error.contains("cancelled"), qPrintable(error));
    QVERIFY(!workspace.isBusy());
    QTest::qWait(300);  // results read by then are dropped
    QVERIFY(workspace.files().isEmpty());
  }
  void aFileInTwoWindowsIsToldOf() {
    const QString path = write("both.pbtxt", kGraph);
    MainWindow first(Settings::Kind::User), second(Settings::Kind::User);
    for (MainWindow* window : {&first, &second}) {
      window->setLanguage("en");
      window->show();
      window->workspace().open(path);
      QTRY_COMPARE_WITH_TIMEOUT(window->workspace().documents().size(), 1, 10000);
    }
    QTRY_VERIFY2(second.shownMessages().join(' ').contains("open in another window"), qPrintable(second.shownMessages().join(' ')));
    QVERIFY(!first.shownMessages().join(' ').contains("open in another window"));
    // Closing it releases it.
    for (MainWindow* window : {&first, &second}) window->workspace().close(window->workspace().documents().first());
    second.workspace().open(path);
    QTRY_COMPARE_WITH_TIMEOUT(second.workspace().documents().size(), 1, 10000);
    QVERIFY(!second.shownMessages().join(' ').contains("open in another window"));
    for (MainWindow* window : {&first, &second}) QTRY_VERIFY_WITH_TIMEOUT(window->workspace().tasks().isEmpty() && window->isSettled(), 30000);
  }
  void tabsComeBackAsTheyStood() {
    QStringList paths;
    for (const char* name : {"s1.pbtxt", "s2.pbtxt", "s3.pbtxt"}) paths << write(name, kGraph);
    for (const QString& path : paths) open(path);
    const QString array = QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/arrays/float32.npy");
    window_->workspace().open(array);
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().files().size(), 1, 10000);
    window_->session().remember();
    while (!window_->workspace().documents().isEmpty()) window_->workspace().close(window_->workspace().documents().first());
    window_->workspace().closeFile(window_->workspace().files().first());
    QCOMPARE(window_->session().restore(), 4);
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().files().size(), 1, 10000);
    QStringList back;
    for (const Document* document : window_->workspace().documents()) back << document->path();
    QCOMPARE(back, paths);
    QTRY_VERIFY(window_->workspace().currentFile());  // it was in front
  }
  void aDocumentOfANewerWeftIsNotWrittenOver() {
    // DocumentInfo { schema_version: 99 } in the collection `weft/document`.
    const QByteArray meta =
        "graph_def { " + QByteArray(kGraph).replace("\n", " ") + " }\n" +
        "collection_def { key: 'weft/document' value { any_list { value { type_url: 'type.googleapis.com/weft.document.DocumentInfo' value: '\\010c' } } } }\n";
    const QString path = write("new.weft.pbtxt", meta);
    open(path);
    QVERIFY2(!window_->shownMessages().isEmpty() && window_->shownMessages().first().contains("newer Weft"), qPrintable(window_->shownMessages().join(' ')));
    const CommandResult same = window_->actionRegistry().run("file.save");
    QVERIFY(!same.ok && same.message.contains("newer Weft"));
    QVERIFY(run("file.save", {folder_.filePath("copy.weft.pbtxt")}));
    QTRY_VERIFY(!window_->workspace().isBusy());
    QVERIFY(QFile::exists(folder_.filePath("copy.weft.pbtxt")));
  }
  void unsavedWorkIsAskedFor() {
    open(write("u.pbtxt", kGraph));
    UnsavedDialog dialog({window_->workspace().current()}, window_.get());
    QCOMPARE(dialog.chosen().size(), 1);
    QTest::keyClick(&dialog, Qt::Key_Escape);
    QCOMPARE(dialog.answer(), UnsavedDialog::Answer::Cancel);
    for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
      if (button->text().contains("Discard")) button->click();
    }
    QCOMPARE(dialog.answer(), UnsavedDialog::Answer::Discard);
  }
};

QTEST_MAIN(WindowFilesTest)
#include "tst_window_files.moc"
