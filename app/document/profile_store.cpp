#include "document/profile_store.h"

#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "document/document.h"
#include "document/task_places.h"
#include "document/workspace.h"
#include "timeline/timeline_data.h"

namespace weft::app {

namespace {
constexpr qint64 kWarmUp = 3;  // the first steps plan, allocate and fill caches
constexpr qint64 kSlowBatch = 100;
}  // namespace

ProfileStore& ProfileStore::of(Workspace& workspace) {
  auto* store = workspace.findChild<ProfileStore*>(QString(), Qt::FindDirectChildrenOnly);
  return store ? *store : *new ProfileStore(workspace);
}

ProfileStore::ProfileStore(Workspace& workspace) : QObject(&workspace), workspace_(workspace) {
  connect(&workspace.runs(), &RunController::traceArrived, this, &ProfileStore::take);
  connect(&workspace.runs(), &RunController::runStarted, this, [this] {
    if (slowFactor_ > 0) watchSlow(slowFactor_);  // each training has its own median
  });
  connect(&workspace.runs(), &RunController::stateChanged, this, [this] {
    if (!traced_ || workspace_.runs().isActive()) return;
    const QString why = workspace_.runs().lastError();
    finish(why.isEmpty() ? tr("Training ended before a step was recorded.") : why);
  });
  connect(&workspace, &Workspace::currentSelectionChanged, this, &ProfileStore::followDocument);
  new TaskPlaces(workspace, *this, this);
}

void ProfileStore::work(const QString& title, std::function<ProfileOutcome()> make, std::function<void(ProfilePtr)> use, Done done) {
  auto outcome = std::make_shared<ProfileOutcome>();
  ++pending_;
  emit busyChanged();
  workspace_.tasks().start(
      title, [outcome, make = std::move(make)](TaskState&) { *outcome = make(); },
      [this, outcome, use = std::move(use), done] {
        --pending_;
        error_ = outcome->error;
        if (outcome->profile) use(outcome->profile);
        if (!outcome->error.isEmpty()) workspace_.log().error(outcome->error);
        emit busyChanged();
        if (done) done(outcome->error);
      },
      [this, done] {
        --pending_;
        emit busyChanged();
        if (done) done(tr("Cancelled."));
      });
}

void ProfileStore::open(const QString& path, Done done) {
  const GraphContentsPtr graph = workspace_.current() ? workspace_.current()->contents() : nullptr;
  work(
      tr("Reading %1").arg(QFileInfo(path).fileName()), [path, graph] { return readProfile(path, graph); }, [this](ProfilePtr p) { show(std::move(p)); },
      std::move(done));
}

void ProfileStore::openEventRun(const QString& path, const QString& tag, Done done) {
  const GraphContentsPtr graph = workspace_.current() ? workspace_.current()->contents() : nullptr;
  work(
      tr("Reading %1").arg(QFileInfo(path).fileName()), [path, tag, graph] { return readEventProfile(path, tag, graph); },
      [this](ProfilePtr p) { show(std::move(p)); }, std::move(done));
}

void ProfileStore::compareWith(const QString& path, const QString& tag, Done done) {
  auto tags = std::make_shared<QStringList>();
  work(
      tr("Reading %1").arg(QFileInfo(path).fileName()), [path, tag, tags] { return readProfileToCompare(path, tag, tags.get()); },
      [this](ProfilePtr p) { compareWith(std::move(p)); },
      [this, path, tags, done](const QString& error) {
        if (!tags->isEmpty()) emit runsFound(path, *tags);
        if (done) done(error);
      });
}

void ProfileStore::compareWith(ProfilePtr profile) {
  compared_ = std::move(profile);
  compareNow();
  emit comparedChanged();
}

/// Of a million slices this takes some tenths of a second.
void ProfileStore::compareNow() {
  const int number = ++comparisons_;
  comparison_ = nullptr;
  if (colors_ == SliceColors::Difference) setColors(SliceColors::Category);
  emit comparisonChanged();
  if (!current_ || !compared_) return;
  auto made = std::make_shared<TraceComparisonPtr>();
  work(
      tr("Comparing traces"),
      [made, before = compared_, after = current_] {
        *made = comparisonOf(*before, *after);
        return ProfileOutcome{after, {}};
      },
      [this, made, number](const ProfilePtr&) {
        if (number != comparisons_) return;  // another trace was chosen meanwhile
        comparison_ = *made;
        emit comparisonChanged();
      },
      {});
}

void ProfileStore::save(const QString& path, Done done) {
  const ProfilePtr profile = current_;
  work(
      tr("Writing %1").arg(QFileInfo(path).fileName()),
      [path, profile] {
        return ProfileOutcome{nullptr, writeProfile(*profile, path)};
      },
      {}, std::move(done));
}

QString ProfileStore::whyNoTrace() const {
  RunController& runs = workspace_.runs();
  if (traced_) return tr("Steps are being recorded.");
  if (runs.isActive()) return runs.document() == workspace_.current() ? QString() : runs.whyNot(workspace_.current());
  return runs.whyNot(workspace_.current());
}

void ProfileStore::trace(qint64 steps, Done done) {
  RunController& runs = workspace_.runs();
  traced_ = done ? std::move(done) : [](const QString&) {};
  if (runs.isActive()) {
    runs.traceSteps(steps);
    if (runs.state() == RunController::State::Paused) runs.resume();
  } else {
    runs.start(workspace_.current(), kWarmUp + steps, 0);
    runs.traceSteps(steps, kWarmUp);
  }
  emit busyChanged();
}

QString ProfileStore::whyNotCompared() const {
  if (comparing_) return tr("Devices are being compared.");
  const RunController& runs = workspace_.runs();
  if (runs.isActive()) return tr("A training is running: its steps would disturb the times.");
  return runs.whyNot(workspace_.current());
}

void ProfileStore::compareDevices(qint64 steps, Done done) {
  Document* document = workspace_.current();
  DeviceRequest request;
  request.contents = document->contents();
  request.title = document->title();
  request.documentFolder = document->folder();
  const QMap<QString, QString> set = workspace_.runs().nextRun(document).set;
  for (auto it = set.begin(); it != set.end(); ++it) request.set << qMakePair(it.key(), it.value());
  request.steps = steps;
  request.threads = workspace_.settings().get(QStringLiteral("run/threads")).toInt();
  auto outcome = std::make_shared<DeviceComparisonOutcome>();
  comparing_ = true;
  emit busyChanged();
  const auto end = [this, done](const QString& error) {
    comparing_ = false;
    error_ = error;
    emit busyChanged();
    if (done) done(error);
  };
  workspace_.tasks().start(
      tr("Comparing devices"),
      [outcome, request](TaskState& state) {
        *outcome = app::compareDevices(request, [&state](double share) {
          state.progress.store(share);
          return !state.cancelled.load();
        });
      },
      [this, outcome, end] {
        if (outcome->comparison) {
          devices_ = outcome->comparison;
          emit devicesCompared();
        } else {
          workspace_.log().error(outcome->error);
        }
        end(outcome->error);
      },
      [end] { end(tr("Cancelled.")); });
}

void ProfileStore::watchSlow(double factor) {
  slowFactor_ = factor;
  slow_.reset();
  if (factor > 0) slow_ = std::make_unique<SlowSteps>(factor);
  askForSlow();
}

void ProfileStore::askForSlow() {
  // An explicit request goes first.
  if (!traced_ && workspace_.runs().isActive()) workspace_.runs().traceSteps(slow_ ? kSlowBatch : 0);
}

void ProfileStore::takeSlow(const TracedStepsPtr& steps) {
  const bool any = slow_->add(*steps);
  askForSlow();
  if (!any) return;
  const RunRecord* run = workspace_.runs().currentRun();
  const QString title = QStringLiteral("%1 · %2").arg(run ? run->name : tr("trace"), tr("slow steps"));
  const TracedStepsPtr kept = slow_->kept(), usual = slow_->usual();
  auto compared = std::make_shared<ProfilePtr>();
  workspace_.log().info(tr("%n slow step(s) kept", nullptr, slow_->count()));
  work(
      tr("Reading the trace"),
      [kept, usual, compared, title] {
        if (usual) *compared = profileOfSteps(*usual, tr("a typical step"));
        return ProfileOutcome{profileOfSteps(*kept, title), {}};
      },
      [this, compared](ProfilePtr p) {
        show(std::move(p));
        compareWith(*compared);
      },
      {});
}

void ProfileStore::take(const TracedStepsPtr& steps) {
  if (slow_ && !traced_) {
    takeSlow(steps);
    return;
  }
  if (!traced_) return;  // a leftover from when watching ended
  const RunRecord* run = workspace_.runs().currentRun();
  const QString title = run ? QStringLiteral("%1 · %2").arg(run->document, run->name) : tr("trace");
  Done done = std::exchange(traced_, {});
  askForSlow();
  work(
      tr("Reading the trace"),
      [steps, title] {
        return ProfileOutcome{profileOfSteps(*steps, title), {}};
      },
      [this](ProfilePtr p) { show(std::move(p)); }, std::move(done));
}

void ProfileStore::finish(const QString& error) {
  // The last events of a run are taken before its state changes, so a missing trace will not arrive any more.
  error_ = error;
  const Done done = std::exchange(traced_, {});
  emit busyChanged();
  if (done) done(error);
}

void ProfileStore::show(ProfilePtr profile) {
  current_ = std::move(profile);
  timeline_ = current_->timeline;
  slice_ = -1;
  step_ = -1;
  emit currentChanged();
  followDocument();
  if (compared_) compareNow();
  if (colors_ != SliceColors::Category) setColors(colors_);
}

void ProfileStore::setColors(SliceColors colors, Done done) {
  if (colors == SliceColors::Difference && !comparison_) {
    if (done) done(tr("There is no trace to compare with."));
    return;
  }
  colors_ = colors;
  if (!current_) {
    if (done) done({});
    return;
  }
  auto made = std::make_shared<std::shared_ptr<const widgets::TimelineData>>();
  work(
      tr("Colouring the timeline"),
      [profile = current_, colors, made, comparison = comparison_] {
        *made = timelineBy(*profile, colors, comparison.get());
        return ProfileOutcome{profile, {}};
      },
      [this, colors, made](const ProfilePtr& profile) {
        if (profile != current_ || colors != colors_) return;  // another one was chosen meanwhile
        timeline_ = *made;
        emit timelineChanged();
      },
      std::move(done));
}

const ProfileRoof& ProfileStore::roof() {
  if (roofAsked_) return roof_;
  roofAsked_ = true;
  auto roof = std::make_shared<ProfileRoof>();
  auto error = std::make_shared<QString>();
  workspace_.tasks().start(
      tr("Measuring this machine"), [roof, error](TaskState&) { *roof = machineRoof(error.get()); },
      [this, roof, error] {
        roof_ = *roof;
        roofKnown_ = true;
        if (!error->isEmpty()) workspace_.log().warning(*error);
        emit roofMeasured();
        if (std::exchange(floorsWanted_, false)) floors();
      },
      [this] { roofAsked_ = false; });
  return roof_;
}

const QVector<PlanFloor>& ProfileStore::floors() {
  if (floorsOf_ == current_) return floors_;
  floors_.clear();
  if (!current_) return floors_;
  if (roof().gflops <= 0) {
    floorsWanted_ = !roofKnown_;
    return floors_;
  }
  floorsOf_ = current_;
  auto made = std::make_shared<QVector<PlanFloor>>();
  workspace_.tasks().start(
      tr("Computing the floors of nodes"), [made, profile = current_, roof = roof_](TaskState&) { *made = weft::app::floorsOf(*profile, roof); },
      [this, made, profile = current_] {
        if (profile != floorsOf_) return;  // another trace arrived meanwhile
        floors_ = *made;
        emit floorsMade();
      },
      [this] { floorsOf_ = nullptr; });
  return floors_;
}

}  // namespace weft::app
