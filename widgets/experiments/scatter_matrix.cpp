#include "experiments/scatter_matrix.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {

constexpr double kLeft = 8, kTop = 8, kGap = 6, kInner = 7;  // pixels
constexpr double kNear = 8;
constexpr int kLeastPlot = 72;
constexpr int kBins = 12;

}  // namespace

ScatterMatrix::ScatterMatrix(QWidget* parent) : QWidget(parent) { setCursor(Qt::CrossCursor); }

void ScatterMatrix::setContents(std::vector<Quantity> quantities, std::vector<QColor> colors) {
  quantities_ = std::move(quantities);
  colors_ = std::move(colors);
  selected_.clear();
  ranges_.clear();
  for (const Quantity& q : quantities_) {
    Range r{0, 1};
    if (!q.words.isEmpty()) {
      r = {-0.5, static_cast<double>(q.words.size()) - 0.5};
    } else {
      bool any = false;
      for (const double raw : q.values) {
        if (!std::isfinite(raw)) continue;
        const double v = q.logarithmic ? std::log(raw) : raw;
        r.low = any ? std::min(r.low, v) : v;
        r.high = any ? std::max(r.high, v) : v;
        any = true;
      }
    }
    ranges_.push_back(r);
  }
  setMinimumSize(kLeastPlot * static_cast<int>(quantities_.size()), kLeastPlot * static_cast<int>(quantities_.size()));
  drawn_ = {};
  update();
}

void ScatterMatrix::setSelected(const std::vector<int>& items) {
  selected_.assign(items.empty() ? 0 : colors_.size(), 0);
  for (const int item : items)
    if (item >= 0 && item < static_cast<int>(selected_.size())) selected_[static_cast<std::size_t>(item)] = 1;
  drawn_ = {};
  update();
}

QRectF ScatterMatrix::cell(int column, int row) const {
  const auto n = static_cast<double>(std::max<std::size_t>(quantities_.size(), 1));
  const double w = (width() - 2 * kLeft - (n - 1) * kGap) / n, h = (height() - 2 * kTop - (n - 1) * kGap) / n;
  return {kLeft + column * (w + kGap), kTop + row * (h + kGap), w, h};
}

double ScatterMatrix::share(const Quantity& q, double value) const {
  const Range& r = ranges_[static_cast<std::size_t>(&q - quantities_.data())];
  const double v = q.logarithmic ? std::log(value) : value;
  return r.high > r.low ? (v - r.low) / (r.high - r.low) : 0.5;
}

QPointF ScatterMatrix::place(int column, int row, int item) const {
  const QRectF in = cell(column, row).adjusted(kInner, kInner, -kInner, -kInner);
  const Quantity &x = quantities_[static_cast<std::size_t>(column)], &y = quantities_[static_cast<std::size_t>(row)];
  return {in.left() + share(x, x.values[static_cast<std::size_t>(item)]) * in.width(),
          in.bottom() - share(y, y.values[static_cast<std::size_t>(item)]) * in.height()};
}

std::vector<int> ScatterMatrix::itemsIn(const QRectF& pixels) const {
  std::vector<int> out;
  const int n = static_cast<int>(quantities_.size());
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      if (column == row || !cell(column, row).contains(pixels.center())) continue;
      for (int i = 0; i < static_cast<int>(colors_.size()); ++i) {
        const QPointF p = place(column, row, i);
        if (std::isfinite(p.x()) && std::isfinite(p.y()) && pixels.contains(p)) out.push_back(i);
      }
    }
  return out;
}

void ScatterMatrix::drawHistogram(QPainter& p, int quantity) const {
  const Theme& theme = Theme::current();
  const Quantity& q = quantities_[static_cast<std::size_t>(quantity)];
  const QRectF box = cell(quantity, quantity), in = box.adjusted(kInner, 20, -kInner, -kInner - 12);
  const int bins = q.words.isEmpty() ? kBins : static_cast<int>(q.words.size());
  std::vector<int> all(static_cast<std::size_t>(bins)), chosen(all);
  for (std::size_t i = 0; i < q.values.size(); ++i) {
    if (!std::isfinite(q.values[i])) continue;
    const auto bin = static_cast<std::size_t>(std::clamp(int(share(q, q.values[i]) * bins), 0, bins - 1));
    ++all[bin];
    if (i < selected_.size() && selected_[i]) ++chosen[bin];
  }
  const double most = std::max(1, *std::max_element(all.begin(), all.end())), w = in.width() / bins;
  for (int b = 0; b < bins; ++b) {
    const auto bar = [&](int count, const QColor& color) {
      const double h = in.height() * count / most;
      if (count > 0) p.fillRect(QRectF(in.left() + b * w + 0.5, in.bottom() - h, std::max(w - 1, 1.0), h), color);
    };
    bar(all[static_cast<std::size_t>(b)], selected_.empty() ? theme.color(Role::Accent) : theme.color(Role::BorderStrong));
    bar(chosen[static_cast<std::size_t>(b)], theme.color(Role::Accent));
  }
  p.setFont(theme.smallFont());
  p.setPen(theme.color(Role::Text1));
  p.drawText(QRectF(box.left() + 4, box.top() + 3, box.width() - 8, 14), Qt::AlignCenter,
             p.fontMetrics().elidedText(q.title, Qt::ElideMiddle, static_cast<int>(box.width() - 8)));
  p.setFont(theme.monoSmallFont());
  p.setPen(theme.color(Role::Text3));
  const QRectF below(box.left() + 4, box.bottom() - 15, box.width() - 8, 13);
  if (q.words.isEmpty()) {
    const Range& r = ranges_[static_cast<std::size_t>(quantity)];
    const QString low = formatValue(q.logarithmic ? std::exp(r.low) : r.low, 3), high = formatValue(q.logarithmic ? std::exp(r.high) : r.high, 3);
    p.drawText(below, Qt::AlignLeft, low);
    if (p.fontMetrics().horizontalAdvance(low + high) + 8 < below.width()) p.drawText(below, Qt::AlignRight, high);
  } else {
    for (int b = 0; b < bins; ++b)
      p.drawText(QRectF(in.left() + b * w, below.top(), w, 13), Qt::AlignCenter, p.fontMetrics().elidedText(q.words[b], Qt::ElideRight, static_cast<int>(w)));
  }
}

void ScatterMatrix::drawAll() {
  const Theme& theme = Theme::current();
  const qreal ratio = devicePixelRatioF();
  drawn_ = QPixmap(size() * ratio);
  drawn_.setDevicePixelRatio(ratio);
  drawn_.fill(theme.color(Role::Surface1));
  QPainter p(&drawn_);
  const int n = static_cast<int>(quantities_.size());
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      const QRectF box = cell(column, row);
      p.fillRect(box, theme.color(Role::Surface2));
      p.setPen(QPen(theme.color(Role::Border), 1));
      p.drawRect(box);
      if (column == row) {
        drawHistogram(p, row);
        continue;
      }
      p.save();
      p.setClipRect(box);
      p.setPen(Qt::NoPen);
      const double size = colors_.size() > 300 ? 2 : 4;
      for (const bool front : {false, true}) {
        if (front && selected_.empty()) break;
        for (std::size_t i = 0; i < colors_.size(); ++i) {
          const bool chosen = !selected_.empty() && selected_[i];
          if (!selected_.empty() && chosen != front) continue;
          const QPointF at = place(column, row, static_cast<int>(i));
          if (!std::isfinite(at.x()) || !std::isfinite(at.y())) continue;
          const QColor color = selected_.empty() || chosen ? colors_[i] : theme.color(Role::BorderStrong);
          p.fillRect(QRectF(at.x() - size / 2, at.y() - size / 2, size, size), color);
        }
      }
      p.restore();
    }
}

void ScatterMatrix::paintEvent(QPaintEvent*) {
  if (drawn_.isNull() || drawn_.devicePixelRatio() != devicePixelRatioF()) drawAll();
  QPainter p(this);
  p.drawPixmap(0, 0, drawn_);
  if (!dragging_) return;
  QColor fill = Theme::current().color(Role::Accent);
  p.setPen(QPen(fill, 1));
  fill.setAlphaF(0.2f);
  p.setBrush(fill);
  p.drawRect(QRectF(from_, to_).normalized());
}

void ScatterMatrix::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  from_ = to_ = event->position();
  dragging_ = true;
}

void ScatterMatrix::mouseMoveEvent(QMouseEvent* event) {
  if (!dragging_) return;
  to_ = event->position();
  update();
}

void ScatterMatrix::mouseReleaseEvent(QMouseEvent* event) {
  if (!dragging_) return;
  dragging_ = false;
  to_ = event->position();
  update();
  const QRectF area = QRectF(from_, to_).normalized();
  if (area.width() > 3 || area.height() > 3) {
    // The plot in which the drag began counts, wherever it ends.
    const int n = static_cast<int>(quantities_.size());
    for (int row = 0; row < n; ++row)
      for (int column = 0; column < n; ++column)
        if (const QRectF box = cell(column, row); box.contains(from_)) return emit selected(itemsIn(area.intersected(box)));
    return emit selected({});
  }
  std::vector<int> near = itemsIn(QRectF(from_.x() - kNear, from_.y() - kNear, 2 * kNear, 2 * kNear));
  if (near.size() > 1) near.resize(1);
  emit selected(near);
}

void ScatterMatrix::resizeEvent(QResizeEvent*) { drawn_ = {}; }

void ScatterMatrix::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) {
    drawn_ = {};
    update();
  }
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
