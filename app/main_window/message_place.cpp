#include "main_window/message_place.h"

#include <QEvent>
#include <QLayout>
#include <QWidget>

namespace weft::app {

MessagePlace::MessagePlace(QWidget* bar, QWidget* room, QWidget* pages) : QObject(bar), bar_(bar), room_(room), pages_(pages) {
  room_->setFixedHeight(0);
  for (QWidget* each : {bar_, pages_}) each->installEventFilter(this);
  place();
}

void MessagePlace::setFloating(int belowHeader) {
  belowHeader_ = belowHeader;
  place();
}

void MessagePlace::place() {
  const bool shown = !bar_->isHidden();
  const int width = pages_->width();
  const int height = bar_->hasHeightForWidth() ? bar_->heightForWidth(width) : bar_->sizeHint().height();
  room_->setFixedHeight(shown && belowHeader_ < 0 ? height : 0);
  if (!shown) return;
  const QPoint top = belowHeader_ < 0 ? room_->pos() : pages_->pos() + QPoint(0, belowHeader_);
  bar_->setGeometry(top.x(), top.y(), width, height);
  bar_->raise();
}

bool MessagePlace::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::LayoutRequest:
    case QEvent::Move:
    case QEvent::Resize:
      // Moves of the bar itself are caused by this class.
      if (watched == pages_ || event->type() != QEvent::Move) place();
      break;
    default: break;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace weft::app
