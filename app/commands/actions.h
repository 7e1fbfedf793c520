#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;
class Document;

/// Adds every command of the program. One function for each category, each in its own source; all arguments outlive the registry's use.
void registerActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerFileActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerGraphActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerInspectActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerRunActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerSettingsActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerViewActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

/// Asks whether unsaved documents may be lost and a training stopped; true: go on. Asks nothing in scripts (settings in memory).
bool confirmQuit(Workspace& workspace, Shell& shell);

}  // namespace weft::app
