#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Adds what concerns the way of data into a training: advice, a simulated shuffle, other forms of its files. All outlive the registry's use.
void registerDataActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
