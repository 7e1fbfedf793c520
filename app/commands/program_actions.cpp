#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QTabBar>
#include <memory>

#include "commands/actions.h"
#include "document/document.h"
#include "document/file_tab.h"
#include "document/program.h"
#include "document/program_debug.h"
#include "document/program_graphs.h"
#include "document/text_buffer.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/file_dialogs.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct ProgramActions {
  Q_DECLARE_TR_FUNCTIONS(ProgramActions)
};

constexpr int kProgramPatienceMs = 20000;
const QString kFolderKey = QStringLiteral("program/folder");

CommandResult start(Workspace& workspace, Shell& shell, const QString& script, const QStringList& arguments) {
  shell.showView(QStringLiteral("program"));
  const QString error = workspace.program().start(script, arguments);
  return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
}

struct ProgramTemplate {
  const char* name;
  const char* filter;
};
const ProgramTemplate kTemplates[] = {{"empty", QT_TRANSLATE_NOOP("ProgramActions", "Minimal program (*.py)")},
                                      {"supervised", QT_TRANSLATE_NOOP("ProgramActions", "Supervised session with hooks (*.py)")},
                                      {"towers", QT_TRANSLATE_NOOP("ProgramActions", "Towers on several devices (*.py)")}};

/// `[TEMPLATE PATH]`: makes a copy of a template and opens it.
CommandResult createProgram(Workspace& workspace, Shell& shell, const QStringList& words) {
  QStringList names, filters;
  for (const ProgramTemplate& t : kTemplates) {
    names << QLatin1String(t.name);
    filters << ProgramActions::tr(t.filter);
  }
  QString name = words.value(0), path = words.value(1);
  if (words.isEmpty()) {
    QString chosen = filters.first();
    path = askForFileToSave(shell.window(), workspace.settings(), ProgramActions::tr("New Python program"),
                            QDir(workspace.settings().value(kFolderKey).toString()).filePath(QStringLiteral("program.py")), filters.join(QStringLiteral(";;")),
                            &chosen);
    if (path.isEmpty()) return CommandResult::done();
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".py");
    name = names.value(filters.indexOf(chosen));
  } else if (path.isEmpty() || !names.contains(name)) {
    return CommandResult::failed(ProgramActions::tr("program.new takes a template (%1) and a path.").arg(names.join(QStringLiteral(", "))));
  } else if (QFileInfo::exists(path)) {
    return CommandResult::failed(ProgramActions::tr("%1 already exists.").arg(path));
  }
  QFile from(QStringLiteral(":/weft/programs/%1.py").arg(name));
  QSaveFile out(path);
  if (!from.open(QIODevice::ReadOnly) || !out.open(QIODevice::WriteOnly) || out.write(from.readAll()) < 0 || !out.commit())
    return CommandResult::failed(ProgramActions::tr("%1 could not be written: %2").arg(path, out.errorString()));
  workspace.settings().setValue(kFolderKey, QFileInfo(path).absolutePath());
  auto result = std::make_shared<std::optional<CommandResult>>();
  workspace.open(path, [result](const QString& error) { *result = error.isEmpty() ? CommandResult::done() : CommandResult::failed(error); });
  return CommandResult::when([result] { return *result; });
}

enum class How { Run, Debug, Names };

QString idOf(How how) {
  return how == How::Run ? QStringLiteral("program.run") : how == How::Debug ? QStringLiteral("program.debug") : QStringLiteral("program.names");
}

CommandResult run(Workspace& workspace, Shell& shell, ActionRegistry& registry, const QStringList& words, How how = How::Run) {
  QString script = words.value(0);
  QStringList arguments = words.mid(1);
  if (FileTab* file = script.isEmpty() ? programInFront(workspace) : nullptr) {  // run the text on screen
    const QString error = file->text()->isModified() ? saveText(workspace, *file) : QString();
    if (!error.isEmpty()) return CommandResult::failed(error);
    script = file->path();
    if (workspace.program().script() == script) arguments = workspace.program().arguments();  // reuse those of the last run
  }
  if (script.isEmpty()) {
    askForFile(shell.window(), workspace.settings(), ProgramActions::tr("Run a Python program"), workspace.settings().value(kFolderKey).toString(),
               ProgramActions::tr("Python programs (*.py)") + QStringLiteral(";;") + ProgramActions::tr("All files (*)"),
               [&registry, how](const QString& path) { registry.runChosen(idOf(how), {path}); });
    return CommandResult::done();
  }
  workspace.settings().setValue(kFolderKey, QFileInfo(script).absolutePath());
  workspace.programDebug().setBreakAtStart(how == How::Debug);
  workspace.programDebug().setBuildOnly(how == How::Names);
  return start(workspace, shell, script, arguments);
}

/// Lets a script go on when the program is paused at a line or in a step, or has ended.
CommandResult whenStill(Workspace& workspace, const QString& error) {
  if (!error.isEmpty()) return CommandResult::failed(error);
  auto clock = std::make_shared<QElapsedTimer>();
  clock->start();
  auto wentOn = std::make_shared<bool>(false);
  return CommandResult::when([&workspace, clock, wentOn]() -> std::optional<CommandResult> {
    const ProgramDebug& debug = workspace.programDebug();
    if (!debug.isAtLine()) *wentOn = true;
    const bool still = !workspace.program().isAlive() || workspace.debugger().isStopped() || (*wentOn && debug.isAtLine());
    if (!still && clock->elapsed() < kProgramPatienceMs) return std::nullopt;
    return CommandResult::done();
  });
}

/// Shows the source text of a node in the dock.
QString showSource(Workspace& workspace, Shell& shell, const QString& node) {
  const QString name = node.isEmpty() && workspace.current() ? workspace.current()->selection().value(0) : node;
  const auto place = workspace.programGraphs().placeOf(workspace.current(), name);
  if (!place) return ProgramActions::tr("The line of the Python program that created %1 is not known.").arg(name);
  if (workspace.current()->selection() != QStringList{name}) workspace.current()->requestSelection({name});
  for (FileTab* file : workspace.files()) {  // show it where it can be edited
    if (file->path() != place->file || !file->text() || !file->text()->editing()) continue;
    workspace.setCurrentFile(file);
    file->text()->editing()->goTo(place->line);
    return {};
  }
  shell.showView(QStringLiteral("program"));
  if (auto* tabs = shell.viewWidget(QStringLiteral("program"))->findChild<QTabBar*>()) tabs->setCurrentIndex(1);
  QMetaObject::invokeMethod(shell.viewWidget(QStringLiteral("program")), "refreshNow");
  return {};
}

/// LINE [FILE] [--if CONDITION] [--remove]
CommandResult point(Workspace& workspace, const QStringList& words) {
  QString file = workspace.program().script(), condition;
  int line = 0;
  bool remove = false;
  for (qsizetype i = 0; i < words.size(); ++i) {
    if (words[i] == QLatin1String("--if") && i + 1 < words.size()) condition = words[++i];
    else if (words[i] == QLatin1String("--remove")) remove = true;
    else if (line == 0) line = words[i].toInt();
    else file = words[i];
  }
  if (line < 1) return CommandResult::failed(ProgramActions::tr("program.point takes the number of a line, not %1.").arg(words.join(u' ')));
  if (!QFileInfo(file).isFile())
    return CommandResult::failed(file.isEmpty() ? ProgramActions::tr("Which file? No Python program has run yet.")
                                                : ProgramActions::tr("%1 cannot be read.").arg(file));
  remove ? workspace.programDebug().removePoint(file, line) : workspace.programDebug().setPoint(file, line, condition);
  return CommandResult::done();
}

void registerStops(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  Program& program = workspace.program();
  ProgramDebug& debug = workspace.programDebug();
  registry.add({QStringLiteral("program.debug"), QT_TRANSLATE_NOOP("Actions", "&Debug Python program…"),
                QT_TRANSLATE_NOOP("Actions", "Runs a TensorFlow 1.x program and pauses before its first line"), QStringLiteral("Shift+F7"),
                QStringLiteral("bug"), "[PATH [ARGUMENT…]]", [&](const QStringList& a) {
                  const CommandResult started = run(workspace, shell, registry, a, How::Debug);
                  return started.ok && program.isAlive() ? whenStill(workspace, {}) : started;
                }});
  registry.add({QStringLiteral("program.break"), QT_TRANSLATE_NOOP("Actions", "&Break into Python program"),
                QT_TRANSLATE_NOOP("Actions", "Pauses the Python program before its next line, or before the next op of a step"),
                QStringLiteral("Ctrl+Shift+F8"), QStringLiteral("mark"), "",
                [&](const QStringList&) {
                  debug.breakSoon();
                  return whenStill(workspace, {});
                },
                [&] {
                  if (program.state() == Program::State::Paused) return ProgramActions::tr("The Python program is suspended; resume it first.");
                  if (!program.isAlive()) return ProgramActions::tr("No Python program is running.");
                  return debug.isAtLine() ? ProgramActions::tr("The Python program is already paused.") : QString();
                }});
  const auto atLine = [&debug] { return debug.isAtLine() ? QString() : ProgramActions::tr("The Python program is not paused at a line."); };
  const auto step = [&](const char* id, const char* text, const char* tip, const char* icon, const char* how, const char* noKey) {
    ActionRecord record{QLatin1String(id),
                        text,
                        tip,
                        {},
                        QLatin1String(icon),
                        "",
                        [&workspace, &debug, how](const QStringList&) { return whenStill(workspace, debug.goOn(QLatin1String(how))); },
                        atLine};
    record.noKey = noKey;
    registry.add(std::move(record));
  };
  step("program.continue", QT_TRANSLATE_NOOP("Actions", "Continue Python program"),
       QT_TRANSLATE_NOOP("Actions", "Runs the Python program to its next breakpoint or to its end"), "play", "go",
       QT_TRANSLATE_NOOP("Actions", "use the Continue key while the Python program is paused at a line"));
  step("program.step-over", QT_TRANSLATE_NOOP("Actions", "Next line"),
       QT_TRANSLATE_NOOP("Actions", "Runs the Python program to its next line, without entering calls"), "step-over", "over",
       QT_TRANSLATE_NOOP("Actions", "use the Step op key while the Python program is paused at a line"));
  step("program.step-into", QT_TRANSLATE_NOOP("Actions", "Step into call"),
       QT_TRANSLATE_NOOP("Actions", "Runs the Python program to its next line and enters calls of its own functions"), "step-into", "into",
       QT_TRANSLATE_NOOP("Actions", "use the Step into key while the Python program is paused at a line"));
  step("program.step-out", QT_TRANSLATE_NOOP("Actions", "Step out of function"),
       QT_TRANSLATE_NOOP("Actions", "Runs the Python program until the function returns"), "step-out", "out",
       QT_TRANSLATE_NOOP("Actions", "use the Step out key while the Python program is paused at a line"));
  registry.add({QStringLiteral("program.point"),
                QT_TRANSLATE_NOOP("Actions", "Breakpoint on a line"),
                QT_TRANSLATE_NOOP("Actions", "Pauses the Python program before a line; --remove clears the breakpoint"),
                {},
                {},
                "LINE [FILE] [--if EXPRESSION] [--remove]",
                [&](const QStringList& a) { return point(workspace, a); }});
  registry.add({QStringLiteral("program.source"), QT_TRANSLATE_NOOP("Actions", "Show sou&rce line"),
                QT_TRANSLATE_NOOP("Actions", "Shows the line of the Python program that created the selected node"), QStringLiteral("Ctrl+Alt+U"),
                QStringLiteral("file"), "[NODE]",
                [&](const QStringList& a) {
                  const QString error = showSource(workspace, shell, a.value(0));
                  return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
                },
                [&] {
                  const Document* document = workspace.current();
                  if (!document) return ProgramActions::tr("No graph is open.");
                  return workspace.programGraphs().numberOf(document) > 0 ? QString() : ProgramActions::tr("This graph was not created by a Python program.");
                }});
  registry.add({QStringLiteral("program.line"),
                QT_TRANSLATE_NOOP("Actions", "Show line of a file"),
                QT_TRANSLATE_NOOP("Actions", "Shows a line of a Python file in the Python program dock"),
                {},
                {},
                "FILE LINE",
                [&](const QStringList& a) {
                  const int line = a.value(1).toInt();
                  if (line < 1) return CommandResult::failed(ProgramActions::tr("program.line takes FILE LINE, not %1.").arg(a.join(u' ')));
                  if (!QFileInfo(a[0]).isFile()) return CommandResult::failed(ProgramActions::tr("%1 cannot be read.").arg(a[0]));
                  shell.showView(QStringLiteral("program"));
                  QString error;
                  QMetaObject::invokeMethod(shell.viewWidget(QStringLiteral("program")), "showLine", Q_RETURN_ARG(QString, error),
                                            Q_ARG(QString, QFileInfo(a[0]).canonicalFilePath()), Q_ARG(int, line));
                  return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
                }});
  QObject::connect(&debug, &ProgramDebug::stopChanged, &registry, [&] {
    registry.refreshSoon();
    if (debug.isAtLine()) shell.showView(QStringLiteral("program"));
  });
  // A paused step is shown like any debugged run.
  QObject::connect(
      &debug, &ProgramDebug::stepStopped, &registry,
      [&] {
        if (shell.layout() != QLatin1String("debug")) shell.useLayout(QStringLiteral("debug"));
      },
      Qt::QueuedConnection);
}

}  // namespace

void registerProgramActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  Program& program = workspace.program();
  const auto dead = [&program] { return program.isAlive() ? QString() : ProgramActions::tr("No Python program is running."); };
  registry.add({QStringLiteral("program.run"), QT_TRANSLATE_NOOP("Actions", "Run &Python program…"),
                QT_TRANSLATE_NOOP("Actions", "Runs a TensorFlow 1.x program on Weft's engine in its own process; its graphs open here as they are built"),
                QStringLiteral("Ctrl+F7"), QStringLiteral("play"), "[PATH [ARGUMENT…]]",
                [&](const QStringList& a) { return run(workspace, shell, registry, a); }});
  registry.add({QStringLiteral("program.new"),
                QT_TRANSLATE_NOOP("Actions", "New Pytho&n program…"),
                QT_TRANSLATE_NOOP("Actions", "Creates a Python program: a minimal one, one with hooks, or one with towers on several devices"),
                {},
                QStringLiteral("new"),
                "[empty|supervised|towers PATH]",
                [&](const QStringList& a) { return createProgram(workspace, shell, a); }});
  registry.add({QStringLiteral("program.names"), QT_TRANSLATE_NOOP("Actions", "&Names and shapes of the program"),
                QT_TRANSLATE_NOOP("Actions", "Runs the Python program up to its first step and shows names and shapes next to its lines"),
                QStringLiteral("Ctrl+Shift+F9"), QStringLiteral("graph"), "[PATH [ARGUMENT…]]",
                [&](const QStringList& a) { return run(workspace, shell, registry, a, How::Names); }});
  registry.add({QStringLiteral("program.restart"), QT_TRANSLATE_NOOP("Actions", "Run Python program a&gain"),
                QT_TRANSLATE_NOOP("Actions", "Stops the Python program if it is running and starts it again with the same arguments"),
                QStringLiteral("Ctrl+Shift+F7"), QStringLiteral("refresh"), "",
                [&](const QStringList&) {
                  workspace.programDebug().setBuildOnly(false);
                  return start(workspace, shell, program.script(), QStringList(program.arguments()));
                },
                [&program] { return program.script().isEmpty() ? ProgramActions::tr("No Python program has run yet.") : QString(); }});
  ActionRecord hold{QStringLiteral("program.pause"),
                    QT_TRANSLATE_NOOP("Actions", "Suspend Pyt&hon program"),
                    QT_TRANSLATE_NOOP("Actions", "Suspends the process of the Python program, or resumes it"),
                    {},
                    QStringLiteral("pause"),
                    "",
                    [&program](const QStringList&) {
                      program.setPaused(program.state() == Program::State::Running);
                      return CommandResult::done();
                    },
                    dead,
                    [&program] { return program.state() == Program::State::Paused; }};
  hold.noKey = QT_TRANSLATE_NOOP("Actions", "the switch is in the Python program dock");
  registry.add(std::move(hold));
  registry.add({QStringLiteral("program.stop"), QT_TRANSLATE_NOOP("Actions", "St&op Python program"),
                QT_TRANSLATE_NOOP("Actions", "Terminates the Python program, whatever it is doing"), QStringLiteral("Ctrl+F8"), QStringLiteral("stop"), "",
                [&program](const QStringList&) {
                  program.stop();
                  return CommandResult::when([&program]() -> std::optional<CommandResult> {
                    if (program.isAlive()) return std::nullopt;
                    return CommandResult::done();
                  });
                },
                dead});
  registry.add({QStringLiteral("program.show"),
                QT_TRANSLATE_NOOP("Actions", "Show output, source or sessions"),
                QT_TRANSLATE_NOOP("Actions", "Shows the Python program's output, its source with the lines that created the selected nodes, or its sessions"),
                {},
                {},
                "output|source|sessions",
                [&shell](const QStringList& a) {
                  const int page = int(QStringList({QStringLiteral("output"), QStringLiteral("source"), QStringLiteral("sessions")}).indexOf(a.value(0)));
                  if (page < 0) return CommandResult::failed(ProgramActions::tr("program.show takes output, source or sessions, not %1.").arg(a.join(u' ')));
                  shell.showView(QStringLiteral("program"));
                  if (auto* tabs = shell.viewWidget(QStringLiteral("program"))->findChild<QTabBar*>()) tabs->setCurrentIndex(page);
                  return CommandResult::done();
                }});
  registerStops(registry, workspace, shell);
  QObject::connect(&workspace, &Workspace::programOffered, &registry, &ActionRegistry::refreshSoon);
  QObject::connect(&program, &Program::stateChanged, &registry, &ActionRegistry::refreshSoon);
}

}  // namespace weft::app
