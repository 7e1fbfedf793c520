#include <QCoreApplication>
#include <QElapsedTimer>
#include <memory>

#include "commands/actions.h"
#include "document/console.h"
#include "document/document.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct ConsoleActions {
  Q_DECLARE_TR_FUNCTIONS(ConsoleActions)
};

constexpr int kConsolePatienceMs = 60000;

CommandResult whenReady(Console& console) {
  auto clock = std::make_shared<QElapsedTimer>();
  clock->start();
  return CommandResult::when([&console, clock]() -> std::optional<CommandResult> {
    if (!console.isAlive()) return CommandResult::failed(ConsoleActions::tr("The Python console has ended."));
    if (console.state() != Console::State::Ready && clock->elapsed() < kConsolePatienceMs) return std::nullopt;
    return CommandResult::done();
  });
}

}  // namespace

void registerConsoleActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  Console& console = workspace.console();
  const auto dead = [&console] { return console.isAlive() ? QString() : ConsoleActions::tr("The Python console is not running."); };
  registry.add({QStringLiteral("console.show"), QT_TRANSLATE_NOOP("Actions", "Python &console"),
                QT_TRANSLATE_NOOP("Actions", "Runs Python statements on a copy of the current graph with the values of its variables"),
                QStringLiteral("Ctrl+Alt+P"), QStringLiteral("step"), "", [&](const QStringList&) {
                  shell.showView(QStringLiteral("console"));
                  if (QWidget* view = shell.viewWidget(QStringLiteral("console"))) view->setFocus();
                  return CommandResult::done();
                }});
  registry.add({QStringLiteral("console.run"),
                QT_TRANSLATE_NOOP("Actions", "Run console statement"),
                QT_TRANSLATE_NOOP("Actions", "Runs a Python statement on the current graph"),
                {},
                {},
                "TEXT",
                [&](const QStringList& a) {
                  if (a.isEmpty()) return CommandResult::failed(ConsoleActions::tr("console.run takes a Python statement."));
                  shell.showView(QStringLiteral("console"));
                  QMetaObject::invokeMethod(shell.viewWidget(QStringLiteral("console")), "give", Q_ARG(QString, a.join(u' ')));
                  return whenReady(console);
                }});
  registry.add({QStringLiteral("console.restart"), QT_TRANSLATE_NOOP("Actions", "Re&start console"),
                QT_TRANSLATE_NOOP("Actions", "Restarts the Python console on the current graph; everything defined in it is lost"),
                QStringLiteral("Ctrl+Alt+Shift+P"), QStringLiteral("refresh"), "", [&](const QStringList&) {
                  console.start();
                  return whenReady(console);
                }});
  ActionRecord interrupt{
      QStringLiteral("console.interrupt"),
      QT_TRANSLATE_NOOP("Actions", "&Interrupt console"),
      QT_TRANSLATE_NOOP("Actions", "Interrupts the running statement, like Ctrl+C"),
      {},
      QStringLiteral("pause"),
      "",
      [&console](const QStringList&) {
        console.interrupt();
        return CommandResult::done();
      },
      [&console] { return console.state() == Console::State::Busy ? QString() : ConsoleActions::tr("The Python console is not running a statement."); }};
  interrupt.noKey = QT_TRANSLATE_NOOP("Actions", "use Ctrl+C in the console's input line");
  registry.add(std::move(interrupt));
  ActionRecord stop{QStringLiteral("console.stop"),
                    QT_TRANSLATE_NOOP("Actions", "&End console"),
                    QT_TRANSLATE_NOOP("Actions", "Ends the Python console; the next statement restarts it"),
                    {},
                    QStringLiteral("stop"),
                    "",
                    [&console](const QStringList&) {
                      console.stop();
                      return CommandResult::done();
                    },
                    dead};
  stop.noKey = QT_TRANSLATE_NOOP("Actions", "the button is in the Python console dock");
  registry.add(std::move(stop));
  registry.add({QStringLiteral("console.take-over"),
                QT_TRANSLATE_NOOP("Actions", "Imp&ort from console"),
                QT_TRANSLATE_NOOP("Actions", "Adds the nodes created in the Python console to the document as one undoable step"),
                QStringLiteral("Ctrl+Alt+Shift+T"),
                {},
                "",
                [&](const QStringList&) {
                  auto result = std::make_shared<std::optional<CommandResult>>();
                  if (console.document()) workspace.setCurrent(console.document());
                  console.takeOver([result](const QString& error) { *result = error.isEmpty() ? CommandResult::done() : CommandResult::failed(error); });
                  return CommandResult::when([result] { return *result; });
                },
                [&console, dead] {
                  const QString why = dead();
                  return !why.isEmpty() ? why : console.hasChanges() ? QString() : ConsoleActions::tr("The Python console has no new nodes for the document.");
                }});
  QObject::connect(&console, &Console::stateChanged, &registry, &ActionRegistry::refreshSoon);
  QObject::connect(&console, &Console::changesChanged, &registry, &ActionRegistry::refreshSoon);
}

}  // namespace weft::app
