// The scalars dock: a responsive grid of ScalarPlot cards, one per tag.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <span>

#include "plot/series_store.h"

namespace weft::widgets {

class CardGrid;
class RunList;
class ScalarPlot;

/// Cards in groups by the first part of the tag, with a toolbar: regex search, smoothing, x axis, scales, outliers, mean and spread, linked
/// cursor, table; the list of runs beside them. Runs and tags come into being when the first sample of them arrives. Only cards in sight exist.
/// GUI thread.
class ScalarGrid : public QWidget {
  Q_OBJECT

public:
  explicit ScalarGrid(QWidget* parent = nullptr);
  ~ScalarGrid() override;

  /// Number of that run, making it if it is new; `hue`: number of its colour (-1: the run's number).
  int addRun(const QString& name, int hue = -1);
  void removeRun(int run);
  void setRunVisible(int run, bool visible);
  /// What is wrong with a run, shown in the list; empty: nothing.
  void setRunProblem(int run, const QString& problem);
  void clear();

  void append(int run, const QString& tag, const Sample& sample);
  void append(int run, const QString& tag, std::span<const Sample> samples);
  /// Shows samples that others add to, who call grown() then. Takes the place of what the run had under that tag.
  void setSeries(int run, const QString& tag, std::shared_ptr<SeriesStore> samples);
  void grown(int run, const QString& tag);
  /// Forgets all samples of a run.
  void clearRun(int run);

  QStringList tags() const;
  /// Null if there is no such tag (made if need be).
  ScalarPlot* plot(const QString& tag) const;
  /// Null if that run has no such tag.
  const SeriesStore* samples(int run, const QString& tag) const;
  RunList* runList() const;
  CardGrid* cards() const;

  void setSearch(const QString& regex);
  void setSmoothing(double weight);
  double smoothing() const;
  void setXAxis(SeriesStore::X axis);
  void setLogY(bool on);
  void setLogX(bool on);
  /// Mean and standard deviation over the runs instead of their curves.
  void setSpread(bool on);
  /// The table of smallest, largest and last values instead of the cards.
  void setTableShown(bool on);
  void setRunListShown(bool on);
  /// A cursor in all cards; nullopt: none.
  void setCursor(std::optional<double> x);
  using QWidget::setCursor;
  /// Brings all visible cards up to date now (screenshots, tests).
  void refreshNow();
  /// What the empty grid says, and the label of its button (empty: none).
  void setEmptyText(const QString& title, const QString& text, const QString& button = {});

signals:
  void emptyButtonClicked();
  void smoothingChanged(double weight);
  void cursorMoved(std::optional<double> x);
  void runVisibilityWished(int run, bool visible);
  void runRemovalWished(int run);

protected:
  void changeEvent(QEvent* event) override;

private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
