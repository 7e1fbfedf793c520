#include "document/why_store.h"

#include <QCoreApplication>
#include <QElapsedTimer>

#include "document/workspace.h"

namespace weft::app {

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
    engine_.reset();
    path_ = {};
    rows_ = {};
    difference_ = {};
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
  if (!engine_ || engine_->model()->trainer() != model->trainer()) engine_ = std::make_shared<WhyEngine>(model);
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

void WhyStore::start(const QString& title, std::function<void(WhyEngine&)> work, std::function<QString()> finish, Done done, bool times) {
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
      title, [present, work](TaskState&) { work(*present); },
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
      tr("Why %1").arg(element), [answer, element, at = step_](WhyEngine& engine) { *answer = engine.ask(element, at); },
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
      tr("Why %1").arg(part.text()), [answer, part](WhyEngine& engine) { *answer = engine.follow(part); },
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
      tr("Rows behind %1").arg(question_), [answer, part = path_.links.first().self](WhyEngine& engine) { *answer = engine.rows(part); },
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
      [answer, firstStep, secondStep](WhyEngine& engine) { *answer = engine.difference(firstStep, secondStep); },
      [this, answer] {
        difference_ = *answer;
        return difference_.error;
      },
      std::move(done));
}

}  // namespace weft::app
