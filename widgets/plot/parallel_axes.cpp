#include "plot/parallel_axes.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {

constexpr double kSide = 56, kAbove = 30, kBelow = 24;  // pixels around the axes
constexpr double kNearLine = 8, kNearAxis = 9;          // pixels
constexpr double kLeastRange = 0.01;                    // of an axis: less is a click

double distanceTo(QPointF p, QPointF a, QPointF b) {
  const QPointF d = b - a, v = p - a;
  const double length = QPointF::dotProduct(d, d), t = length > 0 ? std::clamp(QPointF::dotProduct(v, d) / length, 0.0, 1.0) : 0;
  const QPointF away = v - t * d;
  return std::hypot(away.x(), away.y());
}

}  // namespace

ParallelAxes::ParallelAxes(QWidget* parent) : QWidget(parent) { setMouseTracking(true); }

void ParallelAxes::setContents(std::vector<Axis> axes, std::vector<Line> lines) {
  // Ranges stay while the axes are the same ones, as during a sweep that goes on.
  const bool same =
      axes.size() == axes_.size() && std::equal(axes.begin(), axes.end(), axes_.begin(), [](const Axis& a, const Axis& b) { return a.title == b.title; });
  axes_ = std::move(axes);
  lines_ = std::move(lines);
  if (!same) ranges_.assign(axes_.size(), std::nullopt);
  selected_.clear();
  hovered_ = -1;
  update();
}

void ParallelAxes::setSelected(const std::vector<int>& lines) {
  selected_.assign(lines.empty() ? 0 : lines_.size(), 0);
  for (const int line : lines)
    if (line >= 0 && line < static_cast<int>(selected_.size())) selected_[static_cast<std::size_t>(line)] = 1;
  update();
}

double ParallelAxes::shareAt(double y) const { return std::clamp((height() - kBelow - y) / std::max(height() - kAbove - kBelow, 1.0), 0.0, 1.0); }

int ParallelAxes::axisAt(QPointF pixel) const {
  for (std::size_t k = 0; k < axes_.size(); ++k)
    if (std::abs(place(k, axes_[k].low).x() - pixel.x()) <= kNearAxis && pixel.y() >= kAbove - kNearAxis && pixel.y() <= height() - kBelow + kNearAxis)
      return static_cast<int>(k);
  return -1;
}

std::vector<int> ParallelAxes::linesInRanges() const {
  std::vector<int> out;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    bool inside = true;
    for (std::size_t k = 0; k < std::min(ranges_.size(), lines_[i].values.size()) && inside; ++k) {
      if (!ranges_[k]) continue;
      const auto& value = lines_[i].values[k];
      const double share = value ? shareAt(place(k, *value).y()) : -1;
      inside = value && share >= ranges_[k]->from - 1e-6 && share <= ranges_[k]->to + 1e-6;
    }
    if (inside) out.push_back(static_cast<int>(i));
  }
  return out;
}

void ParallelAxes::setChosen(int line) {
  if (line == chosen_) return;
  chosen_ = line;
  update();
}

QPointF ParallelAxes::place(std::size_t axis, double value) const {
  const Axis& a = axes_[axis];
  const double wide = width() - 2 * kSide, x = kSide + (axes_.size() > 1 ? wide * static_cast<double>(axis) / static_cast<double>(axes_.size() - 1) : wide / 2);
  const double low = a.words.isEmpty() ? a.low : -0.5, high = a.words.isEmpty() ? a.high : static_cast<double>(a.words.size()) - 0.5;
  const double share = !(high > low)   ? 0.5
                       : a.logarithmic ? (std::log(value) - std::log(low)) / (std::log(high) - std::log(low))
                                       : (value - low) / (high - low);
  return {x, height() - kBelow - std::clamp(share, 0.0, 1.0) * (height() - kAbove - kBelow)};
}

int ParallelAxes::lineAt(QPointF pixel) const {
  int best = -1;
  double least = kNearLine;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const auto& values = lines_[i].values;
    for (std::size_t k = 0; k + 1 < std::min(values.size(), axes_.size()); ++k) {
      if (!values[k] || !values[k + 1]) continue;
      const double away = distanceTo(pixel, place(k, *values[k]), place(k + 1, *values[k + 1]));
      if (!(away < least)) continue;  // NaN, too
      least = away;
      best = static_cast<int>(i);
    }
  }
  return best;
}

void ParallelAxes::drawLine(QPainter& painter, const Line& line) const {
  QPolygonF part;
  const auto end = [&] {
    if (part.size() == 1) painter.drawEllipse(part.first(), 2, 2);
    else painter.drawPolyline(part);
    part.clear();
  };
  for (std::size_t k = 0; k < std::min(line.values.size(), axes_.size()); ++k) {
    if (line.values[k] && std::isfinite(*line.values[k])) part << place(k, *line.values[k]);
    else end();
  }
  end();
}

void ParallelAxes::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.fillRect(rect(), theme.color(Role::Surface2));
  if (axes_.empty()) return;
  const int front = hovered_ >= 0 ? hovered_ : chosen_;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    QColor color = lines_[i].color;
    const bool dim = !selected_.empty() && !selected_[i];
    if (dim) color = theme.color(Role::Border);
    else if (front >= 0) color.setAlphaF(0.3f);
    p.setPen(QPen(color, 1.5));
    if (static_cast<int>(i) != front && (dim || selected_.empty())) drawLine(p, lines_[i]);
  }
  for (std::size_t i = 0; i < selected_.size(); ++i) {  // above the others
    if (!selected_[i] || static_cast<int>(i) == front) continue;
    p.setPen(QPen(lines_[i].color, 2));
    drawLine(p, lines_[i]);
  }
  const double step = axes_.size() > 1 ? (width() - 2 * kSide) / static_cast<double>(axes_.size() - 1) : width();
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const Axis& axis = axes_[k];
    const double x = place(k, axis.low).x(), room = std::min(step, 2 * kSide) - 6;
    p.setPen(QPen(theme.color(Role::BorderStrong), 1));
    p.drawLine(QPointF(x, kAbove), QPointF(x, height() - kBelow));
    if (k < ranges_.size() && ranges_[k]) {
      const double long_ = height() - kAbove - kBelow, top = height() - kBelow - ranges_[k]->to * long_;
      QColor fill = theme.color(Role::Accent);
      p.setPen(QPen(fill, 1));
      fill.setAlphaF(0.25f);
      p.setBrush(fill);
      p.drawRect(QRectF(x - 6, top, 12, std::max((ranges_[k]->to - ranges_[k]->from) * long_, 2.0)));
      p.setBrush(Qt::NoBrush);
    }
    p.setFont(theme.smallFont());
    p.setPen(theme.color(Role::Text2));
    p.drawText(QRectF(x - room / 2, 2, room, 14), Qt::AlignCenter, p.fontMetrics().elidedText(axis.title, Qt::ElideMiddle, static_cast<int>(room)));
    p.setFont(theme.monoSmallFont());
    p.setPen(theme.color(Role::Text3));
    const auto label = [&](double y, const QString& text, Qt::Alignment align) {
      p.drawText(QRectF(x - room / 2, y, room, 14), align, p.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(room)));
    };
    if (axis.words.isEmpty()) {
      label(kAbove - 14, formatValue(axis.high, 4), Qt::AlignCenter);
      label(height() - kBelow + 4, formatValue(axis.low, 4), Qt::AlignCenter);
    } else {
      for (int w = 0; w < axis.words.size(); ++w) label(place(k, w).y() - 15, axis.words[w], Qt::AlignCenter);
    }
  }
  if (front < 0 || front >= static_cast<int>(lines_.size())) return;
  p.setPen(QPen(lines_[static_cast<std::size_t>(front)].color, 3));
  drawLine(p, lines_[static_cast<std::size_t>(front)]);
}

void ParallelAxes::mouseMoveEvent(QMouseEvent* event) {
  if (dragged_ >= 0) {
    Range& range = *ranges_[static_cast<std::size_t>(dragged_)];
    range.to = shareAt(event->position().y());
    return update();
  }
  setCursor(selecting_ && axisAt(event->position()) >= 0 ? Qt::SplitVCursor : Qt::ArrowCursor);
  const int line = lineAt(event->position());
  if (line >= 0) QToolTip::showText(event->globalPosition().toPoint(), lines_[static_cast<std::size_t>(line)].name, this);
  else QToolTip::hideText();
  if (line == hovered_) return;
  hovered_ = line;
  update();
}

void ParallelAxes::mouseReleaseEvent(QMouseEvent*) {
  if (dragged_ < 0) return;
  auto& range = ranges_[static_cast<std::size_t>(dragged_)];
  dragged_ = -1;
  if (range->from > range->to) std::swap(range->from, range->to);
  if (range->to - range->from < kLeastRange) range.reset();
  const bool any = std::any_of(ranges_.begin(), ranges_.end(), [](const auto& r) { return r.has_value(); });
  update();
  emit selected(any ? linesInRanges() : std::vector<int>());
}

void ParallelAxes::mousePressEvent(QMouseEvent* event) {
  if (const int axis = selecting_ && event->button() == Qt::LeftButton ? axisAt(event->position()) : -1; axis >= 0) {
    const double share = shareAt(event->position().y());
    ranges_[static_cast<std::size_t>(axis)] = Range{share, share};
    dragged_ = axis;
    return update();
  }
  if (const int line = lineAt(event->position()); line >= 0) emit lineClicked(line);
}

void ParallelAxes::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

void ParallelAxes::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) update();
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
