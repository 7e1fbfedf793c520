#include "tensor_view/heat_map.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {

constexpr qint64 kMostPixels = 1024;  // of the image, in each direction
constexpr qint64 kMostReads = 400'000;
constexpr qint64 kMostSearched = 2'000'000;  // cells searched for values that are not finite
constexpr int kScaleHeight = 22;

}  // namespace

HeatMap::HeatMap(QWidget* parent) : QWidget(parent) { setMouseTracking(true); }

void HeatMap::setContent(std::shared_ptr<const TensorSource> source, const TensorSlice& slice, Look look, std::function<bool(double)> highlight) {
  source_ = std::move(source);
  slice_ = slice;
  look_ = look;
  highlight_ = std::move(highlight);
  build();
  update();
}

void HeatMap::setMarked(qint64 row, qint64 column) {
  markedRow_ = row;
  markedColumn_ = column;
  update();
}

void HeatMap::build() {
  image_ = QImage();
  if (!source_ || !source_->facts().isNumeric || slice_.rows() < 1 || slice_.columns() < 1) return;
  const qint64 rows = slice_.rows(), columns = slice_.columns();
  // Not finer than the screen: scaling the picture down when drawing would lose cells.
  const qint64 high = std::clamp<qint64>(this->height() - (look_ == Look::Map ? kScaleHeight : 0), 1, kMostPixels);
  const qint64 wide = std::clamp<qint64>(this->width(), 1, kMostPixels);
  stepRows_ = (rows + high - 1) / high;
  stepColumns_ = (columns + wide - 1) / wide;
  const int height = int((rows + stepRows_ - 1) / stepRows_), width = int((columns + stepColumns_ - 1) / stepColumns_);
  // Only a limited number of cells of a block is read, to keep the total fast.
  const qint64 perPixel = std::max<qint64>(1, kMostReads / (qint64(height) * width));
  const bool allFinite = source_->facts().finite() == source_->facts().elements;
  const qint64 skip = !allFinite && rows * columns <= kMostSearched
                          ? 1
                          : std::max<qint64>(1, qint64(std::ceil(std::sqrt(double(stepRows_ * stepColumns_) / double(perPixel)))));
  const Theme& theme = Theme::current();
  const TensorFacts& facts = source_->facts();
  range_ = colorRange(*source_);
  const double span = facts.max > facts.min ? facts.max - facts.min : 1;
  // The ramps as tables: asking the theme per cell would be the slowest part.
  QRgb ramp[256];
  for (int i = 0; i < 256; ++i) {
    const double t = i / 255.0;
    ramp[i] = (look_ == Look::Picture ? QColor::fromRgbF(float(t), float(t), float(t))
               : range_.diverging     ? theme.diverging(2 * t - 1)
                                      : theme.sequential(t))
                  .rgb();
  }
  const QRgb nan = theme.color(Role::Nan).rgb(), inf = theme.color(Role::Warning).rgb();
  image_ = QImage(width, height, QImage::Format_RGB32);
  for (int y = 0; y < height; ++y) {
    auto* line = reinterpret_cast<QRgb*>(image_.scanLine(y));
    for (int x = 0; x < width; ++x) {
      double shown = 0, greatest = -1;
      bool hasNan = false, hasInf = false;
      for (qint64 r = y * stepRows_; r < std::min<qint64>(rows, (y + 1) * stepRows_); r += skip) {
        for (qint64 c = x * stepColumns_; c < std::min<qint64>(columns, (x + 1) * stepColumns_); c += skip) {
          const double v = source_->number(slice_.flat(r, c));
          if (std::isnan(v)) hasNan = true;
          else if (std::isinf(v)) hasInf = true;
          else if (std::abs(v) > greatest) greatest = std::abs(v), shown = v;
        }
      }
      const double t = std::clamp(look_ == Look::Map ? range_.part(shown) : (shown - facts.min) / span, 0.0, 1.0);
      line[x] = hasNan ? nan : hasInf ? inf : ramp[int(t * 255 + 0.5)];
    }
  }
}

QRectF HeatMap::area() const {
  if (image_.isNull()) return {};
  const QRectF room = QRectF(rect()).adjusted(0, 0, 0, look_ == Look::Map ? -kScaleHeight : 0);
  // Cells are square unless that makes them too small.
  const double rows = double(slice_.rows()), columns = double(slice_.columns());
  const double cell = std::min(room.width() / columns, room.height() / rows);
  if (look_ == Look::Picture || cell >= 4) return {room.left(), room.top(), std::min(columns * cell, room.width()), std::min(rows * cell, room.height())};
  return room;
}

QRectF HeatMap::cellRect(qint64 row, qint64 column) const {
  const QRectF a = area();
  const double w = a.width() / double(slice_.columns()), h = a.height() / double(slice_.rows());
  return {a.left() + double(column) * w, a.top() + double(row) * h, w, h};
}

bool HeatMap::cellAt(QPointF at, qint64* row, qint64* column) const {
  const QRectF a = area();
  if (!a.contains(at) || a.isEmpty()) return false;
  *row = std::min<qint64>(slice_.rows() - 1, qint64((at.y() - a.top()) / a.height() * double(slice_.rows())));
  *column = std::min<qint64>(slice_.columns() - 1, qint64((at.x() - a.left()) / a.width() * double(slice_.columns())));
  return true;
}

void HeatMap::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& theme = Theme::current();
  painter.fillRect(rect(), theme.color(Role::Surface0));
  if (image_.isNull()) return;
  const QRectF a = area();
  painter.setRenderHint(QPainter::SmoothPixmapTransform, a.width() < image_.width() && look_ == Look::Picture);
  painter.drawImage(a, image_);
  // Values that are not finite are also hatched, because hue alone is not enough.
  const TensorFacts& facts = source_->facts();
  if (facts.nans + facts.positiveInfinities + facts.negativeInfinities > 0 && a.height() / image_.height() >= 3) {
    const QRgb nan = theme.color(Role::Nan).rgb(), inf = theme.color(Role::Warning).rgb();
    const double w = a.width() / image_.width(), h = a.height() / image_.height();
    for (int y = 0; y < image_.height(); ++y) {
      const auto* line = reinterpret_cast<const QRgb*>(image_.constScanLine(y));
      for (int x = 0; x < image_.width(); ++x)
        if (line[x] == nan || line[x] == inf)
          painter.fillRect(QRectF(a.left() + x * w, a.top() + y * h, w, h), QBrush(theme.color(Role::Surface0), Qt::BDiagPattern));
    }
  }
  if (highlight_ && slice_.rows() * slice_.columns() <= 40'000) {
    painter.setPen(QPen(theme.color(Role::Accent), 1));
    for (qint64 r = 0; r < slice_.rows(); ++r)
      for (qint64 c = 0; c < slice_.columns(); ++c)
        if (highlight_(source_->number(slice_.flat(r, c)))) painter.drawRect(cellRect(r, c).adjusted(0.5, 0.5, -0.5, -0.5));
  }
  if (markedRow_ >= 0) {
    painter.setPen(QPen(theme.color(Role::Text1), 2));
    painter.drawRect(cellRect(markedRow_, markedColumn_));
  }
  if (look_ != Look::Map) return;
  // The colour scale.
  const bool diverging = range_.diverging;
  const QString low = (range_.clipped ? QStringLiteral("≤ ") : QString()) + formatValue(range_.low, 3),
                high = (range_.clipped ? QStringLiteral("≥ ") : QString()) + formatValue(range_.high, 3);
  painter.setFont(theme.monoSmallFont());
  const QFontMetricsF metrics(theme.monoSmallFont());
  const double y = height() - kScaleHeight / 2.0;
  double x = metrics.horizontalAdvance(low) + 6;
  painter.setPen(theme.color(Role::Text2));
  painter.drawText(QPointF(0, y + metrics.ascent() / 2 - 1), low);
  const double barWidth = std::min(140.0, width() - 2 * x - 40);
  for (int i = 0; i < int(barWidth); ++i) {
    const double t = i / barWidth;
    painter.fillRect(QRectF(x + i, y - 5, 1.5, 10), diverging ? theme.diverging(2 * t - 1) : theme.sequential(t));
  }
  painter.drawText(QPointF(x + barWidth + 6, y + metrics.ascent() / 2 - 1), high);
}

bool HeatMap::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && source_) {
    const auto* help = static_cast<QHelpEvent*>(event);
    qint64 row = 0, column = 0;
    if (cellAt(help->pos(), &row, &column)) {
      QStringList at;
      for (const qint64 i : slice_.indices(row, column)) at << QString::number(i);
      QToolTip::showText(help->globalPos(), QStringLiteral("[%1] = %2").arg(at.join(QStringLiteral(", ")), source_->text(slice_.flat(row, column))), this);
    } else {
      QToolTip::hideText();
    }
    return true;
  }
  return QWidget::event(event);
}

void HeatMap::mousePressEvent(QMouseEvent* event) {
  qint64 row = 0, column = 0;
  if (source_ && cellAt(event->position(), &row, &column)) emit cellClicked(row, column);
}

void HeatMap::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  build();
}

void HeatMap::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) build();
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
