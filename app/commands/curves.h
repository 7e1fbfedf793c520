#pragma once

namespace weft::app {

class Shell;
class Workspace;

/// A training began, or event files were read: the curves come forward where they belong to the layout. Debug, Profile and Inspect stay as somebody arranged them;
/// a few words in the status bar say where the curves are.
void bringCurvesForward(Shell& shell);
/// They were asked for: from a layout without them to Train.
void showCurves(Shell& shell);

}  // namespace weft::app
