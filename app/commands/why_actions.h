#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Questions about the numbers of a training.
void registerWhyActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
