#pragma once

#include <QString>

class QWidget;

namespace weft::app {

/// Versions, licences of all libraries, and the licence of Weft.
void showAbout(QWidget* parent);
/// The same and what is known of this machine, as lines of text (bug reports).
QString versionsText();

}  // namespace weft::app
