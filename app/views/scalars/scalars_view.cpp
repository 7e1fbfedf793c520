#include "views/scalars/scalars_view.h"

#include <QEvent>
#include <QVBoxLayout>

#include "commands/action_registry.h"
#include "common/card_export.h"
#include "common/card_grid.h"
#include "document/workspace.h"
#include "plot/scalar_grid.h"
#include "plot/scalar_plot.h"

namespace weft::app {

ScalarsView::ScalarsView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), grid_(new widgets::ScalarGrid(this)) {
  setProperty("helpPage", QStringLiteral("panels"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(grid_);
  Summaries& summaries = context.workspace.summaries();
  Settings& settings = context.workspace.settings();
  connect(&summaries, &Summaries::runAdded, this, &ScalarsView::addRun);
  connect(&summaries, &Summaries::runChanged, this, [this, &summaries](int run) {
    const SummaryRun* r = summaries.run(run);
    if (!r || !ids_.contains(run)) return;
    grid_->setRunVisible(ids_[run], r->visible);
    grid_->setRunProblem(ids_[run], r->problem);
  });
  connect(&summaries, &Summaries::runRestarted, this, [this](int run) {
    if (ids_.contains(run)) grid_->clearRun(ids_[run]);
  });
  connect(&summaries, &Summaries::runRemoved, this, [this](int run) {
    if (ids_.contains(run)) grid_->removeRun(ids_.take(run));
  });
  connect(&summaries, &Summaries::grown, this, [this](int run, SummaryKind kind, const QString& tag) {
    if (kind == SummaryKind::Scalar) showSeries(run, tag);
  });
  connect(grid_, &widgets::ScalarGrid::runVisibilityWished, this, [this, &summaries](int id, bool visible) { summaries.setRunVisible(ids_.key(id, -1), visible); });
  connect(grid_, &widgets::ScalarGrid::runRemovalWished, this, [this, &summaries](int id) { summaries.removeRun(ids_.key(id, -1)); });
  connect(grid_, &widgets::ScalarGrid::cursorMoved, &summaries, &Summaries::setCursor);
  connect(grid_, &widgets::ScalarGrid::emptyButtonClicked, this, [this] {
    const CommandResult result = context_.actions.run(QStringLiteral("run.train"));
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  grid_->setSmoothing(settings.value(QStringLiteral("scalars/smoothing"), 0.6).toDouble());
  connect(grid_, &widgets::ScalarGrid::smoothingChanged, this, [&settings](double weight) { settings.setValue(QStringLiteral("scalars/smoothing"), weight); });
  for (const auto& run : summaries.runs()) {
    addRun(run->id);
    for (const auto& [tag, series] : run->scalars) showSeries(run->id, tag);
  }
  retranslate();
}

void ScalarsView::addRun(int run) {
  const SummaryRun* r = context_.workspace.summaries().run(run);
  if (r && !ids_.contains(run)) ids_.insert(run, grid_->addRun(r->name, r->id));
}

void ScalarsView::showSeries(int run, const QString& tag) {
  const SummaryRun* r = context_.workspace.summaries().run(run);
  if (!r || !ids_.contains(run)) return;
  const auto it = r->scalars.find(tag);
  if (it == r->scalars.end()) return;
  grid_->setSeries(ids_[run], tag, it->second);
  grid_->grown(ids_[run], tag);
}

void ScalarsView::refreshNow() { grid_->refreshNow(); }

void ScalarsView::showTag(const QString& tag) {
  grid_->setTableShown(false);
  grid_->cards()->scrollTo(tag);
}

QString ScalarsView::exportTag(const QString& tag, const QString& path) {
  widgets::ScalarPlot* plot = grid_->plot(tag);
  if (!plot) return tr("There is no series %1; there are %2.").arg(tag, grid_->tags().join(QStringLiteral(", ")));
  plot->refreshNow();
  return widgets::exportCard(plot, path, [plot] { return plot->toCsv().toUtf8(); }, [plot] { return plot->toJson(); });
}

bool ScalarsView::setOption(const QString& option) {
  using X = widgets::SeriesStore::X;
  bool isNumber = false;
  const double weight = option.toDouble(&isNumber);
  if (isNumber) grid_->setSmoothing(weight);
  else if (option == QLatin1String("table") || option == QLatin1String("cards")) grid_->setTableShown(option == QLatin1String("table"));
  else if (option == QLatin1String("spread") || option == QLatin1String("curves")) grid_->setSpread(option == QLatin1String("spread"));
  else if (option == QLatin1String("log-y")) grid_->setLogY(true);
  else if (option == QLatin1String("log-x")) grid_->setLogX(true);
  else if (option == QLatin1String("linear")) grid_->setLogX(false), grid_->setLogY(false);
  else if (option == QLatin1String("step")) grid_->setXAxis(X::Step);
  else if (option == QLatin1String("relative")) grid_->setXAxis(X::Relative);
  else if (option == QLatin1String("wall")) grid_->setXAxis(X::Wall);
  else return false;
  return true;
}

void ScalarsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void ScalarsView::retranslate() {
  grid_->setEmptyText(tr("No scalars yet"), tr("Loss and accuracy appear here from the first step of a training. Event files that you open are shown here too."), tr("Train"));
}

const ViewRecord scalarsView = {"scalars",
                                QT_TRANSLATE_NOOP("Views", "Scalars"),
                                QT_TRANSLATE_NOOP("Views", "Loss, accuracy and other numbers over the steps of a training"),
                                "chart",
                                Qt::BottomDockWidgetArea,
                                "compose train",
                                [](const ViewContext& context, QWidget* parent) -> QWidget* { return new ScalarsView(context, parent); }};

}  // namespace weft::app
