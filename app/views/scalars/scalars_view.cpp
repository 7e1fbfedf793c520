#include "views/scalars/scalars_view.h"

#include <QEvent>
#include <QVBoxLayout>

#include "commands/action_registry.h"
#include "common/card_export.h"
#include "common/card_grid.h"
#include "common/format.h"
#include "document/workspace.h"
#include "plot/run_list.h"
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
  connect(grid_, &widgets::ScalarGrid::nodeWanted, this, [this](const QString& tag) {
    const CommandResult result = context_.actions.run(QStringLiteral("graph.go-tag"), {tag});
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  connect(grid_, &widgets::ScalarGrid::emptyButtonClicked, this, [this] {
    const CommandResult result = context_.actions.run(QStringLiteral("run.train"));
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  widgets::Smoothing smoothing{widgets::Smoothing::Kind::Ema, settings.value(QStringLiteral("scalars/smoothing"), 0.6).toDouble()};
  widgets::smoothingKind(settings.value(QStringLiteral("scalars/smoothing-kind")).toString(), &smoothing.kind);
  grid_->setSmoothing(smoothing);
  connect(grid_, &widgets::ScalarGrid::smoothingChanged, this, [&settings](const widgets::Smoothing& s) {
    settings.setValue(QStringLiteral("scalars/smoothing"), s.strength);
    settings.setValue(QStringLiteral("scalars/smoothing-kind"), widgets::smoothingName(s.kind));
  });
  connect(&context.workspace.runs(), &RunController::runChanged, this, &ScalarsView::showMarks);
  for (const auto& run : summaries.runs()) {
    addRun(run->id);
    for (const auto& [tag, series] : run->scalars) showSeries(run->id, tag);
  }
  for (const auto& run : context.workspace.runs().runs()) showMarks(run->number);
  retranslate();
}

void ScalarsView::addRun(int run) {
  const SummaryRun* r = context_.workspace.summaries().run(run);
  if (r && !ids_.contains(run)) ids_.insert(run, grid_->addRun(r->name, r->id));
}

/// Checkpoints and edits of a training, in the cards of its curves.
void ScalarsView::showMarks(int number) {
  const RunRecord* record = context_.workspace.runs().run(number);
  const SummaryRun* run = record ? context_.workspace.summaries().run(record->name) : nullptr;
  if (!run || !ids_.contains(run->id)) return;
  // A training that goes on has a few checkpoints more each time.
  Marks& kept = marks_[number];
  if (kept.edits != record->edits.size() || kept.checkpoints > record->checkpoints.size()) kept = {};
  for (; kept.checkpoints < record->checkpoints.size(); ++kept.checkpoints) {
    const qint64 step = record->checkpoints[kept.checkpoints].step;
    kept.marks.insert(kept.marks.begin() + kept.checkpoints, {widgets::PlotMark::Kind::Checkpoint, double(step), tr("checkpoint at step %1").arg(widgets::formatCount(step))});
  }
  for (; kept.edits < record->edits.size(); ++kept.edits) {
    const RunRecord::Edit& e = record->edits[kept.edits];
    kept.marks.push_back({widgets::PlotMark::Kind::Edit, double(e.step), tr("%1 is %2 from step %3 on").arg(e.name, widgets::formatValue(e.value)).arg(e.step + 1)});
  }
  grid_->setRunMarks(ids_[run->id], kept.marks);
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
  const QStringList words = option.split(u' ');
  widgets::Smoothing smoothing = grid_->smoothing();
  bool isNumber = false;
  const double strength = words.last().toDouble(&isNumber);
  if (isNumber) smoothing.strength = strength;
  if (words.size() <= 2 && (isNumber || words.size() == 1) && ((isNumber && words.size() == 1) || widgets::smoothingKind(words[0], &smoothing.kind))) grid_->setSmoothing(smoothing);
  else if (words[0] == QLatin1String("search")) grid_->setSearch(option.mid(7));
  else if (words[0] == QLatin1String("groups")) grid_->runList()->setFilter(option.mid(7));
  else if (words[0] == QLatin1String("cursor") && words.size() == 2) grid_->setCursor(isNumber ? std::optional(strength) : std::nullopt);
  else if (option == QLatin1String("5-95") || option == QLatin1String("all-values")) grid_->setIgnoreOutliers(option == QLatin1String("5-95"));
  else if (option == QLatin1String("events") || option == QLatin1String("no-events")) grid_->setMarksShown(option == QLatin1String("events"));
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
  for (const int number : marks_.keys()) {
    marks_.remove(number);
    showMarks(number);
  }
}

const ViewRecord scalarsView = {"scalars",
                                QT_TRANSLATE_NOOP("Views", "Scalars"),
                                QT_TRANSLATE_NOOP("Views", "Loss, accuracy and other numbers over the steps of a training"),
                                "chart",
                                Qt::BottomDockWidgetArea,
                                "compose train",
                                [](const ViewContext& context, QWidget* parent) -> QWidget* { return new ScalarsView(context, parent); }};

}  // namespace weft::app
