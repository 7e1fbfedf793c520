#pragma once

#include <QString>

class QWidget;

namespace weft::app {

/// Shows versions, the licences of all libraries, and the licence of Weft.
void showAbout(QWidget* parent);
/// Versions and facts on this machine, as lines of text (for bug reports).
QString versionsText();

}  // namespace weft::app
