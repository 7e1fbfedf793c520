// The timeline of a trace: tracks of nested slices, counters as areas, a ruler, marks and a measured range.
#pragma once

#include <QAbstractScrollArea>
#include <QString>
#include <QVector>
#include <memory>

#include "graph_view/frame_times.h"
#include "timeline/timeline_data.h"

namespace weft::widgets {

/// Shows a TimelineData. W S zoom, A D pan, F shows the selection, M sets a mark, dragging measures, `/` opens the search, `,` `.` go to the previous and next
/// slice, G and Shift+G to the next and previous gap, Home shows all, Ctrl+wheel zooms, Shift+wheel pans. Slices narrower than a pixel are drawn as columns with the height of their busy share, so that
/// none vanishes.
class TimelineView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit TimelineView(QWidget* parent = nullptr);
  ~TimelineView() override;

  /// Shows all of `data` with selection, marks and search reset. Null: empty.
  void setData(std::shared_ptr<const TimelineData> data);
  const TimelineData* data() const;
  /// Shows the same slices in other colours; position, selection, marks and search are kept. REQUIRES: differs from data() in categories only.
  void recolor(std::shared_ptr<const TimelineData> data);

  int selected() const;  ///< Id of a slice; -1: none.
  /// Selects without a signal. `reveal`: scrolls the slice into view.
  void select(int id, bool reveal = true);
  /// Highlights slices in addition to the selected one (others of the same node).
  void setHighlighted(const QVector<int>& ids);
  /// Arrows from the end of one slice to the start of another.
  void setFlows(const QVector<std::pair<int, int>>& flows);

  /// Draws idle times with their reasons, and lets them be selected; null: none. REQUIRES: its rows are the tracks of data(). setData() removes them.
  void setGaps(std::shared_ptr<const TimelineGaps> gaps);
  const TimelineGaps* gaps() const;
  int selectedGap() const;  ///< -1: none.
  /// Selects a gap without a signal, and no slice; -1: none. `reveal`: scrolls it into view, and zooms in if it would be narrower than a few pixels.
  void selectGap(int id, bool reveal = true);
  /// Rectangle of a gap in the viewport; empty if out of view.
  QRectF gapRect(int id) const;
  /// Selects the next or previous gap of the same track; without a selected gap, the first in view. False: there is none.
  bool selectNextGap(bool backward = false);

  /// The arrow of the data at a position in the viewport; -1: none.
  int arrowAt(QPoint at) const;
  /// The middle of an arrow in the viewport; null: it is not drawn.
  QPointF arrowMiddle(int arrow) const;

  /// Greys out slices whose names do not contain `text`; empty: no search. Returns the number of matches.
  int setSearch(const QString& text);
  /// Selects the next (or previous) match in time; false: there is none.
  bool findNext(bool backward = false);
  /// Selects the next or previous slice in the row.
  void selectNext(bool backward = false);

  double startNs() const;
  double nsPerPixel() const;
  void setRange(double fromNs, double toNs);
  void fitAll();
  /// Zooms to the selected slice with some margin, or to the measured range.
  void focusSelection();
  void zoom(double factor, double aroundNs);

  /// The measured range in nanoseconds; from >= to: none.
  std::pair<qint64, qint64> measured() const;
  void setMeasured(qint64 from, qint64 to);
  QVector<qint64> marks() const;
  void toggleMark(qint64 time);

  /// Rectangle of a slice in the viewport; empty if out of view.
  QRectF sliceRect(int id) const;
  /// Times of paint events since the last reset.
  FrameStats frameTimes() const;
  void resetFrameTimes();

 signals:
  /// By mouse or keys; -1: nothing.
  void sliceSelected(int id);
  void sliceActivated(int id);
  /// By mouse or keys.
  void gapSelected(int id);
  /// An arrow of the data was clicked.
  void arrowSelected(int arrow);
  /// The pointer is at that time; -1: outside the chart.
  void timeHovered(qint64 ns);
  /// from >= to: the range was cleared.
  void rangeMeasured(qint64 fromNs, qint64 toNs);
  void searchRequested();
  void viewChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  bool viewportEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
