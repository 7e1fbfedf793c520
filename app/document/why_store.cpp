#include "document/why_store.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <algorithm>
#include <utility>

#include "common/background.h"
#include "document/document.h"
#include "document/workspace.h"

namespace weft::app {

namespace {
constexpr int kMostOthers = 3;  // each has variables and data of its own
}

WhyStore& WhyStore::of(Workspace& workspace) {
  if (auto* known = workspace.findChild<WhyStore*>(QString(), Qt::FindDirectChildrenOnly)) return *known;
  return *new WhyStore(workspace);
}

WhyStore::WhyStore(Workspace& workspace) : QObject(&workspace), workspace_(workspace) {
  connect(&workspace.runs(), &RunController::runStarted, this, [this] {
    if (engine_) engine_->cancel();
    ++generation_;
    if (busy_) workspace_.tasks().cancel(task_);
    busy_ = false;
    keepPresent();
    engine_.reset();
    path_ = {};
    rows_ = {};
    difference_ = {};
    otherTitle_.clear();
    error_.clear();
    emit rangeChanged();
    emit changed();
  });
  // A replay would keep the program from ending.
  connect(qApp, &QCoreApplication::aboutToQuit, this, [this] {
    if (engine_) engine_->cancel();
  });
  connect(&workspace.runs(), &RunController::progressChanged, this, &WhyStore::rangeChanged);
  connect(&workspace.runs(), &RunController::stateChanged, this, &WhyStore::rangeChanged);
}

WhyStore::~WhyStore() {
  if (engine_) engine_->cancel();
}

std::shared_ptr<WhyEngine> WhyStore::engine() const {
  const TrainedModelPtr model = workspace_.runs().model();
  if (!model) return nullptr;
  if (!engine_ || engine_->model()->trainer() != model->trainer()) {
    engine_ = std::make_shared<WhyEngine>(model);
    const RunRecord* run = workspace_.runs().currentRun();
    title_ = run ? QStringLiteral("%1 · %2").arg(run->document, run->name) : QString();
  }
  return engine_;
}

WhyRange WhyStore::range() const {
  const auto present = engine();
  return present ? present->range() : WhyRange();
}

QString WhyStore::whyNot() const {
  if (!engine()) return tr("Nothing has been trained yet.");
  const WhyRange r = range();
  if (r.whyNot == QLatin1String("steps are not recorded")) return tr("The steps of this training are not recorded; see Recorded steps in the settings.");
  if (!r.whyNot.isEmpty()) return tr("Steps of this training cannot be computed again: %1.").arg(r.whyNot);
  return r.last == 0 ? tr("No step is recorded yet.") : QString();
}

QString WhyStore::title() const { return engine() ? title_ : QString(); }

/// The training before stays comparable.
void WhyStore::keepPresent() {
  if (!engine_) return;
  const WhyRange range = engine_->range();
  if (range.whyNot.isEmpty() && range.last > 0) addOther({title_, engine_});
}

void WhyStore::addOther(OtherTraining other) {
  others_.prepend(std::move(other));
  const qint64 most = qint64(std::max(64, workspace_.settings().get(QStringLiteral("run/record-megabytes")).toInt())) << 20;
  qint64 bytes = 0;
  int kept = 0;
  for (const OtherTraining& o : std::as_const(others_)) {
    bytes += o.engine->range().bytes;
    if (kept > 0 && (bytes > most || kept == kMostOthers)) break;
    ++kept;
  }
  // Sessions and data sets are freed elsewhere.
  for (int i = kept; i < others_.size(); ++i) widgets::inBackground([old = std::exchange(others_[i].engine, nullptr)] {});
  others_.resize(kept);
  emit othersChanged();
}

void WhyStore::start(const QString& title, std::function<void(WhyEngine&, TaskState&)> work, std::function<QString()> finish, Done done, bool times) {
  const std::shared_ptr<WhyEngine> present = engine();
  if (busy_) {
    present->cancel();
    workspace_.tasks().cancel(task_);
  }
  const int generation = ++generation_;
  busy_ = true;
  emit changed();
  QElapsedTimer clock;
  clock.start();
  const auto ended = [this, generation, done](const QString& error, double seconds) {
    if (generation == generation_) {
      busy_ = false;
      error_ = error;
      if (seconds > 0) seconds_ = seconds;
      emit changed();
    }
    if (done) done(error);
  };
  task_ = workspace_.tasks().start(
      title, [present, work](TaskState& state) { work(*present, state); },
      [this, generation, finish, ended, clock, times] {
        // An answer to an earlier question, or about a training that is over.
        if (generation == generation_) ended(finish(), times ? double(clock.elapsed()) / 1000 : 0);
        else ended({}, 0);
      },
      [this, present, generation, ended] {
        present->cancel();
        if (generation == generation_) ended(tr("Cancelled."), 0);
        else ended({}, 0);
      });
}

void WhyStore::ask(const QString& element, qint64 step, Done done) {
  question_ = element;
  step_ = step > 0 ? step : range().last;
  emit asked(false);
  auto answer = std::make_shared<WhyPath>();
  start(
      tr("Why %1").arg(element), [answer, element, at = step_](WhyEngine& engine, TaskState&) { *answer = engine.ask(element, at); },
      [this, answer] {
        path_ = *answer;
        rows_ = {};
        if (!path_.links.isEmpty()) question_ = path_.links.first().self.text();
        return path_.error;
      },
      std::move(done));
}

void WhyStore::follow(int link, const WhyPart& part, Done done) {
  auto answer = std::make_shared<WhyPath>();
  start(
      tr("Why %1").arg(part.text()), [answer, part](WhyEngine& engine, TaskState&) { *answer = engine.follow(part); },
      [this, answer, link] {
        if (!answer->error.isEmpty()) return answer->error;
        path_.links.resize(std::min(path_.links.size(), qsizetype(link) + 1));
        path_.links += answer->links;
        return QString();
      },
      std::move(done));
}

void WhyStore::askRows(Done done) {
  if (path_.links.isEmpty()) return;
  auto answer = std::make_shared<WhyRows>();
  start(
      tr("Rows behind %1").arg(question_), [answer, part = path_.links.first().self](WhyEngine& engine, TaskState&) { *answer = engine.rows(part); },
      [this, answer] {
        rows_ = *answer;
        return QString();
      },
      std::move(done), false);
}

void WhyStore::compare(qint64 firstStep, qint64 secondStep, Done done) {
  emit asked(true);
  auto answer = std::make_shared<WhyDifference>();
  start(
      tr("Comparing step %1 with step %2").arg(firstStep).arg(secondStep),
      [answer, firstStep, secondStep](WhyEngine& engine, TaskState&) { *answer = engine.difference(firstStep, secondStep); },
      [this, answer] {
        difference_ = *answer;
        otherTitle_.clear();
        return difference_.error;
      },
      std::move(done));
}

void WhyStore::compareWith(int other, qint64 step, Done done) {
  emit asked(true);
  auto answer = std::make_shared<WhyDifference>();
  const OtherTraining with = others_[other];
  start(
      tr("Comparing with %1").arg(with.title), [answer, with, step](WhyEngine& engine, TaskState&) { *answer = engine.differenceFrom(*with.engine, step); },
      [this, answer, title = with.title] {
        difference_ = *answer;
        otherTitle_ = title;
        return difference_.error;
      },
      std::move(done));
}

void WhyStore::compareAgain(Document* document, const QVector<QPair<QString, QString>>& set, qint64 step, Done done) {
  emit asked(true);
  const RunController& runs = workspace_.runs();
  TrainAgain wanted;
  wanted.contents = document ? document->contents() : runs.trainedContents();
  wanted.request = runs.trainedRequest();
  wanted.set = set;
  wanted.steps = range().last;
  if (document) {
    // Another document's own settings, not those of the present training.
    const RunRequest next = runs.nextRun(document);
    wanted.request.documentFolder = document->folder();
    wanted.request.resumeFrom = next.resumeFrom;
    wanted.request.carried = nullptr;
    wanted.request.set.clear();
    for (auto it = next.set.begin(); it != next.set.end(); ++it) wanted.request.set << qMakePair(it.key(), it.value());
  }
  QStringList words;
  for (const auto& [name, value] : set) words << QStringLiteral("%1=%2").arg(name, value);
  QString title = document ? document->title() : title_;
  if (!words.isEmpty()) title = tr("%1 with %2").arg(title, words.join(QStringLiteral(", ")));
  struct Made {
    WhyDifference difference;
    std::shared_ptr<WhyEngine> engine;
  };
  auto answer = std::make_shared<Made>();
  start(
      tr("Training %1 to compare").arg(title),
      [answer, wanted, step](WhyEngine& engine, TaskState& state) {
        const TrainedModelPtr model = trainAgain(
            wanted,
            [&state](double share) {
              state.progress = share;
              return !state.cancelled;
            },
            &answer->difference.error);
        state.progress = -1;
        if (!model || state.cancelled) return;
        answer->engine = std::make_shared<WhyEngine>(model);
        answer->difference = engine.differenceFrom(*answer->engine, step);
      },
      [this, answer, title] {
        difference_ = answer->difference;
        otherTitle_ = title;
        if (answer->engine) addOther({title, answer->engine});
        return difference_.error;
      },
      std::move(done));
}

}  // namespace weft::app
