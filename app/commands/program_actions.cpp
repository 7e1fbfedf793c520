#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QTabBar>

#include "commands/action_registry.h"
#include "commands/actions.h"
#include "document/program.h"
#include "document/workspace.h"
#include "main_window/shell.h"

namespace weft::app {
namespace {

struct ProgramActions {
  Q_DECLARE_TR_FUNCTIONS(ProgramActions)
};

const QString kFolderKey = QStringLiteral("program/folder");

CommandResult start(Workspace& workspace, Shell& shell, const QString& script, const QStringList& arguments) {
  shell.showView(QStringLiteral("program"));
  const QString error = workspace.program().start(script, arguments);
  return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
}

CommandResult run(Workspace& workspace, Shell& shell, const QStringList& words) {
  QString script = words.value(0);
  if (script.isEmpty()) {
    script = QFileDialog::getOpenFileName(shell.window(), ProgramActions::tr("Run a Python program"), workspace.settings().value(kFolderKey).toString(),
                                          ProgramActions::tr("Python programs (*.py)") + QStringLiteral(";;") + ProgramActions::tr("All files (*)"));
    if (script.isEmpty()) return CommandResult::done();
  }
  workspace.settings().setValue(kFolderKey, QFileInfo(script).absolutePath());
  return start(workspace, shell, script, words.mid(1));
}

/// A program that was opened or dropped never runs by itself.
void offerProgram(ActionRegistry& registry, Shell& shell, const QString& path) {
  Message message;
  message.key = QStringLiteral("program");
  message.text = ProgramActions::tr("%1 is a Python program. It can do whatever you may do on this machine: run it only if you trust it.").arg(QFileInfo(path).fileName());
  message.buttons << Message::Button{ProgramActions::tr("Run it"), [&registry, &shell, path] {
                                       shell.withdrawMessage(QStringLiteral("program"));
                                       registry.run(QStringLiteral("program.run"), {path});
                                     }};
  shell.showMessage(message);
}

}  // namespace

void registerProgramActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  Program& program = workspace.program();
  const auto dead = [&program] { return program.isAlive() ? QString() : ProgramActions::tr("No Python program is running."); };
  registry.add({QStringLiteral("program.run"), QT_TRANSLATE_NOOP("Actions", "Run &Python program…"),
                QT_TRANSLATE_NOOP("Actions", "Runs a TensorFlow 1.x program on Weft's engine, in a process of its own; its graphs open here as it builds them"),
                QStringLiteral("Ctrl+F7"), QStringLiteral("start"), "[PATH [ARGUMENT…]]", [&](const QStringList& a) { return run(workspace, shell, a); }});
  registry.add({QStringLiteral("program.restart"), QT_TRANSLATE_NOOP("Actions", "Run Python program a&gain"),
                QT_TRANSLATE_NOOP("Actions", "Ends the Python program if it still runs and starts it anew with the same arguments"), QStringLiteral("Ctrl+Shift+F7"),
                QStringLiteral("refresh"), "", [&](const QStringList&) { return start(workspace, shell, program.script(), QStringList(program.arguments())); },
                [&program] { return program.script().isEmpty() ? ProgramActions::tr("No Python program has run yet.") : QString(); }});
  ActionRecord hold{QStringLiteral("program.pause"), QT_TRANSLATE_NOOP("Actions", "&Hold Python program"),
                    QT_TRANSLATE_NOOP("Actions", "Holds the process of the Python program where it is, or lets it go on"), {}, QStringLiteral("pause"), "",
                    [&program](const QStringList&) {
                      program.setPaused(program.state() == Program::State::Running);
                      return CommandResult::done();
                    },
                    dead, [&program] { return program.state() == Program::State::Paused; }};
  hold.noKey = QT_TRANSLATE_NOOP("Actions", "the switch stands in the Python program dock");
  registry.add(std::move(hold));
  registry.add({QStringLiteral("program.stop"), QT_TRANSLATE_NOOP("Actions", "St&op Python program"), QT_TRANSLATE_NOOP("Actions", "Ends the Python program, whatever it is doing"),
                QStringLiteral("Ctrl+F8"), QStringLiteral("stop"), "",
                [&program](const QStringList&) {
                  program.stop();
                  return CommandResult::when([&program]() -> std::optional<CommandResult> {
                    if (program.isAlive()) return std::nullopt;
                    return CommandResult::done();
                  });
                },
                dead});
  registry.add({QStringLiteral("program.show"), QT_TRANSLATE_NOOP("Actions", "Show output or source of the Python program"),
                QT_TRANSLATE_NOOP("Actions", "Shows what the Python program printed, or its text with the lines that made the selected nodes"), {}, {}, "output|source",
                [&shell](const QStringList& a) {
                  const int page = int(QStringList({QStringLiteral("output"), QStringLiteral("source")}).indexOf(a.value(0)));
                  if (page < 0) return CommandResult::failed(ProgramActions::tr("program.show takes output or source, not %1.").arg(a.join(u' ')));
                  shell.showView(QStringLiteral("program"));
                  if (auto* tabs = shell.viewWidget(QStringLiteral("program"))->findChild<QTabBar*>()) tabs->setCurrentIndex(page);
                  return CommandResult::done();
                }});
  QObject::connect(&workspace, &Workspace::programOffered, &registry, [&](const QString& path) { offerProgram(registry, shell, path); });
  QObject::connect(&program, &Program::stateChanged, &registry, &ActionRegistry::refreshSoon);
}

}  // namespace weft::app
