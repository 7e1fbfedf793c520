#include "views/histograms/histograms_view.h"

#include <QEvent>
#include <QVBoxLayout>

#include "commands/action_registry.h"
#include "common/card_export.h"
#include "document/workspace.h"
#include "histogram/histogram_grid.h"

namespace weft::app {
namespace {
const QStringList kModes{QStringLiteral("offset"), QStringLiteral("overlay"), QStringLiteral("heat-map"), QStringLiteral("distribution")};
const QStringList kAxes{QStringLiteral("step"), QStringLiteral("relative"), QStringLiteral("wall")};
}  // namespace

HistogramsView::HistogramsView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), grid_(new widgets::HistogramGrid(this)) {
  setProperty("helpPage", QStringLiteral("panels"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(grid_);
  Summaries& summaries = context.workspace.summaries();
  Settings& settings = context.workspace.settings();
  connect(&summaries, &Summaries::runChanged, this, [this, &summaries](int run) {
    if (const SummaryRun* r = summaries.run(run)) grid_->setRunVisible(r->name, r->visible);
  });
  connect(&summaries, &Summaries::runRestarted, this, [this, &summaries](int run) {
    if (const SummaryRun* r = summaries.run(run)) grid_->removeRun(r->name);
  });
  connect(&summaries, &Summaries::runNameGone, grid_, &widgets::HistogramGrid::removeRun);
  connect(&summaries, &Summaries::grown, this, [this](int run, SummaryKind kind, const QString& tag) {
    if (kind == SummaryKind::Histogram) showSeries(run, tag);
  });
  connect(&summaries, &Summaries::cursorMoved, grid_, &widgets::HistogramGrid::setMarkedStep);
  connect(grid_, &widgets::HistogramGrid::stepHovered, &summaries, &Summaries::setCursor);
  grid_->setMode(widgets::HistogramPlot::Mode(std::clamp(settings.value(QStringLiteral("histograms/mode"), 0).toInt(), 0, 3)));
  connect(grid_, &widgets::HistogramGrid::modeChanged, this, [&settings](widgets::HistogramPlot::Mode mode) { settings.setValue(QStringLiteral("histograms/mode"), int(mode)); });
  connect(grid_, &widgets::HistogramGrid::emptyButtonClicked, this, [this] {
    const CommandResult result = context_.actions.run(QStringLiteral("run.train"));
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  for (const auto& run : summaries.runs())
    for (const auto& [tag, series] : run->histograms) showSeries(run->id, tag);
  retranslate();
}

void HistogramsView::showSeries(int run, const QString& tag) {
  const SummaryRun* r = context_.workspace.summaries().run(run);
  if (!r) return;
  const auto it = r->histograms.find(tag);
  if (it == r->histograms.end()) return;
  grid_->setSeries(r->name, r->id, tag, it->second);
  grid_->grown(r->name, tag);
}

void HistogramsView::refreshNow() { grid_->refreshNow(); }
void HistogramsView::showTag(const QString& tag) { grid_->scrollTo(tag); }

QString HistogramsView::exportTag(const QString& tag, const QString& path) {
  widgets::HistogramPlot* plot = grid_->plot(tag);
  if (!plot) return tr("There is no histogram %1; there are %2.").arg(tag, grid_->tags().join(QStringLiteral(", ")));
  plot->refreshNow();
  return widgets::exportCard(grid_->card(tag), path, [plot] { return plot->toCsv().toUtf8(); }, [plot] { return plot->toJson(); });
}

bool HistogramsView::setOption(const QString& option) {
  const qsizetype mode = kModes.indexOf(option), axis = kAxes.indexOf(option);
  if (mode >= 0) grid_->setMode(widgets::HistogramPlot::Mode(mode));
  else if (axis >= 0) grid_->setXAxis(widgets::SeriesStore::X(axis));
  else return false;
  return true;
}

void HistogramsView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  QWidget::changeEvent(event);
}

void HistogramsView::retranslate() {
  grid_->setEmptyText(tr("No histograms yet"), tr("The weights of a network appear here while it is trained, if its graph has histogram summaries. The templates have them."), tr("Train"));
}

const ViewRecord histogramsView = {"histograms",
                                   QT_TRANSLATE_NOOP("Views", "Histograms"),
                                   QT_TRANSLATE_NOOP("Views", "How weights and activations are distributed, over the steps of a training"),
                                   "histogram",
                                   Qt::BottomDockWidgetArea,
                                   "train",
                                   [](const ViewContext& context, QWidget* parent) -> QWidget* { return new HistogramsView(context, parent); }};

}  // namespace weft::app
