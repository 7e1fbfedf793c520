#include <QCoreApplication>
#include <QFileInfo>

#include "commands/actions.h"
#include "document/document.h"
#include "document/workspace.h"
#include "main_window/bug_report.h"
#include "main_window/difference_marks.h"
#include "main_window/file_watch.h"
#include "main_window/main_window.h"
#include "main_window/session.h"
#include "main_window/tour.h"
#include "shell/action_registry.h"
#include "shell/file_dialogs.h"

namespace weft::app {
namespace {
struct WindowActions {
  Q_DECLARE_TR_FUNCTIONS(WindowActions)
};

/// The run of that name or number; without a name, the document's last run. Null if there is none.
const RunRecord* runNamed(Workspace& workspace, const QString& name) {
  const auto& runs = workspace.runs().runs();
  for (auto it = runs.rbegin(); it != runs.rend(); ++it) {
    const RunRecord& run = **it;
    const bool meant =
        name.isEmpty() ? workspace.current() && run.document == workspace.current()->title() : run.name == name || QString::number(run.number) == name;
    if (meant) return &run;
  }
  return nullptr;
}

/// The graph that was written beside the run's newest checkpoint.
QString graphOfRun(const RunRecord& run) { return run.checkpoints.isEmpty() ? QString() : run.checkpoints.last().prefix + QStringLiteral(".meta"); }
}  // namespace

void registerWindowActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  // The window does not exist yet, so it is looked up when a command runs.
  const auto window = [&shell]() -> MainWindow& { return *static_cast<MainWindow*>(shell.window()); };
  const auto needsFile = [&workspace] {
    return !workspace.current()                    ? WindowActions::tr("No graph is open.")
           : workspace.current()->path().isEmpty() ? WindowActions::tr("This graph has not been saved to a file yet.")
                                                   : QString();
  };
  const auto when = [&workspace] {  // reading continues as a task
    return CommandResult::when([&workspace]() -> std::optional<CommandResult> {
      return workspace.tasks().isEmpty() && !workspace.isBusy() ? std::optional(CommandResult::done()) : std::nullopt;
    });
  };
  registry.add({QStringLiteral("file.reload"),
                QT_TRANSLATE_NOOP("Actions", "Re&load"),
                QT_TRANSLATE_NOOP("Actions", "Reads the graph's file again; unsaved changes are lost"),
                {},
                QStringLiteral("refresh"),
                "",
                [&workspace, window, when](const QStringList&) {
                  window().fileWatch().reload(workspace.current());
                  return when();
                },
                needsFile});
  registry.add({QStringLiteral("file.compare"),
                QT_TRANSLATE_NOOP("Actions", "Co&mpare with the file"),
                QT_TRANSLATE_NOOP("Actions", "Lists the nodes that differ between this graph and its file, and marks them on the canvas"),
                {},
                {},
                "",
                [&workspace, window, when](const QStringList&) {
                  window().fileWatch().compare(workspace.current());
                  return when();
                },
                needsFile});
  const auto needsGraph = [&workspace] { return workspace.current() ? QString() : WindowActions::tr("No graph is open."); };
  registry.add({QStringLiteral("file.compare-with"),
                QT_TRANSLATE_NOOP("Actions", "Compare &with another graph…"),
                QT_TRANSLATE_NOOP("Actions", "Lists the nodes that differ between this graph and another file, and marks them on the canvas"),
                {},
                {},
                "FILE",
                [&workspace, &shell, &registry, window, when](const QStringList& a) {
                  const QString path = a.join(u' ');
                  if (path.isEmpty()) {
                    askForFile(shell.window(), workspace.settings(), WindowActions::tr("Compare with"), workspace.current()->folder(),
                               WindowActions::tr("Graphs (*.weft *.meta *.pb *.pbtxt);;All files (*)"),
                               [&registry](const QString& chosen) { registry.runChosen(QStringLiteral("file.compare-with"), {chosen}); });
                    return CommandResult::done();
                  }
                  window().fileWatch().compare(workspace.current(), path);
                  return when();
                },
                needsGraph});
  registry.add({QStringLiteral("file.compare-run"),
                QT_TRANSLATE_NOOP("Actions", "Compare with the last run"),
                QT_TRANSLATE_NOOP("Actions", "Lists the nodes that differ between this graph and the one a run trained, and marks them on the canvas"),
                {},
                {},
                "[RUN]",
                [&workspace, window, when](const QStringList& a) {
                  const QString name = a.join(u' ');
                  const RunRecord* run = runNamed(workspace, name);
                  if (!run)
                    return CommandResult::failed(name.isEmpty() ? WindowActions::tr("This graph has not been trained yet.")
                                                                : WindowActions::tr("There is no run %1.").arg(name));
                  const QString graph = graphOfRun(*run);
                  if (graph.isEmpty()) return CommandResult::failed(WindowActions::tr("%1 has no checkpoint and therefore no graph.").arg(run->name));
                  window().fileWatch().compare(workspace.current(), graph);
                  return when();
                },
                [&workspace] {
                  return !workspace.current()              ? WindowActions::tr("No graph is open.")
                         : workspace.runs().runs().empty() ? WindowActions::tr("Nothing has been trained yet.")
                                                           : QString();
                }});
  registry.add({QStringLiteral("file.compare-structure"),
                QT_TRANSLATE_NOOP("Actions", "Match by structure"),
                QT_TRANSLATE_NOOP("Actions", "Comparisons of graphs pair nodes by what they compute and how they are wired, so that renamed nodes match"),
                {},
                {},
                "[on|off]",
                [&workspace, window, when](const QStringList& a) {
                  if (!a.isEmpty() && a[0] != QLatin1String("on") && a[0] != QLatin1String("off"))
                    return CommandResult::failed(WindowActions::tr("file.compare-structure takes on or off, not %1.").arg(a[0]));
                  Settings& settings = workspace.settings();
                  const bool on = settings.value(QLatin1String(kMatchByStructure), false).toBool();
                  settings.setValue(QLatin1String(kMatchByStructure), a.isEmpty() ? !on : a[0] == QLatin1String("on"));
                  // A comparison on the canvas follows.
                  const DifferenceMarks* marks = DifferenceMarks::of(workspace.current());
                  const QString path = window().fileWatch().comparedWith(workspace.current());
                  if (!marks || !marks->isShown() || path.isEmpty()) return CommandResult::done();
                  window().fileWatch().compare(workspace.current(), path);
                  return when();
                },
                {},
                [&workspace] { return workspace.settings().value(QLatin1String(kMatchByStructure), false).toBool(); },
                false,
                "Actions",
                QT_TRANSLATE_NOOP("Actions", "Rarely needed: a button in the message of a comparison switches it")});
  registry.add({QStringLiteral("file.compare-clear"),
                QT_TRANSLATE_NOOP("Actions", "Clear comparison marks"),
                QT_TRANSLATE_NOOP("Actions", "Removes the difference marks from the canvas"),
                {},
                {},
                "",
                [&workspace](const QStringList&) {
                  DifferenceMarks::of(workspace.current())->clear();
                  return CommandResult::done();
                },
                [&workspace] {
                  const DifferenceMarks* marks = DifferenceMarks::of(workspace.current());
                  return marks && marks->isShown() ? QString() : WindowActions::tr("No comparison is shown on the canvas.");
                }});
  registry.add({QStringLiteral("session.restore"),
                QT_TRANSLATE_NOOP("Actions", "Reopen last documents"),
                QT_TRANSLATE_NOOP("Actions", "With their selection, position and zoom"),
                {},
                {},
                "",
                [window, when](const QStringList&) {
                  window().session().restore();
                  return when();
                },
                [window] { return window().session().canRestore() ? QString() : WindowActions::tr("No documents were open last time."); }});
  registry.add({QStringLiteral("session.remember"),
                QT_TRANSLATE_NOOP("Actions", "Remember the open documents"),
                QT_TRANSLATE_NOOP("Actions", "Saves the list of open documents, as closing the window does"),
                {},
                {},
                "",
                [window](const QStringList&) {
                  window().session().remember();
                  return CommandResult::done();
                }});
  registry.add({QStringLiteral("message.press"),
                QT_TRANSLATE_NOOP("Actions", "Press a message button"),
                QT_TRANSLATE_NOOP("Actions", "Answers the question in the message bar"),
                {},
                {},
                "BUTTON",
                [window](const QStringList& a) {
                  return window().pressMessageButton(a.value(0)) ? CommandResult::done()
                                                                 : CommandResult::failed(WindowActions::tr("No message has a button %1.").arg(a.value(0)));
                },
                [window] { return window().shownMessages().isEmpty() ? WindowActions::tr("There is no message.") : QString(); }});
  registry.add({QStringLiteral("help.tour"),
                QT_TRANSLATE_NOOP("Actions", "&Tour"),
                QT_TRANSLATE_NOOP("Actions", "Five steps around the window"),
                {},
                {},
                "",
                [&](const QStringList&) {
                  Tour::start(workspace, registry, shell);
                  return CommandResult::done();
                }});
  registry.add({QStringLiteral("help.tour-step"),
                QT_TRANSLATE_NOOP("Actions", "Go to tour step"),
                QT_TRANSLATE_NOOP("Actions", "Goes to a step of the tour, 1 to 5; 6 ends the tour"),
                {},
                {},
                "NUMBER",
                [&shell](const QStringList& a) {
                  shell.window()->findChild<Tour*>()->go(a.value(0).toInt() - 1);
                  return CommandResult::done();
                },
                [&shell] { return shell.window()->findChild<Tour*>() ? QString() : WindowActions::tr("The tour is not running."); }});
  registry.add({QStringLiteral("help.bug-report"),
                QT_TRANSLATE_NOOP("Actions", "Save a &bug report…"),
                QT_TRANSLATE_NOOP("Actions", "Packs the log, versions, settings and recent commands into a file"),
                {},
                QStringLiteral("bug"),
                "[PATH [with-document]]",
                [&](const QStringList& a) {
                  if (a.isEmpty()) {
                    askForBugReport(workspace, registry, shell);
                    return CommandResult::done();
                  }
                  const QString error = writeBugReport(a[0], a.value(1) == QLatin1String("with-document"), {}, workspace, registry, shell);
                  return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
                }});
}

}  // namespace weft::app
