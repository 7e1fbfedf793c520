#include <QCoreApplication>
#include <QFileInfo>
#include <QWidget>
#include <cmath>

#include "commands/actions.h"
#include "commands/archive_actions.h"
#include "commands/run_choices.h"
#include "commands/sweep_actions.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/run_archive.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct RunActions {
  Q_DECLARE_TR_FUNCTIONS(RunActions)
};

using State = RunController::State;

constexpr qint64 kMostSteps = 1'000'000'000'000, kMostEpochs = 1'000'000'000, kMostPatience = 1'000'000;

/// `--steps N`, `--epochs N`, `--patience N`, `--set NAME=VALUE`.
QString readRequest(const QStringList& words, RunRequest* request) {
  for (qsizetype i = 0; i < words.size(); i += 2) {
    const QString name = words[i], text = words.value(i + 1);
    if (name == QLatin1String("--set")) {
      const qsizetype equals = text.indexOf(u'=');
      if (equals <= 0) return RunActions::tr("--set takes NAME=VALUE, not %1.").arg(text);
      request->set.insert(text.left(equals), text.mid(equals + 1));
      continue;
    }
    if (name != QLatin1String("--steps") && name != QLatin1String("--epochs") && name != QLatin1String("--patience"))
      return RunActions::tr("run.train takes --steps N or --epochs N with N above 0, not %1.").arg(words.mid(i).join(u' '));
    const qint64 most = name == QLatin1String("--steps") ? kMostSteps : name == QLatin1String("--epochs") ? kMostEpochs : kMostPatience;
    bool ok = false;
    const qint64 value = text.toLongLong(&ok);
    if (!ok || value < 1 || value > most)
      return RunActions::tr("%1 is %2, expected a whole number from 1 to %3.").arg(name, text.isEmpty() ? QStringLiteral("\"\"") : text).arg(most);
    if (name == QLatin1String("--steps")) request->steps = value;
    if (name == QLatin1String("--epochs")) request->epochs = value;
    if (name == QLatin1String("--patience")) request->patience = int(value);
  }
  return {};
}

/// Why the document in front cannot be trained; empty: it can.
QString whyNotFront(Workspace& workspace) {
  if (const FileTab* file = workspace.currentFile()) return RunActions::tr("%1 is not a graph: choose the tab of a graph first.").arg(file->title());
  return workspace.runs().whyNot(workspace.current());
}

CommandResult train(Workspace& workspace, Shell& shell, const QStringList& words) {
  RunController& runs = workspace.runs();
  if (runs.state() == State::Paused) {
    // The settings need a new run; resuming would ignore them silently.
    if (!words.isEmpty()) return CommandResult::failed(RunActions::tr("A run is paused: run.train without settings resumes it, run.stop ends it."));
    runs.resume();
    return CommandResult::done();
  }
  RunRequest request;
  const QString error = readRequest(words, &request);
  if (!error.isEmpty()) return CommandResult::failed(error);
  runs.start(workspace.current(), request);
  offerCurves(shell);
  return CommandResult::done();
}

/// Trains `n` steps of the document in front, then pauses.
void trainSteps(Workspace& workspace, Shell& shell, qint64 n) {
  RunController& runs = workspace.runs();
  if (runs.isActive()) return runs.runSteps(n);
  RunRequest request;
  request.firstSteps = n;
  runs.start(workspace.current(), request);
  offerCurves(shell);
}

/// Remembers the number of steps for the field in the run bar.
CommandResult steps(Workspace& workspace, Shell& shell, const QStringList& words) {
  bool ok = true;
  const qint64 n = words.isEmpty() ? workspace.settings().value(QStringLiteral("run/step-count"), 100).toLongLong() : words[0].toLongLong(&ok);
  if (!ok || n < 1 || n > kMostStepCount)
    return CommandResult::failed(RunActions::tr("run.steps takes a whole number from 1 to %1, not %2.").arg(kMostStepCount).arg(words.value(0)));
  workspace.settings().setValue(QStringLiteral("run/step-count"), n);
  trainSteps(workspace, shell, n);
  return CommandResult::done();
}

/// Finds it by its name, its tensor or its node.
CommandResult setLive(Workspace& workspace, const QStringList& words) {
  QString name = words.value(0);
  QStringList there;
  for (const TrainingInfo::Live& l : workspace.current()->contents()->training.live) {
    there << l.name;
    if (name == l.tensor || name + QStringLiteral(":0") == l.tensor) name = l.name;
  }
  if (!there.contains(name))
    return CommandResult::failed(RunActions::tr("There is no live value %1; there are %2.").arg(name, there.join(QStringLiteral(", "))));
  bool ok = false;
  const double value = words.value(1).toDouble(&ok);
  if (!ok || !std::isfinite(value))
    return CommandResult::failed(
        RunActions::tr("%1 is not a number; use a decimal point: 0.001 or 1e-3.").arg(words.value(1).isEmpty() ? QStringLiteral("\"\"") : words.value(1)));
  const QString error = workspace.runs().setLive(workspace.current(), name, value);
  return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
}

/// `STEP [RUN]`: starts a paused run from a checkpoint's variables. Without words: shows a menu of the available steps.
CommandResult goBack(ActionRegistry& registry, Workspace& workspace, Shell& shell, const QStringList& words) {
  RunController& runs = workspace.runs();
  if (words.isEmpty())
    return chooseStep(registry, workspace, shell) ? CommandResult::done()
                                                  : CommandResult::failed(RunActions::tr("The runs of this document no longer have checkpoints."));
  const RunRecord* run = words.size() > 1 ? RunArchive::of(workspace).find(words[1]) : runs.currentRun();
  if (!run) return CommandResult::failed(RunActions::tr("There is no run %1.").arg(words.value(1)));
  bool ok = false;
  const qint64 step = words.value(0).toLongLong(&ok);
  for (const RunRecord::Checkpoint& checkpoint : run->checkpoints) {
    if (!ok || checkpoint.step != step) continue;
    if (!QFileInfo::exists(checkpoint.prefix + QStringLiteral(".index")))
      return CommandResult::failed(RunActions::tr("The checkpoint of step %1 was removed: only the newest are kept.").arg(step));
    RunRequest request;
    request.resumeFrom = checkpoint.prefix;
    request.origin = RunActions::tr("%1, step %2").arg(run->name).arg(step);
    request.resumeStep = step;
    request.paused = true;
    runs.start(workspace.current(), request);
    offerCurves(shell);
    return CommandResult::done();
  }
  QStringList there;
  for (const RunRecord::Checkpoint& checkpoint : run->checkpoints) there << QString::number(checkpoint.step);
  return CommandResult::failed(
      RunActions::tr("%1 has no checkpoint of step %2; there are %3.").arg(run->name, words.value(0), there.join(QStringLiteral(", "))));
}

}  // namespace

void registerRunActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  RunController& runs = workspace.runs();
  // While the debugger is active, it has these keys.
  QObject::connect(&runs, &RunController::stateChanged, &registry, [&runs, &shell] {
    if (!runs.isActive()) shell.withdrawMessage(QStringLiteral("curves"));
  });
  const auto debugged = [&workspace] { return workspace.debugger().isActive() ? RunActions::tr("The debugger is running.") : QString(); };
  registry.add({QStringLiteral("run.apply"),
                QT_TRANSLATE_NOOP("Actions", "&Apply to the running training"),
                QT_TRANSLATE_NOOP("Actions", "Continues training with the edited graph; variables keep their values by name"),
                {},
                QStringLiteral("refresh"),
                "",
                [&runs](const QStringList&) {
                  runs.applyNow();
                  return CommandResult::done();
                },
                [&workspace, &runs] {
                  if (!runs.isActive()) return RunActions::tr("Training is not running.");
                  return runs.document() ? runs.document()->contents()->training.reason : RunActions::tr("Training is not running.");
                }});
  const auto idle = [&runs] { return runs.isActive() ? QString() : RunActions::tr("Training is not running."); };
  // Commands for a running training act only on the document in front.
  const auto ours = [&] { return runs.isActive() && runs.document() && runs.document() == workspace.current(); };
  const auto whyNot = [&, debugged, ours] {
    return !debugged().isEmpty()             ? debugged()
           : runs.state() == State::Stopping ? RunActions::tr("Training is being stopped.")
           : ours()                          ? QString()
                                             : whyNotFront(workspace);
  };
  registry.add({QStringLiteral("run.train"), QT_TRANSLATE_NOOP("Actions", "&Train"),
                QT_TRANSLATE_NOOP("Actions", "Trains this graph, or resumes after a pause"), QStringLiteral("F5"), QStringLiteral("play"),
                "[--steps N|--epochs N|--patience N|--set NAME=VALUE]", [&](const QStringList& a) { return train(workspace, shell, a); },
                [&, debugged, ours] {
                  return !debugged().isEmpty() ? debugged() : runs.state() == State::Paused && ours() ? QString() : whyNotFront(workspace);
                }});
  registry.add({QStringLiteral("run.pause"), QT_TRANSLATE_NOOP("Actions", "&Pause"), QT_TRANSLATE_NOOP("Actions", "Pauses after the current step"),
                QStringLiteral("Ctrl+F5"), QStringLiteral("pause"), "",
                [&](const QStringList&) {
                  runs.pause();
                  return CommandResult::done();
                },
                [&] { return runs.state() == State::Running ? QString() : RunActions::tr("Training is not running."); }});
  registry.add({QStringLiteral("run.step"), QT_TRANSLATE_NOOP("Actions", "&Step"), QT_TRANSLATE_NOOP("Actions", "Trains one step, then pauses"),
                QStringLiteral("F10"), QStringLiteral("step"), "",
                [&](const QStringList&) {
                  trainSteps(workspace, shell, 1);
                  return CommandResult::done();
                },
                whyNot});
  registry.add({QStringLiteral("run.steps"), QT_TRANSLATE_NOOP("Actions", "Several s&teps"),
                QT_TRANSLATE_NOOP("Actions", "Trains the number of steps set in the run bar, then pauses"), QStringLiteral("Ctrl+F10"), QStringLiteral("step"),
                "[N]", [&](const QStringList& a) { return steps(workspace, shell, a); }, whyNot});
  registry.add({QStringLiteral("run.stop"), QT_TRANSLATE_NOOP("Actions", "St&op"), QT_TRANSLATE_NOOP("Actions", "Stops training and saves a checkpoint"),
                QStringLiteral("Shift+F5"), QStringLiteral("stop"), "",
                [&](const QStringList&) {
                  runs.stop();
                  return CommandResult::done();
                },
                idle});
  registry.add({QStringLiteral("run.set-live"),
                QT_TRANSLATE_NOOP("Actions", "Set a live value"),
                QT_TRANSLATE_NOOP("Actions", "Changes a fed scalar, such as the learning rate, from the next step on"),
                {},
                {},
                "NAME VALUE",
                [&](const QStringList& a) { return setLive(workspace, a); },
                [&] { return workspace.current() ? QString() : RunActions::tr("Open a graph first."); }});
  registry.add({QStringLiteral("run.go-back"),
                QT_TRANSLATE_NOOP("Actions", "Go back to a step"),
                QT_TRANSLATE_NOOP("Actions", "Starts a run from the variables of a checkpoint and pauses before its first step"),
                {},
                QStringLiteral("undo"),
                "[STEP [RUN]]",
                [&](const QStringList& a) { return goBack(registry, workspace, shell, a); },
                [&] {
                  return !runs.currentRun() && RunArchive::of(workspace).runs().empty() ? RunActions::tr("Nothing has been trained yet.")
                                                                                        : whyNotFront(workspace);
                }});
  registry.add({QStringLiteral("run.note"),
                QT_TRANSLATE_NOOP("Actions", "Set run notes"),
                QT_TRANSLATE_NOOP("Actions", "Adds notes to the newest run"),
                {},
                {},
                "TEXT…",
                [&](const QStringList& a) {
                  runs.setNotes(runs.currentRun()->number, a.join(u' '));
                  return CommandResult::done();
                },
                [&] { return runs.currentRun() ? QString() : RunActions::tr("Nothing has been trained yet."); }});
  const auto whyNoModel = [&] {
    if (!runs.model()) return RunActions::tr("Nothing has been trained yet.");
    if (runs.document() && runs.document() == workspace.current()) return QString();
    return RunActions::tr("The last trained graph is %1, not the current one.").arg(runs.currentRun()->document);
  };
  registry.add({QStringLiteral("run.evaluate"), QT_TRANSLATE_NOOP("Actions", "&Evaluate"),
                QT_TRANSLATE_NOOP("Actions", "Classifies the held-out samples: confusion matrix, worst samples"), QStringLiteral("Ctrl+Shift+F5"),
                QStringLiteral("check"), "",
                [&](const QStringList&) {
                  shell.showView(QStringLiteral("evaluation"));
                  QMetaObject::invokeMethod(shell.viewWidget(QStringLiteral("evaluation")), "evaluate");
                  return CommandResult::when([&workspace]() -> std::optional<CommandResult> {
                    return workspace.tasks().isEmpty() ? std::optional(CommandResult::done()) : std::nullopt;
                  });
                },
                whyNoModel});
  registry.add({QStringLiteral("run.predict"),
                QT_TRANSLATE_NOOP("Actions", "Predict"),
                QT_TRANSLATE_NOOP("Actions", "Classifies an image, given as a file or as numbers"),
                {},
                {},
                "FILE|NUMBER,…",
                [&](const QStringList& a) {
                  shell.showView(QStringLiteral("evaluation"));
                  QString error;
                  QMetaObject::invokeMethod(shell.viewWidget(QStringLiteral("evaluation")), "predictOn", Q_RETURN_ARG(QString, error),
                                            Q_ARG(QString, a.join(u' ')));
                  if (!error.isEmpty()) return CommandResult::failed(error);
                  return CommandResult::when([&workspace]() -> std::optional<CommandResult> {
                    return workspace.tasks().isEmpty() ? std::optional(CommandResult::done()) : std::nullopt;
                  });
                },
                whyNoModel});
  registerArchiveActions(registry, workspace, shell);
  registerSweepActions(registry, workspace, shell);
}

}  // namespace weft::app
