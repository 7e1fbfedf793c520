#pragma once

namespace weft::app {

class Shell;

/// Curves were asked for: from a layout without them to Train.
void showCurves(Shell& shell);

}  // namespace weft::app
