#include "views/pr_curves/pr_curves_view.h"

#include <QEvent>
#include <QVBoxLayout>
#include <optional>

#include "document/workspace.h"
#include "pr_curves/pr_grid.h"
#include "views/run_cards.h"

namespace weft::app {

PrCurvesView::PrCurvesView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), grid_(new widgets::PrGrid(this)) {
  setProperty("helpPage", QStringLiteral("panels"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(grid_);
  connectRunCards(grid_, context, QStringLiteral("panels.open-logdir"));
  const Summaries& summaries = context.workspace.summaries();
  connect(&summaries, &Summaries::grown, this, [this](int run, SummaryKind kind, const QString& tag) {
    if (kind == SummaryKind::PrCurve) showSeries(run, tag);
  });
  connect(&summaries, &Summaries::cursorMoved, grid_, &widgets::PrGrid::followCursor);
  for (const auto& run : summaries.runs()) {
    if (run->foreign) continue;
    for (const auto& [tag, series] : run->prCurves) showSeries(run->id, tag);
  }
  retranslate();
}

void PrCurvesView::showSeries(int run, const QString& tag) {
  const SummaryRun* r = context_.workspace.summaries().run(run);
  if (!r) return;
  grid_->setSeries(r->name, r->hue, tag, r->prCurves.at(tag));
  grid_->grown(r->name, tag);
}

void PrCurvesView::refreshNow() { grid_->refreshNow(); }

QString PrCurvesView::exportTag(const QString& tag, const QString& path) { return grid_->exportTag(tag, path); }

bool PrCurvesView::setOption(const QString& option) {
  if (option == QLatin1String("newest")) {
    grid_->setStep(std::nullopt);
    return true;
  }
  bool isNumber = false;
  const double step = option.mid(5).toDouble(&isNumber);
  if (!option.startsWith(QLatin1String("step ")) || !isNumber) return false;
  grid_->setStep(step);
  return true;
}

void PrCurvesView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

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
