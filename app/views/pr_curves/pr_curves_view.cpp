#include "views/pr_curves/pr_curves_view.h"

#include "pr_curves/pr_grid.h"

namespace weft::app {

PrCurvesView::PrCurvesView(const ViewContext& context, QWidget* parent) : PrCurvesView(context, new widgets::PrGrid, parent) {}

PrCurvesView::PrCurvesView(const ViewContext& context, widgets::PrGrid* grid, QWidget* parent)
    : RunCardsView(context, grid, SummaryKind::PrCurve, parent), grid_(grid) {
  showAll(&SummaryRun::prCurves);
  retranslate();
}

void PrCurvesView::showSeries(const SummaryRun& run, const QString& tag) {
  grid_->setSeries(run.name, run.hue, tag, run.prCurves.at(tag));
  grid_->grown(run.name, tag);
}

QString PrCurvesView::exportTag(const QString& tag, const QString& path) { return grid_->exportTag(tag, path); }

void PrCurvesView::retranslate() {
  grid_->setEmptyText(tr("No PR curves yet"), tr("Precision and recall from the pr_curves summaries of event files appear here."), tr("Open event files…"),
                      QStringLiteral("folder"));
}

const ViewRecord pr_curvesView = {"pr_curves",
                                  QT_TRANSLATE_NOOP("Views", "PR curves"),
                                  QT_TRANSLATE_NOOP("Views", "Precision over recall at the steps of a training"),
                                  "chart",
                                  Qt::BottomDockWidgetArea,
                                  "",
                                  [](const ViewContext& context, QWidget* parent) -> QWidget* { return new PrCurvesView(context, parent); }};

}  // namespace weft::app
