#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <sstream>
#include <unordered_map>

#include "train/checkpoint_store.h"
#include "ops/value_text.h"
#include "train/class_evaluation.h"
#include "train/rate_meter.h"
#include "train/setting_changes.h"
#include "train/summary_log.h"
#include "train/training_data.h"
#include "weft/train.h"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int64_t kDefaultEpochs = 10;
constexpr double kDefaultCheckpointSecs = 600;

double secondsBetween(Clock::time_point a, Clock::time_point b) { return std::chrono::duration<double>(b - a).count(); }

std::string tensorName(const std::string& name) { return name.find(':') == std::string::npos ? name + ":0" : name; }

}  // namespace

struct Trainer::Impl {
  enum class Order { Run, Pause, Once, Stop };

  MetaGraph document;
  TrainOptions options;
  TrainingSettings settings;
  TrainingData data;
  std::unique_ptr<Session> session;
  std::unique_ptr<CheckpointStore> checkpoints;
  std::string logFolder, checkpointFolder;
  SummaryLog summaries;
  int64_t totalSteps = 0;

  // What a step is fed beside the batch, in the order of the callables' feeds.
  std::vector<std::string> trainFeedNames, evalFeedNames;
  std::vector<Tensor> trainFeedValues, evalFeedValues;
  std::vector<int> liveFeed;  // position among trainFeedValues of each live scalar
  Callable trainStep, summaryStep, evaluate;
  std::vector<std::string> summaryTensors;

  mutable std::mutex mutex;
  std::condition_variable wake;
  Order order = Order::Run;                    // guarded by mutex
  int64_t onceLeft = 0;                        // steps that Order::Once still has; guarded by mutex
  TrainState state = TrainState::Ready;        // guarded by mutex
  std::vector<double> liveValues;              // guarded by mutex
  bool liveChanged = false;                    // guarded by mutex
  int64_t step = 0;                            // written by the loop, guarded by mutex
  std::optional<TrainEvaluation> lastEvaluation;  // guarded by mutex
  std::string lastCheckpoint;                  // guarded by mutex

  // The loop's own.
  int64_t epoch = 0, stepInEpoch = 0;          // from 0
  bool computing = false;                      // a training step
  int64_t checkpointedStep = -1;
  double bestLoss = std::numeric_limits<double>::infinity();  // of the evaluations
  int withoutGain = 0;
  std::atomic<bool> early{false};
  Clock::time_point begin, lastSave;
  double pausedSeconds = 0;
  RateMeter rate;

  Status prepare();
  Status addFeeds();
  Status initialize();
  Status loop();
  Status oneStep(TrainStep* report);
  Status evaluateNow();
  Status saveNow();
  bool mayGoOn();
  void setState(TrainState s);
  Status writeSummaries(const std::vector<Tensor>& values, const TrainStep& report);
};

Trainer::Trainer() : impl_(std::make_unique<Impl>()) {}
Trainer::~Trainer() = default;

Result<std::unique_ptr<Trainer>> Trainer::create(MetaGraph document, TrainOptions options) {
  std::unique_ptr<Trainer> trainer(new Trainer);
  Impl& t = *trainer->impl_;
  t.document = std::move(document);
  t.options = std::move(options);
  WEFT_LET(t.settings, trainingSettingsOf(t.document));
  WEFT_LET(auto bindings, datasetBindingsOf(t.document));
  std::vector<std::pair<std::string, std::string>> others;
  for (const auto& [name, text] : t.options.set) {
    WEFT_LET(const bool known, changeSetting(t.settings, bindings, name, text));
    if (!known) others.emplace_back(name, text);
  }
  if (t.options.steps || t.options.epochs) {
    t.settings.steps = t.options.steps.value_or(0);
    t.settings.epochs = t.options.epochs.value_or(0);
  }
  for (const auto& [name, text] : others) {
    const auto live = std::find_if(t.settings.live.begin(), t.settings.live.end(), [&](const LiveScalar& l) { return l.name == name || l.tensor == tensorName(name); });
    if (live != t.settings.live.end()) {
      if (!(std::istringstream(text) >> live->value)) return invalidArgument(name, " is ", text, ", expected a number");
      continue;
    }
    if (!t.document.graph.findOutput(tensorName(name)).ok())
      return notFound("there is no setting, live scalar or tensor called ", name);
    t.settings.trainFeed[name] = text;
  }
  WEFT_LET(t.data, TrainingData::load(bindings, t.document.graph, t.options.folder));
  WEFT_TRY(t.prepare());
  return trainer;
}

Status Trainer::Impl::prepare() {
  const Graph& graph = document.graph;
  if (settings.trainOp.empty()) return invalidArgument("the training settings name no train_op");
  if (!graph.find(settings.trainOp)) return notFound("the train_op ", settings.trainOp, " is not in the graph");
  for (const std::string* tensor : {&settings.loss, &settings.accuracy})
    if (!tensor->empty()) WEFT_TRY(graph.findOutput(tensorName(*tensor)).status());
  if (settings.initOp.empty() && graph.find("init")) settings.initOp = "init";
  if (!settings.initOp.empty() && !graph.find(settings.initOp)) return notFound("the init_op ", settings.initOp, " is not in the graph");
  if (settings.globalStep.empty())
    if (const auto it = document.collections.find("global_step"); it != document.collections.end() && !it->second.nodes.empty())
      settings.globalStep = it->second.nodes[0];
  summaryTensors = settings.summaries;
  if (summaryTensors.empty())
    if (const auto it = document.collections.find("summaries"); it != document.collections.end()) summaryTensors = it->second.nodes;

  const auto folder = [&](const std::optional<std::string>& given, const std::string& own) {
    return given ? *given : own.empty() ? own : joinPath(options.folder, own);
  };
  logFolder = folder(options.logFolder, settings.logFolder);
  checkpointFolder = folder(options.checkpointFolder, settings.checkpointFolder);
  if (!checkpointFolder.empty()) {
    checkpoints = std::make_unique<CheckpointStore>(checkpointFolder, settings.maxToKeep);
    if (settings.checkpointEverySteps <= 0 && settings.checkpointEverySecs <= 0) settings.checkpointEverySecs = kDefaultCheckpointSecs;
  }
  if (settings.steps <= 0 && settings.epochs <= 0) settings.epochs = kDefaultEpochs;
  totalSteps = settings.epochs > 0 ? settings.epochs * data.stepsPerEpoch() : settings.steps;
  if (settings.steps > 0) totalSteps = std::min(totalSteps, settings.steps);

  WEFT_LET(session, Session::create(graph, options.session));
  WEFT_TRY(addFeeds());
  std::vector<std::string> fetches;
  for (const std::string& tensor : {settings.loss, settings.accuracy})
    if (!tensor.empty()) fetches.push_back(tensorName(tensor));
  const auto feeds = [&](const std::vector<std::string>& more) {
    std::vector<std::string> names = data.placeholders();
    names.insert(names.end(), more.begin(), more.end());
    return names;
  };
  WEFT_LET(trainStep, session->prepare(feeds(trainFeedNames), fetches, {settings.trainOp}));
  WEFT_LET(evaluate, session->prepare(feeds(evalFeedNames), fetches));
  for (const std::string& tensor : summaryTensors) fetches.push_back(tensorName(tensor));
  for (const auto& [name, tensor] : settings.metrics) fetches.push_back(tensorName(tensor));
  WEFT_LET(summaryStep, session->prepare(feeds(trainFeedNames), fetches, {settings.trainOp}));
  return {};
}

Status Trainer::Impl::addFeeds() {
  const Graph& graph = document.graph;
  const auto add = [&](const std::string& name, const std::string& text, std::vector<std::string>& names, std::vector<Tensor>& values) -> Status {
    const std::string tensor = tensorName(name);
    WEFT_LET(const Output o, graph.findOutput(tensor));
    auto value = tensorFromText(text, baseType(graph.dtype(o)), graph.shape(o));
    if (!value.ok()) return Error(value.error()).atNode(tensor);
    names.push_back(tensor);
    values.push_back(std::move(*value));
    return {};
  };
  for (const LiveScalar& l : settings.live) {
    liveFeed.push_back(int(trainFeedValues.size()));
    std::ostringstream text;
    text.precision(17);
    text << l.value;
    WEFT_TRY(add(l.tensor, text.str(), trainFeedNames, trainFeedValues));
    liveValues.push_back(l.value);
  }
  for (const auto& [name, text] : settings.trainFeed) {
    if (std::find(trainFeedNames.begin(), trainFeedNames.end(), tensorName(name)) != trainFeedNames.end()) continue;
    WEFT_TRY(add(name, text, trainFeedNames, trainFeedValues));
  }
  for (const auto& [name, text] : settings.evalFeed) WEFT_TRY(add(name, text, evalFeedNames, evalFeedValues));
  return {};
}

void Trainer::Impl::setState(TrainState s) {
  {
    const std::lock_guard lock(mutex);
    if (state == s) return;
    state = s;
  }
  if (options.callbacks.state) options.callbacks.state(s);
}

Status Trainer::Impl::initialize() {
  if (!settings.initOp.empty()) WEFT_TRY(session->run({}, {}, {settings.initOp}).status());
  for (const auto& [name, value] : options.carried) {
    const Node* n = document.graph.find(name);
    const Attr* shape = n ? n->attrs.find("shape") : nullptr;
    if (!shape || !shape->get<Shape>() || !(*shape->get<Shape>() == value.shape()) || baseType(n->attrs.type("dtype")) != value.dtype()) continue;
    WEFT_TRY(session->setVariable(name, value));
  }
  if (options.carriedStep > 0) {
    const std::lock_guard lock(mutex);
    step = options.carriedStep;
    epoch = step / data.stepsPerEpoch();
    stepInEpoch = step % data.stepsPerEpoch();
  }
  if (!options.resumeFrom.empty() || (options.resume && checkpoints)) {
    std::optional<CheckpointStore::Resumed> resumed;
    if (options.resumeFrom.empty()) {
      WEFT_LET(resumed, checkpoints->resume(*session, document));
    } else {
      WEFT_LET(resumed, CheckpointStore::resumeFrom(*session, document, options.resumeFrom));
    }
    if (resumed) {
      TrainingPosition at;
      if (resumed->position) {
        at = *resumed->position;
      } else if (!settings.globalStep.empty()) {
        WEFT_LET(const auto value, session->run({}, {tensorName(settings.globalStep)}));
        at.step = value[0].asInt(0);
        at.epoch = at.step / data.stepsPerEpoch();
        at.stepInEpoch = at.step % data.stepsPerEpoch();
      }
      const std::lock_guard lock(mutex);
      step = at.step;
      epoch = at.epoch;
      stepInEpoch = std::min(at.stepInEpoch, data.stepsPerEpoch());
      checkpointedStep = step;
      lastCheckpoint = resumed->prefix;
    }
  }
  if (!logFolder.empty()) {
    WEFT_LET(const std::string graph, serializeGraph(document, GraphFormat::GraphBinary));
    WEFT_TRY(summaries.open(logFolder, graph, lastCheckpoint, step));
  }
  return {};
}

/// Waits while paused. False once the loop shall end.
bool Trainer::Impl::mayGoOn() {
  const auto interrupted = [&] { return options.interrupted && options.interrupted->load(std::memory_order_relaxed); };
  if (interrupted()) return false;
  std::unique_lock lock(mutex);
  if (order == Order::Once) {
    if (--onceLeft <= 0) order = Order::Pause;
    return true;
  }
  if (order == Order::Pause) {
    lock.unlock();
    setState(TrainState::Paused);
    const auto since = Clock::now();
    lock.lock();
    // A signal handler cannot notify, so its flag is looked at now and then.
    while (order == Order::Pause && !interrupted()) wake.wait_for(lock, std::chrono::milliseconds(100));
    pausedSeconds += secondsBetween(since, Clock::now());
    const bool once = order == Order::Once;
    if (once && --onceLeft <= 0) order = Order::Pause;
    const bool stopped = order == Order::Stop || interrupted();
    lock.unlock();
    rate.start(step);
    if (stopped) return false;
    setState(TrainState::Running);
    return true;
  }
  return order != Order::Stop;
}

Status Trainer::Impl::oneStep(TrainStep* report) {
  WEFT_LET(std::vector<Tensor> feeds, data.batch(epoch, stepInEpoch));
  const int64_t samples = feeds.empty() ? 0 : feeds[0].dim(0);
  {
    const std::lock_guard lock(mutex);
    if (liveChanged) {
      for (size_t i = 0; i < settings.live.size(); ++i) {
        Tensor& value = trainFeedValues[size_t(liveFeed[i])];
        std::ostringstream text;
        text.precision(17);
        text << liveValues[i];
        WEFT_LET(value, tensorFromText(text.str(), value.dtype(), value.shape()));
      }
      liveChanged = false;
    }
  }
  feeds.insert(feeds.end(), trainFeedValues.begin(), trainFeedValues.end());
  const int64_t next = step + 1;
  const bool summarize = (summaries.isOpen() || options.callbacks.summary) && settings.summaryEverySteps > 0 && (next % settings.summaryEverySteps == 0 || next == 1);
  RunOptions run;
  RunReport told;
  computing = true;
  if (options.prepareRun) options.prepareRun(next, run);
  auto computed = (summarize ? summaryStep : trainStep).run(feeds, run, &told);
  computing = false;
  if (!computed.ok()) return computed.error();
  const std::vector<Tensor> values = std::move(*computed);
  if (told.trace && options.stepReport) options.stepReport(next, told);
  {
    const std::lock_guard lock(mutex);
    step = next;
  }
  ++stepInEpoch;
  size_t k = 0;
  report->loss = settings.loss.empty() ? 0 : values[k++].asDouble(0);
  report->accuracy = settings.accuracy.empty() ? -1 : values[k++].asDouble(0);
  report->step = next;
  report->totalSteps = totalSteps;
  report->epoch = epoch + 1;
  report->totalEpochs = (totalSteps + data.stepsPerEpoch() - 1) / data.stepsPerEpoch();
  report->stepInEpoch = stepInEpoch;
  report->stepsPerEpoch = data.stepsPerEpoch();
  report->stepsPerSecond = rate.update(next);
  report->samplesPerSecond = report->stepsPerSecond * double(samples);
  report->seconds = secondsBetween(begin, Clock::now()) - pausedSeconds;
  if (summarize) WEFT_TRY(writeSummaries({values.begin() + std::ptrdiff_t(k), values.end()}, *report));
  if (!std::isfinite(report->loss))
    return failedPrecondition("Model diverged with loss = ", report->loss, " in step ", next, ".").atNode(settings.loss);
  return {};
}

Status Trainer::Impl::writeSummaries(const std::vector<Tensor>& values, const TrainStep& report) {
  SummaryLog::Step step(report.step);
  size_t k = 0;
  for (; k < summaryTensors.size(); ++k)
    for (const std::string& bytes : values[k].flat<std::string>()) step.add(bytes);
  for (const auto& [name, tensor] : settings.metrics) step.add(name, values[k++].asDouble(0));
  if (summaryTensors.empty()) {
    if (!settings.loss.empty()) step.add("loss", report.loss);
    if (!settings.accuracy.empty()) step.add("accuracy", report.accuracy);
  }
  step.add("global_step/sec", report.stepsPerSecond);
  if (options.callbacks.summary) {
    WEFT_LET(const Event event, step.event());
    options.callbacks.summary(event);
  }
  return summaries.write(step);
}

Status Trainer::Impl::evaluateNow() {
  const int64_t n = data.evaluationRows(), most = data.evaluationBatchSize();
  if (n == 0 || settings.loss.empty()) return {};
  const auto since = Clock::now();
  TrainEvaluation e;
  e.step = step;
  e.epoch = epoch + (stepInEpoch > 0 ? 1 : 0);
  double loss = 0, accuracy = 0;
  for (int64_t at = 0; at < n; at += most) {
    const int64_t count = std::min(most, n - at);
    WEFT_LET(std::vector<Tensor> feeds, data.evaluationBatch(at, count));
    feeds.insert(feeds.end(), evalFeedValues.begin(), evalFeedValues.end());
    WEFT_LET(const auto values, evaluate.run(feeds));
    loss += values[0].asDouble(0) * double(count);
    if (!settings.accuracy.empty()) accuracy += values[1].asDouble(0) * double(count);
    e.samples += count;
  }
  e.loss = loss / double(e.samples);
  e.accuracy = settings.accuracy.empty() ? -1 : accuracy / double(e.samples);
  e.seconds = secondsBetween(since, Clock::now());
  {
    const std::lock_guard lock(mutex);
    lastEvaluation = e;
  }
  withoutGain = e.loss < bestLoss ? 0 : withoutGain + 1;
  bestLoss = std::min(bestLoss, e.loss);
  if (options.patience > 0 && withoutGain >= options.patience) early = true;
  WEFT_TRY(summaries.writeEvaluation(e));
  if (options.callbacks.evaluation) options.callbacks.evaluation(e);
  return {};
}

Status Trainer::Impl::saveNow() {
  if (!checkpoints || checkpointedStep == step) return {};
  TrainingPosition at{step, epoch, stepInEpoch, session->opStates()};
  WEFT_LET(const std::string prefix, checkpoints->save(*session, document, at));
  checkpointedStep = step;
  lastSave = Clock::now();
  {
    const std::lock_guard lock(mutex);
    lastCheckpoint = prefix;
  }
  WEFT_TRY(summaries.writeCheckpoint(prefix, step));
  if (options.callbacks.checkpoint) options.callbacks.checkpoint(prefix, step);
  return {};
}

Status Trainer::Impl::loop() {
  begin = lastSave = Clock::now();
  rate.start(step);
  int64_t evaluatedStep = -1;
  TrainStep report;
  while (step < totalSteps && !early && mayGoOn()) {
    if (stepInEpoch >= data.stepsPerEpoch()) {
      ++epoch;
      stepInEpoch = 0;
    }
    WEFT_TRY(oneStep(&report));
    if (options.callbacks.step) options.callbacks.step(report);
    const bool epochEnds = stepInEpoch >= data.stepsPerEpoch();
    if (settings.evalEverySteps > 0 ? step % settings.evalEverySteps == 0 : epochEnds) {
      WEFT_TRY(evaluateNow());
      evaluatedStep = step;
    }
    if (epochEnds && options.callbacks.epochEnd) options.callbacks.epochEnd(report);
    const bool bySteps = settings.checkpointEverySteps > 0 && step % settings.checkpointEverySteps == 0;
    const bool byTime = settings.checkpointEverySecs > 0 && secondsBetween(lastSave, Clock::now()) >= settings.checkpointEverySecs;
    if (bySteps || byTime) WEFT_TRY(saveNow());
  }
  WEFT_TRY(saveNow());
  if (step >= totalSteps && evaluatedStep != step) WEFT_TRY(evaluateNow());
  return {};
}

Status Trainer::run() {
  Impl& t = *impl_;
  t.setState(TrainState::Running);
  Status status = t.initialize();
  if (status.ok()) status = t.loop();
  if (Status closed = t.summaries.close(t.step); status.ok()) status = std::move(closed);
  t.setState(!status.ok() ? TrainState::Failed : t.step >= t.totalSteps ? TrainState::Finished : TrainState::Stopped);
  return status;
}

void Trainer::pause() {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->order != Impl::Order::Stop) impl_->order = Impl::Order::Pause;
}

void Trainer::resume() {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->order != Impl::Order::Stop) impl_->order = Impl::Order::Run;
  impl_->wake.notify_all();
}

void Trainer::stepOnce() { runSteps(1); }

void Trainer::runSteps(int64_t n) {
  if (n <= 0) return;
  const std::lock_guard lock(impl_->mutex);
  if (impl_->order != Impl::Order::Stop) impl_->order = Impl::Order::Once;
  impl_->onceLeft = n;
  impl_->wake.notify_all();
}

bool Trainer::stoppedEarly() const { return impl_->early; }

Result<ClassEvaluation> Trainer::evaluateClasses(int worst) const {
  const Impl& t = *impl_;
  WEFT_LET(ClassEvaluation result, weft::evaluateClasses(*t.session, t.document.graph, t.settings.loss, t.data, t.evalFeedNames, t.evalFeedValues, worst));
  result.step = step();
  return result;
}

Result<std::vector<double>> Trainer::predict(const std::vector<float>& samples) const {
  const Impl& t = *impl_;
  return weft::predictClasses(*t.session, t.document.graph, t.settings.loss, t.data, t.evalFeedNames, t.evalFeedValues, samples);
}

std::vector<int64_t> Trainer::sampleShape() const { return weft::sampleShape(impl_->document.graph, impl_->settings.loss, impl_->data); }

void Trainer::stop() {
  const std::lock_guard lock(impl_->mutex);
  impl_->order = Impl::Order::Stop;
  impl_->wake.notify_all();
}

TrainState Trainer::state() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->state;
}

Status Trainer::setLive(const std::string& name, double value) {
  const std::lock_guard lock(impl_->mutex);
  for (size_t i = 0; i < impl_->settings.live.size(); ++i) {
    const LiveScalar& l = impl_->settings.live[i];
    if (l.name != name) continue;
    if (l.minimum < l.maximum && (value < l.minimum || value > l.maximum))
      return outOfRange(name, " is ", value, ", expected ", l.minimum, " to ", l.maximum);
    impl_->liveValues[i] = value;
    impl_->liveChanged = true;
    return {};
  }
  return notFound("there is no live scalar called ", name);
}

const TrainingSettings& Trainer::settings() const { return impl_->settings; }
Session& Trainer::session() { return *impl_->session; }

int64_t Trainer::step() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->step;
}

std::optional<TrainEvaluation> Trainer::lastEvaluation() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->lastEvaluation;
}

std::string Trainer::lastCheckpoint() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->lastCheckpoint;
}

std::string Trainer::explainStep() const { return impl_->step > 0 ? impl_->trainStep.explain() : std::string(); }
std::string Trainer::logFolder() const { return impl_->logFolder; }

std::vector<int64_t> Trainer::batchRows() const {
  return impl_->computing ? impl_->data.batchRows(impl_->epoch, impl_->stepInEpoch) : std::vector<int64_t>();
}

int64_t Trainer::trainingSamples() const { return impl_->data.trainingSamples(); }
int64_t Trainer::evaluationSamples() const { return impl_->data.evaluationSamples(); }

}  // namespace weft
