#pragma once

namespace weft::app {

class ActionRegistry;
class Workspace;

/// Registers the commands on the graphs and session runs in event files. Both arguments outlive the registry's use.
void registerEventActions(ActionRegistry& registry, Workspace& workspace);

}  // namespace weft::app
