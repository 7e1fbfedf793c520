#pragma once

#include <functional>

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;
class Document;

/// Adds every command of the program. One function for each category, each in its own source; all arguments outlive the registry's use.
void registerActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerDebugActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerExportActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerEditActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerFileActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerCanvasActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerLinkActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerGraphActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerInspectActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerProfileActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerConsoleActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerProgramActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerRunActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerSnippetActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerSettingsActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerPanelActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);
void registerViewActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

void registerWindowActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

/// Says that documents of a session that was ended from outside can be recovered, if there are any.
void offerRecovery(ActionRegistry& registry, Workspace& workspace, Shell& shell);

/// Asks what becomes of unsaved work and of a training, saves what is to be saved, then calls `go`; never, if the answer was to stay.
void confirmQuit(Workspace& workspace, Shell& shell, std::function<void()> go);

}  // namespace weft::app
