// Idle times between the slices: hatched in the colour of their reason, with the reason as text where there is room.
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "common/theme.h"
#include "timeline/timeline_view_p.h"

namespace weft::widgets {

namespace {
constexpr double kLeastPixels = 6;  // a revealed gap is at least so wide
}

void TimelineGaps::finish(int count) {
  where.assign(static_cast<std::size_t>(count), {-1, -1});
  for (std::size_t track = 0; track < rows.size(); ++track) {
    rows[track].finish();
    const std::vector<TimelineSlice>& slices = rows[track].slices();
    for (std::size_t i = 0; i < slices.size(); ++i) where[static_cast<std::size_t>(slices[i].id)] = {static_cast<int>(track), static_cast<int>(i)};
  }
}

void TimelineView::setGaps(std::shared_ptr<const TimelineGaps> gaps) {
  d_->gaps = std::move(gaps);
  d_->gap = -1;
  viewport()->update();
}

const TimelineGaps* TimelineView::gaps() const { return d_->gaps.get(); }
int TimelineView::selectedGap() const { return d_->gap; }

void TimelineView::selectGap(int id, bool reveal) {
  if (!d_->gaps || id < 0 || id >= static_cast<int>(d_->gaps->where.size())) id = -1;
  if (id >= 0 && d_->selected >= 0) select(-1);
  if (id != d_->gap) d_->flows.clear();
  d_->gap = id;
  setAccessibleDescription(id < 0 ? QString() : d_->gaps->tip(id));
  if (id >= 0 && reveal) {
    const TimelineSlice& s = d_->gaps->gap(id);
    const double width = d_->plotWidth() * d_->scale, from = static_cast<double>(s.start), to = static_cast<double>(s.end());
    if (to - from > width * 0.9 || (to - from) / d_->scale < kLeastPixels) setRange(from - (to - from) * 2, to + (to - from) * 2);
    else if (from < d_->start || to > d_->start + width) d_->moveTo((from + to) / 2 - width / 2);
    const int y = d_->rowTop[static_cast<std::size_t>(d_->data->tracks()[d_->gaps->where[static_cast<std::size_t>(id)].first].firstRow)];
    const int height = viewport()->height() - Private::kRuler;
    QScrollBar* bar = verticalScrollBar();
    if (y < bar->value() || y + Private::kRow > bar->value() + height) bar->setValue(y - height / 3);
  }
  viewport()->update();
}

QRectF TimelineView::gapRect(int id) const {
  if (!d_->gaps || id < 0) return {};
  const TimelineSlice& s = d_->gaps->gap(id);
  const double x0 = d_->xOf(static_cast<double>(s.start)), x1 = d_->xOf(static_cast<double>(s.end()));
  const int row = d_->data->tracks()[d_->gaps->where[static_cast<std::size_t>(id)].first].firstRow;
  const QRectF box(x0, d_->rowTop[static_cast<std::size_t>(row)] + d_->top(), std::max(1.0, x1 - x0), Private::kRow - 2);
  const QRectF seen(d_->header(), Private::kRuler, d_->plotWidth(), viewport()->height() - Private::kRuler);
  return box.intersects(seen) ? box : QRectF();
}

bool TimelineView::selectNextGap(bool backward) {
  if (!d_->gaps) return false;
  if (d_->gap >= 0) {
    const auto [track, at] = d_->gaps->where[static_cast<std::size_t>(d_->gap)];
    const std::vector<TimelineSlice>& slices = d_->gaps->rows[static_cast<std::size_t>(track)].slices();
    const int next = at + (backward ? -1 : 1);
    if (next < 0 || next >= static_cast<int>(slices.size())) return false;
    d_->chooseGap(slices[static_cast<std::size_t>(next)].id);
    return true;
  }
  for (const TimelineRow& row : d_->gaps->rows) {
    const std::size_t first = row.firstAfter(static_cast<std::int64_t>(d_->start));
    if (first >= row.slices().size()) continue;
    d_->chooseGap(row.slices()[first].id);
    return true;
  }
  return false;
}

void TimelineView::Private::chooseGap(int id) {
  const bool changed = id != gap;
  q->selectGap(id);
  if (changed) emit q->gapSelected(id);
}

int TimelineView::Private::gapAt(QPoint at) const {
  if (!gaps || !data || at.x() < header() || at.y() < kRuler) return -1;
  for (std::size_t track = 0; track < gaps->rows.size(); ++track) {
    const int y = rowTop[static_cast<std::size_t>(data->tracks()[static_cast<int>(track)].firstRow)] + top();
    if (at.y() < y || at.y() >= y + kRow) continue;
    const int i = gaps->rows[track].at(static_cast<std::int64_t>(timeAt(at.x() + 0.5)), static_cast<std::int64_t>(scale));
    return i < 0 ? -1 : gaps->rows[track].slices()[static_cast<std::size_t>(i)].id;
  }
  return -1;
}

/// Narrow gaps fill the columns from the top, above the slices, which fill them from the bottom.
void TimelineView::Private::paintGaps(QPainter& p, int track, int y) {
  if (!gaps || static_cast<std::size_t>(track) >= gaps->rows.size() || gaps->rows[static_cast<std::size_t>(track)].slices().empty()) return;
  const Theme& theme = Theme::current();
  const TimelineRow& row = gaps->rows[static_cast<std::size_t>(track)];
  const std::vector<QRgb> colors = colorsOf(gaps->categories);
  const QColor base = theme.color(Role::Surface0);
  const auto colorOf = [&](std::int16_t category, double share) { return mix(QColor::fromRgb(colors[static_cast<std::size_t>(category)]), base, share); };
  p.setRenderHint(QPainter::Antialiasing, false);
  const QFontMetricsF metrics(theme.smallFont());
  row.visit(start, scale, plotWidth(), 3.0, density, [&](int index) {
    const TimelineSlice& s = row.slices()[static_cast<std::size_t>(index)];
    const double x0 = std::max<double>(header() - 2, xOf(static_cast<double>(s.start)));
    const double x1 = std::min<double>(header() + plotWidth() + 2, xOf(static_cast<double>(s.end())));
    const QRectF box(x0, y, x1 - x0, kRow - 2);
    p.fillRect(box, colorOf(s.category, 0.14));
    p.fillRect(box, QBrush(colorOf(s.category, 0.5), Qt::BDiagPattern));
    p.fillRect(QRectF(box.left(), box.bottom() - 2, box.width(), 2), colorOf(s.category, 0.9));
    if (box.width() < 60) return;
    const QString text = metrics.elidedText(gaps->texts[static_cast<std::size_t>(s.name)], Qt::ElideMiddle, box.width() - 10);
    const double width = metrics.horizontalAdvance(text);
    p.fillRect(QRectF(box.left() + 3, box.top() + 1, width + 4, box.height() - 4), colorOf(s.category, 0.14));
    p.setPen(theme.color(Role::Text1));
    p.drawText(QRectF(box.left() + 5, box.top(), box.width() - 8, box.height() - 2), Qt::AlignLeft | Qt::AlignVCenter, text);
  });
  for (int x = 0; x < static_cast<int>(density.size()); ++x) {
    const TimelineRow::Density& d = density[static_cast<std::size_t>(x)];
    if (d.busy <= 0 || d.category < 0) continue;
    const int tall = std::clamp(static_cast<int>(std::lround(static_cast<double>(d.busy) * (kRow - 2))), 1, kRow - 2);
    p.fillRect(QRect(header() + x, y, 1, tall), colorOf(d.category, 0.45));
  }
}

}  // namespace weft::widgets
