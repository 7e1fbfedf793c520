#include "commands/actions.h"
#include "shell/all_actions.h"

#include <QString>

#include "commands/arrangement_actions.h"
#include "commands/data_actions.h"
#include "commands/doctor_actions.h"
#include "commands/group_actions.h"
#include "commands/key_owners.h"
#include "commands/parameter_actions.h"
#include "commands/projector_actions.h"
#include "commands/query_actions.h"
#include "commands/schedule_actions.h"
#include "commands/sheet_actions.h"
#include "commands/tower_actions.h"
#include "commands/why_actions.h"
#include "shell/action_registry.h"

namespace weft::app {

void registerActions(ActionRegistry& registry, Workspace& workspace, Shell& shell) {
  registerFileActions(registry, workspace, shell);
  registerEditActions(registry, workspace, shell);
  registerExportActions(registry, workspace, shell);
  registerCanvasActions(registry, workspace, shell);
  registerArrangementActions(registry, workspace, shell);
  registerGraphActions(registry, workspace, shell);
  registerLinkActions(registry, workspace, shell);
  registerSnippetActions(registry, workspace, shell);
  registerGroupActions(registry, workspace, shell);
  registerParameterActions(registry, workspace);
  registerInspectActions(registry, workspace, shell);
  registerProfileActions(registry, workspace, shell);
  registerTraceActions(registry, workspace, shell);
  registerRunActions(registry, workspace, shell);
  registerServerActions(registry, workspace, shell);
  registerClusterActions(registry, workspace, shell);
  registerDebugActions(registry, workspace, shell);
  registerScheduleActions(registry, workspace, shell);
  registerDoctorActions(registry, workspace, shell);
  registerWhyActions(registry, workspace, shell);
  registerQueryActions(registry, workspace, shell);
  registerSheetActions(registry, workspace, shell);
  registerDataActions(registry, workspace, shell);
  registerTowerActions(registry, workspace, shell);
  registerProgramActions(registry, workspace, shell);
  registerConsoleActions(registry, workspace, shell);
  registerSettingsActions(registry, workspace, shell);
  registerProjectorActions(registry, workspace, shell);
  registerPanelActions(registry, workspace, shell);
  registerRemoteActions(registry, workspace, shell);
  registerViewActions(registry, workspace, shell);
  registerWindowActions(registry, workspace, shell);
  KeyOwners& keys = KeyOwners::of(registry);
  // While the debugger is active, it takes the keys that it shares with training.
  keys.yield(QStringLiteral("run.train"), QStringLiteral("debug.continue"));
  keys.yield(QStringLiteral("run.step"), QStringLiteral("debug.step-op"));
  keys.yield(QStringLiteral("run.steps"), QStringLiteral("debug.run-to"));
  keys.yield(QStringLiteral("run.stop"), QStringLiteral("debug.stop"));
  keys.yield(QStringLiteral("inspect.compare"), QStringLiteral("edit.duplicate"));
}

}  // namespace weft::app
