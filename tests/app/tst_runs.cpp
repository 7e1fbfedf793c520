// Trainings as the IDE steers them: several steps, live values, early stop, checkpoints to go back to, evaluation and prediction.
#include <QDir>
#include <QElapsedTimer>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <numeric>

#include "document/document.h"
#include "document/run_archive.h"
#include "document/workspace.h"
#include "plot/scalar_plot.h"

using namespace weft::app;
using State = RunController::State;

class RunsTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { qputenv("XDG_DATA_HOME", folder_.path().toUtf8()); }
  void init() {
    workspace_ = std::make_unique<Workspace>(Settings::Kind::InMemory);
    QString error = "pending";
    workspace_->newFromTemplate("mlp", [&](const QString& e) { error = e; });
    QTRY_VERIFY_WITH_TIMEOUT(error != "pending", 30000);
    QCOMPARE(error, QString());
  }
  void cleanup() { workspace_.reset(); }

  void severalStepsThenItWaits() {
    RunRequest request;
    request.firstSteps = 7;
    start(request);
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isComputing(), 30000);
    QCOMPARE(runs().progress().step, 7);
    runs().runSteps(5);
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isComputing(), 30000);
    QCOMPARE(runs().progress().step, 12);
    stop();
  }
  /// All training output is kept; the repaint rate depends only on the clock.
  void everyStepIsKeptHoweverFewPicturesAreDrawn() {
    struct Paints : QObject {
      bool eventFilter(QObject*, QEvent* event) override {
        count += event->type() == QEvent::Paint;
        return false;
      }
      int count = 0;
    } paints;
    constexpr qint64 kSteps = 3000;
    weft::widgets::ScalarPlot plot;
    plot.resize(500, 300);
    plot.show();
    QVERIFY(QTest::qWaitForWindowExposed(&plot));
    plot.body()->installEventFilter(&paints);
    int line = -1, told = 0;
    connect(&workspace_->summaries(), &Summaries::grown, &plot, [&](int run, SummaryKind kind, const QString& tag) {
      if (kind != SummaryKind::Scalar || tag != QLatin1String("loss")) return;
      ++told;
      if (line < 0) line = plot.addSeries(tag, 0, workspace_->summaries().run(run)->scalars.at(tag));
      plot.changed();
    });
    RunRequest request;
    request.steps = kSteps;
    QElapsedTimer clock;
    clock.start();
    start(request);
    finish(120000);
    const double seconds = double(clock.elapsed()) / 1e3;
    const int painted = paints.count;
    for (const char* tag : {"loss", "accuracy"}) {
      const auto& series = workspace_->summaries().runs().back()->scalars.at(tag);
      QCOMPARE(series->size(), size_t(kSteps));
      for (size_t i = 0; i < series->size(); ++i) QCOMPARE((*series)[i].step, double(i + 1));
    }
    QCOMPARE(runs().progress().step, kSteps);
    QVERIFY2(painted <= 31 * seconds + 10 && told <= 32 * seconds + 10,
             qPrintable(QStringLiteral("%1 pictures, told %2 times in %3 s").arg(painted).arg(told).arg(seconds)));
    QVERIFY(painted > 0);
    QTRY_COMPARE(plot.drawnSamples(line), size_t(kSteps));
  }
  void aRunKeepsItsSettingsAndNotes() {
    RunRequest request;
    request.steps = 20;
    request.set = {{"seed", "7"}};
    start(request);
    finish();
    const RunRecord& run = *runs().currentRun();
    QMap<QString, QString> settings;
    for (const auto& [key, value] : run.settings) settings.insert(key, value);
    QCOMPARE(settings["seed"], QStringLiteral("7"));
    QCOMPARE(settings["steps"], QStringLiteral("20"));
    QVERIFY(settings.contains("batch_size") && settings.contains("Learning rate"));
    QCOMPARE(run.documentHash.size(), 40);
    QCOMPARE(run.end, RunRecord::End::Finished);
    runs().setNotes(run.number, "first try");
    QFile file(QDir(run.folder).filePath("run.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray json = file.readAll();
    for (const char* part : {"\"seed\": \"7\"", "first try", "\"end\": \"finished\"", "model.ckpt-20"}) QVERIFY2(json.contains(part), part);
  }
  void runsOfEarlierStartsAreFound() {
    RunRequest request;
    request.steps = 20;
    request.set = {{"seed", "9"}};
    start(request);
    finish();
    const QString folder = runs().currentRun()->folder, parent = QFileInfo(folder).absolutePath();
    const double loss = runs().progress().loss;
    RunArchive& archive = RunArchive::of(*workspace_);
    QCOMPARE(archive.setTitle(*runs().currentRun(), " with \n seed 9 "), QString());
    // A run number is unique within a document, independent of earlier trainings.
    const int number = runs().currentRun()->number;
    const QString label = QStringLiteral("run %1 · with seed 9").arg(number);
    QCOMPARE(archive.label(*runs().currentRun()), label);
    runs().setNotes(number, "kept");  // does not lose the title
    // Another start: a workspace that knows of nothing.
    init();
    RunArchive& later = RunArchive::of(*workspace_);
    QCOMPARE(workspace_->current()->runsFolder(), parent);
    later.show(workspace_->current());
    QTRY_VERIFY(!later.isReading());
    const RunRecord* run = later.find(QFileInfo(folder).fileName());
    QVERIFY(run && later.archived(run) && !later.archived(run)->interrupted);
    QCOMPARE(later.label(*run), label);
    QCOMPARE(later.find(QString::number(number)), run);
    QCOMPARE(run->notes, QStringLiteral("kept"));
    QCOMPARE(run->progress.step, 20);
    QCOMPARE(run->progress.loss, loss);
    QCOMPARE(run->documentHash.size(), 40);
    QVERIFY(run->settings.contains({"seed", "9"}));
    QCOMPARE(run->checkpoints.size(), 1);
    QVERIFY(QFile::exists(run->checkpoints[0].prefix + ".index"));
    // A new run can begin at its checkpoint.
    RunRequest again;
    again.steps = 22;
    again.resumeFrom = run->checkpoints[0].prefix;
    start(again);
    finish();
    QCOMPARE(workspace_->summaries().runs().back()->scalars.at("loss")->samples().front().step, 21.0);
    QVERIFY(runs().currentRun()->number > number);
    QCOMPARE(later.remove(*run), QString());
    QVERIFY(!QFileInfo::exists(folder));
    QVERIFY(!later.find(QFileInfo(folder).fileName()));
  }
  void aRunThatTheProgramDidNotOutliveIsInterrupted() {
    RunRequest request;
    request.firstSteps = 3;
    start(request);
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isComputing(), 30000);
    const QString folder = runs().currentRun()->folder;
    QTemporaryDir other;
    QVERIFY(QDir(other.path()).mkpath("20200101-000000-1"));
    QVERIFY(QFile::copy(folder + "/run.json", other.filePath("20200101-000000-1/run.json")));  // as it is on the disk now
    QVERIFY(!RunArchive::of(*workspace_).setTitle(*runs().currentRun(), "x").isEmpty());       // it still goes on
    QVERIFY(!RunArchive::of(*workspace_).remove(*runs().currentRun()).isEmpty());
    stop();
    // Damaged and foreign folders.
    for (const char* name : {"20200102-000000-1/checkpoints", "nothing in it"}) QVERIFY(QDir(other.path()).mkpath(name));
    write(other.filePath("20200102-000000-1/run.json"), "{\"name\": 3, \"settings\": [1, 2], \"steps\": \"many\"");
    write(other.filePath("20200102-000000-1/checkpoints/model.ckpt-7.index"), "");
    const auto found = RunArchive::read(other.path());
    QCOMPARE(found.size(), size_t(2));
    QVERIFY(found[0]->interrupted && found[1]->interrupted);
    // Earlier versions started at 1 each time: the second run is distinguished.
    QCOMPARE(found[1]->record.name, QStringLiteral("run 1"));
    QCOMPARE(found[0]->record.name, QStringLiteral("run 2"));
    QCOMPARE(found[0]->record.started.date(), QDate(2020, 1, 2));
    QCOMPARE(found[0]->record.progress.step, 7);
    QVERIFY(RunArchive::read(other.filePath("no such")).empty());
  }
  void theSameSeedGivesTheSameNumbers() {
    QVector<double> losses;
    for (int i = 0; i < 2; ++i) {
      RunRequest request;
      request.steps = 15;
      request.set = {{"seed", "3"}};
      start(request);
      finish();
      losses << runs().progress().loss;
    }
    QCOMPARE(losses[0], losses[1]);
  }
  void aLiveValueHoldsFromTheNextStepOn() {
    RunRequest request;
    request.firstSteps = 3;
    start(request);
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isComputing(), 30000);
    QVERIFY(!runs().setLive(workspace_->current(), "no_such_rate", 1).isEmpty());
    QCOMPARE(runs().setLive(workspace_->current(), "Learning rate", 0.002), QString());
    QCOMPARE(runs().currentRun()->edits.size(), 1);
    QCOMPARE(runs().currentRun()->edits[0].step, 3);
    QVERIFY(runs().setLive(workspace_->current(), "Learning rate", 7).contains("expected"));
    QCOMPARE(runs().live(workspace_->current(), "Learning rate"), 0.002);
    stop();
    // The next run begins with it.
    RunRequest next;
    next.steps = 2;
    start(next);
    finish();
    bool found = false;
    for (const auto& [key, value] : runs().currentRun()->settings) found = found || (key == "Learning rate" && value == "0.002");
    QVERIFY(found);
  }
  void itStopsEarlyWhenNothingIsGained() {
    RunRequest request;
    request.epochs = 50;
    request.patience = 2;
    request.set = {{"learning_rate", "0"}};
    start(request);
    finish(60000);
    const RunRecord& run = *runs().currentRun();
    QVERIFY2(run.end != RunRecord::End::Failed, qPrintable(run.error));
    QCOMPARE(run.end, RunRecord::End::StoppedEarly);
    QVERIFY(run.progress.step < run.progress.totalSteps);
  }
  void aRunBeginsAtACheckpoint() {
    RunRequest request;
    request.steps = 30;
    request.set = {{"checkpoint_every_steps", "10"}};
    start(request);
    finish();
    const auto checkpoints = runs().currentRun()->checkpoints;
    QCOMPARE(checkpoints.size(), 3);
    const double lossAt30 = runs().progress().loss;
    RunRequest again;
    again.steps = 30;
    again.resumeFrom = checkpoints[1].prefix;
    again.origin = "run 1, step 20";
    start(again);
    finish();
    QCOMPARE(workspace_->summaries().runs().back()->scalars.at("loss")->samples().front().step, 21.0);
    QCOMPARE(runs().progress().loss, lossAt30);  // bit for bit
    RunRequest gone;
    gone.resumeFrom = folder_.filePath("no-such-checkpoint");
    start(gone);
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive(), 30000);
    QCOMPARE(runs().state(), State::Failed);
    QVERIFY2(runs().lastError().contains("no-such-checkpoint"), qPrintable(runs().lastError()));
  }
  void anEvaluationCountsEverySampleOnce() {
    RunRequest request;
    request.epochs = 3;
    start(request);
    finish(60000);
    const TrainedModelPtr model = runs().model();
    QVERIFY(model);
    QString error;
    const ClassReport report = model->evaluate(10, &error);
    QCOMPARE(error, QString());
    QCOMPARE(report.classes, 10);
    QCOMPARE(std::accumulate(report.confusion.begin(), report.confusion.end(), qint64(0)), report.samples);
    qint64 right = 0;
    for (int i = 0; i < 10; ++i) right += report.confusion[i * 11];
    QCOMPARE(double(right) / double(report.samples), report.accuracy);
    QVERIFY2(std::abs(report.accuracy - runs().progress().testAccuracy) < 1e-4,
             qPrintable(QString("%1 %2").arg(report.accuracy).arg(runs().progress().testAccuracy)));
    for (qsizetype i = 1; i < report.worst.size(); ++i) QVERIFY(report.worst[i - 1].loss >= report.worst[i].loss);
    // Each wrong cell has a sample to show.
    for (int l = 0; l < 10; ++l) {
      for (int p = 0; p < 10; ++p) {
        if (l == p || report.confusion[l * 10 + p] == 0) continue;
        bool shown = false;
        for (const auto& sample : report.worst) shown = shown || (sample.label == l && sample.predicted == p);
        QVERIFY(shown);
      }
    }
    // The network's output for a sample matches the evaluation.
    QVERIFY(!report.worst.isEmpty());
    const QVector<double> probabilities = model->predict(report.worst[0].values, &error);
    QCOMPARE(error, QString());
    QCOMPARE(probabilities.size(), 10);
    QVERIFY(std::abs(std::accumulate(probabilities.begin(), probabilities.end(), 0.0) - 1) < 1e-9);
    QVERIFY(std::abs(probabilities[report.worst[0].predicted] - report.worst[0].probability) < 1e-4);
    model->predict({1, 2, 3}, &error);
    QVERIFY2(error.contains("expected a multiple of 64"), qPrintable(error));
  }
  void whatIsNoClassifierSaysSo() {
    QString opened = "pending";
    workspace_->newFromTemplate("autoencoder", [&](const QString& e) { opened = e; });
    QTRY_VERIFY_WITH_TIMEOUT(opened != "pending", 30000);
    RunRequest request;
    request.steps = 2;
    start(request);
    finish();
    QString error;
    runs().model()->evaluate(5, &error);
    QVERIFY2(error.contains("cross entropy"), qPrintable(error));
    QVERIFY(runs().model()->sampleShape().isEmpty());
  }

 private:
  static void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
  }
  RunController& runs() { return workspace_->runs(); }
  void start(const RunRequest& request) {
    QCOMPARE(runs().whyNot(workspace_->current()), QString());
    runs().start(workspace_->current(), request);
  }
  void stop() {
    runs().stop();
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive(), 30000);
  }
  void finish(int ms = 30000) {
    QTRY_VERIFY_WITH_TIMEOUT(!runs().isActive(), ms);
    runs().drain();
    if (runs().state() == State::Failed) qWarning("%s", qPrintable(runs().lastError()));
  }

  QTemporaryDir folder_;
  std::unique_ptr<Workspace> workspace_;
};

QTEST_MAIN(RunsTest)
#include "tst_runs.moc"
