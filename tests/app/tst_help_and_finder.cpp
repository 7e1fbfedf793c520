// The finder, the tour, the help and the bug report.
#include <QFile>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>
#include <QTreeWidget>
#include <array>

#include "common/theme.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "graph_view/graph_view.h"
#include "main_window/document_page.h"
#include "main_window/finder.h"
#include "main_window/help_index.h"
#include "main_window/help_window.h"
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
    QTest::newRow("command") << ">zoom in"
                             << "command Zoom in";
    QTest::newRow("node") << "@y"
                          << "node a/y";
    QTest::newRow("tensor") << ":y"
                            << "tensor a/y:0";
    QTest::newRow("op") << "%conv2d"
                        << "op Conv2D";
    QTest::newRow("help") << "?first"
                          << "help First steps";
    QTest::newRow("no prefix") << "a/y"
                               << "node a/y";
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
  /// A gradient's name contains its op's name, and precedes it in the graph.
  void theVeryNameComesFirst_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QStringList>("expected");
    QTest::newRow("whole name") << "net/y" << QStringList{"net/y", "net/y_1", "net/y/part", "gradients/net/y_grad/net/y"};
    QTest::newRow("in capitals") << "NET/Y" << QStringList{"net/y", "net/y_1", "net/y/part", "gradients/net/y_grad/net/y"};
    QTest::newRow("beginning") << "net/y_" << QStringList{"net/y_1", "gradients/net/y_grad/net/y"};
    QTest::newRow("with an op") << "net/y op:Identity" << QStringList{"net/y/part", "gradients/net/y_grad/net/y"};
  }
  void theVeryNameComesFirst() {
    QFETCH(QString, typed);
    QFETCH(QStringList, expected);
    QByteArray graph;
    for (const auto& [name, op, input] : {std::array{"x", "Placeholder", ""},
                                          {"gradients/net/y_grad/net/y", "Identity", "x"},
                                          {"net/y_1", "Relu", "x"},
                                          {"net/y", "Relu", "x"},
                                          {"net/y/part", "Identity", "net/y"}}) {
      graph += QByteArray("node { name: \"") + name + "\" op: \"" + op + "\"" + (*input ? QByteArray(" input: \"") + input + "\"" : QByteArray());
      graph += QByteArray(" attr { key: \"") + (*input ? "T" : "dtype") + "\" value { type: DT_FLOAT } } }\n";
    }
    open(write("exact.pbtxt", graph));
    QTRY_VERIFY(window_->canvas());
    run("edit.find", {typed});
    auto* popup = window_->findChild<QFrame*>("find_popup");
    QVERIFY(popup);
    auto* list = popup->findChild<QTreeWidget*>();
    QStringList nodes;
    for (int i = 0; i < list->topLevelItemCount(); ++i) {
      if (list->topLevelItem(i)->text(1) != "scope") nodes << list->topLevelItem(i)->text(0);
    }
    QCOMPARE(nodes, expected);
    auto* field = popup->findChild<QLineEdit*>();
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_COMPARE(window_->workspace().current()->selection().size(), 1);
    QCOMPARE(window_->workspace().current()->selection().first(), list->topLevelItem(0)->text(0));
  }
  void theFinderTooShowsTheVeryNameFirst() {
    openTemplate();
    for (const QString& name : {QStringLiteral("evaluation/ArgMax"), QStringLiteral("hidden1/MatMul"), QStringLiteral("hidden1")}) {
      run("find.anything", {name});
      auto* finder = window_->findChild<Finder*>();
      QTRY_VERIFY(finder && finder->isSettled());
      QVERIFY2(!finder->rows().isEmpty() && finder->rows().first() == "node " + name, qPrintable(finder->rows().mid(0, 3).join('\n')));
      QTest::keyClick(finder->findChild<QLineEdit*>(), Qt::Key_Return);
      QTRY_COMPARE(window_->workspace().current()->selection(), QStringList{name});
    }
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
  void drawingsOfTheHelpAreThereInTheColoursOfTheTheme() {
    static const QRegularExpression picture("!\\[[^\\]]*\\]\\(([^)]+)\\)"), role("@([A-Z][A-Za-z0-9]*)");
    int drawings = 0;
    for (const char* language : {"en", "zh_CN"}) {
      for (const HelpPage& page : helpPages()) {
        QFile text(QString(":/weft/help/%1/%2.md").arg(language, page.id));
        QVERIFY(text.open(QIODevice::ReadOnly));
        const QString markdown = QString::fromUtf8(text.readAll());
        for (auto it = picture.globalMatch(markdown); it.hasNext();) {
          const QString name = it.next().captured(1);
          QFile file(":/weft/help/" + name);
          QVERIFY2(name.startsWith("api:") || file.open(QIODevice::ReadOnly), qPrintable(page.id + ": " + name));
          if (!name.endsWith(".svg")) continue;
          ++drawings;
          const QString svg = QString::fromUtf8(file.readAll());
          for (auto r = role.globalMatch(svg); r.hasNext();) {
            const QString word = r.next().captured(1);
            QVERIFY2(weft::widgets::Theme::roleNames().contains(word[0].toLower() + word.mid(1)), qPrintable(name + ": " + word));
          }
        }
      }
    }
    QCOMPARE(drawings, 12);
    window_->showHelp("theory");
    auto* browser = window_->findChild<HelpWindow*>()->findChild<QTextBrowser*>();
    for (const char* theme : {"dark", "light"}) {
      window_->setTheme(theme);
      QTRY_VERIFY(browser->document()->size().height() > 0);
      browser->document()->clear();  // pictures, too
      window_->showHelp("theory");
      const QImage image = browser->document()->resource(QTextDocument::ImageResource, QUrl("images/odds.svg")).value<QImage>();
      QVERIFY(image.width() > 200);
      QCOMPARE(image.pixelColor(image.width() / 2, 3), weft::widgets::Theme::current().color(weft::widgets::Role::Surface1));
    }
    window_->findChild<HelpWindow*>()->close();
  }
  /// The longest page of all is laid out as often as a short one; a change of the theme leaves the reader where he was, and windows in their order.
  void aPageOfTheHelpComesAsOneChange() {
    window_->showHelp("first-steps");
    auto* help = window_->findChild<HelpWindow*>();
    auto* browser = help->findChild<QTextBrowser*>();
    QTRY_VERIFY(browser->document()->size().height() > 0);
    QSignalSpy changes(browser->document(), &QTextDocument::contentsChanged);
    QVERIFY(run("help.actions"));
    QVERIFY(browser->toPlainText().contains("help.actions"));
    QVERIFY2(changes.size() <= 6, qPrintable(QString::number(changes.size())));
    QTRY_VERIFY(browser->verticalScrollBar()->maximum() > 500);
    browser->verticalScrollBar()->setValue(400);
    changes.clear();
    window_->setTheme("dark");
    QTRY_VERIFY(!changes.isEmpty());
    QTest::qWait(20);
    QVERIFY2(changes.size() <= 6, qPrintable(QString::number(changes.size())));
    QCOMPARE(browser->verticalScrollBar()->value(), 400);
    window_->setTheme("light");
  }
  void aBugReportIsAnArchive() {
    openTemplate();
    const QString path = folder_.filePath("report.zip");
    QVERIFY(run("help.bug-report", {path, "with-document"}));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(bytes.startsWith("PK\x03\x04"));
    for (const char* name : {"versions.txt", "log.txt", "settings.txt", "last-actions.txt", "window.png", "document.weft"})
      QVERIFY2(bytes.contains(name), name);
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
#include "tst_help_and_finder.moc"
