// The finder, the tour, the help and the bug report.
#include <QLineEdit>
#include <QTest>

#include "document/document.h"
#include "document/file_tab.h"
#include "graph_view/graph_view.h"
#include "main_window/document_page.h"
#include "main_window/finder.h"
#include "main_window/help_index.h"
#include "main_window/tour.h"
#include "support/zip_writer.h"
#include "window_fixture.h"

using namespace weft::app;

class GuideTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void theFinderFindsVariablesOfTheFileInFront() {
    window_->workspace().open(QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/metagraphs/collections_ref.index"));
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().currentFile(), 10000);
    const QString name = window_->workspace().currentFile()->tensors()->entries()[1].name;
    run("find.anything", {"$" + name});
    auto* finder = window_->findChild<Finder*>();
    QVERIFY(finder);
    QTRY_VERIFY(finder->isSettled());
    QVERIFY2(!finder->rows().isEmpty() && finder->rows().first() == "variable " + name, qPrintable(finder->rows().join('\n')));
    QTest::keyClick(finder->findChild<QLineEdit*>(), Qt::Key_Return);
    QCOMPARE(window_->workspace().currentFile()->selection(), 1);
  }
  void theFinderFindsOfEachKind_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("found");
    QTest::newRow("command") << ">zoom in" << "command Zoom in";
    QTest::newRow("node") << "@y" << "node a/y";
    QTest::newRow("tensor") << ":y" << "tensor a/y:0";
    QTest::newRow("op") << "%conv2d" << "op Conv2D";
    QTest::newRow("help") << "?first" << "help First steps";
    QTest::newRow("no prefix") << "a/y" << "node a/y";
  }
  void theFinderFindsOfEachKind() {
    QFETCH(QString, text);
    QFETCH(QString, found);
    open(write("f.pbtxt", kGraph));
    run("find.anything", {text});
    auto* finder = window_->findChild<Finder*>();
    QVERIFY(finder);
    QTRY_VERIFY(finder->isSettled());
    QVERIFY2(!finder->rows().isEmpty() && finder->rows().first().startsWith(found), qPrintable(finder->rows().mid(0, 3).join('\n')));
  }
  void theFinderSaysWhyACommandCannotBeUsed() {
    run("find.commands", {"save as"});
    auto* finder = window_->findChild<Finder*>();
    QTRY_VERIFY(finder && finder->isSettled());
    QVERIFY2(finder->rows().first().contains("No graph is open"), qPrintable(finder->rows().first()));
  }
  void aCommandWithWordsIsGivenFromTheFinder() {
    run("find.commands", {"settings.set ui/scale 125"});
    auto* finder = window_->findChild<Finder*>();
    QVERIFY(finder);
    QTest::keyClick(finder->findChild<QLineEdit*>(), Qt::Key_Return);
    QCOMPARE(window_->workspace().settings().get("ui/scale").toInt(), 125);
  }
  void theTourHasFiveSteps() {
    openTemplate();
    run("help.tour");
    auto* tour = window_->findChild<Tour*>();
    QVERIFY(tour && tour->isVisible());
    for (int step = 1; step < Tour::kSteps; ++step) {
      QTest::keyClick(tour, Qt::Key_Right);
      QCOMPARE(tour->step(), step);
      QVERIFY(window_->rect().contains(tour->geometry()));
    }
    QTest::keyClick(tour, Qt::Key_Escape);
    QTRY_VERIFY(!window_->findChild<Tour*>());
  }
  void helpFitsWhatHasTheKeyboard() {
    open(write("q.pbtxt", kGraph));
    window_->canvas()->selectNames({"a/y"});
    QCOMPARE(helpPageFor(window_->canvas(), window_->workspace(), *window_), QStringLiteral("op/Relu"));
    QVERIFY(helpText("op/Relu").contains("Relu"));
    QVERIFY(helpText("op/NoSuchOp").isEmpty());
    for (const HelpPage& page : helpPages()) QVERIFY2(!page.title.isEmpty() && !helpText(page.id).isEmpty(), qPrintable(page.id));
  }
  void helpExistsInBothLanguages() {
    for (const HelpPage& page : helpPages()) QVERIFY2(QFile::exists(QStringLiteral(":/weft/help/zh_CN/%1.md").arg(page.id)), qPrintable(page.id));
  }
  void aBugReportIsAnArchive() {
    openTemplate();
    const QString path = folder_.filePath("report.zip");
    QVERIFY(run("help.bug-report", {path, "with-document"}));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(bytes.startsWith("PK\x03\x04"));
    for (const char* name : {"versions.txt", "log.txt", "settings.txt", "last-actions.txt", "window.png", "document.weft"}) QVERIFY2(bytes.contains(name), name);
    const CommandResult bad = window_->actionRegistry().run("help.bug-report", {folder_.filePath("no/such/folder/r.zip")});
    QVERIFY(!bad.ok && bad.message.contains("r.zip"));
  }
  void aZipEntryIsStoredIfThatIsSmaller() {
    weft::ZipWriter zip;
    zip.add("a.txt", "x");
    zip.add("b.txt", std::string(10000, 'y'));
    const std::string bytes = zip.finish();
    QVERIFY(bytes.size() < 500);
    QVERIFY(bytes.find("a.txtx") != std::string::npos);
  }
};

QTEST_MAIN(GuideTest)
#include "tst_guide.moc"
