#include "tensor_view/filter_mosaic.h"

#include <QEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"
#include "tensor_view/value_range.h"

namespace weft::widgets {
namespace {

constexpr int kMostSide = 32;           // cells of a filter in each direction
constexpr qint64 kMostCells = 400'000;  // of the whole picture
constexpr int kLeastScale = 2, kMostScale = 20;

}  // namespace

FilterMosaic::FilterMosaic(QWidget* parent) : QWidget(parent) { setMouseTracking(true); }

bool FilterMosaic::fits(const TensorSource& source) {
  const QVector<qint64> s = source.shape();
  return source.facts().isNumeric && s.size() == 4 && s[0] <= kMostSide && s[1] <= kMostSide && s[0] * s[1] > 1 && s[2] > 0 && s[3] > 0;
}

void FilterMosaic::setSource(std::shared_ptr<const TensorSource> source) {
  source_ = source && fits(*source) ? std::move(source) : nullptr;
  if (source_) {
    const QVector<qint64> s = source_->shape();
    height_ = s[0], width_ = s[1], in_ = s[2], out_ = s[3];
    wrapped_ = in_ == 1 || in_ == 3;
    const qint64 tile = (height_ + 1) * (width_ + 1), most = std::max<qint64>(1, kMostCells / tile);
    if (wrapped_) {
      shownIn_ = in_;
      shownOut_ = std::min(out_, most);
    } else {
      shownIn_ = std::min(in_, std::max<qint64>(1, qint64(std::sqrt(double(most)))));
      shownOut_ = std::min(out_, most / shownIn_);
    }
  }
  columns_ = 0;
  setMinimumSize(1, 1);
  arrange();
}

qint64 FilterMosaic::flat(qint64 y, qint64 x, qint64 in, qint64 out) const { return ((y * width_ + x) * in_ + in) * out_ + out; }

int FilterMosaic::columnsAt(int scale) const {
  return wrapped_ ? int(std::clamp<qint64>((this->width() / scale - 1) / (width_ + 1), 1, shownOut_)) : int(shownOut_);
}

/// As large as there is room for; larger mosaics scroll. The image is rebuilt when the arrangement of the tiles changes.
void FilterMosaic::arrange() {
  if (!source_) {
    image_ = QImage();
    setMinimumSize(1, 1);
    update();
    return;
  }
  const auto rowsAt = [this](int columns) { return wrapped_ ? int((shownOut_ + columns - 1) / columns) : int(shownIn_); };
  for (scale_ = kMostScale; scale_ > kLeastScale; --scale_) {
    const int columns = columnsAt(scale_);
    const bool wide = (qint64(columns) * (width_ + 1) + 1) * scale_ <= width(), high = (qint64(rowsAt(columns)) * (height_ + 1) + 1) * scale_ <= height();
    if (wide && high) break;
  }
  const int columns = columnsAt(scale_), rows = rowsAt(columns);
  if (columns != columns_ || rows != rows_ || image_.isNull()) {
    columns_ = columns;
    rows_ = rows;
    build();
  }
  setMinimumSize(wrapped_ ? 1 : image_.width() * kLeastScale, image_.height() * kLeastScale);
  update();
}

void FilterMosaic::build() {
  const Theme& theme = Theme::current();
  const ValueRange range = colorRange(*source_);
  QRgb ramp[256];
  for (int i = 0; i < 256; ++i) ramp[i] = (range.diverging ? theme.diverging(2 * i / 255.0 - 1) : theme.sequential(i / 255.0)).rgb();
  const QRgb nan = theme.color(Role::Nan).rgb();
  const auto level = [&](double v) { return int(std::clamp(range.part(v), 0.0, 1.0) * 255 + 0.5); };
  image_ = QImage(columns_ * int(width_ + 1) + 1, rows_ * int(height_ + 1) + 1, QImage::Format_RGB32);
  image_.fill(theme.color(Role::Surface1));
  for (qint64 o = 0; o < shownOut_; ++o) {
    for (qint64 i = 0; i < (wrapped_ ? 1 : shownIn_); ++i) {
      const int left = int(wrapped_ ? o % columns_ : o) * int(width_ + 1) + 1, top = int(wrapped_ ? o / columns_ : i) * int(height_ + 1) + 1;
      for (qint64 y = 0; y < height_; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image_.scanLine(top + int(y))) + left;
        for (qint64 x = 0; x < width_; ++x) {
          const double v = source_->number(flat(y, x, i, o));
          if (!std::isfinite(v)) line[x] = nan;
          else if (in_ == 3) line[x] = qRgb(level(v), level(source_->number(flat(y, x, 1, o))), level(source_->number(flat(y, x, 2, o))));
          else line[x] = ramp[level(v)];
        }
      }
    }
  }
  updateGeometry();
  update();
}

QSize FilterMosaic::sizeHint() const { return image_.isNull() ? QSize(0, 0) : image_.size() * scale_; }

QString FilterMosaic::description() const {
  if (!source_) return {};
  const QString size = QStringLiteral("%1×%2").arg(height_).arg(width_);
  QString text =
      wrapped_ ? tr("%n filter(s) of %1", nullptr, int(out_)).arg(size) : tr("%n filter(s) of %1 over %2 channels", nullptr, int(out_)).arg(size).arg(in_);
  if (shownOut_ < out_ || shownIn_ < in_) text += QStringLiteral(" · ") + tr("the first %1 × %2 are shown").arg(shownIn_).arg(shownOut_);
  return text;
}

QString FilterMosaic::explanation() const {
  return in_ == 3  ? tr("One image per filter; its three channels are shown as red, green and blue.")
         : in_ > 1 ? tr("One column per filter, one row per channel, all on the same scale.")
                   : tr("One image per filter, all on the same scale.");
}

QString FilterMosaic::textAt(QPoint point) const {
  if (image_.isNull()) return {};
  const int x = point.x() / scale_ - 1, y = point.y() / scale_ - 1;
  if (x < 0 || y < 0 || x >= image_.width() - 1 || y >= image_.height() - 1) return {};
  const qint64 column = x / (width_ + 1), row = y / (height_ + 1), dx = x % (width_ + 1), dy = y % (height_ + 1);
  if (dx >= width_ || dy >= height_) return {};
  const qint64 out = wrapped_ ? row * columns_ + column : column;
  if (out >= shownOut_) return {};
  QStringList values;
  for (qint64 i = wrapped_ ? 0 : row; i < (wrapped_ ? in_ : row + 1); ++i)
    values << QStringLiteral("[%1,%2,%3,%4] = %5").arg(dy).arg(dx).arg(i).arg(out).arg(formatValue(source_->number(flat(dy, dx, i, out))));
  return tr("filter %1").arg(out) + u'\n' + values.join(u'\n');
}

bool FilterMosaic::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = textAt(help->pos());
    if (text.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return QWidget::event(event);
}

void FilterMosaic::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && source_ && !image_.isNull()) build();
  QWidget::changeEvent(event);
}

void FilterMosaic::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

void FilterMosaic::paintEvent(QPaintEvent*) {
  if (image_.isNull()) return;
  QPainter painter(this);
  painter.drawImage(QRect(QPoint(0, 0), image_.size() * scale_), image_);
}

}  // namespace weft::widgets
