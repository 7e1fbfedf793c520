// The TensorFlow server that computes the next runs.
#include <QCoreApplication>
#include <QTimer>
#include <QWidget>

#include "adapters/training_server.h"
#include "commands/actions.h"
#include "common/discard.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/recent_servers.h"
#include "document/workspace.h"
#include "main_window/server_dialog.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct ServerActions {
  Q_DECLARE_TR_FUNCTIONS(ServerActions)
};

constexpr int kLateMs = 3000;
const QString kDeviceName = QStringLiteral("device"), kLateServer = QStringLiteral("late-server");

void askForServer(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  if (auto* before = shell.window()->findChild<ServerDialog*>()) {
    before->setParent(nullptr);
    widgets::discard(before);
  }
  const QString present = serverAddress(workspace.runs().nextRun(workspace.current()).set.value(kDeviceName));
  auto* dialog = new ServerDialog(present.isEmpty() ? recentServers(workspace.settings()).value(0) : present, workspace.tasks(), shell.window());
  QObject::connect(dialog, &QDialog::accepted, dialog, [dialog, &registry] { registry.runChosen(QStringLiteral("run.choose-server"), {dialog->address()}); });
  dialog->show();
}

/// Offers to end a stopped run at once, if its server still has not answered.
void offerEnd(ActionRegistry& registry, const RunController& runs, Shell& shell) {
  if (runs.state() != RunController::State::Stopping || runs.server().isEmpty()) return;
  shell.tell([&registry, name = runs.currentRun()->name, server = runs.server()] {
    return Message{Message::Kind::Note,
                   kLateServer,
                   ServerActions::tr("%1 ends once %2 has finished the present step, and saves a checkpoint then.").arg(name, server),
                   {{ServerActions::tr("End at once, without a checkpoint"), [&registry] { registry.runChosen(QStringLiteral("run.stop")); }}}};
  });
}

/// `ADDRESS`, `off` for this machine, or nothing to ask.
CommandResult chooseServer(ActionRegistry& registry, Workspace& workspace, Shell& shell, const QStringList& words) {
  if (words.isEmpty()) {
    askForServer(registry, workspace, shell);
    return CommandResult::done();
  }
  RunRequest next = workspace.runs().nextRun(workspace.current());
  const QString target = serverTarget(words[0]);
  if (words.size() == 1 && words[0] == QLatin1String("off")) {
    if (!serverAddress(next.set.value(kDeviceName)).isEmpty()) next.set.remove(kDeviceName);
  } else if (words.size() == 1 && !target.isEmpty()) {
    next.set.insert(kDeviceName, target);
    addRecentServer(workspace.settings(), serverAddress(target));
  } else {
    return CommandResult::failed(
        ServerActions::tr("run.choose-server takes the address of a server, such as localhost:2222, or off; not %1.").arg(words.join(u' ')));
  }
  workspace.runs().setNextRun(workspace.current(), next);
  return CommandResult::done();
}

}  // namespace

void registerServerActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  const RunController& runs = workspace.runs();
  QObject::connect(&runs, &RunController::stateChanged, &registry, [&registry, &runs, &shell] {
    if (runs.state() != RunController::State::Stopping) return shell.withdrawMessage(kLateServer);
    const int run = runs.currentRun()->number;
    QTimer::singleShot(kLateMs, &registry, [&registry, &runs, &shell, run] {
      if (runs.currentRun() && runs.currentRun()->number == run) offerEnd(registry, runs, shell);
    });
  });
  registry.add({QStringLiteral("run.choose-server"),
                QT_TRANSLATE_NOOP("Actions", "TensorFlow ser&ver…"),
                QT_TRANSLATE_NOOP("Actions", "Chooses a TensorFlow server that computes the steps of new runs"),
                {},
                QStringLiteral("chip"),
                "[ADDRESS|off]",
                [&](const QStringList& a) { return chooseServer(registry, workspace, shell, a); },
                [&workspace] { return workspace.current() && !workspace.currentFile() ? QString() : ServerActions::tr("Open a graph first."); }});
}

}  // namespace weft::app
