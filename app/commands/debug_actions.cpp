#include "debug_commands.h"  // lupdate does not find it by its whole path

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <algorithm>
#include <memory>

#include "adapters/graph_defects.h"
#include "adapters/training_server.h"
#include "commands/actions.h"
#include "document/debug_controller.h"
#include "document/document.h"
#include "document/program_debug.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "main_window/feeds_dialog.h"
#include "main_window/forced_dialog.h"
#include "shell/action_registry.h"
#include "shell/queue_watch.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

constexpr int kDebuggerPatienceMs = 20000;
constexpr int kLayoutMs = 200;
constexpr int kMapWidth = 300, kMapHeight = 130;  // of the minimap with its buttons

/// Lets a script go on when the run stops again (or after a long time: then `wait idle` can be used).
CommandResult whenStill(DebugController& debug) {
  auto clock = std::make_shared<QElapsedTimer>();
  clock->start();
  return CommandResult::when([&debug, clock]() -> std::optional<CommandResult> {
    if (debug.isBusy() && clock->elapsed() < kDebuggerPatienceMs) return std::nullopt;
    return CommandResult::done();
  });
}

CommandResult given(DebugController& debug, const QString& error) { return error.isEmpty() ? whenStill(debug) : CommandResult::failed(error); }

/// The target of the server that computes the next runs of a document; empty: this machine does.
QString chosenServer(Workspace& workspace, const Document* document) {
  const QString device = workspace.runs().nextRun(document).set.value(QStringLiteral("device"));
  return serverAddress(device).isEmpty() ? QString() : device;
}

CommandResult askForFeeds(Workspace& workspace, Shell& shell) {
  Document* document = workspace.current();
  auto* dialog = new FeedsDialog(document, workspace.debugger().runInputs(document), workspace.settings(), shell.window());
  QObject::connect(dialog, &QDialog::accepted, dialog, [dialog, &workspace, &shell, guard = QPointer<Document>(document)] {
    if (!guard || workspace.debugger().isActive()) return;
    const DebugController::RunInputs runInputs = dialog->runInputs();
    workspace.debugger().setRunInputs(guard, runInputs);
    DebugRequest request;
    request.feeds = runInputs.feeds;
    request.fetches = runInputs.fetches;
    shell.useLayout(QStringLiteral("debug"));
    request.server = chosenServer(workspace, guard);
    workspace.debugger().start(guard, request);
  });
  dialog->open();
  return CommandResult::done();
}

/// Removes the named feeds and changed values, or all.
CommandResult clearForced(Workspace& workspace, const QStringList& names) {
  DebugController& debug = workspace.debugger();
  Document* document = workspace.current();
  const auto plain = [](const QString& name) { return name.endsWith(QLatin1String(":0")) ? name.chopped(2) : name; };
  const auto wanted = [&](const QString& name) {
    return names.isEmpty() || std::any_of(names.begin(), names.end(), [&](const QString& n) { return plain(n) == plain(name); });
  };
  int cleared = 0;
  DebugController::RunInputs runInputs = debug.runInputs(document);
  const qsizetype before = runInputs.feeds.size();
  runInputs.feeds.removeIf([&](const QString& feed) { return wanted(feed.section(u'=', 0, 0)); });
  if (runInputs.feeds.size() != before) {
    cleared += int(before - runInputs.feeds.size());
    debug.setRunInputs(document, runInputs);
  }
  QStringList errors;
  if (debug.document() == document)
    for (const QString& name : debug.state().changed()) {
      if (!wanted(name) || !debug.state().changed().contains(name)) continue;  // one that was set twice was removed with the first
      const QString error = debug.setValue(name, {});
      error.isEmpty() ? void(++cleared) : void(errors << error);
    }
  if (!errors.isEmpty()) return CommandResult::failed(errors.join(u' '));
  return cleared > 0 ? CommandResult::done() : CommandResult::failed(DebugActions::tr("None of these is fed or changed."));
}

CommandResult start(Workspace& workspace, Shell& shell, const QStringList& arguments, bool train) {
  DebugRequest request;
  Document* document = workspace.current();
  for (qsizetype i = 0; i < arguments.size(); ++i) {
    QString value;
    if (arguments[i] == QLatin1String("--train")) {
      train = true;
    } else if (takeOption(arguments, i, "--steps", &value)) {
      bool ok = false;
      request.steps = value.toLongLong(&ok);
      if (!ok || request.steps < 1) return CommandResult::failed(DebugActions::tr("--steps takes a number above 0, not %1.").arg(value));
      train = true;
    } else if (takeOption(arguments, i, "--fetch", &value)) {
      request.fetches << value;
    } else if (takeOption(arguments, i, "--target", &value)) {
      request.targets << value;
    } else if (takeOption(arguments, i, "--feed", &value)) {
      request.feeds << value;
    } else if (takeOption(arguments, i, "--init", &value)) {
      request.init = value;
    } else {
      return CommandResult::failed(DebugActions::tr("debug.start does not know %1.").arg(arguments[i]));
    }
  }
  DebugController& debug = workspace.debugger();
  const bool plain = !request.fetches.isEmpty() || !request.targets.isEmpty() || !request.feeds.isEmpty();
  // A document with training settings is debugged as a training, unless requested otherwise.
  if (!plain && document->contents()->training.present && document->contents()->training.reason.isEmpty()) train = true;
  // A running training is debugged itself, with its present variables.
  RunController& runs = workspace.runs();
  if (train && runs.isActive() && runs.document() == document) {
    if (const QString why = runs.whyNotDebugged(); !why.isEmpty()) return CommandResult::failed(why);
    shell.useLayout(QStringLiteral("debug"));
    debug.startWithin(runs, request.steps);
    return whenStill(debug);
  }
  request.server = chosenServer(workspace, document);
  request.train = train;
  if (train && !document->contents()->training.reason.isEmpty()) return CommandResult::failed(document->contents()->training.reason);
  if (!train && arguments.isEmpty()) {
    const DebugController::RunInputs runInputs = debug.runInputs(document);
    const QVector<FeedSlot> needed = feedSlots(*document->contents(), runInputs.fetches, {});
    const bool told = std::all_of(needed.begin(), needed.end(), [&](const FeedSlot& slot) {
      return std::any_of(runInputs.feeds.begin(), runInputs.feeds.end(), [&](const QString& feed) { return feed.startsWith(slot.tensor + u'='); });
    });
    // Scripts state their feeds.
    if (!told && !workspace.settings().isInMemory()) return askForFeeds(workspace, shell);
    request.feeds = runInputs.feeds;
    request.fetches = runInputs.fetches;
  }
  shell.useLayout(QStringLiteral("debug"));
  debug.start(document, request);
  return whenStill(debug);
}

}  // namespace

void registerDebugActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  DebugController& debug = workspace.debugger();
  const auto stopped = [&debug] { return debug.isStopped() ? QString() : DebugActions::tr("No run is stopped in the debugger."); };
  const auto needsDocument = [&workspace] { return workspace.current() ? QString() : DebugActions::tr("No graph is open."); };
  const auto canStart = [&] {
    if (!workspace.current()) return DebugActions::tr("No graph is open.");
    return debug.isActive() ? DebugActions::tr("The debugger is running.") : whyNotRun(*workspace.current()->contents());
  };
  // The same keys step through the lines of a Python program that is paused at a line.
  const auto step = [&](const char* id, const char* text, const char* tip, const char* key, const char* icon, DebugCommand command,
                        const char* ofProgram = nullptr) {
    const auto atLine = [&workspace, &debug, ofProgram] { return ofProgram && !debug.isStopped() && workspace.programDebug().isAtLine(); };
    registry.add({QLatin1String(id), text, tip, QLatin1String(key), QLatin1String(icon), "",
                  [&registry, &debug, command, atLine, ofProgram](const QStringList&) {
                    return atLine() ? registry.run(QLatin1String(ofProgram)) : given(debug, debug.command(command));
                  },
                  [stopped, atLine] { return atLine() ? QString() : stopped(); }});
  };
  registry.add({QStringLiteral("debug.start"), QT_TRANSLATE_NOOP("Actions", "Start &debugging"),
                QT_TRANSLATE_NOOP("Actions", "Runs this graph step by step, from the first op or up to a breakpoint"), QStringLiteral("Shift+F9; Alt+F5"),
                QStringLiteral("bug"), "[--train] [--steps N] [--fetch T]… [--target N]… [--feed T=VALUE]… [--init N]",
                [&](const QStringList& a) { return start(workspace, shell, a, false); }, canStart});
  registry.add({QStringLiteral("debug.train"), QT_TRANSLATE_NOOP("Actions", "Debug &training step"),
                QT_TRANSLATE_NOOP("Actions", "Debugs one step with a real batch, op by op: the next step of the current training, otherwise the first"),
                QStringLiteral("F9"), QStringLiteral("bug"), "[--steps N]", [&](const QStringList& a) { return start(workspace, shell, a, true); },
                [&, canStart] {
                  const QString why = canStart();
                  if (!why.isEmpty()) return why;
                  if (workspace.runs().state() == RunController::State::Stopping) return DebugActions::tr("Training is being stopped.");
                  return workspace.runs().isActive() && workspace.runs().document() == workspace.current() ? workspace.runs().whyNotDebugged()
                                                                                                           : workspace.current()->contents()->training.reason;
                }});
  registry.add({QStringLiteral("debug.feeds"), QT_TRANSLATE_NOOP("Actions", "Debug with &values…"),
                QT_TRANSLATE_NOOP("Actions", "Chooses the tensors to compute and the placeholder values, then starts debugging"), QStringLiteral("Ctrl+F9"),
                QStringLiteral("bug"), "", [&](const QStringList&) { return askForFeeds(workspace, shell); }, canStart});
  registry.add({QStringLiteral("debug.forced"),
                QT_TRANSLATE_NOOP("Actions", "&Fed and changed values…"),
                QT_TRANSLATE_NOOP("Actions", "Lists feeds and values changed by hand, and clears them"),
                {},
                {},
                "",
                [&](const QStringList&) {
                  auto* shown = shell.window()->findChild<ForcedDialog*>();
                  if (!shown) shown = new ForcedDialog(workspace, registry, shell.window());
                  shown->show();
                  shown->raise();
                  shown->activateWindow();
                  return CommandResult::done();
                },
                needsDocument});
  registry.add({QStringLiteral("debug.clear"),
                QT_TRANSLATE_NOOP("Actions", "Clear fed and changed values"),
                QT_TRANSLATE_NOOP("Actions", "Restores the computed values of all tensors and variables, or of those named"),
                {},
                {},
                "[TENSOR]…",
                [&](const QStringList& a) { return clearForced(workspace, a); },
                needsDocument});
  step("debug.continue", QT_TRANSLATE_NOOP("Actions", "&Continue"), QT_TRANSLATE_NOOP("Actions", "Runs to the next breakpoint or to the end of the run"), "F5",
       "play", DebugCommand::Continue, "program.continue");
  step("debug.step-op", QT_TRANSLATE_NOOP("Actions", "Step &op"), QT_TRANSLATE_NOOP("Actions", "Runs one op"), "F10", "step-over", DebugCommand::StepOp,
       "program.step-over");
  step("debug.step-into", QT_TRANSLATE_NOOP("Actions", "Step &into"), QT_TRANSLATE_NOOP("Actions", "Runs to the next scope or loop iteration"), "F11",
       "step-into", DebugCommand::StepInto, "program.step-into");
  step("debug.step-over", QT_TRANSLATE_NOOP("Actions", "Step over &scope"), QT_TRANSLATE_NOOP("Actions", "Runs to the first op outside this scope"), "Ctrl+F11",
       "step-over", DebugCommand::StepOver);
  step("debug.step-out", QT_TRANSLATE_NOOP("Actions", "Step o&ut"),
       QT_TRANSLATE_NOOP("Actions", "Runs until the innermost loop is left, or outside loops the scope"), "Shift+F11", "step-out", DebugCommand::StepOut,
       "program.step-out");
  registry.add({QStringLiteral("debug.step-back"), QT_TRANSLATE_NOOP("Actions", "Step &back"),
                QT_TRANSLATE_NOOP("Actions", "Goes back one op and restores variables and random numbers"), QStringLiteral("Shift+F10"),
                QStringLiteral("step-back"), "[N]",
                [&debug](const QStringList& a) {
                  bool ok = true;
                  const qint64 ops = a.isEmpty() ? 1 : a[0].toLongLong(&ok);
                  if (!ok) return CommandResult::failed(DebugActions::tr("%1 is not a number of ops.").arg(a[0]));
                  return given(debug, debug.stepBack(ops));
                },
                [&debug, stopped] {
                  const QString why = stopped();
                  return why.isEmpty() ? debug.state().noWayBack() : why;
                }});
  registry.add({QStringLiteral("debug.to-iteration"),
                QT_TRANSLATE_NOOP("Actions", "Go to iteration"),
                QT_TRANSLATE_NOOP("Actions", "Goes back or forward to this op in another iteration of the loop"),
                {},
                {},
                "N",
                [&debug](const QStringList& a) {
                  bool ok = false;
                  const qint64 iteration = a.value(0).toLongLong(&ok);
                  if (!ok) return CommandResult::failed(DebugActions::tr("debug.to-iteration takes a number."));
                  return given(debug, debug.goToIteration(iteration));
                },
                stopped});
  registry.add({QStringLiteral("debug.run-to"), QT_TRANSLATE_NOOP("Actions", "&Run to here"), QT_TRANSLATE_NOOP("Actions", "Runs to the selected node"),
                QStringLiteral("Ctrl+F10"), QStringLiteral("mark"), "[NODE]",
                [&](const QStringList& a) {
                  const QString place = a.isEmpty() && workspace.current() ? workspace.current()->selection().value(0) : a.value(0);
                  if (place.isEmpty()) return CommandResult::failed(DebugActions::tr("Select a node first."));
                  const bool scope = workspace.current() && !workspace.current()->hasNode(place) && workspace.current()->hasScope(place);
                  return given(debug, debug.runTo(scope ? place + u'/' : place));
                },
                stopped});
  registry.add({QStringLiteral("debug.pause"), QT_TRANSLATE_NOOP("Actions", "&Pause"), QT_TRANSLATE_NOOP("Actions", "Pauses before the next op"),
                QStringLiteral("Ctrl+Shift+F10"), QStringLiteral("pause"), "",
                [&debug](const QStringList&) {
                  debug.pause();
                  return CommandResult::done();
                },
                [&debug] { return debug.isActive() && !debug.isStopped() ? QString() : DebugActions::tr("Nothing is running in the debugger."); }});
  registry.add(
      {QStringLiteral("debug.stop"), QT_TRANSLATE_NOOP("Actions", "St&op debugging"),
       QT_TRANSLATE_NOOP("Actions", "Ends the debugged run, or clears the marks of a finished one; a training step runs to its end"),
       QStringLiteral("Shift+F5"), QStringLiteral("stop"), "",
       [&debug](const QStringList&) {
         if (!debug.isActive()) {
           debug.forget();
           return CommandResult::done();
         }
         debug.stop();
         return whenStill(debug);
       },
       [&] { return debug.isActive() || (debug.hasValues() && !workspace.runs().isActive()) ? QString() : DebugActions::tr("Nothing is being debugged."); }});
  registry.add({QStringLiteral("run.watch-nan"),
                QT_TRANSLATE_NOOP("Actions", "Watch for &NaN"),
                QT_TRANSLATE_NOOP("Actions", "Checks every value of every step: training stops at the first NaN and shows where it comes from"),
                QStringLiteral("Ctrl+Alt+Shift+N"),
                QStringLiteral("nan"),
                "[on|off]",
                [&workspace](const QStringList& a) {
                  const bool on = workspace.settings().get(QStringLiteral("run/watch-nan")).toBool();
                  if (!a.isEmpty() && a[0] != QLatin1String("on") && a[0] != QLatin1String("off"))
                    return CommandResult::failed(DebugActions::tr("run.watch-nan takes on or off, not %1.").arg(a[0]));
                  workspace.settings().setValue(QStringLiteral("run/watch-nan"), a.isEmpty() ? !on : a[0] == QLatin1String("on"));
                  return CommandResult::done();
                },
                {},
                [&workspace] { return workspace.settings().get(QStringLiteral("run/watch-nan")).toBool(); }});
  registerBreakpointActions(registry, workspace);
  registry.add({QStringLiteral("debug.watch"), QT_TRANSLATE_NOOP("Actions", "&Watch"), QT_TRANSLATE_NOOP("Actions", "Adds a tensor to the watch list"),
                QStringLiteral("Ctrl+Alt+W"), QStringLiteral("eye"), "TENSOR",
                [&](const QStringList& a) {
                  QString expression = a.isEmpty() ? workspace.current()->selection().value(0) : a.join(u' ');
                  if (expression.isEmpty()) return CommandResult::failed(DebugActions::tr("Select a node first."));
                  if (workspace.current()->hasNode(expression)) expression += QStringLiteral(":0");
                  debug.addWatch(workspace.current(), expression);
                  return CommandResult::done();
                },
                needsDocument});
  registry.add({QStringLiteral("debug.unwatch"),
                QT_TRANSLATE_NOOP("Actions", "Remove from watch list"),
                QT_TRANSLATE_NOOP("Actions", "Removes a tensor from the watch list"),
                {},
                {},
                "TENSOR",
                [&](const QStringList& a) {
                  debug.removeWatch(workspace.current(), a.join(u' '));
                  return CommandResult::done();
                },
                needsDocument});
  registry.add({QStringLiteral("debug.set"),
                QT_TRANSLATE_NOOP("Actions", "Set value"),
                QT_TRANSLATE_NOOP("Actions", "Replaces the value of a tensor or variable; the run continues with the new value"),
                {},
                {},
                "TENSOR VALUE",
                [&](const QStringList& a) {
                  if (a.size() < 2) return CommandResult::failed(DebugActions::tr("debug.set takes TENSOR VALUE."));
                  if (const QString error = debug.setValue(a[0], a.mid(1).join(u' ')); !error.isEmpty()) return CommandResult::failed(error);
                  return CommandResult::when([&debug]() -> std::optional<CommandResult> {
                    if (debug.isBusy()) return std::nullopt;
                    return resultOf(debug.setError());
                  });
                },
                stopped});
  registry.add({QStringLiteral("debug.show"), QT_TRANSLATE_NOOP("Actions", "Show &values"),
                QT_TRANSLATE_NOOP("Actions", "Shows a tensor as a table, heat map, image or histogram"), QStringLiteral("Ctrl+Alt+T"), QStringLiteral("image"),
                "TENSOR",
                [&](const QStringList& a) {
                  QString name = a.isEmpty() ? workspace.current()->selection().value(0) : a[0];
                  if (name.isEmpty()) return CommandResult::failed(DebugActions::tr("Select a node first."));
                  if (!name.contains(u':')) name += QStringLiteral(":0");
                  debug.showTensor(name);
                  shell.showView(QStringLiteral("tensor"));
                  return CommandResult::done();
                },
                needsDocument});
  registry.add({QStringLiteral("debug.find-nan"), QT_TRANSLATE_NOOP("Actions", "Find the first &NaN"),
                QT_TRANSLATE_NOOP("Actions", "Traces a NaN or infinity back to the op, weights or data that caused it"), QStringLiteral("Ctrl+Alt+N"),
                QStringLiteral("search"), "[TENSOR]",
                [&](const QStringList& a) {
                  debug.findNan(a.value(0));
                  return whenStill(debug);
                },
                [&debug] {
                  return debug.hasValues() && (debug.isStopped() || !debug.isActive()) ? QString() : DebugActions::tr("No run is stopped in the debugger.");
                }});
  QObject::connect(&debug, &DebugController::stateChanged, &registry, &ActionRegistry::refreshSoon);
  QObject::connect(&workspace.programDebug(), &ProgramDebug::stopChanged, &registry, &ActionRegistry::refreshSoon);
  // The canvas follows the run, and jumps to the origin of a NaN.
  const auto show = [&](const QString& name) {
    if (workspace.current() != debug.document() || !shell.canvas() || !workspace.current()->hasNode(name)) return;
    shell.canvas()->selectNames({name});
    // The scopes it opened are laid out on another thread; the node's position is known only afterwards.
    QTimer::singleShot(kLayoutMs, &registry, [&, name] {
      widgets::GraphView* canvas = shell.canvas();
      if (!canvas || !debug.hasValues() || workspace.current() != debug.document() || workspace.current()->selection() != QStringList{name}) return;
      const int node = debug.document()->nodeIndex(name);
      if (node < 0) return;
      const widgets::Item item = widgets::Item::node(node);
      // The minimap hides what is beneath it.
      const QRectF place = canvas->itemRect(item), room = canvas->rect();
      const bool hidden = canvas->isMinimapVisible() && place.intersects(QRectF(room.right() - kMapWidth, room.bottom() - kMapHeight, kMapWidth, kMapHeight));
      if (hidden || !room.contains(place)) canvas->centerOn(item);
    });
  };
  QObject::connect(
      &debug, &DebugController::stopped, &registry, [&debug, show] { show(debug.state().node()); }, Qt::QueuedConnection);
  QObject::connect(
      &workspace.runs(), &RunController::stepFailed, &registry,
      [&debug, show] {
        if (!debug.autopsy().found) show(debug.state().failedNode.isEmpty() ? debug.state().node() : debug.state().failedNode);
      },
      Qt::QueuedConnection);
  QObject::connect(
      &debug, &DebugController::autopsyDone, &registry,
      [&debug, show] {
        if (debug.autopsy().found) show(debug.autopsy().origin.tensor.section(u':', 0, 0));
      },
      Qt::QueuedConnection);
  new QueueWatch(workspace, shell, &registry);
}

}  // namespace weft::app
