#include <QCoreApplication>
#include <limits>

#include "adapters/node_details.h"
#include "commands/actions.h"
#include "commands/query_actions.h"
#include "commands/text_commands.h"
#include "document/document.h"
#include "document/profile_store.h"
#include "document/step_estimate.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "main_window/compose_gestures.h"
#include "main_window/find_popup.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

using widgets::ColorMode;

struct GraphActions {
  Q_DECLARE_TR_FUNCTIONS(GraphActions)
};

/// "time" is the trace's self time; "memory" is measured if there is a trace, else computed from the shapes.
CommandResult colorBy(Workspace& workspace, Shell& shell, const QString& mode) {
  ProfileStore& profiles = ProfileStore::of(workspace);
  if (mode == QLatin1String("time") || (mode == QLatin1String("memory") && profiles.current())) {
    const QString error = profiles.applyHeat(workspace.current(), mode);
    if (!error.isEmpty()) return CommandResult::failed(error);
    shell.canvas()->findChild<ComposeGestures*>()->showValues(
        mode, [&profiles, document = workspace.current(), mode] { profiles.applyHeat(document, mode); },
        [&profiles, mode](double heat) { return profiles.heatText(mode, heat); });
    return CommandResult::done();
  }
  if (mode == QLatin1String("difference")) {
    if (!profiles.comparison()) return CommandResult::failed(GraphActions::tr("There is no trace to compare with."));
    const QString error = profiles.applyDifference(workspace.current());
    if (!error.isEmpty()) return CommandResult::failed(error);
    shell.canvas()->findChild<ComposeGestures*>()->showValues(
        mode,
        [&profiles, document = workspace.current()] {
          if (profiles.comparison()) profiles.applyDifference(document);
        },
        [&profiles](double heat) { return profiles.differenceText(heat); }, true);
    return CommandResult::done();
  }
  if (mode == QLatin1String("query")) return colorByQuery(workspace, shell, {});
  const QString error = shell.canvas()->findChild<ComposeGestures*>()->colorBy(mode);
  return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
}

CommandResult setExpanded(Workspace& workspace, Shell& shell, const QStringList& names, bool expanded) {
  Document* document = workspace.current();
  QStringList scopes = names.isEmpty() ? document->selection() : names;
  if (scopes.isEmpty()) return CommandResult::failed(GraphActions::tr("Select a scope first."));
  for (const QString& name : scopes) {
    int scope = document->scopeIndex(name);
    if (scope < 0 && !names.isEmpty()) return CommandResult::failed(GraphActions::tr("There is no scope %1 in this graph.").arg(name));
    if (scope < 0 && !expanded) scope = document->model()->nodeScope(document->nodeIndex(name));
    if (scope < 0) continue;
    // A scope is visible only if all enclosing scopes are open.
    for (int s = expanded ? document->model()->scopeParent(scope) : -1; s >= 0; s = document->model()->scopeParent(s)) shell.canvas()->setExpanded(s, true);
    shell.canvas()->setExpanded(scope, expanded);
  }
  return CommandResult::done();
}

CommandResult select(Workspace& workspace, Shell& shell, const QStringList& names) {
  const Document* document = workspace.current();
  for (const QString& name : names) {
    if (!document->hasNode(name) && !document->hasScope(name))
      return CommandResult::failed(GraphActions::tr("There is no node or scope %1 in this graph.").arg(name));
  }
  shell.canvas()->selectNames(names);
  return CommandResult::done();
}

CommandResult assumeBatch(Workspace& workspace, const QString& word) {
  bool number = true;
  const int batch = word.isEmpty() ? 0 : word.toInt(&number);
  if (!number || batch < 0 || (batch == 0 && !word.isEmpty()))
    return CommandResult::failed(
        GraphActions::tr("%1 is not a batch size: expected a whole number from 1 to %2.").arg(word).arg(std::numeric_limits<int>::max()));
  StepEstimate::of(*workspace.current()).setBatch(batch);
  return CommandResult::done();
}

}  // namespace

void registerGraphActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  const auto needsCanvas = [&shell] { return shell.canvas() ? QString() : GraphActions::tr("No graph is shown."); };
  const auto simple = [&](const char* id, const char* text, const char* tip, const char* key, const char* icon, bool onCanvas, auto act) {
    registry.add({QLatin1String(id),
                  text,
                  tip,
                  QLatin1String(key),
                  QLatin1String(icon),
                  "",
                  [&shell, act](const QStringList&) {
                    act(*shell.canvas());
                    return CommandResult::done();
                  },
                  needsCanvas,
                  {},
                  onCanvas});
  };
  using widgets::GraphView;
  simple("graph.fit", QT_TRANSLATE_NOOP("Actions", "&Fit all"), QT_TRANSLATE_NOOP("Actions", "Shows the whole graph"), "A", "fit", true,
         [](GraphView& v) { v.fitAll(); });
  simple("graph.fit-selection", QT_TRANSLATE_NOOP("Actions", "Fit &selection"), QT_TRANSLATE_NOOP("Actions", "Zooms to the selection"), "F", "", true,
         [](GraphView& v) { v.fitSelection(); });
  simple("graph.zoom-in", QT_TRANSLATE_NOOP("Actions", "Zoom &in"), QT_TRANSLATE_NOOP("Actions", "Enlarges the graph"), "Ctrl++; Ctrl+=", "zoom-in", false,
         [](GraphView& v) { v.zoomIn(); });
  simple("graph.zoom-out", QT_TRANSLATE_NOOP("Actions", "Zoom &out"), QT_TRANSLATE_NOOP("Actions", "Shrinks the graph"), "Ctrl+-", "zoom-out", false,
         [](GraphView& v) { v.zoomOut(); });
  simple("graph.zoom-reset", QT_TRANSLATE_NOOP("Actions", "&100 %"), QT_TRANSLATE_NOOP("Actions", "Draws the graph at its natural size"), "Ctrl+0", "", false,
         [](GraphView& v) { v.setZoom(1); });
  simple("graph.expand-all", QT_TRANSLATE_NOOP("Actions", "Open all scopes"), QT_TRANSLATE_NOOP("Actions", "Opens every scope in place"), "Ctrl+Shift+E",
         "expand", false, [](GraphView& v) { v.expandAll(); });
  simple("graph.collapse-all", QT_TRANSLATE_NOOP("Actions", "Close all scopes"), QT_TRANSLATE_NOOP("Actions", "Closes every scope"), "Ctrl+Shift+C", "collapse",
         false, [](GraphView& v) { v.collapseAll(); });

  registry.add({QStringLiteral("graph.expand"),
                QT_TRANSLATE_NOOP("Actions", "&Open scope"),
                QT_TRANSLATE_NOOP("Actions", "Opens the selected scope in place"),
                QStringLiteral("Enter"),
                {},
                "SCOPE",
                [&](const QStringList& a) { return setExpanded(workspace, shell, a, true); },
                [needsCanvas] { return needsCanvas(); },
                {},
                true});
  registry.add({QStringLiteral("graph.collapse"),
                QT_TRANSLATE_NOOP("Actions", "&Close scope"),
                QT_TRANSLATE_NOOP("Actions", "Closes the scope around the selection"),
                QStringLiteral("Backspace"),
                {},
                "SCOPE",
                [&](const QStringList& a) { return setExpanded(workspace, shell, a, false); },
                needsCanvas,
                {},
                true});
  registry.add({QStringLiteral("graph.select"),
                QT_TRANSLATE_NOOP("Actions", "Select"),
                QT_TRANSLATE_NOOP("Actions", "Selects nodes and scopes by name"),
                {},
                {},
                "NAME…",
                [&](const QStringList& a) { return select(workspace, shell, a); },
                needsCanvas});
  registry.add(
      {QStringLiteral("graph.color-by"),
       QT_TRANSLATE_NOOP("Actions", "Colour by"),
       QT_TRANSLATE_NOOP(
           "Actions",
           "Sets the colouring of nodes: category, device, structure, type, compute, memory, gradient, time of a trace, difference from the compared trace, or the result of a query"),
       {},
       {},
       "MODE",
       [&](const QStringList& a) { return colorBy(workspace, shell, a.value(0)); },
       needsCanvas});
  const auto colour = [&](const char* id, const char* text, const char* tip, const char* mode, ColorMode value) {
    registry.add({QLatin1String(id),
                  text,
                  tip,
                  {},
                  {},
                  "",
                  [&workspace, &shell, mode](const QStringList&) { return colorBy(workspace, shell, QLatin1String(mode)); },
                  needsCanvas,
                  [&shell, value] { return shell.canvas() && shell.canvas()->colorMode() == value; }});
  };
  colour("graph.color-category", QT_TRANSLATE_NOOP("Actions", "Colour by op category"), QT_TRANSLATE_NOOP("Actions", "Colours nodes by the kind of op"),
         "category", ColorMode::Category);
  colour("graph.color-device", QT_TRANSLATE_NOOP("Actions", "Colour by device"),
         QT_TRANSLATE_NOOP("Actions", "Colours nodes by the device that ran them or that they request, in a cluster by its task"), "device", ColorMode::Device);
  colour("graph.color-structure", QT_TRANSLATE_NOOP("Actions", "Colour by structure"),
         QT_TRANSLATE_NOOP("Actions", "Colours scopes of the same structure alike"), "structure", ColorMode::Structure);
  colour("graph.color-type", QT_TRANSLATE_NOOP("Actions", "Colour by op type"), QT_TRANSLATE_NOOP("Actions", "Gives the most frequent ops their own colours"),
         "type", ColorMode::Type);
  for (const auto& [id, text, tip, mode] : {std::tuple{"graph.color-compute", QT_TRANSLATE_NOOP("Actions", "Colour by compute"),
                                                       QT_TRANSLATE_NOOP("Actions", "Colours nodes by FLOPs per step"), "compute"},
                                            std::tuple{"graph.color-memory", QT_TRANSLATE_NOOP("Actions", "Colour by memory"),
                                                       QT_TRANSLATE_NOOP("Actions", "Colours nodes by the size of their outputs"), "memory"},
                                            std::tuple{"graph.color-gradient", QT_TRANSLATE_NOOP("Actions", "Colour by gradient norm"),
                                                       QT_TRANSLATE_NOOP("Actions", "Colours variables by the current size of their gradients"), "gradient"}})
    registry.add({QLatin1String(id),
                  text,
                  tip,
                  {},
                  {},
                  "",
                  [&workspace, &shell, mode = mode](const QStringList&) { return colorBy(workspace, shell, QLatin1String(mode)); },
                  needsCanvas,
                  [&shell, mode = mode] { return shell.canvas() && shell.canvas()->findChild<ComposeGestures*>()->colorMode() == QLatin1String(mode); }});
  registry.add({QStringLiteral("graph.assume-batch"),
                QT_TRANSLATE_NOOP("Actions", "Costs at another batch size"),
                QT_TRANSLATE_NOOP("Actions", "Sets the batch size for which costs are shown; without a number, the document's"),
                {},
                {},
                "[N]",
                [&](const QStringList& a) { return assumeBatch(workspace, a.value(0)); },
                [&workspace] { return workspace.current() ? QString() : GraphActions::tr("No graph is shown."); }});
  registry.add({QStringLiteral("graph.minimap"),
                QT_TRANSLATE_NOOP("Actions", "&Minimap"),
                QT_TRANSLATE_NOOP("Actions", "Shows the whole graph in a corner"),
                {},
                {},
                "",
                [&](const QStringList&) {
                  shell.canvas()->setMinimapVisible(!shell.canvas()->isMinimapVisible());
                  return CommandResult::done();
                },
                needsCanvas,
                [&shell] { return shell.canvas() && shell.canvas()->isMinimapVisible(); }});

  registry.add({QStringLiteral("edit.select-all"),
                QT_TRANSLATE_NOOP("Actions", "Select &all"),
                QT_TRANSLATE_NOOP("Actions", "Selects everything that is visible"),
                QStringLiteral("Ctrl+A"),
                {},
                "",
                inTextOr(workspace, "select-all",
                         [&](const QStringList&) {
                           shell.canvas()->selectAll();
                           return CommandResult::done();
                         }),
                whyNotInTextOr(workspace, "select-all", needsCanvas)});
  registry.add({QStringLiteral("edit.find"), QT_TRANSLATE_NOOP("Actions", "&Find a node…"),
                QT_TRANSLATE_NOOP("Actions", "Finds nodes and scopes by name or op"), QStringLiteral("Ctrl+F"), QStringLiteral("search"), "[TEXT]",
                inTextOr(workspace, "find",
                         [&](const QStringList& a) {
                           FindPopup::open(*workspace.current(), *shell.canvas(), registry, shell.window(), a.join(u' '));
                           return CommandResult::done();
                         }),
                whyNotInTextOr(workspace, "find", needsCanvas)});
  registry.add({QStringLiteral("edit.replace"),
                QT_TRANSLATE_NOOP("Actions", "Find and &replace in names…"),
                QT_TRANSLATE_NOOP("Actions", "Finds text in names and replaces it"),
                QStringLiteral("Ctrl+H"),
                {},
                "[TEXT]",
                inTextOr(workspace, "replace",
                         [&](const QStringList& a) {
                           FindPopup::open(*workspace.current(), *shell.canvas(), registry, shell.window(), a.join(u' '), true);
                           return CommandResult::done();
                         }),
                whyNotInTextOr(workspace, "replace", needsCanvas)});
}

}  // namespace weft::app
