#include "commands/schedule_actions.h"

#include <QCoreApplication>
#include <QPointer>

#include "common/discard.h"
#include "document/document.h"
#include "document/workspace.h"
#include "main_window/schedule_window.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct ScheduleActions {
  Q_DECLARE_TR_FUNCTIONS(ScheduleActions)
};

/// The selected number, if it changes with the steps.
QString selectedNumber(const Document& document) {
  if (document.selection().size() != 1 || !changesWithSteps(*document.contents(), document.selection().first())) return {};
  return document.selection().first() + QStringLiteral(":0");
}

CommandResult chart(Workspace& workspace, Shell& shell, const QStringList& arguments) {
  Document* document = workspace.current();
  QString tensor = arguments.value(0);
  if (arguments.isEmpty()) tensor = selectedNumber(*document);
  qint64 last = 0;
  if (arguments.size() > 1) {
    bool ok = false;
    last = arguments[1].toLongLong(&ok);
    if (!ok || last < 1) return CommandResult::failed(ScheduleActions::tr("%1 is not a number of steps.").arg(arguments[1]));
  }
  if (auto* before = shell.window()->findChild<ScheduleWindow*>()) {  // it may belong to another document, and its keys may have triggered this
    before->setParent(nullptr);
    widgets::discard(before);
  }
  auto* window = new ScheduleWindow(document, workspace, shell.window());
  window->show(tensor, last);
  return CommandResult::when([window = QPointer<ScheduleWindow>(window), scripted = !arguments.isEmpty()]() -> std::optional<CommandResult> {
    if (window && window->isBusy()) return std::nullopt;
    return window && scripted && !window->curve().error.isEmpty() ? CommandResult::failed(window->curve().error) : CommandResult::done();
  });
}

}  // namespace

void registerScheduleActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  registry.add({QStringLiteral("graph.schedule"), QT_TRANSLATE_NOOP("Actions", "Learning rate over the steps…"),
                QT_TRANSLATE_NOOP("Actions", "Plots the learning rate, or the selected scalar that depends on the step, without training"),
                QStringLiteral("Ctrl+Alt+L"), QStringLiteral("chart"), "[TENSOR [LAST-STEP]]", [&](const QStringList& a) { return chart(workspace, shell, a); },
                [&workspace] { return workspace.current() ? QString() : ScheduleActions::tr("No graph is shown."); }});
}

}  // namespace weft::app
