// State of ScalarPlot, shared by its source files.
#pragma once

#include <QAreaSeries>
#include <QChart>
#include <QChartView>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineSeries>
#include <QTimer>
#include <QToolButton>
#include <QValueAxis>
#include <vector>

#include "plot/mean_and_spread.h"
#include "plot/plot_axis.h"
#include "plot/scalar_plot.h"

namespace weft::widgets {

class ScalarPlot::Private {
public:
  struct Line {
    int id = 0, hue = 0;
    QString name;
    bool shown = true;
    std::shared_ptr<SeriesStore> store;
    std::vector<double> smooth;  ///< of the whole store, up to date after `updateSmooth`
    Smoother smoother;
    std::uint64_t smoothVersion = 0;
    QLineSeries *raw = nullptr, *curve = nullptr;
  };

  explicit Private(ScalarPlot* plot);
  void build();
  Line* find(int id);
  const Line* find(int id) const { return const_cast<Private*>(this)->find(id); }
  void addToChart(Line& line);
  void updateSmooth(Line& line);
  void schedule();
  bool onScreen() const;
  void refresh();
  void refreshLines(double x0, double x1);
  std::pair<double, double> fullX() const;
  std::pair<double, double> yRange(double x0, double x1) const;
  /// Ticks, and the plot area that leaves room for their labels.
  void layOut();
  void paintAxes(QPainter& painter) const;
  void updateTexts();
  void applyTheme();
  double toAxis(double value) const;
  double toAxisX(double x) const;
  void refreshSpread(double x0, double x1);
  void askYRange();
  void fillMenu();
  QRectF plotArea() const;
  double xAt(double pixel) const;
  double pixelAt(double x) const;
  double yPixelAt(double value) const;
  bool handle(QEvent* event);
  void paintOverlay(QPainter& painter);
  void paintReadings(QPainter& painter, double x, const QVector<Reading>& readings, double atPixel);

  ScalarPlot* q;
  std::vector<std::unique_ptr<Line>> lines;
  int nextId = 0, nextHue = 0;
  double weight = 0;
  SeriesStore::X axis = SeriesStore::X::Step;
  bool logScale = false, logScaleX = false, noOutliers = false, spread = false;
  std::optional<std::pair<double, double>> range, rangeY;
  std::vector<SpreadPoint> spreadPoints;  ///< what is drawn of mean and spread
  std::optional<double> cursor;
  double shownX0 = 0, shownX1 = 1, shownY0 = 0, shownY1 = 1;
  bool dirty = true, hovering = false, brushing = false;
  QPointF pointer, brushFrom;

  QLabel *title, *chip, *foot, *footRight;
  QWidget* legend;
  QToolButton *menu, *maximize;
  QChart* chart;
  QChartView* view;
  QValueAxis *axisX, *axisY;
  std::vector<Tick> ticksX, ticksY;
  QRectF area;
  QLineSeries *meanLine = nullptr, *lowLine = nullptr, *highLine = nullptr;
  QAreaSeries* band = nullptr;
  QWidget* overlay;
  QTimer timer;
  QElapsedTimer sinceRefresh;
};

}  // namespace weft::widgets
