#include "image_grid/frame_viewer.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "common/format.h"
#include "common/icons.h"
#include "common/theme.h"
#include "image_grid/image_viewer.h"

namespace weft::widgets {
namespace {
constexpr int kLeastPlayMs = 11, kUsualPlayMs = 100;
}  // namespace

int FrameList::playMs(int frame) const {
  const int ms = frame >= 0 && frame < milliseconds.size() ? milliseconds[frame] : 0;
  return ms < kLeastPlayMs ? kUsualPlayMs : ms;
}

FrameViewer::FrameViewer(QWidget* parent) : QWidget(parent), viewer_(new ImageViewer(this)), strip_(new FrameStrip(this)), bar_(new QWidget(this)) {
  back_ = new QToolButton(bar_);
  play_ = new QToolButton(bar_);
  forth_ = new QToolButton(bar_);
  for (QToolButton* b : {back_, play_, forth_}) b->setProperty("kind", QStringLiteral("flat"));
  slider_ = new QSlider(Qt::Horizontal, bar_);
  slider_->setMinimumWidth(80);
  slider_->setMaximumWidth(320);
  place_ = new QLabel(bar_);
  place_->setFont(Theme::current().monoFont());
  pixel_ = new QLabel(bar_);
  pixel_->setProperty("kind", QStringLiteral("muted"));
  pixel_->setMinimumWidth(1);
  auto* row = new QHBoxLayout(bar_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(6);
  for (QWidget* w : std::initializer_list<QWidget*>{back_, play_, forth_}) row->addWidget(w);
  row->addWidget(slider_, 1);
  row->addWidget(place_);
  row->addWidget(pixel_, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addWidget(viewer_, 1);
  column->addWidget(strip_);
  column->addWidget(bar_);
  timer_ = new QTimer(this);
  timer_->setSingleShot(true);
  connect(timer_, &QTimer::timeout, this, [this] {
    setCurrent(current_ + 1 < frames_.count ? current_ + 1 : 0);
    timer_->start(frames_.playMs(current_));
  });
  connect(slider_, &QSlider::valueChanged, this, &FrameViewer::setCurrent);
  connect(strip_, &FrameStrip::chosen, this, &FrameViewer::setCurrent);
  connect(back_, &QToolButton::clicked, this, [this] { setCurrent(current_ - 1); });
  connect(forth_, &QToolButton::clicked, this, [this] { setCurrent(current_ + 1); });
  connect(play_, &QToolButton::clicked, this, [this] { setPlaying(!isPlaying()); });
  connect(viewer_, &ImageViewer::pixelHovered, pixel_, &QLabel::setText);
  setFocusProxy(viewer_);
  retranslate();
}

void FrameViewer::setFrames(FrameList frames) {
  setPlaying(false);
  if (frames.count != frames_.count) current_ = 0;
  frames_ = std::move(frames);
  const bool several = frames_.count > 1;
  strip_->setVisible(several);
  for (QWidget* w : std::initializer_list<QWidget*>{back_, play_, forth_, slider_, place_}) w->setVisible(several);
  {
    const QSignalBlocker quiet(slider_);
    slider_->setRange(0, std::max(0, frames_.count - 1));
    slider_->setValue(current_);
  }
  pixel_->clear();
  strip_->setFrames(frames_);
  strip_->setCurrent(current_);
  viewer_->setImages(frames_.empty() ? QImage() : frames_.image(current_), {});
  showPlace();
}

void FrameViewer::setCurrent(int frame) {
  frame = std::clamp(frame, 0, std::max(0, frames_.count - 1));
  if (frame == current_ || frames_.empty()) return;
  current_ = frame;
  {
    const QSignalBlocker quiet(slider_);
    slider_->setValue(frame);
  }
  strip_->setCurrent(frame);
  viewer_->setImages(frames_.image(frame), {});
  showPlace();
}

bool FrameViewer::isPlaying() const { return timer_->isActive(); }

void FrameViewer::setPlaying(bool on) {
  on = on && frames_.count > 1;
  if (on == isPlaying()) return;
  if (on) timer_->start(frames_.playMs(current_));
  else timer_->stop();
  retranslate();
}

void FrameViewer::showPlace() {
  const Theme& theme = Theme::current();
  const auto textOf = [this](int frame) {
    QString text = tr("%1 of %2").arg(formatCount(frame + 1), formatCount(frames_.count));
    if (frame >= frames_.milliseconds.size() || std::all_of(frames_.milliseconds.begin(), frames_.milliseconds.end(), [](int ms) { return ms == 0; }))
      return text;  // the file states no times
    qint64 before = 0;
    for (int i = 0; i < frame; ++i) before += frames_.milliseconds[i];
    return text + QStringLiteral(" · ") + tr("at %1 s, for %2 ms").arg(double(before) / 1000, 0, 'f', 2).arg(frames_.milliseconds[frame]);
  };
  const QString text = textOf(current_);
  place_->setText(text);
  // As wide as its longest text, so that the slider stays where it is.
  place_->setFixedWidth(QFontMetrics(theme.monoFont()).horizontalAdvance(textOf(std::max(0, frames_.count - 1))) + 8);
  viewer_->setAccessibleDescription(text);
}

void FrameViewer::keyPressEvent(QKeyEvent* event) {
  if (frames_.count < 2 || event->modifiers() & ~Qt::KeypadModifier) return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Left: setCurrent(current_ - 1); break;
    case Qt::Key_Right: setCurrent(current_ + 1); break;
    case Qt::Key_Home: setCurrent(0); break;
    case Qt::Key_End: setCurrent(frames_.count - 1); break;
    case Qt::Key_Space: setPlaying(!isPlaying()); break;
    default: return QWidget::keyPressEvent(event);
  }
  event->accept();
}

void FrameViewer::retranslate() {
  place_->setFont(Theme::current().monoFont());
  back_->setIcon(icon(QStringLiteral("chevron-left")));
  forth_->setIcon(icon(QStringLiteral("chevron-right")));
  play_->setIcon(icon(isPlaying() ? QStringLiteral("pause") : QStringLiteral("play")));
  back_->setToolTip(tr("Previous picture (←)"));
  forth_->setToolTip(tr("Next picture (→)"));
  play_->setToolTip(isPlaying() ? tr("Stop (Space)") : tr("Play (Space)"));
  for (QToolButton* b : {back_, play_, forth_}) b->setAccessibleName(b->toolTip());
  slider_->setAccessibleName(tr("Picture to show"));
  strip_->setAccessibleName(tr("All pictures"));
  viewer_->setAccessibleName(tr("Picture"));
  viewer_->setToolTip(tr("The wheel zooms, dragging moves, double-click shows the whole picture"));
  showPlace();
}

void FrameViewer::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) retranslate();
  QWidget::changeEvent(event);
}

void FrameViewer::hideEvent(QHideEvent* event) {
  setPlaying(false);
  QWidget::hideEvent(event);
}

}  // namespace weft::widgets
