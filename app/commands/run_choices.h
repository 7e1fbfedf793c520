// Curves and checkpoints of runs, offered in the window.
#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Brings the scalars to the front in the modes where they belong, Compose and Train. In other modes they would cover the present panel, so a line above the
/// canvas offers them instead.
void offerCurves(Shell& shell);
/// A menu of the checkpoints of the current document's runs, newest first. False: there are none.
bool chooseStep(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
