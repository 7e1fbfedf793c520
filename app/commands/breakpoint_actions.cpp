#include "debug_commands.h"  // lupdate does not find it by its whole path

#include "document/debug_controller.h"
#include "document/document.h"
#include "document/workspace.h"

namespace weft::app {
namespace {

CommandResult breakAt(Workspace& workspace, const QStringList& arguments) {
  Breakpoint breakpoint;
  QString place;
  Document* document = workspace.current();
  for (qsizetype i = 0; i < arguments.size(); ++i) {
    QString value;
    if (takeOption(arguments, i, "--if", &value)) {
      breakpoint.condition = value.toStdString();
    } else if (takeOption(arguments, i, "--log", &value)) {
      breakpoint.log = value.toStdString();
    } else if (takeOption(arguments, i, "--hits", &value)) {
      breakpoint.fromHit = value.toLongLong();
      if (breakpoint.fromHit < 1) return CommandResult::failed(DebugActions::tr("--hits takes a number above 0, not %1.").arg(value));
    } else if (place.isEmpty() && !arguments[i].startsWith(QLatin1String("--"))) {
      place = arguments[i];
    } else {
      return CommandResult::failed(DebugActions::tr("debug.break takes NODE [--if CONDITION] [--log TEXT] [--hits N], not %1.").arg(arguments[i]));
    }
  }
  if (place.isEmpty()) place = document->selection().value(0);
  if (place.isEmpty()) return CommandResult::failed(DebugActions::tr("Select a node first."));
  if (!document->hasNode(place) && document->hasScope(place)) place += u'/';
  breakpoint.place = place.toStdString();
  return resultOf(workspace.debugger().setBreakpoint(document, breakpoint));
}

/// Sets a breakpoint on each selected node, or removes them if all have one.
CommandResult toggle(Workspace& workspace) {
  Document* document = workspace.current();
  DebugController& debug = workspace.debugger();
  for (QString place : document->selection()) {
    if (!document->hasNode(place)) place += u'/';
    int known = 0;
    for (const Breakpoint& b : debug.breakpoints(document))
      if (b.place == place.toStdString()) known = b.id;
    if (known > 0) {
      debug.removeBreakpoint(document, known);
      continue;
    }
    Breakpoint breakpoint;
    breakpoint.place = place.toStdString();
    const QString error = debug.setBreakpoint(document, breakpoint);
    if (!error.isEmpty()) return CommandResult::failed(error);
  }
  return CommandResult::done();
}

CommandResult removeBreak(Workspace& workspace, const QString& which) {
  Document* document = workspace.current();
  for (const Breakpoint& b : workspace.debugger().breakpoints(document)) {
    if (b.place != which.toStdString() && QString::number(b.id) != which) continue;
    workspace.debugger().removeBreakpoint(document, b.id);
    return CommandResult::done();
  }
  return CommandResult::failed(DebugActions::tr("There is no breakpoint %1.").arg(which));
}

}  // namespace

void registerBreakpointActions(ActionRegistry& registry, Workspace& workspace) {
  const auto needsDocument = [&workspace] { return workspace.current() ? QString() : DebugActions::tr("No graph is open."); };
  registry.add({QStringLiteral("debug.toggle-breakpoint"),
                QT_TRANSLATE_NOOP("Actions", "Toggle &breakpoint"),
                QT_TRANSLATE_NOOP("Actions", "Sets or removes a breakpoint on the selected nodes"),
                QStringLiteral("B"),
                QStringLiteral("record"),
                "",
                [&workspace](const QStringList&) { return toggle(workspace); },
                [&workspace] {
                  return !workspace.current()                         ? DebugActions::tr("No graph is open.")
                         : workspace.current()->selection().isEmpty() ? DebugActions::tr("Nothing is selected.")
                                                                      : QString();
                },
                {},
                true});
  registry.add({QStringLiteral("debug.break"),
                QT_TRANSLATE_NOOP("Actions", "Set breakpoint"),
                QT_TRANSLATE_NOOP("Actions", "Sets a breakpoint on a node, a tensor, a scope or every op"),
                {},
                {},
                "PLACE [--if CONDITION] [--log TEXT] [--hits N]",
                [&workspace](const QStringList& a) { return breakAt(workspace, a); },
                needsDocument});
  registry.add({QStringLiteral("debug.unbreak"),
                QT_TRANSLATE_NOOP("Actions", "Remove breakpoint"),
                QT_TRANSLATE_NOOP("Actions", "Removes a breakpoint"),
                {},
                {},
                "PLACE|NUMBER",
                [&workspace](const QStringList& a) { return removeBreak(workspace, a.value(0)); },
                needsDocument});
}

}  // namespace weft::app
