#include "commands/parameter_actions.h"

#include <QCoreApplication>

#include "adapters/graph_edit.h"
#include "commands/pending_result.h"
#include "document/document.h"
#include "document/workspace.h"
#include "shell/action_registry.h"

namespace weft::app {
namespace {

struct ParameterActions {
  Q_DECLARE_TR_FUNCTIONS(ParameterActions)
};

}  // namespace

void registerParameterActions(ActionRegistry& registry, Workspace& workspace) {
  const auto edit = [&](const char* id, const char* text, const char* tip, const char* usage) {
    registry.add({QLatin1String(id),
                  text,
                  tip,
                  {},
                  {},
                  usage,
                  [&workspace, id](const QStringList& arguments) {
                    Document* document = workspace.current();
                    ParsedEdit parsed = editFromWords(QLatin1String(id), arguments, {}, document->folder());
                    if (!parsed.error.isEmpty()) return CommandResult::failed(parsed.error);
                    const PendingResult pending;
                    document->apply(std::move(parsed.edit), pending.done());
                    return pending.later();
                  },
                  [&workspace] { return workspace.current() ? QString() : ParameterActions::tr("No graph is open."); }});
  };
  edit("parameter.set", QT_TRANSLATE_NOOP("Actions", "Set a named value"),
       QT_TRANSLATE_NOOP("Actions", "Adds or changes a named value of the document; every field that depends on it follows in one step"),
       "NAME=EXPRESSION… [--doc TEXT]");
  edit("parameter.describe", QT_TRANSLATE_NOOP("Actions", "Describe a named value"), QT_TRANSLATE_NOOP("Actions", "Says what a named value stands for"),
       "NAME TEXT");
  edit("parameter.rename", QT_TRANSLATE_NOOP("Actions", "Rename a named value"),
       QT_TRANSLATE_NOOP("Actions", "Renames a named value, also in all expressions that use it"), "NAME NEW");
  edit("parameter.remove", QT_TRANSLATE_NOOP("Actions", "Remove a named value"), QT_TRANSLATE_NOOP("Actions", "Removes named values that nothing uses"),
       "NAME…");
  edit("parameter.follow", QT_TRANSLATE_NOOP("Actions", "Let a field follow an expression"),
       QT_TRANSLATE_NOOP("Actions", "Computes a layer's parameter, a node's attribute or a training setting from named values and other fields"),
       "FIELD=EXPRESSION…");
  edit("parameter.release", QT_TRANSLATE_NOOP("Actions", "Release a field from its expression"),
       QT_TRANSLATE_NOOP("Actions", "Fields keep their values and follow nothing any more"), "FIELD…");
}

}  // namespace weft::app
