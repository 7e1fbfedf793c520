#include "plot/scalar_grid.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMap>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSlider>
#include <QStackedLayout>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "common/empty_state.h"
#include "common/flow_layout.h"
#include "common/icons.h"
#include "plot/scalar_plot.h"

namespace weft::widgets {
namespace {

constexpr int kCardWidth = 376, kCardHeight = 288, kGap = 8;

}  // namespace

class ScalarGrid::Private {
public:
  struct Card {
    ScalarPlot* plot = nullptr;
    QMap<int, int> series;  ///< run -> series
  };
  struct Group {
    QToolButton* header = nullptr;
    QWidget* body = nullptr;
    QGridLayout* grid = nullptr;
    QStringList tags;
  };

  explicit Private(ScalarGrid* grid) : q(grid) {}
  void build();
  void retranslate();
  Card& card(const QString& tag);
  void arrange();
  bool matches(const QString& tag) const { return !search->text().isEmpty() ? expression.match(tag).hasMatch() : true; }

  ScalarGrid* q;
  struct Run {
    QString name;
    bool shown = true, there = true;
  };
  QVector<Run> runs;
  QMap<QString, Card> cards;
  QMap<QString, Group> groups;
  QLineEdit* search = nullptr;
  QSlider* slider = nullptr;
  QLabel *smoothingLabel = nullptr, *sliderText = nullptr;
  QScrollArea* area = nullptr;
  QWidget* content = nullptr;
  QVBoxLayout* column = nullptr;
  QStackedLayout* stack = nullptr;
  EmptyState* empty = nullptr;
  QButtonGroup* axes = nullptr;
  QToolButton *logButton = nullptr, *outlierButton = nullptr, *linkButton = nullptr;
  QRegularExpression expression;
  double weight = 0.6;
  SeriesStore::X axis = SeriesStore::X::Step;
  int columns = 0;
};

void ScalarGrid::Private::build() {
  auto* outer = new QVBoxLayout(q);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  auto* toolbar = new QWidget(q);
  auto* bar = new FlowLayout(toolbar, 6, 6);
  // What belongs together stays on one line.
  const auto group = [&](int spacing) {
    auto* box = new QWidget(toolbar);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(spacing);
    bar->addWidget(box);
    return row;
  };
  search = new QLineEdit(q);
  search->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  search->setClearButtonEnabled(true);
  search->setFixedWidth(220);
  QObject::connect(search, &QLineEdit::textChanged, q, &ScalarGrid::setSearch);
  group(0)->addWidget(search);
  QHBoxLayout* row = group(6);
  smoothingLabel = new QLabel(q);
  smoothingLabel->setProperty("kind", "muted");
  row->addWidget(smoothingLabel);
  slider = new QSlider(Qt::Horizontal, q);
  slider->setRange(0, 999);
  slider->setValue(static_cast<int>(weight * 1000));
  slider->setFixedWidth(110);
  row->addWidget(slider);
  sliderText = new QLabel(QString::number(weight, 'f', 2), q);
  sliderText->setFont(Theme::current().monoFont());
  sliderText->setMinimumWidth(36);
  row->addWidget(sliderText);
  QObject::connect(slider, &QSlider::valueChanged, q, [this](int value) { q->setSmoothing(value / 1000.0); });

  axes = new QButtonGroup(q);
  const auto button = [&] {
    auto* b = new QToolButton(q);
    b->setCheckable(true);
    row->addWidget(b);
    return b;
  };
  row = group(4);
  for (const SeriesStore::X x : {SeriesStore::X::Step, SeriesStore::X::Relative, SeriesStore::X::Wall}) {
    axes->addButton(button(), static_cast<int>(x));
  }
  axes->button(0)->setChecked(true);
  QObject::connect(axes, &QButtonGroup::idClicked, q, [this](int id) { q->setXAxis(static_cast<SeriesStore::X>(id)); });
  row = group(4);
  logButton = button();
  outlierButton = button();
  linkButton = button();
  linkButton->setChecked(true);
  QObject::connect(logButton, &QToolButton::toggled, q, [this](bool on) {
    for (const Card& c : std::as_const(cards)) c.plot->setLogY(on);
  });
  QObject::connect(outlierButton, &QToolButton::toggled, q, [this](bool on) {
    for (const Card& c : std::as_const(cards)) c.plot->setIgnoreOutliers(on);
  });
  outer->addWidget(toolbar);
  auto* line = new QFrame(q);
  line->setFrameShape(QFrame::HLine);
  outer->addWidget(line);

  area = new QScrollArea(q);
  area->setWidgetResizable(true);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->viewport()->installEventFilter(q);
  content = new QWidget;
  column = new QVBoxLayout(content);
  column->setContentsMargins(kGap, kGap, kGap, kGap);
  column->setSpacing(kGap);
  column->addStretch();
  area->setWidget(content);
  empty = new EmptyState(QStringLiteral("chart"), ScalarGrid::tr("No scalars yet"),
                         ScalarGrid::tr("Loss and learning rate appear here from the first step."), q);
  QObject::connect(empty, &EmptyState::buttonClicked, q, &ScalarGrid::emptyButtonClicked);
  auto* holder = new QWidget(q);
  stack = new QStackedLayout(holder);
  stack->addWidget(empty);
  stack->addWidget(area);
  outer->addWidget(holder, 1);
  retranslate();
}

void ScalarGrid::Private::retranslate() {
  search->setPlaceholderText(ScalarGrid::tr("Tags (regular expression)"));
  search->setAccessibleName(ScalarGrid::tr("Tag filter"));
  smoothingLabel->setText(ScalarGrid::tr("smoothing"));
  slider->setAccessibleName(ScalarGrid::tr("Smoothing"));
  const auto name = [](QAbstractButton* b, const QString& text, const QString& tip) {
    b->setText(text);
    b->setToolTip(tip);
  };
  name(axes->button(static_cast<int>(SeriesStore::X::Step)), ScalarGrid::tr("step"), ScalarGrid::tr("x axis: step"));
  name(axes->button(static_cast<int>(SeriesStore::X::Relative)), ScalarGrid::tr("relative"), ScalarGrid::tr("x axis: time since the first value"));
  name(axes->button(static_cast<int>(SeriesStore::X::Wall)), ScalarGrid::tr("wall"), ScalarGrid::tr("x axis: time of day"));
  name(logButton, ScalarGrid::tr("log y"), ScalarGrid::tr("Logarithmic y axis for all cards"));
  name(outlierButton, ScalarGrid::tr("5–95 %"), ScalarGrid::tr("Leave outliers out of the y range"));
  name(linkButton, ScalarGrid::tr("linked cursor"), ScalarGrid::tr("One cursor for all cards"));
}

ScalarGrid::Private::Card& ScalarGrid::Private::card(const QString& tag) {
  auto it = cards.find(tag);
  if (it != cards.end()) return *it;
  const qsizetype slash = tag.indexOf(u'/');
  const QString prefix = slash > 0 ? tag.left(slash) : QString();
  Group& group = groups[prefix];
  if (group.body == nullptr) {
    group.header = new QToolButton(content);
    group.header->setProperty("kind", "section");
    group.header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    group.header->setIcon(icon(QStringLiteral("chevron-down")));
    group.header->setCheckable(true);
    group.header->setChecked(true);
    group.header->setFocusPolicy(Qt::TabFocus);
    group.body = new QWidget(content);
    group.grid = new QGridLayout(group.body);
    group.grid->setContentsMargins(0, 0, 0, 0);
    group.grid->setSpacing(kGap);
    QWidget* body = group.body;
    QToolButton* header = group.header;
    QObject::connect(header, &QToolButton::toggled, q, [body, header](bool open) {
      body->setVisible(open);
      header->setIcon(icon(open ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
    });
    int at = 0;
    for (auto g = groups.begin(); g != groups.end() && g.key() != prefix; ++g) at += 2;
    column->insertWidget(at, group.header, 0, Qt::AlignLeft);
    column->insertWidget(at + 1, group.body);
  }
  group.tags << tag;
  std::sort(group.tags.begin(), group.tags.end());
  Card card;
  card.plot = new ScalarPlot(group.body);
  card.plot->setTitle(tag);
  card.plot->setSmoothing(weight);
  card.plot->setXAxis(axis);
  card.plot->setLogY(logButton->isChecked());
  card.plot->setIgnoreOutliers(outlierButton->isChecked());
  card.plot->setFixedHeight(kCardHeight);
  ScalarPlot* source = card.plot;
  QObject::connect(source, &ScalarPlot::cursorMoved, q, [this, source](std::optional<double> x) {
    if (!linkButton->isChecked()) return;
    for (const Card& other : std::as_const(cards))
      if (other.plot != source) other.plot->setCursor(x);
  });
  // A card alone in its row: as wide as the panel and twice as high.
  QObject::connect(source, &ScalarPlot::maximizeRequested, q, [this, source] {
    source->setProperty("large", !source->property("large").toBool());
    source->setFixedHeight(source->property("large").toBool() ? 2 * kCardHeight : kCardHeight);
    arrange();
  });
  it = cards.insert(tag, card);
  stack->setCurrentWidget(area);
  arrange();
  return *it;
}

void ScalarGrid::Private::arrange() {
  const int width = area->viewport()->width() - 2 * kGap;
  columns = std::max(1, (width + kGap) / (kCardWidth + kGap));
  for (auto g = groups.begin(); g != groups.end(); ++g) {
    int shown = 0, row = 0, at = 0;
    for (const QString& tag : std::as_const(g->tags)) {
      ScalarPlot* plot = cards[tag].plot;
      g->grid->removeWidget(plot);
      const bool visible = matches(tag);
      plot->setVisible(visible);
      if (!visible) continue;
      ++shown;
      const bool large = plot->property("large").toBool();
      if (large && at > 0) {
        ++row;
        at = 0;
      }
      g->grid->addWidget(plot, row, at, 1, large ? columns : 1);
      at = large ? columns : at + 1;
      if (at >= columns) {
        ++row;
        at = 0;
      }
    }
    for (int c = 0; c < 16; ++c) g->grid->setColumnStretch(c, c < columns ? 1 : 0);
    g->header->setText(QStringLiteral("%1  %2").arg(g.key().isEmpty() ? ScalarGrid::tr("scalars") : g.key()).arg(shown));
    g->header->setVisible(shown > 0);
    g->body->setVisible(shown > 0 && g->header->isChecked());
  }
}

ScalarGrid::ScalarGrid(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(this)) {
  d_->build();
}
ScalarGrid::~ScalarGrid() = default;

void ScalarGrid::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) {
    d_->retranslate();
    d_->arrange();
  }
  QWidget::changeEvent(event);
}

int ScalarGrid::addRun(const QString& name) {
  for (qsizetype i = 0; i < d_->runs.size(); ++i)
    if (d_->runs[i].there && d_->runs[i].name == name) return static_cast<int>(i);
  d_->runs.append({name});
  return static_cast<int>(d_->runs.size()) - 1;
}

void ScalarGrid::removeRun(int run) {
  if (run < 0 || run >= d_->runs.size()) return;
  d_->runs[run].there = false;
  for (auto& card : d_->cards)
    if (const auto it = card.series.find(run); it != card.series.end()) {
      card.plot->removeSeries(*it);
      card.series.erase(it);
    }
}

void ScalarGrid::setRunVisible(int run, bool visible) {
  if (run < 0 || run >= d_->runs.size()) return;
  d_->runs[run].shown = visible;
  for (const auto& card : std::as_const(d_->cards))
    if (card.series.contains(run)) card.plot->setSeriesVisible(card.series[run], visible);
}

void ScalarGrid::clear() {
  for (const auto& card : std::as_const(d_->cards)) delete card.plot;
  for (const auto& group : std::as_const(d_->groups)) {
    delete group.header;
    delete group.body;
  }
  d_->cards.clear();
  d_->groups.clear();
  d_->runs.clear();
  d_->stack->setCurrentWidget(d_->empty);
}

void ScalarGrid::append(int run, const QString& tag, const Sample& sample) {
  append(run, tag, std::span(&sample, 1));
}

void ScalarGrid::append(int run, const QString& tag, std::span<const Sample> samples) {
  if (run < 0 || run >= d_->runs.size()) return;
  Private::Card& card = d_->card(tag);
  auto it = card.series.find(run);
  if (it == card.series.end()) {
    it = card.series.insert(run, card.plot->addSeries(d_->runs[run].name, run));
    card.plot->setSeriesVisible(*it, d_->runs[run].shown);
  }
  card.plot->append(*it, samples);
}

QStringList ScalarGrid::tags() const {
  return d_->cards.keys();
}
ScalarPlot* ScalarGrid::plot(const QString& tag) const {
  return d_->cards.value(tag).plot;
}

const SeriesStore* ScalarGrid::samples(int run, const QString& tag) const {
  const auto it = d_->cards.constFind(tag);
  if (it == d_->cards.constEnd() || !it->series.contains(run)) return nullptr;
  return &it->plot->samples(it->series[run]);
}

void ScalarGrid::setSearch(const QString& regex) {
  if (d_->search->text() != regex) {
    d_->search->setText(regex);  // comes back here
    return;
  }
  QRegularExpression expression(regex, QRegularExpression::CaseInsensitiveOption);
  const bool valid = expression.isValid();
  d_->search->setProperty("invalid", !valid);
  d_->search->setToolTip(valid ? QString() : expression.errorString());
  d_->search->style()->unpolish(d_->search);
  d_->search->style()->polish(d_->search);
  if (!valid) return;  // half-typed: keep what was found before
  d_->expression = expression;
  d_->arrange();
}

void ScalarGrid::setSmoothing(double weight) {
  weight = std::clamp(weight, 0.0, 0.999);
  if (weight == d_->weight) return;
  d_->weight = weight;
  d_->sliderText->setText(QString::number(weight, 'f', weight > 0.99 ? 3 : 2));
  if (d_->slider->value() != std::lround(weight * 1000)) d_->slider->setValue(static_cast<int>(std::lround(weight * 1000)));
  for (const auto& card : std::as_const(d_->cards)) card.plot->setSmoothing(weight);
  emit smoothingChanged(weight);
}

double ScalarGrid::smoothing() const {
  return d_->weight;
}

void ScalarGrid::setXAxis(SeriesStore::X axis) {
  d_->axis = axis;
  if (QAbstractButton* button = d_->axes->button(static_cast<int>(axis))) button->setChecked(true);
  for (const auto& card : std::as_const(d_->cards)) card.plot->setXAxis(axis);
}

void ScalarGrid::refreshNow() {
  for (const auto& card : std::as_const(d_->cards))
    if (card.plot->isVisible()) card.plot->refreshNow();
}

void ScalarGrid::setEmptyText(const QString& title, const QString& text, const QString& button) {
  d_->empty->setTitle(title);
  d_->empty->setText(text);
  d_->empty->setButton(button);
}

bool ScalarGrid::eventFilter(QObject* watched, QEvent* event) {
  if (watched == d_->area->viewport() && event->type() == QEvent::Resize) {
    const int width = d_->area->viewport()->width() - 2 * kGap;
    if (std::max(1, (width + kGap) / (kCardWidth + kGap)) != d_->columns) d_->arrange();
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace weft::widgets
