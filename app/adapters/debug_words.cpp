#include "adapters/debug_words.h"

#include <QCoreApplication>

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

QString reasonText(const NonFiniteReason& r) {
  using Kind = NonFiniteReason::Kind;
  QString words;
  switch (r.kind) {
    case Kind::Unknown: return {};
    case Kind::SetByHand: return DebugWords::tr("the value was set in the debugger");
    case Kind::EmptyMean: return DebugWords::tr("the mean of an empty tensor");
    case Kind::Formula: words = text(r.formula); break;
    case Kind::Overflow: words = DebugWords::tr("the result overflows %1").arg(text(r.dtype)); break;
  }
  return r.position.empty() ? words : DebugWords::tr("%1 at %2", "a reason and a position").arg(words, text(r.position));
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

QString whyNoValue(const Error& error, const QString& tensor) {
  const auto is = [&](const char* kind) { return error.kind == kind; };
  if (is(no_value::kNotComputed)) return DebugWords::tr("%1 has not been computed yet.").arg(tensor);
  if (is(no_value::kNotNeeded)) return DebugWords::tr("%1 is not part of this run.").arg(tensor);
  if (is(no_value::kNotTaken)) return DebugWords::tr("%1 has no value: it is on a branch that was not taken.").arg(tensor);
  if (is(no_value::kNotKept)) return DebugWords::tr("%1 was computed, but its value was dropped to stay below the memory limit of the debugger.").arg(tensor);
  if (is(no_value::kNoEarlierRun)) return DebugWords::tr("There is no value of %1 from the previous run.").arg(tensor);
  if (is(no_value::kNotStopped)) return DebugWords::tr("The value of variable %1 can only be read while a run is paused.").arg(tensor);
  if (is(no_value::kNoIteration)) return DebugWords::tr("There is no value from an earlier iteration.");
  return errorText(error);
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

DebugAutopsy debugAutopsy(const Autopsy& autopsy, const QString& tensor) {
  DebugAutopsy out;
  out.found = autopsy.found();
  out.origin = originOf(autopsy.origin);
  switch (autopsy.outcome) {
    case Autopsy::Outcome::NothingComputed: out.summary = DebugWords::tr("Nothing has been computed yet."); break;
    case Autopsy::Outcome::AllFinite: out.summary = DebugWords::tr("Every value computed so far is finite."); break;
    case Autopsy::Outcome::Finite: out.summary = DebugWords::tr("%1 holds finite values only.").arg(tensor); break;
    case Autopsy::Outcome::NotComputed: out.summary = DebugWords::tr("%1 was not computed.").arg(tensor); break;
    case Autopsy::Outcome::Found: out.summary = summaryOf(autopsy.origin, out.origin); break;
  }
  out.inputs = originsOf(autopsy.inputs);
  out.path = originsOf(autopsy.path);
  out.sources = originsOf(autopsy.sources);
  for (const int64_t row : autopsy.rows) out.batchRows << row;
  return out;
}

}  // namespace weft::app
