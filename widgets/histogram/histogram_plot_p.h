// State of HistogramPlot, shared by its source files.
#pragma once

#include <QPainter>
#include <vector>

#include "common/live_frames.h"
#include "histogram/histogram_plot.h"

namespace weft::widgets {

class HistogramPlot::Private {
 public:
  struct Line {
    int id = 0, hue = 0;
    QString name;
    bool shown = true;
    std::shared_ptr<const HistogramSeries> series;
    std::vector<std::array<double, 9>> percentiles;  ///< of the steps, up to date after `update`
    std::uint64_t version = 0;
    void update();
    /// For each step, the share of its values in each of `bins` bins from `low` to `high`, one step after another. Only new steps are computed while range and
    /// bins stay the same.
    const std::vector<float>& shares(double low, double high, int bins);

    std::vector<float> binned;
    double binnedLow = 0, binnedHigh = 0;
    int binnedBins = 0;
    std::uint64_t binnedVersion = 0;
  };
  /// Where a slice was drawn, for hit tests.
  struct Spot {
    const Line* line = nullptr;
    std::size_t index = 0;
    QRectF area;
  };

  explicit Private(HistogramPlot* plot);
  std::vector<Line*> shown() const;
  double x(const Line& line, std::size_t i) const;
  /// Number of steps, and how many of them contain NaN or infinite values.
  std::pair<qint64, qint64> brokenSteps() const;
  std::pair<double, double> xRange() const;
  std::pair<double, double> valueRange() const;
  /// The columns and bins of a line's heat map, relative to the maximum (0…1); negative: no step.
  std::vector<float> heat(Line& line, int columns, int bins) const;
  void render();
  void drawOffset(QPainter& p, const QRectF& area);
  void drawOverlay(QPainter& p, const QRectF& area);
  void drawHeatMap(QPainter& p, const QRectF& area);
  void drawDistribution(QPainter& p, const QRectF& area);
  void drawValueAxis(QPainter& p, const QRectF& area, bool horizontal) const;
  void drawStepAxis(QPainter& p, const QRectF& area) const;
  void drawReading(QPainter& p) const;
  void drawStepChip(QPainter& p, const Spot& spot) const;
  std::optional<Spot> spotAt(QPointF at) const;
  double pixelOfValue(double value, const QRectF& area, bool horizontal) const;
  double pixelOfX(double value, const QRectF& area) const;

  HistogramPlot* q;
  std::vector<std::unique_ptr<Line>> lines;
  int nextId = 0;
  Mode mode = Mode::Offset;
  SeriesStore::X axis = SeriesStore::X::Step;
  std::optional<double> marked;
  std::optional<QPointF> pointer;
  bool dirty = true;
  QImage picture;
  std::vector<Spot> spots;
  std::pair<double, double> steps{0, 1}, values{0, 1};
  FrameMember frame;
};

/// At most `most` evenly spaced indices of 0 … count - 1, including the first and the last.
std::vector<std::size_t> evenly(std::size_t count, std::size_t most);

}  // namespace weft::widgets
