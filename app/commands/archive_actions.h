#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// What can be done with a run that has ended: name it, show its curves, open its folder, remove it. RUN is the number of a run of this start, or the
/// name of the folder of an earlier one.
void registerArchiveActions(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
