// The scalars dock: a responsive grid of ScalarPlot cards, one per tag.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/card_panel.h"
#include "plot/series_store.h"
#include "plot/smoothing.h"

namespace weft::widgets {

class RunList;
class ScalarPlot;
struct PlotMark;

/// Cards in groups by the first part of the tag, with a bar: search, smoothing, x axis, scales, outliers, mean and spread, linked cursor, marks, table; the
/// list of runs beside them. Runs and tags are created with their first sample. Only visible cards exist. GUI thread.
class ScalarGrid : public CardPanel {
  Q_OBJECT

 public:
  explicit ScalarGrid(QWidget* parent = nullptr);
  ~ScalarGrid() override;

  /// Returns the index of a run, creating it if it is new; `hue`: index of its colour (-1: the run's index).
  int addRun(const QString& name, int hue = -1);
  void removeRun(int run);
  void renameRun(int run, const QString& name);
  void setRunVisible(int run, bool visible);
  /// Sets a run's problem, shown in the list; empty: none.
  void setRunProblem(int run, const QString& problem);
  /// Checkpoints and edits, drawn in every card with a curve of the run.
  void setRunMarks(int run, const std::vector<PlotMark>& marks);
  void clear();

  void append(int run, const QString& tag, const Sample& sample);
  void append(int run, const QString& tag, std::span<const Sample> samples);
  /// Shows samples owned by others, who call grown() after adding. Replaces the run's samples of that tag.
  void setSeries(int run, const QString& tag, std::shared_ptr<SeriesStore> samples);
  void grown(int run, const QString& tag);
  /// Forgets all samples of a run.
  void clearRun(int run);

  QStringList tags() const;
  /// The plot of a tag, created if necessary. Null if there is no such tag.
  ScalarPlot* plot(const QString& tag) const;
  /// Null if that run has no such tag.
  const SeriesStore* samples(int run, const QString& tag) const;
  RunList* runList() const;

  void setSmoothing(const Smoothing& smoothing);
  const Smoothing& smoothing() const;
  void setXAxis(SeriesStore::X axis);
  void setLogY(bool on);
  void setLogX(bool on);
  void setIgnoreOutliers(bool on);
  /// Shows mean and standard deviation over the runs in front of their curves, one per group defined by the run list's filter.
  void setSpread(bool on);
  void setMarksShown(bool on);
  void setCursorLinked(bool on);
  /// Shows the table of smallest, largest and last values instead of the cards.
  void setTableShown(bool on);
  void setRunListShown(bool on);
  /// Sets the cursor of all cards; nullopt: none.
  void setCursor(std::optional<double> x);
  using QWidget::setCursor;
  /// Follows another panel's cursor; only while the cursor is linked and the x axis shows steps.
  void followStep(std::optional<double> step);
  /// Refreshes all visible cards now (screenshots, tests).
  void refreshNow();

 signals:
  void smoothingChanged(const weft::widgets::Smoothing& smoothing);
  /// The pointer is on that step while the cursor is linked; nullopt: it left.
  void cursorMoved(std::optional<double> step);
  void checkpointClicked(int run, double step);
  void runListShownChanged(bool shown);
  void runVisibilityRequested(int run, bool visible);
  void runRemovalRequested(int run);

 protected:
  QWidget* makeCard(const QString& tag, QWidget* parent) override;
  void cardDropped(const QString& tag) override;
  void searched(const QRegularExpression& expression) override;
  void retranslate() override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
