#pragma once

#include <QString>

#include "shell/action_registry.h"

namespace weft::app {

class Shell;
class Workspace;

/// Colours the canvas by a column of numbers of the last result; empty: its last one.
CommandResult colorByQuery(Workspace& workspace, Shell& shell, const QString& column);

/// Queries, and what can be done with the nodes of their results.
void registerQueryActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
