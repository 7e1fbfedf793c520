#include "commands/event_actions.h"

#include <QCoreApplication>
#include <QDir>
#include <algorithm>

#include "adapters/event_graph.h"
#include "commands/pending_result.h"
#include "document/file_tab.h"
#include "document/front.h"
#include "document/workspace.h"
#include "shell/action_registry.h"

namespace weft::app {
namespace {

struct EventActions {
  Q_DECLARE_TR_FUNCTIONS(EventActions)
};

/// Shows a session run beside the graph of its events. Without a tag: the first run.
CommandResult openSessionRun(Workspace& workspace, ActionRegistry& registry, const QStringList& arguments) {
  const QVector<EventRun> runs = eventRunsOf(*workspace.currentFile()->contents());
  const QString tag = arguments.value(0), folder = arguments.value(1);
  const auto wanted = [&](const EventRun& run) { return (arguments.isEmpty() || run.tag == tag) && (folder.isEmpty() || QDir::cleanPath(folder) == run.path); };
  const auto run = std::find_if(runs.begin(), runs.end(), wanted);
  if (run == runs.end()) {
    QStringList tags;
    for (const EventRun& r : runs)
      if (tags.size() < 8 && !tags.contains(r.tag)) tags << r.tag;
    return CommandResult::failed(EventActions::tr("There is no session run %1; there are %2.").arg(tag, tags.join(QStringLiteral(", "))));
  }
  const PendingResult pending;
  const auto show = [&registry, run = *run, result = pending.result](const QString& error) {
    *result = error.isEmpty() ? registry.run(QStringLiteral("profile.open"), {run.path, QStringLiteral("--run"), run.tag}) : CommandResult::failed(error);
  };
  if (run->hasGraph) showEventGraphIn(workspace, run->path, show);
  else show({});
  return pending.later();
}

}  // namespace

void registerEventActions(ActionRegistry& registry, Workspace& workspace) {
  registry.add({QStringLiteral("inspect.open-session-run"),
                QT_TRANSLATE_NOOP("Actions", "Open a session &run of these events"),
                QT_TRANSLATE_NOOP("Actions", "Shows a recorded session run of the current event file or log folder in the timeline, beside its graph"),
                {},
                QStringLiteral("timeline"),
                "[TAG [FOLDER]]",
                [&workspace, &registry](const QStringList& a) { return openSessionRun(workspace, registry, a); },
                [&workspace] {
                  const FileTab* file = workspace.currentFile();
                  return file && !eventRunsOf(*file->contents()).isEmpty() ? QString()
                                                                           : EventActions::tr("The current tab is not an event file with session runs.");
                },
                {},
                false,
                "Actions",
                QT_TRANSLATE_NOOP("Actions", "Rarely needed: the runs are on the page of an event file")});
  registry.add({QStringLiteral("inspect.open-event-graph"),
                QT_TRANSLATE_NOOP("Actions", "Open the graph of these &events"),
                QT_TRANSLATE_NOOP("Actions", "Shows the graph of the current event file on the canvas"),
                {},
                QStringLiteral("graph"),
                "",
                [&workspace](const QStringList&) {
                  const PendingResult pending;
                  openEventGraphIn(workspace, workspace.currentFile()->path(), pending.done());
                  return pending.later();
                },
                [&workspace] {
                  const FileTab* file = workspace.currentFile();
                  return file && holdsEventGraph(*file->contents()) ? QString() : EventActions::tr("The current tab is not an event file with a graph.");
                },
                {},
                false,
                "Actions",
                QT_TRANSLATE_NOOP("Actions", "Rarely needed: the button is above the page of an event file")});
}

}  // namespace weft::app
