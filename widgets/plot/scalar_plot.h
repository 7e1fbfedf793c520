// A card with curves of one tag, one per run.
#pragma once

#include <QColor>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "common/plot_card.h"
#include "plot/series_store.h"
#include "plot/smoothing.h"

namespace weft::widgets {

/// Something that happened to a run at a step, drawn as a vertical line.
struct PlotMark {
  enum class Kind { Checkpoint, Edit } kind = Kind::Checkpoint;
  double step = 0;
  QString text;        ///< one line, for who points at it
  QString offer = {};  ///< what a click on it does, in words; empty: nothing
  bool operator==(const PlotMark&) const = default;
};

/// Lines over step, relative time or wall time; the raw values ghosted behind the smoothed ones. At most about 2,000 points per line are drawn,
/// whatever the series holds. New data is shown at most 30 times a second, as far as the frames have room for it (common/live_frames.h), and not at
/// all while hidden: what is new is drawn on top of what is there, on an axis with some room ahead; when nothing more comes it is fitted. GUI thread.
///
/// Mouse: drag = zoom to that range, double-click = fit, wheel with Ctrl = zoom at the pointer; hovering reads all runs at the
/// step below the pointer; a click on a checkpoint asks for it by markClicked().
class ScalarPlot : public PlotCard {
  Q_OBJECT

 public:
  explicit ScalarPlot(QWidget* parent = nullptr);
  ~ScalarPlot() override;

  /// Adds a line; returns its id. The colour is the theme's hue number `hue` (-1: the next one).
  int addSeries(const QString& name, int hue = -1);
  /// A line over samples that others add to; they call changed() then.
  int addSeries(const QString& name, int hue, std::shared_ptr<SeriesStore> samples);
  void changed();
  void removeSeries(int id);
  void clear();
  int seriesCount() const;
  void setSeriesVisible(int id, bool visible);
  void setSeriesName(int id, const QString& name);
  QColor seriesColor(int id) const;
  /// Lines of the same group share a mean and spread; all are of the group "" at first.
  void setGroup(int id, const QString& group);
  void setMarks(int id, const std::vector<PlotMark>& marks);
  void setMarksShown(bool on);

  /// Adds samples and schedules a repaint.
  void append(int id, const Sample& sample);
  void append(int id, std::span<const Sample> samples);
  /// Replaces all samples of a line.
  void setSamples(int id, SeriesStore samples);
  const SeriesStore& samples(int id) const;

  void setSmoothing(const Smoothing& smoothing);
  const Smoothing& smoothing() const;
  void setXAxis(SeriesStore::X axis);
  SeriesStore::X xAxis() const;
  void setLogY(bool on);
  bool logY() const;
  void setLogX(bool on);
  bool logX() const;
  /// The mean of each group's visible lines with one standard deviation either side, in front of the lines.
  void setSpread(bool on);
  bool spread() const;
  /// The y range that is shown; nullopt: what the values take.
  void setYRange(std::optional<std::pair<double, double>> range);
  std::optional<std::pair<double, double>> yRange() const;
  /// Y range from the 5th to the 95th percentile instead of the extremes.
  void setIgnoreOutliers(bool on);
  bool ignoreOutliers() const;
  /// The x range that is shown; nullopt: everything, and following new data.
  void setXRange(std::optional<std::pair<double, double>> range);
  std::optional<std::pair<double, double>> xRange() const;
  /// A vertical cursor shared by all cards; nullopt hides it.
  void setCursor(std::optional<double> x);
  using QWidget::setCursor;

  /// What every visible line has at x, the one nearest to `y` first and those without a value last.
  struct Reading {
    /// Logged: there is a sample at x. Between: x lies between two samples, the value on the line from one to the other. None: the
    /// line has nothing there.
    enum class Kind { Logged, Between, None } kind;
    int id;
    QString name;
    QColor color;
    double value, smoothed;  ///< NaN: none
    double first, last;      ///< where the line begins and ends
  };
  QVector<Reading> readingAt(double x, double y) const;
  /// The cursor's place for a pixel of the body: the nearest sample within a few pixels, else the whole step below the pixel.
  double cursorAt(double pixel) const;
  /// The step of the sample nearest to `x`, for axes that are no steps; nullopt: there are no samples.
  std::optional<double> stepAt(double x) const;
  /// Mean and spread of a group at x, as they are drawn.
  struct GroupReading {
    QString name;
    QColor color;
    double x, mean, deviation;
    int runs;
  };
  QVector<GroupReading> groupsAt(double x) const;
  /// Points that are drawn, over all lines (raw and smoothed).
  int drawnPoints() const;
  /// Samples of a line that the chart shows: those it had when it was last brought up to date.
  std::size_t drawnSamples(int id) const;
  /// Brings the chart up to date now instead of at the next tick (screenshots, tests).
  void refreshNow();

  /// The card as it looks, at twice the resolution.
  bool exportPng(const QString& path) const;
  bool exportSvg(const QString& path) const;
  /// Every sample: run, step, wall time, value, smoothed value.
  bool exportCsv(const QString& path) const;
  QString toCsv() const;
  /// [{"run", "steps", "wall_times", "values", "smoothed"}]
  QByteArray toJson() const;

  QSize sizeHint() const override;

 signals:
  /// The pointer moved over the plot, at that x; nullopt when it left.
  void cursorMoved(std::optional<double> x);
  void xRangeChanged(std::optional<std::pair<double, double>> range);
  /// A checkpoint of that line was clicked.
  void markClicked(int id, double step);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
