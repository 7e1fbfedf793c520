#pragma once

#include <QString>
#include <QWidget>

namespace weft::app {

/// Gives `widget` a style sheet of its own if it has another one now. Setting one sends a PaletteChange, so that a widget which answers that
/// event by setting its sheet would never end.
inline void setSheet(QWidget* widget, const QString& sheet) {
  if (widget->styleSheet() != sheet) widget->setStyleSheet(sheet);
}

}  // namespace weft::app
