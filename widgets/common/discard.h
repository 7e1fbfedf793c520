#pragma once

#include <QPointer>
#include <QWidget>

namespace weft::widgets {

/// Hides a widget now and deletes it after the current event. Code that may run inside another widget's event must use this and never `delete`. While Qt
/// applies a style sheet, font or palette to all widgets, it walks a list of bare pointers, and a widget deleted in a changeEvent() would leave one dangling; a
/// click or key may also delete its own receiver. The widget may still be in its layout: the caller removes it, or accepts a hidden item.
inline void discard(QWidget* widget) {
  if (!widget) return;
  widget->hide();
  widget->deleteLater();
}

}  // namespace weft::widgets
