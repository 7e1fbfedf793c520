#include "adapters/debug_job.h"

#include <QCoreApplication>
#include <QHash>
#include <atomic>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <unordered_map>

#include "adapters/debug_words.h"
#include "adapters/engine_graph.h"
#include "adapters/tensor_source.h"
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

/// Nodes whose results nothing takes: what a run without wishes computes. Savers, initialisers and updates are left out.
std::vector<std::string> sinksOf(const Graph& graph) {
  const auto consumers = graph.consumers();
  std::vector<std::string> out;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    if (!node || !node->record || !consumers[size_t(id)].empty()) continue;
    const std::string& op = node->op;
    if (op == "NoOp" || op.starts_with("Assign") || op.starts_with("Save") || op.starts_with("Restore") || op.starts_with("Apply") || op == "VarIsInitializedOp")
      continue;
    out.push_back(node->name);
  }
  return out;
}

}  // namespace

struct DebugJob::Impl {
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

  std::thread thread;

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
    const qsizetype equals = word.indexOf(u'=');
    if (equals < 1) return invalidArgument(word.toStdString(), ": expected TENSOR=VALUE");
    std::string name = word.left(equals).toStdString();
    if (name.find(':') == std::string::npos) name += ":0";
    WEFT_LET(const Output o, g.findOutput(name));
    auto value = tensorFromWord(word.mid(equals + 1).toStdString(), baseType(g.dtype(o)), g.shape(o));
    if (!value.ok()) return Error(value.error()).atNode(name);
    feeds.emplace_back(name, std::move(*value));
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

Status DebugJob::Impl::run() {
  const auto& nodes = contents->arrays.nodes;
  modelIndex.assign(size_t(graph().size()), -1);
  for (size_t i = 0; i < nodes.size(); ++i)
    if (const Node* node = graph().find(nodes[i].name.toStdString())) modelIndex[size_t(node->id)] = int(i);
  begun = true;
  return request.train ? train() : runOnce();
}

DebugJob::DebugJob(GraphContentsPtr contents, DebugRequest request, const QVector<DebugBreakpoint>& breakpoints, bool stopAtEntry,
                   std::function<void()> changed)
    : impl_(std::make_shared<Impl>()) {
  Impl& job = *impl_;
  job.contents = std::move(contents);
  job.request = std::move(request);
  job.changed = std::move(changed);
  Debugger::Options options;
  options.stopAtEntry = stopAtEntry;
  options.changed = [&job] { job.changed(); };
  options.log = [&job](const std::string& line) {
    {
      const std::lock_guard lock(job.mutex);
      if (job.lines.size() < 5000) job.lines << text(line);
    }
    job.changed();
  };
  job.debugger = std::make_unique<Debugger>(std::move(options));
  for (const DebugBreakpoint& b : breakpoints) job.debugger->setBreakpoint(toEngine(b)).ok();
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

DebugJob::~DebugJob() {
  stop();
  impl_->thread.join();
}

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
  impl_->cancel.cancel();
  if (Trainer* trainer = impl_->training) trainer->stop();
  impl_->debugger->stop();
}

bool DebugJob::hasEnded() const { return impl_->ended; }

DebugState DebugJob::state() const {
  const Impl& job = *impl_;
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

DebugPorts DebugJob::ports() const {
  DebugPorts out;
  const DebugView v = impl_->debugger->view();
  const Node* node = v.phase == DebugPhase::Stopped ? impl_->graph().find(v.stop.name) : nullptr;
  if (!node) return out;
  const auto add = [&](QVector<DebugOrigin>& list, Output o) {
    const std::string name = impl_->graph().tensorName(o);
    const auto value = impl_->debugger->value(name);
    DebugOrigin port = value.ok() ? debugValue(value->tensor) : DebugOrigin();
    if (!value.ok()) port.values = errorText(value.error());
    port.tensor = text(name);
    port.op = text(impl_->graph().node(o.node)->op);
    list << port;
  };
  for (const Output& in : node->inputs) add(out.inputs, in);
  if (v.stop.computed && v.stop.reason != StopReason::Failure)
    for (size_t k = 0; k < node->outputTypes.size(); ++k) add(out.outputs, {node->id, int(k)});
  return out;
}

DebugAutopsy DebugJob::autopsy(const QString& tensor) const {
  DebugAutopsy out = debugAutopsy(impl_->debugger->autopsy(tensor.toStdString()));
  const std::lock_guard lock(impl_->mutex);
  for (const qint64 row : out.batchRows)
    if (size_t(row) < impl_->rows.size()) out.dataRows << impl_->rows[size_t(row)];
  return out;
}

QString checkBreakpoint(const GraphContents& contents, const DebugBreakpoint& breakpoint) {
  Debugger probe({});
  const auto id = probe.setBreakpoint(toEngine(breakpoint));
  if (!id.ok()) return errorText(id.error());
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
