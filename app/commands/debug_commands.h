// What the debugger's commands share.
#pragma once

#include <QCoreApplication>
#include <QStringList>

#include "shell/action_registry.h"

namespace weft::app {

class Workspace;

/// Their texts.
struct DebugActions {
  Q_DECLARE_TR_FUNCTIONS(DebugActions)
};

inline CommandResult resultOf(const QString& error) { return error.isEmpty() ? CommandResult::done() : CommandResult::failed(error); }

/// Whether option `name` is at `i` with a value, which is taken.
inline bool takeOption(const QStringList& arguments, qsizetype& i, const char* name, QString* value) {
  if (arguments[i] != QLatin1String(name) || i + 1 >= arguments.size()) return false;
  *value = arguments[++i];
  return true;
}

/// debug.toggle-breakpoint, debug.break, debug.unbreak.
void registerBreakpointActions(ActionRegistry& registry, Workspace& workspace);

}  // namespace weft::app
