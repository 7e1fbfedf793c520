#pragma once

#include <QBasicTimer>
#include <QImage>
#include <QWidget>
#include <functional>
#include <optional>

#include "scatter/scatter_drawing.h"

namespace weft::widgets {

/// Points in two or three dimensions. The wheel zooms at the pointer. Dragging moves the points, or turns them in three dimensions (Shift or the middle button moves);
/// with the tools Rectangle and Lasso, or Ctrl (rectangle) and Ctrl+Shift (lasso), it selects. A click selects a point, Ctrl+click adds it. Arrow keys, +, -, Home and
/// Escape do the same. A very large cloud in three dimensions is drawn in part while it moves, and completed once it rests. GUI thread.
class ScatterPlot : public QWidget {
  Q_OBJECT

 public:
  enum class Tool { Move, Rectangle, Lasso };

  explicit ScatterPlot(QWidget* parent = nullptr);

  /// Shows other points. The view is kept if `keepView` and both clouds have as many dimensions, and the selection if they have as many rows.
  void setCloud(ScatterCloudPtr cloud, bool keepView = false);
  const ScatterCloudPtr& cloud() const { return cloud_; }
  /// The hue of each row, 0 to 255, and what the hues look like; empty: all points have one colour.
  void setHues(std::vector<uint8_t> hues, std::function<QColor(int)> colorOf);
  /// The text of a row, for tooltips and points that stand alone. Called while painting.
  void setTexts(std::function<QString(int)> textOf);
  /// The picture of a row, shown instead of the point when zoomed in; null pictures are points. Called while painting.
  void setPictures(std::function<QImage(int)> pictureOf);
  void setTool(Tool tool);
  Tool tool() const { return tool_; }

  /// Rows, ascending.
  const std::vector<int32_t>& selection() const { return selection_; }
  void setSelection(std::vector<int32_t> rows);
  /// The row that was clicked last; -1: none.
  int current() const { return current_; }
  void setCurrent(int row);
  /// Rows with a ring, such as neighbours of the current one.
  void setRinged(std::vector<int32_t> rows);

  const ScatterView& view() const { return view_; }
  void fit();
  /// Brings rows into the view.
  void showRows(const std::vector<int32_t>& rows);
  void zoomAt(QPointF pixel, double factor);
  void moveBy(QPointF pixels);
  void turnBy(double right, double down);  ///< In degrees.
  /// Where a row is; nothing if it has no point.
  std::optional<QPointF> pixelOf(int row) const;
  int rowAt(QPointF pixel) const;
  QSize sizeHint() const override { return {480, 360}; }

 signals:
  /// The user or a call has changed the selection.
  void selectionChanged();
  void currentChanged(int row);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void timerEvent(QTimerEvent* event) override;

 private:
  enum class Drag { None, Pressed, Move, Turn, Rectangle, Lasso };
  void updatePaint();
  void markSelection(bool chosen);
  void startFine();
  void updateColors();
  void updateTool();
  void changed();
  void hover(QPointF at, QPoint global);
  void endSelecting(bool add);
  void drawClose(QPainter& painter, const ScatterProjection& projection);
  void drawRing(QPainter& painter, const ScatterProjection& projection, int row, double radius, const QPen& pen);
  ScatterProjection projection() const { return ScatterProjection(*cloud_, view_, size()); }

  ScatterCloudPtr cloud_;
  ScatterView view_;
  bool fitted_ = true;  // nothing has been moved since the view was fitted
  std::vector<uint8_t> hues_;
  std::function<QColor(int)> colorOf_;
  std::function<QString(int)> textOf_;
  std::function<QImage(int)> pictureOf_;
  ScatterPaint paint_;
  ScatterDrawing drawing_;
  QImage image_;
  bool imageValid_ = false;
  QImage fine_;  // becomes the picture when all slices are drawn
  ScatterDrawing fineDrawing_;
  int slice_ = 0;
  QBasicTimer rest_, slices_;
  Tool tool_ = Tool::Move;
  std::vector<int32_t> selection_, ringed_;
  int current_ = -1, hovered_ = -1;
  Drag drag_ = Drag::None;
  Qt::KeyboardModifiers pressedWith_;
  Qt::MouseButton pressedButton_ = Qt::NoButton;
  QPointF pressed_, last_;
  QPolygonF lasso_;
};

}  // namespace weft::widgets
