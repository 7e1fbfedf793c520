// The layers of a network in two rows: the time of each in the forward pass and, beneath it, in the backward pass.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <QWidget>

namespace weft::widgets {

/// Time of a layer in one direction.
struct PassBox {
  int id = -1;  ///< The caller's id; -1: none.
  QString title, tip;
  double ns = 0;
};

struct PassBoxes {
  PassBox forward, backward;
};

/// A row of boxes joined by forward and backward arrows, each with a bar coloured by its time. Where space is short, the columns that take the least time
/// are hidden. A click or the arrow keys select a box. GUI thread.
class PassStrip : public QWidget {
  Q_OBJECT

 public:
  explicit PassStrip(QWidget* parent = nullptr);

  /// `caption`: the displayed step ("step 12", "median of 10 steps").
  void setColumns(const QVector<PassBoxes>& columns, const QString& caption);
  /// Draws the box of that id as selected; -1: none.
  void setSelected(int id);
  int selected() const { return selected_; }

  /// "conv1 1.40 ms", left to right, the forward pass first; for tests and screen readers.
  QStringList texts() const;
  /// Centre of a box; null if it is not shown.
  QPoint centreOf(int id) const;
  /// Number of columns dropped for lack of room.
  int hiddenColumns() const { return hidden_; }
  /// Height of one or two rows of boxes.
  static int heightOf(bool backward);

 signals:
  void chosen(int id);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Placed {
    PassBox box;
    QRectF rect;
    int column = 0;
    bool backward = false;
  };
  void place();
  double widthOf(const PassBoxes& column) const;
  const Placed* at(const QPoint& point) const;
  const Placed* find(int id) const;
  void paintBox(QPainter& painter, const Placed& placed) const;
  void paintWires(QPainter& painter) const;
  void paintLegend(QPainter& painter) const;
  void move(int key);

  QVector<PassBoxes> columns_;
  QVector<Placed> placed_;
  QString caption_;
  QRectF legend_;  // empty: no room
  double mostNs_ = 0, hiddenNs_ = 0;
  int selected_ = -1, hidden_ = 0;
};

}  // namespace weft::widgets
