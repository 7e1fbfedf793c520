// Painting of the timeline. Narrow slices are written as pixel columns into an image, wide ones are filled rectangles; label layouts are cached.
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"
#include "timeline/timeline_view_p.h"

namespace weft::widgets {

std::vector<QRgb> TimelineView::Private::colorsOf(const QVector<TimelineCategory>& categories) {
  const Theme& theme = Theme::current();
  std::vector<QRgb> out;
  for (const TimelineCategory& c : categories) {
    // The middle of the ramp is as bright as the ground, on which slices have no outline.
    const QColor color = c.signedValue             ? (*c.signedValue == 0 ? theme.color(Role::Muted) : theme.diverging(*c.signedValue))
                         : !c.opCategory.isEmpty() ? theme.opCategory(c.opCategory)
                         : c.hue >= 0              ? theme.categorical(c.hue)
                                                   : theme.color(Role::Text3);
    out.push_back(color.rgb());
  }
  if (out.empty()) out.push_back(theme.categorical(0).rgb());
  return out;
}

void TimelineView::Private::paint(QPainter& p) {
  const Theme& theme = Theme::current();
  const QRect all = q->viewport()->rect();
  p.fillRect(all, theme.color(Role::Surface0));
  if (data == nullptr) return;
  p.setFont(theme.smallFont());
  const std::vector<QRgb> colors = colorsOf(data->categories());
  chooseArrows();
  // Grid lines lie behind everything.
  const std::int64_t step = tickStep(scale, 90);
  p.setPen(theme.color(Role::Grid));
  for (auto t = static_cast<std::int64_t>(std::floor(start / static_cast<double>(step))) * step; static_cast<double>(t) < timeAt(all.width()); t += step) {
    const double x = xOf(static_cast<double>(t));
    if (x >= header()) p.drawLine(QPointF(x, kRuler), QPointF(x, all.height()));
  }
  for (const Band& band : bands) {
    const int y = band.top + top();
    if (y + band.height < kRuler || y > all.height()) continue;
    if (band.group >= 0) {
      paintGroup(p, band, data->groups()[band.group]);
    } else if (band.track >= 0) {
      const TimelineTrack& track = data->tracks()[band.track];
      p.save();
      p.setClipRect(QRect(header(), kRuler, plotWidth(), all.height() - kRuler));
      for (int r = 0; r < track.rowCount; ++r) {
        const int rowY = rowTop[static_cast<std::size_t>(track.firstRow + r)] + top();
        if (rowY + kRow < kRuler || rowY > all.height()) continue;
        if (r == 0) paintGaps(p, band.track, rowY);
        paintRow(p, track.firstRow + r, rowY, track.faint, colors);
      }
      p.restore();
      paintHeader(p, band, track.title, track.subtitle);
    } else {
      paintCounter(p, band);
      paintHeader(p, band, data->counters()[band.counter].title, data->counters()[band.counter].subtitle);
    }
  }
  paintArrows(p);
  paintFlows(p);
  paintOverlay(p);
  paintRuler(p);
}

void TimelineView::Private::paintHeader(QPainter& p, const Band& band, const QString& title, const QString& subtitle) {
  const Theme& theme = Theme::current();
  const QRect box(0, band.top + top(), header(), band.height);
  p.save();
  p.setClipRect(QRect(0, kRuler, q->viewport()->width(), q->viewport()->height() - kRuler));
  p.fillRect(box, theme.color(Role::Surface1));
  p.setPen(theme.color(Role::Border));
  p.drawLine(0, box.bottom(), q->viewport()->width(), box.bottom());
  p.drawLine(box.right(), box.top(), box.right(), box.bottom());
  QFont bold = theme.smallFont();
  bold.setWeight(QFont::DemiBold);
  p.setFont(bold);
  p.setPen(theme.color(Role::Text1));
  const QFontMetricsF metrics(bold);
  const QRect text = box.adjusted(10, 3, -8, -2);
  p.drawText(QRect(text.left(), text.top(), text.width(), 15), Qt::AlignLeft | Qt::AlignVCenter, elideName(title, metrics, text.width()));
  p.setFont(theme.smallFont());
  if (!subtitle.isEmpty() && box.height() >= 34) {
    p.setPen(theme.color(Role::Text2));
    p.drawText(QRect(text.left(), text.top() + 15, text.width(), 14), Qt::AlignLeft | Qt::AlignVCenter,
               QFontMetricsF(theme.smallFont()).elidedText(subtitle, Qt::ElideRight, text.width()));
  }
  p.restore();
}

void TimelineView::Private::paintRow(QPainter& p, int row, int y, bool faint, const std::vector<QRgb>& colors) {
  const Theme& theme = Theme::current();
  const double ratio = q->viewport()->devicePixelRatioF();
  const int width = static_cast<int>(std::ceil(plotWidth() * ratio)), height = static_cast<int>((kRow - 2) * ratio);
  const QColor base = theme.color(Role::Surface0), grey = theme.color(Role::Muted);
  const auto colorOf = [&](std::int16_t category, bool match) {
    QColor c = QColor::fromRgb(colors[static_cast<std::size_t>(category) < colors.size() ? static_cast<std::size_t>(category) : 0]);
    if (!match) c = mix(grey, base, 0.45);
    return faint ? mix(c, base, 0.4) : c;
  };
  const TimelineRow& data = this->data->row(row);
  p.setRenderHint(QPainter::Antialiasing, false);
  data.visit(start, scale / ratio, width, 2.0, density, [&](int index) {
    const TimelineSlice& s = data.slices()[static_cast<std::size_t>(index)];
    const double x0 = std::max<double>(header() - 2, xOf(static_cast<double>(s.start)));
    const double x1 = std::min<double>(header() + plotWidth() + 2, xOf(static_cast<double>(s.end())));
    // Half a pixel of gap separates neighbours where there is room.
    const QRectF box(x0, y, x1 - x0 > 4 ? x1 - x0 - 1 : x1 - x0, kRow - 2);
    const QColor color = colorOf(s.category, matchesName(s.name));
    p.fillRect(box, color);
    if (box.width() >= 24 && (search.isEmpty() || matchesName(s.name))) paintLabel(p, s, box, color);
  });
  // Density: every non-empty column is at least three pixels high.
  bool any = false;
  for (const TimelineRow::Density& d : density) any = any || d.busy > 0;
  if (!any) return;
  if (columns.width() != width || columns.height() != height) columns = QImage(width, height, QImage::Format_ARGB32_Premultiplied);
  columns.fill(Qt::transparent);
  std::vector<QRgb> table;
  for (std::size_t c = 0; c < colors.size(); ++c) table.push_back(colorOf(static_cast<std::int16_t>(c), search.isEmpty()).rgb());
  const int least = std::max(1, static_cast<int>(3 * ratio));
  for (int x = 0; x < width; ++x) {
    const TimelineRow::Density& d = density[static_cast<std::size_t>(x)];
    if (d.busy <= 0 || d.category < 0) continue;
    const int tall = std::clamp(static_cast<int>(std::lround(static_cast<double>(d.busy) * height)), least, height);
    const QRgb color = table[static_cast<std::size_t>(d.category) < table.size() ? static_cast<std::size_t>(d.category) : 0];
    for (int k = height - tall; k < height; ++k) reinterpret_cast<QRgb*>(columns.scanLine(k))[x] = color;
  }
  columns.setDevicePixelRatio(ratio);
  p.drawImage(QPointF(header(), y), columns);
  columns.setDevicePixelRatio(1);
}

void TimelineView::Private::paintLabel(QPainter& p, const TimelineSlice& slice, const QRectF& box, const QColor& background) {
  // The width is rounded to eight pixels, so that most labels stay cached while zooming.
  const int room = static_cast<int>(box.width() - 8) / 8 * 8;
  if (room < 16) return;
  const quint64 key = static_cast<quint64>(slice.name) << 12 | static_cast<quint64>(std::min(room / 8, 200));
  auto it = labels.find(key);
  if (it == labels.end()) {
    if (labels.size() > 6000) labels.clear();
    const QFontMetricsF metrics(Theme::current().smallFont());
    const double width = std::min(room, 1600);
    const QString& name = data->name(slice.name);
    QString text = name;
    if (metrics.horizontalAdvance(text) > width) text = lastPart(name);
    if (metrics.horizontalAdvance(text) > width) text = width < 24 ? QString() : metrics.elidedText(text, Qt::ElideRight, width);
    if (text == QStringLiteral("…")) text.clear();
    QStaticText laid(text);
    laid.setTextFormat(Qt::PlainText);
    laid.setPerformanceHint(QStaticText::AggressiveCaching);
    laid.prepare(QTransform(), Theme::current().smallFont());
    it = labels.insert(key, laid);
  }
  if (it->text().isEmpty()) return;
  p.setPen(readableOn(background));
  p.drawStaticText(QPointF(box.left() + 4, box.top() + (box.height() - it->size().height()) / 2), *it);
}

void TimelineView::Private::paintCounter(QPainter& p, const Band& band) {
  const Theme& theme = Theme::current();
  const TimelineCounter& counter = data->counters()[band.counter];
  if (counter.points.empty()) return;
  double greatest = 0, least = 0;
  for (const auto& point : {data->counterRange(band.counter, 0, data->duration() + 1)}) {
    least = std::min(0.0, point.first);
    greatest = point.second;
  }
  const double y0 = band.top + top() + band.height - 4, tall = band.height - 10;
  const double range = greatest - least > 0 ? greatest - least : 1;
  p.save();
  p.setClipRect(QRect(header(), kRuler, plotWidth(), q->viewport()->height() - kRuler));
  QPolygonF line;
  line.reserve(plotWidth() * 2 + 4);
  double before = y0;
  for (int x = 0; x <= plotWidth(); ++x) {
    const auto from = static_cast<std::int64_t>(start + x * scale), to = static_cast<std::int64_t>(start + (x + 1) * scale);
    if (to < counter.points.front().first || from > data->duration()) continue;
    const auto [low, high] = data->counterRange(band.counter, from, std::max(to, from + 1));
    const double top = y0 - (high - least) / range * tall;
    if (line.isEmpty()) line << QPointF(header() + x, y0);
    if (top != before) line << QPointF(header() + x, before) << QPointF(header() + x, top);
    before = top;
  }
  if (!line.isEmpty()) {
    const double right = std::min<double>(header() + plotWidth(), xOf(static_cast<double>(data->duration())));
    line << QPointF(right, before) << QPointF(right, y0);
    const QColor color = theme.categorical(counter.hue);
    p.setBrush(mix(color, theme.color(Role::Surface0), 0.25));
    p.setPen(QPen(color, 1));
    p.drawPolygon(line);
  }
  p.restore();
}

void TimelineView::Private::paintFlows(QPainter& p) {
  if (flows.isEmpty()) return;
  const Theme& theme = Theme::current();
  p.save();
  p.setClipRect(QRect(header(), kRuler, plotWidth(), q->viewport()->height() - kRuler));
  p.setRenderHint(QPainter::Antialiasing);
  p.setPen(QPen(theme.color(Role::Text1), 1.2, Qt::DashLine));
  for (const auto& [from, to] : flows) {
    if (data->place(from).row < 0 || data->place(to).row < 0) continue;
    const TimelineSlice &a = data->slice(from), &b = data->slice(to);
    const QPointF begin(xOf(static_cast<double>(a.end())), rowTop[static_cast<std::size_t>(data->place(from).row)] + top() + kRow / 2.0);
    const QPointF end(xOf(static_cast<double>(b.start)), rowTop[static_cast<std::size_t>(data->place(to).row)] + top() + kRow / 2.0);
    if ((begin.x() < header() && end.x() < header()) || (begin.x() > header() + plotWidth() && end.x() > header() + plotWidth())) continue;
    if (std::fabs(begin.x()) > 20000 || std::fabs(end.x()) > 20000) continue;
    const double bend = std::clamp(std::fabs(end.x() - begin.x()) / 2, 12.0, 80.0);
    const double dip = std::fabs(begin.y() - end.y()) < 2 ? kRow * 0.9 : 0;
    QPainterPath path(begin);
    path.cubicTo(begin + QPointF(bend, dip), end + QPointF(-bend, dip), end);
    p.setBrush(Qt::NoBrush);
    p.drawPath(path);
    QPainterPath head(end);
    head.lineTo(end + QPointF(-6, -3.5));
    head.lineTo(end + QPointF(-6, 3.5));
    head.closeSubpath();
    p.fillPath(head, theme.color(Role::Text1));
  }
  p.restore();
}

void TimelineView::Private::paintOverlay(QPainter& p) {
  const Theme& theme = Theme::current();
  const int bottom = q->viewport()->height();
  p.save();
  p.setClipRect(QRect(header(), kRuler, plotWidth(), bottom - kRuler));
  const auto outline = [&](int id, const QColor& color, double width) {
    const QRectF box = q->sliceRect(id);
    if (box.isEmpty()) return;
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(color, width));
    p.drawRect(QRectF(box.left(), box.top(), std::max(2.0, box.width() - 1), box.height() - 1));
  };
  if (const QRectF box = gap < 0 ? QRectF() : q->gapRect(gap); !box.isEmpty()) {
    p.setBrush(Qt::NoBrush);
    p.setPen(QPen(theme.color(Role::Accent), 2));
    p.drawRect(QRectF(box.left(), box.top(), std::max(2.0, box.width() - 1), box.height() - 1));
  }
  int drawn = 0;
  for (const int id : highlighted) {
    if (id == selected || ++drawn > 400) continue;
    outline(id, theme.color(Role::Accent), 1);
  }
  if (hovered >= 0 && hovered != selected) outline(hovered, theme.color(Role::BorderStrong), 1);
  if (selected >= 0) {
    outline(selected, theme.color(Role::Surface0), 4);
    outline(selected, theme.color(Role::Accent), 2);
  }
  if (rangeFrom < rangeTo) {
    const double x0 = xOf(static_cast<double>(rangeFrom)), x1 = xOf(static_cast<double>(rangeTo));
    QColor wash = theme.color(Role::Accent);
    wash.setAlpha(28);
    p.fillRect(QRectF(x0, kRuler, x1 - x0, bottom - kRuler), wash);
    p.setPen(theme.color(Role::Accent));
    p.drawLine(QPointF(x0, kRuler), QPointF(x0, bottom));
    p.drawLine(QPointF(x1, kRuler), QPointF(x1, bottom));
  }
  p.setPen(QPen(theme.color(Role::Warning), 1));
  for (const qint64 mark : marks) {
    const double x = xOf(static_cast<double>(mark));
    p.drawLine(QPointF(x, kRuler), QPointF(x, bottom));
  }
  p.restore();
}

void TimelineView::Private::paintRuler(QPainter& p) {
  const Theme& theme = Theme::current();
  const int width = q->viewport()->width();
  p.fillRect(QRect(0, 0, width, kRuler), theme.color(Role::Surface1));
  p.setPen(theme.color(Role::Border));
  p.drawLine(0, kRuler - 1, width, kRuler - 1);
  p.setFont(theme.monoSmallFont());
  const QFontMetricsF metrics(theme.monoSmallFont());
  p.save();
  p.setClipRect(QRect(header(), 0, plotWidth(), kRuler));
  // Step names above the tracks, if there is room.
  for (const TimelineSpan& span : data->spans()) {
    const double x0 = xOf(static_cast<double>(span.start)), x1 = xOf(static_cast<double>(span.end));
    if (x1 < header() || x0 > width) continue;
    p.fillRect(QRectF(x0, kRuler - 4, std::max(1.0, x1 - x0 - 1), 3), theme.color(Role::AccentSoft));
  }
  const std::int64_t step = tickStep(scale, 90);
  const auto boxOf = [&](double x, const QString& text) {
    const double w = metrics.horizontalAdvance(text) + 10;
    return QRectF(std::clamp(x - w / 2, header() + 1.0, std::max(header() + 1.0, width - w - 1)), 4, w, 17);
  };
  struct Flag {
    QRectF box;
    QString text;
    QColor color;
  };
  std::vector<Flag> flags;
  const auto flag = [&](double x, const QString& text, Role role) { flags.push_back({boxOf(x, text), text, theme.color(role)}); };
  for (const qint64 mark : marks) {
    const double x = xOf(static_cast<double>(mark));
    if (x >= header() - 40 && x <= width + 40) flag(x, formatTick(mark, std::max<std::int64_t>(1, step / 10)), Role::Warning);
  }
  if (rangeFrom < rangeTo) {
    flag(xOf(static_cast<double>(rangeFrom + rangeTo) / 2), formatSeconds(static_cast<double>(rangeTo - rangeFrom) / 1e9, 4), Role::Accent);
  } else if (selected >= 0) {
    const TimelineSlice& s = data->slice(selected);
    const double x = xOf(static_cast<double>(s.start) + static_cast<double>(s.duration) / 2);
    if (x >= header() && x <= width) flag(x, formatSeconds(static_cast<double>(s.duration) / 1e9, 3), Role::Accent);
  }
  double taken = header();
  for (auto t = static_cast<std::int64_t>(std::floor(start / static_cast<double>(step))) * step; static_cast<double>(t) < timeAt(width); t += step) {
    const double x = xOf(static_cast<double>(t));
    p.setPen(theme.color(Role::BorderStrong));
    p.drawLine(QPointF(x, kRuler - 7), QPointF(x, kRuler - 1));
    const QString text = formatTick(t, step);
    const QRectF place(x + 4, 4, metrics.horizontalAdvance(text), 17);
    const bool hidden = std::any_of(flags.begin(), flags.end(), [&](const Flag& f) { return f.box.intersects(place); });
    if (t < 0 || x + 4 < taken || place.right() > width || hidden) continue;  // drawn whole or not at all
    p.setPen(theme.color(Role::Text2));
    p.drawText(QPointF(x + 4, 16), text);
    taken = place.right() + 8;
  }
  p.setRenderHint(QPainter::Antialiasing);
  for (const Flag& f : flags) {
    p.setPen(Qt::NoPen);
    p.setBrush(f.color);
    p.drawRoundedRect(f.box, 3, 3);
    p.setPen(readableOn(f.color));
    p.drawText(f.box, Qt::AlignCenter, f.text);
  }
  p.restore();
  // The corner shows the visible duration.
  p.setPen(theme.color(Role::Text2));
  p.drawText(QRect(10, 0, header() - 14, kRuler), Qt::AlignLeft | Qt::AlignVCenter,
             TimelineView::tr("%1 visible").arg(formatSeconds(plotWidth() * scale / 1e9, 3)));
  p.setPen(theme.color(Role::Border));
  p.drawLine(header() - 1, 0, header() - 1, kRuler);
}

}  // namespace weft::widgets
