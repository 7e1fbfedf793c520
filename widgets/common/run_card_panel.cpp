#include "common/run_card_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <utility>

#include "common/card_grid.h"
#include "common/plot_card.h"
#include "common/step_slider.h"
#include "common/theme.h"

namespace weft::widgets {

namespace {
constexpr double kGrownMs = 120;  // images and texts that change more often cannot be read
}

RunCardPanel::RunCardPanel(const QString& emptyIcon, QSize card, QWidget* parent)
    : CardPanel(emptyIcon, card, parent),
      frame_(
          FrameGovernor::Stage::Drawing, "pictures and texts",
          [this] {
            if (isVisible()) refreshGrown();  // otherwise when it is shown
          },
          kGrownMs) {
  steps_ = new StepSlider(this);
  addGroup()->addWidget(steps_);
  connect(steps_, &StepSlider::stepChanged, this, [this](std::optional<double> step) {
    chosen_.reset();
    refreshCards();
    emit stepChanged(step);
  });
}

void RunCardPanel::refreshCards() {
  for (auto it = places_.cbegin(); it != places_.cend(); ++it)
    if (cards()->card(it.key())) refreshCard(it.key());
  refreshed();
}

PlotCard* RunCardPanel::makePlotCard(const QString& key, int hue, QWidget* body, QWidget* parent) {
  const Place& place = places_[key];
  auto* card = new PlotCard(place.tag, body, parent);
  body->setAccessibleName(tr("%1 of %2").arg(place.tag, place.run));
  card->setLegend({{Theme::current().categorical(hue), place.run}});
  connect(card, &PlotCard::maximizeRequested, this, [this, key] { cards()->toggleLarge(key); });
  QMetaObject::invokeMethod(
      card,
      [this, key] {
        if (cards()->card(key)) refreshCard(key);
      },
      Qt::QueuedConnection);
  return card;
}

void RunCardPanel::followCursor(std::optional<double> step) {
  if (steps_->count() == 0 || (!step && !chosen_) || (step && !isVisible())) return;
  const std::optional<double> before = steps_->step();
  const QSignalBlocker quiet(steps_);
  if (step) {
    if (!chosen_) chosen_ = before;
    steps_->setStep(step);
  } else {
    steps_->setStep(*std::exchange(chosen_, std::nullopt));
  }
  if (steps_->step() != before) refreshCards();
}

void RunCardPanel::soon() {
  if (isVisible()) frame_.want();
}

void RunCardPanel::addSeries(const QString& run, const QString& tag) {
  const QString key = keyOf(run, tag);
  places_[key] = {run, tag, true};
  cards()->dropCard(key);
  if (!hidden_.contains(run)) cards()->add(key, groupOf(tag));
  showCards(true);
  soon();
}

void RunCardPanel::grown(const QString& run, const QString& tag) {
  const auto it = places_.find(keyOf(run, tag));
  if (it == places_.end()) return;
  it->dirty = true;
  soon();
}

void RunCardPanel::removeRun(const QString& run) {
  for (const QString& key : places_.keys()) {
    if (places_[key].run != run) continue;
    cards()->remove(key);
    places_.remove(key);
    forget(key);
  }
  refreshed();
  if (!places_.isEmpty()) return;
  steps_->clear();
  showCards(false);
}

void RunCardPanel::setRunVisible(const QString& run, bool visible) {
  if (visible == !hidden_.contains(run)) return;
  visible ? void(hidden_.remove(run)) : void(hidden_.insert(run));
  for (auto it = places_.cbegin(); it != places_.cend(); ++it) {
    if (it->run != run) continue;
    visible ? cards()->add(it.key(), groupOf(it->tag)) : cards()->remove(it.key());
  }
  refreshed();
}

void RunCardPanel::setStep(std::optional<double> step) {
  refreshGrown();
  steps_->setStep(step);
}

void RunCardPanel::refreshGrown() {
  bool any = false;
  for (auto it = places_.begin(); it != places_.end(); ++it) {
    if (!it->dirty) continue;
    it->dirty = false;
    any = true;
    steps_->addSteps(stepsOf(it.key()));
    if (cards()->card(it.key())) refreshCard(it.key());
  }
  if (any) refreshed();
}

void RunCardPanel::refreshNow() {
  refreshGrown();
  cards()->settle();
  for (auto it = places_.cbegin(); it != places_.cend(); ++it)
    if (cards()->card(it.key())) refreshCard(it.key());
}

void RunCardPanel::showEvent(QShowEvent* event) {
  CardPanel::showEvent(event);
  soon();
}

void RunCardPanel::changeEvent(QEvent* event) {
  CardPanel::changeEvent(event);
  if (!places_.isEmpty() && (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange)) refreshCards();
}

}  // namespace weft::widgets
