#pragma once

#include <QObject>

class QWidget;

namespace weft::app {

/// Where the message bar stands: above a canvas it floats over its upper edge, so that the canvas keeps its size and zoom; every other page makes room for it, since a
/// table or a form under it could not be read.
class MessagePlace : public QObject {
  Q_OBJECT

 public:
  /// `room` is an empty widget above `pages` that takes the height of `bar` when the page makes room.
  MessagePlace(QWidget* bar, QWidget* room, QWidget* pages);
  /// `belowHeader`: pixels at the top of the page that stay free of it. Below 0: the page makes room.
  void setFloating(int belowHeader);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();

  QWidget *bar_, *room_, *pages_;
  int belowHeader_ = -1;
};

}  // namespace weft::app
