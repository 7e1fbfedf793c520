#include <QCoreApplication>
#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

#include "commands/action_registry.h"
#include "commands/actions.h"
#include "document/document.h"
#include "document/workspace.h"
#include "main_window/shell.h"

namespace weft::app {
namespace {

struct RunActions {
  Q_DECLARE_TR_FUNCTIONS(RunActions)
};

using State = RunController::State;

/// `--steps N` or `--epochs N`.
CommandResult train(Workspace& workspace, Shell& shell, const QStringList& arguments) {
  RunController& runs = workspace.runs();
  if (runs.state() == State::Paused) {
    runs.resume();
    return CommandResult::done();
  }
  qint64 steps = 0, epochs = 0;
  for (qsizetype i = 0; i < arguments.size(); i += 2) {
    bool ok = false;
    const qint64 value = arguments.value(i + 1).toLongLong(&ok);
    qint64* target = arguments[i] == QLatin1String("--steps") ? &steps : arguments[i] == QLatin1String("--epochs") ? &epochs : nullptr;
    if (!target || !ok || value <= 0) return CommandResult::failed(RunActions::tr("run.train takes --steps N or --epochs N with N above 0, not %1.").arg(arguments.mid(i).join(u' ')));
    *target = value;
  }
  runs.start(workspace.current(), steps, epochs);
  shell.showView(QStringLiteral("scalars"));
  return CommandResult::done();
}

CommandResult step(Workspace& workspace, Shell& shell) {
  RunController& runs = workspace.runs();
  if (runs.isActive()) {
    runs.stepOnce();
  } else {
    runs.start(workspace.current(), 0, 0, true);
    shell.showView(QStringLiteral("scalars"));
  }
  return CommandResult::done();
}

}  // namespace

void registerRunActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  RunController& runs = workspace.runs();
  // Its keys are the debugger's while that is active.
  const auto debugged = [&workspace] { return workspace.debugger().isActive() ? RunActions::tr("The debugger is running.") : QString(); };
  registry.add({QStringLiteral("run.apply"), QT_TRANSLATE_NOOP("Actions", "&Apply to the running training"),
                QT_TRANSLATE_NOOP("Actions", "Goes on training with the graph as it is now; variables keep their values by name"), {}, QStringLiteral("refresh"), "",
                [&runs](const QStringList&) {
                  runs.applyNow();
                  return CommandResult::done();
                },
                [&workspace, &runs] {
                  if (!runs.isActive()) return RunActions::tr("No training is running.");
                  return runs.document() ? runs.document()->contents()->training.reason : RunActions::tr("No training is running.");
                }});
  const auto idle = [&runs] { return runs.isActive() ? QString() : RunActions::tr("No training is running."); };
  registry.add({QStringLiteral("run.train"), QT_TRANSLATE_NOOP("Actions", "&Train"), QT_TRANSLATE_NOOP("Actions", "Trains this graph, or goes on after a pause"),
                QStringLiteral("F5"), QStringLiteral("play"), "[--steps N|--epochs N]", [&](const QStringList& a) { return train(workspace, shell, a); },
                [&, debugged] { return !debugged().isEmpty() ? debugged() : runs.state() == State::Paused ? QString() : runs.whyNot(workspace.current()); }});
  registry.add({QStringLiteral("run.pause"), QT_TRANSLATE_NOOP("Actions", "&Pause"), QT_TRANSLATE_NOOP("Actions", "Pauses after the present step"),
                QStringLiteral("Ctrl+F5"), QStringLiteral("pause"), "",
                [&](const QStringList&) {
                  runs.pause();
                  return CommandResult::done();
                },
                [&] { return runs.state() == State::Running ? QString() : RunActions::tr("No training is running."); }});
  registry.add({QStringLiteral("run.step"), QT_TRANSLATE_NOOP("Actions", "&Step"), QT_TRANSLATE_NOOP("Actions", "Trains one step, then pauses"),
                QStringLiteral("F10"), QStringLiteral("step"), "", [&](const QStringList&) { return step(workspace, shell); },
                [&, debugged] { return !debugged().isEmpty() ? debugged() : runs.state() == State::Stopping ? RunActions::tr("The training is being stopped.") : runs.isActive() ? QString() : runs.whyNot(workspace.current()); }});
  registry.add({QStringLiteral("run.stop"), QT_TRANSLATE_NOOP("Actions", "St&op"), QT_TRANSLATE_NOOP("Actions", "Ends the training, with a checkpoint"),
                QStringLiteral("Shift+F5"), QStringLiteral("stop"), "",
                [&](const QStringList&) {
                  runs.stop();
                  return CommandResult::done();
                },
                idle});
  registry.add({QStringLiteral("run.open-folder"), QT_TRANSLATE_NOOP("Actions", "Open the run's &folder"),
                QT_TRANSLATE_NOOP("Actions", "Shows checkpoints and event files of the newest run"), {}, QStringLiteral("folder"), "",
                [&](const QStringList&) {
                  QDesktopServices::openUrl(QUrl::fromLocalFile(runs.currentRun()->folder));
                  return CommandResult::done();
                },
                [&] { return runs.currentRun() && QFileInfo::exists(runs.currentRun()->folder) ? QString() : RunActions::tr("Nothing was trained yet."); }});
}

}  // namespace weft::app
