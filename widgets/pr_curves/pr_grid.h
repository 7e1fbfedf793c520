#pragma once

#include <memory>

#include "common/run_card_panel.h"
#include "pr_curves/pr_series.h"

namespace weft::widgets {

class PrPlot;

/// A card per tag and run with precision over recall at the chosen step; the curves of other visible runs are drawn behind. GUI thread.
class PrGrid : public RunCardPanel {
  Q_OBJECT

 public:
  explicit PrGrid(QWidget* parent = nullptr);
  ~PrGrid() override;

  void setSeries(const QString& run, int hue, const QString& tag, std::shared_ptr<const PrSeries> series);
  QStringList tags() const;
  /// Writes the first shown card of that tag. Returns an error sentence, or empty.
  QString exportTag(const QString& tag, const QString& path);
  /// The drawing in a card; null: there is none, or its run is hidden.
  PrPlot* plot(const QString& run, const QString& tag);

 protected:
  QWidget* makeCard(const QString& key, QWidget* parent) override;
  std::vector<double> stepsOf(const QString& key) override;
  void refreshCard(const QString& key) override;
  void forget(const QString& key) override;
  void refreshed() override;
  void retranslate() override;

 private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
