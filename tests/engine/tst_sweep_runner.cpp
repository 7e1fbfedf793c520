#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <chrono>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>

#include "support/documents.h"
#include "support/verify.h"
#include "weft/document_parameters.h"
#include "weft/event_plugins.h"
#include "weft/events.h"
#include "weft/sweep_runner.h"
#include "weft/templates.h"
#include "weft/train.h"

using namespace weft;

namespace {

SweepPlan plan(std::initializer_list<const char*> parameters, SweepMethod method, int runs) {
  SweepPlan plan;
  for (const char* text : parameters) plan.parameters.push_back(*sweepParameterOf(text));
  plan.method = method;
  plan.runs = runs;
  plan.metric = "loss";
  return plan;
}

double number(const SweepTrial& trial, size_t i) { return std::stod(trial.parameters[i].second); }

/// A store with a sweep in a temporary folder.
struct Lab {
  QTemporaryDir folder;
  std::unique_ptr<ExperimentStore> store;
  ExperimentSweep sweep;
  std::unique_ptr<SweepRunner> runner;

  explicit Lab(const SweepPlan& plan) {
    auto opened = ExperimentStore::open(folder.filePath("experiments.sqlite").toStdString());
    if (!opened.ok()) qFatal("%s", opened.error().toString().c_str());
    store = std::move(*opened);
    auto begun = beginSweep(*store, folder.path().toStdString(), "", plan);
    if (!begun.ok()) qFatal("%s", begun.error().toString().c_str());
    sweep = *begun;
  }
  Status run(SweepBody body, SweepOptions options = {}) {
    auto made = SweepRunner::create(*store, sweep, std::move(body), std::move(options));
    if (!made.ok()) return made.status();
    runner = std::move(*made);
    return runner->run();
  }
  std::string statuses() const {
    std::string out;
    const auto table = store->table(sweep.id);
    for (const ExperimentRun& r : (*table)->runs()) out += (out.empty() ? "" : ", ") + std::string(nameOf(r.status));
    return out;
  }
  ExperimentRun runOf(int number) const { return (*store->table(sweep.id))->runs()[size_t(number - 1)]; }
};

SweepOptions oneAtATime() {
  SweepOptions options;
  options.parallel = 1;
  return options;
}

/// A run whose loss falls from 1 to its parameter in ten steps.
SweepBody falling() {
  return [](const SweepTrial& trial, SweepControl& control) -> Status {
    for (int step = 1; step <= 10; ++step)
      if (!control.report({step, 10, {{"loss", 1 + (number(trial, 0) - 1) * step / 10}}})) return {};
    return {};
  };
}

LoadedGraph mlp() {
  LoadedGraph loaded;
  loaded.meta = tests::documentOf("mlp");
  return loaded;
}

std::string errorOf(const SweepPoint& parameters) {
  LoadedGraph loaded = mlp();
  const Status status = setDocumentParameters(loaded.meta, loaded.problems, parameters);
  return status.ok() ? std::string() : status.error().message;
}

}  // namespace

/// Sweeps: runs at once, their ends, and going on after any end; parameters of documents.
class TestSweepRunner : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { qputenv("WEFT_RESOURCES", WEFT_SOURCE_DIR "/resources"); }

  void everyRunIsStoredAndTheBestIsFound() {
    Lab lab(plan({"x=uniform:0:1:5"}, SweepMethod::Grid, 0));
    std::mutex mutex;
    std::set<int> threads;
    int atOnce = 0, most = 0;
    SweepOptions options;
    options.parallel = 3;
    options.threads = 6;
    VERIFY_OK(lab.run(
        [&](const SweepTrial& trial, SweepControl& control) -> Status {
          {
            const std::lock_guard lock(mutex);
            threads.insert(trial.threads);
            most = std::max(most, ++atOnce);
          }
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          const Status status = falling()(trial, control);
          const std::lock_guard lock(mutex);
          --atOnce;
          return status;
        },
        options));
    QCOMPARE(threads, std::set<int>{2});
    QVERIFY2(most >= 2 && most <= 3, std::to_string(most).c_str());
    QCOMPARE(lab.statuses(), std::string("finished, finished, finished, finished, finished"));
    const auto best = bestRunOf(*lab.store, lab.sweep);
    QVERIFY(best.ok());
    QCOMPARE(best->parameters, (SweepPoint{{"x", "0"}}));
    QCOMPARE(lab.store->curve(best->run.id, "loss")->size(), size_t(10));
    const SweepProgress p = lab.runner->progress();
    QCOMPARE(p.finished, int64_t(5));
    QCOMPARE(p.bestValue, 0.0);
  }

  void aFailedRunIsRecordedAndTheSweepGoesOn() {
    Lab lab(plan({"x=int:1:4"}, SweepMethod::Grid, 0));
    VERIFY_OK(lab.run(
        [](const SweepTrial& trial, SweepControl& control) -> Status {
          if (trial.number == 2) return invalidArgument("kernel expects 32 input channels, got 1").atNode("conv2");
          if (trial.number == 3) throw std::bad_alloc();
          return falling()(trial, control);
        },
        oneAtATime()));
    QCOMPARE(lab.statuses(), std::string("finished, failed, failed, finished"));
    QCOMPARE(lab.runOf(2).error, std::string("conv2: kernel expects 32 input channels, got 1"));
    QCOMPARE(lab.runOf(3).error, std::string("std::bad_alloc"));
    // The end of each session is in its event files.
    const auto runs = lab.store->table(lab.sweep.id);
    const auto copy = ExperimentStore::open(lab.folder.filePath("copy.sqlite").toStdString());
    const auto imported = importRuns(**copy, lab.sweep.folder);
    QVERIFY2(imported.ok(), imported.ok() ? "" : imported.error().toString().c_str());
    QCOMPARE(*imported, int64_t(4));
    const auto table = (*copy)->table();
    QCOMPARE((*table)->runs()[1].status, ExperimentStatus::Failed);
    QCOMPARE((*table)->record((*table)->runs()[3].id)->parameters, (SweepPoint{{"x", "4"}}));
  }

  void badRunsAreStoppedEarly() {
    for (const StopRule::Kind rule : {StopRule::Kind::Median, StopRule::Kind::Asha}) {
      SweepPlan p = plan({"x=choice:0.1,0.2,0.3,0.9,0.8,0.05"}, SweepMethod::Grid, 0);
      p.stop.kind = rule;
      Lab lab(p);
      VERIFY_OK(lab.run(falling(), oneAtATime()));
      const auto status = [&](int run) { return lab.runOf(run).status; };
      QCOMPARE(status(1), ExperimentStatus::Finished);
      QCOMPARE(status(4), ExperimentStatus::StoppedEarly);
      QCOMPARE(status(5), ExperimentStatus::StoppedEarly);
      QCOMPARE(status(6), ExperimentStatus::Finished);
      QVERIFY(lab.runOf(4).step < 10);
      QVERIFY2(lab.runOf(4).error.starts_with("stopped by the rule " + std::string(nameOf(rule)) + " at step "), lab.runOf(4).error.c_str());
      QCOMPARE(bestRunOf(*lab.store, lab.sweep)->run.number, int64_t(6));
    }
  }

  void aStoppedSweepGoesOn() {
    Lab lab(plan({"x=int:1:5"}, SweepMethod::Grid, 0));
    std::vector<int64_t> begun;
    VERIFY_OK(lab.run(
        [&](const SweepTrial& trial, SweepControl& control) -> Status {
          begun.push_back(trial.number);
          (void)control.report({1, 10, {{"loss", 1}}});
          if (trial.number == 3) {
            lab.runner->stop();
            if (!control.stop()) return internalError("it was not told to stop");
            return {};
          }
          return falling()(trial, control);
        },
        oneAtATime()));
    QVERIFY(lab.runner->stopped());
    QCOMPARE(lab.statuses(), std::string("finished, finished, interrupted"));
    std::vector<std::pair<int64_t, bool>> later;
    VERIFY_OK(lab.run(
        [&](const SweepTrial& trial, SweepControl& control) -> Status {
          later.emplace_back(trial.number, trial.resume);
          return falling()(trial, control);
        },
        oneAtATime()));
    QCOMPARE(later, (std::vector<std::pair<int64_t, bool>>{{3, true}, {4, false}, {5, false}}));
    QCOMPARE(lab.statuses(), std::string("finished, finished, finished, finished, finished"));
    VERIFY_OK(lab.run(falling(), oneAtATime()));  // nothing is left
    QCOMPARE(lab.runner->progress().finished, int64_t(5));
  }

  void runsOfAKilledProgramGoOn() {
    Lab lab(plan({"x=int:1:3"}, SweepMethod::Grid, 0));
    ExperimentRun run;
    run.sweep = lab.sweep.id;
    run.number = 1;
    run.name = "run-001";
    run.folder = lab.sweep.folder + "/run-001";
    run.status = ExperimentStatus::Running;
    QVERIFY(lab.store->addRun(run, {{"x", "1"}}).ok());
    bool resumed = false;
    VERIFY_OK(lab.run(
        [&](const SweepTrial& trial, SweepControl& control) -> Status {
          if (trial.number == 1) resumed = trial.resume;
          return falling()(trial, control);
        },
        oneAtATime()));
    QVERIFY(resumed);
    QCOMPARE(lab.statuses(), std::string("finished, finished, finished"));
  }

  void aPausedSweepWaits() {
    Lab lab(plan({"x=int:1:2"}, SweepMethod::Grid, 0));
    std::atomic<int> steps{0};
    auto made = SweepRunner::create(
        *lab.store, lab.sweep,
        [&](const SweepTrial&, SweepControl& control) -> Status {
          for (int s = 1;; ++s) {
            ++steps;
            if (!control.progress(s, 1000000000)) return {};
          }
        },
        oneAtATime());
    QVERIFY(made.ok());
    SweepRunner& runner = **made;
    Status status;
    std::thread thread([&] { status = runner.run(); });
    QTRY_VERIFY(steps > 0);
    runner.pause();
    QTest::qWait(50);
    const int before = steps;
    QTest::qWait(100);
    QCOMPARE(steps.load(), before);
    QVERIFY(runner.progress().paused);
    runner.resume();
    QTRY_VERIFY(steps > before);
    runner.pause();
    runner.stop();  // a paused sweep can be stopped
    thread.join();
    VERIFY_OK(status);
    QCOMPARE(lab.statuses(), std::string("interrupted"));
  }

  void aFullDiskEndsTheSweep() {
    Lab lab(plan({"x=int:1:4"}, SweepMethod::Grid, 0));
    const Status status = lab.run(
        [&](const SweepTrial& trial, SweepControl& control) -> Status {
          if (trial.number == 2) return resourceExhausted("No space left on device").inFile(trial.folder + "/events");
          return falling()(trial, control);
        },
        oneAtATime());
    QCOMPARE(status.code(), Code::ResourceExhausted);
    QVERIFY(QString::fromStdString(status.toString()).contains("No space left on device"));
    QCOMPARE(lab.statuses(), std::string("finished, interrupted"));  // it can go on once there is room
  }

  void aStoreWithoutRoomEndsTheSweep() {
    Lab lab(plan({"x=int:1:4"}, SweepMethod::Grid, 0));
    ExperimentStore::Options options;
    options.mostPages = 30;
    lab.store = std::move(*ExperimentStore::open(lab.store->path(), options));
    const Status status = lab.run(
        [&](const SweepTrial&, SweepControl& control) -> Status {
          for (int s = 1; s <= 100000; ++s)
            if (!control.report({s, 100000, {{"loss", 1}}})) return {};
          return {};
        },
        oneAtATime());
    QCOMPARE(status.code(), Code::ResourceExhausted);
    QCOMPARE(status.error().message, std::string("the disk is full, or the file may not grow"));
  }

  void documentsListTheirParameters() {
    std::set<std::string> names;
    for (const DocumentParameter& p : documentParameters(mlp().meta)) {
      names.insert(p.name);
      const auto again = sweepParameterOf(textOf(p.proposal));
      QVERIFY2(again.ok(), p.name.c_str());
      // What is proposed can be set.
      const std::string error = errorOf({{p.name, p.proposal.at(0.5)}});
      QVERIFY2(error.empty(), (p.name + ": " + error).c_str());
    }
    for (const char* name : {"learning_rate", "batch_size", "optimizer", "epochs", "seed"}) QVERIFY2(names.contains(name), name);
  }

  void parametersChangeTheDocument() {
    LoadedGraph loaded = mlp();
    const std::string layer = [&] {
      for (const DocumentParameter& p : documentParameters(loaded.meta))
        if (p.group == DocumentParameter::Group::Layer && p.name.ends_with(".units")) return p.name;
      return std::string();
    }();
    QVERIFY(!layer.empty());
    VERIFY_OK(
        setDocumentParameters(loaded.meta, loaded.problems, {{layer, "17"}, {"batch_size", "8"}, {"lr", "0.25"}, {"optimizer", "Momentum"}, {"epochs", "2"}}));
    QVERIFY(loaded.problems.empty());
    QCOMPARE(datasetBindingsOf(loaded.meta)->front().batchSize, 8);
    const auto settings = trainingSettingsOf(loaded.meta);
    QCOMPARE(settings->epochs, int64_t(2));
    QCOMPARE(settings->live[0].value, 0.25);
    std::map<std::string, std::string> values;
    for (const DocumentParameter& p : documentParameters(loaded.meta)) values[p.name] = p.value;
    QCOMPARE(values[layer], std::string("17"));
    QCOMPARE(values["optimizer"], std::string("Momentum"));
    QCOMPARE(values["learning_rate"], std::string("0.25"));
  }

  void wrongParametersOfDocumentsAreNamed() {
    QCOMPARE(errorOf({{"nothing", "1"}}),
             std::string("there is no parameter nothing, expected a training setting, a live scalar, LAYER.PARAMETER, NODE.ATTRIBUTE or a tensor"));
    QCOMPARE(errorOf({{"batch_size", "0"}}), std::string("batch_size is 0, expected a whole number from 1 to 2147483647"));
    QVERIFY2(errorOf({{"optimizer", "Magic"}}).find("'Magic'") != std::string::npos, errorOf({{"optimizer", "Magic"}}).c_str());
    QVERIFY2(errorOf({{"units", "8"}}).starts_with("units is a parameter of several layers, expected one of "), errorOf({{"units", "8"}}).c_str());
  }

  void trainsInThisProcessAndInOthers() {
    for (const bool processes : {false, true}) {
      SweepPlan p = plan({"lr=choice:0.001,0.01", "batch_size=choice:32"}, SweepMethod::Grid, 0);
      p.metric = "test_accuracy";
      p.maximize = true;
      p.fixed = {{"epochs", "2"}};
      Lab lab(p);
      VERIFY_OK(lab.run(processes ? trainInProcesses(WEFT_PROGRAM, mlp(), ".") : trainDocument(mlp(), ".")));
      QVERIFY2(lab.statuses() == "finished, finished", (lab.statuses() + ": " + lab.runOf(1).error).c_str());
      const auto best = bestRunOf(*lab.store, lab.sweep);
      QVERIFY(best.ok());
      std::map<std::string, double> metrics(best->metrics.begin(), best->metrics.end());
      QVERIFY2(metrics["test_accuracy"] > 0.7, std::to_string(metrics["test_accuracy"]).c_str());
      QVERIFY(metrics.contains("loss"));
      // Event files for TensorBoard, and a checkpoint of the best run alone.
      const QDir folder(QString::fromStdString(lab.sweep.folder));
      QCOMPARE(folder.entryList({"*tfevents*"}, QDir::Files).size(), 1);
      for (const ExperimentRun& run : (*lab.store->table())->runs())
        QCOMPARE(QDir(QString::fromStdString(run.folder)).exists("checkpoints"), run.id == best->run.id);
    }
  }

  void aCrashedProcessIsAFailedRun() {
    const QTemporaryDir folder;
    const QString program = folder.filePath("crash");
    QFile script(program);
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(
        "#!/bin/sh\necho '{\"step\":1,\"total_steps\":9,\"loss\":1}'\ncase $2 in *run-001*) kill -SEGV $$;; *run-002*) echo 'weft: the loss is not finite' >&2; exit 1;; esac\n");
    script.close();
    script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    Lab lab(plan({"seed=int:1:3"}, SweepMethod::Grid, 0));
    // The words of a run: train FILE …
    VERIFY_OK(lab.run(trainInProcesses(program.toStdString(), mlp(), "."), oneAtATime()));
    QCOMPARE(lab.statuses(), std::string("failed, failed, finished"));
    QCOMPARE(lab.runOf(1).error, std::string("its process was ended by signal 11 (Segmentation fault)"));
    QCOMPARE(lab.runOf(2).error, std::string("the loss is not finite"));
    Lab none(plan({"seed=int:1:1"}, SweepMethod::Grid, 0));
    VERIFY_OK(none.run(trainInProcesses("/no/such/weft", mlp(), "."), oneAtATime()));
    QCOMPARE(none.runOf(1).error, std::string("/no/such/weft: the program cannot be started: No such file or directory"));
  }

  void anInterruptedTrainingContinuesFromItsCheckpoint() {
    SweepPlan p = plan({"lr=choice:0.01"}, SweepMethod::Grid, 0);
    p.fixed = {{"steps", "100"}};
    Lab lab(p);
    SweepOptions options = oneAtATime();
    options.changed = [&](const ExperimentRun& run) {
      if (run.step >= 20 && run.step < 90) lab.runner->stop();
    };
    VERIFY_OK(lab.run(trainDocument(mlp(), "."), options));
    QCOMPARE(lab.statuses(), std::string("interrupted"));
    VERIFY_OK(lab.run(trainDocument(mlp(), "."), oneAtATime()));
    QCOMPARE(lab.statuses(), std::string("finished"));
    Lab whole(p);
    VERIFY_OK(whole.run(trainDocument(mlp(), "."), oneAtATime()));
    const auto last = [](Lab& l) { return l.store->curve(l.runOf(1).id, "test_loss")->back().value; };
    QCOMPARE(last(lab), last(whole));
  }
};

QTEST_GUILESS_MAIN(TestSweepRunner)
#include "tst_sweep_runner.moc"
