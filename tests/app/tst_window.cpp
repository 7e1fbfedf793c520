// The frame: actions, accessible names, layouts, keys, sessions, files that change, messages, the finder.
#include <QAbstractButton>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QMenu>
#include <QTest>
#include <QThread>
#include <memory>

#include "commands/fuzzy.h"
#include "common/empty_state.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "graph_view/graph_view.h"
#include "main_window/document_page.h"
#include "main_window/file_watch.h"
#include "main_window/finder.h"
#include "main_window/help_index.h"
#include "main_window/language_spread.h"
#include "main_window/main_window.h"
#include "main_window/menus.h"
#include "main_window/notifier.h"
#include "main_window/page_bar.h"
#include "main_window/session.h"
#include "main_window/tour.h"
#include "main_window/unsaved_dialog.h"
#include "support/zip_writer.h"

using namespace weft::app;

namespace {

const char* kGraph = "node { name: \"x\" op: \"Placeholder\" attr { key: \"dtype\" value { type: DT_FLOAT } } }\n"
                     "node { name: \"a/y\" op: \"Relu\" input: \"x\" attr { key: \"T\" value { type: DT_FLOAT } } }\n";

/// Parts of Qt's own composite widgets, which speak through their owner.
bool isInternal(const QWidget* widget) {
  const QString name = widget->objectName();
  if (name.startsWith(QLatin1String("qt_"))) return true;
  for (const QWidget* p = widget->parentWidget(); p; p = p->parentWidget()) {
    if (p->inherits("QAbstractSpinBox") || p->inherits("QComboBox") || p->inherits("QLineEdit") || p->inherits("QKeySequenceEdit") || p->inherits("QTabBar") ||
        p->inherits("QMenuBar") || p->inherits("QHeaderView") || p->inherits("QAbstractItemView"))
      return true;
  }
  return widget->inherits("QHeaderView") || widget->inherits("QScrollBar") || widget->inherits("QMenu") || widget->inherits("QTabBar");
}

}  // namespace

class WindowTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    for (const char* name : {"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"}) qputenv(name, folder_.path().toUtf8());
  }
  void init() {
    window_ = std::make_unique<MainWindow>(Settings::Kind::InMemory);
    window_->setLanguage("en");
    window_->resize(1400, 900);
    window_->show();
  }
  void cleanup() {
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().tasks().isEmpty() && window_->isSettled(), 30000);
    window_.reset();
  }

  void everyActionSaysWhatItDoesAndHasAKeyOrAReason() {
    openTemplate();
    const ActionRegistry& actions = window_->actionRegistry();
    QStringList wrong;
    for (const QString& id : actions.ids()) {
      const ActionRecord& record = actions.record(id);
      if (!*record.toolTip) wrong << id + ": no tooltip";
      if (ActionRegistry::plainText(record).isEmpty()) wrong << id + ": no text";
      if (actions.shortcuts(id).isEmpty() && actions.whyNoShortcut(id).isEmpty()) wrong << id + ": neither key nor reason";
      // Those that are never of use at the same time may share a key (training and debugger).
      for (const QString& other : actions.conflicts(id, actions.shortcuts(id))) {
        if (actions.disabledReason(id).isEmpty() && actions.disabledReason(other).isEmpty()) wrong << id + ": has a key of " + other;
      }
      if (!record.icon.isEmpty() && actions.action(id)->icon().isNull()) wrong << id + ": there is no icon " + record.icon;
      if (!id.contains('.')) wrong << id + ": no category";
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
  }
  void everyMenuEntryIsAnAction() {
    QStringList inner;
    for (const MenuRecord& menu : submenuRecords()) inner << u'>' + QLatin1String(menu.key);
    for (const MenuRecord& menu : menuRecords() + submenuRecords()) {
      for (const QString& entry : menu.entries) {
        if (entry == "-" || entry == "recent" || entry == "docks" || entry == "layouts" || inner.removeOne(entry)) continue;
        QVERIFY2(window_->actionRegistry().contains(entry), qPrintable(entry));
      }
    }
    QVERIFY2(inner.isEmpty(), qPrintable(inner.join(u' ')));
  }
  void noMenuIsHigherThanASmallScreen() {
    for (const QMenu* menu : window_->findChildren<QMenu*>()) {
      if (menu->objectName().startsWith("menu_")) QVERIFY2(menu->sizeHint().height() <= 760, qPrintable(QStringLiteral("%1: %2").arg(menu->objectName()).arg(menu->sizeHint().height())));
    }
  }
  void everyWidgetThatTakesTheKeyboardHasAName() {
    openTemplate();
    QStringList nameless;
    const auto look = [&](QWidget* root, const QString& where) {
      for (QWidget* widget : root->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || isInternal(widget) || !widget->isVisible()) continue;
        const QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
        if (!interface) continue;
        if (!interface->text(QAccessible::Name).isEmpty() || !widget->toolTip().isEmpty()) continue;
        nameless << QStringLiteral("%1: %2 \"%3\"").arg(where, QLatin1String(widget->metaObject()->className()), widget->objectName());
      }
    };
    for (const QString& mode : window_->layouts()) {
      window_->useLayout(mode);
      for (const QString& id : window_->viewIds()) {
        window_->showView(id);
        QCoreApplication::processEvents();
        look(window_->viewWidget(id), id);
      }
      if (mode == "compose") look(window_.get(), "window");
    }
    for (const char* id : {"settings.open", "help.keys", "help.about", "help.first-steps", "help.bug-report"}) {
      window_->actionRegistry().run(id);
      QCoreApplication::processEvents();
    }
    for (QWidget* dialog : window_->findChildren<QDialog*>()) look(dialog, dialog->objectName());
    nameless.removeDuplicates();
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join('\n')));
  }

  void aLayoutIsKeptUnderAName() {
    openTemplate();
    window_->showView("log");
    window_->showView("inspector", false);
    QVERIFY(run("layout.save", {"mine"}));
    QVERIFY(!run("layout.save", {"debug"}));  // the name of a mode
    QVERIFY(!run("layout.save", {"  "}));
    window_->resetLayout();
    QVERIFY(window_->isViewOpen("inspector"));
    QVERIFY(run("layout.use", {"mine"}));
    QVERIFY(!window_->isViewOpen("inspector"));
    QVERIFY(run("layout.remove", {"mine"}));
    QVERIFY(!run("layout.use", {"mine"}));
  }
  void eachModeRemembersItsDocks() {
    openTemplate();
    window_->showView("inspector", false);
    window_->useLayout("debug");
    window_->showView("inspector");
    window_->useLayout("compose");
    QVERIFY(!window_->isViewOpen("inspector"));
    window_->useLayout("debug");
    QVERIFY(window_->isViewOpen("inspector"));
  }
  void aDockLeftOnAScreenThatIsGoneComesBack() {
    openTemplate();
    window_->setViewFloating("log", true);
    auto* dock = window_->findChild<QDockWidget*>("dock_log");
    QVERIFY(dock && dock->isFloating());
    dock->move(20000, 20000);
    QVERIFY(run("layout.save", {"far"}));
    window_->resetLayout();
    QVERIFY(!dock->isFloating());
    QVERIFY(run("layout.use", {"far"}));
    QVERIFY(dock->isFloating());
    QVERIFY(window_->screen()->availableGeometry().intersects(dock->frameGeometry()));
  }
  void aLayoutThatCannotBeReadIsReplaced() {
    openTemplate();
    window_->workspace().settings().setValue("layout/modes/train", QVariantMap{{"state", QByteArray("rubbish")}, {"views", window_->viewIds()}});
    window_->useLayout("train");
    QCOMPARE(window_->layout(), QStringLiteral("train"));
    QVERIFY(window_->isViewOpen("scalars"));
  }

  void keysAreChangedAndKept() {
    ActionRegistry& actions = window_->actionRegistry();
    QVERIFY(run("settings.key", {"graph.fit", "Ctrl+Shift+7"}));
    QCOMPARE(actions.action("graph.fit")->shortcut(), QKeySequence("Ctrl+Shift+7"));
    const CommandResult clash = actions.run("settings.key", {"file.open", "Ctrl+S"});
    QVERIFY(!clash.ok && clash.message.contains("Save"));
    QVERIFY(!run("settings.key", {"no.such", "A"}));
    QVERIFY(!run("settings.key", {"file.open", "Nonsense+Q+"}));
    QVERIFY(run("settings.key", {"graph.fit", "default"}));
    QCOMPARE(actions.action("graph.fit")->shortcut(), QKeySequence("A"));
  }
  void aCanvasKeyThatWasGivenAwayActsNoMore() {
    openTemplate();
    widgets()->setZoom(2);
    QVERIFY(run("settings.key", {"graph.fit", "Y"}));
    QTest::keyClick(widgets(), Qt::Key_A);
    QCOMPARE(widgets()->zoom(), 2.0);
    QVERIFY(run("settings.reset-keys"));
    QTest::keyClick(widgets(), Qt::Key_A);
    QVERIFY(widgets()->zoom() < 2);
  }
  void settingsHaveRanges() {
    QVERIFY(run("settings.set", {"ui/scale", "150"}));
    QCOMPARE(window_->workspace().settings().get("ui/scale").toInt(), 150);
    QVERIFY(!run("settings.set", {"ui/scale", "1000"}));
    QVERIFY(!run("settings.set", {"ui/theme", "pink"}));
    QVERIFY(!run("settings.set", {"file/watch", "perhaps"}));
    QVERIFY(!run("settings.set", {"no/such", "1"}));
  }

  void aFileThatAnotherProgramChangedIsAskedAbout() {
    const QString path = write("g.pbtxt", kGraph);
    open(path);
    write("g.pbtxt", QByteArray(kGraph) + "node { name: \"new\" op: \"NoOp\" }\n");
    QTRY_VERIFY_WITH_TIMEOUT(!window_->shownMessages().isEmpty(), 5000);
    QVERIFY(window_->shownMessages().first().contains("g.pbtxt"));
    QVERIFY(window_->pressMessageButton("Compare"));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->shownMessages().isEmpty() && window_->shownMessages().first().contains("new"), 5000);
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
    QTest::newRow("model") << "savedmodels/functions_v2" << 1;
    QTest::newRow("array") << "arrays/float32.npy" << 1;
    QTest::newRow("records") << "tfrecord/examples.gz" << 1;
    QTest::newRow("weights of Keras") << "keras/functional.h5" << 1;
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
    QTest::qWait(300);  // what was read by then is dropped
    QVERIFY(workspace.files().isEmpty());
  }
  void aLongJobIsToldOfWhileAnotherWindowIsInFront() {
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().tasks().isEmpty(), 30000);
    QVERIFY(run("settings.set", {"notify/after", "1"}));
    QWidget other;
    other.show();
    other.activateWindow();
    QTRY_VERIFY(!window_->isActiveWindow());
    Tasks& tasks = window_->workspace().tasks();
    tasks.start("A short job", [](TaskState&) {}, {});
    QTRY_VERIFY(tasks.isEmpty());
    QCOMPARE(window_->notifier().last(), QString());
    tasks.start("A long job", [](TaskState&) { QThread::msleep(1200); }, {});
    QTRY_VERIFY(tasks.isEmpty());
    QVERIFY2(window_->notifier().last().startsWith("A long job"), qPrintable(window_->notifier().last()));
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
    // Who closes it lets it go.
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
  /// Each widget gets the new language, in slices that leave the event loop free.
  void theLanguageChangesWhileTheProgramRuns() {
    openTemplate();
    window_->useLayout("train");
    auto* spread = window_->findChild<LanguageSpread*>();
    QVERIFY(spread);
    const QString english = window_->actionRegistry().action("file.open")->text();
    window_->setLanguage("zh_CN");
    QCoreApplication::sendPostedEvents();
    QVERIFY(spread->isBusy());
    window_->setLanguage("en");  // before the first was through
    window_->setLanguage("zh_CN");
    QCoreApplication::sendPostedEvents();
    QTRY_VERIFY(!spread->isBusy());
    QVERIFY(window_->actionRegistry().action("file.open")->text() != english);
    bool chinese = false;
    for (const QLabel* label : window_->viewWidget("runs")->findChildren<QLabel*>())
      for (const QChar c : label->text()) chinese = chinese || c.script() == QChar::Script_Han;
    QVERIFY(chinese);
    window_->setLanguage("en");
    QCoreApplication::sendPostedEvents();
    QTRY_VERIFY(!spread->isBusy());
    QCOMPARE(window_->actionRegistry().action("file.open")->text(), english);
  }
  void theLegendShowsWhatFits() {
    using Entry = LegendStrip::Entry;
    LegendStrip strip;
    QVector<Entry> entries;
    for (const char* name : {"math", "neural net", "variable", "control flow", "data"}) entries << Entry{Qt::red, QLatin1String(name), LegendStrip::Mark::Square};
    strip.setEntries(entries);
    const int whole = strip.sizeHint().width();
    QCOMPARE(strip.fitting(whole), entries);
    const QVector<Entry> some = strip.fitting(whole - 20);
    QCOMPARE(some.size(), 4);
    QCOMPARE(some.last(), entries.last());  // the last one stays
    QCOMPARE(some.mid(0, 3), entries.mid(0, 3));
    QVERIFY(strip.fitting(40).isEmpty());
    strip.setEntries({});
    QVERIFY(strip.fitting(1000).isEmpty());
    QCOMPARE(strip.sizeHint().width(), 0);
  }

  void theCrumbsAreLinks() {
    CrumbBar bar;
    bar.setPath({{QStringLiteral("main"), QStringLiteral("main")}, {QStringLiteral("conv1"), QStringLiteral("conv1")}, {QStringLiteral("inner"), QStringLiteral("conv1/inner")}});
    bar.resize(bar.sizeHint());
    QSignalSpy chosen(&bar, &CrumbBar::chosen);
    QTest::mouseClick(&bar, Qt::LeftButton, {}, {3, bar.height() / 2});
    QTest::mouseClick(&bar, Qt::LeftButton, {}, {bar.width() - 3, bar.height() / 2});
    QCOMPARE(chosen.size(), 2);
    QCOMPARE(chosen[0][0].toString(), QStringLiteral("main"));
    QCOMPARE(chosen[1][0].toString(), QStringLiteral("conv1/inner"));
    QVERIFY(bar.accessibleName().contains(QStringLiteral("conv1")));
  }

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
  void aDocumentOfANewerWeftIsNotWrittenOver() {
    // DocumentInfo { schema_version: 99 } in the collection `weft/document`.
    const QByteArray meta = "graph_def { " + QByteArray(kGraph).replace("\n", " ") + " }\n" +
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

  /// The height of its text is that for the present width, not for the narrow one that it had before.
  void anEmptyStateStaysTogetherWhenItGrows() {
    weft::widgets::EmptyState state("check", "Nothing yet", "A sentence that is long enough to stand in several lines as soon as there is little room for it.");
    state.setButton("Begin", "play");
    state.resize(100, 30);
    state.show();
    QCoreApplication::processEvents();
    state.resize(900, 300);
    QCoreApplication::processEvents();
    const QLabel* text = nullptr;
    for (const QLabel* label : state.findChildren<QLabel*>()) {
      if (label->wordWrap()) text = label;
    }
    const auto* button = state.findChild<QPushButton*>();
    QVERIFY(text && button && text->isVisible());
    QVERIFY2(text->height() < 80, qPrintable(QString::number(text->height())));
    QVERIFY(button->y() - text->geometry().bottom() < 16);
  }
  void messagesAreStackedAndAnswered() {
    int pressed = 0;
    window_->showMessage({Message::Kind::Note, "a", "first", {{"Do it", [&] { ++pressed; }}}});
    window_->showError("broken");
    QCOMPARE(window_->shownMessages(), (QStringList{"broken", "first"}));
    window_->showError("broken again");  // takes the place of the error before
    QCOMPARE(window_->shownMessages(), (QStringList{"broken again", "first"}));
    QVERIFY(!window_->pressMessageButton("Do it"));  // not the newest
    window_->withdrawMessage("no such");
    window_->showMessage({Message::Kind::Note, "a", "second", {{"Do it", [&] { ++pressed; }}}});
    QVERIFY(window_->pressMessageButton("Do it"));
    QCOMPARE(pressed, 1);
    QCOMPARE(window_->shownMessages(), QStringList{"broken again"});
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

 private:
  weft::widgets::GraphView* widgets() { return window_->canvas(); }
  bool run(const char* id, const QStringList& words = {}) { return window_->actionRegistry().run(id, words).ok; }
  QString write(const QString& name, const QByteArray& bytes) {
    QFile file(folder_.filePath(name));
    if (file.open(QIODevice::WriteOnly)) file.write(bytes);
    return file.fileName();
  }
  void open(const QString& path) {
    const auto before = window_->workspace().documents().size();
    window_->workspace().open(path);
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().documents().size(), before + 1, 10000);
    QCoreApplication::processEvents();
  }
  void openTemplate() {
    window_->workspace().newFromTemplate("mlp");
    QTRY_VERIFY_WITH_TIMEOUT(window_->canvas(), 30000);
    QTest::qWait(50);
  }

  QTemporaryDir folder_;
  std::unique_ptr<MainWindow> window_;
};

QTEST_MAIN(WindowTest)
#include "tst_window.moc"
