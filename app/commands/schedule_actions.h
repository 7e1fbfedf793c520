#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Registers the charts of numbers over a simulated schedule. All arguments outlive the registry's use.
void registerScheduleActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
