#include "commands/archive_actions.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>
#include <memory>

#include "commands/curves.h"
#include "document/run_archive.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct ArchiveActions {
  Q_DECLARE_TR_FUNCTIONS(ArchiveActions)
};

CommandResult noRun(const QString& word) { return CommandResult::failed(ArchiveActions::tr("There is no run %1.").arg(word)); }

CommandResult outcome(const QString& error) { return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error); }

CommandResult showCurvesOf(Workspace& workspace, Shell& shell, const RunRecord& run) {
  const SummaryRun* curves = workspace.summaries().runOf(run.folder);
  if (curves) workspace.summaries().setRunVisible(curves->id, true);
  if (curves || !run.earlier) {  // recorded while it ran, or read earlier
    showCurves(shell);
    return CommandResult::done();
  }
  const QString events = run.folder + QStringLiteral("/events");
  if (!QFileInfo::exists(events)) return CommandResult::failed(ArchiveActions::tr("%1 does not exist.").arg(events));
  auto result = std::make_shared<std::optional<CommandResult>>();
  workspace.openCurves(run, [result](const QString& error) { *result = outcome(error); });
  showCurves(shell);
  return CommandResult::when([result] { return *result; });
}

}  // namespace

void registerArchiveActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  RunArchive& archive = RunArchive::of(workspace);
  const auto none = [&workspace, &archive] {
    return workspace.runs().runs().empty() && archive.runs().empty() ? ArchiveActions::tr("Nothing has been trained yet.") : QString();
  };
  registry.add({QStringLiteral("run.name"),
                QT_TRANSLATE_NOOP("Actions", "Name a run"),
                QT_TRANSLATE_NOOP("Actions", "Gives a run a title, shown next to its number"),
                {},
                {},
                "RUN TITLE…",
                [&archive](const QStringList& a) {
                  const RunRecord* run = archive.find(a.value(0));
                  return run ? outcome(archive.setTitle(*run, a.mid(1).join(u' '))) : noRun(a.value(0));
                },
                none});
  registry.add({QStringLiteral("run.show-curves"),
                QT_TRANSLATE_NOOP("Actions", "Show a run's curves"),
                QT_TRANSLATE_NOOP("Actions", "Loads the curves of an earlier run into the panels"),
                {},
                QStringLiteral("chart"),
                "RUN",
                [&](const QStringList& a) {
                  const RunRecord* run = archive.find(a.value(0));
                  return run ? showCurvesOf(workspace, shell, *run) : noRun(a.value(0));
                },
                none});
  registry.add({QStringLiteral("run.remove"),
                QT_TRANSLATE_NOOP("Actions", "Move a run to the trash"),
                QT_TRANSLATE_NOOP("Actions", "Moves a run's folder, including checkpoints and event files, to the trash"),
                {},
                QStringLiteral("trash"),
                "RUN",
                [&archive](const QStringList& a) {
                  const RunRecord* run = archive.find(a.value(0));
                  return run ? outcome(archive.remove(*run)) : noRun(a.value(0));
                },
                none});
  registry.add({QStringLiteral("run.open-folder"),
                QT_TRANSLATE_NOOP("Actions", "Open the run's &folder"),
                QT_TRANSLATE_NOOP("Actions", "Shows the checkpoints and event files of the newest run or of another one"),
                {},
                QStringLiteral("folder"),
                "[RUN]",
                [&](const QStringList& a) {
                  const RunRecord* run = a.isEmpty() ? workspace.runs().currentRun() : archive.find(a[0]);
                  if (!run) return a.isEmpty() ? CommandResult::failed(ArchiveActions::tr("Nothing has been trained yet.")) : noRun(a[0]);
                  if (!QFileInfo::exists(run->folder)) return CommandResult::failed(ArchiveActions::tr("%1 does not exist.").arg(run->folder));
                  QDesktopServices::openUrl(QUrl::fromLocalFile(run->folder));
                  return CommandResult::done();
                },
                none});
}

}  // namespace weft::app
