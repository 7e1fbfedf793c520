#include "image_grid/image_viewer.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>

#include "common/theme.h"

namespace weft::widgets {
namespace {

constexpr double kLeastZoom = 1.0 / 64, kMostZoom = 128;
constexpr double kValuesFrom = 30;  // screen pixels per image pixel from which on values fit

/// A transparent colour as it is seen on the ground below.
QColor overGround(const QColor& color, const QColor& ground) {
  const auto mix = [share = color.alphaF()](float above, float below) { return share * above + (1 - share) * below; };
  return QColor::fromRgbF(mix(color.redF(), ground.redF()), mix(color.greenF(), ground.greenF()), mix(color.blueF(), ground.blueF()));
}

}  // namespace

QImage toned(const QImage& image, ImageTone tone) {
  if (image.isNull() || tone == ImageTone()) return image;
  std::array<uchar, 256> table;
  for (int v = 0; v < 256; ++v) {
    table[static_cast<size_t>(v)] = static_cast<uchar>(std::clamp(std::lround((v - 127.5) * tone.contrast + 127.5 + tone.brightness * 255), 0L, 255L));
  }
  QImage out = image.convertToFormat(QImage::Format_RGBA8888);
  for (int y = 0; y < out.height(); ++y) {
    uchar* p = out.scanLine(y);
    for (int x = 0; x < out.width(); ++x, p += 4)
      for (int k = 0; k < 3; ++k) p[k] = table[p[k]];
  }
  return out;
}

QImage difference(const QImage& a, const QImage& b) {
  const QSize size(std::min(a.width(), b.width()), std::min(a.height(), b.height()));
  if (size.isEmpty()) return {};
  const QImage left = a.convertToFormat(QImage::Format_RGB888), right = b.convertToFormat(QImage::Format_RGB888);
  QImage out(size, QImage::Format_RGB888);
  for (int y = 0; y < size.height(); ++y) {
    const uchar *l = left.constScanLine(y), *r = right.constScanLine(y);
    uchar* o = out.scanLine(y);
    for (int i = 0; i < 3 * size.width(); ++i) o[i] = static_cast<uchar>(std::abs(int(l[i]) - int(r[i])));
  }
  return out;
}

QString pixelText(const QImage& image, int x, int y) {
  const QColor c = image.pixelColor(x, y);
  if (image.format() == QImage::Format_Grayscale16 || image.format() == QImage::Format_RGBA64) {  // 16 bits a channel
    const QRgba64 wide = c.rgba64();
    if (image.format() == QImage::Format_Grayscale16) return QString::number(wide.red());
    const QString text = QStringLiteral("%1 %2 %3").arg(wide.red()).arg(wide.green()).arg(wide.blue());
    return wide.isOpaque() ? text : text + QStringLiteral(" a%1").arg(wide.alpha());
  }
  if (image.isGrayscale() && c.alpha() == 255) return QString::number(c.red());
  QString text = QStringLiteral("%1 %2 %3").arg(c.red()).arg(c.green()).arg(c.blue());
  if (c.alpha() != 255) text += QStringLiteral(" a%1").arg(c.alpha());
  return text;
}

ImageViewer::ImageViewer(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::StrongFocus);
  setMinimumSize(120, 120);
}

QSize ImageViewer::imageSize() const {
  const QImage& first = mode_ == Mode::B ? shownB_ : shownA_;
  return first.isNull() ? shownB_.size() : first.size();
}

void ImageViewer::setImages(const QImage& a, const QImage& b) {
  const bool sameSize = a.size() == a_.size();
  a_ = a;
  b_ = b;
  prepare();
  if (!sameSize || fitted_) fit();
  update();
}

void ImageViewer::setMode(Mode mode) {
  mode_ = mode;
  prepare();
  if (fitted_) fit();
  update();
}

void ImageViewer::setTone(ImageTone tone) {
  if (tone_ == tone) return;
  tone_ = tone;
  prepare();
  update();
}

void ImageViewer::prepare() {
  const bool differs = mode_ == Mode::Difference && !b_.isNull();
  plain_ = differs ? difference(a_, b_) : a_;
  shownA_ = toned(plain_, tone_);
  shownB_ = toned(b_, tone_);
}

void ImageViewer::fit() {
  fitted_ = true;
  const QSize size = imageSize();
  if (size.isEmpty() || width() < 2) return;
  const double whole = std::min((width() - 16.0) / size.width(), (height() - 16.0) / size.height());
  // Small pictures are enlarged by integer factors only, so that all pixels are squares of one size.
  zoom_ = std::clamp(whole >= 1 ? std::floor(whole) : whole, kLeastZoom, kMostZoom);
  centre_ = QPointF(size.width() / 2.0, size.height() / 2.0);
  emit zoomChanged(zoom_);
  update();
}

void ImageViewer::actualSize() { setZoom(1, QPointF(width() / 2.0, height() / 2.0)); }

void ImageViewer::setZoom(double zoom, QPointF about) {
  zoom = std::clamp(zoom, kLeastZoom, kMostZoom);
  const QPointF middle(width() / 2.0, height() / 2.0);
  const QPointF at = centre_ + (about - middle) / zoom_;
  zoom_ = zoom;
  centre_ = at - (about - middle) / zoom_;
  fitted_ = false;
  emit zoomChanged(zoom_);
  update();
}

void ImageViewer::setWipe(double share) {
  wipe_ = std::clamp(share, 0.0, 1.0);
  update();
}

QRectF ImageViewer::imageRect() const {
  const QSizeF size = imageSize();
  return QRectF(QPointF(width() / 2.0, height() / 2.0) - centre_ * zoom_, size * zoom_);
}

void ImageViewer::drawValues(QPainter& p, const QImage& source, const QImage& drawn, const QRectF& clip) const {
  if (zoom_ < kValuesFrom || source.isNull()) return;
  const Theme& theme = Theme::current();
  QFont font = theme.monoSmallFont();
  const bool grey = source.isGrayscale();
  font.setPixelSize(std::clamp(int(zoom_ / (grey ? 3 : 4.2)), 7, 14));
  p.setFont(font);
  const QRectF rect = imageRect();
  const auto from = [](double v) { return std::max(0, int(std::floor(v))); };
  const int x0 = from((clip.left() - rect.left()) / zoom_), x1 = std::min(source.width() - 1, int((clip.right() - rect.left()) / zoom_));
  const int y0 = from((clip.top() - rect.top()) / zoom_), y1 = std::min(source.height() - 1, int((clip.bottom() - rect.top()) / zoom_));
  for (int y = y0; y <= y1; ++y) {
    for (int x = x0; x <= x1; ++x) {
      p.setPen(readableOn(drawn.valid(x, y) ? overGround(drawn.pixelColor(x, y), theme.color(Role::Surface0)) : theme.color(Role::Surface0)));
      const QRectF cell(rect.left() + x * zoom_, rect.top() + y * zoom_, zoom_, zoom_);
      p.drawText(cell, Qt::AlignCenter, pixelText(source, x, y).replace(u' ', u'\n'));
    }
  }
}

void ImageViewer::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter p(this);
  p.fillRect(rect(), theme.color(Role::Surface0));
  if (imageSize().isEmpty()) return;
  const QRectF rect = imageRect();
  p.setRenderHint(QPainter::SmoothPixmapTransform, zoom_ < 1);
  if (mode_ == Mode::Wipe && !shownB_.isNull()) {
    const double line = rect.left() + wipe_ * rect.width();
    const QRectF left(0, 0, line, height()), right(line, 0, width() - line, height());
    p.setClipRect(left);
    p.drawImage(rect, shownA_);
    drawValues(p, a_, shownA_, left);
    p.setClipRect(right);
    p.drawImage(QRectF(rect.topLeft(), QSizeF(shownB_.size()) * zoom_), shownB_);
    drawValues(p, b_, shownB_, right);
    p.setClipping(false);
    p.setPen(QPen(theme.color(Role::Accent), 2));
    p.drawLine(QPointF(line, 0), QPointF(line, height()));
    p.setFont(theme.smallFont());
    p.drawText(QRectF(line - 26, 4, 20, 16), Qt::AlignRight, QStringLiteral("A"));
    p.drawText(QRectF(line + 6, 4, 20, 16), Qt::AlignLeft, QStringLiteral("B"));
  } else {
    const bool second = mode_ == Mode::B && !shownB_.isNull();
    p.drawImage(rect, second ? shownB_ : shownA_);
    drawValues(p, second ? b_ : plain_, second ? shownB_ : shownA_, QRectF(this->rect()));
  }
  p.setPen(QPen(theme.color(Role::Border), 1));
  p.setBrush(Qt::NoBrush);
  p.drawRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5));
  if (hasFocus()) {
    p.setPen(QPen(theme.color(Role::Focus), 1));
    p.drawRect(QRectF(this->rect()).adjusted(0.5, 0.5, -0.5, -0.5));
  }
}

void ImageViewer::wheelEvent(QWheelEvent* event) {
  setZoom(zoom_ * std::pow(1.0015, event->angleDelta().y()), event->position());
  event->accept();
}

bool ImageViewer::nearWipe(QPointF at) const {
  const QRectF rect = imageRect();
  return mode_ == Mode::Wipe && std::abs(at.x() - (rect.left() + wipe_ * rect.width())) < 8;
}

void ImageViewer::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  pressed_ = event->position();
  pressedCentre_ = centre_;
  movingWipe_ = nearWipe(pressed_);
}

void ImageViewer::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  const QRectF rect = imageRect();
  if (event->buttons() & Qt::LeftButton) {
    if (movingWipe_) {
      setWipe((at.x() - rect.left()) / std::max(1.0, rect.width()));
    } else {
      centre_ = pressedCentre_ - (at - pressed_) / zoom_;
      fitted_ = false;
      update();
    }
  }
  setCursor(nearWipe(at) ? Qt::SplitHCursor : Qt::ArrowCursor);
  const int x = int(std::floor((at.x() - rect.left()) / zoom_)), y = int(std::floor((at.y() - rect.top()) / zoom_));
  QString text;
  if (a_.valid(x, y)) text = QStringLiteral("x %1, y %2: %3").arg(x).arg(y).arg(pixelText(a_, x, y));
  if (!text.isEmpty() && b_.valid(x, y)) text += QStringLiteral(" | %1").arg(pixelText(b_, x, y));
  emit pixelHovered(text);
}

void ImageViewer::mouseReleaseEvent(QMouseEvent*) { movingWipe_ = false; }

void ImageViewer::mouseDoubleClickEvent(QMouseEvent*) { fit(); }

void ImageViewer::leaveEvent(QEvent* event) {
  emit pixelHovered({});
  QWidget::leaveEvent(event);
}

void ImageViewer::keyPressEvent(QKeyEvent* event) {
  const QPointF middle(width() / 2.0, height() / 2.0);
  switch (event->key()) {
    case Qt::Key_1: actualSize(); break;
    case Qt::Key_F: fit(); break;
    case Qt::Key_Plus: setZoom(zoom_ * 1.5, middle); break;
    case Qt::Key_Minus: setZoom(zoom_ / 1.5, middle); break;
    default: QWidget::keyPressEvent(event); return;
  }
  event->accept();
}

void ImageViewer::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (fitted_) fit();
}

}  // namespace weft::widgets
