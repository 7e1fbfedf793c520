// The timeline of a trace: tracks of nested slices, counters as areas, a ruler, marks and a measured range.
#pragma once

#include <QAbstractScrollArea>
#include <QString>
#include <QVector>
#include <memory>

#include "graph_view/frame_times.h"
#include "timeline/timeline_data.h"

namespace weft::widgets {

/// Shows a TimelineData. W S zoom, A D pan, F shows the selection, M sets a mark, drag measures, `/` asks for a search, `,` `.` go to the
/// previous and next slice, Home shows all, Ctrl+wheel zooms, Shift+wheel pans. Slices that are narrower than a pixel are drawn as columns
/// whose height is the busy share, so that none vanishes.
class TimelineView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit TimelineView(QWidget* parent = nullptr);
  ~TimelineView() override;

  /// Null: empty. Shows all of it; selection, marks and search begin anew.
  void setData(std::shared_ptr<const TimelineData> data);
  const TimelineData* data() const;
  /// The same slices in other colours: place, selection, marks and search stay. REQUIRES: nothing but categories differs from data().
  void recolor(std::shared_ptr<const TimelineData> data);

  int selected() const;  ///< Id of a slice; -1: none.
  /// Without a signal. `reveal`: scrolls it into sight.
  void select(int id, bool reveal = true);
  /// Slices that stand out beside the selected one (others of the same node).
  void setHighlighted(const QVector<int>& ids);
  /// Arrows from the end of one slice to the start of another.
  void setFlows(const QVector<std::pair<int, int>>& flows);

  /// Slices whose names contain `text` stay coloured, all others turn grey; empty: no search. Returns how many slices match.
  int setSearch(const QString& text);
  /// Selects the next match (or the one before) in time; false: there is none.
  bool findNext(bool backward = false);
  /// The slice after or before the selected one in its row.
  void selectNext(bool backward = false);

  double startNs() const;
  double nsPerPixel() const;
  void setRange(double fromNs, double toNs);
  void fitAll();
  /// The selected slice with some room around it, or the measured range.
  void focusSelection();
  void zoom(double factor, double aroundNs);

  /// The measured range in nanoseconds; from >= to: none.
  std::pair<qint64, qint64> measured() const;
  void setMeasured(qint64 from, qint64 to);
  QVector<qint64> marks() const;
  void toggleMark(qint64 time);

  /// Rectangle of a slice in the viewport; empty if it is not in sight.
  QRectF sliceRect(int id) const;
  /// Times of the paint events since the last reset.
  FrameStats frameTimes() const;
  void resetFrameTimes();

 signals:
  /// By mouse or keys; -1: nothing.
  void sliceSelected(int id);
  void sliceActivated(int id);
  /// The pointer is at that time; -1: it is nowhere in the chart.
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
