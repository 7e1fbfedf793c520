// Ways from one thing to what belongs to it: an op and its gradient, what was done and the script that does it again.
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <algorithm>

#include "commands/action_registry.h"
#include "commands/actions.h"
#include "commands/command_words.h"
#include "document/document.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "main_window/shell.h"

namespace weft::app {
namespace {

struct LinkActions {
  Q_DECLARE_TR_FUNCTIONS(LinkActions)
};

constexpr const char* kGradients = "gradients";
constexpr const char* kOfOp = "_grad";

bool isGradientScope(const QString& part) {
  return part == QLatin1String(kGradients) || part.startsWith(QLatin1String("gradients_"));
}

/// TensorFlow's names: the gradient of the op a/b lies in SCOPE/gradients/a/b_grad, so that of the scope a in SCOPE/gradients/a.
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

CommandResult copyCommands(const ActionRegistry& registry, const QStringList& words) {
  bool ok = true;
  const int wanted = words.isEmpty() ? 1 : words.first().toInt(&ok);
  if (!ok || wanted < 1) return CommandResult::failed(LinkActions::tr("%1 is no number of commands.").arg(words.first()));
  QStringList lines;
  for (auto given = registry.history().rbegin(); given != registry.history().rend() && lines.size() < wanted; ++given)
    if (given->ok && given->id != QLatin1String("edit.copy-commands") && registry.contains(given->id))
      lines.prepend(commandLine(given->id, given->arguments));
  if (lines.isEmpty()) return CommandResult::failed(LinkActions::tr("Nothing was done yet."));
  QGuiApplication::clipboard()->setText(lines.join(u'\n') + u'\n');
  return CommandResult::done();
}

}  // namespace

void registerLinkActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  const auto needsCanvas = [&shell] { return shell.canvas() ? QString() : LinkActions::tr("No graph is shown."); };
  registry.add({QStringLiteral("graph.go-gradient"),
                QT_TRANSLATE_NOOP("Actions", "To the gradient, or &back"),
                QT_TRANSLATE_NOOP(
                    "Actions", "Goes from an op or scope to the ops of its gradient, and from there to what it is the gradient of"),
                QStringLiteral("Ctrl+Alt+G"),
                {},
                "[NAME]",
                [&](const QStringList& a) { return goToGradient(workspace, shell, a); },
                needsCanvas});
  registry.add(
      {QStringLiteral("edit.copy-commands"), QT_TRANSLATE_NOOP("Actions", "Copy as a comm&and"),
       QT_TRANSLATE_NOOP("Actions", "Copies what was done last as a line for weft-studio --script; with a number, so many lines"),
       QStringLiteral("Ctrl+Alt+Shift+C"), QStringLiteral("copy"), "[COUNT]",
       [&registry](const QStringList& a) { return copyCommands(registry, a); }});
}

}  // namespace weft::app
