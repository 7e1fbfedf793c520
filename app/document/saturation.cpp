#include "document/saturation.h"

#include <algorithm>
#include <atomic>

#include "adapters/border.h"
#include "document/document.h"
#include "document/run_controller.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

constexpr int kLookMs = 100;
constexpr qint64 kLeastPauseMs = 1000;
constexpr qint64 kShareOfTime = 20;
constexpr qsizetype kMostPoints = 400;

}  // namespace

struct Saturation::Work {
  GraphContentsPtr contents;
  QString folder;
  std::shared_ptr<SaturationProbe> probe;
  TrainedModelPtr model;
  QVector<SaturationShare> shares;
  qint64 step = -1, milliseconds = 0;
  QString error;
  std::atomic<bool> done{false};
};

Saturation& Saturation::of(Workspace& workspace) {
  if (auto* found = workspace.findChild<Saturation*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
  return *new Saturation(workspace);
}

Saturation::Saturation(Workspace& workspace) : QObject(&workspace), workspace_(workspace) {
  timer_.setInterval(kLookMs);
  connect(&timer_, &QTimer::timeout, this, &Saturation::look);
  connect(&workspace.runs(), &RunController::runStarted, this, [this](const RunRecord* run) {
    run_ = run->number;
    lines_.clear();
    step_ = -1;
    pauseMs_ = 0;
    emit changed();
  });
}

Saturation::~Saturation() {
  if (thread_.joinable()) thread_.join();
}

void Saturation::setOn(bool on) {
  if (on_ == on) return;
  on_ = on;
  pauseMs_ = 0;
  if (on) timer_.start();
  emit changed();
}

void Saturation::look() {
  if (work_) {
    if (work_->done) take();
    return;
  }
  if (!on_) return timer_.stop();
  RunController& runs = workspace_.runs();
  const bool dueNow = pauseMs_ == 0 || since_.elapsed() >= pauseMs_;
  const TrainedModelPtr model = runs.isActive() && dueNow ? runs.model() : nullptr;
  if (!model || model->step() == step_ || !runs.document()) return;
  if (contents_ == runs.contents() && !probe_ && !problem_.isEmpty()) return;  // the problem would stay
  work_ = std::make_unique<Work>();
  work_->contents = runs.contents();
  work_->folder = runs.document()->folder();
  work_->model = model;
  if (contents_ == work_->contents) work_->probe = probe_;
  thread_ = std::thread([work = work_.get()] {
    QElapsedTimer clock;
    clock.start();
    const QString failure = failureOf([work] {
      if (!work->probe) work->probe = SaturationProbe::make(work->contents, work->folder, &work->error);
      if (work->probe) work->shares = work->probe->measure(*work->model, &work->step, &work->error);
    });
    if (!failure.isEmpty()) work->error = failure;
    work->milliseconds = clock.elapsed();
    work->done = true;
  });
}

void Saturation::take() {
  thread_.join();
  const std::unique_ptr<Work> work = std::move(work_);
  contents_ = work->contents;
  probe_ = work->probe;
  problem_ = work->error;
  pauseMs_ = std::max(kLeastPauseMs, work->milliseconds * kShareOfTime);
  since_.start();
  if (work->contents != workspace_.runs().contents() && workspace_.runs().isActive()) return;  // of the previous training
  if (problem_.isEmpty()) {
    step_ = work->step;
    for (const SaturationShare& share : std::as_const(work->shares)) {
      const auto it = std::find_if(lines_.begin(), lines_.end(), [&](const Line& line) { return line.now.node == share.node; });
      Line& line = it == lines_.end() ? lines_.emplaceBack() : *it;
      line.now = share;
      while (!line.history.isEmpty() && line.history.last().x() >= double(step_)) line.history.removeLast();
      line.history << QPointF(double(step_), share.share());
      if (line.history.size() > kMostPoints)  // drop every second one of the older points
        for (qsizetype i = line.history.size() - 2; i > 0; i -= 2) line.history.removeAt(i);
    }
  }
  emit changed();
}

}  // namespace weft::app
