#include "commands/doctor_actions.h"

#include <QCoreApplication>
#include <optional>

#include "document/doctor_store.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {

void registerDoctorActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  DoctorStore& store = DoctorStore::of(workspace);
  ActionRecord examine{
      QStringLiteral("doctor.examine"),
      QT_TRANSLATE_NOOP("Actions", "E&xamine the training"),
      QT_TRANSLATE_NOOP("Actions", "Looks for mistakes in the graph, the data, the initial values and the first steps, on a copy; nothing is saved"),
      {},
      QStringLiteral("check"),
      "",
      [&store, &shell](const QStringList&) {
        auto outcome = std::make_shared<std::optional<CommandResult>>();
        shell.showView(QStringLiteral("doctor"));
        store.examine([outcome](const QString& error) { *outcome = error.isEmpty() ? CommandResult::done() : CommandResult::failed(error); });
        return CommandResult::when([outcome] { return *outcome; });
      },
      [&store] { return store.whyNot(); }};
  examine.noKey = QT_TRANSLATE_NOOP("Actions", "the button is in the dock Doctor");
  registry.add(std::move(examine));
  ActionRecord watch{QStringLiteral("doctor.watch"),
                     QT_TRANSLATE_NOOP("Actions", "&Doctor beside trainings"),
                     QT_TRANSLATE_NOOP("Actions", "Looks at gradients, units, weights and curves while a graph trains, and says what goes wrong"),
                     {},
                     QStringLiteral("check"),
                     "[on|off]",
                     [&workspace](const QStringList& a) {
                       const bool on = workspace.settings().get(QStringLiteral("run/doctor")).toBool();
                       if (!a.isEmpty() && a[0] != QLatin1String("on") && a[0] != QLatin1String("off"))
                         return CommandResult::failed(QCoreApplication::translate("DoctorActions", "doctor.watch takes on or off, not %1.").arg(a[0]));
                       workspace.settings().setValue(QStringLiteral("run/doctor"), a.isEmpty() ? !on : a[0] == QLatin1String("on"));
                       return CommandResult::done();
                     },
                     {},
                     [&workspace] { return workspace.settings().get(QStringLiteral("run/doctor")).toBool(); }};
  watch.noKey = QT_TRANSLATE_NOOP("Actions", "the box is in the dock Doctor");
  registry.add(std::move(watch));
  QObject::connect(&store, &DoctorStore::changed, &registry, &ActionRegistry::refreshSoon);
}

}  // namespace weft::app
