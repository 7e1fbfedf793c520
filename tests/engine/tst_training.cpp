#include <QTemporaryDir>
#include <QTest>
#include <set>
#include <thread>

#include "support/documents.h"
#include "support/verify.h"
#include "weft/builder.h"
#include "weft/checkpoint.h"
#include "weft/dataset.h"
#include "weft/debugger.h"
#include "weft/events.h"
#include "weft/train.h"

using namespace weft;
using namespace weft::tests;

namespace {

/// Softmax regression on the digits with noise on its input (a random stream) and momentum (a slot).
MetaGraph softmaxDocument() {
  MetaGraph meta;
  GraphBuilder b(meta);
  b.setGraphSeed(3);
  const auto variable = [&](const char* name, const Shape& shape, std::vector<int>& inits) {
    const Output v = b.op("VariableV2", {}, {{"shape", shape}, {"dtype", DType::Float}}, name);
    inits.push_back(b.node("Assign", {v, b.constant(Tensor::zeros(DType::Float, shape))}));
    return v;
  };
  std::vector<int> inits;
  const Output x = b.placeholder(DType::Float, Shape{-1, 64}, "x"), y = b.placeholder(DType::Int32, Shape{-1}, "y");
  const Output rate = b.op("PlaceholderWithDefault", {b.scalar(0.5f)}, {{"shape", Shape()}}, "rate");
  const Output w = variable("w", {64, 10}, inits), slot = variable("w/Momentum", {64, 10}, inits);
  const auto seeds = b.seedsFor(std::nullopt);
  const Output noise = b.op("RandomUniform", {b.op("Shape", {x})}, {{"dtype", DType::Float}, {"seed", seeds.first}, {"seed2", seeds.second}});
  const Output noisy = b.op("Add", {x, b.op("Mul", {noise, b.scalar(0.01f)})});
  const Output logits = b.op("MatMul", {noisy, b.identity(w, "w/read")});
  const Output losses = b.op("SparseSoftmaxCrossEntropyWithLogits", {logits, y});
  const Output loss = b.op("Mean", {losses, b.ints({0})}, {}, "loss");
  const Output hit = b.op("Equal", {b.op("ArgMax", {logits, b.scalar<int32_t>(1)}, {{"output_type", DType::Int32}}), y});
  b.op("Mean", {b.cast(hit, DType::Float), b.ints({0})}, {}, "accuracy");
  const auto gradients = addGradients(b, {loss}, {w});
  if (!gradients.ok()) qFatal("%s", gradients.error().toString().c_str());
  b.node("ApplyMomentum", {w, slot, rate, (*gradients)[0].dense, b.scalar(0.9f)}, {}, "train");
  b.noOp(inits, "init");
  if (!b.ok()) qFatal("%s", b.status().toString().c_str());

  TrainingSettings settings;
  settings.trainOp = "train";
  settings.initOp = "init";
  settings.loss = "loss:0";
  settings.accuracy = "accuracy:0";
  settings.epochs = 3;
  settings.live.push_back({"rate", "rate:0", 0.5, 0, 2, false});
  setTrainingSettings(meta, settings);
  setDatasetBindings(meta, {digits()});
  return meta;
}

std::unique_ptr<Trainer> trainerOf(TrainOptions options) {
  options.session.threads = 1;
  auto t = Trainer::create(softmaxDocument(), std::move(options));
  if (!t.ok()) qFatal("%s", t.error().toString().c_str());
  return std::move(*t);
}

std::string errorOf(std::vector<std::pair<std::string, std::string>> set) {
  TrainOptions options;
  options.set = std::move(set);
  const auto t = Trainer::create(softmaxDocument(), std::move(options));
  return t.ok() ? "" : t.error().message;
}

}  // namespace

/// Data sets, the training loop, checkpoints and resuming.
class TestTraining : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { qputenv("WEFT_RESOURCES", WEFT_SOURCE_DIR "/resources"); }

  void splitTakesTheSamePartOfEveryClass() {
    std::vector<int32_t> labels;
    for (int i = 0; i < 100; ++i) labels.push_back(i < 60 ? 0 : 1);
    const Tensor t = Tensor::vector(labels);
    const DatasetSplit a = splitByClass(100, &t, 0.2, 1), b = splitByClass(100, &t, 0.2, 1), other = splitByClass(100, &t, 0.2, 2);
    QCOMPARE(a.evaluation.size(), size_t(20));
    QCOMPARE(std::count_if(a.evaluation.begin(), a.evaluation.end(), [&](int64_t i) { return labels[size_t(i)] == 0; }), 12);
    QVERIFY(a.evaluation == b.evaluation);
    QVERIFY(a.evaluation != other.evaluation);
    std::set<int64_t> all(a.training.begin(), a.training.end());
    all.insert(a.evaluation.begin(), a.evaluation.end());
    QCOMPARE(all.size(), size_t(100));
  }

  void eachEpochHasItsOwnOrder() {
    std::vector<int64_t> rows(50);
    for (int i = 0; i < 50; ++i) rows[size_t(i)] = 2 * i;
    const auto first = shuffledRows(rows, 7, 0), again = shuffledRows(rows, 7, 0), second = shuffledRows(rows, 7, 1);
    QVERIFY(first == again);
    QVERIFY(first != second);
    QVERIFY(std::is_permutation(first.begin(), first.end(), rows.begin()));
  }

  void columnsFitPlaceholders() {
    const Tensor pictures = Tensor::of<uint8_t>({0, 255, 51, 102}, {2, 2, 1});
    const auto scaled = fitColumn(pictures, DType::Float, Shape{-1, 2});
    QVERIFY(scaled.ok());
    QVERIFY(scaled->shape() == (Shape{2, 2}));
    QCOMPARE(scaled->at<float>(1), 1.0f);
    QCOMPARE(scaled->at<float>(2), 0.2f);
    const auto oneHot = fitColumn(Tensor::vector<int32_t>({2, 0}), DType::Float, Shape{-1, 3});
    QVERIFY(oneHot.ok());
    QCOMPARE(oneHot->at<float>(2), 1.0f);
    QCOMPARE(oneHot->at<float>(3), 1.0f);
    QVERIFY(!fitColumn(Tensor::vector<int32_t>({3}), DType::Float, Shape{-1, 3}).ok());
    const auto misfit = fitColumn(pictures, DType::Float, Shape{-1, 3});
    QVERIFY(!misfit.ok());
    QVERIFY(QString::fromStdString(misfit.error().message).contains("do not fit a placeholder of shape [?,3]"));
  }

  void digitsAreThere() {
    DatasetBinding binding;
    binding.builtin = "digits";
    const auto data = loadDataset(binding, "");
    QVERIFY2(data.ok(), data.ok() ? "" : data.error().toString().c_str());
    QCOMPARE(data->size(), int64_t(1797));
    QVERIFY(data->find("images")->shape() == (Shape{1797, 64}));
    QCOMPARE(data->classes.size(), size_t(10));
  }

  void settingsSurviveTheDocument() {
    MetaGraph meta;
    TrainingSettings s;
    s.trainOp = "t";
    s.trainFeed = {{"keep:0", "0.5"}};
    s.metrics = {{"m", "m:0"}};
    s.live = {{"rate", "r:0", 0.1, 0, 1, true}};
    s.checkpointEverySecs = 2.5;
    setTrainingSettings(meta, s);
    const auto back = trainingSettingsOf(meta);
    QVERIFY(back.ok());
    QCOMPARE(back->trainFeed.at("keep:0"), std::string("0.5"));
    QCOMPARE(back->live[0].maximum, 1.0);
    QVERIFY(back->live[0].logarithmic);
    QCOMPARE(back->checkpointEverySecs, 2.5);
    QVERIFY(trainingSettingsOf(MetaGraph()).error().code == Code::NotFound);
  }

  void learnsAndReports() {
    QTemporaryDir dir;
    TrainOptions options;
    options.logFolder = dir.path().toStdString() + "/log";
    int64_t steps = 0, epochs = 0;
    options.callbacks.step = [&](const TrainStep& s) { QCOMPARE(s.step, ++steps); };
    options.callbacks.epochEnd = [&](const TrainStep& s) { QCOMPARE(s.epoch, ++epochs); };
    const auto t = trainerOf(std::move(options));
    QCOMPARE(t->trainingSamples() + t->evaluationSamples(), int64_t(1797));
    VERIFY_OK(t->run());
    QCOMPARE(t->state(), TrainState::Finished);
    QCOMPARE(epochs, int64_t(3));
    QCOMPARE(steps, t->step());
    QVERIFY(t->lastEvaluation()->accuracy > 0.85);
    int summaries = 0;
    for (const QString& name : QDir(dir.path() + "/log").entryList(QDir::Files)) {
      const auto reader = EventReader::open((dir.path() + "/log/" + name).toStdString());
      QVERIFY(reader.ok());
      Event e;
      for (;;) {
        const auto more = (*reader)->next(&e);
        QVERIFY(more.ok());
        if (!*more) break;
        summaries += e.kind == Event::Kind::Summary;
      }
    }
    QVERIFY(summaries >= int(steps / 10));
  }

  void resumedEqualsUninterrupted() {
    QTemporaryDir dir;
    const auto train = [&](const char* folder, int64_t steps, bool resume) {
      TrainOptions options;
      options.checkpointFolder = dir.path().toStdString() + folder;
      options.steps = steps;
      options.resume = resume;
      options.set = {{"checkpoint_every_steps", "20"}, {"max_to_keep", "2"}};
      const auto t = trainerOf(std::move(options));
      if (const Status s = t->run(); !s.ok()) qFatal("%s", s.toString().c_str());
      return t->lastCheckpoint();
    };
    const std::string whole = train("/a", 90, false);
    train("/b", 53, false);
    // A crash may leave a checkpoint without an index.
    QFile half(dir.path() + "/b/model.ckpt-57.data-00000-of-00001");
    QVERIFY(half.open(QIODevice::WriteOnly));
    half.close();
    const std::string resumed = train("/b", 90, true);
    const auto a = CheckpointReader::open(whole), b = CheckpointReader::open(resumed);
    QVERIFY(a.ok() && b.ok());
    QCOMPARE((*a)->tensors().size(), size_t(2));
    for (const CheckpointEntry& e : (*a)->tensors()) {
      const auto x = (*a)->read(e.name), y = (*b)->read(e.name);
      QVERIFY(x.ok() && y.ok());
      QVERIFY2(x->identicalTo(*y), e.name.c_str());
    }
    QStringList left = QDir(dir.path() + "/b").entryList({"*.index"}, QDir::Files);
    QCOMPARE(left, QStringList({"model.ckpt-80.index", "model.ckpt-90.index"}));
    QVERIFY(!QFile::exists(dir.path() + "/b/model.ckpt-57.data-00000-of-00001"));
    QCOMPARE(QDir(dir.path() + "/b").entryList({"*.weft-state"}, QDir::Files).size(), 2);
  }

  void pausesStepsAndStops() {
    TrainOptions options;
    options.steps = 1000000;
    std::atomic<int64_t> steps = 0;
    options.callbacks.step = [&](const TrainStep&) { ++steps; };
    const auto t = trainerOf(std::move(options));
    std::thread loop([&] { t->run().ok(); });
    QTRY_VERIFY(steps > 5);
    t->pause();
    QTRY_COMPARE(t->state(), TrainState::Paused);
    const int64_t before = steps;
    t->stepOnce();
    QTRY_COMPARE(steps.load(), before + 1);
    QTest::qWait(50);
    QCOMPARE(steps.load(), before + 1);
    QVERIFY(t->setLive("rate", 0.25).ok());
    QCOMPARE(t->setLive("rate", 3).code(), Code::OutOfRange);
    QCOMPARE(t->setLive("speed", 3).code(), Code::NotFound);
    t->resume();
    QTRY_VERIFY(steps > before + 5);
    t->stop();
    loop.join();
    QCOMPARE(t->state(), TrainState::Stopped);
  }

  void wrongSettingsAreNamed() {
    QCOMPARE(errorOf({{"nope", "1"}}), std::string("there is no setting, live scalar or tensor called nope"));
    QCOMPARE(errorOf({{"batch_size", "many"}}), std::string("batch_size is many, expected a whole number from 1 to 2147483647"));
    QCOMPARE(errorOf({{"batch_size", "5abc"}}), std::string("batch_size is 5abc, expected a whole number from 1 to 2147483647"));
    // Out of range, cut or rounded: refused, whatever the field could make of it.
    for (const char* text : {"99999999999", "0", "-5", "2.5", "1e999", "nan", "", "1,5", "9007199254740993"}) {
      const std::string error = errorOf({{"batch_size", text}});
      QVERIFY2(error == std::string("batch_size is ") + (*text ? text : "\"\"") + ", expected a whole number from 1 to 2147483647", error.c_str());
    }
    QCOMPARE(errorOf({{"seed", "9007199254740993"}}),
             std::string("seed is 9007199254740993, expected a whole number from -9007199254740991 to 9007199254740991"));
    QCOMPARE(errorOf({{"validation_fraction", "nan"}}), std::string("validation_fraction is nan, expected a number from 0 to 1"));
    QCOMPARE(errorOf({{"rate", "1e999"}}), std::string("rate is 1e999, expected a number"));
    QCOMPARE(errorOf({{"shuffle", "maybe"}}), std::string("shuffle is maybe, expected true or false"));
    QCOMPARE(errorOf({{"rate:0", "[1, 2]"}}), std::string("rate:0 is [1, 2], expected a number"));
    QVERIFY(errorOf({{"validation_fraction", "1"}}).find("do not fill a batch") != std::string::npos);
  }

  void divergenceIsAnError() {
    TrainOptions options;
    options.set = {{"rate", "1e38"}};
    const auto t = trainerOf(std::move(options));
    const Status s = t->run();
    QVERIFY(!s.ok());
    QVERIFY2(s.error().message.find("Model diverged with loss = ") == 0, s.error().message.c_str());
    QCOMPARE(t->state(), TrainState::Failed);
  }

  void aStepThatFailsCanBeRepeatedUnderADebugger() {
    NanWatch watch(true);
    std::unique_ptr<Debugger> debugger;
    int64_t failed = 0;
    Autopsy autopsy;
    Tensor before;
    Trainer* training = nullptr;
    TrainOptions options;
    Tensor weights = Tensor::zeros(DType::Float, {64, 10});
    weights.mutableData<float>()[35] = NAN;
    options.carried = {{"w", weights}};
    options.prepareRun = [&](int64_t, RunOptions& run) { run.observers.push_back(&watch); };
    options.retryStep = [&](int64_t step, const Status& status, RunOptions& run) {
      if (status.code() != Code::Cancelled || !watch.finding() || debugger) return false;
      failed = step;
      before = training->session().variables().at("w");
      Debugger::Options d;
      d.stopAtEntry = false;
      d.changed = [&] {
        if (debugger->view().phase != DebugPhase::Stopped) return;
        autopsy = debugger->autopsy();
        debugger->stop();
      };
      debugger = std::make_unique<Debugger>(std::move(d));
      Breakpoint b;
      b.place = "*";
      b.condition = "has nan";
      debugger->setBreakpoint(b).ok();
      run.controller = debugger.get();
      return true;
    };
    const auto t = trainerOf(std::move(options));
    training = t.get();
    const Status s = t->run();
    QVERIFY2(s.code() == Code::Cancelled, s.toString().c_str());
    QCOMPARE(failed, int64_t(1));
    QCOMPARE(t->step(), int64_t(0));
    QVERIFY2(autopsy.found(), autopsy.summary.c_str());
    QCOMPARE(autopsy.origin.tensor, std::string("w"));
    // Nothing was updated in the step that failed.
    QVERIFY(before.toString(1000) == t->session().variables().at("w").toString(1000));
  }

  void aRepeatedStepThatGoesWellIsTheStep() {
    int asked = 0;
    CancellationToken once;
    once.cancel();
    std::vector<double> losses[2];
    for (const bool disturbed : {false, true}) {
      TrainOptions options;
      options.steps = 6;
      NanWatch watch;  // kept only for steps that are being inspected
      options.prepareRun = [&](int64_t step, RunOptions& run) {
        run.observers.push_back(&watch);
        if (disturbed && step == 4) run.cancellation = once;
      };
      options.retryStep = [&](int64_t, const Status&, RunOptions&) { return ++asked == 1; };
      options.callbacks.step = [&](const TrainStep& s) { losses[disturbed].push_back(s.loss); };
      VERIFY_OK(trainerOf(std::move(options))->run());
    }
    QCOMPARE(asked, 1);
    QCOMPARE(losses[0], losses[1]);
  }
};

QTEST_GUILESS_MAIN(TestTraining)
#include "tst_training.moc"
