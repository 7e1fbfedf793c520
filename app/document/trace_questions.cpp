#include "document/trace_questions.h"

#include <algorithm>
#include <utility>

#include "document/profile_store.h"
#include "document/workspace.h"

namespace weft::app {

TraceQuestions& TraceQuestions::of(Workspace& workspace) {
  auto* known = workspace.findChild<TraceQuestions*>(QString(), Qt::FindDirectChildrenOnly);
  return known ? *known : *new TraceQuestions(workspace);
}

TraceQuestions::TraceQuestions(Workspace& workspace) : QObject(&workspace), workspace_(workspace), profiles_(ProfileStore::of(workspace)) {
  connect(&profiles_, &ProfileStore::currentChanged, this, &TraceQuestions::follow);
  connect(&profiles_, &ProfileStore::sliceSelected, this, [this](int slice) {
    if (slice < 0 || gap_ < 0) return;
    gap_ = -1;
    emit gapSelected(-1);
  });
  follow();
}

void TraceQuestions::follow() {
  const ProfilePtr now = profiles_.current();
  if (now == current_) return;
  if (current_) earlier_.prepend({current_, since_});
  current_ = now;
  since_ = QDateTime::currentDateTime();
  // Not the present one twice, if it was chosen again.
  earlier_.removeIf([&](const EarlierTrace& e) { return e.profile == now; });
  qint64 slices = 0;
  int kept = 0;
  for (const EarlierTrace& e : std::as_const(earlier_)) {
    slices += e.profile->slices;
    if (slices > kMostSlices || kept == kMostEarlier) break;
    ++kept;
  }
  earlier_.resize(kept);
  if (idleTask_ != 0) workspace_.tasks().cancel(idleTask_);
  idle_ = nullptr;
  gap_ = -1;
  emit earlierChanged();
  emit idleTimesChanged();
  if (showsGaps_ && current_) findIdleTimes();
  predict({});
}

void TraceQuestions::findIdleTimes(Done done) {
  if (idle_) {
    if (done) done({});
    return;
  }
  if (done) idleDone_ << done;
  if (idleTask_ != 0) return;
  auto made = std::make_shared<IdleTimesPtr>();
  const auto end = [this](const QString& error) {
    idleTask_ = 0;
    emit idleTimesChanged();
    for (const Done& d : std::exchange(idleDone_, {})) d(error);
  };
  idleTask_ = workspace_.tasks().start(
      tr("Finding idle times"), [made, profile = current_](TaskState&) { *made = idleTimesOf(profile); },
      [this, made, profile = current_, end] {
        if (profile == current_) idle_ = *made;
        end({});
      },
      [end] { end(tr("Cancelled.")); });
  emit idleTimesChanged();
}

void TraceQuestions::setShowsGaps(bool on) {
  if (on == showsGaps_) return;
  showsGaps_ = on;
  if (!on && gap_ >= 0) selectGap(-1);
  emit showsGapsChanged();
  if (on && current_) findIdleTimes();
}

void TraceQuestions::selectGap(int gap) {
  if (!idle_ || gap >= int(idle_->gaps.size())) gap = -1;
  if (gap == gap_) return;
  if (gap >= 0) profiles_.selectSlice(-1);
  gap_ = gap;
  if (gap >= 0 && !showsGaps_) setShowsGaps(true);
  if (gap >= 0) {
    const IdlePart& part = idle_->gaps[size_t(gap)];
    QStringList nodes;
    for (const int slice : {part.after, part.cause})
      if (slice >= 0) nodes << sliceFacts(*current_, slice).node;
    profiles_.selectOnCanvas(nodes);
  }
  emit gapSelected(gap);
}

void TraceQuestions::selectGapOf(int cause, bool backward) {
  const std::vector<int>& gaps = idle_->causes[cause].gaps;
  const auto at = std::find(gaps.begin(), gaps.end(), gap_);
  const size_t count = gaps.size(), place = size_t(at - gaps.begin());
  if (at == gaps.end()) selectGap(gaps.front());
  else selectGap(gaps[(place + (backward ? count - 1 : 1)) % count]);
}

void TraceQuestions::setChanges(const QVector<ImaginedChange>& changes, Done done) {
  changes_ = changes;
  emit changesChanged();
  predict(std::move(done));
}

void TraceQuestions::predict(Done done) {
  if (predictTask_ != 0) workspace_.tasks().cancel(std::exchange(predictTask_, 0));
  prediction_ = nullptr;
  if (!current_ || changes_.isEmpty()) {
    emit predictionChanged();
    if (done) done({});
    return;
  }
  auto made = std::make_shared<PredictedStep>();
  auto task = std::make_shared<int>(0);
  *task = predictTask_ = workspace_.tasks().start(
      tr("Predicting a step"), [made, profile = current_, changes = changes_](TaskState&) { *made = predictionOf(*profile, changes); },
      [this, made, task, done] {
        if (*task == predictTask_) {
          predictTask_ = 0;
          prediction_ = made;
          emit predictionChanged();
        }
        if (done) done(made->error);
      },
      [this, task, done] {
        if (*task == predictTask_) {
          predictTask_ = 0;
          emit predictionChanged();
        }
        if (done) done(tr("Cancelled."));
      });
  emit predictionChanged();
}

}  // namespace weft::app
