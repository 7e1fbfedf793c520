#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// How the graph is drawn: by scope, layer, op type, device or depth; hidden wires; rules for helpers.
void registerArrangementActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
