#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"
#include "image_grid/frame_viewer.h"

namespace weft::widgets {
namespace {
constexpr int kHigh = 52, kNarrow = 24, kWide = 120, kGap = 6, kEdge = 4;  // points
constexpr int kMostThumbnails = 600;
}  // namespace

FrameStrip::FrameStrip(QWidget* parent) : QWidget(parent), cell_(kHigh, kHigh) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setFixedHeight(kHigh + 2 * kEdge);
}

QSize FrameStrip::sizeHint() const { return {320, kHigh + 2 * kEdge}; }

void FrameStrip::setFrames(const FrameList& frames) {
  frames_ = frames;
  thumbnails_.clear();
  current_ = 0;
  left_ = 0;
  const QSize size = frames.empty() ? QSize() : frames.image(0).size();
  cell_ = QSize(size.isEmpty() ? kHigh : std::clamp(int(std::lround(double(kHigh) * size.width() / size.height())), kNarrow, kWide), kHigh);
  update();
}

void FrameStrip::setCurrent(int frame) {
  current_ = frame;
  reveal();
  update();
}

QRect FrameStrip::rectOf(int frame) const {
  const qint64 at = kEdge + qint64(frame) * (cell_.width() + kGap) - left_;
  return {int(std::clamp<qint64>(at, -(1 << 20), 1 << 20)), kEdge, cell_.width(), cell_.height()};
}

int FrameStrip::frameAt(QPoint at) const {
  const qint64 frame = (at.x() - kEdge + left_) / (cell_.width() + kGap);
  return frame >= 0 && frame < frames_.count && rectOf(int(frame)).contains(at) ? int(frame) : -1;
}

void FrameStrip::scrollTo(qint64 left) {
  const qint64 all = 2 * kEdge + qint64(frames_.count) * (cell_.width() + kGap) - kGap;
  left_ = std::clamp<qint64>(left, 0, std::max<qint64>(0, all - width()));
  update();
}

/// Keeps the current picture and a neighbour on each side in view.
void FrameStrip::reveal() {
  const qint64 step = cell_.width() + kGap, at = current_ * step;
  if (at - step < left_) scrollTo(at - step);
  else if (at + 2 * step > left_ + width()) scrollTo(at + 2 * step - width());
}

const QImage& FrameStrip::thumbnail(int frame) {
  auto found = thumbnails_.constFind(frame);
  if (found != thumbnails_.constEnd()) return *found;
  if (thumbnails_.size() >= kMostThumbnails) thumbnails_.clear();
  const double ratio = ratio_;
  QImage image = frames_.image(frame);
  const QSize fitted = image.size().scaled(cell_ * ratio, Qt::KeepAspectRatio);
  // Much larger pictures are reduced coarsely first: smooth scaling reads every pixel. Smaller ones keep their pixels.
  if (image.width() > 4 * fitted.width()) image = image.scaled(fitted * 4, Qt::KeepAspectRatio, Qt::FastTransformation);
  image = image.scaled(fitted, Qt::KeepAspectRatio, image.width() > fitted.width() ? Qt::SmoothTransformation : Qt::FastTransformation);
  image.setDevicePixelRatio(ratio);
  return *thumbnails_.insert(frame, image.copy());  // never a view of the source's memory
}

void FrameStrip::paintEvent(QPaintEvent* event) {
  const Theme& theme = Theme::current();
  if (ratio_ != devicePixelRatioF()) thumbnails_.clear();
  ratio_ = devicePixelRatioF();
  QPainter p(this);
  p.fillRect(rect(), theme.color(Role::Surface2));
  const int step = cell_.width() + kGap;
  const int first = int(std::max<qint64>(0, (left_ + event->rect().left() - kEdge) / step));
  for (int i = first; i < frames_.count; ++i) {
    const QRect cell = rectOf(i);
    if (cell.left() > event->rect().right()) break;
    const QImage& image = thumbnail(i);
    const QSizeF size = image.deviceIndependentSize();
    p.drawImage(QPointF(cell.left() + (cell.width() - size.width()) / 2, cell.top() + (cell.height() - size.height()) / 2), image);
    p.setBrush(Qt::NoBrush);
    p.setPen(i == current_ ? QPen(theme.color(Role::Accent), 2) : QPen(theme.color(Role::Border), 1));
    p.drawRect(QRectF(cell).adjusted(-1, -1, 1, 1));
  }
}

void FrameStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const int frame = frameAt(event->pos()); frame >= 0) emit chosen(frame);
}

void FrameStrip::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) return;
  if (const int frame = frameAt({std::clamp(event->pos().x(), 0, width()), height() / 2}); frame >= 0) emit chosen(frame);
}

void FrameStrip::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  scrollTo(left_ - (std::abs(turned.x()) > std::abs(turned.y()) ? turned.x() : turned.y()));
  event->accept();
}

void FrameStrip::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  scrollTo(left_);
  reveal();
}

bool FrameStrip::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int frame = frameAt(help->pos());
    if (frame < 0) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), FrameViewer::tr("%1 of %2").arg(formatCount(frame + 1), formatCount(frames_.count)), this, rectOf(frame));
    return true;
  }
  return QWidget::event(event);
}

}  // namespace weft::widgets
