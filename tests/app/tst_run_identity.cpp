// A run is identified consistently: its name, number, colour and document in every dock, during training, after saving its document, and after a restart. Its
// curves are shown and hidden by mouse and keys; going back to one of its steps stays there.
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QTest>
#include <QTreeWidget>
#include <cmath>

#include "common/theme.h"
#include "document/document.h"
#include "document/run_archive.h"
#include "document/run_places.h"
#include "document/run_settings.h"
#include "plot/run_list.h"
#include "plot/scalar_grid.h"
#include "plot/scalar_plot.h"
#include "shell/run_field.h"
#include "views/runs/run_cards.h"
#include "window_fixture.h"

using namespace weft::app;
using weft::widgets::ScalarGrid;
using weft::widgets::ScalarPlot;
using State = RunController::State;

class RunIdentityTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { stopAndClose(); }

  void aRunHasOneNameAndColour() {
    openTemplate();
    run("layout.use", {"train"});
    train(8);
    train(8);
    // External event files are mixed in.
    QVERIFY(QDir(folder_.path()).mkpath("logs"));
    const QStringList events = QDir(runs().currentRun()->folder + "/events").entryList(QDir::Files);
    QVERIFY(!events.isEmpty() && QFile::copy(runs().currentRun()->folder + "/events/" + events[0], folder_.filePath("logs/" + events[0])));
    openEvents(folder_.filePath("logs"));
    train(8);
    QTRY_COMPARE(cards()->cards().size(), 4);
    ScalarPlot* loss = grid()->plot("loss");
    loss->refreshNow();
    QSet<int> colours;
    for (const RunCard& card : cards()->cards()) {
      bool found = false;
      for (const auto& reading : loss->readingAt(5, 0)) {
        if (reading.name != card.name) continue;
        found = true;
        QCOMPARE(reading.color, weft::widgets::Theme::current().categorical(card.hue));
      }
      QVERIFY2(found || card.key.startsWith("events:"), qPrintable(card.name));
      colours << card.hue;
    }
    QCOMPARE(colours.size(), 4);
    QCOMPARE(cards()->cards()[0].name, runs().currentRun()->name);
  }

  void runsMadeBeforeTheFirstSaveStayWithTheDocument() {
    openTemplate();
    train(6);
    const int number = runs().currentRun()->number;
    const QString made = runs().currentRun()->folder, path = folder_.filePath("kept.weft");
    save(path);
    train(6);
    QCOMPARE(runs().currentRun()->number, number + 1);
    QVERIFY(runs().currentRun()->folder.startsWith(folder_.filePath("kept-runs/")));
    restart(path);
    RunArchive& archive = RunArchive::of(workspace());
    archive.show(workspace().current(), true);
    QTRY_COMPARE(archive.runs().size(), size_t(2));
    QCOMPARE(archive.runs()[1]->record.folder, made);
    QCOMPARE(archive.runs()[1]->record.number, number);
    // Its number is not given again, and a new document of the same template has none of them.
    train(6);
    QCOMPARE(runs().currentRun()->number, number + 2);
    openTemplate();
    archive.show(workspace().current(), true);
    QTRY_VERIFY(!archive.isReading());
    for (const auto& run : archive.runs()) QVERIFY(run->record.folder != made);
  }

  void earlierRunsOpenUnderTheirOwnNameAndColour() {
    openTemplate();
    train(30);
    const QString path = folder_.filePath("earlier.weft");
    save(path);
    const int number = runs().currentRun()->number;
    restart(path);
    run("layout.use", {"train"});
    QTRY_VERIFY(!cards()->cards().isEmpty());
    QTRY_VERIFY(cards()->cards()[0].seen);  // the last one is shown on its own
    const RunCard card = cards()->cards()[0];
    QCOMPARE(card.name, QStringLiteral("run %1").arg(number));
    QVERIFY(card.hasCurves);
    QCOMPARE(card.hue, number - 1);
    // Its eye hides and shows it.
    for (const bool seen : {false, true}) {
      QTest::mouseClick(cards()->viewport(), Qt::LeftButton, {}, cards()->eyeRect(0).center());
      QTRY_COMPARE(cards()->cards()[0].seen, seen);
    }
    QTRY_VERIFY(workspace().summaries().run(card.name));
    const SummaryRun& curves = *workspace().summaries().run(card.name);
    QCOMPARE(curves.hue, number - 1);
    QTRY_VERIFY(curves.scalars.count("loss") && curves.scalars.count("test_loss"));
    QCOMPARE(workspace().summaries().runs().size(), size_t(1));  // an evaluation's summaries are not a separate run
    // The space bar hides it again, and the charts follow.
    QTRY_COMPARE(grid()->plot("loss")->readingAt(5, 0).size(), 1);
    cards()->setCurrentItem(cards()->topLevelItem(0));
    QTest::keyClick(cards(), Qt::Key_Space);
    QTRY_VERIFY(!cards()->cards()[0].seen);
    QTRY_COMPARE(grid()->plot("loss")->readingAt(5, 0).size(), 0);
  }

  void runsOfOtherDocumentsDoNotMixIn() {
    openTemplate();
    Document* first = workspace().current();
    run("layout.use", {"train"});
    train(5);
    const QString name = runs().currentRun()->name;
    openTemplate();
    QVERIFY(workspace().current() != first);
    QTRY_VERIFY(std::none_of(cards()->cards().begin(), cards()->cards().end(), [&](const RunCard& c) { return c.name == name; }));
    QTRY_VERIFY(grid()->tags().isEmpty());
    // "All" lists them, distinguished by their document.
    auto* scope = window_->viewWidget("runs")->findChild<QComboBox*>("runs_scope");
    scope->setFocus();
    QTest::keyClick(scope, Qt::Key_Down);
    QTRY_VERIFY(grid()->tags().contains("loss"));
    QTRY_VERIFY(
        std::any_of(cards()->cards().begin(), cards()->cards().end(), [&](const RunCard& c) { return c.name == name && c.seen && c.what.contains("mlp"); }));
    QTest::keyClick(scope, Qt::Key_Up);
    QTRY_VERIFY(grid()->tags().isEmpty());
    workspace().setCurrent(first);
    QTRY_COMPARE(grid()->plot("loss")->readingAt(3, 0).size(), 1);
  }

  void theListIsFilteredBySettingsAndNotes() {
    openTemplate();
    run("layout.use", {"train"});
    QVERIFY(run("run.train", {"--steps", "4", "--set", "seed=11"}));
    ended();
    runs().setNotes(runs().currentRun()->number, "wide and deep");
    const QString first = runs().currentRun()->name;
    train(4);
    auto* filter = window_->viewWidget("runs")->findChild<QLineEdit*>("runs_filter");
    const auto only = [&](const QString& name) { return cards()->cards().size() == 1 && cards()->cards()[0].name == name; };
    for (const char* words : {"seed=11", "DEEP wide"}) {
      filter->clear();
      QTRY_VERIFY(cards()->cards().size() > 1);
      QTest::keyClicks(filter, words);
      QTRY_VERIFY2(only(first), words);
    }
  }

  void namesFollowTheLanguage() {
    openTemplate();
    run("layout.use", {"train"});
    train(4);
    window_->setLanguage("zh_CN");
    const QString name = QStringLiteral("运行 %1").arg(runs().currentRun()->number);
    QTRY_COMPARE(cards()->cards()[0].name, name);
    QTRY_COMPARE(grid()->plot("loss")->readingAt(2, 0)[0].name, name);
    QVERIFY(workspace().summaries().run(name));
    train(4);
    QVERIFY(runs().currentRun()->name.startsWith(QStringLiteral("运行 ")));
    window_->setLanguage("en");
    QTRY_VERIFY(grid()->runList()->names().contains(QStringLiteral("run %1").arg(runs().currentRun()->number)));
  }

  void goingBackStandsPausedAtTheStep() {
    openTemplate();
    run("layout.use", {"train"});
    QVERIFY(run("run.train", {"--steps", "30", "--set", "checkpoint_every_steps=10"}));
    ended();
    const RunRecord before = *runs().currentRun();
    // Without a step a menu of those that there are is offered.
    QVERIFY(run("run.go-back"));
    auto* menu = window_->findChild<QMenu*>("go_back_menu");
    QVERIFY(menu);
    QAction* chosen = nullptr;
    for (QAction* action : menu->actions())
      if (action->text().contains("step 20")) chosen = action;
    QVERIFY(chosen && chosen->text().contains(before.name));
    chosen->trigger();
    menu->close();
    QVERIFY(runs().isActive());
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isComputing(), 30000);
    QCOMPARE(runs().state(), State::Paused);
    QCOMPARE(runs().progress().step, 20);
    QVERIFY(runs().currentRun()->origin.contains(before.name));
    QVERIFY(run("run.step"));
    QTRY_COMPARE_WITH_TIMEOUT(runs().progress().step, 21, 30000);
    QCOMPARE(runs().state(), State::Paused);
  }

  void aDiamondOffersToBranch() {
    openTemplate();
    run("layout.use", {"train"});
    QVERIFY(run("run.train", {"--steps", "30", "--set", "checkpoint_every_steps=10"}));
    ended();
    ScalarPlot* loss = grid()->plot("loss");
    window_->showView("scalars");
    QTRY_VERIFY(loss->isVisible());
    loss->refreshNow();
    emit loss->markClicked(0, 20);
    auto* menu = window_->viewWidget("scalars")->findChild<QMenu*>("branch_menu");
    QVERIFY(menu && menu->actions()[0]->text().contains("20") && menu->actions()[0]->isEnabled());
    menu->actions()[0]->trigger();
    menu->close();
    QTRY_VERIFY_WITH_TIMEOUT(runs().state() == State::Paused && !runs().isComputing(), 30000);
    QCOMPARE(runs().progress().step, 20);
  }

  void checkpointsStandUnderTheirRun() {
    openTemplate();
    run("layout.use", {"train"});
    QVERIFY(run("run.train", {"--steps", "60", "--set", "checkpoint_every_steps=2"}));
    ended();
    window_->showView("checkpoints");
    const auto* list = window_->viewWidget("checkpoints")->findChild<QTreeWidget*>();
    QTRY_VERIFY(list->topLevelItemCount() > 0 && list->topLevelItem(0)->childCount() > 1);
    const QTreeWidgetItem* head = list->topLevelItem(0);
    QCOMPARE(head->text(0), runs().currentRun()->name);
    const int rows = head->childCount();
    QVERIFY2(rows < 12, qPrintable(QString::number(rows)));
    QVERIFY2(head->child(rows - 1)->text(0).contains("removed"), qPrintable(head->child(rows - 1)->text(0)));
    QVERIFY(head->child(0)->text(0) == "60");
  }

  void theNextRunCanBeSetOnceThereIsATraining() {
    openTemplate();
    RunField* epochs = nullptr;
    window_->showView("runs");
    for (RunField* field : window_->findChildren<RunField*>())
      if (field->accessibleName() == "Epochs of the next run") epochs = field;
    QVERIFY(epochs && epochs->isEnabled());
    QVERIFY(run("graph.strip-training"));
    QTRY_VERIFY_WITH_TIMEOUT(!epochs->isEnabled(), 20000);
    QVERIFY(run("edit.undo"));
    QTRY_VERIFY_WITH_TIMEOUT(epochs->isEnabled(), 20000);
  }

  /// In the other modes a run offers its curves, and covers nothing.
  void aRunLeavesTheLayoutOfDebugAlone() {
    openTemplate();
    run("layout.use", {"debug"});
    QVERIFY(!window_->isViewOpen("scalars"));
    train(5);
    QVERIFY(!window_->isViewOpen("scalars"));
    run("layout.use", {"train"});
    train(5);
    QVERIFY(window_->isViewVisible("scalars"));
  }

  void aFolderWithACheckpointOpensIt() {
    openTemplate();
    train(12);
    const QString place = runs().currentRun()->folder;
    const auto files = workspace().files().size();
    workspace().open(place);  // of a run: its checkpoint, and its events
    QTRY_COMPARE_WITH_TIMEOUT(workspace().files().size(), files + 1, 20000);
    QTRY_VERIFY(workspace().summaries().folders().contains(place));
    // One without the file that says which checkpoint is the newest.
    QVERIFY(QDir(folder_.path()).mkpath("bare"));
    for (const QFileInfo& file : QDir(place + "/checkpoints").entryInfoList({"model.ckpt-12*"}, QDir::Files))
      QVERIFY(QFile::copy(file.filePath(), folder_.filePath("bare/" + file.fileName())));
    workspace().open(folder_.filePath("bare"));
    QTRY_COMPARE_WITH_TIMEOUT(workspace().files().size(), files + 2, 20000);
  }

  /// Deleted while being viewed: the data read so far stays, and the list names the problem.
  void curvesOutliveTheirFiles() {
    openTemplate();
    run("layout.use", {"train"});
    train(20);
    const QString path = folder_.filePath("gone.weft");
    save(path);
    train(20);
    restart(path);
    run("layout.use", {"train"});
    QTRY_COMPARE(cards()->cards().size(), 2);
    QTRY_VERIFY(workspace().summaries().runs().size() == 1 && grid()->tags().contains("loss"));
    QVERIFY(QDir(workspace().summaries().runs()[0]->identity.folder).removeRecursively());
    QTRY_VERIFY_WITH_TIMEOUT(!workspace().summaries().runs()[0]->problem.isEmpty(), 10000);
    QTRY_VERIFY_WITH_TIMEOUT(
        std::any_of(cards()->cards().begin(), cards()->cards().end(), [](const RunCard& c) { return c.seen && c.failed && c.state.contains("missing"); }),
        10000);
    QCOMPARE(grid()->plot("loss")->readingAt(5, 0).size(), 1);
  }

  /// The same for a run of this session: no crash, the curves stay, and its row says what is missing.
  void deletedFilesAreSaidInTheRow() {
    openTemplate();
    run("layout.use", {"train"});
    train(20);
    const QString folder = runs().currentRun()->folder;
    const QString name = runs().currentRun()->name;
    QTRY_VERIFY(!cards()->cards().isEmpty() && cards()->cards()[0].name == name);
    QVERIFY2(!cards()->cards()[0].state.contains("deleted"), qPrintable(cards()->cards()[0].state));
    window_->showView("checkpoints");
    auto* list = window_->viewWidget("checkpoints")->findChild<QTreeWidget*>();
    QTRY_VERIFY(list->topLevelItemCount() > 0 && list->topLevelItem(0)->text(0).startsWith(name) && list->topLevelItem(0)->childCount() > 0);
    QVERIFY(QDir(folder + "/checkpoints").removeRecursively());
    QTRY_COMPARE_WITH_TIMEOUT(cards()->cards()[0].state, QString("checkpoints deleted"), 10000);
    window_->showView("checkpoints");
    QTRY_VERIFY_WITH_TIMEOUT(list->topLevelItem(0)->childCount() == 1 && list->topLevelItem(0)->child(0)->text(0) == "checkpoints deleted", 10000);
    const CommandResult back = window_->actionRegistry().run("run.go-back", {"20", QString::number(runs().currentRun()->number)});
    QVERIFY2(!back.ok && !back.message.isEmpty(), qPrintable(back.message));
    QVERIFY(QDir(folder).removeRecursively());
    QTRY_COMPARE_WITH_TIMEOUT(cards()->cards()[0].state, QString("files deleted"), 10000);
    QVERIFY(cards()->cards()[0].failed && cards()->cards()[0].toolTip.contains(folder));
    QVERIFY(grid()->plot("loss")->readingAt(5, 0).size() >= 1);
    // Every action on such a run fails with a sentence.
    for (const char* id : {"run.open-folder", "run.remove"}) {
      const CommandResult result = window_->actionRegistry().run(id, {QString::number(runs().currentRun()->number)});
      QVERIFY2(result.ok || !result.message.isEmpty(), id);
    }
    train(5);  // and the next run has its files
    QTRY_VERIFY(!cards()->cards()[0].state.contains("deleted"));
  }
  /// The folder goes while the training writes into it.
  void theFilesOfARunThatGoesOnAreDeleted() {
    openTemplate();
    run("layout.use", {"train"});
    QVERIFY(run("run.train", {"--steps", "1000000"}));
    QTRY_VERIFY_WITH_TIMEOUT(runs().progress().step > 10, 30000);
    const QString folder = runs().currentRun()->folder;
    QVERIFY(QDir(folder).removeRecursively() || !QFileInfo::exists(folder + "/events"));
    QTest::qWait(1500);
    if (runs().isActive()) runs().stop();
    ended();
    QVERIFY2(runs().lastError().isEmpty() || runs().lastError().contains(folder), qPrintable(runs().lastError()));
    QVERIFY(grid()->tags().contains("loss"));
    QTRY_VERIFY_WITH_TIMEOUT(!cards()->cards().isEmpty(), 10000);
    train(5);
  }

  /// The numbers became NaN: the run ends with a clear message, and row, charts and strip show the data so far.
  void aTrainingThatTurnsIntoNaNSaysSo() {
    openTemplate();
    run("layout.use", {"train"});
    QVERIFY(run("run.train", {"--steps", "200", "--set", "learning_rate=1e30"}));
    ended();
    QCOMPARE(runs().state(), State::Failed);
    QVERIFY2(runs().lastError().contains("NaN", Qt::CaseInsensitive), qPrintable(runs().lastError()));
    QTRY_VERIFY(!cards()->cards().isEmpty() && cards()->cards()[0].failed);
    const RunCard card = cards()->cards()[0];
    QVERIFY2(card.toolTip.contains("NaN", Qt::CaseInsensitive), qPrintable(card.toolTip));
    QVERIFY2(!card.numbers.contains("nan") && !card.numbers.contains("inf"), qPrintable(card.numbers));
    // All values NaN: as event files of other programs have them.
    Summaries& summaries = workspace().summaries();
    const int id = summaries.addRun(QStringLiteral("broken"));
    std::vector<weft::widgets::Sample> samples;
    for (int step = 0; step < 50; ++step) samples.push_back({double(step), 1000.0 + step, step % 2 == 0 ? NAN : -INFINITY});
    summaries.append(id, QStringLiteral("broken/loss"), samples);
    SummaryBatch batch;
    weft::widgets::Histogram histogram;
    histogram.min = histogram.max = histogram.sum = NAN;
    histogram.num = 4;
    histogram.limits = {NAN};
    histogram.counts = {4};
    batch.items.push_back({QStringLiteral("broken/weights"), histogram});
    summaries.add(id, batch);
    for (const char* view : {"scalars", "histograms"}) {
      window_->showView(view);
      QTRY_VERIFY(window_->isSettled());
      QVERIFY(!window_->viewWidget(view)->grab().isNull());
    }
    ScalarPlot* plot = grid()->plot("broken/loss");
    QVERIFY(plot);
    plot->refreshNow();
    QCOMPARE(plot->readingAt(5, 0).size(), 1);
  }

 private:
  Workspace& workspace() { return window_->workspace(); }
  RunController& runs() { return workspace().runs(); }
  RunCards* cards() {
    window_->showView("runs");
    return window_->viewWidget("runs")->findChild<RunCards*>();
  }
  ScalarGrid* grid() { return window_->viewWidget("scalars")->findChild<ScalarGrid*>(); }
  void ended() { QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive(), 60000); }
  void train(int steps) {
    QVERIFY(run("run.train", {"--steps", QString::number(steps)}));
    ended();
    QCOMPARE(runs().state(), State::Finished);
  }
  void openEvents(const QString& folder) {
    bool done = false;
    workspace().openEvents(folder, [&](const QString&) { done = true; });
    QTRY_VERIFY_WITH_TIMEOUT(done, 20000);
    workspace().summaries().drainAll();
  }
  void save(const QString& path) {
    bool done = false;
    workspace().save(workspace().current(), path, [&](const QString&) { done = true; });
    QTRY_VERIFY_WITH_TIMEOUT(done, 20000);
  }
  /// The program ends and begins again, with that file.
  void restart(const QString& path) {
    closeWindow();
    showWindow();
    open(path);
  }
};

QTEST_MAIN(RunIdentityTest)
#include "tst_run_identity.moc"
