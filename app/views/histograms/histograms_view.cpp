#include "views/histograms/histograms_view.h"

#include <QEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>

#include "common/card_export.h"
#include "common/format.h"
#include "document/pins.h"
#include "document/saturation.h"
#include "document/workspace.h"
#include "graph_view/graph_view.h"
#include "histogram/histogram_grid.h"
#include "histogram/saturation_list.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/train_button.h"

namespace weft::app {
namespace {
const QStringList kModes{QStringLiteral("offset"), QStringLiteral("overlay"), QStringLiteral("heat-map"), QStringLiteral("distribution")};
const QStringList kAxes{QStringLiteral("step"), QStringLiteral("relative"), QStringLiteral("wall")};
}  // namespace

HistogramsView::HistogramsView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), grid_(new widgets::HistogramGrid(this)) {
  setProperty("helpPage", QStringLiteral("panels"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  beside_ = new QSplitter(Qt::Horizontal, this);
  beside_->setChildrenCollapsible(false);
  beside_->addWidget(grid_);
  page_ = new QWidget(beside_);
  auto* column = new QVBoxLayout(page_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  words_ = new QLabel(page_);
  words_->setWordWrap(true);
  words_->setProperty("kind", QStringLiteral("muted"));
  words_->setContentsMargins(10, 6, 10, 6);
  saturation_ = new widgets::SaturationList(page_);
  column->addWidget(words_);
  column->addWidget(saturation_, 1);
  beside_->addWidget(page_);
  beside_->setStretchFactor(0, 1);
  beside_->setSizes({600, 360});
  page_->hide();
  waiting_ = new QLabel(this);
  waiting_->setObjectName(QStringLiteral("saturation_waits"));
  waiting_->setWordWrap(true);
  waiting_->setProperty("kind", QStringLiteral("muted"));
  waiting_->setContentsMargins(10, 4, 10, 4);
  waiting_->hide();
  layout->setSpacing(0);
  layout->addWidget(waiting_);
  layout->addWidget(beside_, 1);
  Saturation& saturation = Saturation::of(context.workspace);
  connect(&saturation, &Saturation::changed, this, &HistogramsView::showSaturation);
  connect(grid_, &widgets::HistogramGrid::saturationAsked, this,
          [this](bool on) { context_.actions.run(QStringLiteral("panels.saturation"), {on ? QStringLiteral("on") : QStringLiteral("off")}); });
  connect(saturation_, &widgets::SaturationList::chosen, this, [this](const QString& name) {
    if (context_.shell.canvas()) context_.shell.canvas()->selectNames({name});
  });
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
  connect(grid_, &widgets::HistogramGrid::modeChanged, this,
          [&settings](widgets::HistogramPlot::Mode mode) { settings.setValue(QStringLiteral("histograms/mode"), int(mode)); });
  Pins& pins = Pins::of(context.workspace);
  connect(grid_, &widgets::HistogramGrid::pinRequested, &pins, [&pins](const QString& tag, bool pinned) { pins.set({SummaryKind::Histogram, tag}, pinned); });
  const auto showPins = [this, &pins] { grid_->setPins(pins.isChosen() ? pins.tagsOf(SummaryKind::Histogram) : QSet<QString>()); };
  connect(&pins, &Pins::changed, this, showPins);
  showPins();
  connect(grid_, &widgets::HistogramGrid::nodeWanted, this, [this](const QString& tag) {
    const CommandResult result = context_.actions.run(QStringLiteral("graph.go-tag"), {tag});
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  connect(grid_, &widgets::HistogramGrid::emptyButtonClicked, this, [this] {
    const CommandResult result = context_.actions.run(QStringLiteral("run.train"));
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  followTrain(grid_, context_.actions.action(QStringLiteral("run.train")));
  for (const auto& run : summaries.runs())
    for (const auto& [tag, series] : run->histograms) showSeries(run->id, tag);
  retranslate();
}

void HistogramsView::showSeries(int run, const QString& tag) {
  const SummaryRun* r = context_.workspace.summaries().run(run);
  if (!r) return;
  const auto it = r->histograms.find(tag);
  if (it == r->histograms.end()) return;
  grid_->setSeries(r->name, r->hue, tag, it->second);
  grid_->grown(r->name, tag);
}

void HistogramsView::showSaturation() {
  const Saturation& saturation = Saturation::of(context_.workspace);
  grid_->setSaturationOn(saturation.isOn());
  if (!saturation.isOn() || !isVisible()) return showWaiting();
  const auto& lines = saturation.lines();
  words_->setText(!saturation.problem().isEmpty() ? saturation.problem()
                  : lines.isEmpty()               ? tr("Measured during training, at most once a second, on 64 of the samples.")
                                                  : tr("Step %1, on the first 64 training samples").arg(widgets::formatCount(saturation.step())));
  QVector<widgets::SaturationEntry> entries;
  for (const Saturation::Line& line : lines) {
    const SaturationShare& s = line.now;
    const QString numbers = tr("%1 of %2").arg(widgets::formatCount(s.counted), widgets::formatCount(s.all));
    entries << widgets::SaturationEntry{
        s.node, s.dead ? tr("dead") : tr("saturated"), s.share(),
        s.dead ? tr("%1 (%2)\n%3 units are zero for every sample: no gradient flows back through them").arg(s.node, s.op, numbers)
               : tr("%1 (%2)\n%3 outputs are close to the ends of their range: hardly any gradient flows back through them").arg(s.node, s.op, numbers),
        line.history};
  }
  saturation_->setEntries(entries);
  showWaiting();
}

/// Until something was measured, a line above the cards gives the reason; an empty table would take a third of the panel.
void HistogramsView::showWaiting() {
  const bool waits = Saturation::of(context_.workspace).isOn() && Saturation::of(context_.workspace).lines().isEmpty();
  page_->setVisible(Saturation::of(context_.workspace).isOn() && !waits);
  waiting_->setVisible(waits);
  waiting_->setText(words_->text());
}

QString HistogramsView::report() const {
  const Saturation& saturation = Saturation::of(context_.workspace);
  QJsonArray list;
  for (const Saturation::Line& line : saturation.lines())
    list << QJsonObject{{QStringLiteral("node"), line.now.node},
                        {QStringLiteral("op"), line.now.op},
                        {QStringLiteral("counted"), line.now.counted},
                        {QStringLiteral("all"), line.now.all},
                        {QStringLiteral("points"), line.history.size()}};
  return QString::fromUtf8(QJsonDocument(QJsonObject{{QStringLiteral("on"), saturation.isOn()},
                                                     {QStringLiteral("step"), saturation.step()},
                                                     {QStringLiteral("problem"), saturation.problem()},
                                                     {QStringLiteral("activations"), list}})
                               .toJson(QJsonDocument::Compact));
}

void HistogramsView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showSaturation();
}

void HistogramsView::refreshNow() {
  grid_->refreshNow();
  showSaturation();
}
void HistogramsView::showTag(const QString& tag) { grid_->scrollTo(tag); }

QString HistogramsView::exportTag(const QString& tag, const QString& path) {
  widgets::HistogramPlot* plot = grid_->plot(tag);
  if (!plot) return tr("There is no histogram %1; there are %2.").arg(tag, grid_->tags().join(QStringLiteral(", ")));
  plot->refreshNow();
  return widgets::exportCard(
      grid_->card(tag), path, [plot] { return plot->toCsv().toUtf8(); }, [plot] { return plot->toJson(); });
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
  showSaturation();
  grid_->setEmptyText(tr("No histograms yet"),
                      tr("The weights of a network appear here during training if its graph has histogram summaries. The templates have them."), tr("Train"));
}

const ViewRecord histogramsView = {"histograms",
                                   QT_TRANSLATE_NOOP("Views", "Histograms"),
                                   QT_TRANSLATE_NOOP("Views", "Distributions of weights and activations over the training steps"),
                                   "histogram",
                                   Qt::BottomDockWidgetArea,
                                   "train",
                                   [](const ViewContext& context, QWidget* parent) -> QWidget* { return new HistogramsView(context, parent); }};

}  // namespace weft::app
