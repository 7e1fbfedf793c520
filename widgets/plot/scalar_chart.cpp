// The chart of a ScalarPlot: visible range, drawn points, and the card's texts.
#include <QPainter>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <utility>

#include "common/format.h"
#include "common/theme.h"
#include "plot/scalar_plot_p.h"

namespace weft::widgets {
namespace {

constexpr int kFrameMs = 33;
constexpr int kFlowMs = 600;                               // growth within this time counts as continuous
constexpr int kTextsMs = 250;                              // numbers that change more often cannot be read
constexpr double kAhead = 1.0 / 12, kMostAhead = 1.0 / 3;  // of the range, kept free for new samples
constexpr double kAheadMs = 1000;   // room for the samples of this time: otherwise a young curve would be redrawn with nearly every sample
constexpr size_t kMaxBlocks = 900;  // two points each: below 2,000 per line
constexpr size_t kMaxSpread = 400;
constexpr qint64 kStepless = 8;  // more values of one step are no accident

/// Whether larger values of a tag are better, judging by its name.
bool isBetterHigh(const QString& tag) {
  static const QRegularExpression words(
      QStringLiteral("acc(uracy)?\\b|accuracy|precision|recall|\\bauc\\b|\\bf1|top_?\\d|\\biou\\b|\\bmap\\b|bleu|psnr|ssim|score|reward"),
      QRegularExpression::CaseInsensitiveOption);
  return words.match(tag).hasMatch();
}

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

void ScalarPlot::Private::schedule() {
  dirty = true;
  if (!q->isVisible() || timer.isActive()) return;
  const qint64 since = sinceRefresh.isValid() ? sinceRefresh.elapsed() : kFrameMs;
  timer.start(static_cast<int>(std::clamp<qint64>(kFrameMs - since, 0, kFrameMs)));
}

void ScalarPlot::Private::scheduleGrown() {
  grew = true;
  if (onScreen()) frame.want();  // otherwise painting asks for it when the card comes into view
  else if (!q->isVisible()) dirty = true;
}

bool ScalarPlot::Private::onScreen() const { return q->isVisible() && !q->visibleRegion().isEmpty(); }

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
  const auto cover = [&](const SeriesStore& store) {
    for (const Block& block : store.blocks(from, to, axis, noOutliers ? 1500 : 400)) {
      if (block.finite == 0) continue;
      double least = block.min;
      if (logScale && block.max <= 0) continue;
      if (logScale && least <= 0) least = block.max;
      low = any ? std::min(low, least) : least;
      high = any ? std::max(high, block.max) : block.max;
      any = true;
      if (noOutliers) values.push_back(block.mean());
    }
  };
  for (const auto& line : lines) {
    if (!line->shown || line->store->empty()) continue;
    for (const SeriesStore* store : {static_cast<const SeriesStore*>(line->store.get()), line->lower.get(), line->upper.get()})
      if (store && !store->empty()) cover(*store);
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
    line->drawnSize = line->store->size();
    line->drawnVersion = line->store->version();
    if (!line->shown || line->store->empty()) continue;
    const std::vector<double>* smooth = smoothing.isOn() ? &line->smoothed() : nullptr;
    line->points = curvePoints(*line->store, smooth, shownX0, shownX1, axis, blocks, scale);
    if (!spread) continue;
    // Behind mean and spread, each run's curve is drawn faintly.
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

void ScalarPlot::Private::refresh(bool leaveRoom) {
  dirty = grew = false;
  ahead = leaveRoom && !range;
  marksFrom = kNone;
  const double before = sinceRefresh.isValid() ? std::max<double>(1, static_cast<double>(sinceRefresh.elapsed())) : 0;
  sinceRefresh.start();
  const auto [fullLow, fullHigh] = fullX();
  const double grown = fullHigh - std::exchange(fullAtRefresh, fullHigh);
  shownX0 = range ? range->first : fullLow;
  shownX1 = range ? range->second : fullHigh;
  if (ahead) {
    const double room = before > 0 && !logScaleX ? std::clamp(grown / before * kAheadMs / (shownX1 - shownX0), kAhead, kMostAhead) : kAhead;
    shownX1 = logScaleX ? shownX1 * std::pow(shownX1 / shownX0, room) : shownX1 + (shownX1 - shownX0) * room;
  }
  scale.logX = logScaleX;
  scale.logY = logScale;
  scale.x0 = scale.axisX(shownX0);
  scale.x1 = scale.axisX(shownX1);
  std::tie(scale.y0, scale.y1) = yRange(shownX0, shownX1);
  layOut();
  for (auto& line : lines) line->crowded = crowded(*line);
  takePoints();
  takeGroups();
  updateTexts();
  picture = {};
  q->body()->update();
}

void ScalarPlot::Private::refreshGrown() {
  if (!grew || !onScreen()) return;
  const bool flows = sinceGrown.isValid() && sinceGrown.elapsed() < kFlowMs;
  sinceGrown.start();
  if (dirty || !grow()) refresh(flows);
  if (flows) settle.start();
}

bool ScalarPlot::Private::fitsY(const Line& line, std::size_t first) const {
  if (rangeY || noOutliers) return true;  // the percentiles of a long curve hardly move; they are recomputed whenever the axis is extended
  const Block added = line.store->summary(first, line.store->size());
  if (added.finite == 0 || (logScale && added.max <= 0)) return true;
  const double low = scale.axisY(logScale && added.min <= 0 ? added.max : added.min), high = scale.axisY(added.max);
  return low >= scale.y0 && high <= scale.y1;
}

bool ScalarPlot::Private::grow() {
  if (picture.isNull() || spread) return false;
  if (smoothing.isOn() && smoothing.kind != Smoothing::Kind::Ema && smoothing.kind != Smoothing::Kind::TimeEma) return false;  // these change earlier values
  const auto [low, high] = fullX();
  if (!range && (low != shownX0 || high > shownX1)) return false;
  for (const auto& line : lines) {
    if (!line->shown) continue;
    if (line->lower) return false;  // the band grows too
    const std::size_t size = line->store->size();
    if (size < line->drawnSize || line->store->version() - line->drawnVersion != size - line->drawnSize) return false;  // samples were removed
    if (!fitsY(*line, line->drawnSize)) return false;
  }
  double from = std::exchange(marksFrom, kNone);
  for (auto& line : lines) {
    if (!line->shown || line->store->size() == line->drawnSize) continue;
    if (range && line->drawnSize > 0 && line->store->x(line->drawnSize - 1, axis) > shownX1) {  // beyond the visible range
      line->drawnSize = line->store->size();
      line->drawnVersion = line->store->version();
      continue;
    }
    const std::vector<double>* smooth = smoothing.isOn() ? &line->smoothed() : nullptr;
    const std::optional<double> changed = growCurvePoints(line->points, *line->store, smooth, shownX1, axis, scale);
    if (!changed) return false;
    line->drawnSize = line->store->size();
    line->drawnVersion = line->store->version();
    from = std::min(from, *changed);
  }
  grew = false;
  if (!sinceTexts.isValid() || sinceTexts.elapsed() >= kTextsMs) updateTexts();
  if (from >= q->body()->width()) return true;
  const QRect strip = QRect(QPoint(std::max(0, static_cast<int>(from) - 6), 0), QPoint(q->body()->width(), q->body()->height()));
  QPainter below(&picture);
  below.setClipRect(strip);
  paintChart(below, strip.left());
  below.end();
  q->body()->update(strip);
  return true;
}

void ScalarPlot::Private::updateTexts() {
  sinceTexts.start();
  QStringList chips;
  if (logScale) chips << ScalarPlot::tr("log y");
  if (logScaleX) chips << ScalarPlot::tr("log x");
  q->setChip(chips.join(QStringLiteral(" · ")));
  qint64 points = 0, bad = 0;
  const bool high = isBetterHigh(q->title());
  double best = 0;
  bool stepless = true;  // many values, all at one step
  QString bestIn;
  QVector<CardLegend::Entry> legend;
  int shownLines = 0;
  const auto entry = [&legend](const QColor& color, const QString& text, const QString& name) { legend << CardLegend::Entry{color, text, name}; };
  for (const auto& line : lines) {
    if (!line->shown) continue;
    ++shownLines;
    const Block all = line->store->summary(0, line->store->size());
    points += all.count;
    if (line->store->size() > 0) stepless = stepless && line->store->samples().front().step == line->store->samples().back().step;
    bad += all.count - all.finite;
    if (all.finite > 0 && (bestIn.isEmpty() || (high ? all.max > best : all.min < best))) {
      best = high ? all.max : all.min;
      bestIn = line->name;
    }
    if (!line->store->empty() && !spread) entry(Theme::current().categorical(line->hue), formatValue(line->smoothed().back()), line->name);
  }
  for (const Group& group : groups) {
    if (group.points.empty()) continue;
    const SpreadPoint& last = group.points.back();
    entry(group.color(),
          QStringLiteral("%1%2 ± %3").arg(group.name.isEmpty() ? QString() : group.name + u' ', formatValue(last.mean, 3), formatValue(last.deviation, 2)),
          group.name);
  }
  q->setLegend(legend);
  q->setFoot(ScalarPlot::tr("%1 series").arg(shownLines) + QStringLiteral(" · ") + ScalarPlot::tr("%1 points, none dropped").arg(formatCount(points)) +
                 (stepless && shownLines > 0 && points >= kStepless * shownLines
                      ? QStringLiteral(" · ") + ScalarPlot::tr("all at one step: choose wall, or write them with their step")
                      : QString()) +
                 (bad > 0 ? QStringLiteral(" · ") + ScalarPlot::tr("%1 NaN or infinite").arg(formatCount(bad)) : QString()),
             bestIn.isEmpty() ? QString() : (high ? ScalarPlot::tr("max %1 · %2") : ScalarPlot::tr("min %1 · %2")).arg(formatValue(best), bestIn));
}

}  // namespace weft::widgets
