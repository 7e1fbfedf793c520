#include "views/scalars/scalars_view.h"

#include <QEvent>
#include <QVBoxLayout>

#include "commands/action_registry.h"
#include "document/run_controller.h"
#include "document/workspace.h"
#include "plot/scalar_grid.h"

namespace weft::app {

ScalarsView::ScalarsView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), grid_(new widgets::ScalarGrid(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(grid_);
  RunController& runs = context.workspace.runs();
  connect(&runs, &RunController::samplesArrived, this, &ScalarsView::add);
  connect(grid_, &widgets::ScalarGrid::emptyButtonClicked, this, [this] {
    const CommandResult result = context_.actions.run(QStringLiteral("run.train"));
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  grid_->setSmoothing(context.workspace.settings().value(QStringLiteral("scalars/smoothing"), 0.6).toDouble());
  connect(grid_, &widgets::ScalarGrid::smoothingChanged, this,
          [this](double weight) { context_.workspace.settings().setValue(QStringLiteral("scalars/smoothing"), weight); });
  for (const auto& run : runs.runs()) {
    for (const auto& [tag, series] : run->series) {
      const auto samples = series.samples();
      add(run.get(), tag, QVector<widgets::Sample>(samples.begin(), samples.end()));
    }
  }
  retranslate();
}

void ScalarsView::add(const RunRecord* run, const QString& tag, const QVector<widgets::Sample>& samples) {
  auto it = runIds_.find(run->number);
  if (it == runIds_.end()) it = runIds_.insert(run->number, grid_->addRun(run->name));
  grid_->append(*it, tag, std::span<const widgets::Sample>(samples.data(), size_t(samples.size())));
}

void ScalarsView::refreshNow() { grid_->refreshNow(); }

void ScalarsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void ScalarsView::retranslate() {
  grid_->setEmptyText(tr("No scalars yet"), tr("Loss and accuracy appear here from the first step of a training."), tr("Train"));
}

const ViewRecord scalarsView = {"scalars",
                                QT_TRANSLATE_NOOP("Views", "Scalars"),
                                QT_TRANSLATE_NOOP("Views", "Loss, accuracy and other numbers over the steps of a training"),
                                "chart",
                                Qt::BottomDockWidgetArea,
                                "compose train",
                                [](const ViewContext& context, QWidget* parent) -> QWidget* { return new ScalarsView(context, parent); }};

}  // namespace weft::app
