#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "base/machine_memory.h"
#include "tensor/value_text.h"
#include "train/class_evaluation.h"
#include "train/setting_changes.h"
#include "train/trainer_impl.h"

// Preparation of a training, and requests while it runs.
namespace weft {
namespace {

constexpr int64_t kDefaultEpochs = 10;
constexpr double kDefaultCheckpointSecs = 600;

}  // namespace

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
    const auto live = std::find_if(t.settings.live.begin(), t.settings.live.end(),
                                   [&name = name](const LiveScalar& l) { return l.name == name || l.tensor == tensorName(name); });
    if (live != t.settings.live.end()) {
      double value = 0;
      const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return invalidArgument(name, " is ", text.empty() ? "\"\"" : text, ", expected a number");
      live->value = value;
      continue;
    }
    if (!t.document.graph.findOutput(tensorName(name)).ok()) return notFound("there is no setting, live scalar or tensor called ", name);
    t.settings.trainFeed[name] = text;
  }
  WEFT_LET(t.data, TrainingData::load(bindings, t.document.graph, t.options.folder));
  WEFT_TRY(t.prepare());
  if (t.options.recording.steps > 0) {
    std::vector<std::string> fetches = t.summaryTensors;
    for (const auto& metric : t.settings.metrics) fetches.push_back(metric.second);
    StepEffects effects = effectsOfStep(t.document.graph, t.settings, fetches);
    if (!t.session->target().empty()) effects.whyNot = "a server computes them";
    StepRecording recording = t.options.recording;
    if (const int64_t free = availableBytes(); free >= 0) recording.limitBytes = std::min(recording.limitBytes, free / 4);
    t.history = std::make_shared<StepHistory>(recording, t.data, effects.draws);
    if (!effects.whyNot.empty()) t.history->refuse(std::move(effects.whyNot));
  }
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

  if (settings.precision != ProductPrecision::Float32) options.session.products = settings.precision;
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
  const auto prepareProbed = [&](Callable* callable) -> Status {
    if (!options.probe.wanted) return {};
    std::vector<std::string> probed = fetches;
    for (const std::string& tensor : options.probe.tensors) probed.push_back(tensorName(tensor));
    WEFT_LET(*callable, session->prepare(feeds(trainFeedNames), probed, {settings.trainOp}));
    return {};
  };
  WEFT_TRY(prepareProbed(&probeStep));
  for (const std::string& tensor : summaryTensors) fetches.push_back(tensorName(tensor));
  for (const auto& [name, tensor] : settings.metrics) fetches.push_back(tensorName(tensor));
  if (options.callbacks.gradients) {
    for (AppliedGradient& gradient : appliedGradients(graph, settings.trainOp)) {
      fetches.push_back(std::move(gradient.tensor));
      gradientNorms.push_back({std::move(gradient.variable), 0});
    }
  }
  WEFT_LET(summaryStep, session->prepare(feeds(trainFeedNames), fetches, {settings.trainOp}));
  WEFT_TRY(prepareProbed(&probedSummaryStep));
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
  const MutexLock lock(mutex);
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

Status Trainer::Impl::initialize() {
  if (!settings.initOp.empty()) WEFT_TRY(session->run({}, {}, {settings.initOp}).status());
  for (const auto& [name, value] : options.carried) {
    const Node* n = document.graph.find(name);
    const Attr* shape = n ? n->attrs.find("shape") : nullptr;
    if (!shape || !shape->get<Shape>() || !(*shape->get<Shape>() == value.shape()) || baseType(n->attrs.type("dtype")) != value.dtype()) continue;
    WEFT_TRY(session->setVariable(name, value));
  }
  if (options.carriedStep > 0) {
    const MutexLock lock(mutex);
    step = options.carriedStep;
    epoch = step / data.stepsPerEpoch();
    stepInEpoch = step % data.stepsPerEpoch();
  }
  std::string resumedFrom;
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
      const MutexLock lock(mutex);
      step = at.step;
      epoch = at.epoch;
      stepInEpoch = std::min(at.stepInEpoch, data.stepsPerEpoch());
      checkpointedStep = step;
      lastCheckpoint = resumedFrom = resumed->prefix;
    }
  }
  if (!logFolder.empty()) {
    WEFT_LET(const std::string graph, serializeGraph(document, GraphFormat::GraphBinary));
    WEFT_TRY(summaries.open(logFolder, graph, resumedFrom, loopStep()));
  }
  return {};
}

Status Trainer::run() {
  Impl& t = *impl_;
  t.setState(TrainState::Running);
  Status status = t.initialize();
  if (status.ok()) status = t.loop();
  if (Status closed = t.summaries.close(t.loopStep()); status.ok()) status = std::move(closed);
  t.setState(!status.ok() ? TrainState::Failed : t.loopStep() >= t.totalSteps ? TrainState::Finished : TrainState::Stopped);
  return status;
}

void Trainer::pause() {
  const MutexLock lock(impl_->mutex);
  if (impl_->order != Impl::Order::Stop) impl_->order = Impl::Order::Pause;
}

void Trainer::resume() {
  const MutexLock lock(impl_->mutex);
  if (impl_->order != Impl::Order::Stop) impl_->order = Impl::Order::Run;
  impl_->wake.notify_all();
}

void Trainer::stepOnce() { runSteps(1); }

void Trainer::runSteps(int64_t n) {
  if (n <= 0) return;
  const MutexLock lock(impl_->mutex);
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

Result<SampleOutputs> Trainer::evaluateTensor(const std::string& tensor, int64_t most) const {
  const Impl& t = *impl_;
  WEFT_LET(SampleOutputs result, weft::evaluateTensor(*t.session, t.document.graph, t.settings.loss, t.data, t.evalFeedNames, t.evalFeedValues, tensor, most));
  result.step = step();
  return result;
}

Result<std::vector<double>> Trainer::predict(const std::vector<float>& samples) const {
  const Impl& t = *impl_;
  return weft::predictClasses(*t.session, t.document.graph, t.settings.loss, t.data, t.evalFeedNames, t.evalFeedValues, samples);
}

std::vector<int64_t> Trainer::sampleShape() const { return weft::sampleShape(impl_->document.graph, impl_->settings.loss, impl_->data); }

void Trainer::stop() {
  const MutexLock lock(impl_->mutex);
  impl_->order = Impl::Order::Stop;
  impl_->wake.notify_all();
}

TrainState Trainer::state() const {
  const MutexLock lock(impl_->mutex);
  return impl_->state;
}

Status Trainer::setLive(const std::string& name, double value) {
  const MutexLock lock(impl_->mutex);
  for (size_t i = 0; i < impl_->settings.live.size(); ++i) {
    const LiveScalar& l = impl_->settings.live[i];
    if (l.name != name) continue;
    if (l.minimum < l.maximum && (value < l.minimum || value > l.maximum)) return outOfRange(name, " is ", value, ", expected ", l.minimum, " to ", l.maximum);
    impl_->liveValues[i] = value;
    impl_->liveChanged = true;
    return {};
  }
  return notFound("there is no live scalar called ", name);
}

const TrainingSettings& Trainer::settings() const { return impl_->settings; }
Session& Trainer::session() { return *impl_->session; }

int64_t Trainer::step() const {
  const MutexLock lock(impl_->mutex);
  return impl_->step;
}

std::optional<TrainEvaluation> Trainer::lastEvaluation() const {
  const MutexLock lock(impl_->mutex);
  return impl_->lastEvaluation;
}

std::string Trainer::lastCheckpoint() const {
  const MutexLock lock(impl_->mutex);
  return impl_->lastCheckpoint;
}

std::string Trainer::explainStep() const { return step() > 0 ? impl_->trainStep.explain() : std::string(); }
std::string Trainer::logFolder() const { return impl_->logFolder; }

std::vector<int64_t> Trainer::batchRows() const { return impl_->computing ? impl_->data.batchRows(impl_->epoch, impl_->stepInEpoch) : std::vector<int64_t>(); }

int64_t Trainer::trainingSamples() const { return impl_->data.trainingSamples(); }
int64_t Trainer::evaluationSamples() const { return impl_->data.evaluationSamples(); }

}  // namespace weft
