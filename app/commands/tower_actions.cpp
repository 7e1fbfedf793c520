#include "commands/tower_actions.h"

#include <QCoreApplication>
#include <QVariant>

#include "adapters/towers.h"
#include "common/format.h"
#include "document/document.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct TowerActions {
  Q_DECLARE_TR_FUNCTIONS(TowerActions)
};

constexpr const char* kShown = "weft_tower";  // a canvas property: the highlighted tower

/// Highlights a tower and dims the rest; without a name the next one, and after the last one all.
CommandResult show(Workspace& workspace, Shell& shell, const QString& wanted) {
  widgets::GraphView* canvas = shell.canvas();
  Document* document = workspace.current();
  const QVector<Tower> towers = towersOf(*document->contents());
  if (towers.isEmpty())
    return CommandResult::failed(TowerActions::tr("This graph has no towers: no scopes like tower_0 and tower_1, and no nodes on two devices."));
  int index = canvas->property(kShown).isValid() ? canvas->property(kShown).toInt() + 1 : 0;
  if (!wanted.isEmpty()) {
    QStringList names;
    for (const Tower& t : towers) names << t.name;
    index = wanted == QLatin1String("all") ? int(towers.size()) : int(names.indexOf(wanted));
    if (index < 0) return CommandResult::failed(TowerActions::tr("There is no tower %1; there are %2.").arg(wanted, names.join(QStringLiteral(", "))));
  }
  if (index >= towers.size()) {
    canvas->setProperty(kShown, QVariant());
    canvas->setHighlight({});
    shell.notify(TowerActions::tr("All towers"));
    return CommandResult::done();
  }
  const Tower& tower = towers[index];
  canvas->setProperty(kShown, index);
  QVector<widgets::Item> items;
  for (const QString& scope : tower.scopes)
    if (const int i = document->scopeIndex(scope); i >= 0) items << widgets::Item::scope(i);
  for (const QString& node : tower.nodes)
    if (const int i = document->nodeIndex(node); i >= 0) items << widgets::Item::node(i);
  canvas->setHighlight(items);
  const QString where = tower.device.isEmpty() ? TowerActions::tr("no device requested") : tower.device;
  shell.notify(TowerActions::tr("Tower %1 of %2: %3, %4, %5").arg(index + 1).arg(towers.size()).arg(tower.name, where, widgets::formatOps(tower.size)));
  return CommandResult::done();
}

}  // namespace

void registerTowerActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  registry.add({QStringLiteral("graph.tower"), QT_TRANSLATE_NOOP("Actions", "Next to&wer"),
                QT_TRANSLATE_NOOP("Actions", "Highlights the next copy of a network: scopes tower_0, tower_1 … or devices; after the last one, all"),
                QStringLiteral("Ctrl+Alt+O"), QStringLiteral("layers"), "[NAME|all]", [&](const QStringList& a) { return show(workspace, shell, a.value(0)); },
                [&shell] { return shell.canvas() ? QString() : TowerActions::tr("No graph is shown."); }});
}

}  // namespace weft::app
