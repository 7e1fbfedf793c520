#pragma once

#include <QObject>

class QWidget;

namespace weft::app {

/// The position of the message bar: it floats over the upper edge of a canvas, so that the canvas keeps its size and zoom; every other page makes room for it,
/// because a table or form beneath it could not be read.
class MessagePlace : public QObject {
  Q_OBJECT

 public:
  /// `room` is an empty widget above `pages` that takes the height of `bar` when the page makes room.
  MessagePlace(QWidget* bar, QWidget* room, QWidget* pages);
  /// `belowHeader`: height at the top of the page that the bar must not cover. Negative: the page makes room.
  void setFloating(int belowHeader);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();

  QWidget *bar_, *room_, *pages_;
  int belowHeader_ = -1;
};

}  // namespace weft::app
