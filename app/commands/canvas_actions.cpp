// Composing on the canvas: what needs a place, a selection or a view, as commands. They end in the editing actions, which know only names.
#include <QCoreApplication>
#include <QPointer>

#include "commands/action_registry.h"
#include "commands/actions.h"
#include "document/document.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "main_window/compose_gestures.h"
#include "main_window/probes.h"
#include "main_window/shell.h"
#include "main_window/value_lens.h"

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

/// Shows or hides the values of tensors; ends when they are there.
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
    // Of a closed scope what comes out of it.
    for (const GraphView::ShownPort& port : shell.canvas()->portsOf(Item::scope(scope)))
      if (port.port.output) {
        tensors << document->model()->nodeName(port.port.node) + QStringLiteral(":%1").arg(port.port.index);
        break;
      }
  }
  if (tensors.isEmpty()) return CommandResult::failed(CanvasActions::tr("Nothing comes out of what is selected."));
  Probes* all = probes(shell);
  all->toggle(tensors);
  return CommandResult::when([all = QPointer<Probes>(all)]() -> std::optional<CommandResult> {
    if (all && all->isBusy()) return std::nullopt;
    return CommandResult::done();
  });
}

CommandResult bookmark(GraphView& canvas, const QStringList& arguments, bool set) {
  const int number = arguments.value(0).toInt();
  if (number < 1 || number > 9) return CommandResult::failed(CanvasActions::tr("%1 is no bookmark; they are numbered from 1 to 9.").arg(arguments.value(0)));
  if (set) {
    canvas.setBookmark(number);
    return CommandResult::done();
  }
  return canvas.goToBookmark(number) ? CommandResult::done()
                                     : CommandResult::failed(CanvasActions::tr("There is no bookmark %1 yet: Alt+%1 sets it.").arg(number));
}

}  // namespace

void registerCanvasActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  const auto needsCanvas = [&shell] { return shell.canvas() ? QString() : CanvasActions::tr("No graph is shown."); };
  const auto needsSelection = [&shell] {
    return !shell.canvas()                         ? CanvasActions::tr("No graph is shown.")
           : shell.canvas()->selection().isEmpty() ? CanvasActions::tr("Nothing is selected.")
                                                   : QString();
  };
  // Places are those of the view by scope.
  const auto whyNotComposed = [&shell] {
    return !shell.canvas()                               ? CanvasActions::tr("No graph is shown.")
           : !shell.canvas()->arrangement().isComposed() ? CanvasActions::tr("This view is for reading; compose in the view by scope.")
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
                QT_TRANSLATE_NOOP("Actions", "Opens the menu of everything that can be added, to be found by typing"),
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
                QT_TRANSLATE_NOOP("Actions", "Adds an op or a layer beside what is selected, and feeds it from there"),
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
                QT_TRANSLATE_NOOP("Actions", "Edits the name of the selected node on the canvas"),
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
                QT_TRANSLATE_NOOP("Actions", "Adds a copy of what is selected"),
                QStringLiteral("D"),
                {},
                "",
                [&](const QStringList&) { return registry.run(QStringLiteral("edit.duplicate")); },
                needsSelection,
                {},
                true});
  registry.add({QStringLiteral("graph.tidy"),
                QT_TRANSLATE_NOOP("Actions", "&Tidy"),
                QT_TRANSLATE_NOOP("Actions", "Lays the selection out anew; everything, if nothing is selected"),
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
  static const AlignRecord aligns[] = {
      {"graph.align-left", QT_TRANSLATE_NOOP("Actions", "Align left edges"),
       QT_TRANSLATE_NOOP("Actions", "Puts the left edges of what is selected in one line"), Alignment::Left},
      {"graph.align-center", QT_TRANSLATE_NOOP("Actions", "Align centres"),
       QT_TRANSLATE_NOOP("Actions", "Puts the middles of what is selected beneath each other"), Alignment::Center},
      {"graph.align-right", QT_TRANSLATE_NOOP("Actions", "Align right edges"),
       QT_TRANSLATE_NOOP("Actions", "Puts the right edges of what is selected in one line"), Alignment::Right},
      {"graph.align-top", QT_TRANSLATE_NOOP("Actions", "Align top edges"), QT_TRANSLATE_NOOP("Actions", "Puts the top edges of what is selected in one line"),
       Alignment::Top},
      {"graph.align-middle", QT_TRANSLATE_NOOP("Actions", "Align middles"),
       QT_TRANSLATE_NOOP("Actions", "Puts the middles of what is selected beside each other"), Alignment::Middle},
      {"graph.align-bottom", QT_TRANSLATE_NOOP("Actions", "Align bottom edges"),
       QT_TRANSLATE_NOOP("Actions", "Puts the bottom edges of what is selected in one line"), Alignment::Bottom},
      {"graph.spread-across", QT_TRANSLATE_NOOP("Actions", "Distribute across"),
       QT_TRANSLATE_NOOP("Actions", "Makes the gaps between what is selected equal, from left to right"), Alignment::SpreadAcross},
      {"graph.spread-down", QT_TRANSLATE_NOOP("Actions", "Distribute down"),
       QT_TRANSLATE_NOOP("Actions", "Makes the gaps between what is selected equal, from top to bottom"), Alignment::SpreadDown}};
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
                QT_TRANSLATE_NOOP("Actions", "Remembers what is seen under a number; Alt+1 to Alt+9 on the canvas do the same"),
                {},
                {},
                "NUMBER",
                [&](const QStringList& a) { return bookmark(*shell.canvas(), a, true); },
                needsComposed(false)});
  registry.add({QStringLiteral("graph.go-to-bookmark"),
                QT_TRANSLATE_NOOP("Actions", "Go to bookmark"),
                QT_TRANSLATE_NOOP("Actions", "Shows what was remembered under a number; 1 to 9 on the canvas do the same"),
                {},
                {},
                "NUMBER",
                [&](const QStringList& a) { return bookmark(*shell.canvas(), a, false); },
                needsCanvas});
  registry.add({QStringLiteral("graph.frame"),
                QT_TRANSLATE_NOOP("Actions", "Add &frame"),
                QT_TRANSLATE_NOOP("Actions", "Draws a titled frame around what is selected; dragged by its title it takes along what lies in it"),
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
                QT_TRANSLATE_NOOP("Actions", "Puts a note on the canvas"),
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
                QT_TRANSLATE_NOOP("Actions", "Lights what is selected and dims the rest, or no longer"),
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
       QT_TRANSLATE_NOOP("Actions",
                         "Shows what comes out of the selected node, or what flows in the wire under the pointer, on a sample, without training; or hides it"),
       QStringLiteral("P"),
       QStringLiteral("eye"),
       "[TENSOR…]",
       [&](const QStringList& a) { return probe(workspace, shell, a); },
       needsCanvas,
       {},
       true});
  registry.add({QStringLiteral("graph.probe-sample"),
                QT_TRANSLATE_NOOP("Actions", "Sample of the previews"),
                QT_TRANSLATE_NOOP("Actions", "Chooses the row of the data set that live previews show"),
                {},
                {},
                "NUMBER",
                [&](const QStringList& a) {
                  bool ok = false;
                  const qint64 number = a.value(0).toLongLong(&ok);
                  if (!ok || number < 0) return CommandResult::failed(CanvasActions::tr("%1 is no number of a sample.").arg(a.value(0)));
                  probes(shell)->setSample(number);
                  return CommandResult::done();
                },
                needsCanvas});
  registry.add({QStringLiteral("graph.probe-clear"),
                QT_TRANSLATE_NOOP("Actions", "Hide all previews"),
                QT_TRANSLATE_NOOP("Actions", "Hides the values beside all nodes"),
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
