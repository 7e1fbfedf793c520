// State of ScalarPlot, shared by its source files.
#pragma once

#include <QElapsedTimer>
#include <QImage>
#include <QTimer>
#include <vector>

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
    SmoothedCurve smooth;
    std::vector<PlotMark> marks;
    CurvePoints points;  ///< as they are drawn
    const std::vector<double>& smoothed() { return smooth.update(*store); }
  };
  /// Lines that share a mean.
  struct Group {
    QString name;
    int hue = -1;  ///< -1: there is one group only
    std::vector<SpreadPoint> points;
    QColor color() const;
  };
  /// One line of the table beside the cursor.
  struct Row {
    QString name;
    QColor color;
    QString first, second;  ///< second: may be empty in all rows
  };

  explicit Private(ScalarPlot* plot) : q(plot) {}
  void build();
  void fillMenu();
  void askYRange();
  Line* find(int id);
  const Line* find(int id) const { return const_cast<Private*>(this)->find(id); }

  // scalar_chart.cpp
  /// Brings the chart up to date soon. `grown`: only because there are more samples; then as often as two hundredths of the processors allow for all
  /// charts in sight together, twice a second at least.
  void schedule(bool grown = false);
  int grownFrameMs() const;
  bool onScreen() const;
  void refresh();
  std::pair<double, double> fullX() const;
  std::pair<double, double> yRange(double from, double to) const;
  /// Ticks, and the area that leaves room for their labels.
  void layOut();
  void takePoints();
  void takeGroups();
  void updateTexts();

  // chart_paint.cpp
  void paint(QPainter& painter);
  void paintChart(QPainter& painter);
  void paintAxes(QPainter& painter);
  void paintMarks(QPainter& painter);
  void paintGroups(QPainter& painter);

  // plot_overlay.cpp
  bool handle(QEvent* event);
  void paintOverlay(QPainter& painter);
  void paintReadings(QPainter& painter, double x, const QVector<Reading>& readings, double atPixel);
  void paintRows(QPainter& painter, const QString& title, const QStringList& heads, const QVector<Row>& rows, double atPixel, double top);
  /// The mark at a pixel, as words; empty: none.
  QString markAt(QPointF pixel) const;

  ScalarPlot* q;
  std::vector<std::unique_ptr<Line>> lines;
  std::vector<Group> groups;  // while mean and spread are shown
  int nextId = 0, nextHue = 0;
  Smoothing smoothing;
  SeriesStore::X axis = SeriesStore::X::Step;
  bool logScale = false, logScaleX = false, noOutliers = false, spread = false, marksShown = true;
  std::optional<std::pair<double, double>> range, rangeY;
  std::optional<double> cursor;
  double shownX0 = 0, shownX1 = 1;  // on the axis that was asked for, not logarithms
  ChartScale scale;
  bool dirty = true, hovering = false, brushing = false;
  QPointF pointer, brushFrom;
  std::vector<Tick> ticksX, ticksY;
  QImage picture;  // of what lies below the cursor; null: to be painted
  /// Processor time of this thread.
  static double threadMs();
  double refreshMs = 0, costMs = 0;  // of the last refresh; of a picture with its painting, lately
  bool counted = false;              // among those in sight
  inline static int inSight = 0;
  void setInSight(bool on) {
    inSight += int(on) - int(counted);
    counted = on;
  }
  QTimer timer;
  QElapsedTimer sinceRefresh;
};

}  // namespace weft::widgets
