#include "histogram/histogram_grid.h"

#include <QButtonGroup>
#include <QMap>
#include <QMenu>
#include <QSet>
#include <QToolButton>

#include "common/card_export.h"
#include "common/card_grid.h"
#include "common/plot_card.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {
constexpr QSize kCard(320, 264);
constexpr int kLeastHeight = 112;
}  // namespace

class HistogramGrid::Private {
 public:
  struct Entry {
    int hue = 0;
    std::shared_ptr<const HistogramSeries> series;
    int line = -1;  ///< line id in the card, if the card exists
  };

  explicit Private(HistogramGrid* grid) : q(grid) {}
  HistogramPlot* plot(const QString& tag) const {
    auto* card = static_cast<PlotCard*>(q->cards()->card(tag));
    return card ? static_cast<HistogramPlot*>(card->body()) : nullptr;
  }
  template <typename F>
  void forPlots(F&& f) const {
    for (QWidget* card : q->cards()->cards()) f(static_cast<HistogramPlot*>(static_cast<PlotCard*>(card)->body()));
  }
  void updateLegend(const QString& tag);

  HistogramGrid* q;
  QMap<QString, QMap<QString, Entry>> tags;  // tag -> run
  QSet<QString> hidden;
  HistogramPlot::Mode mode = HistogramPlot::Mode::Offset;
  SeriesStore::X axis = SeriesStore::X::Step;
  std::optional<double> marked;
  QButtonGroup *modes = nullptr, *axes = nullptr;
  QToolButton* saturation = nullptr;
};

HistogramGrid::HistogramGrid(QWidget* parent) : CardPanel(QStringLiteral("histogram"), kCard, parent), d_(std::make_unique<Private>(this)) {
  cards()->setLeastHeight(kLeastHeight);
  d_->modes = addChoice(4);
  d_->axes = addChoice(3);
  d_->saturation = addSwitch(addGroup());
  d_->saturation->setObjectName(QStringLiteral("saturation_switch"));
  connect(d_->saturation, &QToolButton::clicked, this, &HistogramGrid::saturationAsked);
  connect(d_->modes, &QButtonGroup::idClicked, this, [this](int id) { setMode(static_cast<HistogramPlot::Mode>(id)); });
  connect(d_->axes, &QButtonGroup::idClicked, this, [this](int id) { setXAxis(static_cast<SeriesStore::X>(id)); });
  retranslate();
}
HistogramGrid::~HistogramGrid() = default;

void HistogramGrid::retranslate() {
  CardPanel::retranslate();
  cards()->setGeneralName(tr("histograms"));
  name(d_->modes->button(0), tr("offset"), tr("Slices one behind the other, newest in front"));
  name(d_->modes->button(1), tr("overlay"), tr("Slices on top of each other, newest most opaque"));
  name(d_->modes->button(2), tr("heat map"), tr("Density of the values over all steps"));
  name(d_->modes->button(3), tr("distribution"), tr("Minimum, median, maximum and 0.5, 1 and 1.5 standard deviations over all steps"));
  name(d_->axes->button(0), tr("step"), tr("over training steps"));
  name(d_->axes->button(1), tr("relative"), tr("over time since the first value"));
  name(d_->axes->button(2), tr("wall"), tr("over wall-clock time"));
  name(d_->saturation, tr("saturated units"), tr("During training, shows the share of inactive units of each activation"));
}

void HistogramGrid::Private::updateLegend(const QString& tag) {
  auto* card = static_cast<PlotCard*>(q->cards()->card(tag));
  if (!card) return;
  QVector<CardLegend::Entry> legend;
  const auto& runs = tags[tag];
  for (auto it = runs.begin(); it != runs.end(); ++it) {
    if (hidden.contains(it.key())) continue;
    legend << CardLegend::Entry{Theme::current().categorical(it->hue), it.key()};
  }
  card->setLegend(legend);
  card->setFoot(plot(tag)->summaryText(), plot(tag)->rangeText());
}

void HistogramGrid::setSaturationOn(bool on) { d_->saturation->setChecked(on); }

QWidget* HistogramGrid::makeCard(const QString& tag, QWidget* parent) {
  auto* plot = new HistogramPlot;
  plot->setMode(d_->mode);
  plot->setXAxis(d_->axis);
  plot->setMarkedStep(d_->marked);
  auto* card = new PlotCard(tag, plot, parent);
  plot->setAccessibleName(tr("Histograms of %1").arg(tag));
  auto& runs = d_->tags[tag];
  for (auto it = runs.begin(); it != runs.end(); ++it) {
    it->line = plot->addSeries(it.key(), it->hue, it->series);
    plot->setSeriesVisible(it->line, !d_->hidden.contains(it.key()));
  }
  connect(card, &PlotCard::maximizeRequested, this, [this, tag] { cards()->toggleLarge(tag); });
  connect(plot, &HistogramPlot::refreshed, this, [this, tag] { d_->updateLegend(tag); });
  connect(plot, &HistogramPlot::stepHovered, this, [this, plot](std::optional<double> step) {
    d_->forPlots([&](HistogramPlot* other) {
      if (other != plot) other->setMarkedStep(step);
    });
    emit stepHovered(step);
  });
  addExportActions(
      card->menu(), card, [tag] { return tag; }, [plot] { return plot->toCsv().toUtf8(); }, [plot] { return plot->toJson(); });
  return card;
}

void HistogramGrid::setSeries(const QString& run, int hue, const QString& tag, std::shared_ptr<const HistogramSeries> series) {
  Private::Entry& entry = d_->tags[tag][run];
  if (entry.series == series) return;
  HistogramPlot* plot = d_->plot(tag);
  if (plot && entry.series) plot->removeSeries(entry.line);
  entry.hue = hue;
  entry.series = std::move(series);
  if (plot) {
    entry.line = plot->addSeries(run, hue, entry.series);
    plot->setSeriesVisible(entry.line, !d_->hidden.contains(run));
  }
  cards()->add(tag, groupOf(tag));
  showCards(true);
}

void HistogramGrid::grown(const QString&, const QString& tag) {
  if (HistogramPlot* plot = d_->plot(tag)) plot->changed();
}

void HistogramGrid::removeRun(const QString& run) {
  for (const QString& tag : d_->tags.keys()) {
    auto& runs = d_->tags[tag];
    const auto it = runs.find(run);
    if (it == runs.end()) continue;
    if (HistogramPlot* plot = d_->plot(tag)) plot->removeSeries(it->line);
    runs.erase(it);
    if (!runs.isEmpty()) continue;
    d_->tags.remove(tag);
    cards()->remove(tag);
  }
  if (d_->tags.isEmpty()) showCards(false);
}

void HistogramGrid::setRunVisible(const QString& run, bool visible) {
  if (visible == !d_->hidden.contains(run)) return;
  visible ? void(d_->hidden.remove(run)) : void(d_->hidden.insert(run));
  for (auto tag = d_->tags.begin(); tag != d_->tags.end(); ++tag) {
    HistogramPlot* plot = d_->plot(tag.key());
    if (plot && tag->contains(run)) plot->setSeriesVisible((*tag)[run].line, visible);
  }
}

void HistogramGrid::setMode(HistogramPlot::Mode mode) {
  d_->modes->button(static_cast<int>(mode))->setChecked(true);
  if (d_->mode == mode) return;
  d_->mode = mode;
  d_->forPlots([mode](HistogramPlot* plot) { plot->setMode(mode); });
  emit modeChanged(mode);
}

HistogramPlot::Mode HistogramGrid::mode() const { return d_->mode; }

void HistogramGrid::setXAxis(SeriesStore::X axis) {
  d_->axes->button(static_cast<int>(axis))->setChecked(true);
  d_->axis = axis;
  d_->forPlots([axis](HistogramPlot* plot) { plot->setXAxis(axis); });
}

void HistogramGrid::setMarkedStep(std::optional<double> step) {
  d_->marked = step;
  d_->forPlots([step](HistogramPlot* plot) { plot->setMarkedStep(step); });
}

void HistogramGrid::scrollTo(const QString& tag) { cards()->scrollTo(tag); }

QStringList HistogramGrid::tags() const { return d_->tags.keys(); }

QWidget* HistogramGrid::card(const QString& tag) { return cards()->makeCard(tag); }

HistogramPlot* HistogramGrid::plot(const QString& tag) { return cards()->makeCard(tag) ? d_->plot(tag) : nullptr; }

void HistogramGrid::refreshNow() {
  cards()->settle();
  d_->forPlots([](HistogramPlot* plot) {
    if (plot->isVisible()) plot->refreshNow();
  });
}

}  // namespace weft::widgets
