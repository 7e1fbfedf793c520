#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Adds the view of one tower after the other. All outlive the registry's use.
void registerTowerActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
