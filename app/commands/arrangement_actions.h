#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Registers the commands for the drawing of the graph: by scope, layer, op type, device or depth; hidden wires; rules for helpers.
void registerArrangementActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
