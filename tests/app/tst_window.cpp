// The frame: actions, accessible names, layouts, keys, languages, messages.
#include <QAccessible>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <QToolBar>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>

#include "commands/key_owners.h"
#include "common/empty_state.h"
#include "document/debug_controller.h"
#include "document/document.h"
#include "main_window/document_page.h"
#include "main_window/finder.h"
#include "main_window/help_index.h"
#include "main_window/menus.h"
#include "main_window/message_bar.h"
#include "main_window/notifier.h"
#include "main_window/retranslator.h"
#include "main_window/start_cards.h"
#include "shell/action_registry.h"
#include "shell/page_bar.h"
#include "window_fixture.h"

using namespace weft::app;

namespace {

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

class WindowTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { closeWindow(); }

  void everyActionSaysWhatItDoesAndHasAKeyOrAReason() {
    openTemplate();
    const ActionRegistry& actions = window_->actionRegistry();
    const KeyOwners& keys = KeyOwners::of(window_->actionRegistry());
    QStringList wrong;
    for (const QString& id : actions.ids()) {
      const ActionRecord& record = actions.record(id);
      if (!*record.toolTip) wrong << id + ": no tooltip";
      if (ActionRegistry::plainText(record).isEmpty()) wrong << id + ": no text";
      if (actions.shortcuts(id).isEmpty() && actions.whyNoShortcut(id).isEmpty()) wrong << id + ": neither key nor reason";
      // Two commands share a key only if one yields it whenever the other can be used: to Qt the key would be ambiguous, and do nothing.
      for (const QString& other : actions.conflicts(id, actions.shortcuts(id)))
        if (keys.yieldsTo(id) != other && keys.yieldsTo(other) != id) wrong << id + ": has a key of " + other;
      // Linux takes Ctrl+Alt+F1…F12 for its text consoles.
      for (const QKeySequence& key : actions.defaultShortcuts(id)) {
        const int code = key[0].key();
        if (code >= Qt::Key_F1 && code <= Qt::Key_F12 && key[0].keyboardModifiers().testFlags(Qt::ControlModifier | Qt::AltModifier))
          wrong << id + ": " + key.toString() + " never reaches a program";
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
      if (menu->objectName().startsWith("menu_"))
        QVERIFY2(menu->sizeHint().height() <= 760, qPrintable(QStringLiteral("%1: %2").arg(menu->objectName()).arg(menu->sizeHint().height())));
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
    canvas()->setZoom(2);
    QVERIFY(run("settings.key", {"graph.fit", "Y"}));
    QTest::keyClick(canvas(), Qt::Key_A);
    QCOMPARE(canvas()->zoom(), 2.0);
    QVERIFY(run("settings.reset-keys"));
    QTest::keyClick(canvas(), Qt::Key_A);
    QVERIFY(canvas()->zoom() < 2);
  }
  void settingsHaveRanges() {
    QVERIFY(run("settings.set", {"ui/scale", "150"}));
    QCOMPARE(window_->workspace().settings().get("ui/scale").toInt(), 150);
    QVERIFY(!run("settings.set", {"ui/scale", "1000"}));
    QVERIFY(!run("settings.set", {"ui/theme", "pink"}));
    QVERIFY(!run("settings.set", {"file/watch", "perhaps"}));
    QVERIFY(!run("settings.set", {"no/such", "1"}));
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
  /// Each widget gets the new language, in slices that leave the event loop free.
  void theLanguageChangesWhileTheProgramRuns() {
    openTemplate();
    window_->useLayout("train");
    auto* retranslator = window_->findChild<Retranslator*>();
    QVERIFY(retranslator);
    const QString english = window_->actionRegistry().action("file.open")->text();
    window_->setLanguage("zh_CN");
    QCoreApplication::sendPostedEvents();
    QVERIFY(retranslator->isBusy());
    window_->setLanguage("en");  // before the first was through
    window_->setLanguage("zh_CN");
    QCoreApplication::sendPostedEvents();
    QTRY_VERIFY(!retranslator->isBusy());
    QVERIFY(window_->actionRegistry().action("file.open")->text() != english);
    bool chinese = false;
    for (const QLabel* label : window_->viewWidget("runs")->findChildren<QLabel*>())
      for (const QChar c : label->text()) chinese = chinese || c.script() == QChar::Script_Han;
    QVERIFY(chinese);
    window_->setLanguage("en");
    QCoreApplication::sendPostedEvents();
    QTRY_VERIFY(!retranslator->isBusy());
    QCOMPARE(window_->actionRegistry().action("file.open")->text(), english);
  }
  /// The bar's message stays until answered: it is retranslated, and its buttons keep working.
  void messagesChangeTheirLanguage() {
    openTemplate();
    auto* bar = window_->findChild<MessageBar*>();
    auto* retranslator = window_->findChild<Retranslator*>();
    QVERIFY(bar && retranslator);
    const auto hasChinese = [](const QString& text) { return std::any_of(text.begin(), text.end(), [](QChar c) { return c.script() == QChar::Script_Han; }); };
    bool pressed = false;
    window_->tell([&pressed] {
      return Message{Message::Kind::Note,
                     QStringLiteral("test"),
                     QCoreApplication::translate("weft::app::MainWindow", "New to Weft? Five steps show you around."),
                     {{QCoreApplication::translate("weft::app::MainWindow", "Start the tour"), [&pressed] { pressed = true; }}}};
    });
    window_->showMessage({Message::Kind::Error, QStringLiteral("engine"), QStringLiteral("loss: 9 is outside the range")});
    QCOMPARE(bar->texts().size(), 2);
    const QString english = bar->texts().last();
    window_->setLanguage("zh_CN");
    QCoreApplication::sendPostedEvents();
    QTRY_VERIFY(!retranslator->isBusy());
    QVERIFY2(hasChinese(bar->texts().last()), qPrintable(bar->texts().last()));
    QCOMPARE(bar->texts().first(), QStringLiteral("loss: 9 is outside the range"));  // said by the engine, in its own words
    window_->withdrawMessage(QStringLiteral("engine"));
    QVERIFY(!bar->press(QStringLiteral("Start the tour")));
    window_->setLanguage("en");
    QCoreApplication::sendPostedEvents();
    QTRY_VERIFY(!retranslator->isBusy());
    QCOMPARE(bar->texts().last(), english);
    QVERIFY(bar->press(QStringLiteral("Start the tour")));
    QVERIFY(pressed);
  }
  void theLegendShowsWhatFits() {
    using Entry = LegendStrip::Entry;
    LegendStrip strip;
    QVector<Entry> entries;
    for (const char* name : {"math", "neural net", "variable", "control flow", "data"})
      entries << Entry{Qt::red, QLatin1String(name), LegendStrip::Mark::Square};
    strip.setEntries(entries);
    const int whole = strip.sizeHint().width();
    QCOMPARE(strip.fitting(whole), entries);
    const QVector<Entry> some = strip.fitting(whole - 20);
    QCOMPARE(some.size(), 4);
    QCOMPARE(some.last(), entries.last());  // the last one stays
    QCOMPARE(some.mid(0, 3), entries.mid(0, 3));
    QVERIFY(strip.fitting(40).isEmpty());
    // With few colours, the note on marks is dropped first.
    strip.setEntries({entries[0], entries[1], Entry{Qt::red, QStringLiteral("changes state"), LegendStrip::Mark::Loop}});
    QCOMPARE(strip.fitting(strip.sizeHint().width() - 10), entries.mid(0, 2));
    // The meaning of lines stays beside three colours.
    const Entry data{Qt::blue, QStringLiteral("data"), LegendStrip::Mark::Wire}, control{Qt::gray, QStringLiteral("control"), LegendStrip::Mark::Dashes};
    const Entry state{Qt::red, QStringLiteral("changes state"), LegendStrip::Mark::Loop};
    strip.setEntries(QVector<Entry>(entries) << data << control << state);
    QCOMPARE(strip.fitting(strip.sizeHint().width() - 60), QVector<Entry>(entries.mid(0, 3)) << data << control << state);
    QCOMPARE(strip.fitting(strip.sizeHint().width() - 200), QVector<Entry>(entries.mid(0, 3)) << data << control);
    strip.setEntries({});
    QVERIFY(strip.fitting(1000).isEmpty());
    QCOMPARE(strip.sizeHint().width(), 0);
  }
  /// The bars are made while the start page hides them, and are shown with the first document.
  void nothingInTheBarsIsCut() {
    QTest::qWait(50);
    openTemplate();
    for (const char* name : {"run_bar", "mode_bar"}) {
      const auto* bar = window_->findChild<QToolBar*>(QLatin1String(name));
      QVERIFY(bar && bar->isVisible());
      QTRY_VERIFY_WITH_TIMEOUT(!bar->findChildren<QToolButton*>().isEmpty() && bar->width() > 1, 5000);
      for (const QToolButton* button : bar->findChildren<QToolButton*>()) {
        if (!button->isVisible()) continue;
        const QRegion seen = button->visibleRegion();
        QVERIFY2(
            seen.boundingRect() == button->rect(),
            qPrintable(QString("%1: of %2 only %3x%4 are seen").arg(name, button->text()).arg(seen.boundingRect().width()).arg(seen.boundingRect().height())));
      }
    }
  }
  /// Users may double-click: one document opens, and its canvas ignores the second click.
  void aDoubleClickOnACardOpensOne() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->findChildren<Card*>().isEmpty(), 30000);
    Card* card = window_->findChildren<Card*>().front();
    QTest::mouseClick(card, Qt::LeftButton);
    QTest::mouseDClick(card, Qt::LeftButton);
    QTest::mouseRelease(card, Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(window_->canvas(), 30000);
    QSignalSpy asked(window_->canvas(), &weft::widgets::GraphView::addRequested);
    QTest::mouseDClick(window_->canvas(), Qt::LeftButton, {}, {8, 8});
    QCOMPARE(asked.size(), 0);
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().tasks().isEmpty() && window_->isSettled(), 30000);
    QCOMPARE(window_->workspace().documents().size(), 1);
    QTest::mousePress(window_->canvas(), Qt::LeftButton, {}, {8, 8});
    QTest::mouseRelease(window_->canvas(), Qt::LeftButton, {}, {8, 8});
    QTest::mouseDClick(window_->canvas(), Qt::LeftButton, {}, {8, 8});
    QCOMPARE(asked.size(), 1);
  }
  void theCrumbsAreLinks() {
    CrumbBar bar;
    bar.setPath({{QStringLiteral("main"), QStringLiteral("main")},
                 {QStringLiteral("conv1"), QStringLiteral("conv1")},
                 {QStringLiteral("inner"), QStringLiteral("conv1/inner")}});
    bar.resize(bar.sizeHint());
    QSignalSpy chosen(&bar, &CrumbBar::chosen);
    QTest::mouseClick(&bar, Qt::LeftButton, {}, {3, bar.height() / 2});
    QTest::mouseClick(&bar, Qt::LeftButton, {}, {bar.width() - 3, bar.height() / 2});
    QCOMPARE(chosen.size(), 2);
    QCOMPARE(chosen[0][0].toString(), QStringLiteral("main"));
    QCOMPARE(chosen[1][0].toString(), QStringLiteral("conv1/inner"));
    QVERIFY(bar.accessibleName().contains(QStringLiteral("conv1")));
  }
  /// In a narrow dock, unset columns are hidden; set ones are shown, without horizontal scrolling.
  void breakpointsFitIntoANarrowDock() {
    openTemplate();
    window_->actionRegistry().run(QStringLiteral("layout.use"), {QStringLiteral("debug")});
    Document* document = window_->workspace().current();
    weft::Breakpoint point;
    point.place = document->model()->nodeName(0).toStdString();
    point.condition = "iteration == 5";
    QCOMPARE(window_->workspace().debugger().setBreakpoint(document, point), QString());
    QWidget* dock = window_->viewWidget(QStringLiteral("breakpoints"));
    auto* list = dock->findChild<QTreeWidget*>();
    QVERIFY(list);
    const auto fits = [list] {
      int width = 0;
      for (int c = 0; c < list->columnCount(); ++c) width += list->isColumnHidden(c) ? 0 : list->columnWidth(c);
      return width <= list->viewport()->width() + 1;
    };
    QTRY_VERIFY(list->isColumnHidden(3) && list->isColumnHidden(4) && fits());
    list->topLevelItem(0)->setText(3, QStringLiteral("2"));
    QTRY_VERIFY(!list->isColumnHidden(3));
  }
  /// The height of its text is that for the present width, not for the narrow one that it had before.
  void longNamesOfOpsFitIntoTheInspector() {
    openTemplate();
    auto* scroll = window_->viewWidget("inspector")->findChild<QScrollArea*>();
    QVERIFY(scroll);
    window_->workspace().current()->setSelection({"cross_entropy"});
    const auto shows = [&] {
      const auto labels = scroll->findChildren<QLabel*>();
      return std::any_of(labels.begin(), labels.end(), [](const QLabel* l) { return l->toolTip() == "SparseSoftmaxCrossEntropyWithLogits"; });
    };
    QTRY_VERIFY(shows());
    const int least = window_->viewWidget("inspector")->minimumWidth();
    QVERIFY2(scroll->widget()->minimumSizeHint().width() <= least, qPrintable(QString::number(scroll->widget()->minimumSizeHint().width())));
  }
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
  void eachFileThatCannotBeReadSaysWhy() {
    const QString empty = write("empty.pb", ""), text = write("words.pb", "no graph at all");
    for (const QString& file : {empty, text}) window_->workspace().open(file);
    QTRY_COMPARE_WITH_TIMEOUT(window_->shownMessages().size(), 2, 10000);
    const QString all = window_->shownMessages().join(u'\n');
    QVERIFY2(all.contains("empty.pb") && all.contains("words.pb"), qPrintable(all));
  }
  void anErrorGoesWithTheNextThingThatWorks() {
    open(write("g.pbtxt", kGraph));
    window_->showError("broken");
    QVERIFY(run("graph.rename", {"a/y", "a/z"}));
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().current()->hasNode("a/z"), 10000);
    QCOMPARE(window_->shownMessages(), QStringList{"broken"});  // too soon to have been read
    QTest::qWait(1600);
    QVERIFY(run("graph.rename", {"a/z", "a/w"}));
    QTRY_VERIFY_WITH_TIMEOUT(window_->shownMessages().isEmpty(), 10000);
  }
};

QTEST_MAIN(WindowTest)
#include "tst_window.moc"
