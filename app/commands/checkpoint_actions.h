#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Registers the commands that write edited copies of the checkpoint in front and find values under other names. All arguments outlive the registry's use.
void registerCheckpointActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
