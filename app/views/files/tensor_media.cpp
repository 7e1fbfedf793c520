#include "views/files/tensor_media.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <cmath>

#include "common/background.h"
#include "common/format.h"
#include "common/theme.h"

namespace weft::app {

TensorMedia::TensorMedia(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("tensor_media"));
  stack_ = new QStackedWidget(this);
  pictures_ = new widgets::FrameViewer(stack_);
  soundPage_ = new QWidget(stack_);
  sound_ = new widgets::Waveform(soundPage_);
  sound_->setZoomable(true);
  about_ = new QLabel(soundPage_);
  place_ = new QLabel(soundPage_);
  place_->setFont(widgets::Theme::current().monoFont());
  for (QLabel* label : {about_, place_}) {
    label->setProperty("kind", QStringLiteral("muted"));
    label->setMinimumWidth(1);
    label->setTextFormat(Qt::PlainText);
  }
  auto* words = new QHBoxLayout;
  words->setSpacing(16);
  words->addWidget(about_);
  words->addWidget(place_, 1);
  auto* page = new QVBoxLayout(soundPage_);
  page->setContentsMargins(0, 0, 0, 0);
  page->setSpacing(6);
  page->addWidget(sound_, 1);
  page->addLayout(words);
  stack_->addWidget(pictures_);
  stack_->addWidget(soundPage_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 0, 12, 8);
  column->addWidget(stack_);
  connect(sound_, &widgets::Waveform::hovered, place_, &QLabel::setText);
  retranslate();
}

void TensorMedia::show(const FileContentsPtr& file, MediaLook look, const TensorSourcePtr& source) {
  const TensorSourcePtr shown = look == MediaLook::None ? nullptr : source;
  if (shown == source_) return;  // keeps the zoom and the frame
  source_ = shown;
  const int asked = ++asked_;
  pictures_->setFrames(look == MediaLook::Pictures && shown ? framesOf(*file, shown) : widgets::FrameList());
  if (look != MediaLook::Sound || !shown) showSound(std::make_shared<const widgets::WavePeaks>());
  stack_->setCurrentWidget(look == MediaLook::Sound ? soundPage_ : pictures_);
  if (look != MediaLook::Sound || !shown) return;
  auto found = std::make_shared<std::shared_ptr<const widgets::WavePeaks>>();
  widgets::inBackground(
      this, [file, shown, found] { *found = peaksOf(*file, shown); },
      [this, asked, found] {
        if (asked == asked_ && *found) showSound(*found);
      });
}

void TensorMedia::showSound(const std::shared_ptr<const widgets::WavePeaks>& peaks) {
  sound_->setPeaks(peaks, widgets::Theme::current().color(widgets::Role::Accent));
  place_->clear();
  retranslate();
}

void TensorMedia::retranslate() {
  const widgets::WaveData& wave = sound_->wave();
  QStringList words;
  if (wave.sampleRate > 0)
    words << widgets::formatClock(double(wave.frames()) / wave.sampleRate) << tr("%1 Hz").arg(widgets::formatCount(qint64(wave.sampleRate)));
  if (wave.channels > 0) words << tr("%n channel(s)", nullptr, wave.channels);
  if (wave.bits > 0) words << tr("%1 bit").arg(wave.bits);
  about_->setText(words.join(QStringLiteral(" · ")));
  sound_->setAccessibleName(tr("Waveform"));
  sound_->setAccessibleDescription(about_->text());
  sound_->setToolTip(tr("The wheel zooms, dragging moves, double-click shows everything"));
  place_->setFont(widgets::Theme::current().monoFont());
}

void TensorMedia::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) retranslate();
  if (event->type() == QEvent::PaletteChange && sound_->wave().frames() > 0) sound_->setColor(widgets::Theme::current().color(widgets::Role::Accent));
  QWidget::changeEvent(event);
}

}  // namespace weft::app
