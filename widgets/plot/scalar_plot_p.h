// State of ScalarPlot, shared by its source files.
#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QTimer>
#include <cmath>
#include <vector>

#include "common/live_frames.h"
#include "plot/curve_points.h"
#include "plot/mean_and_spread.h"
#include "plot/plot_axis.h"
#include "plot/scalar_plot.h"

class QPainter;

namespace weft::widgets {

class ScalarPlot::Private {
 public:
  struct Line {
    int id = 0, hue = 0;
    QString name, group;
    bool shown = true;
    std::shared_ptr<SeriesStore> store;
    std::shared_ptr<const SeriesStore> lower, upper;  ///< of the band behind the line; null: none
    SmoothedCurve smooth;
    std::vector<PlotMark> marks;
    bool crowded = false;            ///< too many checkpoints to draw their lines
    CurvePoints points;              ///< as drawn
    std::uint64_t drawnVersion = 0;  ///< of the samples from which the points were computed
    std::size_t drawnSize = 0;
    const std::vector<double>& smoothed() { return smooth.update(*store); }
  };
  /// Lines that share a mean.
  struct Group {
    QString name;
    int hue = -1;  ///< -1: there is only one group
    std::vector<SpreadPoint> points;
    QColor color() const;
  };
  /// One row of the table beside the cursor.
  struct Row {
    QString name;
    QColor color;
    QString first, second;  ///< second: may be empty in all rows
    bool quiet = false;     ///< the line has no value here
  };

  explicit Private(ScalarPlot* plot);
  void build();
  void fillMenu();
  void askYRange();
  Line* find(int id);
  const Line* find(int id) const { return const_cast<Private*>(this)->find(id); }

  // scalar_chart.cpp
  /// Schedules a refresh of the chart.
  void schedule();
  /// Samples were appended and nothing else changed: they are drawn in a later frame, at the governor's rate.
  void scheduleGrown();
  bool onScreen() const;
  /// Rebuilds everything. `leaveRoom`: keeps room on the axes, so that later samples need only be added.
  void refresh(bool leaveRoom = false);
  void refreshGrown();
  /// Draws appended samples on top of the picture. Returns false if they do not fit and everything must be rebuilt.
  bool grow();
  std::pair<double, double> fullX() const;
  /// Whether the samples from `first` on lie within the drawn y range.
  bool fitsY(const Line& line, std::size_t first) const;
  std::pair<double, double> yRange(double from, double to) const;
  /// Computes ticks, and the plot area beside their labels.
  void layOut();
  void takePoints();
  void takeGroups();
  void updateTexts();
  /// Pixel of a mark; kNone: not drawn.
  double markPixel(const Line& line, const PlotMark& mark) const;
  bool crowded(const Line& line) const;
  void paintEdit(QPainter& painter, double at);
  void paintCheckpoint(QPainter& painter, double at, bool withLine);

  // chart_paint.cpp
  void paint(QPainter& painter);
  /// Paints everything right of pixel `from`; the painter is clipped to that.
  void paintChart(QPainter& painter, double from = -1);
  void paintAxes(QPainter& painter, double from);
  void paintMarks(QPainter& painter, double from);
  void paintEmpty(QPainter& painter) const;
  void paintGroups(QPainter& painter);
  void paintBands(QPainter& painter);

  // plot_overlay.cpp
  bool handle(QEvent* event);
  void paintOverlay(QPainter& painter);
  void paintReadings(QPainter& painter, double x, const QVector<Reading>& readings, double atPixel);
  void paintRows(QPainter& painter, const QString& title, const QStringList& heads, const QVector<Row>& rows, double atPixel, double top);
  struct MarkHit {
    const Line* line = nullptr;
    const PlotMark* mark = nullptr;
  };
  /// The mark at a pixel; null: none. A checkpoint is hit near its diamond or its line.
  MarkHit markAt(QPointF pixel) const;
  bool hitsDiamond(QPointF pixel) const { return std::abs(pixel.y() - scale.area.bottom()) <= 7; }

  ScalarPlot* q;
  std::vector<std::unique_ptr<Line>> lines;
  std::vector<Group> groups;  // while mean and spread are shown
  int nextId = 0, nextHue = 0;
  Smoothing smoothing;
  SeriesStore::X axis = SeriesStore::X::Step;
  bool logScale = false, logScaleX = false, noOutliers = false, spread = false, marksShown = true;
  std::optional<std::pair<double, double>> range, rangeY;
  std::optional<double> cursor;
  double fullAtRefresh = 0;         // the last x at the last rebuild
  double shownX0 = 0, shownX1 = 1;  // on the chosen axis, not logarithms
  ChartScale scale;
  bool dirty = true, grew = false, hovering = false, brushing = false;
  QPointF pointer, brushFrom;
  std::vector<Tick> ticksX, ticksY;
  QImage picture;            // of everything below the cursor; null: must be painted
  double marksFrom = kNone;  // pixel of the first mark not yet in the picture
  static constexpr double kNone = 1e9;
  bool ahead = false;  // the drawn x range has room for new samples
  FrameMember frame;
  QTimer timer, settle;  // settle: fits the axes exactly after the last growth
  QElapsedTimer sinceRefresh, sinceGrown, sinceTexts;
};

}  // namespace weft::widgets
