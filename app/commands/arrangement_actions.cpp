#include "commands/arrangement_actions.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QPointer>
#include <algorithm>

#include "common/discard.h"
#include "document/document.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "main_window/helper_rules_dialog.h"
#include "main_window/view_chooser.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

using widgets::Arrangement;
using widgets::GraphView;

struct ArrangementActions {
  Q_DECLARE_TR_FUNCTIONS(ArrangementActions)
};

constexpr const char* kText = "graph_text";

/// A result that is complete once the graph is drawn.
CommandResult drawn(Shell& shell, const QString& error = {}) {
  if (!error.isEmpty()) return CommandResult::failed(error);
  return CommandResult::when([canvas = QPointer<GraphView>(shell.canvas())]() -> std::optional<CommandResult> {
    if (canvas && canvas->isLayoutPending()) return std::nullopt;
    return CommandResult::done();
  });
}

CommandResult show(Shell& shell, const Arrangement& arrangement) {
  shell.canvas()->setArrangement(arrangement);
  return drawn(shell);
}

CommandResult showNamed(Shell& shell, const QStringList& words) {
  if (words.value(0) != QLatin1String("text")) return drawn(shell, showArrangement(*shell.canvas(), words));
  shell.showView(QLatin1String(kText), !shell.isViewOpen(QLatin1String(kText)));
  return CommandResult::done();
}

/// Changes the depth by one level; below the first one is the view by scope.
CommandResult deeper(Shell& shell, int step) {
  const Arrangement now = shell.canvas()->arrangement();
  const bool byDepth = now.kind == Arrangement::Kind::Depth;
  const int levels = std::clamp(shell.canvas()->arrangementFacts().levels, 1, Arrangement::kMostLevels);
  const int depth = std::min((byDepth ? now.depth : 0) + step, levels);
  if (depth < 1) return byDepth ? show(shell, {}) : CommandResult::done();
  return show(shell, {Arrangement::Kind::Depth, depth});
}

CommandResult openRules(Workspace& workspace, Shell& shell, const QStringList& words) {
  if (auto* before = shell.window()->findChild<HelperRulesDialog*>()) {
    before->setParent(nullptr);
    widgets::discard(before);
  }
  auto* dialog = new HelperRulesDialog(workspace.current(), words.value(0), shell.window());
  dialog->show();
  return CommandResult::done();
}

void addViews(ActionRegistry& registry, Shell& shell, const std::function<QString()>& needsCanvas) {
  registry.add({QStringLiteral("graph.view"),
                QT_TRANSLATE_NOOP("Actions", "View of the graph"),
                QT_TRANSLATE_NOOP("Actions", "Sets the view of the graph: scopes, layers, ops, devices, depth N, or text beside it"),
                {},
                {},
                "scopes|layers|ops|devices|text|depth N",
                [&shell](const QStringList& a) { return showNamed(shell, a); },
                needsCanvas});
  registry.add({QStringLiteral("graph.view-choose"),
                QT_TRANSLATE_NOOP("Actions", "Choose a &view…"),
                QT_TRANSLATE_NOOP("Actions", "Opens the list of views above the canvas"),
                QStringLiteral("V"),
                {},
                "",
                [&shell](const QStringList&) {
                  if (auto* chooser = shell.canvas()->parentWidget()->findChild<ViewChooser*>())
                    chooser->showPopup(), chooser->setFocus(Qt::ShortcutFocusReason);
                  return CommandResult::done();
                },
                needsCanvas,
                {},
                true});
  struct Record {
    const char *id, *text, *tip, *key;
    Arrangement::Kind kind;
  };
  static const Record records[] = {
      {"graph.view-scopes", QT_TRANSLATE_NOOP("Actions", "By &scope"), QT_TRANSLATE_NOOP("Actions", "One box per scope of the graph: the view for editing"),
       "Shift+S", Arrangement::Kind::Scopes},
      {"graph.view-layers", QT_TRANSLATE_NOOP("Actions", "By &layer"), QT_TRANSLATE_NOOP("Actions", "One box per layer, whatever scopes surround it"),
       "Shift+L", Arrangement::Kind::Layers},
      {"graph.view-ops", QT_TRANSLATE_NOOP("Actions", "By &op type"), QT_TRANSLATE_NOOP("Actions", "One box per op type"), "Shift+O", Arrangement::Kind::Ops},
      {"graph.view-devices", QT_TRANSLATE_NOOP("Actions", "By &device"), QT_TRANSLATE_NOOP("Actions", "One box per device or task that nodes request"),
       "Shift+D", Arrangement::Kind::Devices}};
  for (const Record& record : records)
    registry.add({QLatin1String(record.id),
                  record.text,
                  record.tip,
                  QLatin1String(record.key),
                  {},
                  "",
                  [&shell, kind = record.kind](const QStringList&) {
                    return show(shell, {kind, 0});
                  },
                  needsCanvas,
                  [&shell, kind = record.kind] { return shell.canvas() && shell.canvas()->arrangement().kind == kind; },
                  true});
  registry.add({QStringLiteral("graph.view-deeper"),
                QT_TRANSLATE_NOOP("Actions", "One level &deeper"),
                QT_TRANSLATE_NOOP("Actions", "Expands all scopes to one more level"),
                QStringLiteral("E"),
                {},
                "",
                [&shell](const QStringList&) { return deeper(shell, 1); },
                needsCanvas,
                {},
                true});
  registry.add({QStringLiteral("graph.view-shallower"),
                QT_TRANSLATE_NOOP("Actions", "One level &up"),
                QT_TRANSLATE_NOOP("Actions", "Expands all scopes to one level less; from level 1, returns to the view by scope"),
                QStringLiteral("Shift+E"),
                {},
                "",
                [&shell](const QStringList&) { return deeper(shell, -1); },
                needsCanvas,
                {},
                true});
  registry.add({QStringLiteral("graph.view-text"),
                QT_TRANSLATE_NOOP("Actions", "As &text, beside"),
                QT_TRANSLATE_NOOP("Actions", "Shows or hides the graph as text beside the canvas"),
                QStringLiteral("Shift+T"),
                {},
                "",
                [&shell](const QStringList&) { return showNamed(shell, {QStringLiteral("text")}); },
                needsCanvas,
                [&shell] { return shell.isViewOpen(QLatin1String(kText)); },
                true});
}

}  // namespace

void registerArrangementActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  const std::function<QString()> needsCanvas = [&shell] { return shell.canvas() ? QString() : ArrangementActions::tr("No graph is shown."); };
  addViews(registry, shell, needsCanvas);
  registry.add({QStringLiteral("graph.show-hidden-wires"),
                QT_TRANSLATE_NOOP("Actions", "Show hidden &wires"),
                QT_TRANSLATE_NOOP("Actions", "Keeps the hidden wires of the selection visible, not only while pointing at the node; or hides them again"),
                QStringLiteral("W"),
                {},
                "",
                [&shell](const QStringList&) {
                  return shell.canvas()->toggleHiddenWires() > 0 ? CommandResult::done()
                                                                 : CommandResult::failed(ArrangementActions::tr("All wires of the selection are drawn."));
                },
                [&shell] {
                  return !shell.canvas()                         ? ArrangementActions::tr("No graph is shown.")
                         : shell.canvas()->selection().isEmpty() ? ArrangementActions::tr("Nothing is selected.")
                                                                 : QString();
                },
                {},
                true});
  registry.add({QStringLiteral("graph.helper-rules"),
                QT_TRANSLATE_NOOP("Actions", "&Rules for helpers…"),
                QT_TRANSLATE_NOOP("Actions", "Sets by name patterns which nodes belong to the helpers and which to the network"),
                {},
                {},
                "[PATTERN]",
                [&workspace, &shell](const QStringList& a) { return openRules(workspace, shell, a); },
                needsCanvas});
}

}  // namespace weft::app
