#include "plot/plot_axis.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "common/format.h"

namespace weft::widgets {
namespace {

double niceStep(double span, int most) {
  if (!(span > 0) || !std::isfinite(span)) return 1;
  const double raw = span / std::max(1, most);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (factor * power >= raw * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

// In seconds; also round in clock units.
double niceTimeStep(double span, int most) {
  const double raw = span / std::max(1, most);
  if (raw < 1) return niceStep(span, most);
  for (const double step : {1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0, 7200.0, 10800.0, 21600.0, 43200.0, 86400.0})
    if (step >= raw) return step;
  return niceStep(span / 86400, most) * 86400;
}

template <typename Label>
std::vector<Tick> ticks(double low, double high, double step, Label&& label) {
  std::vector<Tick> result;
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + step * 1e-9 && result.size() < 100; ++k) {
    const double at = k == 0 ? 0 : k * step;
    result.push_back({at, label(at)});
  }
  return result;
}

}  // namespace

std::vector<Tick> linearTicks(double low, double high, int most) {
  const double step = niceStep(high - low, most);
  return ticks(low, high, step, [step](double at) {
    const double largest = std::max(std::abs(at), step);
    if (largest >= 1e5 || step < 1e-4) return formatValue(at, 3);
    return QString::number(at, 'f', std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9))));
  });
}

std::vector<Tick> xTicks(double low, double high, int most, SeriesStore::X axis) {
  if (axis == SeriesStore::X::Step) return ticks(low, high, std::max(1.0, niceStep(high - low, most)), [](double at) { return formatSi(at, QString(), 4); });
  const double step = niceTimeStep(high - low, most);
  if (axis == SeriesStore::X::Relative) return ticks(low, high, step, [step](double at) { return step < 1 ? formatSeconds(at) : formatClock(at); });
  return ticks(low, high, step, [step](double at) {
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(at * 1000));
    if (step < 1) return time.toString(QStringLiteral(":ss.zzz")).left(step < 0.01 ? 7 : step < 0.1 ? 6 : 5);  // otherwise all labels would be equal
    return time.toString(step >= 86400 ? QStringLiteral("MM-dd") : (step >= 60 ? QStringLiteral("HH:mm") : QStringLiteral("HH:mm:ss")));
  });
}

std::vector<Tick> logTicks(double low, double high, int most) {
  std::vector<Tick> result;
  const double decades = high - low;
  if (decades < 0.7) {  // less than a decade: round values instead of logarithms
    for (const Tick& tick : linearTicks(std::pow(10, low), std::pow(10, high), most))
      if (tick.label != QLatin1String("0")) result.push_back({std::log10(std::max(1e-300, tick.label.toDouble())), tick.label});
    return result;
  }
  std::vector<double> parts{1};
  if (decades * 3 <= most) parts = {1, 2, 5};
  else if (decades * 2 <= most) parts = {1, 3};
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(1, most))));
  for (int power = static_cast<int>(std::floor(low)); power <= static_cast<int>(std::ceil(high)); ++power) {
    if (((power % stride) + stride) % stride != 0) continue;
    for (const double part : parts) {
      const double at = power + std::log10(part);
      if (at >= low - 1e-9 && at <= high + 1e-9) result.push_back({at, formatValue(part * std::pow(10.0, power), 2)});
    }
  }
  return result;
}

std::pair<double, double> padded(double low, double high, double share) {
  if (!(high >= low)) return {0, 1};
  double pad = (high - low) * share;
  if (pad <= 0) pad = low == 0 ? 1 : std::abs(low) * 0.1;
  return {low - pad, high + pad};
}

QString xText(double x, SeriesStore::X axis) {
  if (axis == SeriesStore::X::Step)
    return QCoreApplication::translate("weft::widgets::ScalarPlot", "step %1").arg(formatCount(static_cast<qint64>(std::llround(x))));
  if (axis == SeriesStore::X::Relative) return x < 10 ? formatSeconds(x) : formatClock(x);
  return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(x * 1000)).toString(QStringLiteral("HH:mm:ss"));
}

}  // namespace weft::widgets
