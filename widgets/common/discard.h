#pragma once

#include <QPointer>
#include <QWidget>

namespace weft::widgets {

/// Takes a widget away now and destroys it when the present event is through. Whatever can run inside an event of somebody else goes this way and never through `delete`: while Qt
/// gives all widgets another style sheet, font or palette it goes through a list of bare pointers, which a widget that dies in a changeEvent() leaves dangling; and what a click
/// or a key throws away may be what got it. The layout must not count it any more: the caller takes it out, or lives with one that is hidden.
inline void discard(QWidget* widget) {
  if (!widget) return;
  widget->hide();
  widget->deleteLater();
}

}  // namespace weft::widgets
