#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Commands for runs that have ended: name them, show their curves, open their folder, remove them. RUN is the number of a run of this session, or the folder
/// name of an earlier one.
void registerArchiveActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
