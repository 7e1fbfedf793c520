// The pages of the layouts: steps and layers of a trace, values and iterations at the debugger's position, pinned cards, one tensor on one page; by mouse and
// keys.
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QToolButton>

#include "adapters/pass_times.h"
#include "common/card_grid.h"
#include "common/iteration_strip.h"
#include "common/plot_card.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/pins.h"
#include "document/profile_store.h"
#include "main_window/stop_values.h"
#include "plot/scalar_grid.h"
#include "plot/scalar_plot.h"
#include "shell/action_registry.h"
#include "timeline/pass_strip.h"
#include "timeline/timeline_view.h"
#include "views/files/graph_excerpt.h"
#include "views/overview/overview_view.h"
#include "window_fixture.h"

using namespace weft::app;
using weft::widgets::IterationStrip;
using weft::widgets::PassStrip;

class PagesTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { stopAndClose(); }

  void layersOfATraceForwardAndBack() {
    traced(5);
    const PassTimes& passes = store().current()->passes;
    QStringList forward, backward;
    for (const PassColumn& column : passes.columns) {
      if (column.forward >= 0) forward << passes.parts[column.forward].scope;
      if (column.backward >= 0) backward << passes.parts[column.backward].scope;
    }
    // A layer that took most of the time is shown by its parts.
    const auto first = [](const QStringList& scopes, const QString& layer) {
      const auto it = std::find_if(scopes.begin(), scopes.end(), [&](const QString& scope) { return scope == layer || scope.startsWith(layer + u'/'); });
      return it == scopes.end() ? -1 : int(it - scopes.begin());
    };
    for (const char* layer : {"hidden1", "hidden2", "logits"}) {
      QVERIFY2(first(forward, layer) >= 0, qPrintable(forward.join(u' ')));
      QVERIFY2(first(backward, layer) >= 0, qPrintable(backward.join(u' ')));
    }
    QVERIFY(first(forward, "hidden1") < first(forward, "logits"));
    QVERIFY(passes.update >= 0);
    // Nothing is counted twice or left out: the parts are the whole work of each step.
    for (int step = 0; step < 5; ++step) {
      double all = 0;
      for (const PassPart& part : passes.parts) all += partNs(part, step);
      QVERIFY(all > 0 && all <= double(store().current()->stepTimes[size_t(step)].durationNs()) * 64);
    }
  }

  void aLayerOfTheStripSelectsItsScope() {
    traced(4);
    auto* strip = window_->findChild<PassStrip*>();
    QTRY_VERIFY(strip->isVisible());
    const PassTimes& passes = store().current()->passes;
    int hidden1 = -1;
    for (qsizetype i = 0; i < passes.parts.size(); ++i)
      if (passes.parts[i].scope == QLatin1String("hidden1") && passes.parts[i].way == PassPart::Way::Forward) hidden1 = int(i);
    QVERIFY(hidden1 >= 0 && !strip->centreOf(hidden1).isNull());
    QTest::mouseClick(strip, Qt::LeftButton, {}, strip->centreOf(hidden1));
    QCOMPARE(window_->workspace().current()->selection(), QStringList{"hidden1"});
    QCOMPARE(strip->selected(), hidden1);
    QVERIFY(store().selectedSlice() >= 0);
    // The keys go to its gradient, and on.
    strip->setFocus();
    QTest::keyClick(strip, Qt::Key_Down);
    QCOMPARE(passes.parts[strip->selected()].way, PassPart::Way::Backward);
    QCOMPARE(passes.parts[strip->selected()].scope, QStringLiteral("hidden1"));
    QTest::keyClick(strip, Qt::Key_Right);
    QVERIFY(passes.parts[strip->selected()].scope != QLatin1String("hidden1"));
    // A node that is selected elsewhere shows its layer.
    store().selectNode("logits/MatMul");
    QCOMPARE(passes.parts[strip->selected()].scope, QStringLiteral("logits"));
    auto* shown = window_->findChild<QToolButton*>(QStringLiteral("show_passes"));
    QTest::mouseClick(shown, Qt::LeftButton);
    QVERIFY(!strip->isVisible());
    QTest::mouseClick(shown, Qt::LeftButton);
    QVERIFY(strip->isVisible());
  }

  void stepsAreChosenByMouseAndKeys() {
    traced(4);
    auto* timeline = window_->findChild<weft::widgets::TimelineView*>();
    auto* choice = window_->findChild<QComboBox*>(QStringLiteral("traced_step"));
    QTRY_COMPARE(choice->count(), 5);
    const double whole = timeline->nsPerPixel();
    const auto& steps = store().current()->stepTimes;
    QTest::mouseClick(window_->findChild<QToolButton*>(QStringLiteral("step_after")), Qt::LeftButton);
    QCOMPARE(store().step(), 0);
    QCOMPARE(choice->currentIndex(), 1);
    QVERIFY(timeline->nsPerPixel() < whole && timeline->startNs() <= double(steps[0].startNs));
    QTRY_VERIFY(!window_->findChild<QToolButton*>(QStringLiteral("step_before"))->isEnabled());
    QTest::keyClick(window_.get(), Qt::Key_PageDown, Qt::AltModifier);
    QTRY_COMPARE(store().step(), 1);
    QTest::keyClick(window_.get(), Qt::Key_End, Qt::AltModifier);
    QTRY_COMPARE(store().step(), store().slowestStep());
    for (const weft::TraceStep& step : steps) QVERIFY(step.durationNs() <= steps[size_t(store().slowestStep())].durationNs());
    QVERIFY(choice->currentText().contains("slowest"));
    QVERIFY(run("profile.step", {QString::number(steps[2].number)}));
    QCOMPARE(store().step(), 2);
    QTest::keyClick(window_.get(), Qt::Key_Home, Qt::AltModifier);
    QTRY_COMPARE(store().step(), -1);
    const auto refused = window_->actionRegistry().run("profile.step", {"99"});
    QVERIFY(!refused.ok && refused.message.contains("99") && refused.message.contains(QString::number(steps[0].number)));
  }

  void keysStandOnTheButtonsOfTheDebugger() {
    stopInLoop();
    window_->resize(1700, 900);
    const auto text = [this](const char* id) {
      for (QToolButton* button : window_->findChild<QWidget*>(QStringLiteral("run_bar"))->findChildren<QToolButton*>())
        if (button->defaultAction() == window_->actionRegistry().action(QLatin1String(id)))
          return button->toolButtonStyle() == Qt::ToolButtonIconOnly ? QString() : button->text();
      return QString();
    };
    QTRY_VERIFY(text("debug.step-op").endsWith("F10"));
    QTRY_COMPARE(text("debug.step-into"), QStringLiteral("F11"));
    QTRY_COMPARE(text("debug.step-out"), QStringLiteral("Step out  Shift+F11"));
    // With less room only the keys are shown, because they are the most important.
    window_->resize(1280, 800);
    QTRY_VERIFY(!text("debug.step-out").startsWith("Step"));
    window_->resize(1700, 900);
    window_->actionRegistry().setShortcuts("debug.step-op", {QKeySequence("F12")});
    QTRY_VERIFY(text("debug.step-op").endsWith("F12"));
  }

  void iterationsAreChosenWhereTheRunStands() {
    stopInLoop();
    auto* strip = window_->findChild<IterationStrip*>();
    QTRY_VERIFY(strip->isVisible());
    QVERIFY(strip->shown().contains(5) && strip->shown().contains(4));
    QTest::mouseClick(strip, Qt::LeftButton, {}, strip->rectOf(4).center());
    QTRY_VERIFY_WITH_TIMEOUT(iteration() == 4, 30000);
    QCOMPARE(debugger().state().node(), QStringLiteral("rnn/cell/tanh"));
    QTRY_VERIFY2(strip->accessibleDescription().startsWith("iteration 4 "), qPrintable(strip->accessibleDescription()));
    QVERIFY(strip->shown().contains(5));  // it was reached: one can go there again
    strip->setFocus();
    QTest::keyClick(strip, Qt::Key_Left);
    QTest::keyClick(strip, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(iteration() == 3, 30000);
    QTRY_VERIFY(!debugger().isBusy());
  }

  void valuesStandOnTheWiresAroundTheStop() {
    stopInLoop();
    run("graph.select", {"rnn/cell"});
    run("graph.fit-selection");
    auto* values = window_->canvas()->findChild<StopValues*>();
    QTRY_VERIFY_WITH_TIMEOUT(!values->texts().filter("rnn/cell/mul").isEmpty() || !values->texts().isEmpty(), 20000);
    QVERIFY2(values->texts().join(u'\n').contains("rnn/cell/tanh"), qPrintable(values->texts().join(u'\n')));
    // Others are read when the pointer asks.
    QString told;
    connect(values, &StopValues::arrived, this, [&](const QString& tensor) { told = tensor; });
    QVERIFY(values->hoverText("rnn/Identity_1:0").isEmpty());
    QTRY_COMPARE_WITH_TIMEOUT(told, QStringLiteral("rnn/Identity_1:0"), 10000);
    QVERIFY2(values->hoverText("rnn/Identity_1:0").contains("iteration 5"), qPrintable(values->hoverText("rnn/Identity_1:0")));
    debugger().stop();
    QTRY_VERIFY_WITH_TIMEOUT(!debugger().isActive(), 30000);
    QTRY_VERIFY(values->texts().isEmpty());
  }

  void theOverviewShowsAllKindsAndWhatIsPinned() {
    trainedTemplate();
    auto* view = overview();
    QTRY_VERIFY(view && view->cards().contains("scalar loss"));
    QVERIFY(!view->cards().filter("histogram ").isEmpty());
    QVERIFY(!pins().isChosen());
    // Unpinning one makes the rest the user's own choice.
    const auto count = view->cards().size();
    view->refreshNow();
    QToolButton* pin = pinOf("loss");
    QVERIFY(pin && !pin->isChecked());
    QTest::mouseClick(pin, Qt::LeftButton);  // keeps the existing pins
    QVERIFY(pins().isChosen());
    QTRY_COMPARE(view->cards().size(), count);
    QTRY_VERIFY(pinOf("loss")->isChecked());
    QTest::mouseClick(pinOf("loss"), Qt::LeftButton);
    QTRY_COMPARE(view->cards().size(), count - 1);
    QVERIFY(!view->cards().contains("scalar loss"));
    // In the other panels, too.
    run("view.show", {"scalars"});
    auto* scalars = window_->findChild<weft::widgets::ScalarGrid*>();
    auto* card = scalars->plot("loss");
    QTest::mouseClick(card->findChild<QToolButton*>(QStringLiteral("pin_card")), Qt::LeftButton);
    QTRY_COMPARE(view->cards().last(), QStringLiteral("scalar loss"));
    pins().reset();
    QTRY_COMPARE(view->cards().first(), QStringLiteral("scalar loss"));
    QVERIFY(!window_->actionRegistry().run("panels.pin", {"sound", "x"}).ok);
  }

  void pinsAreKeptWithANamedLayout() {
    trainedTemplate();
    run("panels.pin", {"scalar", "accuracy"});
    run("panels.unpin", {"scalar", "loss"});
    const QStringList mine = pins().words();
    window_->saveLayout("mine");
    run("panels.pin", {"scalar", "loss"});
    QVERIFY(pins().words() != mine);
    QVERIFY(window_->useNamedLayout("mine"));
    QCOMPARE(pins().words(), mine);
    QCOMPARE(window_->workspace().settings().value("overview/pins").toStringList(), mine);
  }

  void allOfATensorStandsOnOnePage() {
    trainedTemplate();
    const QString prefix = checkpoint();
    QVERIFY(!prefix.isEmpty());
    window_->workspace().open(prefix + ".index");
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().currentFile(), 20000);
    window_->useLayout("inspect");
    QVERIFY(run("inspect.compare", {prefix + ".index"}));
    QTRY_VERIFY(window_->workspace().currentFile()->comparison());
    QVERIFY(run("inspect.select", {"hidden1/kernel"}));
    auto* page = window_->findChild<QWidget*>(QStringLiteral("tensor_together"));
    QTRY_VERIFY_WITH_TIMEOUT(page->isVisible(), 20000);
    QTRY_VERIFY(page->findChild<QWidget*>(QStringLiteral("kernel_difference"))->isVisible());
    QVERIFY(page->findChild<QWidget*>(QStringLiteral("kernel_histogram"))->isVisible());
    QVERIFY(page->findChild<QLabel*>(QStringLiteral("tensor_figures"))->text().contains("mean"));
    auto* excerpt = page->findChild<GraphExcerpt*>();
    QTRY_VERIFY_WITH_TIMEOUT(excerpt->isVisible() && excerpt->excerpt().chain.size() == 3, 20000);
    QCOMPARE(excerpt->excerpt().chain[0].name, QStringLiteral("hidden1/kernel"));
    QCOMPARE(excerpt->excerpt().chain[1].title, QStringLiteral("MatMul"));
    QCOMPARE(excerpt->excerpt().optimizer, QStringLiteral("Adam"));
    QTest::mouseClick(window_->findChild<QToolButton*>(QStringLiteral("show_filters")), Qt::LeftButton);
    QVERIFY(!page->isVisible());
  }

 private:
  ProfileStore& store() { return ProfileStore::of(window_->workspace()); }
  Pins& pins() { return Pins::of(window_->workspace()); }
  DebugController& debugger() { return window_->workspace().debugger(); }
  OverviewView* overview() { return window_->findChild<OverviewView*>(); }
  qint64 iteration() { return debugger().isStopped() && debugger().state().loop() ? debugger().state().loop()->iteration : -1; }

  void traced(int steps) {
    openTemplate();
    window_->useLayout("profile");
    QVERIFY(run("profile.trace", {"--steps", QString::number(steps)}));
    QTRY_VERIFY_WITH_TIMEOUT(store().current() && !store().isBusy(), 60000);
    QCOMPARE(int(store().current()->stepTimes.size()), steps);
    QTRY_VERIFY(window_->isSettled());
  }
  void stopInLoop() {
    open(QStringLiteral(WEFT_SOURCE_DIR "/tests/debug/loop.pb"));
    window_->useLayout("debug");
    QVERIFY(run("debug.break", {"rnn/cell/tanh", "--if", "iteration == 5"}));
    QVERIFY(run("debug.start", {"--fetch", "loss:0", "--feed", "x:0=[1,2,3]"}));
    QTRY_VERIFY_WITH_TIMEOUT(iteration() == 5, 30000);
  }
  void trainedTemplate() {
    openTemplate();
    window_->useLayout("train");
    QVERIFY(run("run.train", {"--steps", "60"}));
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().runs().isActive() && window_->workspace().runs().currentRun(), 60000);
    QTRY_VERIFY(window_->isSettled());
  }
  QString checkpoint() {
    const RunRecord* record = window_->workspace().runs().currentRun();
    return record && !record->checkpoints.isEmpty() ? record->checkpoints.last().prefix : QString();
  }
  QToolButton* pinOf(const QString& title) {
    for (auto* card : overview()->findChildren<weft::widgets::PlotCard*>())
      if (card->title() == title) return card->findChild<QToolButton*>(QStringLiteral("pin_card"));
    return nullptr;
  }
};

QTEST_MAIN(PagesTest)
#include "tst_pages.moc"
