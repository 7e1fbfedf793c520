#include "views/evaluation/drawing_pad.h"

#include <QDropEvent>
#include <QImageReader>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QUrl>
#include <algorithm>
#include <cmath>

#include "common/theme.h"

namespace weft::app {
namespace {
constexpr int kLeastSide = 96, kMostSide = 260;  // pixels
constexpr int kMaxImageSide = 8192;              // of a dropped file
}  // namespace

DrawingPad::DrawingPad(QWidget* parent) : QWidget(parent), values_(64, 0.0F) {
  setAcceptDrops(true);
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::CrossCursor);
  setMinimumSize(kLeastSide, kLeastSide);
  setMaximumSize(kMostSide, kMostSide);
}

/// Keeps it square, so that the widgets beneath stay close.
void DrawingPad::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  setMaximumHeight(std::clamp(width(), kLeastSide, kMostSide));
}

void DrawingPad::setPictureSize(QSize size) {
  if (size == size_ || size.isEmpty()) return;
  size_ = size;
  cursor_ = {0, 0};
  clear();
}

void DrawingPad::setValues(const QVector<float>& values) {
  if (values.size() != qsizetype(size_.width()) * size_.height()) return;
  values_ = values;
  for (float& v : values_) v = std::isfinite(v) ? std::clamp(v, 0.0F, 1.0F) : 0.0F;
  update();
  emit changed();
}

void DrawingPad::clear() {
  values_.fill(0.0F, qsizetype(size_.width()) * size_.height());
  update();
  emit changed();
}

bool DrawingPad::load(const QString& path) {
  QImageReader reader(path);
  const QSize there = reader.size();
  if (there.isValid() && (there.width() > kMaxImageSide || there.height() > kMaxImageSide)) return false;
  QImage image = reader.read();
  if (image.isNull()) return false;
  image = image.convertToFormat(QImage::Format_Grayscale8).scaled(size_, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  QVector<float> values;
  double edge = 0;
  int edges = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      values << float(qGray(image.pixel(x, y))) / 255.0F;
      if (x == 0 || y == 0 || x + 1 == image.width() || y + 1 == image.height()) edge += double(values.last()), ++edges;
    }
  }
  if (edges > 0 && edge / edges > 0.5) {  // dark ink on light paper
    for (float& v : values) v = 1 - v;
  }
  setValues(values);
  return true;
}

QRectF DrawingPad::pictureRect() const {
  const double cell = std::min(double(width() - 2) / size_.width(), double(height() - 2) / size_.height());
  return {QPointF(1, 1), QSizeF(cell * size_.width(), cell * size_.height())};
}

/// Draws a soft round brush: full at its centre, 0 at a distance of 1.1 pixels (wider in larger pictures).
void DrawingPad::dab(QPointF at, bool rub) {
  const double reach = 1.1 * std::max(1.0, size_.width() / 14.0);
  for (int y = 0; y < size_.height(); ++y) {
    for (int x = 0; x < size_.width(); ++x) {
      const double distance = std::hypot(at.x() - x - 0.5, at.y() - y - 0.5);
      if (distance >= reach) continue;
      float& v = values_[qsizetype(y) * size_.width() + x];
      const float ink = float(std::min(1.0, 1.4 * (1 - distance / reach)));
      v = rub ? std::min(v, 1 - ink) : std::max(v, ink);
    }
  }
}

void DrawingPad::stroke(QPointF from, QPointF to, bool rub) {
  const QRectF picture = pictureRect();
  const double cell = picture.width() / size_.width();
  const QPointF a = (from - picture.topLeft()) / cell, b = (to - picture.topLeft()) / cell;
  const int dabs = std::clamp(int(std::hypot(b.x() - a.x(), b.y() - a.y()) * 3), 1, 400);
  for (int i = 1; i <= dabs; ++i) dab(a + (b - a) * (double(i) / dabs), rub);
  update();
  emit changed();
}

void DrawingPad::mousePressEvent(QMouseEvent* event) {
  last_ = event->position();
  stroke(last_, last_, event->button() == Qt::RightButton);
}

void DrawingPad::mouseMoveEvent(QMouseEvent* event) {
  stroke(last_, event->position(), event->buttons() & Qt::RightButton);
  last_ = event->position();
}

void DrawingPad::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left: cursor_.rx() = std::max(0, cursor_.x() - 1); break;
    case Qt::Key_Right: cursor_.rx() = std::min(size_.width() - 1, cursor_.x() + 1); break;
    case Qt::Key_Up: cursor_.ry() = std::max(0, cursor_.y() - 1); break;
    case Qt::Key_Down: cursor_.ry() = std::min(size_.height() - 1, cursor_.y() + 1); break;
    case Qt::Key_Delete: return clear();
    case Qt::Key_Space:
      dab(QPointF(cursor_) + QPointF(0.5, 0.5), event->modifiers() & Qt::ShiftModifier);
      emit changed();
      break;
    default: return QWidget::keyPressEvent(event);
  }
  update();
}

void DrawingPad::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void DrawingPad::dropEvent(QDropEvent* event) {
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile() && load(url.toLocalFile())) break;
  }
  event->acceptProposedAction();
}

void DrawingPad::paintEvent(QPaintEvent*) {
  const widgets::Theme& theme = widgets::Theme::current();
  QPainter painter(this);
  const QRectF picture = pictureRect();
  QImage image(size_, QImage::Format_RGB32);
  for (int y = 0; y < size_.height(); ++y) {
    for (int x = 0; x < size_.width(); ++x) {
      const int v = int(std::lround(255 * values_[qsizetype(y) * size_.width() + x]));
      image.setPixel(x, y, qRgb(v, v, v));
    }
  }
  painter.drawImage(picture, image);
  painter.setPen(QPen(theme.color(hasFocus() ? widgets::Role::Focus : widgets::Role::BorderStrong), hasFocus() ? 2 : 1));
  painter.drawRect(picture.adjusted(-0.5, -0.5, 0.5, 0.5));
  if (hasFocus()) {
    const double cell = picture.width() / size_.width();
    painter.drawRect(QRectF(picture.left() + cursor_.x() * cell, picture.top() + cursor_.y() * cell, cell, cell));
  }
}

}  // namespace weft::app
