// What belongs to a document stays with it while another one is in front, and nothing of it ends without a word.
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <cmath>

#include "common/card_texts.h"
#include "document/document.h"
#include "document/run_archive.h"
#include "document/run_settings.h"
#include "main_window/notifier.h"
#include "main_window/running_dialog.h"
#include "window_fixture.h"

using namespace weft::app;
using State = RunController::State;

class TwoDocumentsTest : public WindowFixture {
  Q_OBJECT

 private slots:
  void initTestCase() { keepToOwnFolder(); }
  void init() {
    showWindow();
    a_ = made();
    b_ = made();
    QVERIFY(a_ && b_ && a_ != b_);
  }
  void cleanup() {
    if (runs().isActive()) stop();
    closeWindow();
  }

  void settingsOfTheNextRunStayWithTheirDocument() {
    show(a_);
    QVERIFY(run("run.set-live", {"Learning rate", "0.25"}));
    spin("Epochs of the next run")->setValue(7);
    spin("Batch of the next run")->setValue(16);
    QTRY_COMPARE(rateField()->text(), QStringLiteral("0.25"));
    show(b_);
    QTRY_COMPARE(rateField()->text(), QStringLiteral("0.001"));
    QTRY_COMPARE(spin("Epochs of the next run")->value(), 0);
    QCOMPARE(spin("Batch of the next run")->value(), 0);
    // And what is shown is what it is trained with.
    QMap<QString, QString> settings = trained(b_, {"--steps", "2"});
    QCOMPARE(settings["Learning rate"], QStringLiteral("0.001"));
    QVERIFY(settings["batch_size"] != "16");
    show(a_);
    QTRY_COMPARE(rateField()->text(), QStringLiteral("0.25"));
    QTRY_COMPARE(spin("Epochs of the next run")->value(), 7);
    settings = trained(a_, {"--steps", "2"});
    QCOMPARE(settings["Learning rate"], QStringLiteral("0.25"));
    QCOMPARE(settings["batch_size"], QStringLiteral("16"));
  }
  void aRunThatIsToldSettingsTellsNoOtherDocument() {
    trained(a_, {"--steps", "2", "--set", "Learning rate=0.125"});
    QCOMPARE(runs().live(a_, "Learning rate"), 0.125);
    QVERIFY(std::isnan(runs().live(b_, "Learning rate")));
    QCOMPARE(trained(b_, {"--steps", "2"})["Learning rate"], QStringLiteral("0.001"));
  }
  void aChangeReachesOnlyTheTrainingOfItsDocument() {
    show(a_);
    QVERIFY(run("run.step"));
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isComputing() && runs().progress().step == 1, 30000);
    show(b_);
    QVERIFY(run("run.set-live", {"Learning rate", "0.5"}));
    QVERIFY(runs().currentRun()->edits.isEmpty());
    QCOMPARE(runs().live(a_, "Learning rate"), 0.001);
    // Nor is the paused training of another document gone on with, or stepped.
    for (const char* id : {"run.train", "run.step", "run.steps"})
      QVERIFY2(window_->actionRegistry().disabledReason(id).contains("Another document"), id);
    show(a_);
    QCOMPARE(window_->actionRegistry().disabledReason("run.train"), QString());
    stop();
  }
  /// What was never set follows the document, also after a run that used it.
  void aDefaultIsNotRememberedAsAWish() {
    trained(a_, {"--steps", "2"});
    QVERIFY(std::isnan(RunSettings::of(*a_).live("Learning rate")));
  }
  void settingsGoToTheDocumentThatTakesThePlace() {
    show(a_);
    QVERIFY(run("run.set-live", {"Learning rate", "0.25"}));
    RunRequest next;
    next.epochs = 4;
    runs().setNextRun(a_, next);
    Document* fresh = window_->workspace().replace(a_, a_->contents());
    QCOMPARE(runs().live(fresh, "Learning rate"), 0.25);
    QCOMPARE(runs().nextRun(fresh).epochs, 4);
    QCOMPARE(runs().nextRun(b_).epochs, 0);
  }
  void aTrainingGoesOnWhenItsDocumentIsReadAgain() {
    show(a_);
    QVERIFY(run("run.step"));
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isComputing() && runs().progress().step == 1, 30000);
    Document* fresh = window_->workspace().replace(a_, a_->contents());
    QCOMPARE(runs().document(), fresh);
    QCOMPARE(runs().state(), State::Paused);
    stop();
  }
  void theRunBarTellsWhoseRunItShows() {
    trained(a_, {"--steps", "2"});
    show(a_);
    QTRY_VERIFY(shownInBar().contains("done"));
    show(b_);
    QTRY_VERIFY2(!shownInBar().contains("done"), qPrintable(shownInBar()));
  }

  void aStoppedRunIsNotCalledDone() {
    show(a_);
    QVERIFY(run("run.train", {"--steps", "1000000"}));
    QTRY_VERIFY_WITH_TIMEOUT(runs().progress().step > 3, 30000);
    stop();
    QCOMPARE(runs().state(), State::Stopped);
    QCOMPARE(runs().currentRun()->end, RunRecord::End::Stopped);
    QTRY_VERIFY2(shownInBar().contains("stopped") && !shownInBar().contains("done"), qPrintable(shownInBar()));
    const QString said = endSentence(*runs().currentRun());
    QVERIFY2(said.startsWith("stopped after") && said.contains("of 1000000"), qPrintable(said));
    bool logged = false;
    for (const Log::Line& line : window_->workspace().log().lines()) logged = logged || line.text.contains(said);
    QVERIFY(logged);
    bool shown = false;
    for (const QLabel* label : window_->findChildren<QLabel*>()) shown = shown || label->text().contains(said);
    QVERIFY(shown);
  }
  void aRunThatIsStoppedBeforeItsFirstStepIsStopped() {
    show(a_);
    QVERIFY(run("run.train", {"--steps", "1000000"}));
    stop();
    QCOMPARE(runs().currentRun()->end, RunRecord::End::Stopped);
  }
  /// The program ends before the run: its record says so, and no other start takes it for one that was killed.
  void theEndOfTheProgramStopsARun() {
    show(a_);
    QVERIFY(run("run.train", {"--steps", "1000000"}));
    QTRY_VERIFY_WITH_TIMEOUT(runs().progress().step > 3, 30000);
    const QString folder = runs().currentRun()->folder;
    window_.reset();
    showWindow();
    QFile file(folder + "/run.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray json = file.readAll();
    QVERIFY2(json.contains("\"end\": \"stopped\""), json);
    a_ = made();
    b_ = made();
  }

  void closingAsksWhatBecomesOfATraining_data() {
    QTest::addColumn<int>("answer");
    QTest::newRow("cancel") << int(RunningDialog::Answer::Cancel);
    QTest::newRow("stop") << int(RunningDialog::Answer::Stop);
    QTest::newRow("keep") << int(RunningDialog::Answer::Keep);
  }
  void closingAsksWhatBecomesOfATraining() {
    QFETCH(int, answer);
    show(a_);
    QVERIFY(run("run.train", {"--steps", "1000000"}));
    QTRY_VERIFY_WITH_TIMEOUT(runs().progress().step > 3, 30000);
    QVERIFY(run("file.close", {"ask"}));
    auto* dialog = window_->findChild<RunningDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    QCOMPARE(window_->workspace().documents().size(), 2);
    QVERIFY(runs().isActive());
    QStringList words;
    for (const QLabel* label : dialog->findChildren<QLabel*>()) words << label->text();
    QVERIFY2(words.join(' ').contains("run 1 trains mlp.weft, step"), qPrintable(words.join(' ')));
    press(dialog, answer == int(RunningDialog::Answer::Stop) ? "&Stop and close" : answer == int(RunningDialog::Answer::Keep) ? "Close, &go on training" : "&Cancel");
    QTRY_VERIFY(!window_->findChild<RunningDialog*>());
    if (answer == int(RunningDialog::Answer::Cancel)) {
      QCOMPARE(window_->workspace().documents().size(), 2);
      QCOMPARE(runs().state(), State::Running);
      stop();
      return;
    }
    QTRY_COMPARE(window_->workspace().documents().size(), 1);
    if (answer == int(RunningDialog::Answer::Stop)) {
      QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive(), 30000);
      QCOMPARE(runs().currentRun()->end, RunRecord::End::Stopped);
      return;
    }
    const qint64 then = runs().progress().step;
    QTRY_VERIFY_WITH_TIMEOUT(runs().progress().step > then, 30000);
    QCOMPARE(runs().document(), nullptr);
    QVERIFY(window_->actionRegistry().disabledReason("run.stop").isEmpty());
    QVERIFY(run("file.close"));  // the other one: the start page comes, the run bar stays
    QTRY_VERIFY(window_->isStartPageShown());
    QVERIFY(window_->findChild<QWidget*>("run_bar")->isVisible());
    stop();
    QTRY_VERIFY(!window_->findChild<QWidget*>("run_bar")->isVisible());
  }
  /// A script is not asked; it neither ends a training in passing.
  void aScriptHasToSayThatItEndsATraining() {
    show(a_);
    QVERIFY(run("run.train", {"--steps", "1000000"}));
    QTRY_VERIFY_WITH_TIMEOUT(runs().progress().step > 3, 30000);
    const CommandResult refused = window_->actionRegistry().run("file.close");
    QVERIFY(!refused.ok);
    QVERIFY2(refused.message.contains("run 1") && refused.message.contains("--force"), qPrintable(refused.message));
    QVERIFY(runs().isActive() && window_->workspace().documents().size() == 2);
    QVERIFY(!run("file.close", {"--now"}));
    show(b_);
    QVERIFY(run("file.close"));  // has nothing to do with it
    QVERIFY(runs().isActive());
    show(a_);
    QVERIFY(run("file.close", {"--force"}));
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive(), 30000);
    QCOMPARE(runs().currentRun()->end, RunRecord::End::Stopped);
  }

 private:
  RunController& runs() { return window_->workspace().runs(); }
  Document* made() {
    bool done = false;
    window_->workspace().newFromTemplate("mlp", [&](const QString&) { done = true; });
    QTest::qWaitFor([&] { return done; }, 30000);
    return window_->workspace().current();
  }
  void show(Document* document) {
    window_->workspace().setCurrent(document);
    QCoreApplication::processEvents();
  }
  QSpinBox* spin(const QString& name) {
    window_->showView("runs");
    for (QSpinBox* box : window_->findChildren<QSpinBox*>())
      if (box->accessibleName() == name) return box;
    return nullptr;
  }
  QLineEdit* rateField() {
    QLineEdit* found = nullptr;
    for (QLineEdit* field : window_->findChild<QWidget*>("run_bar")->findChildren<QLineEdit*>())
      if (field->accessibleName() == "Learning rate" && !field->isHidden()) found = field;
    return found;
  }
  QString shownInBar() {
    QCoreApplication::processEvents();
    QStringList texts;
    for (const auto* text : window_->findChild<QWidget*>("run_bar")->findChildren<weft::widgets::QuietText*>())
      if (text->isVisible()) texts << text->text();
    return texts.join(" | ");
  }
  QMap<QString, QString> trained(Document* document, const QStringList& words) {
    show(document);
    QMap<QString, QString> settings;
    if (!run("run.train", words)) return settings;
    QTest::qWaitFor([&] { return !runs().isActive(); }, 60000);
    for (const auto& [key, value] : runs().currentRun()->settings) settings.insert(key, value);
    return settings;
  }
  void stop() {
    runs().stop();
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive(), 30000);
  }
  void press(QWidget* dialog, const QString& text) {
    for (QPushButton* button : dialog->findChildren<QPushButton*>())
      if (button->text() == text) return button->click();
    QFAIL(qPrintable("no button " + text));
  }

  Document *a_ = nullptr, *b_ = nullptr;
};

QTEST_MAIN(TwoDocumentsTest)
#include "tst_two_documents.moc"
