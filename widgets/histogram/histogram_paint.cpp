// The four drawing modes of HistogramPlot.
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"
#include "histogram/histogram_plot_p.h"
#include "plot/plot_axis.h"

namespace weft::widgets {
namespace {

constexpr double kSliceHeight = 3;   // minimum pixels between two slices of an offset: closer ones cannot be told apart
constexpr std::size_t kSlices = 48;  // of an offset or overlay; the heat map and the distribution draw all steps
constexpr int kBins = 50;
constexpr double kLaneGap = 10;

/// A slice as a path over `area`: counts of equal bins, scaled so that `most` reaches `height`.
QPainterPath slicePath(const std::vector<double>& counts, double most, const QRectF& area, double base, double height) {
  QPainterPath path(QPointF(area.left(), base));
  const double width = area.width() / double(counts.size());
  for (std::size_t b = 0; b < counts.size(); ++b) {
    path.lineTo(area.left() + (double(b) + 0.5) * width, base - (most > 0 ? counts[b] / most : 0) * height);
  }
  path.lineTo(area.right(), base);
  return path;
}

}  // namespace

std::vector<HistogramPlot::Private::Line*> HistogramPlot::Private::shown() const {
  std::vector<Line*> list;
  for (const auto& line : lines)
    if (line->shown && !line->series->empty()) list.push_back(line.get());
  return list;
}

double HistogramPlot::Private::x(const Line& line, std::size_t i) const {
  const Histogram& h = (*line.series)[i];
  if (axis == SeriesStore::X::Step) return h.step;
  return axis == SeriesStore::X::Wall ? h.wall : h.wall - (*line.series)[0].wall;
}

std::pair<double, double> HistogramPlot::Private::xRange() const {
  double low = 0, high = 0;
  bool any = false;
  for (const Line* line : shown()) {
    const double a = x(*line, 0), b = x(*line, line->series->size() - 1);
    low = any ? std::min(low, a) : a;
    high = any ? std::max(high, b) : b;
    any = true;
  }
  return high > low ? std::pair{low, high} : std::pair{low - 0.5, low + 0.5};
}

std::pair<double, double> HistogramPlot::Private::valueRange() const {
  std::vector<const Histogram*> all;
  for (const Line* line : shown())
    for (const Histogram& h : *line->series) all.push_back(&h);
  const std::pair<double, double> range = rangeOf(all);
  if (mode != Mode::HeatMap) return range;
  // The range is rounded to about a sixteenth, so that bins stay valid while weights drift.
  const double quantum = std::exp2(std::ceil(std::log2(range.second - range.first)) - 5);
  return {std::floor(range.first / quantum) * quantum, std::ceil(range.second / quantum) * quantum};
}

const std::vector<float>& HistogramPlot::Private::Line::shares(double low, double high, int bins) {
  const std::size_t done = binnedBins > 0 ? binned.size() / std::size_t(binnedBins) : 0;
  const bool same = low == binnedLow && high == binnedHigh && bins == binnedBins;
  const bool grown = same && done <= series->size() && series->version() - binnedVersion == series->size() - done;
  std::size_t from = done;
  if (!grown) {
    binned.clear();
    from = 0;
    binnedLow = low;
    binnedHigh = high;
    binnedBins = bins;
  }
  binnedVersion = series->version();
  binned.reserve(series->size() * std::size_t(bins));
  for (std::size_t i = from; i < series->size(); ++i) {
    const Histogram& h = (*series)[i];
    const double total = std::max(h.num, 1e-300);
    for (const double count : rebinned(h, low, high, bins)) binned.push_back(float(count / total));
  }
  return binned;
}

std::vector<float> HistogramPlot::Private::heat(Line& line, int columns, int bins) const {
  const std::vector<float>& shares = line.shares(values.first, values.second, bins);
  const auto width = std::size_t(bins);
  std::vector<float> sums(std::size_t(columns) * width), weights(static_cast<std::size_t>(columns));
  const auto columnOf = [&](double at) { return std::clamp(int((at - steps.first) / (steps.second - steps.first) * columns), 0, columns - 1); };
  const std::size_t n = line.series->size();
  for (std::size_t i = 0; i < n; ++i) {
    // A step extends to the next one, so that a few steps still fill the plot.
    const int first = columnOf(x(line, i)), last = i + 1 < n ? std::max(first, columnOf(x(line, i + 1)) - 1) : (n == 1 ? columns - 1 : first);
    for (int c = first; c <= last; ++c) {
      float* column = sums.data() + std::size_t(c) * width;
      const float* step = shares.data() + i * width;
      for (std::size_t b = 0; b < width; ++b) column[b] += step[b];
      weights[std::size_t(c)] += 1;
    }
  }
  float most = 0;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const float weight = weights[k / width];
    sums[k] = weight > 0 ? sums[k] / weight : -1;
    most = std::max(most, sums[k]);
  }
  if (most > 0)
    for (float& share : sums) share = share > 0 ? share / most : share;
  return sums;
}

double HistogramPlot::Private::pixelOfValue(double value, const QRectF& area, bool horizontal) const {
  const double t = (value - values.first) / (values.second - values.first);
  return horizontal ? area.left() + t * area.width() : area.bottom() - t * area.height();
}

double HistogramPlot::Private::pixelOfX(double value, const QRectF& area) const {
  return area.left() + (value - steps.first) / (steps.second - steps.first) * area.width();
}

void HistogramPlot::Private::render() {
  const double ratio = q->devicePixelRatioF();
  picture = QImage((QSizeF(q->size()) * ratio).toSize(), QImage::Format_RGB32);
  picture.setDevicePixelRatio(ratio);
  picture.fill(Theme::current().color(Role::Surface2));
  dirty = false;
  spots.clear();
  const auto visible = shown();
  for (Line* line : visible) line->update();
  steps = xRange();
  values = valueRange();
  QPainter p(&picture);
  p.setRenderHint(QPainter::Antialiasing);
  p.setFont(Theme::current().monoSmallFont());
  if (visible.empty()) {
    p.setPen(Theme::current().color(Role::Text3));
    p.setFont(Theme::current().smallFont());
    p.drawText(QRectF(q->rect()), Qt::AlignCenter, HistogramPlot::tr("All runs are hidden"));
    return;
  }
  const QRectF all(q->rect());
  if (const auto [count, broken] = brokenSteps(); count > 0 && broken == count) {
    p.setPen(Theme::current().color(Role::Warning));
    p.setFont(Theme::current().smallFont());
    p.drawText(all, Qt::AlignCenter | Qt::TextWordWrap, HistogramPlot::tr("All values are NaN or infinite"));
    return;
  }
  switch (mode) {
    case Mode::Offset: drawOffset(p, all.adjusted(12, 8, -52, -22)); break;
    case Mode::Overlay: drawOverlay(p, all.adjusted(44, 8, -12, -22)); break;
    case Mode::HeatMap: drawHeatMap(p, all.adjusted(56, 8, -12, -22)); break;
    case Mode::Distribution: drawDistribution(p, all.adjusted(56, 8, -12, -22)); break;
  }
}

void HistogramPlot::Private::drawValueAxis(QPainter& p, const QRectF& area, bool horizontal) const {
  const Theme& theme = Theme::current();
  const QFontMetricsF metrics(p.font());
  const int most = std::max(2, int(horizontal ? area.width() / 76 : area.height() / 36));
  for (const Tick& tick : linearTicks(values.first, values.second, most)) {
    const double at = pixelOfValue(tick.at, area, horizontal);
    p.setPen(QPen(theme.color(Role::Surface3), 1));
    if (horizontal) p.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()));
    else p.drawLine(QPointF(area.left(), at), QPointF(area.right(), at));
    p.setPen(theme.color(Role::Text3));
    const double width = metrics.horizontalAdvance(tick.label) + 2;
    if (horizontal)
      p.drawText(QRectF(std::clamp(at - width / 2, 0.0, std::max(0.0, q->width() - width)), area.bottom() + 4, width, 16), Qt::AlignCenter, tick.label);
    else p.drawText(QRectF(0, at - 8, area.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter, tick.label);
  }
}

void HistogramPlot::Private::drawStepAxis(QPainter& p, const QRectF& area) const {
  const Theme& theme = Theme::current();
  const QFontMetricsF metrics(p.font());
  p.setPen(QPen(theme.color(Role::Border), 1));
  p.drawLine(area.bottomLeft(), area.bottomRight());
  p.setPen(theme.color(Role::Text3));
  for (const Tick& tick : xTicks(steps.first, steps.second, std::max(2, int(area.width() / 72)), axis)) {
    const double at = pixelOfX(tick.at, area), width = metrics.horizontalAdvance(tick.label) + 2;
    p.drawText(QRectF(std::clamp(at - width / 2, 0.0, std::max(0.0, q->width() - width)), area.bottom() + 4, width, 16), Qt::AlignCenter, tick.label);
  }
}

void HistogramPlot::Private::drawOffset(QPainter& p, const QRectF& area) {
  const Theme& theme = Theme::current();
  const auto visible = shown();
  const double lane = (area.width() - kLaneGap * double(visible.size() - 1)) / double(visible.size());
  // Oldest slice at the back, newest at the front.
  const double rise = std::min(area.height() * 0.45, 90.0), back = area.top() + rise;
  const auto baseOf = [&](double at) { return back + (at - steps.first) / (steps.second - steps.first) * (area.bottom() - back); };
  const auto slicesAtMost = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0.0, area.bottom() - back) / kSliceHeight), 8, kSlices);
  double left = area.left();
  for (const Line* line : visible) {
    const QRectF rect(left, area.top(), lane, area.height());
    left += lane + kLaneGap;
    drawValueAxis(p, rect, true);
    const auto picked = evenly(line->series->size(), slicesAtMost);
    std::vector<std::vector<double>> slices;
    double most = 0;
    for (const std::size_t i : picked) {
      slices.push_back(rebinned((*line->series)[i], values.first, values.second, kBins));
      most = std::max(most, *std::max_element(slices.back().begin(), slices.back().end()));
    }
    const QColor hue = theme.categorical(line->hue);
    for (std::size_t s = 0; s < picked.size(); ++s) {
      const double t = picked.size() == 1 ? 1 : double(s) / double(picked.size() - 1), base = baseOf(x(*line, picked[s]));
      const QPainterPath path = slicePath(slices[s], most, rect, base, rise);
      p.setPen(Qt::NoPen);
      p.setBrush(mix(hue, theme.color(Role::Surface2), 0.25 + 0.6 * t));
      p.drawPath(path);
      p.setBrush(Qt::NoBrush);
      p.setPen(QPen(theme.color(Role::Surface2), 1));
      p.drawPath(path);
      spots.push_back({line, picked[s], path.boundingRect().adjusted(0, -1, 0, 1)});
    }
  }
  p.setPen(theme.color(Role::Text3));
  for (const Tick& tick : xTicks(steps.first, steps.second, std::max(2, int((area.bottom() - back) / 28)), axis)) {
    p.drawText(QRectF(area.right() + 4, baseOf(tick.at) - 8, 48, 16), Qt::AlignLeft | Qt::AlignVCenter, tick.label);
  }
}

void HistogramPlot::Private::drawOverlay(QPainter& p, const QRectF& area) {
  const Theme& theme = Theme::current();
  struct Slice {
    const Line* line;
    std::size_t index;
    double age;  // 0: oldest, 1: newest
    std::vector<double> counts;
  };
  std::vector<Slice> slices;
  double most = 0;
  for (const Line* line : shown()) {
    const auto picked = evenly(line->series->size(), kSlices);
    for (std::size_t s = 0; s < picked.size(); ++s) {
      const double age = picked.size() == 1 ? 1 : double(s) / double(picked.size() - 1);
      slices.push_back({line, picked[s], age, rebinned((*line->series)[picked[s]], values.first, values.second, kBins)});
      most = std::max(most, *std::max_element(slices.back().counts.begin(), slices.back().counts.end()));
    }
  }
  drawValueAxis(p, area, true);
  p.setPen(theme.color(Role::Text3));
  for (const Tick& tick : linearTicks(0, most, std::max(2, int(area.height() / 36)))) {
    p.drawText(QRectF(0, area.bottom() - tick.at / std::max(most, 1e-300) * area.height() - 8, area.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
               tick.label);
  }
  std::stable_sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) { return a.age < b.age; });
  p.setBrush(Qt::NoBrush);
  for (const Slice& s : slices) {
    const QPainterPath path = slicePath(s.counts, most, area, area.bottom(), area.height());
    p.setPen(QPen(mix(theme.categorical(s.line->hue), theme.color(Role::Surface2), 0.15 + 0.85 * s.age), s.age == 1 ? 2 : 1));
    p.drawPath(path);
    spots.push_back({s.line, s.index, path.boundingRect()});
  }
}

void HistogramPlot::Private::drawHeatMap(QPainter& p, const QRectF& area) {
  const Theme& theme = Theme::current();
  const auto visible = shown();
  const double lane = (area.height() - kLaneGap * double(visible.size() - 1)) / double(visible.size());
  double top = area.top();
  std::vector<QRgb> ramp;
  for (int i = 0; i < 256; ++i) ramp.push_back(theme.sequential(i / 255.0).rgb());
  for (Line* line : visible) {
    const QRectF rect(area.left(), top, area.width(), lane);
    top += lane + kLaneGap;
    const int columns = std::max(1, int(rect.width())), bins = std::clamp(int(lane / 3), 8, 96);
    const std::vector<float> shares = heat(*line, columns, bins);
    QImage image(columns, bins, QImage::Format_RGB32);
    const QRgb nothing = theme.color(Role::Surface0).rgb();
    for (int b = 0; b < bins; ++b) {
      auto* row = reinterpret_cast<QRgb*>(image.scanLine(bins - 1 - b));
      for (int c = 0; c < columns; ++c) {
        const float share = shares[std::size_t(c) * std::size_t(bins) + std::size_t(b)];
        // A square root scale keeps thin tails visible beside a high peak.
        row[c] = share > 0 ? ramp[std::size_t(std::sqrt(share) * 255)] : nothing;
      }
    }
    p.setRenderHint(QPainter::SmoothPixmapTransform, false);
    p.drawImage(rect, image);
    drawValueAxis(p, rect, false);
    if (visible.size() > 1) {
      // Drawn on a background, because the heat map uses every colour.
      QRectF label = QFontMetricsF(p.font()).boundingRect(line->name).adjusted(-4, -1, 4, 1);
      label.moveTopRight(rect.topRight() + QPointF(-3, 3));
      p.fillRect(label, theme.color(Role::Surface2));
      p.setPen(theme.categorical(line->hue));
      p.drawText(label, Qt::AlignCenter, line->name);
    }
    spots.push_back({line, 0, rect});
  }
  drawStepAxis(p, area);
}

void HistogramPlot::Private::drawDistribution(QPainter& p, const QRectF& area) {
  const Theme& theme = Theme::current();
  drawValueAxis(p, area, false);
  drawStepAxis(p, area);
  for (const Line* line : shown()) {
    // At most one point per pixel column; the outer lines keep their extremes.
    std::vector<std::pair<double, std::array<double, 9>>> points;
    for (std::size_t i = 0; i < line->series->size(); ++i) {
      const double at = std::round(pixelOfX(x(*line, i), area) * 2) / 2;
      const auto& now = line->percentiles[i];
      if (!std::all_of(now.begin(), now.end(), [](double v) { return std::isfinite(v); })) continue;
      if (!points.empty() && points.back().first == at) {
        auto& kept = points.back().second;
        for (std::size_t k = 0; k < 9; ++k) kept[k] = k < 4 ? std::min(kept[k], now[k]) : k > 4 ? std::max(kept[k], now[k]) : now[k];
      } else {
        points.emplace_back(at, now);
      }
    }
    if (points.size() == 1) points.emplace_back(area.right(), points[0].second);
    const QColor hue = theme.categorical(line->hue);
    for (std::size_t k = 0; k < 4; ++k) {
      QPolygonF band;
      for (const auto& [at, v] : points) band << QPointF(at, pixelOfValue(v[k], area, false));
      for (auto it = points.rbegin(); it != points.rend(); ++it) band << QPointF(it->first, pixelOfValue(it->second[8 - k], area, false));
      QColor fill = hue;
      fill.setAlphaF(0.13);
      p.setPen(Qt::NoPen);
      p.setBrush(fill);
      p.drawPolygon(band);
    }
    for (std::size_t k = 0; k < 9; ++k) {
      QPolygonF curve;
      for (const auto& [at, v] : points) curve << QPointF(at, pixelOfValue(v[k], area, false));
      QColor color = hue;
      color.setAlphaF(k == 4 ? 1 : 0.45);
      p.setBrush(Qt::NoBrush);
      p.setPen(QPen(color, k == 4 ? 1.8 : 1));
      p.drawPolyline(curve);
    }
    spots.push_back({line, 0, area});
  }
}

std::optional<HistogramPlot::Private::Spot> HistogramPlot::Private::spotAt(QPointF at) const {
  // The series may have lost steps since the slices were drawn.
  const auto there = [](const Spot& spot) { return spot.index < std::min(spot.line->series->size(), spot.line->percentiles.size()); };
  if (mode == Mode::HeatMap || mode == Mode::Distribution) {
    for (const Spot& spot : spots) {
      if (!there(spot) || !spot.area.adjusted(-1, -1, 1, 1).contains(at)) continue;
      const double wanted = steps.first + (at.x() - spot.area.left()) / std::max(1.0, spot.area.width()) * (steps.second - steps.first);
      std::size_t best = 0;
      for (std::size_t i = 1; i < std::min(spot.line->series->size(), spot.line->percentiles.size()); ++i)
        if (std::abs(x(*spot.line, i) - wanted) < std::abs(x(*spot.line, best) - wanted)) best = i;
      return Spot{spot.line, best, spot.area};
    }
    return std::nullopt;
  }
  if (mode == Mode::Overlay && !spots.empty()) return there(spots.back()) ? std::optional(spots.back()) : std::nullopt;  // the newest
  // The slice with the nearest baseline in the lane below the pointer.
  std::optional<Spot> best;
  for (const Spot& spot : spots) {
    if (!there(spot) || at.x() < spot.area.left() - kLaneGap / 2 || at.x() > spot.area.right() + kLaneGap / 2) continue;
    if (!best || std::abs(spot.area.bottom() - at.y()) < std::abs(best->area.bottom() - at.y())) best = spot;
  }
  return best;
}

/// Labels the step that another panel's cursor marks: not every step has a histogram.
void HistogramPlot::Private::drawStepChip(QPainter& p, const Spot& spot) const {
  const Theme& theme = Theme::current();
  p.setFont(theme.monoSmallFont());
  const QString text = formatCount(std::llround((*spot.line->series)[spot.index].step));
  const double width = QFontMetricsF(p.font()).horizontalAdvance(text) + 10;
  const bool upright = mode == Mode::HeatMap || mode == Mode::Distribution;
  QRectF chip(spot.area.right() - width, spot.area.bottom() - 16, width, 16);
  if (upright) chip.moveLeft(std::clamp(pixelOfX(x(*spot.line, spot.index), spot.area) - width / 2, 0.0, std::max(0.0, q->width() - width)));
  p.setPen(Qt::NoPen);
  p.setBrush(theme.color(Role::Tooltip));
  p.drawRoundedRect(chip, 3, 3);
  p.setPen(theme.color(Role::TooltipText));
  p.drawText(chip, Qt::AlignCenter, text);
}

void HistogramPlot::Private::drawReading(QPainter& p) const {
  const Theme& theme = Theme::current();
  std::optional<Spot> spot = pointer ? spotAt(*pointer) : std::nullopt;
  if (!spot && marked) {
    double distance = 0;
    for (const Spot& s : spots) {
      if (!s.line || s.line->series->empty()) continue;
      const std::size_t i = mode == Mode::HeatMap || mode == Mode::Distribution ? s.line->series->at(*marked) : s.index;
      if (i >= std::min(s.line->series->size(), s.line->percentiles.size())) continue;
      const double apart = std::abs((*s.line->series)[i].step - *marked);  // the nearest of the drawn slices
      if (spot && apart >= distance) continue;
      spot = Spot{s.line, i, s.area};
      distance = apart;
    }
  }
  if (!spot) return;
  const Histogram& h = (*spot->line->series)[spot->index];
  p.setRenderHint(QPainter::Antialiasing);
  if (mode == Mode::HeatMap || mode == Mode::Distribution) {
    const double at = std::round(pixelOfX(x(*spot->line, spot->index), spot->area)) + 0.5;
    p.setPen(QPen(theme.color(Role::Text1), 1));
    p.drawLine(QPointF(at, spot->area.top()), QPointF(at, spot->area.bottom()));
    if (mode == Mode::Distribution) {
      p.setBrush(theme.categorical(spot->line->hue));
      for (const double v : spot->line->percentiles[spot->index]) p.drawEllipse(QPointF(at, pixelOfValue(v, spot->area, false)), 2.5, 2.5);
    }
  } else if (mode == Mode::Offset) {
    const auto counts = rebinned(h, values.first, values.second, kBins);
    const double most = *std::max_element(counts.begin(), counts.end());
    const double height = spot->area.height() - 2;
    p.setPen(QPen(theme.color(Role::Accent), 2));
    p.setBrush(Qt::NoBrush);
    p.drawPath(slicePath(counts, most, spot->area.adjusted(0, 0, 0, -1), spot->area.bottom() - 1, height));
  }
  if (!pointer) {
    drawStepChip(p, *spot);
    return;
  }
  const auto& nine = spot->line->percentiles[spot->index];
  const QStringList texts{
      QStringLiteral("%1 · %2").arg(spot->line->name, xText(x(*spot->line, spot->index), axis)),
      HistogramPlot::tr("%1 values, mean %2, deviation %3").arg(formatCount(qint64(h.num)), formatValue(h.mean(), 3), formatValue(h.deviation(), 3)),
      HistogramPlot::tr("min %1, median %2, max %3").arg(formatValue(h.min, 3), formatValue(nine[4], 3), formatValue(h.max, 3))};
  p.setFont(theme.smallFont());
  const QFontMetricsF metrics(p.font());
  double width = 0;
  for (const QString& t : texts) width = std::max(width, metrics.horizontalAdvance(t));
  QRectF box(pointer->x() + 14, pointer->y() - 8, width + 16, 8 + 17 * double(texts.size()));
  if (box.right() > q->width() - 2) box.moveRight(pointer->x() - 14);
  box.moveLeft(std::max(2.0, box.left()));
  box.moveTop(std::clamp(box.top(), 2.0, std::max(2.0, q->height() - box.height() - 2)));
  p.setPen(QPen(theme.color(Role::BorderStrong), 1));
  p.setBrush(theme.color(Role::Surface2));
  p.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  p.setPen(theme.color(Role::Text1));
  for (qsizetype i = 0; i < texts.size(); ++i)
    p.drawText(QRectF(box.left() + 8, box.top() + 4 + 17 * double(i), width, 17), Qt::AlignVCenter | Qt::AlignLeft, texts[i]);
}

}  // namespace weft::widgets
