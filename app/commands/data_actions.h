#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Registers the commands for data input: advice, a simulated shuffle, file conversion. All arguments outlive the registry's use.
void registerDataActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
