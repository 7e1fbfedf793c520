// Numbers and names formatted for people: three or four significant digits, SI units with a space, names elided at the front.
#pragma once

#include <QFontMetricsF>
#include <QString>
#include <QStringList>
#include <QVector>

namespace weft::widgets {

/// `4.2 GFLOP`, `1.3 ms`, `820 W`: `value` with an SI prefix before `unit` and `digits` significant digits. Not finite: `NaN`, `∞`.
QString formatSi(double value, const QString& unit, int digits = 3);
/// `38 MB` (decimal, as disks and bandwidths are given); `0 B`.
QString formatBytes(qint64 bytes, int digits = 3);
/// A time in seconds as `1.30 ms`, `21 s`.
QString formatSeconds(double seconds, int digits = 3);
/// A span of seconds as a clock shows it: `0:21`, `1:02:03`.
QString formatClock(double seconds);
/// Joins sentences with a space, except after a full-width full stop (Chinese).
QString joinSentences(const QStringList& sentences);
/// `3,274,634`.
QString formatCount(qint64 count);
/// `3.27 M`, `51.3 k`, `832`.
QString formatCountShort(qint64 count);
/// A value of unknown magnitude: `0.0333`, `3104`, `1e-3`, `NaN`.
QString formatValue(double value, int digits = 4);
/// `1 op`, `364 ops`, in the user's language.
QString formatOps(qint64 count);
/// `50×28×28×1`, unknown dims (negative) as `?`; `scalar` if empty.
QString formatShape(const QVector<qint64>& dims);

/// Elides a name at its front to `width` pixels, since names differ at their end. Use this wherever names are painted; item views have NameDelegate.
QString elideName(const QString& text, const QFontMetricsF& metrics, double width);
/// The part after the last slash.
QString lastPart(const QString& name);

}  // namespace weft::widgets
