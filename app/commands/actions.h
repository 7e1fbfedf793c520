#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;
class Document;

/// Each registers the commands of one category for registerActions() (shell/all_actions.h). All arguments outlive the registry's use.
void registerDebugActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerExportActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerEditActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerFileActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerCanvasActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerLinkActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerGraphActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerInspectActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerProfileActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerTraceActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerConsoleActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerProgramActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerRunActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerClusterActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerServerActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerSnippetActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerSettingsActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerRemoteActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerPanelActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerViewActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

void registerWindowActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
