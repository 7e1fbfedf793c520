// Histograms of one tag over the steps of several runs.
#pragma once

#include <QImage>
#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

#include "histogram/histogram_series.h"
#include "plot/series_store.h"

namespace weft::widgets {

/// Shows the same data in four modes: slices behind each other (offset), on top of each other (overlay), values over steps with density as colour (heat map,
/// all steps), and the nine percentile lines (distribution). Runs lie side by side in the offset and the heat map and share one plot in the other modes. The
/// data is shared with its producer, which calls changed() when it has grown. Painted into a pixmap at most ten times a second, and not at all while hidden.
/// GUI thread.
class HistogramPlot : public QWidget {
  Q_OBJECT

 public:
  enum class Mode { Offset, Overlay, HeatMap, Distribution };

  explicit HistogramPlot(QWidget* parent = nullptr);
  ~HistogramPlot() override;

  /// `hue` is the index of the theme's data hue. Returns the line's id.
  int addSeries(const QString& name, int hue, std::shared_ptr<const HistogramSeries> series);
  void removeSeries(int id);
  void setSeriesVisible(int id, bool visible);
  void changed();
  /// Redraws at the next paint instead of the next tick (screenshots, tests).
  void refreshNow();

  void setMode(Mode mode);
  Mode mode() const;
  void setXAxis(SeriesStore::X axis);
  /// The step marked in all plots; nullopt: none.
  void setMarkedStep(std::optional<double> step);

  /// `12 steps of 2 runs, none dropped`, and the range.
  QString summaryText() const;
  QString rangeText() const;
  /// Rows of run, step, wall time, left edge, right edge, count.
  QString toCsv() const;
  /// [{"run", "step", "wall", "min", "max", "num", "sum", "sum_squares", "limits", "counts", "percentiles"}]
  QByteArray toJson() const;

  QSize sizeHint() const override { return {360, 220}; }

 signals:
  /// The pointer is at that step; nullopt: it left.
  void stepHovered(std::optional<double> step);
  /// The displayed data has changed.
  void refreshed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
