#include "adapters/debug_job.h"

#include <QCoreApplication>
#include <QHash>
#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <unordered_map>

#include "adapters/debug_values.h"
#include "adapters/debug_words.h"
#include "adapters/engine_graph.h"
#include "adapters/tensor_source.h"
#include "adapters/training_guest.h"
#include "support/tensor_json.h"
#include "support/value_text.h"
#include "weft/debugger.h"
#include "weft/train.h"

namespace weft::app {
namespace {

using widgets::NodeTint;

QString errorOf(const Status& status) { return status.ok() ? QString() : errorText(status.error()); }

Breakpoint toEngine(const DebugBreakpoint& b) {
  Breakpoint out;
  out.id = b.id;
  out.place = b.place.toStdString();
  out.condition = b.condition.toStdString();
  out.log = b.log.toStdString();
  out.fromHit = b.fromHit;
  out.enabled = b.enabled;
  return out;
}

NodeTint tintOf(NodeProgress progress) {
  switch (progress) {
    case NodeProgress::Pending: return NodeTint::Pending;
    case NodeProgress::Ready: return NodeTint::Ready;
    case NodeProgress::Done: return NodeTint::Done;
    case NodeProgress::Dead: return NodeTint::Dead;
    case NodeProgress::Executing: return NodeTint::Executing;
    case NodeProgress::None: break;
  }
  return NodeTint::None;
}

}  // namespace

struct DebugJob::Impl final : TrainingGuest {
  /// A run of its own, steps of a training, or the repetition of a step of a training that failed.
  enum class Kind { Own, Steps, Failed } kind = Kind::Own;
  GraphContentsPtr contents;
  DebugRequest request;
  std::function<void()> changed;
  std::unique_ptr<Debugger> debugger;
  CancellationToken cancel;
  std::unique_ptr<Session> session;
  std::unique_ptr<Trainer> trainer;
  std::vector<int> modelIndex;  ///< In the document's arrays, by id in the engine's graph.
  std::atomic<bool> begun{false}, ended{false};
  std::atomic<Trainer*> training{nullptr};
  mutable std::mutex mutex;
  Status status;           // guarded by mutex
  QStringList lines;       // guarded by mutex
  std::vector<int64_t> rows;  // guarded by mutex; of the training data, in the batch of the step that is or was debugged last

  qint64 stepsLeft = 0;        // of Kind::Steps; of the training's thread
  /// What could be seen where a failed step stood still.
  struct Seen {
    DebugState state;
    DebugPorts ports;
    DebugAutopsy autopsy;
  };
  std::optional<Seen> seen;    // written before `ended`, read after it

  std::thread thread;

  void makeDebugger(bool stopAtEntry, const QVector<DebugBreakpoint>& breakpoints);
  void mapNodes();
  void lookAround();
  DebugState state() const;
  DebugPorts ports() const;

  void prepare(int64_t step, const Trainer& trainer, RunOptions& run) override;
  void stepDone() override;
  void trainingEnds(const Status& result) override;
  void leave() override { debugger->letGo(); }

  const Graph& graph() const { return contents->engine->loaded.meta.graph; }
  Status run();
  Status runOnce();
  Status train();
};

Status DebugJob::Impl::train() {
  TrainOptions options;
  options.folder = request.documentFolder.toStdString();
  options.steps = request.steps;
  options.logFolder = std::string();
  options.checkpointFolder = std::string();
  options.prepareRun = [this](int64_t step, RunOptions& run) {
    debugger->setStep(step);
    run.cancellation = cancel;
    if (!debugger->wantsStep(step)) return;
    run.controller = debugger.get();
    const std::lock_guard lock(mutex);
    rows = trainer->batchRows();
  };
  WEFT_LET(trainer, Trainer::create(contents->engine->loaded.meta, std::move(options)));
  training = trainer.get();
  if (cancel.cancelled()) return {};
  return trainer->run();
}

Status DebugJob::Impl::runOnce() {
  const Graph& g = graph();
  WEFT_LET(session, Session::create(g));
  std::string init = request.init.toStdString();
  if (init.empty()) {
    const auto settings = trainingSettingsOf(contents->engine->loaded.meta);
    if (settings.ok()) init = settings->initOp;
    if (init.empty() && g.find("init")) init = "init";
  }
  if (!init.empty()) WEFT_TRY(session->run({}, {}, {init}).status());
  std::vector<std::pair<std::string, Tensor>> feeds;
  for (const QString& word : request.feeds) {
    WEFT_LET(auto feed, feedFromWord(contents->engine->loaded.meta, word.toStdString(), request.documentFolder.toStdString()));
    feeds.push_back(std::move(feed));
  }
  std::vector<std::string> fetches, targets;
  for (const QString& f : request.fetches) fetches.push_back(f.toStdString());
  for (const QString& t : request.targets) targets.push_back(t.toStdString());
  if (fetches.empty() && targets.empty()) targets = sinksOf(g);
  if (targets.empty() && fetches.empty()) return invalidArgument("Nothing to run: no op of this graph has a result.");
  RunOptions options;
  options.cancellation = cancel;
  options.controller = debugger.get();
  return session->run(feeds, fetches, targets, options).status();
}

void DebugJob::Impl::mapNodes() {
  const auto& nodes = contents->arrays.nodes;
  modelIndex.assign(size_t(graph().size()), -1);
  for (size_t i = 0; i < nodes.size(); ++i)
    if (const Node* node = graph().find(nodes[i].name.toStdString())) modelIndex[size_t(node->id)] = int(i);
  begun = true;
}

Status DebugJob::Impl::run() {
  mapNodes();
  return request.train ? train() : runOnce();
}

void DebugJob::Impl::makeDebugger(bool stopAtEntry, const QVector<DebugBreakpoint>& breakpoints) {
  Debugger::Options options;
  options.stopAtEntry = stopAtEntry;
  options.changed = [this] {
    if (kind == Kind::Failed) lookAround();
    if (changed) changed();
  };
  options.log = [this](const std::string& line) {
    {
      const std::lock_guard lock(mutex);
      if (lines.size() < 5000) lines << text(line);
    }
    if (changed) changed();
  };
  debugger = std::make_unique<Debugger>(std::move(options));
  for (const DebugBreakpoint& b : breakpoints) debugger->setBreakpoint(toEngine(b)).ok();
}

/// A repeated step stands where it failed: that is written down, and it ends.
void DebugJob::Impl::lookAround() {
  if (seen || debugger->view().phase != DebugPhase::Stopped) return;
  seen.emplace();
  seen->state = state();
  seen->ports = ports();
  seen->autopsy = debugAutopsy(debugger->autopsy());
  for (const qint64 row : seen->autopsy.batchRows)
    if (size_t(row) < rows.size()) seen->autopsy.dataRows << rows[size_t(row)];
  debugger->stop();
}

void DebugJob::Impl::prepare(int64_t step, const Trainer& training, RunOptions& run) {
  if (kind == Kind::Steps && stepsLeft-- <= 0) return;
  if (!begun) mapNodes();
  debugger->setStep(step);
  if (kind == Kind::Steps && !debugger->wantsStep(step)) return;
  run.controller = debugger.get();
  const std::lock_guard lock(mutex);
  rows = training.batchRows();
}

void DebugJob::Impl::stepDone() {
  if (kind != Kind::Steps || stepsLeft > 0 || ended) return;
  ended = true;
  changed();
}

void DebugJob::Impl::trainingEnds(const Status& result) {
  if (ended) return;
  {
    const std::lock_guard lock(mutex);
    status = result;
  }
  ended = true;
  if (changed) changed();
}

DebugJob::DebugJob(GraphContentsPtr contents, DebugRequest request, const QVector<DebugBreakpoint>& breakpoints, bool stopAtEntry,
                   std::function<void()> changed)
    : impl_(std::make_shared<Impl>()) {
  Impl& job = *impl_;
  job.contents = std::move(contents);
  job.request = std::move(request);
  job.changed = std::move(changed);
  job.makeDebugger(stopAtEntry, breakpoints);
  job.thread = std::thread([&job] {
    Status status = job.run();
    {
      const std::lock_guard lock(job.mutex);
      job.status = std::move(status);
    }
    job.ended = true;
    job.changed();
  });
}

std::shared_ptr<DebugJob> DebugJob::ofTraining(GraphContentsPtr contents, qint64 steps, const QVector<DebugBreakpoint>& breakpoints, std::function<void()> changed) {
  auto impl = std::make_shared<Impl>();
  impl->kind = Impl::Kind::Steps;
  impl->contents = std::move(contents);
  impl->stepsLeft = steps;
  impl->changed = std::move(changed);
  impl->makeDebugger(true, breakpoints);
  return std::shared_ptr<DebugJob>(new DebugJob(std::move(impl)));
}

std::shared_ptr<DebugJob> DebugJob::afterFailure(GraphContentsPtr contents, bool nan) {
  auto impl = std::make_shared<Impl>();
  impl->kind = Impl::Kind::Failed;
  impl->contents = std::move(contents);
  DebugBreakpoint anyNan;
  anyNan.place = QStringLiteral("*");
  anyNan.condition = QStringLiteral("has nan");
  impl->makeDebugger(false, nan ? QVector<DebugBreakpoint>{anyNan} : QVector<DebugBreakpoint>());
  return std::shared_ptr<DebugJob>(new DebugJob(std::move(impl)));
}

DebugJob::~DebugJob() {
  stop();
  if (impl_->thread.joinable()) impl_->thread.join();
}

std::shared_ptr<TrainingGuest> DebugJob::guest() const { return impl_; }

const GraphContentsPtr& DebugJob::contents() const { return impl_->contents; }

QString DebugJob::command(DebugCommand command) {
  Debugger& d = *impl_->debugger;
  switch (command) {
    case DebugCommand::Continue: return errorOf(d.resume());
    case DebugCommand::StepOp: return errorOf(d.stepOp());
    case DebugCommand::StepInto: return errorOf(d.stepInto());
    case DebugCommand::StepOver: return errorOf(d.stepOver());
    case DebugCommand::StepOut: return errorOf(d.stepOut());
  }
  return {};
}
QString DebugJob::stepBack(qint64 ops) { return errorOf(impl_->debugger->stepBack(ops)); }
QString DebugJob::goToIteration(qint64 iteration) { return errorOf(impl_->debugger->goToIteration(iteration)); }
QString DebugJob::runTo(const QString& place) { return errorOf(impl_->debugger->runTo(place.toStdString())); }
void DebugJob::pause() { impl_->debugger->pause(); }

void DebugJob::stop() {
  if (impl_->kind != Impl::Kind::Own) return impl_->leave();
  impl_->cancel.cancel();
  if (Trainer* trainer = impl_->training) trainer->stop();
  impl_->debugger->stop();
}

bool DebugJob::hasEnded() const { return impl_->ended; }

DebugState DebugJob::Impl::state() const {
  const Impl& job = *this;
  // Read before the view: an end that comes in between is told again.
  const bool ended = job.ended;
  const DebugView v = job.debugger->view();
  DebugState s;
  s.node = text(v.stop.name);
  s.op = text(v.stop.op);
  s.computed = v.stop.computed;
  s.index = v.stop.index;
  s.ops = v.ops;
  s.step = v.step;
  s.breakpoint = v.stop.breakpoint;
  s.message = text(v.stop.message);
  s.notReached = text(v.notReached);
  s.whyNotBack = text(v.whyNotBack);
  s.keptBytes = v.keptBytes;
  s.keepLimit = v.keepLimit;
  s.ofTraining = kind == Kind::Steps;
  for (const std::string& name : v.setByHand) s.setByHand << text(name);
  s.reason = DebugState::Reason(v.stop.reason);
  for (const LoopPlace& l : v.stop.loops) s.loops << DebugLoop{text(l.frame), l.iteration};
  s.phase = ended                             ? DebugState::Phase::Ended
            : v.phase == DebugPhase::Stopped  ? DebugState::Phase::Stopped
            : v.phase == DebugPhase::Idle     ? DebugState::Phase::Starting
                                              : DebugState::Phase::Running;
  if (ended) {
    const std::lock_guard lock(job.mutex);
    if (!job.status.ok() && !(job.cancel.cancelled() && job.status.code() == Code::Cancelled)) {
      s.error = errorText(job.status.error());
      s.errorNode = text(job.status.error().node);
    }
  }
  if (job.begun) {
    s.tints.fill(quint8(NodeTint::None), qsizetype(job.contents->arrays.nodes.size()));
    for (size_t id = 0; id < std::min(v.nodes.size(), job.modelIndex.size()); ++id)
      if (job.modelIndex[id] >= 0) s.tints[job.modelIndex[id]] = quint8(tintOf(v.nodes[id]));
  }
  return s;
}

DebugState DebugJob::state() const {
  if (!impl_->ended || !impl_->seen) return impl_->state();
  DebugState s = impl_->seen->state;
  s.phase = DebugState::Phase::Ended;
  const std::lock_guard lock(impl_->mutex);
  if (!impl_->status.ok()) {
    s.error = errorText(impl_->status.error());
    s.errorNode = text(impl_->status.error().node);
  }
  return s;
}

QStringList DebugJob::takeLog() {
  const std::lock_guard lock(impl_->mutex);
  return std::exchange(impl_->lines, {});
}

QString DebugJob::setBreakpoint(DebugBreakpoint& breakpoint) {
  const auto id = impl_->debugger->setBreakpoint(toEngine(breakpoint));
  if (!id.ok()) return errorText(id.error());
  breakpoint.id = *id;
  return {};
}

void DebugJob::removeBreakpoint(int id) { impl_->debugger->removeBreakpoint(id); }

QVector<DebugBreakpoint> DebugJob::breakpoints() const {
  QVector<DebugBreakpoint> out;
  for (const Breakpoint& b : impl_->debugger->breakpoints())
    out << DebugBreakpoint{b.id, text(b.place), text(b.condition), text(b.log), b.fromHit, b.hits, b.enabled};
  return out;
}

QString DebugJob::setValue(const QString& tensor, const QString& value) {
  const Graph& g = impl_->graph();
  const std::string name = tensor.contains(u':') ? tensor.toStdString() : tensor.toStdString() + ":0";
  const auto o = g.findOutput(name);
  if (!o.ok()) return errorText(o.error());
  const Node& node = *g.node(o->node);
  const bool handle = node.op == "VarHandleOp";
  const DType type = handle ? node.attrs.type("dtype") : baseType(g.dtype(*o));
  // The shape of the present value counts, where there is one: "0" then fills it.
  Shape shape = handle ? node.attrs.shape("shape") : g.shape(*o);
  if (const auto now = impl_->debugger->value(name); now.ok() && now->tensor.hasValue()) {
    shape = now->tensor.shape();
    auto same = tensorFromWord(value.toStdString(), type, shape);
    if (same.ok()) return errorOf(impl_->debugger->setValue(name, *same));
    shape = handle ? node.attrs.shape("shape") : g.shape(*o);
  }
  const auto parsed = tensorFromWord(value.toStdString(), type, shape);
  if (!parsed.ok()) return errorText(Error(parsed.error()).atNode(name));
  return errorOf(impl_->debugger->setValue(name, *parsed));
}

QString DebugJob::evaluate(const QString& expression, bool* ok) const {
  const auto value = impl_->debugger->evaluate(expression.toStdString());
  *ok = value.ok();
  return value.ok() ? text(*value) : errorText(value.error());
}

bool DebugJob::tensorJson(const QString& name, QString* json, QString* error) const {
  const auto value = impl_->debugger->value(name.toStdString());
  if (!value.ok()) {
    *error = errorText(value.error());
    return false;
  }
  *json = text(tensorToJson(value->tensor).dump());
  return true;
}

namespace {

/// Element by element; other shapes or dtypes without a difference give an error.
Result<Tensor> changeOf(const Tensor& now, const Tensor& then) {
  if (now.shape() != then.shape()) return invalidArgument("The shape was ", then.shape().toString(), " then.");
  const TensorStatistics s = statisticsOf(now);
  if (!s.isNumeric) return invalidArgument("There is no difference of ", dtypeName(now.dtype()), " values.");
  WEFT_LET(Tensor out, Tensor::allocate(DType::Double, now.shape()));
  for (int64_t i = 0; i < now.elements(); ++i) out.mutableData<double>()[i] = now.asDouble(i) - then.asDouble(i);
  return out;
}

constexpr size_t kMostMoments = 400;

}  // namespace

DebugTensor DebugJob::tensor(const QString& name, Which which) const {
  const Debugger& d = *impl_->debugger;
  const std::string tensor = name.toStdString();
  DebugTensor out;
  const auto all = d.history(tensor);
  Result<DebugValue> value = d.value(tensor);
  Result<DebugValue> earlier = notFound(QCoreApplication::translate("DebugJob", "There is no value of an earlier iteration.").toStdString());
  if (which == Which::PreviousRun || which == Which::RunChange) earlier = d.previousRunValue(tensor);
  else if (all.ok() && all->size() >= 2 && (*all)[all->size() - 2].tensor.hasValue()) earlier = (*all)[all->size() - 2];
  if (which == Which::PreviousIteration || which == Which::PreviousRun) value = earlier;
  if (value.ok() && (which == Which::IterationChange || which == Which::RunChange)) {
    if (!earlier.ok()) value = earlier.error();
    if (value.ok()) {
      auto change = changeOf(value->tensor, earlier->tensor);
      if (change.ok()) value->tensor = std::move(*change);
      else value = change.error();
    }
  }
  if (!value.ok()) {
    out.error = errorText(value.error());
    return out;
  }
  for (const LoopPlace& l : value->loops) out.loops << DebugLoop{text(l.frame), l.iteration};
  out.source = tensorSource(value->tensor);
  if (!all.ok() || all->size() < 2 || all->front().loops.empty()) return out;
  for (size_t i = all->size() > kMostMoments ? all->size() - kMostMoments : 0; i < all->size(); ++i) {
    const DebugValue& v = (*all)[i];
    if (!v.tensor.hasValue()) continue;
    const TensorStatistics s = statisticsOf(v.tensor);
    if (s.isNumeric) out.moments << widgets::ValueMoment{v.loops.back().iteration, s.min, s.mean, s.max, s.nans + s.infinities() == 0};
  }
  return out;
}

DebugPorts DebugJob::ports() const { return impl_->ended && impl_->seen ? impl_->seen->ports : impl_->ports(); }

DebugPorts DebugJob::Impl::ports() const {
  DebugPorts out;
  const DebugView v = debugger->view();
  const Node* node = v.phase == DebugPhase::Stopped ? graph().find(v.stop.name) : nullptr;
  if (!node) return out;
  const auto add = [&](QVector<DebugOrigin>& list, Output o) {
    const std::string name = graph().tensorName(o);
    const auto value = debugger->value(name);
    DebugOrigin port = value.ok() ? debugValue(value->tensor) : DebugOrigin();
    if (!value.ok()) port.values = errorText(value.error());
    port.tensor = text(name);
    port.op = text(graph().node(o.node)->op);
    list << port;
  };
  for (const Output& in : node->inputs) add(out.inputs, in);
  if (v.stop.computed && v.stop.reason != StopReason::Failure)
    for (size_t k = 0; k < node->outputTypes.size(); ++k) add(out.outputs, {node->id, int(k)});
  return out;
}

DebugAutopsy DebugJob::autopsy(const QString& tensor) const {
  if (tensor.isEmpty() && impl_->ended && impl_->seen) return impl_->seen->autopsy;
  DebugAutopsy out = debugAutopsy(impl_->debugger->autopsy(tensor.toStdString()));
  const std::lock_guard lock(impl_->mutex);
  for (const qint64 row : out.batchRows)
    if (size_t(row) < impl_->rows.size()) out.dataRows << impl_->rows[size_t(row)];
  return out;
}

QString checkCondition(const DebugBreakpoint& breakpoint) {
  Debugger probe({});
  const auto id = probe.setBreakpoint(toEngine(breakpoint));
  return id.ok() ? QString() : errorText(id.error());
}

QString checkBreakpoint(const GraphContents& contents, const DebugBreakpoint& breakpoint) {
  if (QString error = checkCondition(breakpoint); !error.isEmpty()) return error;
  const QString& place = breakpoint.place;
  if (place == QLatin1String("*")) return {};
  const Graph& graph = contents.engine->loaded.meta.graph;
  if (place.endsWith(u'/') || place.endsWith(QLatin1String("/*"))) {
    const QString scope = place.left(place.lastIndexOf(u'/'));
    for (const auto& s : contents.arrays.scopes)
      if (s.name == scope) return {};
    return QCoreApplication::translate("DebugJob", "There is no scope %1 in this graph.").arg(scope);
  }
  if (place.contains(u':')) {
    const auto o = graph.findOutput(place.toStdString());
    return o.ok() ? QString() : errorText(o.error());
  }
  return graph.find(place.toStdString()) ? QString() : QCoreApplication::translate("DebugJob", "There is no node %1 in this graph.").arg(place);
}

}  // namespace weft::app
