// The editor of clusters, and a cluster's tasks on this machine.
#include <QCoreApplication>
#include <QWidget>

#include "adapters/training_server.h"
#include "commands/actions.h"
#include "common/discard.h"
#include "document/document.h"
#include "document/local_cluster.h"
#include "document/workspace.h"
#include "main_window/cluster_dialog.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct ClusterActions {
  Q_DECLARE_TR_FUNCTIONS(ClusterActions)
};

const QString kDeviceSetting = QStringLiteral("device"), kClusterView = QStringLiteral("cluster");

/// Sends the next runs of the document in front to a server, without adding it to the recent ones: a trial's ports are others next time.
void sendRuns(Workspace& workspace, const QString& address) {
  Document* document = workspace.current();
  if (!document) return;
  RunRequest next = workspace.runs().nextRun(document);
  next.set.insert(kDeviceSetting, serverTarget(address));
  workspace.runs().setNextRun(document, next);
}

/// No run shall wait for a server that was stopped here.
void forgetLocalServers(Workspace& workspace) {
  for (Document* document : workspace.documents()) {
    RunRequest next = workspace.runs().nextRun(document);
    if (!hasAddress(workspace.localCluster().addresses(), serverAddress(next.set.value(kDeviceSetting)))) continue;
    next.set.remove(kDeviceSetting);
    workspace.runs().setNextRun(document, next);
  }
}

void startLocally(Workspace& workspace, Shell& shell, ClusterDialog* dialog, const ClusterJobs& jobs, const QString& job, int task) {
  forgetLocalServers(workspace);
  if (const QString error = workspace.localCluster().start(jobs); !error.isEmpty()) return dialog->say(error);
  const ClusterJobs& started = workspace.localCluster().addresses();
  const auto server = started.find(job.toStdString());
  if (server != started.end() && server->second.contains(task)) sendRuns(workspace, QString::fromStdString(server->second.at(task)));
  dialog->accept();
  shell.showView(kClusterView);
}

void editCluster(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  if (auto* before = shell.window()->findChild<ClusterDialog*>()) {
    before->setParent(nullptr);
    widgets::discard(before);
  }
  auto* dialog = new ClusterDialog(workspace.settings(), shell.window());
  QObject::connect(dialog, &ClusterDialog::startWanted, dialog, [&workspace, &shell, dialog](const ClusterJobs& jobs, const QString& job, int task) {
    startLocally(workspace, shell, dialog, jobs, job, task);
  });
  QObject::connect(dialog, &ClusterDialog::useWanted, dialog, [&registry, &workspace, dialog](const QString& address) {
    if (!workspace.current()) return dialog->say(ClusterActions::tr("Open a graph first: the server is chosen for the runs of a document."));
    dialog->accept();  // which remembers the cluster, so that the dock knows its addresses
    registry.runChosen(QStringLiteral("run.choose-server"), {address});
    registry.runChosen(QStringLiteral("view.show"), {kClusterView});
  });
  dialog->show();
}

}  // namespace

void registerClusterActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  registry.add({QStringLiteral("cluster.edit"),
                QT_TRANSLATE_NOOP("Actions", "Cl&uster…"),
                QT_TRANSLATE_NOOP("Actions", "Edits the jobs and tasks of a cluster, and starts them on this machine or writes what starts them elsewhere"),
                {},
                QStringLiteral("chip"),
                "",
                [&](const QStringList&) {
                  editCluster(registry, workspace, shell);
                  return CommandResult::done();
                }});
  registry.add({QStringLiteral("cluster.stop-local"),
                QT_TRANSLATE_NOOP("Actions", "Stop local cl&uster tasks"),
                QT_TRANSLATE_NOOP("Actions", "Ends the tasks of a cluster that were started on this machine"),
                {},
                QStringLiteral("stop"),
                "",
                [&](const QStringList&) {
                  forgetLocalServers(workspace);
                  workspace.localCluster().stop();
                  return CommandResult::done();
                },
                [&workspace] { return workspace.localCluster().isRunning() ? QString() : ClusterActions::tr("No local task runs."); }});
  QObject::connect(&workspace.localCluster(), &LocalCluster::changed, &registry, &ActionRegistry::refreshSoon);
}

}  // namespace weft::app
