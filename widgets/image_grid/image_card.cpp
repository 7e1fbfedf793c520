#include "image_grid/image_card.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "common/background.h"
#include "common/format.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {
constexpr qsizetype kQuick = 16 << 10;  // bytes that decode in less than a millisecond
}

void decodePicture(const QByteArray& encoded, QObject* receiver, std::function<void(const QImage&)> take) {
  if (encoded.size() <= kQuick) {
    take(QImage::fromData(encoded));
    return;
  }
  const auto image = std::make_shared<QImage>();
  inBackground(
      receiver, [encoded, image] { *image = QImage::fromData(encoded); }, [image, take = std::move(take)] { take(*image); });
}

ImageCard::ImageCard(const QString& tag, const QString& run, int hue, std::shared_ptr<const PictureSeries> series, QWidget* parent)
    : PlotCard(tag, new QWidget, parent), run_(run), hue_(hue), series_(std::move(series)) {
  setAccessibleName(tr("%1 of %2").arg(tag, run));
  body()->installEventFilter(this);
  body()->setToolTip(tr("Double-click to enlarge"));
  connect(this, &PlotCard::maximizeRequested, this, &ImageCard::opened);
  changed();
}

void ImageCard::setStep(std::optional<double> step) {
  step_ = step;
  if (!series_->empty()) showIndex(step_ ? series_->at(*step_) : series_->size() - 1);
}

void ImageCard::setTone(ImageTone tone) {
  if (tone_ == tone) return;
  tone_ = tone;
  drawn_ = toned(image_, tone_);
  body()->update();
}

void ImageCard::changed() {
  if (series_->empty()) return;
  showIndex(step_ ? series_->at(*step_) : series_->size() - 1);
}

void ImageCard::showIndex(std::size_t index) {
  if (index == index_ && version_ == series_->version()) return;
  const Picture& p = (*series_)[index];
  const bool same = version_ > 0 && index == index_ && !image_.isNull() && series_->size() > index_;
  index_ = index;
  version_ = series_->version();
  setFoot(QStringLiteral("%1 · %2").arg(tr("step %1").arg(formatCount(std::llround(p.step))), tr("%n step(s), none dropped", nullptr, int(series_->size()))),
          p.width > 0 ? QStringLiteral("%1×%2×%3").arg(p.height).arg(p.width).arg(p.channels) : QString());
  if (same && step_) return;
  decodePicture(p.encoded, this, [this, request = ++request_](const QImage& image) {
    if (request != request_) return;
    image_ = image;
    failed_ = image.isNull();
    drawn_ = toned(image_, tone_);
    body()->update();
  });
}

bool ImageCard::eventFilter(QObject* watched, QEvent* event) {
  if (watched == body()) {
    if (event->type() == QEvent::Paint) {
      paint();
      return true;
    }
    if (event->type() == QEvent::MouseButtonDblClick) {
      emit opened();
      return true;
    }
  }
  return PlotCard::eventFilter(watched, event);
}

void ImageCard::paint() {
  const Theme& theme = Theme::current();
  QPainter p(body());
  p.fillRect(body()->rect(), theme.color(Role::Surface0));
  // Cards of several runs have the same title, so each names its run.
  const QFontMetricsF metrics(theme.smallFont());
  const QRectF line(12, 3, body()->width() - 20, metrics.height() + 2);
  p.fillRect(QRectF(line.left(), line.center().y() - 4, 8, 8), theme.categorical(hue_));
  p.setFont(theme.smallFont());
  p.setPen(theme.color(Role::Text2));
  p.drawText(line.adjusted(14, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, elideName(run_, metrics, line.width() - 14));
  const QRectF area = QRectF(body()->rect()).adjusted(8, line.bottom() + 3, -8, -8);
  if (drawn_.isNull()) {
    p.setFont(theme.smallFont());
    p.setPen(theme.color(Role::Text3));
    p.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, failed_ ? tr("This image cannot be decoded.") : QString());
    return;
  }
  double zoom = std::min(area.width() / drawn_.width(), area.height() / drawn_.height());
  if (zoom >= 1) zoom = std::floor(zoom);
  const QSizeF size = QSizeF(drawn_.size()) * zoom;
  p.setRenderHint(QPainter::SmoothPixmapTransform, zoom < 1);
  p.drawImage(QRectF(area.center() - QPointF(size.width() / 2, size.height() / 2), size), drawn_);
}

}  // namespace weft::widgets
