#include "histogram/histogram_grid.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMap>
#include <QMenu>
#include <QRegularExpression>
#include <QSet>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include "common/card_export.h"
#include "common/card_grid.h"
#include "common/empty_state.h"
#include "common/flow_layout.h"
#include "common/icons.h"
#include "common/plot_card.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {
constexpr QSize kCard(376, 288);
}

class HistogramGrid::Private {
public:
  struct Entry {
    int hue = 0;
    std::shared_ptr<const HistogramSeries> series;
    int line = -1;  ///< in the card, if that exists
  };

  explicit Private(HistogramGrid* grid) : q(grid) {}
  void build();
  void retranslate();
  QWidget* make(const QString& tag, QWidget* parent);
  HistogramPlot* plot(const QString& tag) const {
    auto* card = static_cast<PlotCard*>(grid->card(tag));
    return card ? static_cast<HistogramPlot*>(card->body()) : nullptr;
  }
  void updateLegend(const QString& tag);

  HistogramGrid* q;
  QMap<QString, QMap<QString, Entry>> tags;  // tag -> run
  QSet<QString> hidden;
  HistogramPlot::Mode mode = HistogramPlot::Mode::Offset;
  SeriesStore::X axis = SeriesStore::X::Step;
  std::optional<double> marked;
  QLineEdit* search = nullptr;
  QButtonGroup *modes = nullptr, *axes = nullptr;
  CardGrid* grid = nullptr;
  EmptyState* empty = nullptr;
  QStackedLayout* stack = nullptr;
};

void HistogramGrid::Private::build() {
  auto* outer = new QVBoxLayout(q);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  auto* toolbar = new QWidget(q);
  auto* bar = new FlowLayout(toolbar, 6, 6);
  search = new QLineEdit(toolbar);
  search->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  search->setClearButtonEnabled(true);
  search->setFixedWidth(220);
  bar->addWidget(search);
  const auto choice = [&](int count) {
    auto* buttons = new QButtonGroup(q);
    auto* box = new QWidget(toolbar);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(4);
    for (int i = 0; i < count; ++i) {
      auto* b = new QToolButton(box);
      b->setCheckable(true);
      buttons->addButton(b, i);
      row->addWidget(b);
    }
    buttons->button(0)->setChecked(true);
    bar->addWidget(box);
    return buttons;
  };
  modes = choice(4);
  axes = choice(3);
  outer->addWidget(toolbar);
  auto* line = new QFrame(q);
  line->setFrameShape(QFrame::HLine);
  outer->addWidget(line);
  grid = new CardGrid([this](const QString& tag, QWidget* parent) { return make(tag, parent); }, kCard, q);
  empty = new EmptyState(QStringLiteral("histogram"), {}, {}, q);
  auto* holder = new QWidget(q);
  stack = new QStackedLayout(holder);
  stack->addWidget(empty);
  stack->addWidget(grid);
  outer->addWidget(holder, 1);
  QObject::connect(search, &QLineEdit::textChanged, q, &HistogramGrid::setSearch);
  QObject::connect(modes, &QButtonGroup::idClicked, q, [this](int id) { q->setMode(static_cast<HistogramPlot::Mode>(id)); });
  QObject::connect(axes, &QButtonGroup::idClicked, q, [this](int id) { q->setXAxis(static_cast<SeriesStore::X>(id)); });
  QObject::connect(empty, &EmptyState::buttonClicked, q, &HistogramGrid::emptyButtonClicked);
  retranslate();
}

void HistogramGrid::Private::retranslate() {
  search->setPlaceholderText(HistogramGrid::tr("Tags (regular expression)"));
  search->setToolTip(searchToolTip());
  search->setAccessibleName(HistogramGrid::tr("Tag filter"));
  grid->setGeneralName(HistogramGrid::tr("histograms"));
  const auto name = [](QAbstractButton* b, const QString& text, const QString& tip) {
    b->setText(text);
    b->setToolTip(tip);
  };
  name(modes->button(0), HistogramGrid::tr("offset"), HistogramGrid::tr("Slices one behind the other, the newest in front"));
  name(modes->button(1), HistogramGrid::tr("overlay"), HistogramGrid::tr("Slices on top of each other, the newest strongest"));
  name(modes->button(2), HistogramGrid::tr("heat map"), HistogramGrid::tr("Values over all steps, their density as colour"));
  name(modes->button(3), HistogramGrid::tr("distribution"), HistogramGrid::tr("Minimum, median, maximum and 0.5, 1 and 1.5 standard deviations over all steps"));
  name(axes->button(0), HistogramGrid::tr("step"), HistogramGrid::tr("over steps"));
  name(axes->button(1), HistogramGrid::tr("relative"), HistogramGrid::tr("over the time since the first value"));
  name(axes->button(2), HistogramGrid::tr("wall"), HistogramGrid::tr("over the time of day"));
}

void HistogramGrid::Private::updateLegend(const QString& tag) {
  auto* card = static_cast<PlotCard*>(grid->card(tag));
  if (!card) return;
  QString html;
  int shown = 0;
  const auto& runs = tags[tag];
  for (auto it = runs.begin(); it != runs.end(); ++it) {
    if (hidden.contains(it.key()) || ++shown > 4) continue;
    html += QStringLiteral("<span style='color:%1'>■</span>&nbsp;%2&emsp;").arg(Theme::current().categorical(it->hue).name(), it.key().toHtmlEscaped());
  }
  card->setLegend(shown > 4 ? QString() : html);
  card->setFoot(plot(tag)->summaryText(), plot(tag)->rangeText());
}

QWidget* HistogramGrid::Private::make(const QString& tag, QWidget* parent) {
  auto* plot = new HistogramPlot;
  plot->setMode(mode);
  plot->setXAxis(axis);
  plot->setMarkedStep(marked);
  auto* card = new PlotCard(tag, plot, parent);
  plot->setAccessibleName(HistogramGrid::tr("Histograms of %1").arg(tag));
  auto& runs = tags[tag];
  for (auto it = runs.begin(); it != runs.end(); ++it) {
    it->line = plot->addSeries(it.key(), it->hue, it->series);
    plot->setSeriesVisible(it->line, !hidden.contains(it.key()));
  }
  QObject::connect(card, &PlotCard::maximizeRequested, q, [this, tag] { grid->toggleLarge(tag); });
  QObject::connect(plot, &HistogramPlot::refreshed, q, [this, tag] { updateLegend(tag); });
  QObject::connect(plot, &HistogramPlot::stepHovered, q, [this, plot](std::optional<double> step) {
    for (const QString& other : tags.keys())
      if (HistogramPlot* p = this->plot(other); p && p != plot) p->setMarkedStep(step);
    emit q->stepHovered(step);
  });
  addExportActions(card->menu(), card, [tag] { return tag; }, [plot] { return plot->toCsv().toUtf8(); }, [plot] { return plot->toJson(); });
  return card;
}

HistogramGrid::HistogramGrid(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(this)) {
  d_->build();
}
HistogramGrid::~HistogramGrid() = default;

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
  const qsizetype slash = tag.indexOf(u'/');
  d_->grid->add(tag, slash > 0 ? tag.left(slash) : QString());
  d_->stack->setCurrentIndex(1);
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
    d_->grid->remove(tag);
  }
  if (d_->tags.isEmpty()) d_->stack->setCurrentIndex(0);
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
  for (const QString& tag : d_->tags.keys())
    if (HistogramPlot* plot = d_->plot(tag)) plot->setMode(mode);
  emit modeChanged(mode);
}

HistogramPlot::Mode HistogramGrid::mode() const {
  return d_->mode;
}

void HistogramGrid::setXAxis(SeriesStore::X axis) {
  d_->axes->button(static_cast<int>(axis))->setChecked(true);
  d_->axis = axis;
  for (const QString& tag : d_->tags.keys())
    if (HistogramPlot* plot = d_->plot(tag)) plot->setXAxis(axis);
}

void HistogramGrid::setSearch(const QString& regex) {
  if (d_->search->text() != regex) {
    d_->search->setText(regex);  // comes back here
    return;
  }
  const QRegularExpression expression(regex, QRegularExpression::CaseInsensitiveOption);
  d_->search->setToolTip(expression.isValid() ? searchToolTip() : expression.errorString());
  if (expression.isValid()) d_->grid->setFilter(expression);
}

void HistogramGrid::setMarkedStep(std::optional<double> step) {
  d_->marked = step;
  for (const QString& tag : d_->tags.keys())
    if (HistogramPlot* plot = d_->plot(tag)) plot->setMarkedStep(step);
}

void HistogramGrid::scrollTo(const QString& tag) {
  d_->grid->scrollTo(tag);
}

QStringList HistogramGrid::tags() const {
  return d_->tags.keys();
}

QWidget* HistogramGrid::card(const QString& tag) {
  return d_->grid->makeCard(tag);
}

HistogramPlot* HistogramGrid::plot(const QString& tag) {
  return d_->grid->makeCard(tag) ? d_->plot(tag) : nullptr;
}

void HistogramGrid::setEmptyText(const QString& title, const QString& text, const QString& button) {
  d_->empty->setTitle(title);
  d_->empty->setText(text);
  d_->empty->setButton(button);
}

void HistogramGrid::refreshNow() {
  d_->grid->settle();
  for (QWidget* card : d_->grid->cards()) {
    auto* plot = static_cast<HistogramPlot*>(static_cast<PlotCard*>(card)->body());
    if (plot->isVisible()) plot->refreshNow();
  }
}

void HistogramGrid::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) d_->retranslate();
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
