#include "views/overview/overview_view.h"

#include <QActionGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "common/card_grid.h"
#include "common/empty_state.h"
#include "common/icons.h"
#include "common/live_frames.h"
#include "common/theme.h"
#include "document/run_archive.h"
#include "document/workspace.h"
#include "histogram/histogram_plot.h"
#include "image_grid/image_card.h"
#include "plot/scalar_plot.h"
#include "shell/action_registry.h"
#include "shell/shell.h"
#include "views/train_button.h"

namespace weft::app {
namespace {
constexpr QSize kCard(280, 232);
constexpr int kLeastHeight = 112, kLeastOfTwo = 164, kMostHigh = 280, kGaps = 26,
              kAround = 48;  // heights of a card; the room around two rows and three columns of cards
constexpr double kPicturesMs = 200;
const QStringList kModes{QStringLiteral("offset"), QStringLiteral("overlay"), QStringLiteral("heat-map"), QStringLiteral("distribution")};
const QString kModeSetting = QStringLiteral("overview/histogram-mode");

/// The smoothing chosen in the Scalars dock, so that both pages show the same numbers.
widgets::Smoothing smoothingOf(Settings& settings) {
  widgets::Smoothing smoothing{widgets::Smoothing::Kind::Ema, settings.value(QStringLiteral("scalars/smoothing"), 0.6).toDouble()};
  widgets::smoothingKind(settings.value(QStringLiteral("scalars/smoothing-kind")).toString(), &smoothing.kind);
  return smoothing;
}

}  // namespace

OverviewView::OverviewView(const ViewContext& context, QWidget* parent) : QWidget(parent), context_(context), pins_(Pins::of(context.workspace)) {
  setProperty("helpPage", QStringLiteral("panels"));
  mode_ = std::clamp(context.workspace.settings().value(kModeSetting, 0).toInt(), 0, 3);
  stack_ = new QStackedWidget(this);
  empty_ = new widgets::EmptyState(QStringLiteral("chart"), {}, {}, stack_);
  auto* page = new QWidget(stack_);
  words_ = new QLabel(page);
  words_->setProperty("kind", QStringLiteral("muted"));
  words_->setMinimumWidth(1);
  choose_ = new QToolButton(page);
  choose_->setObjectName(QStringLiteral("choose_cards"));
  choose_->setIcon(widgets::icon(QStringLiteral("pin")));
  choose_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  modes_ = new QToolButton(page);
  modes_->setObjectName(QStringLiteral("histogram_mode"));
  modes_->setIcon(widgets::icon(QStringLiteral("histogram")));
  for (QToolButton* button : {choose_, modes_}) {
    button->setPopupMode(QToolButton::InstantPopup);
    button->setFocusPolicy(Qt::TabFocus);
    button->setMenu(new QMenu(button));
  }
  connect(choose_->menu(), &QMenu::aboutToShow, this, &OverviewView::fillChoice);
  auto* bar = new QHBoxLayout;
  bar->setContentsMargins(8, 4, 8, 4);
  bar->setSpacing(8);
  bar->addWidget(choose_);
  bar->addWidget(modes_);
  bar->addWidget(words_, 1);
  grid_ = new widgets::CardGrid([this](const QString& key, QWidget* owner) { return makeCard(key, owner); }, kCard, page);
  grid_->setLeastHeight(kLeastHeight);
  grid_->setHeadless(true);
  grid_->installEventFilter(this);
  connect(grid_, &widgets::CardGrid::dropped, this, [this](const QString& key) { lines_.remove(key); });
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(bar);
  column->addWidget(grid_, 1);
  stack_->addWidget(empty_);
  stack_->addWidget(page);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(stack_);
  frame_ = std::make_unique<widgets::FrameMember>(
      widgets::FrameGovernor::Stage::Drawing, "overview", [this] { refreshPictures(); }, kPicturesMs);
  connect(empty_, &widgets::EmptyState::buttonClicked, this, [this] {
    RunArchive& archive = RunArchive::of(context_.workspace);
    if (const auto hidden = archive.hidden(); !hidden.isEmpty()) return archive.showCurves(*hidden.front());
    const CommandResult result = context_.actions.run(QStringLiteral("run.train"));
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  followTrain(empty_, context_.actions.action(QStringLiteral("run.train")));
  connect(&pins_, &Pins::changed, this, &OverviewView::rebuildSoon);
  connect(&RunArchive::of(context.workspace), &RunArchive::changed, this, &OverviewView::rebuildSoon);
  connect(&context.workspace.settings(), &Settings::changed, this, [this](const QString& key) {
    if (!key.startsWith(QLatin1String("scalars/smoothing"))) return;
    const widgets::Smoothing smoothing = smoothingOf(context_.workspace.settings());
    for (QWidget* card : grid_->cards())
      if (auto* plot = qobject_cast<widgets::ScalarPlot*>(card)) plot->setSmoothing(smoothing);
  });
  connectSummaries();
  retranslate();
}

OverviewView::~OverviewView() = default;

void OverviewView::connectSummaries() {
  Summaries& summaries = context_.workspace.summaries();
  // A run that is added, removed, restarted or hidden may change every card.
  for (const auto signal : {&Summaries::runAdded, &Summaries::runChanged, &Summaries::runRestarted, &Summaries::runRemoved, &Summaries::runRenamed}) {
    connect(&summaries, signal, this, [this] {
      for (const QString& key : shown_.keys()) grid_->dropCard(key);
      rebuildSoon();
    });
  }
  connect(&summaries, &Summaries::grown, this, &OverviewView::grown);
  connect(&summaries, &Summaries::cursorMoved, this, [this](std::optional<double> step) { setCursor(step, nullptr); });
}

QString OverviewView::keyOf(const Pin& pin) const {
  for (auto it = shown_.cbegin(); it != shown_.cend(); ++it)
    if (it.value() == pin) return it.key();
  return {};
}

QStringList OverviewView::cards() const {
  QStringList out;
  for (const Pin& pin : shown_) out << Pins::kindWord(pin.kind) + u' ' + pin.tag;
  return out;
}

void OverviewView::rebuildSoon() {
  if (std::exchange(queued_, true)) return;
  QTimer::singleShot(0, this, [this] {
    queued_ = false;
    rebuild();
  });
}

void OverviewView::rebuild() {
  QMap<QString, Pin> next;
  const QVector<Pin> pins = pins_.shown();
  for (qsizetype i = 0; i < pins.size(); ++i) {
    const auto has = [&](const auto& run) {
      return !run->foreign && run->visible &&
             (pins[i].kind == SummaryKind::Scalar      ? run->scalars.count(pins[i].tag)
              : pins[i].kind == SummaryKind::Histogram ? run->histograms.count(pins[i].tag)
                                                       : run->pictures.count(pins[i].tag)) > 0;
    };
    const auto& runs = context_.workspace.summaries().runs();
    if (std::any_of(runs.begin(), runs.end(), has))
      next.insert(QStringLiteral("%1 %2 %3").arg(i, 4, 10, QLatin1Char('0')).arg(Pins::kindWord(pins[i].kind), pins[i].tag), pins[i]);
  }
  if (next != shown_) {
    for (const QString& key : shown_.keys())
      if (!next.contains(key)) {
        lines_.remove(key);
        grid_->remove(key);
      }
    shown_ = next;
    for (const QString& key : shown_.keys()) grid_->add(key, {});
    fitCards();
  }
  for (QWidget* card : grid_->cards()) static_cast<widgets::PlotCard*>(card)->setPinned(pins_.isChosen());
  words_->setText(pins_.isChosen() ? tr("%n card(s), pinned by you", nullptr, int(shown_.size()))
                                   : tr("An automatic selection: pin cards here or in other panels to choose your own."));
  words_->setToolTip(words_->text());
  updateEmptyState();
  stack_->setCurrentIndex(shown_.isEmpty() && !pins_.isChosen() ? 0 : 1);
}

QWidget* OverviewView::makeCard(const QString& key, QWidget* parent) {
  const Pin pin = shown_.value(key);
  widgets::PlotCard* card = pin.kind == SummaryKind::Scalar      ? makeCurves(pin, parent)
                            : pin.kind == SummaryKind::Histogram ? makeHistogram(pin, parent)
                                                                 : makePicture(pin, parent);
  card->setPinned(pins_.isChosen());
  connect(card, &widgets::PlotCard::pinToggled, this, [this, pin](bool pinned) { pins_.set(pin, pinned); });
  QMenu* menu = card->menu();
  // The curves' menu is rebuilt each time it opens; our entries are added afterwards.
  const auto extend = [this, menu, pin] {
    menu->addSeparator();
    menu->addAction(widgets::icon(QStringLiteral("chevron-left")), tr("Move to the front"), this, [this, pin] { pins_.move(pin, -1); });
    menu->addAction(widgets::icon(QStringLiteral("chevron-right")), tr("Move to the back"), this, [this, pin] { pins_.move(pin, 1); });
    menu->addAction(tr("Show in the graph"), this, [this, pin] {
      const CommandResult result = context_.actions.run(QStringLiteral("graph.go-tag"), {pin.tag});
      if (!result.ok) emit context_.actions.failed(result.message);
    });
  };
  if (pin.kind == SummaryKind::Scalar) connect(menu, &QMenu::aboutToShow, this, extend);
  else extend();
  connect(card, &widgets::PlotCard::maximizeRequested, this, [this, key] { grid_->toggleLarge(key); });
  return card;
}

widgets::PlotCard* OverviewView::makeCurves(const Pin& pin, QWidget* parent) {
  auto* plot = new widgets::ScalarPlot(parent);
  plot->setTitle(pin.tag);
  plot->setSmoothing(smoothingOf(context_.workspace.settings()));
  connect(plot, &widgets::ScalarPlot::cursorMoved, this, [this, plot](std::optional<double> step) {
    setCursor(step, plot);
    context_.workspace.summaries().setCursor(step);
  });
  const QString key = keyOf(pin);
  lines_.remove(key);
  for (const auto& run : context_.workspace.summaries().runs()) {
    const auto it = run->scalars.find(pin.tag);
    if (!run->foreign && run->visible && it != run->scalars.end()) lines_[key][run->id] = plot->addSeries(run->name, run->hue, it->second);
  }
  return plot;
}

widgets::PlotCard* OverviewView::makeHistogram(const Pin& pin, QWidget* parent) {
  auto* plot = new widgets::HistogramPlot;
  plot->setMode(widgets::HistogramPlot::Mode(mode_));
  plot->setAccessibleName(tr("Histograms of %1").arg(pin.tag));
  auto* card = new widgets::PlotCard(pin.tag, plot, parent);
  const QString key = keyOf(pin);
  lines_.remove(key);
  QVector<widgets::CardLegend::Entry> legend;
  for (const auto& run : context_.workspace.summaries().runs()) {
    const auto it = run->histograms.find(pin.tag);
    if (run->foreign || !run->visible || it == run->histograms.end()) continue;
    lines_[key][run->id] = plot->addSeries(run->name, run->hue, it->second);
    legend << widgets::CardLegend::Entry{widgets::Theme::current().categorical(run->hue), run->name};
  }
  card->setLegend(legend);
  connect(plot, &widgets::HistogramPlot::refreshed, card, [card, plot] { card->setFoot(plot->summaryText(), plot->rangeText()); });
  connect(plot, &widgets::HistogramPlot::stepHovered, this, [this, plot](std::optional<double> step) {
    setCursor(step, plot);
    context_.workspace.summaries().setCursor(step);
  });
  return card;
}

const SummaryRun* OverviewView::newestWith(const QString& tag) const {
  const auto& runs = context_.workspace.summaries().runs();
  for (auto it = runs.rbegin(); it != runs.rend(); ++it)
    if (!(*it)->foreign && (*it)->visible && (*it)->pictures.count(tag) > 0) return it->get();
  return nullptr;
}

widgets::PlotCard* OverviewView::makePicture(const Pin& pin, QWidget* parent) {
  const SummaryRun* run = newestWith(pin.tag);
  if (!run) return new widgets::PlotCard(pin.tag, new QWidget, parent);  // the run was just removed; the next event removes the card
  lines_[keyOf(pin)] = {{run->id, 0}};
  auto* card = new widgets::ImageCard(pin.tag, run->name, run->hue, run->pictures.at(pin.tag), parent);
  connect(card, &widgets::ImageCard::opened, this, [this, tag = pin.tag] {
    context_.shell.showView(QStringLiteral("images"));
    const CommandResult result = context_.actions.run(QStringLiteral("panels.option"), {QStringLiteral("images"), QStringLiteral("look"), tag});
    if (!result.ok) emit context_.actions.failed(result.message);
  });
  return card;
}

void OverviewView::grown(int run, SummaryKind kind, const QString& tag) {
  const QString key = keyOf({kind, tag});
  if (key.isEmpty()) {
    if (kind == SummaryKind::Scalar || kind == SummaryKind::Histogram || kind == SummaryKind::Picture) rebuildSoon();
    return;
  }
  QWidget* card = grid_->card(key);
  if (!card) return;
  const SummaryRun* newest = kind == SummaryKind::Picture ? newestWith(tag) : nullptr;
  if (newest && !lines_.value(key).contains(newest->id)) {
    grid_->dropCard(key);  // a newer run has one, too
  } else if (kind == SummaryKind::Picture) {
    dirtyPictures_.insert(key);
    frame_->want();
  } else if (!lines_.value(key).contains(run)) {
    grid_->dropCard(key);  // the first data of this tag in the run
  } else if (kind == SummaryKind::Scalar) {
    static_cast<widgets::ScalarPlot*>(card)->changed();
  } else {
    static_cast<widgets::HistogramPlot*>(static_cast<widgets::PlotCard*>(card)->body())->changed();
  }
}

void OverviewView::refreshPictures() {
  if (!isVisible()) return;
  for (const QString& key : std::exchange(dirtyPictures_, {}))
    if (auto* card = qobject_cast<widgets::ImageCard*>(grid_->card(key))) card->changed();
}

/// Sets the step of all cards except the one under the pointer.
void OverviewView::setCursor(std::optional<double> step, QObject* from) {
  for (QWidget* card : grid_->cards()) {
    if (auto* plot = qobject_cast<widgets::ScalarPlot*>(card)) {
      if (plot != from) plot->setCursor(step);
    } else if (auto* picture = qobject_cast<widgets::ImageCard*>(card)) {
      picture->setStep(step);
    } else if (auto* histogram = qobject_cast<widgets::HistogramPlot*>(static_cast<widgets::PlotCard*>(card)->body()); histogram && histogram != from) {
      histogram->setMarkedStep(step);
    }
  }
}

/// Lists everything that can be pinned, by kind.
void OverviewView::fillChoice() {
  QMenu* menu = choose_->menu();
  menu->clear();
  QSet<QString> tags[3];
  for (const auto& run : context_.workspace.summaries().runs()) {
    if (run->foreign) continue;
    for (const auto& [tag, unused] : run->scalars) tags[0].insert(tag);
    for (const auto& [tag, unused] : run->histograms) tags[1].insert(tag);
    for (const auto& [tag, unused] : run->pictures) tags[2].insert(tag);
  }
  const std::pair<SummaryKind, QString> kinds[] = {
      {SummaryKind::Scalar, tr("Curves")}, {SummaryKind::Histogram, tr("Histograms")}, {SummaryKind::Picture, tr("Images")}};
  for (int i = 0; i < 3; ++i) {
    QMenu* inner = menu->addMenu(kinds[i].second);
    inner->setEnabled(!tags[i].isEmpty());
    QStringList sorted(tags[i].begin(), tags[i].end());
    sorted.sort();
    for (const QString& tag : std::as_const(sorted)) {
      const Pin pin{kinds[i].first, tag};
      QAction* action = inner->addAction(QString(tag).replace(u'&', QStringLiteral("&&")));
      action->setCheckable(true);
      action->setChecked(pins_.contains(pin));
      connect(action, &QAction::toggled, this, [this, pin](bool on) { pins_.set(pin, on); });
    }
  }
  menu->addSeparator();
  QAction* reset = menu->addAction(widgets::icon(QStringLiteral("undo")), tr("Automatic choice"), &pins_, &Pins::reset);
  reset->setEnabled(pins_.isChosen());
}

void OverviewView::refreshNow() {
  rebuild();
  grid_->settle();
  for (QWidget* card : grid_->cards()) {
    if (!card->isVisible()) continue;
    if (auto* plot = qobject_cast<widgets::ScalarPlot*>(card)) plot->refreshNow();
    else if (auto* picture = qobject_cast<widgets::ImageCard*>(card)) picture->changed();
    else if (auto* histogram = qobject_cast<widgets::HistogramPlot*>(static_cast<widgets::PlotCard*>(card)->body())) histogram->refreshNow();
  }
}

bool OverviewView::setOption(const QString& option) {
  const qsizetype mode = kModes.indexOf(option);
  if (mode < 0) return false;
  mode_ = int(mode);
  context_.workspace.settings().setValue(kModeSetting, mode_);
  if (QAction* chosen = modes_->menu()->actions().value(mode_)) chosen->setChecked(true);
  for (QWidget* card : grid_->cards())
    if (auto* histogram = qobject_cast<widgets::HistogramPlot*>(static_cast<widgets::PlotCard*>(card)->body()))
      histogram->setMode(widgets::HistogramPlot::Mode(mode_));
  return true;
}

/// Sizes the cards so that two rows fill the page if it is high enough, and three columns if there are no more.
void OverviewView::fitCards() {
  const int half = (grid_->height() - kGaps) / 2, third = (grid_->width() - kAround) / 3;
  grid_->setCardSize({shown_.size() <= 6 ? std::max(kCard.width(), third) : kCard.width(), half < kLeastOfTwo ? kCard.height() : std::min(half, kMostHigh)});
}

bool OverviewView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == grid_ && event->type() == QEvent::Resize) fitCards();
  return QWidget::eventFilter(watched, event);
}

void OverviewView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  rebuildSoon();
  if (!dirtyPictures_.isEmpty()) frame_->want();
}

void OverviewView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::PaletteChange) {
    for (const QString& key : shown_.keys()) grid_->dropCard(key);  // their legends hold colours
  }
  QWidget::changeEvent(event);
}

/// Offers runs with hidden curves first, because the user might think they are lost.
void OverviewView::updateEmptyState() {
  const RunArchive& archive = RunArchive::of(context_.workspace);
  const QVector<const RunRecord*> hidden = archive.hidden();
  if (!hidden.isEmpty()) {
    empty_->setTitle(tr("%n run(s) hidden", nullptr, int(hidden.size())));
    empty_->setText(tr("The eye of a run in the Runs panel shows and hides its curves."));
    empty_->setButton(tr("Show %1").arg(archive.name(*hidden.front())), QStringLiteral("eye"));
    return;
  }
  empty_->setTitle(tr("Nothing to watch yet"));
  empty_->setText(tr("Curves, histograms and images appear side by side here from the first training step. Pin the cards that you want to see."));
  empty_->setButton(tr("Train"), QStringLiteral("play"));
}

void OverviewView::retranslate() {
  updateEmptyState();
  choose_->setText(tr("Cards"));
  choose_->setToolTip(tr("Curves, histograms and images to show here"));
  choose_->setAccessibleName(choose_->toolTip());
  modes_->setToolTip(tr("How histograms are drawn"));
  modes_->setAccessibleName(modes_->toolTip());
  QMenu* menu = modes_->menu();
  menu->clear();
  const QString names[] = {tr("offset"), tr("overlay"), tr("heat map"), tr("distribution")};
  auto* group = new QActionGroup(menu);
  for (int i = 0; i < 4; ++i) {
    QAction* action = menu->addAction(names[i]);
    action->setCheckable(true);
    action->setActionGroup(group);
    action->setChecked(i == mode_);
    connect(action, &QAction::triggered, this, [this, i] { setOption(kModes[i]); });
  }
  rebuildSoon();
}

const ViewRecord overviewView = {"overview",
                                 QT_TRANSLATE_NOOP("Views", "Overview"),
                                 QT_TRANSLATE_NOOP("Views", "Pinned curves, histograms and images of training on one page"),
                                 "pin",
                                 Qt::BottomDockWidgetArea,
                                 "train!",
                                 [](const ViewContext& context, QWidget* parent) -> QWidget* { return new OverviewView(context, parent); }};

}  // namespace weft::app
