// The histograms dock: a card per tag, with all runs in it.
#pragma once

#include <memory>
#include <optional>

#include "common/card_panel.h"
#include "histogram/histogram_plot.h"

namespace weft::widgets {

/// Cards out of view do no work. GUI thread.
class HistogramGrid : public CardPanel {
  Q_OBJECT

 public:
  explicit HistogramGrid(QWidget* parent = nullptr);
  ~HistogramGrid() override;

  /// Adds the histograms of a run and tag, or replaces their series; `hue` is the index of the run's colour.
  void setSeries(const QString& run, int hue, const QString& tag, std::shared_ptr<const HistogramSeries> series);
  void grown(const QString& run, const QString& tag);
  void removeRun(const QString& run);
  void setRunVisible(const QString& run, bool visible);

  void setMode(HistogramPlot::Mode mode);
  HistogramPlot::Mode mode() const;
  void setXAxis(SeriesStore::X axis);
  /// Shows whether saturation is measured; the switch emits saturationAsked().
  void setSaturationOn(bool on);
  void setMarkedStep(std::optional<double> step);
  void scrollTo(const QString& tag);
  QStringList tags() const;
  /// The plot of a tag, created if necessary. Null if there is no such tag.
  HistogramPlot* plot(const QString& tag);
  /// The card around it.
  QWidget* card(const QString& tag);
  /// Refreshes all visible cards now (screenshots, tests).
  void refreshNow();

 signals:
  void modeChanged(weft::widgets::HistogramPlot::Mode mode);
  void stepHovered(std::optional<double> step);
  void saturationAsked(bool on);

 protected:
  QWidget* makeCard(const QString& tag, QWidget* parent) override;
  void retranslate() override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
