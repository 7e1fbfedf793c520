// Event files on other machines.
#include <QCoreApplication>
#include <QPointer>
#include <QWidget>
#include <memory>

#include "commands/actions.h"
#include "commands/pending_result.h"
#include "common/discard.h"
#include "document/remote_folders.h"
#include "document/workspace.h"
#include "main_window/remote_folder_dialog.h"
#include "main_window/ssh_question_dialog.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct RemoteActions {
  Q_DECLARE_TR_FUNCTIONS(RemoteActions)
};

/// `address`: shown first, with its folders; may be empty.
void askForRemoteFolder(ActionRegistry& registry, Workspace& workspace, Shell& shell, const QString& address) {
  if (auto* before = shell.window()->findChild<RemoteFolderDialog*>()) {
    before->setParent(nullptr);
    widgets::discard(before);
  }
  auto* dialog = new RemoteFolderDialog(workspace, shell.window());
  QObject::connect(dialog, &QDialog::accepted, dialog,
                   [dialog, &registry] { registry.runChosen(QStringLiteral("panels.open-remote-logdir"), {dialog->address()}); });
  dialog->show();
  if (!address.isEmpty()) dialog->showFolder(address);
}

CommandResult openRemote(ActionRegistry& registry, Workspace& workspace, Shell& shell, const QStringList& words) {
  if (words.isEmpty()) {
    askForRemoteFolder(registry, workspace, shell, {});
    return CommandResult::done();
  }
  const bool browse = words.size() == 2 && words[0] == QLatin1String("--browse");
  const QString error = browse             ? RemoteFolders::errorOf(words[1])
                        : words.size() > 1 ? RemoteActions::tr("there is more than one word")
                                           : RemoteFolders::errorOf(words[0]);
  if (!error.isEmpty())
    return CommandResult::failed(RemoteActions::tr("panels.open-remote-logdir takes an address such as sftp://user@host/folder: %1.").arg(error));
  if (browse) {
    askForRemoteFolder(registry, workspace, shell, words[1]);
    return CommandResult::done();
  }
  const PendingResult pending;
  RemoteFolders::of(workspace).open(words[0], pending.done());
  shell.showView(QStringLiteral("runs"));
  return pending.later();
}

void ask(RemoteFolders& folders, Shell& shell, const SshQuestion& question) {
  auto* dialog = new SshQuestionDialog(question, shell.window());
  const int id = question.id;
  QObject::connect(dialog, &QDialog::accepted, &folders, [&folders, dialog, id] { folders.questions().answer(id, dialog->answer()); });
  QObject::connect(dialog, &QDialog::rejected, &folders, [&folders, id] { folders.questions().refuse(id); });
  QObject::connect(&folders.questions(), &SshQuestions::withdrawn, dialog, [dialog, id](int withdrawn) {
    if (withdrawn == id) widgets::discard(dialog);
  });
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

}  // namespace

void registerRemoteActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  RemoteFolders& folders = RemoteFolders::of(workspace);
  QObject::connect(&folders.questions(), &SshQuestions::asked, &registry, [&folders, &shell](const SshQuestion& question) { ask(folders, shell, question); });
  registry.add({QStringLiteral("panels.open-remote-logdir"),
                QT_TRANSLATE_NOOP("Actions", "Open event files on another &machine…"),
                QT_TRANSLATE_NOOP("Actions", "Shows a folder of event files on another machine in the panels, over SSH, and follows new events"),
                {},
                QStringLiteral("chart"),
                "[[--browse] sftp://USER@HOST/FOLDER]",
                [&](const QStringList& a) { return openRemote(registry, workspace, shell, a); }});
  registry.add({QStringLiteral("panels.connect-remote"),
                QT_TRANSLATE_NOOP("Actions", "Connect to the other machine"),
                QT_TRANSLATE_NOOP("Actions", "Connects again for event files on another machine, without waiting"),
                {},
                QStringLiteral("refresh"),
                "[ADDRESS]",
                [&folders](const QStringList& a) {
                  for (const RemoteFolder& folder : folders.folders())
                    if (a.isEmpty() || a[0] == folder.address) folders.connectNow(folder.address);
                  return CommandResult::done();
                },
                [&folders] { return folders.folders().isEmpty() ? RemoteActions::tr("No event files on another machine are open.") : QString(); }});
}

}  // namespace weft::app
