#include "adapters/debug_words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <utility>

#include "adapters/engine_graph.h"
#include "common/format.h"

namespace weft::app {
namespace {

struct DebugWords {
  Q_DECLARE_TR_FUNCTIONS(DebugWords)
};

/// A tensor's values in a few words.
QString valuesText(const TensorStatistics& s) {
  if (s.elements == 0) return DebugWords::tr("no values");
  if (!s.isNumeric) return {};
  QStringList parts;
  if (s.nans > 0) parts << QStringLiteral("%1 NaN").arg(widgets::formatCount(s.nans));
  if (s.infinities() > 0) parts << QStringLiteral("%1 inf").arg(widgets::formatCount(s.infinities()));
  if (s.finite() > 0 && parts.isEmpty()) {
    if (s.zeros == s.elements) parts << DebugWords::tr("all 0");
    else if (s.min == s.max) parts << widgets::formatValue(s.min);
    else parts << QStringLiteral("%1 … %2").arg(widgets::formatValue(s.min, 3), widgets::formatValue(s.max, 3));
  }
  return parts.join(QStringLiteral(", "));
}

/// The engine's reasons are formulas, except these sentences.
QString reasonText(const std::string& reason) {
  if (reason == "The value was set in the debugger") return DebugWords::tr("the value was set in the debugger");
  if (reason == "the mean of no values") return DebugWords::tr("the mean of an empty tensor");
  static const QRegularExpression beyond(QStringLiteral("^the result is beyond what (\\w+) can hold(?: at (.+))?$"));
  const auto match = beyond.match(text(reason));
  if (!match.hasMatch()) return text(reason);
  const QString words = DebugWords::tr("the result overflows %1").arg(match.captured(1));
  return match.captured(2).isEmpty() ? words : DebugWords::tr("%1 at %2", "a reason and a position").arg(words, match.captured(2));
}

DebugOrigin originOf(const AutopsyEntry& e) {
  DebugOrigin o;
  o.tensor = text(e.tensor);
  o.op = text(e.op);
  QStringList places;
  for (const LoopPlace& l : e.loops) places << DebugWords::tr("%1 iteration %2").arg(text(l.frame)).arg(l.iteration);
  o.place = places.join(QStringLiteral(", "));
  o.shape = text(e.shape);
  o.values = valuesText(e.statistics);
  QStringList positions;
  for (const std::string& p : e.positions) positions << text(p);
  o.positions = positions.join(u' ');
  o.reason = reasonText(e.reason);
  o.isBad = e.statistics.nans + e.statistics.infinities() > 0;
  return o;
}

QVector<DebugOrigin> originsOf(const std::vector<AutopsyEntry>& entries) {
  QVector<DebugOrigin> out;
  for (const AutopsyEntry& e : entries) out << originOf(e);
  return out;
}

/// Autopsy::summary in the user's language.
QString summaryOf(const AutopsyEntry& e, const DebugOrigin& o) {
  const TensorStatistics& s = e.statistics;
  const QString kind = s.nans > 0 && s.infinities() > 0 ? DebugWords::tr("%1 NaN and %2 infinite values").arg(s.nans).arg(s.infinities())
                       : s.nans > 0                     ? QStringLiteral("%1 NaN").arg(s.nans)
                       : s.infinities() > 0             ? DebugWords::tr("%n infinite value(s)", nullptr, int(std::min<int64_t>(s.infinities(), 1 << 30)))
                                                        : DebugWords::tr("non-finite values");
  QString where = o.tensor;
  if (!o.place.isEmpty()) where += QStringLiteral(" (%1)").arg(o.place);
  QString out = e.op == "fed" ? DebugWords::tr("%1 was fed %2").arg(where, kind)
                : e.tensor.find(':') == std::string::npos
                    ? DebugWords::tr("%1 held %2 when the run read it").arg(where, kind)
                    : DebugWords::tr("%1 is the first non-finite value: %2 of %3 from finite inputs").arg(where, kind).arg(s.elements);
  if (!e.positions.empty()) out += DebugWords::tr(", first at %1").arg(text(e.positions[0]));
  return o.reason.isEmpty() ? DebugWords::tr("%1.").arg(out) : DebugWords::tr("%1: %2.").arg(out, o.reason);
}

}  // namespace

QString whyNoValue(const QString& said) {
  static const std::pair<QRegularExpression, const char*> known[] = {
      {QRegularExpression(QStringLiteral("^(\\S+) is not computed yet\\.$")), QT_TRANSLATE_NOOP("DebugWords", "%1 has not been computed yet.")},
      {QRegularExpression(QStringLiteral("^(\\S+) is not needed by this run\\.$")), QT_TRANSLATE_NOOP("DebugWords", "%1 is not part of this run.")},
      {QRegularExpression(QStringLiteral("^(\\S+) has no value: it lies on a branch that was not taken\\.$")),
       QT_TRANSLATE_NOOP("DebugWords", "%1 has no value: it is on a branch that was not taken.")},
      {QRegularExpression(QStringLiteral("^There is no value of (\\S+) from the run before\\.$")),
       QT_TRANSLATE_NOOP("DebugWords", "There is no value of %1 from the previous run.")},
      {QRegularExpression(QStringLiteral("^The value of variable (\\S+) can be read while a run is stopped\\.$")),
       QT_TRANSLATE_NOOP("DebugWords", "The value of variable %1 can only be read while a run is paused.")},
  };
  for (const auto& [pattern, words] : known) {
    if (const auto match = pattern.match(said); match.hasMatch()) return QCoreApplication::translate("DebugWords", words).arg(match.captured(1));
  }
  return said;
}

DebugOrigin debugValue(const Tensor& tensor) {
  DebugOrigin o;
  if (!tensor.hasValue()) return o;
  const TensorStatistics s = statisticsOf(tensor);
  QString shape;
  shapeText(tensor.shape(), &shape);
  o.shape = shape + u' ' + text(dtypeName(tensor.dtype()));
  o.values = tensor.elements() == 1 && sizeOf(tensor.dtype()) == 0 ? text(tensor.toString(1)) : valuesText(s);
  o.isBad = s.nans + s.infinities() > 0;
  return o;
}

DebugAutopsy debugAutopsy(const Autopsy& autopsy) {
  DebugAutopsy out;
  out.found = autopsy.found;
  out.origin = originOf(autopsy.origin);
  out.summary = autopsy.found ? summaryOf(autopsy.origin, out.origin) : text(autopsy.summary);
  out.inputs = originsOf(autopsy.inputs);
  out.path = originsOf(autopsy.path);
  out.sources = originsOf(autopsy.sources);
  for (const int64_t row : autopsy.rows) out.batchRows << row;
  return out;
}

}  // namespace weft::app
