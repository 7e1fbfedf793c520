// State of a document is kept while another one is in front, and never lost silently.
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTest>
#include <QTreeWidget>
#include <cmath>

#include "adapters/property_list.h"
#include "common/card_texts.h"
#include "document/document.h"
#include "document/run_archive.h"
#include "document/run_settings.h"
#include "main_window/notifier.h"
#include "main_window/running_dialog.h"
#include "shell/run_field.h"
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
  void cleanup() { stopAndClose(); }

  void settingsOfTheNextRunStayWithTheirDocument() {
    show(a_);
    QVERIFY(run("run.set-live", {"Learning rate", "0.25"}));
    type("Epochs of the next run", "7");
    type("Batch of the next run", "16");
    QTRY_COMPARE(shownRate(), QStringLiteral("0.25"));
    show(b_);
    QTRY_COMPARE(shownRate(), ownRate(b_));
    QTRY_COMPARE(next("Epochs of the next run")->text(), QString());
    QCOMPARE(next("Batch of the next run")->text(), QString());
    // The displayed settings are used for training.
    QMap<QString, QString> settings = trained(b_, {"--steps", "2"});
    QCOMPARE(settings["Learning rate"], ownRate(b_));
    QVERIFY(settings["batch_size"] != "16");
    show(a_);
    QTRY_COMPARE(shownRate(), QStringLiteral("0.25"));
    QTRY_COMPARE(next("Epochs of the next run")->text(), QStringLiteral("7"));
    settings = trained(a_, {"--steps", "2"});
    QCOMPARE(settings["Learning rate"], QStringLiteral("0.25"));
    QCOMPARE(settings["batch_size"], QStringLiteral("16"));
  }
  /// Text typed in a field, then left by a click or a key that does not take its focus, belongs to the original document and is used for training.
  void whatIsTypedCounts_data() {
    QTest::addColumn<QString>("left");
    for (const char* left : {"tab", "key", "train", "train key"}) QTest::newRow(left) << QString(left);
  }
  void whatIsTypedCounts() {
    QFETCH(QString, left);
    show(a_);
    window_->activateWindow();
    RunField* epochs = next("Epochs of the next run");
    QTRY_VERIFY(epochs->isVisible() && rateField());
    for (const bool rate : {true, false}) {
      show(a_);
      if (rate) QTRY_VERIFY(rateField());
      QLineEdit* field = rate ? rateField() : epochs;
      field->setFocus();
      QTRY_VERIFY(field->hasFocus());
      QTest::keySequence(field, QKeySequence::SelectAll);
      QTest::keyClicks(field, rate ? "0.25" : "7");
      if (left == "tab") {
        auto* tabs = window_->findChild<QTabBar*>("document_tabs");
        QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(1).center());
      } else if (left == "key") {
        QTest::keyClick(field, Qt::Key_Tab, Qt::ControlModifier);
      } else if (left == "train") {
        auto* button = window_->findChild<QWidget*>("run_bar")->findChild<QPushButton*>();
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
      } else {
        QTest::keyClick(field, Qt::Key_F5);
      }
      QCoreApplication::processEvents();
      if (left.startsWith("train")) {
        QTRY_VERIFY_WITH_TIMEOUT(runs().isActive(), 30000);
        stop();
        QMap<QString, QString> settings;
        for (const auto& [key, value] : runs().currentRun()->settings) settings.insert(key, value);
        QCOMPARE(rate ? settings["Learning rate"] : settings["epochs"], QString(rate ? "0.25" : "7"));
      } else {
        QTRY_COMPARE(window_->workspace().current(), b_);
      }
      if (rate) {
        QCOMPARE(runs().live(a_, "Learning rate"), 0.25);
        QVERIFY(std::isnan(runs().live(b_, "Learning rate")));
      } else {
        QCOMPARE(runs().nextRun(a_).epochs, 7);
        QCOMPARE(runs().nextRun(b_).epochs, 0);
      }
    }
  }
  /// The same for a property of a node that both graphs have, and for data read by saving and training.
  void whatIsTypedInTheInspectorCounts_data() {
    QTest::addColumn<QString>("left");
    for (const char* left : {"key", "train", "save"}) QTest::newRow(left) << QString(left);
  }
  void whatIsTypedInTheInspectorCounts() {
    QFETCH(QString, left);
    QTemporaryDir folder;
    show(a_);
    if (left == "save") QVERIFY(run("file.save", {folder.filePath("a.weft")}));
    QTRY_VERIFY(!window_->workspace().isBusy());
    const GraphContentsPtr before = b_->contents();
    window_->activateWindow();
    window_->showView("inspector");
    a_->setSelection({"hidden1"});
    QLineEdit* units = nullptr;
    QTRY_VERIFY((units = field("units")) && units->isVisible());
    units->setFocus();
    QTRY_VERIFY(units->hasFocus());
    QTest::keySequence(units, QKeySequence::SelectAll);
    QTest::keyClicks(units, "77");
    const auto key = [&](Qt::Key key, Qt::KeyboardModifiers modifiers) { QTest::keyClick(units, key, modifiers); };
    if (left == "key") key(Qt::Key_Tab, Qt::ControlModifier);
    if (left == "train") key(Qt::Key_F5, Qt::NoModifier);
    if (left == "save") key(Qt::Key_S, Qt::ControlModifier);
    const auto unitsOf = [](const GraphContentsPtr& contents) {
      for (const weft::widgets::Property& p : layerProperties(*contents, {"hidden1"}))
        if (p.name == "units") return p.value;
      return QString();
    };
    if (left == "train") {
      QTRY_VERIFY_WITH_TIMEOUT(runs().isActive(), 30000);
      QCOMPARE(unitsOf(runs().contents()), QStringLiteral("77"));
      stop();
    }
    QTRY_COMPARE(unitsOf(a_->contents()), QStringLiteral("77"));
    if (left == "save") {
      QTRY_VERIFY_WITH_TIMEOUT(!window_->workspace().isBusy() && !a_->isModified(), 30000);
      QFile file(folder.filePath("a.weft"));
      QVERIFY(file.open(QIODevice::ReadOnly));
      QVERIFY(file.readAll().contains("77"));
    }
    QCOMPARE(b_->contents(), before);
  }
  void aRunThatIsToldSettingsTellsNoOtherDocument() {
    trained(a_, {"--steps", "2", "--set", "Learning rate=0.125"});
    QCOMPARE(runs().live(a_, "Learning rate"), 0.125);
    QVERIFY(std::isnan(runs().live(b_, "Learning rate")));
    QCOMPARE(trained(b_, {"--steps", "2"})["Learning rate"], ownRate(b_));
  }
  void aChangeReachesOnlyTheTrainingOfItsDocument() {
    show(a_);
    QVERIFY(run("run.step"));
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isComputing() && runs().progress().step == 1, 30000);
    show(b_);
    QVERIFY(run("run.set-live", {"Learning rate", "0.5"}));
    QVERIFY(runs().currentRun()->edits.isEmpty());
    QCOMPARE(runs().live(a_, "Learning rate"), ownRate(a_).toDouble());
    // Nor is the paused training of another document gone on with, or stepped.
    for (const char* id : {"run.train", "run.step", "run.steps"}) QVERIFY2(window_->actionRegistry().disabledReason(id).contains("Another document"), id);
    show(a_);
    QCOMPARE(window_->actionRegistry().disabledReason("run.train"), QString());
    stop();
  }
  /// Unset values follow the document, also after a run that used them.
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
    window_->showView("runs");
    const auto* list = window_->viewWidget("runs")->findChild<QTreeWidget*>();
    QTRY_VERIFY(list->topLevelItemCount() > 0);
    QTRY_VERIFY2(list->topLevelItem(0)->data(0, Qt::AccessibleTextRole).toString().contains("stopped"),
                 qPrintable(list->topLevelItem(0)->data(0, Qt::AccessibleTextRole).toString()));
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
    QVERIFY2(words.join(' ').contains(runs().currentRun()->name + " trains mlp.weft, step"), qPrintable(words.join(' ')));
    press(dialog, answer == int(RunningDialog::Answer::Stop)   ? "&Stop and close"
                  : answer == int(RunningDialog::Answer::Keep) ? "Close, &keep training"
                                                               : "&Cancel");
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
    QVERIFY2(refused.message.contains(runs().currentRun()->name) && refused.message.contains("--force"), qPrintable(refused.message));
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
    return QTest::qWaitFor([&] { return done; }, 30000) ? window_->workspace().current() : nullptr;
  }
  void show(Document* document) {
    window_->workspace().setCurrent(document);
    QCoreApplication::processEvents();
  }
  RunField* next(const QString& name) {
    window_->showView("runs");
    for (RunField* field : window_->findChildren<RunField*>())
      if (field->accessibleName() == name) return field;
    return nullptr;
  }
  void type(const QString& name, const QString& text) {
    RunField* field = next(name);
    QTRY_VERIFY(field->isVisible());
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
  }
  QLineEdit* rateField() {
    QLineEdit* found = nullptr;
    for (QLineEdit* field : window_->findChild<QWidget*>("run_bar")->findChildren<QLineEdit*>())
      if (field->accessibleName() == "Learning rate" && field->isVisible()) found = field;
    return found;
  }
  QLineEdit* field(const QString& name) {
    for (QLineEdit* edit : window_->viewWidget("inspector")->findChildren<QLineEdit*>())
      if (edit->accessibleName() == name && edit->isVisible()) return edit;
    return nullptr;
  }
  /// The learning rate that the document says.
  static QString ownRate(const Document* document) {
    for (const TrainingInfo::Live& live : document->contents()->training.live)
      if (live.name == "Learning rate") return QString::number(live.value);
    return "none";
  }
  /// For the run bar's field, which appears after a moment.
  QString shownRate() { return rateField() ? rateField()->text() : QStringLiteral("no field"); }
  QString shownInBar() {
    QCoreApplication::processEvents();
    QStringList texts;
    for (const auto* text : window_->findChild<QWidget*>("run_bar")->findChildren<weft::widgets::StableWidthLabel*>())
      if (text->isVisible()) texts << text->text();
    return texts.join(" | ");
  }
  QMap<QString, QString> trained(Document* document, const QStringList& words) {
    show(document);
    QMap<QString, QString> settings;
    if (!run("run.train", words)) return settings;
    if (!QTest::qWaitFor([&] { return !runs().isActive(); }, 60000)) return settings;
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
