// The run bar: its places, its fields, its document's run, by mouse and keys.
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>
#include <QWindow>

#include "common/theme.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/run_archive.h"
#include "document/run_record.h"
#include "document/settings.h"
#include "main_window/run_plan.h"
#include "shell/action_registry.h"
#include "shell/run_field.h"
#include "window_fixture.h"

using namespace weft::app;
using State = RunController::State;

class RunBarTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() { showWindow(); }
  void cleanup() { stopAndClose(); }

  void buttonsStayWhereTheyAre_data() {
    QTest::addColumn<QString>("language");
    QTest::newRow("English") << "en";
    QTest::newRow("Chinese") << "zh_CN";
  }
  void buttonsStayWhereTheyAre() {
    QFETCH(QString, language);
    openTemplate();
    window_->setLanguage(language);
    if (language == "zh_CN") QTRY_COMPARE(train()->text(), QStringLiteral("训练"));
    QTRY_VERIFY(window_->isSettled());
    QTRY_VERIFY(train()->isEnabled());
    RunRequest longRun;
    longRun.epochs = 100000;
    runs().setNextRun(window_->workspace().current(), longRun);
    const QVector<QRect> idle = places();
    QTest::mouseClick(train(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), State::Running, 10000);
    QTRY_VERIFY(runs().progress().step > 2);
    QCOMPARE(places(), idle);
    QTest::mouseClick(button("run.pause"), Qt::LeftButton);
    QTRY_COMPARE(runs().state(), State::Paused);
    QCoreApplication::processEvents();
    QCOMPARE(places(), idle);
    // The second of two quick clicks on Step is a step, too.
    for (int i = 0; i < 2; ++i) QTest::mouseClick(window_->windowHandle(), Qt::LeftButton, {}, idle[2].center());
    QTRY_VERIFY_WITH_TIMEOUT(runs().state() == State::Paused && !runs().isComputing(), 10000);
    QTest::mouseClick(window_->windowHandle(), Qt::LeftButton, {}, idle[4].center());  // the bug
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().debugger().isStopped(), 30000);
    QTRY_VERIFY(button("debug.step-op"));
    // Where a button was it still is; Step op has the words of its key, and is wider for them.
    const QVector<QRect> debugged = places();
    for (qsizetype i = 0; i < idle.size(); ++i) {
      QVERIFY(debugged[i].contains(idle[i]));
      if (i != 2) QCOMPARE(debugged[i], idle[i]);
    }
    QVERIFY(runs().isActive());
    QTest::mouseClick(window_->windowHandle(), Qt::LeftButton, {}, idle[3].center());  // stop
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().debugger().isActive(), 30000);
    QTRY_VERIFY(button("run.stop"));
    QCOMPARE(places(), idle);
  }
  void oneStepLeavesTheNumberOfSteps() {
    openTemplate();
    auto* count = bar()->findChild<QSpinBox*>();
    count->setValue(120);
    QTest::mouseClick(button("run.step"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(runs().progress().step >= 1, 30000);
    QCOMPARE(count->value(), 120);
  }
  void whatIsTypedIsAnEditThatCanBeUndone() {
    openTemplate();
    const int before = info().batchSize;
    QVERIFY(before > 0);
    type("Batch", "24");
    QTRY_COMPARE_WITH_TIMEOUT(info().batchSize, 24, 10000);
    QTRY_COMPARE(field("Batch")->text(), QStringLiteral("24"));
    QVERIFY(window_->workspace().current()->isModified());
    type("Training length", "500 steps");
    QTRY_COMPARE_WITH_TIMEOUT(info().steps, qint64(500), 10000);
    QCOMPARE(info().epochs, qint64(0));
    QTRY_COMPARE(field("Training length")->text(), QStringLiteral("500"));
    QVERIFY(run("edit.undo"));
    QVERIFY(run("edit.undo"));
    QTRY_COMPARE_WITH_TIMEOUT(info().batchSize, before, 10000);
    QTRY_COMPARE(field("Batch")->text(), QString::number(before));
  }
  void numbersThatDoNotFitAreRefusedByName_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("typed");
    QTest::newRow("no batch") << "Batch"
                              << "0";
    QTest::newRow("no number") << "Batch"
                               << "many";
    QTest::newRow("too many epochs") << "Training length"
                                     << "999999999999";
    QTest::newRow("no unit") << "Training length"
                             << "10 hours";
  }
  void numbersThatDoNotFitAreRefusedByName() {
    QFETCH(QString, name);
    QFETCH(QString, typed);
    openTemplate();
    const QString was = field(name)->text();
    type(name, typed);
    QVERIFY(field(name)->isRefused());
    QVERIFY2(window_->shownError().contains(typed.section(' ', 0, 0)), qPrintable(window_->shownError()));
    QCOMPARE(field(name)->text(), typed);  // to be mended
    QVERIFY(!window_->workspace().current()->isModified() || window_->workspace().current()->history().count() == 0);
    QTest::keyClick(field(name), Qt::Key_Escape);
    QVERIFY(!field(name)->isRefused());
    QCOMPARE(field(name)->text(), was);
  }
  void numbersOfTheNextRunThatDoNotFitAreRefusedByName_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("typed");
    QTest::newRow("too many epochs") << "Epochs of the next run"
                                     << "999999999999";
    QTest::newRow("a seed over 31 bits") << "Seed of the next run"
                                         << "2147483648";
    QTest::newRow("a negative batch") << "Batch of the next run"
                                      << "-8";
    QTest::newRow("no number") << "Early stop of the next run"
                               << "soon";
    QTest::newRow("summaries too far apart") << "Summaries of the next run"
                                             << "1000001";
    QTest::newRow("a memory limit with a unit") << "Memory limit of the next run"
                                                << "2G";
  }
  void numbersOfTheNextRunThatDoNotFitAreRefusedByName() {
    QFETCH(QString, name);
    QFETCH(QString, typed);
    openTemplate();
    window_->showView("runs");
    Document* document = window_->workspace().current();
    type(name, "5");
    QCOMPARE(field(name)->text(), QStringLiteral("5"));
    const RunRequest before = runs().nextRun(document);
    type(name, typed);
    QVERIFY(field(name)->isRefused());
    QVERIFY2(window_->shownError().contains(typed) && window_->shownError().contains(name), qPrintable(window_->shownError()));
    QCOMPARE(field(name)->text(), typed);  // to be mended
    QCOMPARE(runs().nextRun(document).epochs, before.epochs);
    QCOMPARE(runs().nextRun(document).patience, before.patience);
    QCOMPARE(runs().nextRun(document).set, before.set);
    QTest::keyClick(field(name), Qt::Key_Escape);
    QVERIFY(!field(name)->isRefused());
    QCOMPARE(field(name)->text(), QStringLiteral("5"));
    // An empty field leaves it to the document.
    field(name)->setFocus();
    field(name)->selectAll();
    QTest::keyClick(field(name), Qt::Key_Delete);
    QTest::keyClick(field(name), Qt::Key_Return);
    QVERIFY(!field(name)->isRefused());
    QCOMPARE(runs().nextRun(document).epochs + runs().nextRun(document).patience + runs().nextRun(document).set.size(), 0);
  }
  void theMemoryLimitIsASettingAndHoldsForTheNextRun() {
    openTemplate();
    window_->showView("runs");
    const QString name = QStringLiteral("Memory limit of the next run"), key = QStringLiteral("run/step-memory");
    QCOMPARE(field(name)->text(), QString());
    type(name, "1024");
    QCOMPARE(window_->workspace().settings().get(key).toInt(), 1024);
    QVERIFY(run("run.train", {"--steps", "2"}));
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), State::Finished, 30000);
    QVERIFY(runs().currentRun()->settings.contains(qMakePair(QStringLiteral("memory_limit"), QStringLiteral("1024M"))));
    // Too little for a larger network: the error names the limit.
    window_->workspace().newFromTemplate("lenet");
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().documents().size() == 2 && window_->canvas(), 30000);
    QTest::qWait(50);
    window_->workspace().settings().setValue(key, 1);
    QCOMPARE(field(name)->text(), QStringLiteral("1"));
    run("run.train", {"--steps", "2"});
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), State::Failed, 30000);
    QVERIFY2(runs().lastError().contains(QLatin1String("memory limit of 1.00 MB")), qPrintable(runs().lastError()));
    window_->workspace().settings().setValue(key, 0);
    QCOMPARE(field(name)->text(), QString());
  }
  void theOptimizerIsChosenFromAMenuAndUndoneInOneStep() {
    openTemplate();
    QToolButton* optimizer = menu("Optimizer");
    QVERIFY(optimizer && optimizer->text().startsWith(QLatin1String("Adam")));
    type("Training length", "500 steps");
    QTRY_COMPARE_WITH_TIMEOUT(info().steps, qint64(500), 10000);
    const int before = window_->workspace().current()->history().index();
    QCOMPARE(entries(optimizer), QStringList({"Adagrad", "Adam*", "GradientDescent", "Momentum", "RMSProp"}));
    choose(optimizer, QStringLiteral("Momentum"));
    QTRY_VERIFY_WITH_TIMEOUT(optimizer->text().startsWith(QLatin1String("Momentum")), 10000);
    QCOMPARE(window_->workspace().current()->history().index(), before + 1);
    QCOMPARE(info().steps, qint64(500));
    QCOMPARE(entries(optimizer).filter(QStringLiteral("*")), QStringList{"Momentum*"});
    QVERIFY(run("run.train", {"--steps", "3"}));
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), State::Finished, 30000);
    QVERIFY(run("edit.undo"));
    QTRY_VERIFY_WITH_TIMEOUT(optimizer->text().startsWith(QLatin1String("Adam")), 10000);
    QCOMPARE(info().steps, qint64(500));
    const CommandResult refused = window_->actionRegistry().run(QStringLiteral("graph.set-training"), {"--optimizer", "Newton"});
    if (refused.ok) QTRY_VERIFY_WITH_TIMEOUT(window_->shownError().contains(QLatin1String("Newton")), 10000);
    else QVERIFY2(refused.message.contains(QLatin1String("Newton")), qPrintable(refused.message));
  }
  void theDeviceIsThatOfTheRun() {
    openTemplate();
    QToolButton* device = menu("Device");
    QVERIFY(device);
    QTRY_VERIFY_WITH_TIMEOUT(!entries(device).contains(QStringLiteral("Looking for GPUs…")), 30000);
    const QStringList offered = entries(device);
    QVERIFY2(offered.contains(QStringLiteral("No GPU was found")) || !offered.filter(QStringLiteral("GPU:0")).isEmpty(), qPrintable(offered.join(u'|')));
    choose(device, QStringLiteral("CPU · 1 thread"));
    QTRY_VERIFY2(device->text().startsWith(QStringLiteral("CPU · 1 thread")), qPrintable(device->text()));
    QVERIFY(run("run.train", {"--steps", "2"}));
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), State::Finished, 30000);
    QVERIFY(runs().currentRun()->settings.contains(qMakePair(QStringLiteral("device"), QStringLiteral("CPU:0"))));
    RunRequest next = runs().nextRun(window_->workspace().current());
    next.set.insert(QStringLiteral("device"), QStringLiteral("GPU:9"));
    runs().setNextRun(window_->workspace().current(), next);
    QTRY_VERIFY(device->text().startsWith(QLatin1String("GPU:9")));
  }
  /// By number and colour, as in the dock; runs of an earlier start of the program, too.
  void goOnFromListsTheRunsOfTheArchive() {
    QTemporaryDir place;
    openTemplate();
    const QString path = place.filePath(QStringLiteral("mine.weft"));
    QVERIFY(run("file.save", {path}));
    QTRY_COMPARE_WITH_TIMEOUT(window_->workspace().current()->path(), path, 10000);
    QVERIFY(run("run.train", {"--steps", "4"}));
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), State::Finished, 30000);
    QVERIFY(!runs().currentRun()->checkpoints.isEmpty());
    closeWindow();
    showWindow();
    open(path);
    QToolButton* button = menu("Run");
    QVERIFY(button);
    QTRY_VERIFY_WITH_TIMEOUT(entries(button).contains(QStringLiteral("run 1, step 4")), 20000);
    for (const QAction* action : button->menu()->actions()) {
      if (action->text() != QLatin1String("run 1, step 4")) continue;
      QCOMPARE(action->icon().pixmap(12, 12).toImage().pixelColor(6, 6), weft::widgets::Theme::current().categorical(0));
    }
    choose(button, QStringLiteral("run 1, step 4"));
    QTRY_VERIFY_WITH_TIMEOUT(runs().isActive() && runs().state() == State::Paused, 20000);
    QCOMPARE(runs().currentRun()->number, 2);
    QVERIFY2(runs().currentRun()->origin.contains(QLatin1String("step 4")), qPrintable(runs().currentRun()->origin));
  }
  void theBarShowsWhatRuns() {
    openTemplate();
    Document* document = window_->workspace().current();
    RunRequest next;
    next.set.insert("batch_size", "8");
    next.epochs = 1000;
    runs().setNextRun(document, next);
    QTRY_COMPARE(field("Batch")->text(), QStringLiteral("8"));
    QTest::mouseClick(train(), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(runs().state(), State::Running, 10000);
    runs().setNextRun(document, {});  // the next one, not this
    QCoreApplication::processEvents();
    QCOMPARE(field("Batch")->text(), QStringLiteral("8"));
    QCOMPARE(field("Training length")->text(), QStringLiteral("1000"));
    QVERIFY(!field("Batch")->isEnabled());
    runs().stop();
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive(), 30000);
    QTRY_COMPARE(field("Batch")->text(), QString::number(info().batchSize));
    QVERIFY(field("Batch")->isEnabled());
  }
  void whyItCannotBeTrainedStandsBesideTheButtonsAndLeadsThere() {
    open(write("plain.pbtxt", kGraph));
    auto* why = bar()->findChild<QPushButton*>("why_not_trained");
    QTRY_VERIFY(why->isVisible() && !train()->isEnabled());
    QVERIFY2(why->toolTip().contains("how it is trained"), qPrintable(why->toolTip()));
    QVERIFY(why->x() - bar()->findChild<QToolButton*>("run_steps_button")->x() < 400);
    QTest::mouseClick(why, Qt::LeftButton);
    QTRY_VERIFY(window_->isViewVisible("problems"));
    // For a document whose neighbour is being trained: the click shows that one.
    openTemplate();
    Document* trained = window_->workspace().current();
    QVERIFY(run("run.train", {"--steps", "1000000"}));
    window_->workspace().setCurrent(window_->workspace().documents().first());
    QTRY_VERIFY(why->toolTip().contains("Another document"));
    QTest::mouseClick(why, Qt::LeftButton);
    QTRY_COMPARE(window_->workspace().current(), trained);
  }
  /// Without one of its layers the loss cannot be computed: the bar says that the training waits, and it is back with the layer.
  void withoutALayerTheTrainingWaits() {
    openTemplate();
    auto* why = bar()->findChild<QPushButton*>("why_not_trained");
    for (const char* layer : {"hidden1", "hidden2", "logits"}) {
      QTRY_VERIFY(train()->isEnabled());
      QVERIFY(run("graph.delete", {layer}));
      QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().current()->isEditing() && !window_->workspace().current()->hasScope(layer), 30000);
      QTRY_VERIFY2(why->isVisible() && why->toolTip().contains("Training is added once the loss can be computed"),
                   qPrintable(QLatin1String(layer) + u' ' + why->toolTip()));
      QVERIFY(!why->toolTip().contains("how it is trained"));
      QVERIFY(!train()->isEnabled());
      QVERIFY(run("edit.undo"));
      QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().current()->hasScope(layer), 30000);
    }
    QTRY_VERIFY(!why->isVisible());
  }
  void aFileInFrontHasNoRunBar() {
    openTemplate();
    QTRY_VERIFY(bar()->isVisible());
    window_->workspace().open(QStringLiteral(WEFT_SOURCE_DIR "/tests/golden/files/arrays/float32.npy"));
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().currentFile(), 10000);
    QTRY_VERIFY(!bar()->isVisible());
    QVERIFY(!run("run.train"));
    QTest::mouseClick(tabs(), Qt::LeftButton, {}, tabs()->tabRect(0).center());
    QTRY_VERIFY(bar()->isVisible() && train()->isEnabled());
    // A training that goes on can be stopped from there, and is named.
    QVERIFY(run("run.train", {"--steps", "1000000"}));
    QTest::mouseClick(tabs(), Qt::LeftButton, {}, tabs()->tabRect(1).center());
    QTRY_VERIFY(window_->workspace().currentFile() && bar()->isVisible());
    QTRY_VERIFY(!train()->isEnabled() && button("run.stop")->isEnabled());
    QTest::mouseClick(button("run.stop"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive() && !bar()->isVisible(), 30000);
  }
  void stopEndsWhatStandsFirst() {
    openTemplate();
    QVERIFY(run("debug.train"));
    QTRY_VERIFY_WITH_TIMEOUT(window_->workspace().debugger().isStopped(), 30000);
    window_->activateWindow();
    QTRY_VERIFY(window_->isActiveWindow());
    QCoreApplication::processEvents();
    QTest::keyClick(window_.get(), Qt::Key_F5, Qt::ShiftModifier);
    QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().debugger().isActive(), 30000);
    if (runs().isActive()) {
      QTRY_VERIFY(!window_->actionRegistry().action("run.stop")->shortcuts().isEmpty());
      QTest::keyClick(window_.get(), Qt::Key_F5, Qt::ShiftModifier);
    }
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive(), 30000);
  }
  void nothingLeavesTheBarWithoutAMenu() {
    openTemplate();
    for (const int width : {1600, 1280, 960}) {
      window_->resize(width, 700);
      QTRY_COMPARE(window_->width(), width);
      QTRY_COMPARE(bar()->width(), width);
      QCoreApplication::processEvents();
      QTRY_VERIFY(field("Batch")->isVisible());
      for (const QWidget* w : bar()->findChildren<QWidget*>()) {
        if (!w->isVisible() || !(qobject_cast<const QAbstractButton*>(w) || qobject_cast<const QLineEdit*>(w))) continue;
        QVERIFY2(w->visibleRegion().boundingRect() == w->rect(),
                 qPrintable(QStringLiteral("%1: %2 %3").arg(width).arg(w->metaObject()->className(), w->accessibleName())));
      }
    }
  }

 private:
  RunController& runs() { return window_->workspace().runs(); }
  const TrainingInfo& info() { return window_->workspace().current()->contents()->training; }
  QToolBar* bar() { return window_->findChild<QToolBar*>("run_bar"); }
  QTabBar* tabs() { return window_->findChild<QTabBar*>("document_tabs"); }
  QPushButton* train() { return bar()->findChild<QPushButton*>("train_button"); }
  QToolButton* button(const char* action) {
    for (auto* b : bar()->findChildren<QToolButton*>())
      if (b->isVisible() && b->defaultAction() == window_->actionRegistry().action(QLatin1String(action))) return b;
    return nullptr;
  }
  /// The Train, Pause, Step, Stop and bug buttons, with their current actions.
  QVector<QRect> places() {
    QVector<QRect> all;
    const auto add = [&](const QWidget* w) { all << (w ? QRect(w->mapTo(window_.get(), QPoint()), w->size()) : QRect()); };
    const auto either = [&](const char* a, const char* b) { return button(a) ? button(a) : button(b); };
    add(train());
    add(either("run.pause", "debug.pause"));
    add(either("run.step", "debug.step-op"));
    add(either("run.stop", "debug.stop"));
    add(button("debug.train"));
    return all;
  }
  QToolButton* menu(const QString& name) {
    for (auto* b : bar()->findChildren<QToolButton*>())
      if (b->accessibleName() == name && b->menu()) return b;
    return nullptr;
  }
  /// The entries of a button's menu; the chosen one is marked with a star.
  QStringList entries(QToolButton* button) {
    QStringList texts;
    emit button->menu()->aboutToShow();
    for (const QAction* action : button->menu()->actions())
      if (!action->isSeparator()) texts << action->text() + (action->isChecked() ? QStringLiteral("*") : QString());
    return texts;
  }
  /// In the open menu.
  void choose(QToolButton* button, const QString& text) {
    button->menu()->popup(window_->mapToGlobal(QPoint(20, 60)));
    QTRY_VERIFY(button->menu()->isVisible());
    for (QAction* action : button->menu()->actions())
      if (action->text() == text) {
        button->menu()->setActiveAction(action);
        QTest::keyClick(button->menu(), Qt::Key_Return);
        return;
      }
    QFAIL(qPrintable(text));
  }
  RunField* field(const QString& name) {
    for (auto* f : window_->findChildren<RunField*>())
      if (f->accessibleName() == name) return f;
    return nullptr;
  }
  void type(const QString& name, const QString& text) {
    QTRY_VERIFY(field(name) && field(name)->isVisible() && field(name)->isEnabled());
    field(name)->setFocus();
    field(name)->selectAll();
    QTest::keyClicks(field(name), text);
    QTest::keyClick(field(name), Qt::Key_Return);
  }
};

QTEST_MAIN(RunBarTest)
#include "tst_run_bar.moc"
