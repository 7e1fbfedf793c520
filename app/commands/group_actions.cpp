#include "commands/group_actions.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "adapters/fold_facts.h"
#include "adapters/graph_edit.h"
#include "commands/pending_result.h"
#include "document/document.h"
#include "document/group_store.h"
#include "document/workspace.h"
#include "main_window/fold_dialog.h"
#include "main_window/group_dialog.h"
#include "shell/action_registry.h"
#include "shell/file_dialogs.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct GroupActions {
  Q_DECLARE_TR_FUNCTIONS(GroupActions)
};

CommandResult change(Workspace& workspace, const QString& action, const QStringList& arguments) {
  Document* document = workspace.current();
  ParsedEdit parsed = editFromWords(action, arguments, document->selection(), document->folder());
  if (!parsed.error.isEmpty()) return CommandResult::failed(parsed.error);
  const PendingResult pending;
  document->apply(std::move(parsed.edit), pending.done());
  return pending.later();
}

/// Looks for layers on another thread, then shows what was found.
CommandResult offerFolds(Workspace& workspace, ActionRegistry& registry, Shell& shell) {
  auto offers = std::make_shared<FoldOffers>();
  const GraphContentsPtr contents = workspace.current()->contents();
  const PendingResult pending;
  workspace.tasks().start(
      GroupActions::tr("Looking for layers"), [offers, contents](TaskState&) { *offers = foldOffers(*contents); },
      [&workspace, &registry, &shell, offers, contents, done = pending.done()] {
        Document* document = workspace.current();
        // Another document came to the front, or this one was edited meanwhile.
        if (!document || document->contents() != contents) return done(GroupActions::tr("The graph was changed meanwhile."));
        (new FoldDialog(*document, registry, *offers, shell.window()))->show();
        done({});
      },
      [done = pending.done()] { done(GroupActions::tr("Cancelled.")); });
  return pending.later();
}

QString filters() { return GroupActions::tr("Libraries of groups (*.weftgroups)") + QStringLiteral(";;") + GroupActions::tr("Documents (*.weft)"); }

QString noDocument(const Workspace& workspace) { return workspace.current() ? QString() : GroupActions::tr("No graph is open."); }

}  // namespace

void registerGroupActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  GroupStore& store = GroupStore::of(workspace);
  const auto edit = [&](const char* id, const char* text, const char* tip, const char* key, const char* usage, std::function<QString()> reason,
                        const char* noKey = "") {
    ActionRecord record{
        QLatin1String(id), text, tip, QLatin1String(key), {}, usage, [&workspace, id](const QStringList& a) { return change(workspace, QLatin1String(id), a); },
        std::move(reason)};
    record.noKey = noKey;
    registry.add(std::move(record));
  };
  const auto needsDocument = [&workspace] { return noDocument(workspace); };
  const auto needsInstance = [&workspace, &store] {
    return !workspace.current()       ? GroupActions::tr("No graph is open.")
           : store.groups().isEmpty() ? GroupActions::tr("This document has no groups yet.")
                                      : QString();
  };
  const char* rare = QT_TRANSLATE_NOOP("Actions", "rarely needed; it is in the menu Graph ▸ Group and in the dock Groups");
  registry.add({QStringLiteral("group.make"), QT_TRANSLATE_NOOP("Actions", "&Make group function…"),
                QT_TRANSLATE_NOOP("Actions", "Makes a reusable group of the selection, with inputs, outputs and parameters"), QStringLiteral("Ctrl+Alt+F"),
                QStringLiteral("layers"), "[NAME…] [--name GROUP] [--parameter [NAME=]NODE.ATTRIBUTE]…",
                [&](const QStringList& a) {
                  if (!a.isEmpty() || !workspace.current()) return change(workspace, QStringLiteral("group.make"), a);
                  if (workspace.current()->selection().isEmpty()) return CommandResult::failed(GroupActions::tr("Nothing is selected."));
                  auto* dialog = new GroupDialog(*workspace.current(), registry, shell.window());
                  dialog->open();
                  return CommandResult::done();
                },
                needsDocument});

  ActionRecord fold{QStringLiteral("group.fold"),
                    QT_TRANSLATE_NOOP("Actions", "&Fold into layers…"),
                    QT_TRANSLATE_NOOP("Actions", "Finds plain ops that are exactly a layer, and makes them layers whose parameters can be edited"),
                    {},
                    QStringLiteral("collapse"),
                    "[SCOPE…|all]",
                    [&](const QStringList& a) {
                      if (!a.isEmpty() || !workspace.current()) return change(workspace, QStringLiteral("group.fold"), a);
                      return offerFolds(workspace, registry, shell);
                    },
                    needsDocument};
  fold.noKey = rare;
  registry.add(std::move(fold));
  edit("group.update", QT_TRANSLATE_NOOP("Actions", "&Update the group from this instance"),
       QT_TRANSLATE_NOOP("Actions", "Makes the inside of the selected instance the group's; all other instances follow in one step"), "Ctrl+Alt+R",
       "[INSTANCE]", needsInstance);
  edit("group.restore", QT_TRANSLATE_NOOP("Actions", "&Build again from the group"),
       QT_TRANSLATE_NOOP("Actions", "Replaces what was edited inside of the selected instances by the group's ops"), "", "[INSTANCE…]", needsInstance, rare);
  edit("group.reset", QT_TRANSLATE_NOOP("Actions", "Reset values of an instance"),
       QT_TRANSLATE_NOOP("Actions", "Gives an instance the group's value of a parameter, or of all"), "", "INSTANCE [PARAMETER]", needsDocument);
  edit("group.detach", QT_TRANSLATE_NOOP("Actions", "&Detach from the group"),
       QT_TRANSLATE_NOOP("Actions", "Turns the selected instances into plain scopes that follow no group"), "", "[INSTANCE…]", needsInstance, rare);
  edit("group.to-function", QT_TRANSLATE_NOOP("Actions", "&Convert to a TensorFlow function"),
       QT_TRANSLATE_NOOP("Actions", "Writes the ops of the selected instances into the graph's library of functions, and calls them"), "", "[INSTANCE…]",
       needsInstance, rare);
  edit("group.inline", QT_TRANSLATE_NOOP("Actions", "&Inline the function"),
       QT_TRANSLATE_NOOP("Actions", "Replaces the selected call of a function by its ops"), "", "[NODE…]", needsDocument, rare);
  edit("group.expose", QT_TRANSLATE_NOOP("Actions", "Make a parameter of the group"),
       QT_TRANSLATE_NOOP("Actions", "Makes an attribute or layer parameter inside of an instance a parameter of its group"), "",
       "NODE.ATTRIBUTE [--name PARAMETER]", needsDocument);
  edit("group.declare", QT_TRANSLATE_NOOP("Actions", "Add a parameter to a group"),
       QT_TRANSLATE_NOOP("Actions", "Adds a parameter for the expressions of fields inside of a group, such as =2*units"), "",
       "GROUP NAME=VALUE… [--type TYPE]", needsDocument);
  edit("group.hide", QT_TRANSLATE_NOOP("Actions", "Remove a parameter of a group"),
       QT_TRANSLATE_NOOP("Actions", "Removes a parameter; instances keep their own values aside"), "", "GROUP PARAMETER", needsDocument);
  edit("group.default", QT_TRANSLATE_NOOP("Actions", "Change a group"),
       QT_TRANSLATE_NOOP("Actions", "Changes defaults of a group's parameters, or its description (doc); all instances follow in one step"), "",
       "GROUP NAME=VALUE…", needsDocument);
  edit("group.rename", QT_TRANSLATE_NOOP("Actions", "Rename a group"), QT_TRANSLATE_NOOP("Actions", "Renames a group; its instances keep their names"), "",
       "GROUP NEW", needsDocument);
  edit("group.remove", QT_TRANSLATE_NOOP("Actions", "Remove a group"), QT_TRANSLATE_NOOP("Actions", "Removes a group that has no instances"), "", "GROUP",
       needsDocument);
  edit("group.take", QT_TRANSLATE_NOOP("Actions", "Take a group from a library"),
       QT_TRANSLATE_NOOP("Actions", "Adds a library's group to the document; with replace, instead of another one of that name, whose instances follow"), "",
       "LIBRARY GROUP [replace]", needsDocument);

  ActionRecord save{QStringLiteral("group.save-library"),
                    QT_TRANSLATE_NOOP("Actions", "&Save groups to a library…"),
                    QT_TRANSLATE_NOOP("Actions", "Writes groups of this document to a file whose groups the palette offers in every document"),
                    {},
                    QStringLiteral("save"),
                    "[LIBRARY [GROUP…]]",
                    [&](const QStringList& a) {
                      QString path = a.value(0);
                      if (path.isEmpty()) {
                        path = askForFileToSave(shell.window(), workspace.settings(), GroupActions::tr("Save groups to a library"),
                                                QStringLiteral("groups.weftgroups"), GroupActions::tr("Libraries of groups (*.weftgroups)"));
                        if (path.isEmpty()) return CommandResult::done();
                      }
                      const PendingResult pending;
                      store.save(path, a.mid(1), pending.done());
                      return pending.later();
                    },
                    [&workspace, &store] {
                      if (!workspace.current()) return GroupActions::tr("No graph is open.");
                      return store.groups().isEmpty() ? GroupActions::tr("This document has no groups yet.") : QString();
                    }};
  save.noKey = rare;
  registry.add(std::move(save));
  ActionRecord add{QStringLiteral("group.add-library"),
                   QT_TRANSLATE_NOOP("Actions", "Add a &library of groups…"),
                   QT_TRANSLATE_NOOP("Actions", "The palette offers the groups of this file in every document"),
                   {},
                   QStringLiteral("open"),
                   "[LIBRARY]",
                   [&](const QStringList& a) {
                     const auto read = [&store, &registry](const QString& path) {
                       store.addLibrary(path, [&registry](const QString& error) {
                         if (!error.isEmpty()) emit registry.failed(error);
                       });
                     };
                     if (a.isEmpty()) {
                       askForFile(shell.window(), workspace.settings(), GroupActions::tr("Add a library of groups"), {}, filters(), read);
                       return CommandResult::done();
                     }
                     const PendingResult pending;
                     store.addLibrary(a[0], pending.done());
                     return pending.later();
                   }};
  add.noKey = rare;
  registry.add(std::move(add));
  registry.add({QStringLiteral("group.remove-library"),
                QT_TRANSLATE_NOOP("Actions", "Remove a library of groups"),
                QT_TRANSLATE_NOOP("Actions", "The palette no longer offers the groups of this file, which stays"),
                {},
                {},
                "LIBRARY",
                [&](const QStringList& a) {
                  return store.removeLibrary(a.value(0)) ? CommandResult::done()
                                                         : CommandResult::failed(GroupActions::tr("There is no library %1.").arg(a.value(0)));
                },
                [&store] { return store.libraries().isEmpty() ? GroupActions::tr("There are no libraries of groups.") : QString(); }});
  QObject::connect(&store, &GroupStore::changed, &registry, &ActionRegistry::refreshSoon);
}

}  // namespace weft::app
