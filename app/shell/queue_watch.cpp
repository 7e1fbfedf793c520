#include "shell/queue_watch.h"

#include <algorithm>

#include "document/debug_controller.h"
#include "document/document.h"
#include "document/run_controller.h"
#include "document/workspace.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

constexpr int kLookMs = 500;
constexpr int kStandstillMs = 2000;
const QString kKey = QStringLiteral("queues");

}  // namespace

QVector<QueueFacts> presentQueues(Workspace& workspace) {
  const QVector<QueueFacts> debugged = workspace.debugger().queues();
  if (!debugged.isEmpty() && (workspace.debugger().isActive() || !workspace.runs().isActive())) return debugged;
  const TrainedModelPtr model = workspace.runs().model();
  const QVector<QueueFacts> trained = model ? queueFacts(*model) : QVector<QueueFacts>();
  return trained.isEmpty() ? debugged : trained;
}

QueueWatch::QueueWatch(Workspace& workspace, Shell& shell, QObject* parent) : QObject(parent), workspace_(workspace), shell_(shell) {
  timer_.setInterval(kLookMs);
  connect(&timer_, &QTimer::timeout, this, &QueueWatch::look);
  connect(&workspace.debugger(), &DebugController::stateChanged, this, &QueueWatch::follow);
  connect(&workspace.runs(), &RunController::stateChanged, this, &QueueWatch::follow);
}

void QueueWatch::follow() {
  const DebugController& debug = workspace_.debugger();
  const RunController& runs = workspace_.runs();
  const auto hasQueues = [](const Document* document) {
    if (!document) return false;
    const auto& nodes = document->contents()->arrays.nodes;
    return std::any_of(nodes.begin(), nodes.end(), [](const auto& node) { return makesQueue(node.op); });
  };
  const bool computes =
      (debug.isActive() && !debug.isStopped() && hasQueues(debug.document())) || (runs.isComputing() && !debug.holdsTraining() && hasQueues(runs.document()));
  if (!computes) {
    timer_.stop();
    return withdraw();
  }
  if (timer_.isActive()) return;
  moved_ = -1;
  since_.start();
  timer_.start();
}

void QueueWatch::look() {
  qint64 moved = 0;
  QueueFacts stuck;
  QString sentence;
  const QVector<QueueFacts> queues = presentQueues(workspace_);
  for (const QueueFacts& q : queues) {
    if (q.busy) return;
    moved += q.put + q.taken;
    if (!sentence.isEmpty()) continue;
    stuck = q;
    sentence = q.sentence();
  }
  if (moved != moved_ || sentence.isEmpty()) {
    moved_ = moved;
    since_.start();
    return withdraw();
  }
  if (warned_ || since_.elapsed() < kStandstillMs) return;
  warned_ = true;
  const auto show = [this] { shell_.showView(QStringLiteral("queues")); };
  shell_.tell([stuck, show] { return Message{Message::Kind::Warning, kKey, tr("Stalled. %1").arg(stuck.sentence()), {{tr("Show queues"), show}}}; });
}

void QueueWatch::withdraw() {
  if (!warned_) return;
  warned_ = false;
  shell_.withdrawMessage(kKey);
}

}  // namespace weft::app
