// Actions that change the graph, and the history of changes.
#include <QApplication>
#include <QClipboard>
#include <QCoreApplication>
#include <algorithm>
#include <memory>

#include "adapters/canvas_edits.h"
#include "adapters/graph_edit.h"
#include "commands/actions.h"
#include "commands/text_commands.h"
#include "document/document.h"
#include "document/recovery.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "main_window/fix_cards.h"
#include "shell/action_registry.h"
#include "shell/all_actions.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct EditActions {
  Q_DECLARE_TR_FUNCTIONS(EditActions)
};

/// A result that arrives when the document calls back. Menus do not wait for it, so there the shell shows the error.
class PendingEdit {
 public:
  explicit PendingEdit(Shell& shell) : shell_(shell) {}
  Document::Done done() const {
    return [state = state_, &shell = shell_](const QString& error) {
      state->result = error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
      if (!error.isEmpty() && !state->asked) shell.showError(error);
    };
  }
  CommandResult later() const {
    return CommandResult::when([state = state_] {
      state->asked = true;
      return state->result;
    });
  }

 private:
  struct State {
    std::optional<CommandResult> result;
    bool asked = false;
  };
  Shell& shell_;
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

CommandResult change(Workspace& workspace, Shell& shell, const QString& action, const QStringList& arguments) {
  Document* document = workspace.current();
  ParsedEdit parsed = editFromWords(action, arguments, document->selection(), document->folder());
  if (!parsed.error.isEmpty()) return CommandResult::failed(parsed.error);
  const PendingEdit pending(shell);
  document->apply(std::move(parsed.edit), pending.done());
  return pending.later();
}

/// Freezes with the variables of the document's last training, unless a checkpoint is named.
CommandResult freeze(Workspace& workspace, Shell& shell, QStringList words) {
  const RunRecord* run = workspace.runs().document() == workspace.current() ? workspace.runs().currentRun() : nullptr;
  if (!words.contains(QStringLiteral("--restore")) && run && !run->checkpoints.isEmpty())
    words << QStringLiteral("--restore") << run->checkpoints.last().prefix;
  return change(workspace, shell, QStringLiteral("graph.freeze"), words);
}

/// The problem given by NODE and CODE, else the first one at the selection, else the first one; null: none can be fixed.
const Problem* problemFor(const Document& document, const QStringList& words) {
  const auto& all = document.problems();
  for (const QString& where : words.isEmpty() ? document.selection() + QStringList{QString()} : QStringList{words[0]}) {
    for (const Problem& p : all) {
      const bool here = p.node == where || (words.isEmpty() && where.isEmpty());
      if (here && (words.size() < 2 || p.code == words[1]) && !p.fixCommands.isEmpty()) return &p;
    }
  }
  return nullptr;
}

CommandResult fix(Workspace& workspace, Shell& shell, const QStringList& words) {
  const Problem* problem = problemFor(*workspace.current(), words);
  if (!problem) return CommandResult::failed(EditActions::tr("There is no problem to fix here."));
  const int number = words.size() > 2 ? words[2].toInt() : 1;
  // A node may have several problems of one kind, such as two missing inputs.
  QVector<QStringList> fixes;
  for (const Problem& p : workspace.current()->problems())
    if (p.node == problem->node && p.code == problem->code) fixes << p.fixCommands;
  if (number < 1 || number > fixes.size()) return CommandResult::failed(EditActions::tr("%1 has %n fix(es).", nullptr, int(fixes.size())).arg(problem->node));
  const QStringList command = fixes[number - 1];
  return change(workspace, shell, command.front(), command.mid(1));
}

FixCards* cards(Shell& shell) { return shell.canvas() ? shell.canvas()->findChild<FixCards*>() : nullptr; }

CommandResult nextProblem(Workspace& workspace, Shell& shell, int step) {
  Document* document = workspace.current();
  QStringList nodes;
  for (const Problem& p : document->problems())
    if (!p.node.isEmpty() && !nodes.contains(p.node)) nodes << p.node;
  if (nodes.isEmpty()) return CommandResult::failed(EditActions::tr("The problems concern the whole graph."));
  const qsizetype at = nodes.indexOf(document->selection().value(0));
  const QString node = nodes[at < 0 ? (step > 0 ? 0 : nodes.size() - 1) : (at + step + nodes.size()) % nodes.size()];
  document->requestSelection({node});
  // The list comes to the front if the layout contains it; the card is shown at the node in any case.
  if (shell.isViewOpen(QStringLiteral("problems"))) shell.showView(QStringLiteral("problems"));
  if (FixCards* shown = cards(shell)) shown->showProblems(node);
  return CommandResult::done();
}

CommandResult copy(Workspace& workspace) {
  const Document* document = workspace.current();
  QString error;
  const QString text = copyText(*document->contents(), document->selection(), &error);
  if (!error.isEmpty()) return CommandResult::failed(error);
  QApplication::clipboard()->setText(text);
  return CommandResult::done();
}

}  // namespace

void registerEditActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  const auto needsDocument = [&workspace] { return workspace.current() ? QString() : EditActions::tr("No graph is open."); };
  const auto needsSelection = [&workspace] {
    return !workspace.current()                         ? EditActions::tr("No graph is open.")
           : workspace.current()->selection().isEmpty() ? EditActions::tr("Nothing is selected.")
                                                        : QString();
  };
  const auto history = [&](const char* id, const char* text, const char* tip, const char* key, const char* icon, bool back) {
    const char* command = back ? "undo" : "redo";
    registry.add({QLatin1String(id), text, tip, QLatin1String(key), QLatin1String(icon), "[N]",
                  inTextOr(workspace, command,
                           [&workspace, &shell, back](const QStringList& a) {
                             Document* document = workspace.current();
                             const PendingEdit pending(shell);
                             const int steps = a.isEmpty() ? 1 : a[0] == QLatin1String("all") ? 1 << 20 : a[0].toInt();
                             if (steps < 1) return CommandResult::failed(EditActions::tr("%1 is not a number of steps.").arg(a[0]));
                             for (int i = 1; i < steps && i < document->history().count() + 1; ++i) back ? document->undo() : document->redo();
                             back ? document->undo(pending.done()) : document->redo(pending.done());
                             return pending.later();
                           }),
                  whyNotInTextOr(workspace, command, [&workspace, back] {
                    const Document* d = workspace.current();
                    if (!d) return EditActions::tr("No graph is open.");
                    if (d->isEditing() || (back ? d->history().canUndo() : d->history().canRedo())) return QString();
                    return back ? EditActions::tr("There is nothing to undo.") : EditActions::tr("There is nothing to redo.");
                  })});
  };
  history("edit.undo", QT_TRANSLATE_NOOP("Actions", "&Undo"), QT_TRANSLATE_NOOP("Actions", "Undoes the last change"), "Ctrl+Z", "undo", true);
  history("edit.redo", QT_TRANSLATE_NOOP("Actions", "&Redo"), QT_TRANSLATE_NOOP("Actions", "Redoes the last change that was undone"), "Ctrl+Shift+Z; Ctrl+Y",
          "redo", false);
  registry.add({QStringLiteral("edit.cut"),
                QT_TRANSLATE_NOOP("Actions", "Cu&t"),
                QT_TRANSLATE_NOOP("Actions", "Cuts the selection to the clipboard"),
                QStringLiteral("Ctrl+X"),
                {},
                "",
                inTextOr(workspace, "cut",
                         [&](const QStringList&) {
                           const CommandResult copied = copy(workspace);
                           return copied.ok ? change(workspace, shell, QStringLiteral("graph.delete"), {}) : copied;
                         }),
                whyNotInTextOr(workspace, "cut", needsSelection)});
  registry.add({QStringLiteral("edit.copy"), QT_TRANSLATE_NOOP("Actions", "&Copy"), QT_TRANSLATE_NOOP("Actions", "Copies the selection as a text GraphDef"),
                QStringLiteral("Ctrl+C"), QStringLiteral("copy"), "", inTextOr(workspace, "copy", [&](const QStringList&) { return copy(workspace); }),
                whyNotInTextOr(workspace, "copy", needsSelection)});
  registry.add({QStringLiteral("edit.copy-names"),
                QT_TRANSLATE_NOOP("Actions", "Copy &names"),
                QT_TRANSLATE_NOOP("Actions", "Copies the names of the selected nodes, one per line"),
                QStringLiteral("Ctrl+Alt+C"),
                {},
                "",
                [&](const QStringList&) {
                  QApplication::clipboard()->setText(workspace.current()->selection().join(u'\n'));
                  return CommandResult::done();
                },
                needsSelection});
  const auto paste = [&workspace, &shell](const QString& text, const QString& into, const QStringList& beside = {}) {
    const PendingEdit pending(shell);
    workspace.current()->apply(pasteBesideEdit(text, into, beside), pending.done());
    return pending.later();
  };
  registry.add({QStringLiteral("edit.paste"),
                QT_TRANSLATE_NOOP("Actions", "&Paste"),
                QT_TRANSLATE_NOOP("Actions", "Adds the nodes from the clipboard"),
                QStringLiteral("Ctrl+V"),
                {},
                "[SCOPE]",
                inTextOr(workspace, "paste", [paste](const QStringList& a) { return paste(QApplication::clipboard()->text(), a.value(0)); }),
                whyNotInTextOr(workspace, "paste", needsDocument)});
  registry.add({QStringLiteral("edit.duplicate"),
                QT_TRANSLATE_NOOP("Actions", "&Duplicate"),
                QT_TRANSLATE_NOOP("Actions", "Adds a copy of the selection with the same inputs"),
                QStringLiteral("Ctrl+D"),
                {},
                "",
                [&workspace, paste](const QStringList&) {
                  QString error;
                  const QString text = copyText(*workspace.current()->contents(), workspace.current()->selection(), &error);
                  return error.isEmpty() ? paste(text, {}, workspace.current()->selection()) : CommandResult::failed(error);
                },
                needsSelection});

  registry.add({QStringLiteral("problems.fix"),
                QT_TRANSLATE_NOOP("Actions", "&Fix"),
                QT_TRANSLATE_NOOP("Actions", "Applies the suggested fix for a problem"),
                QStringLiteral("Alt+Return"),
                {},
                "[NODE] [CODE] [N]",
                inTextOr(workspace, "fix",
                         [&](const QStringList& a) {
                           // The key belongs to the card, if one is shown.
                           if (FixCards* shown = cards(shell); a.isEmpty() && shown && shown->applyFirst()) return CommandResult::done();
                           return fix(workspace, shell, a);
                         }),
                whyNotInTextOr(workspace, "fix", [&workspace, &shell] {
                  if (const FixCards* shown = cards(shell); shown && shown->isShown()) return QString();
                  const Document* d = workspace.current();
                  const bool any = d && std::any_of(d->problems().begin(), d->problems().end(), [](const Problem& p) { return !p.fixCommands.isEmpty(); });
                  return any ? QString() : EditActions::tr("There is no problem to fix here.");
                })});
  const auto next = [&](const char* id, const char* text, const char* tip, const char* key, int step) {
    registry.add(
        {QLatin1String(id),
         text,
         tip,
         QLatin1String(key),
         {},
         "",
         [&workspace, &shell, step](const QStringList&) { return nextProblem(workspace, shell, step); },
         [&workspace] { return workspace.current() && !workspace.current()->problems().isEmpty() ? QString() : EditActions::tr("There are no problems."); }});
  };
  next("problems.next", QT_TRANSLATE_NOOP("Actions", "Next &problem"), QT_TRANSLATE_NOOP("Actions", "Goes to the next node with a problem"), "F8", 1);
  next("problems.previous", QT_TRANSLATE_NOOP("Actions", "Previous problem"), QT_TRANSLATE_NOOP("Actions", "Goes to the previous node with a problem"),
       "Shift+F8", -1);
  registry.add({QStringLiteral("file.recover"),
                QT_TRANSLATE_NOOP("Actions", "&Recover unsaved work"),
                QT_TRANSLATE_NOOP("Actions", "Opens documents left unsaved when Weft was killed: graphs with their history, programs with their text"),
                {},
                {},
                "",
                [&](const QStringList&) {
                  shell.withdrawMessage(QStringLiteral("recovery"));  // in case the command was not given by the message's own button
                  const PendingEdit pending(shell);
                  workspace.recovery().recoverAll(pending.done());
                  return pending.later();
                },
                [&workspace] { return workspace.recovery().recoverable().isEmpty() ? EditActions::tr("There is nothing to recover.") : QString(); }});
  registry.add({QStringLiteral("file.forget-recovery"),
                QT_TRANSLATE_NOOP("Actions", "Discard recovery data"),
                QT_TRANSLATE_NOOP("Actions", "Deletes the recovery data of unsaved documents"),
                {},
                {},
                "",
                [&](const QStringList&) {
                  shell.withdrawMessage(QStringLiteral("recovery"));
                  workspace.recovery().forgetAll();
                  return CommandResult::done();
                },
                [&workspace] { return workspace.recovery().recoverable().isEmpty() ? EditActions::tr("There is nothing to recover.") : QString(); }});

  const auto edit = [&](const char* id, const char* text, const char* tip, const char* key, const char* icon, const char* usage, bool onCanvas) {
    registry.add({QLatin1String(id),
                  text,
                  tip,
                  QLatin1String(key),
                  QLatin1String(icon),
                  usage,
                  [&workspace, &shell, id](const QStringList& a) { return change(workspace, shell, QLatin1String(id), a); },
                  needsDocument,
                  {},
                  onCanvas});
  };
  edit("graph.add", QT_TRANSLATE_NOOP("Actions", "Add a node"), QT_TRANSLATE_NOOP("Actions", "Adds an op or a layer"), "", "",
       "TYPE [--name NAME] [--at X,Y] [--from TENSOR]… [--to NODE:INPUT] [--into SCOPE] [--set NAME=VALUE]…", false);
  edit("graph.connect", QT_TRANSLATE_NOOP("Actions", "Connect"), QT_TRANSLATE_NOOP("Actions", "Adds a wire from an output to an input"), "", "",
       "NODE:OUTPUT NODE:INPUT", false);
  edit("graph.disconnect", QT_TRANSLATE_NOOP("Actions", "Disconnect"), QT_TRANSLATE_NOOP("Actions", "Removes a wire"), "", "", "[NODE:OUTPUT] NODE:INPUT",
       false);
  edit("graph.set", QT_TRANSLATE_NOOP("Actions", "Set"), QT_TRANSLATE_NOOP("Actions", "Changes node attributes or layer parameters"), "", "",
       "NODE NAME=VALUE…", false);
  edit("graph.set-all", QT_TRANSLATE_NOOP("Actions", "Set for many nodes"),
       QT_TRANSLATE_NOOP("Actions", "Sets an attribute, the device, the name or the scope of many nodes in one step: all or none"), "", "",
       "[NODE…] NAME=VALUE [--replace TEXT]", false);
  edit("graph.delete", QT_TRANSLATE_NOOP("Actions", "&Delete"), QT_TRANSLATE_NOOP("Actions", "Removes nodes and scopes"), "Del", "", "[NAME…]", true);
  edit("graph.rename", QT_TRANSLATE_NOOP("Actions", "Rename"),
       QT_TRANSLATE_NOOP("Actions", "Renames a node or scope and updates all references in the document"), "", "", "[OLD] NEW", false);
  edit("graph.rename-all", QT_TRANSLATE_NOOP("Actions", "Replace in names"),
       QT_TRANSLATE_NOOP("Actions", "Replaces text in the names of all nodes and scopes in one step"), "", "", "FIND WITH", false);
  edit("graph.move", QT_TRANSLATE_NOOP("Actions", "Move"), QT_TRANSLATE_NOOP("Actions", "Moves a node or scope and pins it there"), "", "",
       "NAME X,Y [NAME X,Y]…", false);
  edit("graph.group", QT_TRANSLATE_NOOP("Actions", "&Group"), QT_TRANSLATE_NOOP("Actions", "Moves the selection into a new scope"), "G", "",
       "[NAME…] [--name SCOPE]", true);
  edit("graph.ungroup", QT_TRANSLATE_NOOP("Actions", "&Ungroup"), QT_TRANSLATE_NOOP("Actions", "Dissolves the selected scope and keeps its contents"), "Ctrl+G",
       "", "[SCOPE]", false);
  edit("graph.explode", QT_TRANSLATE_NOOP("Actions", "Convert layer to ops"),
       QT_TRANSLATE_NOOP("Actions", "Turns the layer into a plain scope whose ops can be edited one by one"), "", "", "[LAYER]", false);
  edit("graph.mute", QT_TRANSLATE_NOOP("Actions", "&Mute"), QT_TRANSLATE_NOOP("Actions", "Bypasses the selected node, or ends that"), "H", "", "[NAME…]", true);
  edit("graph.to-helpers", QT_TRANSLATE_NOOP("Actions", "Move to &helpers"),
       QT_TRANSLATE_NOOP("Actions", "Moves the selection to the helpers, beside the network"), "Ctrl+Alt+H", "", "[NAME…]", false);
  edit("graph.to-network", QT_TRANSLATE_NOOP("Actions", "Move to &network"), QT_TRANSLATE_NOOP("Actions", "Moves the selection back into the data flow"),
       "Ctrl+Alt+Shift+H", "", "[NAME…]", false);
  edit("graph.helper-rule", QT_TRANSLATE_NOOP("Actions", "Rule for helpers"),
       QT_TRANSLATE_NOOP("Actions", "Sets where everything goes whose name matches a pattern such as */metrics*; none removes the rule"), "", "",
       "PATTERN helpers|network|none", false);
  edit("graph.insert", QT_TRANSLATE_NOOP("Actions", "Insert on a wire"), QT_TRANSLATE_NOOP("Actions", "Inserts an op or layer into a wire"), "", "",
       "NODE:INPUT TYPE [--name NAME] [--set NAME=VALUE]…", false);
  edit("graph.replace", QT_TRANSLATE_NOOP("Actions", "Replace"), QT_TRANSLATE_NOOP("Actions", "Replaces a node with another op and keeps the wires that fit"),
       "", "", "[NODE] TYPE [--set NAME=VALUE]…", false);
  edit("graph.extract", QT_TRANSLATE_NOOP("Actions", "&Extract"), QT_TRANSLATE_NOOP("Actions", "Keeps only the selected nodes and what they depend on"), "", "",
       "[NAME…]", false);
  registry.add({QStringLiteral("graph.add-training"), QT_TRANSLATE_NOOP("Actions", "&Add training"),
                QT_TRANSLATE_NOOP("Actions", "Adds gradients, updates and everything else needed to minimise the loss"), QStringLiteral("Ctrl+T"),
                QStringLiteral("plus"),
                "[LOSS] [--optimizer NAME] [--lr RATE] [--decay KIND] [--clip NORM] [--epochs N] [--other LOSS=SCOPE]… [--set NAME=VALUE]…",
                [&](const QStringList& a) { return change(workspace, shell, QStringLiteral("graph.add-training"), a); },
                [&workspace] {
                  const Document* d = workspace.current();
                  if (!d) return EditActions::tr("No graph is open.");
                  const bool empty = d->selection().isEmpty() && d->contents()->arrays.nodes.empty();
                  return empty ? EditActions::tr("There is no loss in this graph yet: add one of the losses first.") : QString();
                }});
  edit("graph.set-training", QT_TRANSLATE_NOOP("Actions", "Set batch size, length, optimizer and precision"),
       QT_TRANSLATE_NOOP("Actions",
                         "Sets the batch size, the length in epochs or steps, the optimizer and the precision of training, like the fields of the run bar and "
                         "of the next run"),
       "", "", "--batch N | --epochs N | --steps N | --optimizer NAME | --precision float32|bf16", false);
  edit("graph.strip-training", QT_TRANSLATE_NOOP("Actions", "Remove &training"),
       QT_TRANSLATE_NOOP("Actions", "Removes gradients, updates and the variables that only they use"), "", "", "", false);
  registry.add({QStringLiteral("graph.freeze"),
                QT_TRANSLATE_NOOP("Actions", "&Freeze"),
                QT_TRANSLATE_NOOP("Actions", "Keeps only what the selected outputs need, with variables replaced by constants of the trained values"),
                {},
                {},
                "[OUTPUT…] [--restore CHECKPOINT]",
                [&](const QStringList& a) { return freeze(workspace, shell, a); },
                needsDocument});
  edit("graph.initialize", QT_TRANSLATE_NOOP("Actions", "Initialise a variable"),
       QT_TRANSLATE_NOOP("Actions", "Makes sure that the variable is initialised before training"), "", "", "[VARIABLE…]", false);
  edit("graph.add-global-step", QT_TRANSLATE_NOOP("Actions", "Add global_step"),
       QT_TRANSLATE_NOOP("Actions", "Adds the step count that supervised sessions need, and lets the training op increment it"), "", "", "TRAIN_OP", false);
  edit("graph.infer-attributes", QT_TRANSLATE_NOOP("Actions", "Set missing attributes"),
       QT_TRANSLATE_NOOP("Actions", "Sets attributes missing from the file, as inferred from wires and values"), "", "", "[NODE…]", false);
  edit("graph.rewrite", QT_TRANSLATE_NOOP("Actions", "Save a node as shown"),
       QT_TRANSLATE_NOOP("Actions", "Saves it under the name shown and with its inputs in order, if the file differs"), "", "", "[NODE…]", false);
  edit("graph.switch-training", QT_TRANSLATE_NOOP("Actions", "Link layer to training mode"),
       QT_TRANSLATE_NOOP("Actions", "Dropout and batch normalisation behave differently in training and in testing; this lets the run switch them"), "", "",
       "[LAYER…]", false);
  edit("graph.bind-data", QT_TRANSLATE_NOOP("Actions", "&Bind data"), QT_TRANSLATE_NOOP("Actions", "Sets the data that feeds the network's inputs"), "", "",
       "DATASET|FILE [PLACEHOLDER=COLUMN]… [--batch N] [--validation PART] [--seed N] [--kind KIND] [--option NAME=VALUE]…", false);
}

void offerRecovery(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  const auto& lost = workspace.recovery().recoverable();
  if (lost.isEmpty()) return;
  QStringList titles;
  for (const Recovery::Recoverable& l : lost) titles << l.title;
  shell.tell([titles, &registry] {
    return Message{Message::Kind::Warning,
                   QStringLiteral("recovery"),
                   EditActions::tr("Weft ended with unsaved work in %1. It can be recovered.").arg(titles.join(QStringLiteral(", "))),
                   {{EditActions::tr("Recover"), [&registry] { registry.run(QStringLiteral("file.recover")); }},
                    {EditActions::tr("Discard"), [&registry] { registry.run(QStringLiteral("file.forget-recovery")); }}}};
  });
}

}  // namespace weft::app
