// What runs offer in the window around them: their curves where there is room, the steps that one can go back to.
#pragma once

namespace weft::app {

class ActionRegistry;
class Shell;
class Workspace;

/// Brings the scalars to the front in the modes where they belong, Compose and Train. In the others they would cover what one looks at there, for good:
/// a line above the canvas offers them.
void offerCurves(Shell& shell);
/// A menu of the checkpoints that the runs of the document in front have, newest first. False: there are none.
bool chooseStep(ActionRegistry& registry, Workspace& workspace, Shell& shell);

}  // namespace weft::app
