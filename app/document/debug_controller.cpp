#include "document/debug_controller.h"

#include <QFileInfo>

#include "adapters/tasks.h"
#include "adapters/training_server.h"
#include "document/document.h"
#include "document/log.h"
#include "document/run_controller.h"
#include "document/settings.h"

namespace weft::app {
namespace {
constexpr int kPollMs = 15;
constexpr int kMostFiles = 60;  // files whose breakpoints are kept
const QString kFilesKey = QStringLiteral("debug/files");

QString placeText(const DebugState& s) {
  QString out = s.node();
  if (const LoopPlace* loop = s.loop()) out += DebugController::tr(", %1 iteration %2").arg(QString::fromStdString(loop->frame)).arg(loop->iteration);
  return out;
}
}  // namespace

DebugController::DebugController(Log* log, Tasks* tasks, Settings* settings, QObject* parent) : QObject(parent), log_(log), tasks_(tasks), settings_(settings) {
  timer_.setInterval(kPollMs);
  connect(&timer_, &QTimer::timeout, this, [this] {
    // The engine's thread only sets a flag; nothing is queued per op or step.
    if (updatePending_ && updatePending_->exchange(false)) update();
    prune();
  });
}

DebugController::~DebugController() = default;

bool DebugController::isBusy() const { return moving_ || searching_ || setting_ || state_.phase == Phase::Starting || state_.phase == Phase::Running; }

void DebugController::begin(Document* document) {
  if (job_) leaving_.push_back(std::move(job_));
  document_ = document;
  state_ = {};
  state_.phase = Phase::Starting;
  autopsy_ = {};
  moving_ = false;
  ++generation_;
  updatePending_ = std::make_shared<std::atomic<bool>>(false);
}

void DebugController::startWithin(RunController& runs, qint64 steps) {
  begin(runs.document());
  log_->info(tr("Debugging the next training step of %1").arg(document_->title()));
  if (document_->contents()->engine != runs.contents()->engine)
    log_->warning(tr("Training uses the graph as it was at the start; apply your changes to the running training to debug them."));
  job_ = DebugJob::ofTraining(runs.contents(), steps, breakpoints(document_), [pending = updatePending_] { *pending = true; });
  runs.attach(job_->interceptor(), steps);
  timer_.start();
  emit stateChanged();
}

void DebugController::follow(Document* document, const std::function<std::shared_ptr<DebugJob>(std::function<void()> changed)>& make) {
  begin(document);
  job_ = make([pending = updatePending_] { *pending = true; });
  if (!job_) {
    state_ = {};
    return;
  }
  timer_.start();
  update();
}

void DebugController::releaseDocument(const Document* document) {
  if (document_ == document && state_.ofProgram) document_ = nullptr;
}

void DebugController::inherit(const Document* from, Document* to) {
  const PerDocument* known = find(from);
  if (!known || !to) return;
  PerDocument copy = *known;
  copy.document = to;
  of(to) = std::move(copy);
  check(to);
  badge(to);
  emit breakpointsChanged();
  emit watchesChanged();
}

void DebugController::showPostMortem(Document* document, std::shared_ptr<DebugJob> values) {
  if (isActive()) return;
  begin(document);
  job_ = std::move(values);
  autopsy_ = job_->autopsy({});
  if (!autopsy_.found) autopsy_ = {};
  state_.phase = Phase::Ended;  // the training has reported it
  timer_.start();
  update();
  if (autopsy_.found) emit autopsyDone();
}

void DebugController::start(Document* document, DebugRequest request) {
  begin(document);
  request.documentFolder = document->path().isEmpty() ? QString() : QFileInfo(document->path()).absolutePath();
  const std::vector<Breakpoint> all = breakpoints(document);
  const bool anywhere =
      std::any_of(all.begin(), all.end(), [&](const Breakpoint& b) { return b.enabled && b.log.empty() && problem(document, b.id).isEmpty(); });
  log_->info(request.train ? tr("Debugging a training step of %1").arg(document->title()) : tr("Debugging a run of %1").arg(document->title()));
  if (!request.server.isEmpty()) log_->info(tr("Its ops are computed on %1").arg(serverAddress(request.server)));
  job_ = std::make_shared<DebugJob>(document->contents(), std::move(request), all, !anywhere, [pending = updatePending_] { *pending = true; });
  timer_.start();
  emit stateChanged();
}

QString DebugController::command(DebugCommand command) {
  if (!job_) return tr("Nothing is being debugged.");
  const QString error = job_->command(command);
  moving_ = error.isEmpty();
  return error;
}

QString DebugController::stepBack(qint64 ops) {
  if (!job_) return tr("Nothing is being debugged.");
  const QString error = job_->stepBack(ops);
  moving_ = error.isEmpty();
  return error;
}

QString DebugController::goToIteration(qint64 iteration) {
  if (!job_) return tr("Nothing is being debugged.");
  if (isStopped() && state_.loop() && state_.loop()->iteration == iteration) return {};
  const QString error = job_->goToIteration(iteration);
  moving_ = error.isEmpty();
  return error;
}

QString DebugController::runTo(const QString& place) {
  if (!job_) return tr("Nothing is being debugged.");
  Breakpoint probe;
  probe.place = place.toStdString();
  if (QString error = checkBreakpoint(*job_->contents(), probe); !error.isEmpty()) return error;
  const QString error = job_->runTo(place);
  moving_ = error.isEmpty();
  return error;
}

void DebugController::pause() {
  if (job_) job_->pause();
}

void DebugController::stop() {
  if (!job_ || !isActive()) return;
  moving_ = true;
  job_->stop();
}

void DebugController::forget() {
  if (!job_ || isActive()) return;
  state_ = {};
  autopsy_ = {};
  state_.tints.fill(quint8(widgets::NodeTint::None), qsizetype(job_->contents()->arrays.nodes.size()));
  tint();
  leaving_.push_back(std::move(job_));
  ++generation_;
  emit stateChanged();
}

void DebugController::update() {
  if (!job_) return;
  const DebugState before = state_;
  state_ = job_->state();
  for (const QString& line : job_->takeLog()) log_->info(line);
  const bool standsStill = state_.phase == Phase::Stopped || state_.phase == Phase::Ended;
  if (standsStill) moving_ = false;
  bool counted = false;
  if (document_) {
    for (const Breakpoint& now : job_->breakpoints()) {
      for (Breakpoint& kept : of(document_).breakpoints) {
        if (kept.id != now.id || kept.hits == now.hits) continue;
        kept.hits = now.hits;
        counted = true;
      }
    }
  }
  ++generation_;
  tint();
  if (state_.phase == Phase::Stopped) {
    if (state_.stop.reason == StopReason::Failure)
      log_->error(tr("Stopped where it failed: %1: %2").arg(placeText(state_), QString::fromStdString(state_.stop.message)));
    if (state_.stop.reason == StopReason::Breakpoint) log_->info(tr("Stopped at a breakpoint: %1").arg(placeText(state_)));
  } else if (state_.phase == Phase::Ended && before.phase != Phase::Ended) {
    if (!state_.failure.isEmpty()) log_->error(tr("The run failed: %1").arg(state_.failure));
    else if (!state_.notReached.empty()) log_->warning(tr("The run ended before it reached %1.").arg(QString::fromStdString(state_.notReached)));
    else log_->info(tr("The run has ended."));
  }
  if (before.notStepped != state_.notStepped && !state_.notStepped.empty())
    log_->warning(tr("%1 is not one of Weft's tasks: its ops run without stopping, and their values cannot be read.")
                      .arg(state_.tasksApart().join(QStringLiteral(", "))));
  if (counted) emit breakpointsChanged();
  emit stateChanged();
  if (state_.phase == Phase::Stopped) emit stopped();
}

void DebugController::prune() {
  std::erase_if(leaving_, [](const std::shared_ptr<DebugJob>& job) {
    job->stop();
    return job->hasEnded();
  });
  if (leaving_.empty() && !isActive() && (!updatePending_ || !*updatePending_)) timer_.stop();
}

void DebugController::tint() {
  if (!document_ || document_->contents()->engine != job_->contents()->engine) return;
  auto& nodes = document_->model()->nodes;
  if (size_t(state_.tints.size()) != nodes.size()) return;
  // After the end the tints show what ran; the next start clears them.
  for (size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].status.tint = widgets::NodeTint(state_.tints[qsizetype(i)]);
    nodes[i].status.badges &= quint16(~(widgets::BadgeError | widgets::BadgeNan));
  }
  for (const int i : std::exchange(marked_, {}))
    if (size_t(i) < nodes.size()) nodes[size_t(i)].status.value.clear();
  for (const std::string& tensor : state_.setByHand) {
    const int i = document_->nodeIndex(QString::fromStdString(tensor).section(u':', 0, 0));
    if (i < 0) continue;
    nodes[size_t(i)].status.value = tr("set");
    marked_ << i;
  }
  const bool failed = state_.phase == Phase::Stopped && state_.stop.reason == StopReason::Failure;
  const QString bad = failed ? state_.node() : state_.failedNode;
  if (const int i = document_->nodeIndex(bad); !bad.isEmpty() && i >= 0) nodes[size_t(i)].status.badges |= widgets::BadgeError;
  if (autopsy_.found) {
    const QString origin = autopsy_.origin.tensor.section(u':', 0, 0);
    if (const int i = document_->nodeIndex(origin); i >= 0) nodes[size_t(i)].status.badges |= widgets::BadgeNan;
  }
  emit document_->model()->statusChanged();
}

void DebugController::badge(Document* document) {
  auto& nodes = document->model()->nodes;
  for (auto& node : nodes) node.status.badges &= quint16(~widgets::BadgeBreakpoint);
  for (const Breakpoint& b : breakpoints(document)) {
    const int i = document->nodeIndex(QString::fromStdString(b.place).section(u':', 0, 0));
    if (i >= 0 && b.enabled) nodes[size_t(i)].status.badges |= widgets::BadgeBreakpoint;
  }
  emit document->model()->statusChanged();
}

DebugController::PerDocument& DebugController::of(const Document* document) {
  std::erase_if(documents_, [](const PerDocument& d) { return d.document.isNull(); });
  for (PerDocument& d : documents_)
    if (d.document == document) return d;
  documents_.push_back({const_cast<Document*>(document), {}, {}, {}, 1, {}});
  return documents_.back();
}

const DebugController::PerDocument* DebugController::find(const Document* document) const {
  for (const PerDocument& d : documents_)
    if (document && d.document == document) return &d;
  return nullptr;
}

std::vector<Breakpoint> DebugController::breakpoints(const Document* document) const {
  const PerDocument* d = find(document);
  return d ? d->breakpoints : std::vector<Breakpoint>();
}

QString DebugController::problem(const Document* document, int breakpoint) const {
  const PerDocument* d = find(document);
  return d ? d->problems.value(breakpoint) : QString();
}

QString DebugController::setBreakpoint(Document* document, Breakpoint& breakpoint) {
  PerDocument& d = of(document);
  // A breakpoint whose node is gone may still be disabled or changed.
  const bool lost = std::any_of(d.breakpoints.begin(), d.breakpoints.end(), [&](const Breakpoint& b) {
    return b.id == breakpoint.id && b.place == breakpoint.place && !problem(document, b.id).isEmpty();
  });
  bool missing = false;
  const QString error = checkBreakpoint(*document->contents(), breakpoint, &missing);
  if (!error.isEmpty() && !(lost && missing)) return error;
  if (breakpoint.id == 0) {
    breakpoint.id = d.nextId++;
    d.breakpoints.push_back(breakpoint);
  } else {
    for (Breakpoint& b : d.breakpoints)
      if (b.id == breakpoint.id) b = breakpoint;
  }
  if (error.isEmpty()) d.problems.remove(breakpoint.id);
  else d.problems[breakpoint.id] = error;
  if (job_ && document_ == document) {
    if (QString error = job_->setBreakpoint(breakpoint); !error.isEmpty()) return error;
  }
  badge(document);
  keep(document);
  emit breakpointsChanged();
  return {};
}

void DebugController::removeBreakpoint(Document* document, int id) {
  PerDocument& d = of(document);
  std::erase_if(d.breakpoints, [id](const Breakpoint& b) { return b.id == id; });
  d.problems.remove(id);
  if (job_ && document_ == document) job_->removeBreakpoint(id);
  badge(document);
  keep(document);
  emit breakpointsChanged();
}

void DebugController::check(Document* document) {
  PerDocument* d = find(document) ? &of(document) : nullptr;
  if (!d || d->breakpoints.empty()) return;
  d->problems.clear();
  for (const Breakpoint& b : d->breakpoints)
    if (const QString error = checkBreakpoint(*document->contents(), b); !error.isEmpty()) d->problems[b.id] = error;
  badge(document);
  emit breakpointsChanged();
}

DebugController::RunInputs DebugController::runInputs(const Document* document) const {
  const PerDocument* d = find(document);
  return d ? d->runInputs : RunInputs();
}

void DebugController::setRunInputs(Document* document, const RunInputs& runInputs) {
  of(document).runInputs = runInputs;
  keep(document);
}

void DebugController::keep(const Document* document) {
  if (document->path().isEmpty()) return;
  QVariantList files = settings_->value(kFilesKey).toList();
  files.removeIf([document](const QVariant& file) { return file.toMap().value(QStringLiteral("path")).toString() == document->path(); });
  const PerDocument* d = find(document);
  if (d && (!d->breakpoints.empty() || !d->watches.isEmpty() || !d->runInputs.feeds.isEmpty() || !d->runInputs.fetches.isEmpty())) {
    QVariantList points;
    for (const Breakpoint& b : d->breakpoints)
      points << QVariantMap{{QStringLiteral("place"), QString::fromStdString(b.place)},
                            {QStringLiteral("condition"), QString::fromStdString(b.condition)},
                            {QStringLiteral("log"), QString::fromStdString(b.log)},
                            {QStringLiteral("from"), qint64(b.fromHit)},
                            {QStringLiteral("enabled"), b.enabled}};
    files.prepend(QVariantMap{{QStringLiteral("path"), document->path()},
                              {QStringLiteral("breakpoints"), points},
                              {QStringLiteral("watches"), d->watches},
                              {QStringLiteral("feeds"), d->runInputs.feeds},
                              {QStringLiteral("fetches"), d->runInputs.fetches}});
  }
  settings_->setValue(kFilesKey, QVariant(files.mid(0, kMostFiles)));
}

void DebugController::restore(Document* document) {
  // Edits, undo and reloading change the nodes of breakpoints, and the new model has no marks yet.
  connect(document, &Document::contentsChanged, this, [this, document] {
    check(document);
    if (job_ && document_ == document) tint();
  });
  connect(document, &Document::titleChanged, this, [this, document] {
    if (find(document)) keep(document);
  });
  if (document->path().isEmpty()) return;
  for (const QVariant& each : settings_->value(kFilesKey).toList()) {
    const QVariantMap file = each.toMap();
    if (file.value(QStringLiteral("path")).toString() != document->path()) continue;
    PerDocument& d = of(document);
    d.watches = file.value(QStringLiteral("watches")).toStringList();
    d.runInputs = {file.value(QStringLiteral("feeds")).toStringList(), file.value(QStringLiteral("fetches")).toStringList()};
    for (const QVariant& point : file.value(QStringLiteral("breakpoints")).toList()) {
      const QVariantMap map = point.toMap();
      Breakpoint b;
      b.id = d.nextId++;
      b.place = map.value(QStringLiteral("place")).toString().toStdString();
      b.condition = map.value(QStringLiteral("condition")).toString().toStdString();
      b.log = map.value(QStringLiteral("log")).toString().toStdString();
      b.fromHit = std::max<int64_t>(1, map.value(QStringLiteral("from")).toLongLong());
      b.enabled = map.value(QStringLiteral("enabled"), true).toBool();
      d.breakpoints.push_back(b);
    }
    check(document);
    emit watchesChanged();
    return;
  }
}

QStringList DebugController::watches(const Document* document) const {
  const PerDocument* d = find(document);
  return d ? d->watches : QStringList();
}

void DebugController::addWatch(Document* document, const QString& expression) {
  QStringList& list = of(document).watches;
  if (expression.isEmpty() || list.contains(expression)) return;
  list << expression;
  keep(document);
  emit watchesChanged();
}

void DebugController::removeWatch(Document* document, const QString& expression) {
  of(document).watches.removeAll(expression);
  keep(document);
  emit watchesChanged();
}

QString DebugController::evaluate(const QString& expression, bool* ok) const {
  *ok = false;
  return job_ ? job_->evaluate(expression, ok) : tr("not running");
}

QString DebugController::setValue(const QString& tensor, const QString& text) {
  if (!job_) return tr("Nothing is being debugged.");
  setError_.clear();
  if (state_.stop.task.empty()) return valueSet(tensor, text, job_->setValue(tensor, text));
  setting_ = true;
  auto error = std::make_shared<QString>();
  tasks_->start(
      tr("Setting %1").arg(tensor), [error, job = job_, tensor, text](TaskState&) { *error = job->setValue(tensor, text); },
      [this, error, job = job_, tensor, text] {
        setting_ = false;
        if (job == job_) setError_ = valueSet(tensor, text, *error);
        if (!setError_.isEmpty()) log_->error(setError_);
      },
      [this] { setting_ = false; });
  return {};
}

QString DebugController::valueSet(const QString& tensor, const QString& text, const QString& error) {
  if (!error.isEmpty()) return error;
  state_.setByHand = job_->state().setByHand;
  tint();
  log_->info(text.isEmpty() ? tr("%1 has its computed value again").arg(tensor) : tr("%1 was set to %2").arg(tensor, text.left(60)));
  ++generation_;
  emit stateChanged();
  return {};
}

bool DebugController::tensorJson(const QString& name, QString* json, QString* error) const {
  if (job_) return job_->tensorJson(name, json, error);
  *error = tr("Nothing is being debugged.");
  return false;
}

void DebugController::showTensor(const QString& name) {
  if (name == shownTensor_) return;
  shownTensor_ = name;
  emit shownTensorChanged();
}

void DebugController::findNan(const QString& tensor) {
  if (!job_ || searching_) return;
  searching_ = true;
  auto result = std::make_shared<DebugAutopsy>();
  tasks_->start(
      tr("Looking for the first NaN"), [result, job = job_, tensor](TaskState&) { *result = job->autopsy(tensor); },
      [this, result] {
        searching_ = false;
        autopsy_ = *result;
        tint();
        log_->info(autopsy_.summary);
        emit autopsyDone();
      },
      [this] { searching_ = false; });
}

}  // namespace weft::app
