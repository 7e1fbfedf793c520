#pragma once

class QWidget;

namespace weft::app {

/// Versions of the program and of the libraries that it uses, and the licence.
void showAbout(QWidget* parent);

}  // namespace weft::app
