// The histograms dock: a card per tag, with all runs in it.
#pragma once

#include <memory>
#include <optional>

#include "common/card_panel.h"
#include "histogram/histogram_plot.h"

namespace weft::widgets {

/// Cards out of sight do no work. GUI thread.
class HistogramGrid : public CardPanel {
  Q_OBJECT

 public:
  explicit HistogramGrid(QWidget* parent = nullptr);
  ~HistogramGrid() override;

  /// Adds the histograms of a run and tag, or takes over another series for them; `hue` is the number of the run's colour.
  void setSeries(const QString& run, int hue, const QString& tag, std::shared_ptr<const HistogramSeries> series);
  void grown(const QString& run, const QString& tag);
  void removeRun(const QString& run);
  void setRunVisible(const QString& run, bool visible);

  void setMode(HistogramPlot::Mode mode);
  HistogramPlot::Mode mode() const;
  void setXAxis(SeriesStore::X axis);
  /// Shows whether saturated units are measured; the switch asks by saturationAsked().
  void setSaturationOn(bool on);
  void setMarkedStep(std::optional<double> step);
  void scrollTo(const QString& tag);
  QStringList tags() const;
  /// Null if there is no such tag (made if need be).
  HistogramPlot* plot(const QString& tag);
  /// The card around it.
  QWidget* card(const QString& tag);
  /// Brings all visible cards up to date now (screenshots, tests).
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
