#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QString>
#include <QToolBar>

namespace weft::app {

/// Pixels around the words of a combo box: padding, arrow, border.
inline constexpr int kComboFrame = 42;

/// Sets a widget's style sheet if it differs from the present one. Setting one sends a PaletteChange, so a widget that sets its sheet on that event would loop
/// forever.
inline void setSheet(QWidget* widget, const QString& sheet) {
  if (widget->styleSheet() != sheet) widget->setStyleSheet(sheet);
}

/// Applies the style sheet's padding to a tool bar. Its layout reads the padding on creation, before the bar has the name that rules select, and again only if
/// the style changes while it is visible; a bar hidden until a document is open would keep the first value.
inline void takeStyledMargins(QToolBar* bar) {
  bar->ensurePolished();
  QEvent changed(QEvent::StyleChange);
  QCoreApplication::sendEvent(bar, &changed);
}

}  // namespace weft::app
