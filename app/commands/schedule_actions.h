#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Adds what is drawn over the steps of a training that does not take place. All outlive the registry's use.
void registerScheduleActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
