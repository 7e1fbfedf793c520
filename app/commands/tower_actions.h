#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Registers the commands to view one tower after another. All arguments outlive the registry's use.
void registerTowerActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
