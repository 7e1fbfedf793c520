// Commands for composing that need a position, a selection or a view. They call the editing actions, which know only names.
#include <QCoreApplication>
#include <QPointer>

#include "commands/actions.h"
#include "document/document.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "main_window/compose_gestures.h"
#include "main_window/probes.h"
#include "main_window/value_lens.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

using widgets::Alignment;
using widgets::GraphView;
using widgets::Item;

struct CanvasActions {
  Q_DECLARE_TR_FUNCTIONS(CanvasActions)
};

ComposeGestures* gestures(Shell& shell) { return shell.canvas() ? shell.canvas()->findChild<ComposeGestures*>() : nullptr; }

Probes* probes(Shell& shell) { return shell.canvas() ? shell.canvas()->findChild<Probes*>() : nullptr; }

/// Shows or hides the values of tensors; complete once they are shown.
CommandResult probe(Workspace& workspace, Shell& shell, const QStringList& arguments) {
  Document* document = workspace.current();
  QStringList tensors;
  const auto* lens = shell.canvas()->findChild<ValueLens*>();
  const QString onWire = arguments.isEmpty() && lens ? lens->tensorUnderPointer() : QString();
  if (!onWire.isEmpty()) tensors << onWire;
  for (const QString& name : !onWire.isEmpty() ? QStringList() : arguments.isEmpty() ? document->selection() : arguments) {
    const QString node = name.section(u':', 0, 0);
    if (document->hasNode(node)) {
      tensors << (name.contains(u':') ? name : name + QStringLiteral(":0"));
      continue;
    }
    const int scope = document->scopeIndex(node);
    if (scope < 0) return CommandResult::failed(CanvasActions::tr("There is no node %1 in this graph.").arg(node));
    // A closed scope shows its outputs.
    for (const GraphView::ShownPort& port : shell.canvas()->portsOf(Item::scope(scope)))
      if (port.port.output) {
        tensors << document->model()->nodeName(port.port.node) + QStringLiteral(":%1").arg(port.port.index);
        break;
      }
  }
  if (tensors.isEmpty()) return CommandResult::failed(CanvasActions::tr("The selection has no outputs."));
  Probes* all = probes(shell);
  all->toggle(tensors);
  return CommandResult::when([all = QPointer<Probes>(all)]() -> std::optional<CommandResult> {
    if (all && all->isBusy()) return std::nullopt;
    return CommandResult::done();
  });
}

CommandResult bookmark(GraphView& canvas, const QStringList& arguments, bool set) {
  const int number = arguments.value(0).toInt();
  if (number < 1 || number > 9) return CommandResult::failed(CanvasActions::tr("%1 is not a bookmark: expected a number from 1 to 9.").arg(arguments.value(0)));
  if (set) {
    canvas.setBookmark(number);
    return CommandResult::done();
  }
  return canvas.goToBookmark(number) ? CommandResult::done()
                                     : CommandResult::failed(CanvasActions::tr("There is no bookmark %1 yet; Alt+%1 sets it.").arg(number));
}

}  // namespace

void registerCanvasActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  const auto needsCanvas = [&shell] { return shell.canvas() ? QString() : CanvasActions::tr("No graph is shown."); };
  const auto needsSelection = [&shell] {
    return !shell.canvas()                         ? CanvasActions::tr("No graph is shown.")
           : shell.canvas()->selection().isEmpty() ? CanvasActions::tr("Nothing is selected.")
                                                   : QString();
  };
  // Places belong to the view by scope.
  const auto whyNotComposed = [&shell] {
    return !shell.canvas()                               ? CanvasActions::tr("No graph is shown.")
           : !shell.canvas()->arrangement().isComposed() ? CanvasActions::tr("This view is read-only; edit in the view by scope.")
                                                         : QString();
  };
  const auto needsComposed = [whyNotComposed, needsSelection](bool selection) {
    return [=] {
      const QString why = whyNotComposed();
      return !why.isEmpty() || !selection ? why : needsSelection();
    };
  };
  const auto needsTwo = [&shell, whyNotComposed] {
    if (const QString why = whyNotComposed(); !why.isEmpty()) return why;
    return !shell.canvas()                          ? CanvasActions::tr("No graph is shown.")
           : shell.canvas()->selection().size() < 2 ? CanvasActions::tr("Select two or more nodes first.")
                                                    : QString();
  };
  registry.add({QStringLiteral("graph.add-menu"),
                QT_TRANSLATE_NOOP("Actions", "&Add…"),
                QT_TRANSLATE_NOOP("Actions", "Opens a searchable menu of everything that can be added"),
                QStringLiteral("Tab"),
                QStringLiteral("plus"),
                "[TEXT]",
                [&](const QStringList& a) {
                  GraphView& canvas = *shell.canvas();
                  QPointF at = canvas.mapFromGlobal(QPointF(QCursor::pos()));
                  if (!canvas.rect().contains(at.toPoint())) at = QRectF(canvas.rect()).center();
                  gestures(shell)->openAddMenu(canvas.mapToGlobal(at).toPoint(), {}, a.join(u' '));
                  return CommandResult::done();
                },
                needsComposed(false),
                {},
                true});
  registry.add({QStringLiteral("graph.add-here"),
                QT_TRANSLATE_NOOP("Actions", "Add here"),
                QT_TRANSLATE_NOOP("Actions", "Adds an op or a layer next to the selection and connects it"),
                {},
                {},
                "TYPE [VALUE…] [NAME=VALUE…]",
                [&](const QStringList& a) {
                  if (a.isEmpty()) return CommandResult::failed(CanvasActions::tr("Name the op or layer to add."));
                  const QString error = gestures(shell)->addHere(a.first(), a.mid(1));
                  return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
                },
                needsComposed(false)});
  registry.add({QStringLiteral("graph.rename-in-place"),
                QT_TRANSLATE_NOOP("Actions", "&Rename in place"),
                QT_TRANSLATE_NOOP("Actions", "Edits the name of the selected node in place"),
                QStringLiteral("R; F2"),
                {},
                "",
                [&](const QStringList&) {
                  shell.canvas()->startRename(shell.canvas()->selection().last());
                  return CommandResult::done();
                },
                needsComposed(true),
                {},
                true});
  registry.add({QStringLiteral("graph.duplicate-in-place"),
                QT_TRANSLATE_NOOP("Actions", "D&uplicate"),
                QT_TRANSLATE_NOOP("Actions", "Duplicates the selection"),
                QStringLiteral("D"),
                {},
                "",
                [&](const QStringList&) { return registry.run(QStringLiteral("edit.duplicate")); },
                needsSelection,
                {},
                true});
  registry.add({QStringLiteral("graph.tidy"),
                QT_TRANSLATE_NOOP("Actions", "&Tidy"),
                QT_TRANSLATE_NOOP("Actions", "Lays out the selection again, or the whole graph if nothing is selected"),
                QStringLiteral("Ctrl+Shift+A"),
                {},
                "",
                [&](const QStringList&) {
                  gestures(shell)->tidy();
                  return CommandResult::done();
                },
                needsComposed(false)});
  struct AlignRecord {
    const char *id, *text, *tip;
    Alignment how;
  };
  static const AlignRecord aligns[] = {{"graph.align-left", QT_TRANSLATE_NOOP("Actions", "Align left edges"),
                                        QT_TRANSLATE_NOOP("Actions", "Aligns the left edges of the selection"), Alignment::Left},
                                       {"graph.align-center", QT_TRANSLATE_NOOP("Actions", "Align centres"),
                                        QT_TRANSLATE_NOOP("Actions", "Aligns the horizontal centres of the selection"), Alignment::Center},
                                       {"graph.align-right", QT_TRANSLATE_NOOP("Actions", "Align right edges"),
                                        QT_TRANSLATE_NOOP("Actions", "Aligns the right edges of the selection"), Alignment::Right},
                                       {"graph.align-top", QT_TRANSLATE_NOOP("Actions", "Align top edges"),
                                        QT_TRANSLATE_NOOP("Actions", "Aligns the top edges of the selection"), Alignment::Top},
                                       {"graph.align-middle", QT_TRANSLATE_NOOP("Actions", "Align middles"),
                                        QT_TRANSLATE_NOOP("Actions", "Aligns the vertical centres of the selection"), Alignment::Middle},
                                       {"graph.align-bottom", QT_TRANSLATE_NOOP("Actions", "Align bottom edges"),
                                        QT_TRANSLATE_NOOP("Actions", "Aligns the bottom edges of the selection"), Alignment::Bottom},
                                       {"graph.spread-across", QT_TRANSLATE_NOOP("Actions", "Distribute across"),
                                        QT_TRANSLATE_NOOP("Actions", "Makes the horizontal gaps in the selection equal"), Alignment::SpreadAcross},
                                       {"graph.spread-down", QT_TRANSLATE_NOOP("Actions", "Distribute down"),
                                        QT_TRANSLATE_NOOP("Actions", "Makes the vertical gaps in the selection equal"), Alignment::SpreadDown}};
  for (const AlignRecord& record : aligns) {
    registry.add({QLatin1String(record.id),
                  record.text,
                  record.tip,
                  {},
                  {},
                  "",
                  [&shell, how = record.how](const QStringList&) {
                    shell.canvas()->align(how);
                    return CommandResult::done();
                  },
                  needsTwo});
  }
  registry.add({QStringLiteral("graph.bookmark"),
                QT_TRANSLATE_NOOP("Actions", "Set bookmark"),
                QT_TRANSLATE_NOOP("Actions", "Saves the current view under a number; same as Alt+1 to Alt+9 on the canvas"),
                {},
                {},
                "NUMBER",
                [&](const QStringList& a) { return bookmark(*shell.canvas(), a, true); },
                needsComposed(false)});
  registry.add({QStringLiteral("graph.go-to-bookmark"),
                QT_TRANSLATE_NOOP("Actions", "Go to bookmark"),
                QT_TRANSLATE_NOOP("Actions", "Goes to the view saved under a number; same as 1 to 9 on the canvas"),
                {},
                {},
                "NUMBER",
                [&](const QStringList& a) { return bookmark(*shell.canvas(), a, false); },
                needsCanvas});
  registry.add({QStringLiteral("graph.frame"),
                QT_TRANSLATE_NOOP("Actions", "Add &frame"),
                QT_TRANSLATE_NOOP("Actions", "Draws a titled frame around the selection; dragging the title moves everything inside"),
                QStringLiteral("Ctrl+J"),
                {},
                "[TITLE]",
                [&](const QStringList& a) {
                  gestures(shell)->frame(a.join(u' '));
                  return CommandResult::done();
                },
                needsComposed(true)});
  registry.add({QStringLiteral("graph.comment"),
                QT_TRANSLATE_NOOP("Actions", "Add &comment"),
                QT_TRANSLATE_NOOP("Actions", "Adds a note to the canvas"),
                QStringLiteral("C"),
                {},
                "[TEXT [X,Y]]",
                [&](const QStringList& a) {
                  gestures(shell)->comment(a.value(0), a.value(1));
                  return CommandResult::done();
                },
                needsComposed(false),
                {},
                true});
  registry.add({QStringLiteral("graph.isolate"),
                QT_TRANSLATE_NOOP("Actions", "&Isolate"),
                QT_TRANSLATE_NOOP("Actions", "Highlights the selection and dims the rest, or ends that"),
                QStringLiteral("I"),
                {},
                "",
                [&](const QStringList&) {
                  gestures(shell)->toggleIsolated();
                  return CommandResult::done();
                },
                needsCanvas,
                {},
                true});
  registry.add(
      {QStringLiteral("graph.probe"),
       QT_TRANSLATE_NOOP("Actions", "Li&ve preview"),
       QT_TRANSLATE_NOOP("Actions", "Shows or hides the value of the selected node, or of the wire under the pointer, for one sample, without training"),
       QStringLiteral("P"),
       QStringLiteral("eye"),
       "[TENSOR…]",
       [&](const QStringList& a) { return probe(workspace, shell, a); },
       needsCanvas,
       {},
       true});
  registry.add({QStringLiteral("graph.probe-sample"),
                QT_TRANSLATE_NOOP("Actions", "Preview sample"),
                QT_TRANSLATE_NOOP("Actions", "Chooses which row of the data set live previews use"),
                {},
                {},
                "NUMBER",
                [&](const QStringList& a) {
                  bool ok = false;
                  const qint64 number = a.value(0).toLongLong(&ok);
                  if (!ok || number < 0) return CommandResult::failed(CanvasActions::tr("%1 is not a sample number.").arg(a.value(0)));
                  probes(shell)->setSample(number);
                  return CommandResult::done();
                },
                needsCanvas});
  registry.add({QStringLiteral("graph.probe-clear"),
                QT_TRANSLATE_NOOP("Actions", "Hide all previews"),
                QT_TRANSLATE_NOOP("Actions", "Hides the values next to all nodes"),
                {},
                {},
                "",
                [&](const QStringList&) {
                  probes(shell)->clear();
                  return CommandResult::done();
                },
                needsCanvas});
}

}  // namespace weft::app
