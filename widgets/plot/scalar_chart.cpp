// The chart inside a ScalarPlot: which range is shown, which points are drawn of it, what the card says about it.
#include <QThread>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"
#include "plot/scalar_plot_p.h"

namespace weft::widgets {
namespace {

constexpr int kFrameMs = 33, kSlowestMs = 500;
constexpr double kShare = 0.02;     // of the processors, for charts that grow
constexpr size_t kMaxBlocks = 900;  // two points each: below 2,000 per line
constexpr size_t kMaxSpread = 400;
constexpr int kMostInLegend = 4;

}  // namespace

QColor ScalarPlot::Private::Group::color() const {
  const Theme& theme = Theme::current();
  return hue < 0 ? theme.color(Role::Accent) : theme.categorical(hue);
}

ScalarPlot::Private::Line* ScalarPlot::Private::find(int id) {
  for (const auto& line : lines)
    if (line->id == id) return line.get();
  return nullptr;
}

int ScalarPlot::Private::grownFrameMs() const {
  const double perSecond = kShare * std::max(1, QThread::idealThreadCount()) * 1000;
  return std::clamp(static_cast<int>(costMs * std::max(1, inSight) / perSecond * 1000), kFrameMs, kSlowestMs);
}

void ScalarPlot::Private::schedule(bool grown) {
  dirty = true;
  if (!q->isVisible()) return;
  const int frame = grown ? grownFrameMs() : kFrameMs;
  const qint64 since = sinceRefresh.isValid() ? sinceRefresh.elapsed() : frame;
  const int wait = static_cast<int>(std::clamp<qint64>(frame - since, 0, frame));
  if (!timer.isActive() || wait < timer.remainingTime()) timer.start(wait);
}

bool ScalarPlot::Private::onScreen() const {
  return q->isVisible() && !q->visibleRegion().isEmpty();
}

std::pair<double, double> ScalarPlot::Private::fullX() const {
  double low = 0, high = 0;
  bool any = false;
  for (const auto& line : lines) {
    if (!line->shown || line->store->empty()) continue;
    // A logarithmic axis begins with the first value above 0.
    const size_t first = logScaleX ? std::min(line->store->lowerBound(1e-12, axis), line->store->size() - 1) : 0;
    const double a = line->store->x(first, axis), b = line->store->x(line->store->size() - 1, axis);
    low = any ? std::min(low, a) : a;
    high = any ? std::max(high, b) : b;
    any = true;
  }
  if (!any) return {0, 1};
  if (logScaleX) return {std::max(low, 1e-12), std::max(high, std::max(low, 1e-12) * 1.1)};
  return high > low ? std::pair{low, high} : std::pair{low - 0.5, high + 0.5};
}

std::pair<double, double> ScalarPlot::Private::yRange(double from, double to) const {
  if (rangeY && (!logScale || rangeY->first > 0)) return {scale.axisY(rangeY->first), scale.axisY(rangeY->second)};
  double low = 0, high = 0;
  bool any = false;
  std::vector<double> values;
  for (const auto& line : lines) {
    if (!line->shown || line->store->empty()) continue;
    for (const Block& block : line->store->blocks(from, to, axis, noOutliers ? 1500 : 400)) {
      if (block.finite == 0) continue;
      double least = block.min;
      if (logScale && block.max <= 0) continue;
      if (logScale && least <= 0) least = block.max;
      low = any ? std::min(low, least) : least;
      high = any ? std::max(high, block.max) : block.max;
      any = true;
      if (noOutliers) values.push_back(block.mean());
    }
  }
  if (!any) return {0, 1};
  if (noOutliers && values.size() > 20) {
    std::sort(values.begin(), values.end());
    const auto n = static_cast<double>(values.size() - 1);
    low = values[static_cast<size_t>(n * 0.05)];
    high = values[static_cast<size_t>(std::ceil(n * 0.95))];
    if (logScale && low <= 0) low = high / 10;
  }
  return padded(scale.axisY(low), scale.axisY(high));
}

void ScalarPlot::Private::layOut() {
  const QSizeF size = q->body()->size();
  const QFontMetricsF metrics(Theme::current().monoSmallFont());
  const double top = 8, bottom = size.height() - 22;
  const int mostY = std::max(2, static_cast<int>((bottom - top) / 40));
  ticksY = logScale ? logTicks(scale.y0, scale.y1, mostY) : linearTicks(scale.y0, scale.y1, mostY);
  double left = 24;
  for (const Tick& tick : ticksY) left = std::max(left, metrics.horizontalAdvance(tick.label) + 12);
  scale.area = QRectF(QPointF(left, top), QPointF(std::max(left + 10, size.width() - 10), std::max(top + 10, bottom)));
  const int mostX = std::max(2, static_cast<int>(scale.area.width() / 72));
  ticksX = logScaleX ? logTicks(scale.x0, scale.x1, mostX) : xTicks(scale.x0, scale.x1, mostX, axis);
}

void ScalarPlot::Private::takePoints() {
  const auto blocks = std::min<size_t>(kMaxBlocks, std::max<size_t>(120, static_cast<size_t>(scale.area.width() * 0.75)));
  for (auto& line : lines) {
    line->points = {};
    if (!line->shown || line->store->empty()) continue;
    const std::vector<double>* smooth = smoothing.isOn() ? &line->smoothed() : nullptr;
    line->points = curvePoints(*line->store, smooth, shownX0, shownX1, axis, blocks, scale);
    if (!spread) continue;
    // Behind mean and spread, each run's curve is a ghost.
    line->points.raw = std::exchange(line->points.curve, {});
  }
}

void ScalarPlot::Private::takeGroups() {
  groups.clear();
  if (!spread) return;
  std::vector<std::pair<QString, std::vector<RunCurve>>> curves;
  for (const auto& line : lines) {
    if (!line->shown || line->store->empty()) continue;
    auto it = std::find_if(curves.begin(), curves.end(), [&](const auto& c) { return c.first == line->group; });
    if (it == curves.end()) {
      it = curves.insert(curves.end(), {line->group, {}});
      groups.push_back({line->group, line->hue, {}});
    }
    it->second.push_back({line->store.get(), smoothing.isOn() ? &line->smoothed() : nullptr});
  }
  for (size_t i = 0; i < groups.size(); ++i) groups[i].points = meanAndSpread(curves[i].second, shownX0, shownX1, axis, kMaxSpread);
  if (groups.size() == 1) groups[0].hue = -1;
}

void ScalarPlot::Private::refresh() {
  dirty = false;
  sinceRefresh.start();
  const double before = threadMs();
  const auto [fullLow, fullHigh] = fullX();
  shownX0 = range ? range->first : fullLow;
  shownX1 = range ? range->second : fullHigh;
  scale.logX = logScaleX;
  scale.logY = logScale;
  scale.x0 = scale.axisX(shownX0);
  scale.x1 = scale.axisX(shownX1);
  std::tie(scale.y0, scale.y1) = yRange(shownX0, shownX1);
  layOut();
  takePoints();
  takeGroups();
  updateTexts();
  picture = {};
  q->body()->update();
  refreshMs = threadMs() - before;
}

void ScalarPlot::Private::updateTexts() {
  QStringList chips;
  if (logScale) chips << ScalarPlot::tr("log y");
  if (logScaleX) chips << ScalarPlot::tr("log x");
  q->setChip(chips.join(QStringLiteral(" · ")));
  qint64 points = 0, bad = 0;
  double least = 0;
  QString leastIn;
  QString html;
  int shownLines = 0;
  const auto entry = [&html](const QColor& color, const QString& text) {
    html += QStringLiteral("<span style='color:%1'>■</span>&nbsp;%2&emsp;").arg(color.name(), text.toHtmlEscaped().replace(u' ', QStringLiteral("&nbsp;")));
  };
  for (const auto& line : lines) {
    if (!line->shown) continue;
    ++shownLines;
    const Block all = line->store->summary(0, line->store->size());
    points += all.count;
    bad += all.count - all.finite;
    if (all.finite > 0 && (leastIn.isEmpty() || all.min < least)) {
      least = all.min;
      leastIn = line->name;
    }
    if (!line->store->empty() && !spread && shownLines <= kMostInLegend) entry(Theme::current().categorical(line->hue), formatValue(line->smoothed().back()));
  }
  for (const Group& group : groups) {
    if (group.points.empty()) continue;
    const SpreadPoint& last = group.points.back();
    entry(group.color(), QStringLiteral("%1%2 ± %3").arg(group.name.isEmpty() ? QString() : group.name + u' ', formatValue(last.mean, 3), formatValue(last.deviation, 2)));
  }
  q->setLegend(spread ? groups.size() <= kMostInLegend ? html : QString() : shownLines <= kMostInLegend ? html : QString());
  q->setFoot(ScalarPlot::tr("%1 series").arg(shownLines) + QStringLiteral(" · ") + ScalarPlot::tr("%1 points, none dropped").arg(formatCount(points)) +
                 (bad > 0 ? QStringLiteral(" · ") + ScalarPlot::tr("%1 NaN or infinite").arg(formatCount(bad)) : QString()),
             leastIn.isEmpty() ? QString() : ScalarPlot::tr("min %1 · %2").arg(formatValue(least), leastIn));
}

}  // namespace weft::widgets
