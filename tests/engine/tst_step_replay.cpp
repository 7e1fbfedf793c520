#include <QTest>
#include <atomic>
#include <map>
#include <thread>

#include "support/documents.h"
#include "support/verify.h"
#include "weft/builder.h"
#include "weft/debugger.h"
#include "weft/step_replay.h"
#include "weft/templates.h"

using namespace weft;
using namespace weft::tests;

namespace {

/// A training of some steps that recorded them, and the variables that it had before some of them.
struct Recorded {
  std::unique_ptr<Trainer> trainer;
  std::map<int64_t, std::map<std::string, Tensor>> before;
  std::map<int64_t, double> losses;
};

std::unique_ptr<Recorded> train(const std::string& name, int64_t steps, StepRecording recording, std::function<void(TrainOptions&)> more = {}) {
  auto out = std::make_unique<Recorded>();
  TrainOptions options;
  options.steps = steps;
  options.session.threads = 2;
  options.logFolder = options.checkpointFolder = std::string();
  options.recording = recording;
  options.callbacks.summary = [](const Event&) {};
  options.callbacks.gradients = [](int64_t, const std::vector<GradientNorm>&) {};
  Recorded* r = out.get();
  options.callbacks.step = [r](const TrainStep& s) {
    r->losses[s.step] = s.loss;
    if (s.step % 7 == 3) r->before[s.step + 1] = r->trainer->session().variables();
  };
  if (more) more(options);
  auto made = Trainer::create(documentOf(name), std::move(options));
  if (!made.ok()) qFatal("%s: %s", name.c_str(), made.error().toString().c_str());
  out->trainer = std::move(*made);
  const Status status = out->trainer->run();
  if (!status.ok()) qFatal("%s: %s", name.c_str(), status.toString().c_str());
  return out;
}

bool same(const std::map<std::string, Tensor>& variables, const StepReplay& replay) {
  return std::equal(variables.begin(), variables.end(), replay.variables().begin(), replay.variables().end(),
                    [](const auto& a, const auto& b) { return a.first == b.first && a.second.identicalTo(b.second); });
}

}  // namespace

/// Steps of a training computed again.
class TestStepReplay : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { qputenv("WEFT_RESOURCES", WEFT_SOURCE_DIR "/resources"); }

  void givesTheSameBits_data() {
    QTest::addColumn<QString>("name");
    for (const auto& t : api::templates()) QTest::newRow(t.name.c_str()) << QString::fromStdString(t.name);
  }
  void givesTheSameBits() {
    QFETCH(QString, name);
    const auto r = train(name.toStdString(), 40, {1000, 256 << 20, 0.02});
    auto replay = r->trainer->replay();
    QVERIFY2(replay.ok(), replay.ok() ? "" : replay.error().toString().c_str());
    QCOMPARE((*replay)->recorded().first, int64_t(1));
    QCOMPARE((*replay)->recorded().last, int64_t(40));
    for (const int64_t step : {39, 4, 25, 11, 18, 32, 1, 40}) {
      VERIFY_OK((*replay)->goTo(step));
      if (const auto known = r->before.find(step); known != r->before.end()) QVERIFY2(same(known->second, **replay), qPrintable(QString::number(step)));
      QCOMPARE((*replay)->loss(step), r->losses.at(step));
    }
  }

  void aStepUnderAControllerChangesNothing() {
    const auto r = train("lenet-digits", 12, {1000, 256 << 20, 0.02});
    auto replay = r->trainer->replay();
    QVERIFY(replay.ok());
    VERIFY_OK((*replay)->goTo(11));
    const auto& variables = r->before.at(11);
    const std::vector<int64_t> rows = (*replay)->rows();
    Debugger::Options quiet;
    quiet.stopAtEntry = quiet.stopAtErrors = false;
    Debugger debugger(quiet);
    VERIFY_OK((*replay)->compute(debugger));
    VERIFY_OK((*replay)->evaluate({(*replay)->settings().loss}).status());
    VERIFY_OK((*replay)->goTo(12));  // fails if step 11, computed again, has another loss
    QVERIFY((*replay)->rows() != rows);
    // The step before is kept.
    VERIFY_OK((*replay)->goTo(11));
    QVERIFY(same(variables, **replay));
    QVERIFY((*replay)->rows() == rows);
    VERIFY_OK((*replay)->compute(debugger));
    VERIFY_OK((*replay)->goTo(12));
  }

  void aStepThatWasDebuggedIsACopyOfItsOwn() {
    Debugger::Options quiet;
    quiet.stopAtEntry = quiet.stopAtErrors = false;
    Debugger debugger(quiet);
    const auto r = train("mlp", 30, {1000, 256 << 20, 1000}, [&](TrainOptions& options) {
      options.prepareRun = [&](int64_t step, RunOptions& run) {
        if (step == 10) run.controller = &debugger;
      };
    });
    auto replay = r->trainer->replay();
    QVERIFY(replay.ok());
    QCOMPARE((*replay)->recorded().copies, int64_t(2));
    VERIFY_OK((*replay)->goTo(30));
  }

  void onlyTheLastStepsAreKept() {
    const auto r = train("mlp", 300, {50, 256 << 20, 0.001});
    auto replay = r->trainer->replay();
    QVERIFY(replay.ok());
    const RecordedSteps kept = (*replay)->recorded();
    QVERIFY(kept.first > 1 && kept.first <= 251);
    QCOMPARE(kept.last, int64_t(300));
    VERIFY_OK((*replay)->goTo(251));
    const Status gone = (*replay)->goTo(1);
    QCOMPARE(int(gone.code()), int(Code::OutOfRange));
    QVERIFY2(QString::fromStdString(gone.error().message).startsWith("Step 1 is not recorded; steps "), gone.error().message.c_str());
    QVERIFY(!(*replay)->goTo(301).ok());
  }

  void memoryHasALimit() {
    const auto unlimited = train("mlp", 60, {1000, int64_t(1) << 40, 0});
    auto replay = unlimited->trainer->replay();
    QVERIFY(replay.ok());
    const int64_t one = (*replay)->recorded().bytes / (*replay)->recorded().copies;
    const auto r = train("mlp", 60, {1000, one * 4, 0});
    replay = r->trainer->replay();
    QVERIFY(replay.ok());
    QVERIFY((*replay)->recorded().bytes <= one * 4);
    QCOMPARE((*replay)->recorded().first, int64_t(1));
    VERIFY_OK((*replay)->goTo(60));
    VERIFY_OK((*replay)->goTo(2));
  }

  void copiesStayFrequentWhereOnlyOneFits() {
    const auto unlimited = train("mlp", 10, {1000, int64_t(1) << 40, 0});
    const RecordedSteps all = unlimited->trainer->recordedSteps();
    // Room for one copy and a half: each new one takes the place of the one before, however long the training is.
    const auto r = train("mlp", 300, {1000, all.bytes / all.copies * 3 / 2, 0});
    const RecordedSteps kept = r->trainer->recordedSteps();
    QCOMPARE(kept.copies, int64_t(1));
    QVERIFY2(kept.last - kept.first < 100, qPrintable(QString::number(kept.first)));
  }

  void variablesThatDoNotFitAreNotRecorded() {
    const auto r = train("mlp", 5, {1000, 1000, 0});
    const auto replay = r->trainer->replay();
    QVERIFY(!replay.ok());
    QVERIFY2(QString::fromStdString(replay.error().message).contains("a copy of the variables takes "), replay.error().message.c_str());
    QCOMPARE(r->trainer->recordedSteps().bytes, int64_t(0));
  }

  void nothingIsKeptUnasked() {
    const auto r = train("mlp", 3, {});
    const auto replay = r->trainer->replay();
    QVERIFY(!replay.ok());
    QCOMPARE(replay.error().message, std::string("Steps of this training are not recorded."));
  }

  void aQueueCannotBeGoneBack() {
    MetaGraph meta = documentOf("mlp");
    {
      GraphBuilder b(meta);
      const int queue = b.node("FIFOQueueV2", {}, {{"component_types", std::vector<DType>{DType::Float}}}, "queue");
      const int put = b.node("QueueEnqueueV2", {Output{queue, 0}, b.scalar(1.0f)}, {{"Tcomponents", std::vector<DType>{DType::Float}}}, "put");
      QVERIFY2(b.ok(), b.status().toString().c_str());
      const auto settings = trainingSettingsOf(meta);
      b.addControlInputs(meta.graph.find(settings->trainOp)->id, {put});
    }
    TrainOptions options;
    options.steps = 2;
    options.logFolder = options.checkpointFolder = std::string();
    options.recording.steps = 100;
    auto made = Trainer::create(std::move(meta), std::move(options));
    QVERIFY2(made.ok(), made.ok() ? "" : made.error().toString().c_str());
    VERIFY_OK((*made)->run());
    const auto replay = (*made)->replay();
    QVERIFY(!replay.ok());
    QVERIFY2(QString::fromStdString(replay.error().message).contains("put (QueueEnqueueV2)"), replay.error().message.c_str());
  }

  void worksBesideTheTraining() {
    auto r = std::make_unique<Recorded>();
    TrainOptions options;
    options.steps = 100000;
    options.session.threads = 1;
    options.logFolder = options.checkpointFolder = std::string();
    options.recording = {200, 64 << 20, 0.01};
    auto made = Trainer::create(documentOf("mlp"), std::move(options));
    QVERIFY(made.ok());
    std::thread training([&] { (void)(*made)->run(); });
    while ((*made)->step() < 20) std::this_thread::yield();
    int computed = 0;
    Status failure;
    {
      auto replay = (*made)->replay();
      for (int i = 0; i < 20 && replay.ok() && failure.ok(); ++i) {
        failure = (*replay)->goTo((*replay)->recorded().last);
        computed += failure.ok();
      }
    }
    (*made)->stop();
    training.join();
    VERIFY_OK(failure);
    QCOMPARE(computed, 20);
  }

  void canBeCancelled() {
    const auto r = train("mlp", 30, {1000, 256 << 20, 1000});
    auto replay = r->trainer->replay();
    QVERIFY(replay.ok());
    CancellationToken token;
    token.cancel();
    QCOMPARE(int((*replay)->goTo(30, token).code()), int(Code::Cancelled));
    VERIFY_OK((*replay)->goTo(30));
  }
};

QTEST_GUILESS_MAIN(TestStepReplay)
#include "tst_step_replay.moc"
