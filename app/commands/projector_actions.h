#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Registers the commands of the dock Projector. All arguments outlive the registry's use.
void registerProjectorActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
