#pragma once

#include <QPixmap>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <QVector>
#include <QWidget>
#include <memory>

#include "graph_view/frame_times.h"

namespace weft::widgets {

/// A tensor's place in an arena.
struct MemoryBlock {
  QString tensor, node;
  QString opCategory;  ///< of the theme; empty: none
  qint64 offset = 0, bytes = 0;
  int first = 0, last = 0;  ///< steps in which it is needed, both inclusive
};

/// The places of tensors in an arena over a schedule. Immutable once shown.
struct MemoryMapData {
  QStringList steps;            ///< the op that runs in each
  QVector<MemoryBlock> blocks;  ///< any order
  QVector<qint64> inUse;        ///< bytes, per step
  qint64 arenaBytes = 0, leastBytes = 0;
};

/// Draws blocks as rectangles, steps to the right and offsets upwards; above them, in bytes, the curve of memory in use, the arena's size and the lower bound.
/// W S zoom, A D pan, Home shows all, F the selected block, Ctrl+wheel zooms, Shift+wheel pans, arrow keys move between blocks. A block is at least a pixel
/// high and wide, so that all can be seen and hit. GUI thread.
class MemoryMap : public QWidget {
  Q_OBJECT

 public:
  explicit MemoryMap(QWidget* parent = nullptr);

  /// Shows all of `data` with nothing selected. Null: empty.
  void setData(std::shared_ptr<const MemoryMapData> data);
  const MemoryMapData* data() const { return data_.get(); }

  /// Highlights blocks; emits no signal.
  void setSelected(const QVector<int>& blocks);
  const QVector<int>& selected() const { return selected_; }
  /// The block at a point, the smallest of several; -1: none.
  int blockAt(QPointF place) const;
  /// The rectangle of a block; empty if out of view.
  QRectF blockRect(int block) const;
  /// Text shown beside the pointer for a block, and for a step.
  QString describe(int block) const;
  QString describeStep(int step) const;
  /// Visible steps: [from, to).
  void setRange(double from, double to);
  std::pair<double, double> range() const { return {from_, to_}; }
  /// Times of paint events since the last reset.
  FrameStats frameTimes() const { return times_.stats(); }

  QSize sizeHint() const override { return {480, 200}; }
  QSize minimumSizeHint() const override { return {160, 72}; }

 signals:
  /// By mouse or keys.
  void blockClicked(int block);
  void blockActivated(int block);

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  QRectF plot() const;
  double xOf(double step) const;
  double yOf(double bytes) const;
  QRectF rectOf(const MemoryBlock& block) const;
  void paintBlocks(QPainter& p) const;
  void paintName(QPainter& p, const MemoryBlock& block, const QColor& ground) const;
  void paintAxes(QPainter& p) const;
  void paintCurve(QPainter& p) const;
  void paintLegend(QPainter& p) const;
  void zoom(double factor, double aroundStep);
  void hover(int block, QPointF place);
  void goTo(int block);
  /// From the selected block: the next one in time, or the one above it at the same time.
  int neighbour(int key) const;
  void changed();

  std::shared_ptr<const MemoryMapData> data_;
  QVector<int> selected_, byTime_;
  double from_ = 0, to_ = 1;
  int hovered_ = -1, hoveredStep_ = -1;
  QPixmap picture_;  // everything except hover and selection; null: must be drawn
  FrameTimes times_;
};

}  // namespace weft::widgets
