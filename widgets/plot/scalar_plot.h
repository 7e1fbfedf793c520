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

/// An event of a run at a step, drawn as a vertical line.
struct PlotMark {
  enum class Kind { Checkpoint, Edit } kind = Kind::Checkpoint;
  double step = 0;
  QString text;        ///< one line, shown on hover
  QString offer = {};  ///< what a click on it does; empty: nothing
  bool operator==(const PlotMark&) const = default;
};

/// Lines over step, relative time or wall time, with the raw values drawn faintly behind the smoothed ones. At most about 2,000 points per line are drawn,
/// whatever the series' length. New data is shown at most 30 times a second, if the frames have room for it (common/live_frames.h), and not at all while
/// hidden. New samples are drawn on top of the existing picture, on an axis with some room ahead; when no more arrive, the axis is fitted. GUI thread.
///
/// Mouse: drag = zoom to that range, double-click = fit, wheel with Ctrl = zoom at the pointer; hovering reads all runs at the step below the pointer; a click
/// on a checkpoint emits markClicked().
class ScalarPlot : public PlotCard {
  Q_OBJECT

 public:
  explicit ScalarPlot(QWidget* parent = nullptr);
  ~ScalarPlot() override;

  /// Adds a line and returns its id. `hue` is the index of the theme's hue (-1: the next one).
  int addSeries(const QString& name, int hue = -1);
  /// Adds a line over samples owned by others, who call changed() after adding.
  int addSeries(const QString& name, int hue, std::shared_ptr<SeriesStore> samples);
  void changed();
  void removeSeries(int id);
  void clear();
  int seriesCount() const;
  void setSeriesVisible(int id, bool visible);
  void setSeriesName(int id, const QString& name);
  QColor seriesColor(int id) const;
  /// Fills the space between two other series behind the line, at the steps that both have.
  void setBand(int id, std::shared_ptr<const SeriesStore> lower, std::shared_ptr<const SeriesStore> upper);
  /// Lines of one group share mean and spread; initially all are in the group "".
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
  /// Shows the mean of each group's visible lines with one standard deviation on either side, in front of the lines.
  void setSpread(bool on);
  bool spread() const;
  /// The visible y range; nullopt: fitted to the values.
  void setYRange(std::optional<std::pair<double, double>> range);
  std::optional<std::pair<double, double>> yRange() const;
  /// Fits y to the 5th to 95th percentile instead of the extremes.
  void setIgnoreOutliers(bool on);
  bool ignoreOutliers() const;
  /// The visible x range; nullopt: everything, following new data.
  void setXRange(std::optional<std::pair<double, double>> range);
  std::optional<std::pair<double, double>> xRange() const;
  /// A vertical cursor shared by all cards; nullopt hides it.
  void setCursor(std::optional<double> x);
  using QWidget::setCursor;

  /// The value of a visible line at x; sorted by distance to `y`, lines without a value last.
  struct Reading {
    /// Logged: there is a sample at x. Between: interpolated between two samples. None: the line has no value there.
    enum class Kind { Logged, Between, None } kind;
    int id;
    QString name;
    QColor color;
    double value, smoothed;  ///< NaN: none
    double first, last;      ///< start and end of the line
  };
  QVector<Reading> readingAt(double x, double y) const;
  /// The cursor position for a pixel of the body: the nearest sample within a few pixels, otherwise the whole step below the pixel.
  double cursorAt(double pixel) const;
  /// The step of the sample nearest to `x`, for time axes; nullopt: there are no samples.
  std::optional<double> stepAt(double x) const;
  /// A group's drawn mean and spread at x.
  struct GroupReading {
    QString name;
    QColor color;
    double x, mean, deviation;
    int runs;
  };
  QVector<GroupReading> groupsAt(double x) const;
  /// Number of drawn points over all lines (raw and smoothed).
  int drawnPoints() const;
  /// Number of samples of a line at the chart's last refresh.
  std::size_t drawnSamples(int id) const;
  /// Refreshes the chart now instead of at the next tick (screenshots, tests).
  void refreshNow();

  /// Writes the card as a PNG at twice its resolution.
  bool exportPng(const QString& path) const;
  bool exportSvg(const QString& path) const;
  /// Writes every sample: run, step, wall time, value, smoothed value; if a line has a band, also lower and upper, empty where the band has no sample at that
  /// step.
  bool exportCsv(const QString& path) const;
  QString toCsv() const;
  /// [{"run", "steps", "wall_times", "values", "smoothed"}], of lines with a band also "lower" and "upper" (null: no sample at that step)
  QByteArray toJson() const;

  QSize sizeHint() const override;

 signals:
  /// The pointer is at that x in the plot; nullopt: it left.
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
