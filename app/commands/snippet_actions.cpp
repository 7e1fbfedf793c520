// Reusable parts of graphs.
#include <QCoreApplication>

#include "adapters/graph_edit.h"
#include "adapters/snippets.h"
#include "commands/actions.h"
#include "document/document.h"
#include "document/workspace.h"
#include "shell/action_registry.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct SnippetActions {
  Q_DECLARE_TR_FUNCTIONS(SnippetActions)
};

/// Keeps the selection as a snippet. A given name replaces a snippet of that name; otherwise an unused name is derived from the first node.
CommandResult keep(Workspace& workspace, Shell& shell, const QStringList& words) {
  const Document& document = *workspace.current();
  const QStringList& selection = document.selection();
  QString error;
  const QString text = copyText(*document.contents(), selection, &error);
  if (!error.isEmpty()) return CommandResult::failed(error);
  const QString first = selection.front();
  const QString name = words.isEmpty() ? freeSnippetName(first.mid(first.lastIndexOf(u'/') + 1)) : words.front();
  error = keepSnippet(name, text);
  if (!error.isEmpty()) return CommandResult::failed(error);
  shell.showMessage({Message::Kind::Note,
                     QStringLiteral("snippet"),
                     SnippetActions::tr("%1 was saved: the palette has it under Snippets, in every document.").arg(name),
                     {}});
  return CommandResult::done();
}

}  // namespace

void registerSnippetActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  registry.add({QStringLiteral("graph.keep-snippet"),
                QT_TRANSLATE_NOOP("Actions", "&Keep as a snippet"),
                QT_TRANSLATE_NOOP("Actions", "Adds the selection to the palette for use in any document"),
                QStringLiteral("Ctrl+Alt+K"),
                {},
                "[NAME]",
                [&](const QStringList& a) { return keep(workspace, shell, a); },
                [&workspace] {
                  return !workspace.current()                         ? SnippetActions::tr("No graph is open.")
                         : workspace.current()->selection().isEmpty() ? SnippetActions::tr("Nothing is selected.")
                                                                      : QString();
                }});
  registry.add({QStringLiteral("graph.forget-snippet"),
                QT_TRANSLATE_NOOP("Actions", "Remove a snippet"),
                QT_TRANSLATE_NOOP("Actions", "Removes a snippet from the palette"),
                {},
                {},
                "NAME",
                [](const QStringList& a) {
                  const QString error = forgetSnippet(a.value(0));
                  return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error);
                },
                [] { return snippetNames().isEmpty() ? SnippetActions::tr("There are no snippets yet.") : QString(); }});
}

}  // namespace weft::app
