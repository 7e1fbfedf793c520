#include "common/step_slider.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"

namespace weft::widgets {

StepSlider::StepSlider(QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  label_ = new QLabel(this);
  label_->setProperty("kind", "muted");
  slider_ = new QSlider(Qt::Horizontal, this);
  slider_->setFixedWidth(160);
  slider_->setRange(0, 0);
  value_ = new QLabel(this);
  value_->setFont(Theme::current().monoFont());
  back_ = new QToolButton(this);
  forth_ = new QToolButton(this);
  back_->setIcon(icon(QStringLiteral("chevron-left")));
  forth_->setIcon(icon(QStringLiteral("chevron-right")));
  for (QToolButton* b : {back_, forth_}) b->setProperty("kind", "flat");
  row->addWidget(label_);
  row->addWidget(back_);
  row->addWidget(slider_);
  row->addWidget(forth_);
  row->addWidget(value_);
  connect(slider_, &QSlider::valueChanged, this, &StepSlider::moved);
  connect(back_, &QToolButton::clicked, this, [this] { slider_->setValue(slider_->value() - 1); });
  connect(forth_, &QToolButton::clicked, this, [this] { slider_->setValue(slider_->value() + 1); });
  updateTexts();
}

void StepSlider::addSteps(const std::vector<double>& steps) {
  const std::size_t before = steps_.size();
  std::vector<double> all;
  all.reserve(before + steps.size());
  std::vector<double> fresh = steps;
  std::sort(fresh.begin(), fresh.end());
  std::merge(steps_.begin(), steps_.end(), fresh.begin(), fresh.end(), std::back_inserter(all));
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (all.size() == before) return;
  const std::optional<double> chosen = step();
  steps_ = std::move(all);
  const QSignalBlocker quiet(slider_);
  slider_->setRange(0, std::max(0, count() - 1));
  if (follows_) slider_->setValue(count() - 1);
  else slider_->setValue(static_cast<int>(std::lower_bound(steps_.begin(), steps_.end(), *chosen) - steps_.begin()));
  updateTexts();
}

void StepSlider::clear() {
  steps_.clear();
  follows_ = true;
  const QSignalBlocker quiet(slider_);
  slider_->setRange(0, 0);
  updateTexts();
}

std::optional<double> StepSlider::step() const {
  if (follows_ || steps_.empty()) return std::nullopt;
  return steps_[static_cast<std::size_t>(std::clamp(slider_->value(), 0, count() - 1))];
}

void StepSlider::setStep(std::optional<double> step) {
  if (steps_.empty()) return;
  if (!step) {
    slider_->setValue(count() - 1);
    return;
  }
  const auto at = std::lower_bound(steps_.begin(), steps_.end(), *step);
  auto index = at - steps_.begin();
  if (at == steps_.end() || (index > 0 && *step - steps_[static_cast<std::size_t>(index) - 1] < *at - *step)) --index;
  slider_->setValue(static_cast<int>(index));
}

void StepSlider::moved(int index) {
  follows_ = index >= count() - 1;
  updateTexts();
  emit stepChanged(step());
}

void StepSlider::updateTexts() {
  label_->setText(tr("step"));
  slider_->setAccessibleName(tr("Step"));
  slider_->setToolTip(tr("The step that is shown; at the right end, always the newest"));
  back_->setToolTip(tr("Previous step"));
  forth_->setToolTip(tr("Next step"));
  for (QToolButton* b : {back_, forth_}) b->setAccessibleName(b->toolTip());
  const bool any = !steps_.empty();
  for (QWidget* w : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(back_), static_cast<QWidget*>(forth_)}) w->setEnabled(any);
  if (!any) {
    value_->setText(QStringLiteral("–"));
    return;
  }
  const double shown = steps_[static_cast<std::size_t>(std::clamp(slider_->value(), 0, count() - 1))];
  value_->setText(formatCount(std::llround(shown)) + (follows_ ? QStringLiteral(" · ") + tr("newest") : QString()));
}

void StepSlider::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::LanguageChange) updateTexts();
  if (event->type() == QEvent::PaletteChange) value_->setFont(Theme::current().monoFont());
}

}  // namespace weft::widgets
