// The scalars dock: a responsive grid of ScalarPlot cards, one per tag.
#pragma once

#include <QWidget>
#include <memory>
#include <span>

#include "plot/series_store.h"

namespace weft::widgets {

class ScalarPlot;

/// Cards in groups by the first part of the tag, with a toolbar: regex search, smoothing, x axis, log y, outliers, linked cursor.
/// Runs and tags come into being when the first sample of them arrives. Cards that are hidden or scrolled out of sight do no work.
/// GUI thread.
class ScalarGrid : public QWidget {
  Q_OBJECT

public:
  explicit ScalarGrid(QWidget* parent = nullptr);
  ~ScalarGrid() override;

  /// Number of that run, making it if it is new; runs take the theme's hues in order.
  int addRun(const QString& name);
  void removeRun(int run);
  void setRunVisible(int run, bool visible);
  void clear();

  void append(int run, const QString& tag, const Sample& sample);
  void append(int run, const QString& tag, std::span<const Sample> samples);

  QStringList tags() const;
  /// Null if there is no such tag.
  ScalarPlot* plot(const QString& tag) const;
  /// Null if that run has no such tag.
  const SeriesStore* samples(int run, const QString& tag) const;

  void setSearch(const QString& regex);
  void setSmoothing(double weight);
  double smoothing() const;
  void setXAxis(SeriesStore::X axis);
  /// Brings all visible cards up to date now (screenshots, tests).
  void refreshNow();
  /// What the empty grid says, and the label of its button (empty: none).
  void setEmptyText(const QString& title, const QString& text, const QString& button = {});

signals:
  void emptyButtonClicked();
  void smoothingChanged(double weight);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
