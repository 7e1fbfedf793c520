// Groups of tracks, and the arrows between slices: the tasks of a cluster and what they sent each other.
#include <QPainter>
#include <QPainterPath>
#include <QSet>
#include <algorithm>
#include <cmath>

#include "common/theme.h"
#include "timeline/timeline_view_p.h"

namespace weft::widgets {

int TimelineView::arrowAt(QPoint at) const { return d_->arrowNear(at); }

QPointF TimelineView::arrowMiddle(int arrow) const {
  if (d_->data == nullptr || arrow < 0 || static_cast<std::size_t>(arrow) >= d_->data->arrows().size()) return {};
  const QPainterPath path = d_->arrowPath(d_->data->arrows()[static_cast<std::size_t>(arrow)]);
  return path.isEmpty() ? QPointF() : path.pointAtPercent(0.5);
}

void TimelineView::Private::paintGroup(QPainter& p, const Band& band, const TimelineGroup& group) {
  const Theme& theme = Theme::current();
  const QRect box(0, band.top + top(), q->viewport()->width(), band.height);
  p.save();
  p.setClipRect(QRect(0, kRuler, box.width(), q->viewport()->height() - kRuler));
  p.fillRect(box, theme.color(Role::Surface2));
  p.setPen(theme.color(Role::Border));
  p.drawLine(box.bottomLeft(), box.bottomRight());
  int x = 10;
  if (group.hue >= 0) {
    p.fillRect(QRect(x, box.center().y() - 4, 9, 9), theme.categorical(group.hue));
    x += 15;
  }
  QFont bold = theme.smallFont();
  bold.setWeight(QFont::DemiBold);
  const QFontMetricsF metrics(bold);
  p.setFont(bold);
  p.setPen(theme.color(Role::Text1));
  p.drawText(QRectF(x, box.top(), box.width() - x - 8, box.height()), Qt::AlignLeft | Qt::AlignVCenter, group.title);
  p.setFont(theme.smallFont());
  p.setPen(theme.color(Role::Text2));
  const double left = std::max<double>(header() + 8, x + metrics.horizontalAdvance(group.title) + 16);
  const bool first = &group == data->groups().constData();
  const QString note = first && tooMany > 0 ? TimelineView::tr("%n transfer(s) in view: zoom in to see their arrows", nullptr, tooMany) : QString();
  const double noteWidth = note.isEmpty() ? 0 : QFontMetricsF(theme.smallFont()).horizontalAdvance(note) + 16;
  p.drawText(QRectF(left, box.top(), box.width() - left - 8 - noteWidth, box.height()), Qt::AlignLeft | Qt::AlignVCenter,
             QFontMetricsF(theme.smallFont()).elidedText(group.detail, Qt::ElideRight, std::max(0.0, box.width() - left - 8 - noteWidth)));
  if (!note.isEmpty()) p.drawText(box.adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter, note);
  p.restore();
}

bool TimelineView::Private::isOfSelection(const TimelineArrow& arrow) const {
  return selected >= 0 && (arrow.from == selected || arrow.to == selected || arrow.via == selected);
}

void TimelineView::Private::chooseArrows() {
  arrows.clear();
  tooMany = 0;
  const std::vector<TimelineArrow>& all = data->arrows();
  const double from = start, to = start + plotWidth() * scale;
  QSet<quint64> places;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const TimelineArrow& a = all[i];
    if (static_cast<double>(std::max(a.start, a.end)) < from || static_cast<double>(std::min(a.start, a.end)) > to) continue;
    const TimelineData::Place begin = data->place(a.from), end = data->place(a.to);
    if (begin.row < 0 || end.row < 0) continue;
    ++tooMany;
    if (places.size() > kMostArrows && !isOfSelection(a)) continue;
    // Of arrows between the same pixels, one is drawn.
    const auto pixel = [&](std::int64_t time) { return static_cast<quint64>(std::clamp(xOf(static_cast<double>(time)) / 2, -1000.0, 60000.0) + 1000); };
    const quint64 place = (pixel(a.start) << 48 | pixel(a.end) << 32) ^ (static_cast<quint64>(begin.row) << 16 | static_cast<quint64>(end.row));
    if (places.contains(place) && !isOfSelection(a)) continue;
    places.insert(place);
    arrows.push_back(static_cast<int>(i));
  }
  if (places.size() <= kMostArrows) {
    tooMany = 0;
    return;
  }
  std::erase_if(arrows, [&](int i) { return !isOfSelection(all[static_cast<std::size_t>(i)]); });
}

QPainterPath TimelineView::Private::arrowPath(const TimelineArrow& a) const {
  const TimelineData::Place from = data->place(a.from), to = data->place(a.to);
  if (from.row < 0 || to.row < 0) return {};
  const double far = 4.0 * plotWidth() + 2000;  // ends far outside are moved: nobody sees where they are
  const auto xAt = [&](std::int64_t time) { return std::clamp(xOf(static_cast<double>(time)), header() - far, header() + far); };
  const QPointF begin(xAt(a.start), rowTop[static_cast<std::size_t>(from.row)] + top() + kRow / 2.0);
  const QPointF end(xAt(a.end), rowTop[static_cast<std::size_t>(to.row)] + top() + kRow / 2.0);
  if ((begin.x() < header() && end.x() < header()) || (begin.x() > header() + plotWidth() && end.x() > header() + plotWidth())) return {};
  const double bend = std::clamp(std::fabs(end.x() - begin.x()) / 2, 10.0, 60.0);
  QPainterPath path(begin);
  path.cubicTo(begin + QPointF(bend, 0), end - QPointF(bend, 0), end);
  return path;
}

void TimelineView::Private::paintArrows(QPainter& p) {
  if (arrows.empty()) return;
  const Theme& theme = Theme::current();
  p.save();
  p.setClipRect(QRect(header(), kRuler, plotWidth(), q->viewport()->height() - kRuler));
  p.setRenderHint(QPainter::Antialiasing);
  p.setBrush(Qt::NoBrush);
  QColor quiet = theme.color(Role::Text2);
  if (arrows.size() > 60) quiet.setAlpha(150);
  // Those of the selection lie above the others.
  for (const bool strong : {false, true}) {
    for (const int i : arrows) {
      const TimelineArrow& a = data->arrows()[static_cast<std::size_t>(i)];
      if ((isOfSelection(a) || i == hoveredArrow) != strong) continue;
      const QPainterPath path = arrowPath(a);
      if (path.isEmpty()) continue;
      const QColor color = strong ? theme.color(Role::Accent) : quiet;
      p.setPen(QPen(color, strong ? 2 : 1.1));
      p.drawPath(path);
      const QPointF end = path.currentPosition();
      QPainterPath head(end);
      head.lineTo(end + QPointF(-6, -3.5));
      head.lineTo(end + QPointF(-6, 3.5));
      head.closeSubpath();
      p.fillPath(head, color);
    }
  }
  p.restore();
}

int TimelineView::Private::arrowNear(QPointF at) const {
  if (data == nullptr || at.x() < header() || at.y() < kRuler) return -1;
  constexpr double kReach = 5;
  constexpr int kPieces = 24;
  int best = -1;
  double nearest = kReach;
  for (const int i : arrows) {
    if (static_cast<std::size_t>(i) >= data->arrows().size()) return -1;
    const QPainterPath path = arrowPath(data->arrows()[static_cast<std::size_t>(i)]);
    if (path.isEmpty() || !path.controlPointRect().adjusted(-kReach, -kReach, kReach, kReach).contains(at)) continue;
    QPointF before = path.elementAt(0);
    for (int k = 1; k <= kPieces; ++k) {
      const QPointF next = path.pointAtPercent(static_cast<double>(k) / kPieces), along = next - before, to = at - before;
      const double length = QPointF::dotProduct(along, along);
      const double t = length > 0 ? std::clamp(QPointF::dotProduct(to, along) / length, 0.0, 1.0) : 0;
      const QPointF off = to - along * t;
      if (const double d = std::hypot(off.x(), off.y()); d < nearest) {
        nearest = d;
        best = i;
      }
      before = next;
    }
  }
  return best;
}

const TimelineGroup* TimelineView::Private::groupAt(QPoint at) const {
  if (data == nullptr || at.y() < kRuler) return nullptr;
  for (const Band& band : bands)
    if (band.group >= 0 && at.y() >= band.top + top() && at.y() < band.top + top() + band.height) return &data->groups()[band.group];
  return nullptr;
}

}  // namespace weft::widgets
