#pragma once

namespace weft::app {

class Shell;

/// Shows the curves on request; switches from a layout without them to Train.
void showCurves(Shell& shell);

}  // namespace weft::app
