#include <QHash>
#include <QSet>
#include <algorithm>
#include <cmath>

#include "adapters/projection.h"

namespace weft::app {
namespace {

constexpr int kMostSteps = 20;  // different numbers that still are groups

}  // namespace

LabelHues huesOf(const ProjectedPoints& points, int column) {
  LabelHues out;
  out.hues.assign(size_t(points.rows), 0);
  QHash<QString, int> counts;
  std::vector<double> numbers(size_t(points.rows), std::nan(""));
  bool isNumeric = true;
  for (int row = 0; row < points.rows; ++row) {
    const QString label = points.label(row, column);
    ++counts[label];
    if (!isNumeric) continue;
    bool ok = label.isEmpty();
    if (!ok) numbers[size_t(row)] = label.toDouble(&ok);
    isNumeric = ok;
  }
  out.words = int(counts.size());
  if (isNumeric && counts.size() > kMostSteps) {
    out.isRamp = true;
    bool any = false;
    for (const double v : numbers) {
      if (!std::isfinite(v)) continue;
      out.low = any ? std::min(out.low, v) : v;
      out.high = any ? std::max(out.high, v) : v;
      any = true;
    }
    const double range = out.high > out.low ? out.high - out.low : 1;
    for (size_t i = 0; i < numbers.size(); ++i) out.hues[i] = std::isfinite(numbers[i]) ? uint8_t(std::lround((numbers[i] - out.low) / range * 255)) : 0;
    return out;
  }
  QVector<LabelHues::Group> groups;
  for (auto it = counts.cbegin(); it != counts.cend(); ++it) groups << LabelHues::Group{it.key(), it.value(), 0};
  // Few groups are in the order of their names, so that the digit 3 has the same hue in every picture; of many the largest come first.
  std::sort(groups.begin(), groups.end(), [&](const LabelHues::Group& a, const LabelHues::Group& b) {
    if (groups.size() > LabelHues::kMostGroups && a.count != b.count) return a.count > b.count;
    return isNumeric ? a.label.toDouble() < b.label.toDouble() : a.label < b.label;
  });
  QHash<QString, uint8_t> hues;
  for (qsizetype i = 0; i < groups.size(); ++i) hues[groups[i].label] = groups[i].hue = uint8_t(i % 256);
  for (int row = 0; row < points.rows; ++row) out.hues[size_t(row)] = hues.value(points.label(row, column));
  out.groups = groups.mid(0, LabelHues::kMostGroups);
  return out;
}

std::vector<int32_t> rowsWith(const ProjectedPoints& points, int column, const QString& text, bool whole) {
  std::vector<int32_t> out;
  bool isNumber = false;
  const int number = text.startsWith(u'#') ? text.mid(1).toInt(&isNumber) : -1;
  if (isNumber) {
    if (number >= 0 && number < points.rows) out.push_back(number);
    return out;
  }
  for (qsizetype row = 0; row < std::min<qsizetype>(points.labels.size(), points.rows); ++row) {
    const QStringList& labels = points.labels[row];
    for (qsizetype c = 0; c < labels.size(); ++c) {
      if (column >= 0 && c != column) continue;
      if (whole ? labels[c] == text : labels[c].contains(text, Qt::CaseInsensitive)) {
        out.push_back(int32_t(row));
        break;
      }
    }
  }
  return out;
}

}  // namespace weft::app
