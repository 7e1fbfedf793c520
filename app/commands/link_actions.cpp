// Navigation between related things: an op and its gradient, similar nodes, commands given and a script that repeats them.
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <algorithm>

#include "adapters/property_list.h"
#include "adapters/summary_nodes.h"
#include "commands/actions.h"
#include "document/document.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "shell/action_registry.h"
#include "shell/command_words.h"
#include "shell/shell.h"

namespace weft::app {
namespace {

struct LinkActions {
  Q_DECLARE_TR_FUNCTIONS(LinkActions)
};

constexpr const char* kGradients = "gradients";
constexpr const char* kOfOp = "_grad";

bool isGradientScope(const QString& part) { return part == QLatin1String(kGradients) || part.startsWith(QLatin1String("gradients_")); }

/// The forward op of a gradient. By TensorFlow's names, the gradient of op a/b is in SCOPE/gradients/a/b_grad, so that of scope a is in SCOPE/gradients/a.
QString forwardOf(const Document& document, const QString& name) {
  const QStringList parts = name.split(u'/');
  const auto at = std::find_if(parts.begin(), parts.end(), isGradientScope);
  if (at == parts.end()) return {};
  QStringList rest(at + 1, parts.end());
  for (qsizetype i = 0; i < rest.size(); ++i) {
    if (!rest[i].endsWith(QLatin1String(kOfOp))) continue;
    const QString op = (rest.mid(0, i) << rest[i].chopped(qsizetype(qstrlen(kOfOp)))).join(u'/');
    if (document.hasNode(op) || document.hasScope(op)) return op;
  }
  for (; !rest.isEmpty(); rest.removeLast()) {
    const QString scope = rest.join(u'/');
    if (document.hasScope(scope) || document.hasNode(scope)) return scope;
  }
  return {};
}

QString gradientOf(const Document& document, const QString& name) {
  for (const auto& scope : document.contents()->arrays.scopes) {
    if (!isGradientScope(scope.name.mid(scope.name.lastIndexOf(u'/') + 1))) continue;
    for (const QString& there : {scope.name + u'/' + name + QLatin1String(kOfOp), scope.name + u'/' + name})
      if (document.hasScope(there) || document.hasNode(there)) return there;
  }
  return {};
}

CommandResult goToGradient(Workspace& workspace, Shell& shell, const QStringList& words) {
  const Document& document = *workspace.current();
  const QString name = words.isEmpty() ? document.selection().value(0) : words.first();
  if (name.isEmpty()) return CommandResult::failed(LinkActions::tr("Nothing is selected."));
  if (!document.hasNode(name) && !document.hasScope(name))
    return CommandResult::failed(LinkActions::tr("There is no node or scope %1 in this graph.").arg(name));
  QString there = forwardOf(document, name);
  if (there.isEmpty()) there = gradientOf(document, name);
  if (there.isEmpty()) return CommandResult::failed(LinkActions::tr("There is no gradient of %1 in this graph.").arg(name));
  shell.canvas()->selectNames({there});
  shell.canvas()->fitSelection();
  return CommandResult::done();
}

/// Nodes and scopes similar to `name`: layers of its kind; scopes of its structure; the node at the same position in all scopes of the same structure as its
/// nearest enclosing one, or, if there is only one such scope, all nodes of its op.
QStringList alike(const Document& document, const QString& name) {
  const GraphContents& contents = *document.contents();
  const auto& scopes = contents.arrays.scopes;
  QStringList out;
  if (!document.hasNode(name)) {
    const auto& own = scopes[size_t(document.scopeIndex(name))];
    const QString kind = own.layer ? layerDetails(contents, name).kind : QString();
    for (const auto& scope : scopes)
      if (own.layer ? scope.layer && layerDetails(contents, scope.name).kind == kind : !scope.layer && own.structure >= 0 && scope.structure == own.structure)
        out << scope.name;
    return out;
  }
  const auto& nodes = contents.arrays.nodes;
  const auto& node = nodes[size_t(document.nodeIndex(name))];
  for (int around = node.scope; around >= 0; around = scopes[size_t(around)].parent) {
    const int structure = scopes[size_t(around)].structure;
    if (structure < 0) continue;
    const QString rest = name.mid(scopes[size_t(around)].name.size());
    for (const auto& scope : scopes) {
      const int there = scope.structure == structure ? document.nodeIndex(scope.name + rest) : -1;
      if (there >= 0 && nodes[size_t(there)].op == node.op) out << scope.name + rest;
    }
    if (out.size() > 1) return out;
    out.clear();
  }
  for (const auto& other : nodes)
    if (other.op == node.op) out << other.name;
  return out;
}

CommandResult selectAlike(Workspace& workspace, Shell& shell, const QStringList& words) {
  const Document& document = *workspace.current();
  const QString name = words.isEmpty() ? document.selection().value(0) : words.first();
  if (name.isEmpty()) return CommandResult::failed(LinkActions::tr("Nothing is selected."));
  if (!document.hasNode(name) && !document.hasScope(name))
    return CommandResult::failed(LinkActions::tr("There is no node or scope %1 in this graph.").arg(name));
  const QStringList names = alike(document, name);
  if (names.size() < 2) return CommandResult::failed(LinkActions::tr("Nothing else in this graph has the same structure as %1.").arg(name));
  shell.canvas()->selectNames(names);
  return CommandResult::done();
}

/// Goes from a panel's card to the op whose output it logs.
CommandResult goToTag(Workspace& workspace, Shell& shell, const QStringList& words) {
  if (words.isEmpty()) return CommandResult::failed(LinkActions::tr("graph.go-tag takes the tag of a card."));
  const Document& document = *workspace.current();
  QString there = nodeOfTag(*document.contents(), words.first());
  if (there.isEmpty() && document.hasScope(words.first())) there = words.first();
  if (there.isEmpty()) return CommandResult::failed(LinkActions::tr("No op of this graph is logged as %1.").arg(words.first()));
  shell.canvas()->selectNames({there});
  shell.canvas()->fitSelection();
  return CommandResult::done();
}

CommandResult copyCommands(const ActionRegistry& registry, const QStringList& words) {
  bool ok = true;
  const int wanted = words.isEmpty() ? 1 : words.first().toInt(&ok);
  if (!ok || wanted < 1) return CommandResult::failed(LinkActions::tr("%1 is not a number of commands.").arg(words.first()));
  QStringList lines;
  for (auto given = registry.history().rbegin(); given != registry.history().rend() && lines.size() < wanted; ++given)
    if (given->ok && given->id != QLatin1String("edit.copy-commands") && registry.contains(given->id)) lines.prepend(commandLine(given->id, given->arguments));
  if (lines.isEmpty()) return CommandResult::failed(LinkActions::tr("No command has run yet."));
  QGuiApplication::clipboard()->setText(lines.join(u'\n') + u'\n');
  return CommandResult::done();
}

}  // namespace

void registerLinkActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  const auto needsCanvas = [&shell] { return shell.canvas() ? QString() : LinkActions::tr("No graph is shown."); };
  registry.add({QStringLiteral("graph.go-gradient"),
                QT_TRANSLATE_NOOP("Actions", "To gradient and &back"),
                QT_TRANSLATE_NOOP("Actions", "Goes from an op or scope to the ops of its gradient, and back"),
                QStringLiteral("Ctrl+Alt+G"),
                {},
                "[NAME]",
                [&](const QStringList& a) { return goToGradient(workspace, shell, a); },
                needsCanvas});
  registry.add(
      {QStringLiteral("graph.select-alike"),
       QT_TRANSLATE_NOOP("Actions", "Select a&like"),
       QT_TRANSLATE_NOOP("Actions", "Selects everything with the same structure as the selected layer, scope or node, to edit it together in the inspector"),
       QStringLiteral("Ctrl+Alt+A"),
       {},
       "[NAME]",
       [&](const QStringList& a) { return selectAlike(workspace, shell, a); },
       needsCanvas});
  registry.add({QStringLiteral("graph.go-tag"),
                QT_TRANSLATE_NOOP("Actions", "Go to op of a tag"),
                QT_TRANSLATE_NOOP("Actions", "Selects the op whose tensor is logged by a scalar, histogram, image or text"),
                {},
                {},
                "TAG",
                [&](const QStringList& a) { return goToTag(workspace, shell, a); },
                needsCanvas});
  registry.add({QStringLiteral("edit.copy-commands"), QT_TRANSLATE_NOOP("Actions", "Copy as a comm&and"),
                QT_TRANSLATE_NOOP("Actions", "Copies the last action as a line for weft-studio --script; a number copies that many"),
                QStringLiteral("Ctrl+Alt+Shift+C"), QStringLiteral("copy"), "[COUNT]",
                [&registry](const QStringList& a) { return copyCommands(registry, a); }});
}

}  // namespace weft::app
