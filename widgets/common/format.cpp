#include "common/format.h"

#include <QCoreApplication>
#include <QVarLengthArray>
#include <algorithm>
#include <charconv>
#include <cmath>

namespace weft::widgets {
namespace {

QString trimZeros(QString text) {
  if (!text.contains(u'.')) return text;
  while (text.endsWith(u'0')) text.chop(1);
  if (text.endsWith(u'.')) text.chop(1);
  return text;
}

QString notFinite(double value) {
  if (std::isnan(value)) return QStringLiteral("NaN");
  return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
}

// `digits` significant digits without an exponent.
QString significant(double value, int digits) {
  if (value == 0) return QStringLiteral("0");
  int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  const double scale = std::pow(10.0, digits - 1 - magnitude);
  if (std::abs(std::round(value * scale)) >= std::pow(10.0, digits)) ++magnitude;
  return QString::number(value, 'f', std::clamp(digits - 1 - magnitude, 0, 12));
}

}  // namespace

QString formatSi(double value, const QString& unit, int digits) {
  static const char* const prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
  if (!std::isfinite(value)) return unit.isEmpty() ? notFinite(value) : notFinite(value) + u' ' + unit;
  int step = value == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value)) / 3 + 1e-12));
  step = std::clamp(step, -4, 6);
  double scaled = value / std::pow(1000.0, step);
  if (step < 6 && std::abs(scaled) >= 1000 - 0.5 * std::pow(10.0, 3 - digits)) {  // 999.96 k is 1 M
    ++step;
    scaled /= 1000;
  }
  const QString suffix = QString::fromUtf8(prefixes[step + 4]) + unit;
  const QString number = trimZeros(significant(scaled, digits));
  return suffix.isEmpty() ? number : number + u' ' + suffix;
}

QString formatBytes(qint64 bytes, int digits) { return formatSi(static_cast<double>(bytes), QStringLiteral("B"), digits); }
QString formatSeconds(double seconds, int digits) { return formatSi(seconds, QStringLiteral("s"), digits); }

QString joinSentences(const QStringList& sentences) {
  QString text;
  for (const QString& sentence : sentences) {
    if (sentence.isEmpty()) continue;
    if (!text.isEmpty() && !QStringView(u"。！？；：").contains(text.back())) text += u' ';
    text += sentence;
  }
  return text;
}

QString formatClock(double seconds) {
  if (!std::isfinite(seconds)) return QStringLiteral("?");
  const auto total = static_cast<qint64>(std::max(0.0, std::floor(seconds)));
  const qint64 h = total / 3600, m = total / 60 % 60, s = total % 60;
  if (h > 0) return QStringLiteral("%1:%2:%3").arg(h).arg(m, 2, 10, QChar(u'0')).arg(s, 2, 10, QChar(u'0'));
  return QStringLiteral("%1:%2").arg(m).arg(s, 2, 10, QChar(u'0'));
}

QString formatCount(qint64 count) {
  QString text = QString::number(std::abs(count));
  for (qsizetype at = text.size() - 3; at > 0; at -= 3) text.insert(at, u',');
  return count < 0 ? u'-' + text : text;
}

QString formatCountShort(qint64 count) { return std::abs(count) < 1000 ? QString::number(count) : formatSi(static_cast<double>(count), QString(), 3); }

QString formatOps(qint64 count) {
  return count == 1 ? QCoreApplication::translate("weft::widgets", "1 op") : QCoreApplication::translate("weft::widgets", "%1 ops").arg(formatCount(count));
}

QString formatValue(double value, int digits) {
  if (!std::isfinite(value)) return notFinite(value);
  if (value == 0) return QStringLiteral("0");
  const double magnitude = std::abs(value);
  if (magnitude < 1e-3 || magnitude >= 1e7) {
    QString text = QString::number(value, 'e', digits - 1);
    const qsizetype e = text.indexOf(u'e');
    return trimZeros(text.left(e)) + u'e' + QString::number(text.mid(e + 1).toInt());
  }
  if (magnitude >= 1e4 && value == std::round(value)) return QString::number(value, 'f', 0);
  return trimZeros(significant(value, digits));
}

QString formatShape(const QVector<qint64>& dims) {
  if (dims.isEmpty()) return QCoreApplication::translate("weft::widgets", "scalar");
  // Written in one buffer: a graph of 100,000 nodes shows as many shapes.
  QVarLengthArray<char16_t, 128> out;
  char digits[24];
  for (const qint64 dim : dims) {
    if (!out.isEmpty()) out.append(u'×');
    if (dim < 0) {
      out.append(u'?');
      continue;
    }
    const char* const end = std::to_chars(digits, digits + sizeof digits, dim).ptr;
    for (const char* d = digits; d != end; ++d) out.append(char16_t(*d));
  }
  return QString(reinterpret_cast<const QChar*>(out.constData()), out.size());
}

QString elideName(const QString& text, const QFontMetricsF& metrics, double width) {
  if (metrics.horizontalAdvance(text) <= width) return text;
  // Names differ at their end, so the front is cut.
  qsizetype low = 0, high = text.size() - 1;
  const auto cut = [&text](qsizetype kept) { return u'…' + text.right(kept); };
  while (low < high) {
    const qsizetype middle = (low + high + 1) / 2;
    if (metrics.horizontalAdvance(cut(middle)) <= width) low = middle;
    else high = middle - 1;
  }
  return cut(low);
}

QString lastPart(const QString& name) { return name.mid(name.lastIndexOf(u'/') + 1); }

}  // namespace weft::widgets
