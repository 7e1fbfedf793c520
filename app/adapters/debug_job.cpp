#include <QRegularExpression>
#include <cstring>

#include "adapters/debug_job_impl.h"
#include "adapters/debug_values.h"
#include "adapters/debug_words.h"
#include "support/value_text.h"
#include "weft/op_traits.h"
#include "weft/server.h"

namespace weft::app {
namespace {

QString errorOf(const Status& status) { return status.ok() ? QString() : errorText(status.error()); }

/// A copy of `now` with the element or part at `positions` (on the first axes) set to `word`.
Result<Tensor> withPart(const Tensor& now, const QStringList& positions, const std::string& word) {
  if (positions.size() > now.rank()) return outOfRange("The tensor has rank ", now.rank(), ", not ", positions.size());
  std::vector<int64_t> rest(now.shape().dims().begin() + positions.size(), now.shape().dims().end());
  int64_t count = 1, first = 0;
  for (const int64_t dim : rest) count *= dim;
  for (int axis = 0; axis < positions.size(); ++axis) {
    bool isNumber = false;
    const int64_t at = positions[axis].toLongLong(&isNumber);
    if (!isNumber) return invalidArgument("\"", positions[axis].toStdString(), "\" is not a position on axis ", axis, ": expected a whole number");
    if (at < 0 || at >= now.dim(axis)) return outOfRange("Position ", at, " on axis ", axis, " lies outside of 0 to ", now.dim(axis) - 1);
    first = first * now.dim(axis) + at;
  }
  WEFT_LET(Tensor out, now.clone());
  if (now.dtype() == DType::String) {
    for (int64_t i = 0; i < count; ++i) out.mutableData<std::string>()[first * count + i] = word;
    return out;
  }
  WEFT_LET(const Tensor part, tensorFromWord(word, now.dtype(), Shape(rest)));
  if (part.dtype() != now.dtype()) return invalidArgument("The value is ", dtypeName(part.dtype()), ", expected ", dtypeName(now.dtype()));
  const size_t bytes = size_t(count) * sizeOf(now.dtype());
  if (bytes > 0) std::memcpy(static_cast<char*>(out.mutableRaw()) + size_t(first) * bytes, part.raw(), bytes);
  return out;
}

/// REQUIRES: `debugger` is stopped. `positions` as in withPart().
QString setPart(DebugControl& debugger, const QString& tensor, const QStringList& positions, const QString& word) {
  const std::string name = tensor.contains(u':') ? tensor.toStdString() : tensor.toStdString() + ":0";
  const auto now = debugger.value(name);
  if (!now.ok()) return errorText(now.error());
  if (word.isEmpty() && now->tensor.dtype() != DType::String)
    return QCoreApplication::translate("DebugJob", "An element of %1 takes a %2 value, not an empty text.").arg(tensor, text(dtypeName(now->tensor.dtype())));
  const auto changed = withPart(now->tensor, positions, word.toStdString());
  if (!changed.ok()) return errorText(Error(changed.error()).atNode(name));
  return errorOf(debugger.setValue(name, *changed));
}

bool hasAllVariables(const Session& session) {
  const auto graph = session.graph();
  size_t variables = 0;
  for (int id = 0; id < graph->size(); ++id)
    if (const Node* node = graph->node(id); node && isVariable(*node)) ++variables;
  return variables > 0 && session.variables().size() >= variables;
}

}  // namespace

void DebugJob::Impl::show(std::shared_ptr<Session> made) {
  const MutexLock lock(mutex);
  shown = std::move(made);
}

SessionOptions DebugJob::Impl::sessionOptions() const {
  SessionOptions options;
  options.target = request.server.toStdString();
  options.connecting = cancel;
  return options;
}

Status DebugJob::Impl::train() {
  if (!request.server.isEmpty()) WEFT_TRY(canStepOn(request.server.toStdString(), cancel));
  TrainOptions options;
  options.folder = request.documentFolder.toStdString();
  options.steps = request.steps;
  options.logFolder = std::string();
  options.checkpointFolder = std::string();
  options.session = sessionOptions();
  options.prepareRun = [this](int64_t step, RunOptions& run) {
    own->setStep(step);
    run.cancellation = cancel;
    if (!own->wantsStep(step)) return;
    run.controller = own.get();
    const MutexLock lock(mutex);
    rows = trainer->batchRows();
  };
  WEFT_LET(trainer, Trainer::create(contents->engine->loaded.meta, std::move(options)));
  training = trainer.get();
  show({trainer, &trainer->session()});
  if (cancel.cancelled()) return {};
  return trainer->run();
}

Status DebugJob::Impl::runOnce() {
  const Graph& g = graph();
  WEFT_LET(session, Session::create(g, sessionOptions()));
  if (!request.server.isEmpty()) WEFT_TRY(canStepOn(session->target(), cancel));  // before anything is changed there
  show(session);
  std::string init = request.init.toStdString();
  if (init.empty()) {
    const auto settings = trainingSettingsOf(contents->engine->loaded.meta);
    if (settings.ok()) init = settings->initOp;
    if (init.empty() && g.find("init")) init = "init";
  }
  RunOptions options;
  options.cancellation = cancel;
  // Variables of a server may hold what others have trained.
  const bool kept = !request.server.isEmpty() && request.init.isEmpty() && hasAllVariables(*session);
  if (!init.empty() && !kept) WEFT_TRY(session->run({}, {}, {init}, options).status());
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
  options.controller = own.get();
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

void DebugJob::Impl::makeDebugger(bool stopAtEntry, const std::vector<Breakpoint>& breakpoints) {
  Debugger::Options options;
  options.stopAtEntry = stopAtEntry;
  options.changed = [this] {
    if (kind == Kind::Failed) recordStop();
    if (changed) changed();
  };
  options.log = [this](const std::string& line) {
    {
      const MutexLock lock(mutex);
      if (lines.size() < 5000) lines << text(line);
    }
    if (changed) changed();
  };
  own = std::make_shared<Debugger>(std::move(options));
  debugger = own;
  for (Breakpoint b : breakpoints) {
    b.hits = 0;  // each run counts anew
    debugger->setBreakpoint(std::move(b)).ok();
  }
}

/// Records the state at the stop of a repeated step, then ends it.
void DebugJob::Impl::recordStop() {
  if (seen || debugger->view().phase != DebugPhase::Stopped) return;
  seen.emplace();
  seen->state = state();
  seen->ports = ports();
  seen->autopsy = debugAutopsy(debugger->autopsy({}));
  {
    const MutexLock lock(mutex);
    for (const qint64 row : seen->autopsy.batchRows)
      if (size_t(row) < rows.size()) seen->autopsy.dataRows << rows[size_t(row)];
  }
  debugger->stop();
}

void DebugJob::Impl::prepare(int64_t step, const Trainer& training, RunOptions& run) {
  if (kind == Kind::Steps && stepsLeft-- <= 0) return;
  if (!begun) mapNodes();
  own->setStep(step);
  if (kind == Kind::Steps && !own->wantsStep(step)) return;
  run.controller = own.get();
  const MutexLock lock(mutex);
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
    const MutexLock lock(mutex);
    status = result;
  }
  ended = true;
  if (changed) changed();
}

DebugJob::DebugJob(GraphContentsPtr contents, DebugRequest request, const std::vector<Breakpoint>& breakpoints, bool stopAtEntry, std::function<void()> changed)
    : impl_(std::make_shared<Impl>()) {
  Impl& job = *impl_;
  job.contents = std::move(contents);
  job.request = std::move(request);
  job.changed = std::move(changed);
  job.makeDebugger(stopAtEntry, breakpoints);
  job.thread = std::thread([&job] {
    Status status = job.run();
    {
      const MutexLock lock(job.mutex);
      job.status = std::move(status);
    }
    job.ended = true;
    job.changed();
  });
}

std::shared_ptr<DebugJob> DebugJob::ofTraining(GraphContentsPtr contents, qint64 steps, const std::vector<Breakpoint>& breakpoints,
                                               std::function<void()> changed) {
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
  Breakpoint anyNan;
  anyNan.place = "*";
  anyNan.condition = "has nan";
  impl->makeDebugger(false, nan ? std::vector<Breakpoint>{anyNan} : std::vector<Breakpoint>());
  return std::shared_ptr<DebugJob>(new DebugJob(std::move(impl)));
}

std::shared_ptr<DebugJob> DebugJob::ofProgram(GraphContentsPtr contents, std::shared_ptr<DebugControl> debugger) {
  auto impl = std::make_shared<Impl>();
  impl->kind = Impl::Kind::Program;
  impl->contents = std::move(contents);
  impl->debugger = std::move(debugger);
  impl->mapNodes();
  return std::shared_ptr<DebugJob>(new DebugJob(std::move(impl)));
}

DebugJob::~DebugJob() {
  stop();
  if (impl_->thread.joinable()) impl_->thread.join();
}

std::shared_ptr<StepInterceptor> DebugJob::interceptor() const { return impl_; }

const GraphContentsPtr& DebugJob::contents() const { return impl_->contents; }

QString DebugJob::command(DebugCommand command) { return errorOf(impl_->debugger->command(command)); }
QString DebugJob::stepBack(qint64 ops) { return errorOf(impl_->debugger->stepBack(ops)); }
QString DebugJob::goToIteration(qint64 iteration) { return errorOf(impl_->debugger->goToIteration(iteration)); }
QString DebugJob::runTo(const QString& place) { return errorOf(impl_->debugger->runTo(place.toStdString())); }
void DebugJob::pause() { impl_->debugger->pause(); }

void DebugJob::stop() {
  if (impl_->hasEnded()) return;
  if (impl_->kind != Impl::Kind::Own) return impl_->detach();
  impl_->cancel.cancel();
  if (Trainer* trainer = impl_->training) trainer->stop();
  impl_->debugger->stop();
}

bool DebugJob::hasEnded() const { return impl_->hasEnded(); }

QVector<QueueFacts> DebugJob::queues() const {
  std::shared_ptr<Session> shown;
  {
    const MutexLock lock(impl_->mutex);
    shown = impl_->shown;
  }
  return shown ? queueFacts(*shown) : QVector<QueueFacts>();
}

QStringList DebugJob::takeLog() {
  const MutexLock lock(impl_->mutex);
  return std::exchange(impl_->lines, {});
}

QString DebugJob::setBreakpoint(Breakpoint& breakpoint) {
  const auto id = impl_->debugger->setBreakpoint(breakpoint);
  if (!id.ok()) return errorText(id.error());
  breakpoint.id = *id;
  return {};
}

void DebugJob::removeBreakpoint(int id) { impl_->debugger->removeBreakpoint(id); }

std::vector<Breakpoint> DebugJob::breakpoints() const { return impl_->debugger->breakpoints(); }

QString DebugJob::setValue(const QString& tensor, const QString& value) {
  static const QRegularExpression kElement(QStringLiteral("^([^\\[(]+)\\[([0-9, -]+)\\]$"));
  if (const auto element = kElement.match(tensor); element.hasMatch())
    return setPart(*impl_->debugger, element.captured(1), element.captured(2).split(u','), value);
  if (value.isEmpty()) return errorOf(impl_->debugger->clearValue(tensor.toStdString()));  // an empty text restores the computed value
  const Graph& g = impl_->graph();
  const std::string name = tensor.contains(u':') ? tensor.toStdString() : tensor.toStdString() + ":0";
  const auto o = g.findOutput(name);
  if (!o.ok()) return errorText(o.error());
  const Node& node = *g.node(o->node);
  const bool handle = isVariable(node) && node.outputTypes[0] == DType::Resource;
  const DType type = handle ? node.attrs.type("dtype") : baseType(g.dtype(*o));
  // If there is a present value, its shape counts: "0" then fills it.
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

QStringList DebugState::changed() const {
  QStringList out;
  for (const std::string& name : setByHand) out << text(name);
  return out;
}

QStringList DebugState::tasksApart() const {
  QStringList out;
  for (const std::string& task : notStepped) out << shortTask(task);
  return out;
}

QString checkBreakpoint(const GraphContents& contents, const Breakpoint& breakpoint, bool* missing) {
  const Status status = weft::checkBreakpoint(contents.engine->loaded.meta.graph, breakpoint);
  if (missing) *missing = status.code() == Code::NotFound;
  if (status.code() != Code::NotFound) return errorOf(status);
  const QString place = text(breakpoint.place);
  return place.endsWith(u'/') || place.endsWith(QLatin1String("/*"))
             ? QCoreApplication::translate("DebugJob", "There is no scope %1 in this graph.").arg(place.left(place.lastIndexOf(u'/')))
         : place.contains(u':') ? errorOf(status)
                                : QCoreApplication::translate("DebugJob", "There is no node %1 in this graph.").arg(place);
}

}  // namespace weft::app
