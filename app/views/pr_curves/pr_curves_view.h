#pragma once

#include "views/run_cards_view.h"

namespace weft::widgets {
class PrGrid;
}

namespace weft::app {

/// Precision over recall that runs logged.
class PrCurvesView : public RunCardsView {
  Q_OBJECT

 public:
  PrCurvesView(const ViewContext& context, QWidget* parent);

 public slots:
  /// Writes the card of a tag in the format of the path's extension. Returns an error sentence, or empty.
  QString exportTag(const QString& tag, const QString& path);

 private:
  PrCurvesView(const ViewContext& context, widgets::PrGrid* grid, QWidget* parent);
  void showSeries(const SummaryRun& run, const QString& tag) override;
  void retranslate() override;

  widgets::PrGrid* grid_;
};

extern const ViewRecord pr_curvesView;

}  // namespace weft::app
