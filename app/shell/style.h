#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QString>
#include <QToolBar>

namespace weft::app {

/// Pixels around the words of a combo box: padding, arrow, border.
inline constexpr int kComboFrame = 42;

/// Gives `widget` a style sheet of its own if it has another one now. Setting one sends a PaletteChange, so that a widget which answers that
/// event by setting its sheet would never end.
inline void setSheet(QWidget* widget, const QString& sheet) {
  if (widget->styleSheet() != sheet) widget->setStyleSheet(sheet);
}

/// Gives a tool bar the padding of its style sheet. Its layout asks for that when it is made, before the bar has a name that a rule could know it by, and again only if its style
/// changes while it can be seen; one that is hidden until a document is open would keep what it asked first.
inline void takeStyledMargins(QToolBar* bar) {
  bar->ensurePolished();
  QEvent changed(QEvent::StyleChange);
  QCoreApplication::sendEvent(bar, &changed);
}

}  // namespace weft::app
