#include "common/step_slider.h"

#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <iterator>

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
  if (steps.empty()) return;
  const std::size_t before = steps_.size();
  const std::optional<double> chosen = step();
  std::vector<double> fresh = steps;
  std::sort(fresh.begin(), fresh.end());
  fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
  if (steps_.empty() || fresh.front() > steps_.back()) {  // the usual case: the series grew
    steps_.insert(steps_.end(), fresh.begin(), fresh.end());
  } else {
    std::vector<double> all;
    all.reserve(before + fresh.size());
    std::set_union(steps_.begin(), steps_.end(), fresh.begin(), fresh.end(), std::back_inserter(all));
    steps_ = std::move(all);
  }
  if (steps_.size() == before) return;
  const QSignalBlocker quiet(slider_);
  slider_->setRange(0, std::max(0, count() - 1));
  if (follows_) slider_->setValue(count() - 1);
  else slider_->setValue(static_cast<int>(std::lower_bound(steps_.begin(), steps_.end(), *chosen) - steps_.begin()));
  if (before == 0) updateTexts();
  else showValue();
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
  showValue();
  emit stepChanged(step());
}

void StepSlider::updateTexts() {
  label_->setText(tr("step"));
  slider_->setAccessibleName(tr("Step"));
  slider_->setToolTip(tr("Step to show; the right end always shows the newest"));
  back_->setToolTip(tr("Previous step"));
  forth_->setToolTip(tr("Next step"));
  for (QToolButton* b : {back_, forth_}) b->setAccessibleName(b->toolTip());
  const bool any = !steps_.empty();
  for (QWidget* w : {static_cast<QWidget*>(slider_), static_cast<QWidget*>(back_), static_cast<QWidget*>(forth_)}) w->setEnabled(any);
  showValue();
}

/// The label grows by several digits at a time: resizing it with each step would relayout everything around it.
void StepSlider::showValue() {
  QString text = QStringLiteral("–");
  if (!steps_.empty())
    text = formatCount(std::llround(steps_[static_cast<std::size_t>(std::clamp(slider_->value(), 0, count() - 1))])) +
           (follows_ ? QStringLiteral(" · ") + tr("newest") : QString());
  if (text == value_->text()) return;
  const QFontMetrics metrics(value_->font());
  const int needed = metrics.horizontalAdvance(text), quantum = metrics.horizontalAdvance(QStringLiteral("00000"));
  const QSize room((needed + quantum - 1) / quantum * quantum, metrics.height());
  if (needed > value_->maximumWidth() || value_->minimumWidth() != value_->maximumWidth() || room.height() != value_->maximumHeight())
    value_->setFixedSize(room);
  value_->setText(text);
}

void StepSlider::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::LanguageChange) updateTexts();
  if (event->type() != QEvent::PaletteChange) return;
  value_->setFont(Theme::current().monoFont());
  showValue();
}

}  // namespace weft::widgets
