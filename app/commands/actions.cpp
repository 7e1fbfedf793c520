#include "commands/actions.h"

#include "commands/data_actions.h"
#include "commands/schedule_actions.h"
#include "commands/tower_actions.h"

namespace weft::app {

void registerActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  registerFileActions(registry, workspace, shell);
  registerEditActions(registry, workspace, shell);
  registerExportActions(registry, workspace, shell);
  registerCanvasActions(registry, workspace, shell);
  registerGraphActions(registry, workspace, shell);
  registerLinkActions(registry, workspace, shell);
  registerSnippetActions(registry, workspace, shell);
  registerInspectActions(registry, workspace, shell);
  registerProfileActions(registry, workspace, shell);
  registerRunActions(registry, workspace, shell);
  registerDebugActions(registry, workspace, shell);
  registerScheduleActions(registry, workspace, shell);
  registerDataActions(registry, workspace, shell);
  registerTowerActions(registry, workspace, shell);
  registerProgramActions(registry, workspace, shell);
  registerConsoleActions(registry, workspace, shell);
  registerSettingsActions(registry, workspace, shell);
  registerPanelActions(registry, workspace, shell);
  registerViewActions(registry, workspace, shell);
  registerWindowActions(registry, workspace, shell);
}

}  // namespace weft::app
