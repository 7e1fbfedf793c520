#include "tensor_view/value_plots.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {
constexpr double kFoot = 18;
}

void ValueHistogram::setFacts(const TensorFacts& facts) {
  facts_ = facts;
  update();
}

void ValueHistogram::setOther(const std::optional<TensorFacts>& other) {
  other_ = other;
  update();
}

/// The range of both tensors, if there are two.
std::pair<double, double> ValueHistogram::range() const {
  if (!other_ || other_->finite() == 0) return {facts_.min, facts_.max};
  if (facts_.finite() == 0) return {other_->min, other_->max};
  return {std::min(facts_.min, other_->min), std::max(facts_.max, other_->max)};
}

namespace {

/// Share of the values per unit of the axis, per bin, so that histograms with different bin widths can be compared.
QVector<double> densitiesOf(const TensorFacts& facts) {
  QVector<double> out;
  const double width = facts.histogram.isEmpty() ? 0 : (facts.max - facts.min) / double(facts.histogram.size());
  for (const qint64 count : facts.histogram) out << (width > 0 ? double(count) / (double(std::max<qint64>(1, facts.finite())) * width) : double(count));
  return out;
}

}  // namespace

void ValueHistogram::paintBoth(QPainter& painter, const QRectF& plot) const {
  const Theme& theme = Theme::current();
  const auto [low, high] = range();
  const double span = high > low ? high - low : 1;
  const QVector<double> here = densitiesOf(facts_), there = densitiesOf(*other_);
  double most = 0;
  for (const QVector<double>* list : {&here, &there})
    for (const double d : *list) most = std::max(most, d);
  if (most <= 0) return;
  const auto xOf = [&](const TensorFacts& f, qsizetype bin) {
    return plot.left() + (f.min + (f.max - f.min) * double(bin) / double(f.histogram.size()) - low) / span * plot.width();
  };
  for (qsizetype i = 0; i < here.size(); ++i) {
    if (here[i] <= 0) continue;
    const double h = std::max(1.0, plot.height() * here[i] / most), x = xOf(facts_, i);
    painter.fillRect(QRectF(x, plot.bottom() - h, std::max(1.0, xOf(facts_, i + 1) - x - 1), h), theme.color(Role::Accent));
  }
  if (there.isEmpty()) return;
  QPolygonF line{QPointF(xOf(*other_, 0), plot.bottom())};
  for (qsizetype i = 0; i < there.size(); ++i) {
    const double y = plot.bottom() - plot.height() * there[i] / most;
    line << QPointF(xOf(*other_, i), y) << QPointF(xOf(*other_, i + 1), y);
  }
  line << QPointF(xOf(*other_, there.size()), plot.bottom());
  painter.setPen(QPen(theme.color(Role::Warning), 1.5));
  painter.setBrush(Qt::NoBrush);
  painter.drawPolyline(line);
}

void ValueHistogram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& theme = Theme::current();
  const QFontMetricsF metrics(theme.monoSmallFont());
  painter.setFont(theme.monoSmallFont());
  if (facts_.histogram.isEmpty()) return;
  const qint64 bad = facts_.nans + facts_.positiveInfinities + facts_.negativeInfinities;
  const double badWidth = bad > 0 ? 44 : 0;
  const QRectF plot(0, 2, width() - badWidth, height() - kFoot - 2);
  const qint64 most = std::max<qint64>(1, *std::max_element(facts_.histogram.begin(), facts_.histogram.end()));
  const double bar = plot.width() / double(facts_.histogram.size());
  const QColor accent = theme.color(Role::Accent);
  if (other_) paintBoth(painter, plot);
  for (qsizetype i = 0; i < facts_.histogram.size() && !other_; ++i) {
    if (facts_.histogram[i] == 0) continue;
    // A single value must still be visible.
    const double h = std::max(1.0, plot.height() * double(facts_.histogram[i]) / double(most));
    painter.fillRect(QRectF(plot.left() + double(i) * bar, plot.bottom() - h, std::max(1.0, bar - 1), h), accent);
  }
  painter.setPen(theme.color(Role::Border));
  painter.drawLine(plot.bottomLeft(), plot.bottomRight());
  painter.setPen(theme.color(Role::Text2));
  if (facts_.finite() > 0) {
    painter.drawText(QRectF(0, plot.bottom(), plot.width() / 2, kFoot), int(Qt::AlignLeft | Qt::AlignVCenter), formatValue(range().first, 3));
    painter.drawText(QRectF(plot.width() / 2, plot.bottom(), plot.width() / 2, kFoot), int(Qt::AlignRight | Qt::AlignVCenter), formatValue(range().second, 3));
  }
  if (bad == 0) return;
  const double h = std::max(2.0, plot.height() * std::min(1.0, double(bad) / double(most)));
  const QRectF box(width() - 22, plot.bottom() - h, 12, h);
  painter.fillRect(box, theme.color(facts_.nans > 0 ? Role::Nan : Role::Warning));
  painter.fillRect(box, QBrush(theme.color(Role::Surface1), Qt::BDiagPattern));
  painter.setPen(theme.color(facts_.nans > 0 ? Role::Nan : Role::Warning));
  painter.drawText(QRectF(width() - badWidth, plot.bottom(), badWidth, kFoot), int(Qt::AlignRight | Qt::AlignVCenter),
                   facts_.nans > 0 ? QStringLiteral("NaN") : QStringLiteral("inf"));
}

void ValueCurve::setMoments(const QVector<ValueMoment>& moments) {
  moments_ = moments;
  update();
}

void ValueCurve::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& theme = Theme::current();
  painter.setFont(theme.monoSmallFont());
  if (moments_.isEmpty()) {
    painter.setFont(theme.smallFont());
    painter.setPen(theme.color(Role::Text2));
    painter.drawText(rect().adjusted(16, 16, -16, -16), int(Qt::AlignCenter | Qt::TextWordWrap),
                     tr("Values of a loop are plotted here over its iterations. This value is not in a loop."));
    return;
  }
  double low = 0, high = 0;
  bool any = false;
  for (const ValueMoment& m : moments_) {
    if (!m.isFinite && m.min == 0 && m.max == 0) continue;
    low = any ? std::min(low, m.min) : m.min;
    high = any ? std::max(high, m.max) : m.max;
    any = true;
  }
  if (high <= low) high = low + 1;
  const double left = 56;
  const QRectF plot(left, 6, width() - left - 8, height() - kFoot - 8);
  const auto x = [&](qsizetype i) { return plot.left() + (moments_.size() > 1 ? plot.width() * double(i) / double(moments_.size() - 1) : plot.width() / 2); };
  const auto y = [&](double v) { return plot.bottom() - plot.height() * (v - low) / (high - low); };
  painter.setPen(theme.color(Role::Grid));
  painter.drawLine(plot.topLeft(), plot.topRight());
  painter.drawLine(plot.bottomLeft(), plot.bottomRight());
  painter.setPen(theme.color(Role::Text2));
  painter.drawText(QRectF(0, plot.top() - 8, left - 6, 16), int(Qt::AlignRight | Qt::AlignVCenter), formatValue(high, 3));
  painter.drawText(QRectF(0, plot.bottom() - 8, left - 6, 16), int(Qt::AlignRight | Qt::AlignVCenter), formatValue(low, 3));
  painter.drawText(QRectF(plot.left(), plot.bottom() + 2, plot.width() / 2, kFoot), int(Qt::AlignLeft | Qt::AlignVCenter),
                   QString::number(moments_.first().iteration));
  painter.drawText(QRectF(plot.center().x(), plot.bottom() + 2, plot.width() / 2, kFoot), int(Qt::AlignRight | Qt::AlignVCenter),
                   QString::number(moments_.last().iteration));
  painter.setRenderHint(QPainter::Antialiasing);
  QPainterPath band, line;
  for (qsizetype i = 0; i < moments_.size(); ++i) i == 0 ? band.moveTo(x(i), y(moments_[i].max)) : band.lineTo(x(i), y(moments_[i].max));
  for (qsizetype i = moments_.size(); i-- > 0;) band.lineTo(x(i), y(moments_[i].min));
  for (qsizetype i = 0; i < moments_.size(); ++i) i == 0 ? line.moveTo(x(i), y(moments_[i].mean)) : line.lineTo(x(i), y(moments_[i].mean));
  painter.fillPath(band, theme.color(Role::AccentSoft));
  painter.setPen(QPen(theme.color(Role::Accent), 1.6));
  painter.drawPath(line);
  for (qsizetype i = 0; i < moments_.size(); ++i) {
    painter.setBrush(theme.color(moments_[i].isFinite ? Role::Accent : Role::Nan));
    painter.setPen(Qt::NoPen);
    if (!moments_[i].isFinite || moments_.size() <= 40) painter.drawEllipse(QPointF(x(i), y(moments_[i].mean)), 2.5, 2.5);
  }
}

}  // namespace weft::widgets
