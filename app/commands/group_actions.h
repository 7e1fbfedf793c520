#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Groups as functions: making and changing them, and libraries of groups.
void registerGroupActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
