#include "document/activity.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "document/document.h"
#include "document/experiments.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

struct Activities {
  Q_DECLARE_TR_FUNCTIONS(Activities)
};

constexpr double kNoticedSeconds = 1;  // tasks that run for less time end without a question

QString trainingText(const RunController& runs) {
  const RunRecord& run = *runs.currentRun();
  const RunProgress& p = runs.progress();
  const QString place = p.totalSteps > 0 ? Activities::tr("step %1 of %2").arg(p.step).arg(p.totalSteps) : Activities::tr("step %1").arg(p.step);
  return runs.state() == RunController::State::Paused ? Activities::tr("%1 trains %2 and is paused at %3.").arg(run.name, run.document, place)
                                                      : Activities::tr("%1 trains %2, %3.").arg(run.name, run.document, place);
}

}  // namespace

QVector<Activity> activitiesOf(Workspace& workspace, const Document* document) {
  QVector<Activity> found;
  const RunController& runs = workspace.runs();
  // A run that is already stopping ends by itself.
  if (runs.isActive() && runs.currentRun() && runs.state() != RunController::State::Stopping && (!document || runs.document() == document))
    found << Activity{Activity::Kind::Training, trainingText(runs)};
  const DebugController& debugger = workspace.debugger();
  if (debugger.isActive() && (!document || debugger.document() == document)) {
    const QString title = debugger.document() ? debugger.document()->title() : QString();
    found << Activity{Activity::Kind::Debugging, debugger.state().ofTraining ? Activities::tr("A training step of %1 is being debugged.").arg(title)
                                                                             : Activities::tr("A run of %1 is being debugged.").arg(title)};
  }
  if (document) return found;  // programs and tasks outlive a document
  if (const Experiments& experiments = Experiments::of(workspace); experiments.isActive()) {
    const SweepState& sweep = experiments.state();
    found << Activity{Activity::Kind::Task,
                      Activities::tr("A sweep is running: %1 of %2 runs are done.").arg(sweep.finished + sweep.stoppedEarly + sweep.failed).arg(sweep.total)};
  }
  const Program& program = workspace.program();
  if (program.isAlive())
    found << Activity{Activity::Kind::Program, Activities::tr("The Python program %1 is running.").arg(QFileInfo(program.script()).fileName())};
  for (const Tasks::Info& task : workspace.tasks().running())
    if (task.seconds >= kNoticedSeconds) found << Activity{Activity::Kind::Task, Activities::tr("In progress: %1.").arg(task.title)};
  return found;
}

}  // namespace weft::app
