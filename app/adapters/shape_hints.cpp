#include "adapters/shape_hints.h"

#include <QCoreApplication>

#include "adapters/engine_graph.h"
#include "weft/shape_facts.h"

namespace weft::app {
namespace {

struct ShapeHints {
  Q_DECLARE_TR_FUNCTIONS(ShapeHints)
};

QString number(double value) { return QString::number(value, 'g', 4); }

QString axisName(size_t axis) { return axis == 0 ? ShapeHints::tr("Rows") : ShapeHints::tr("Columns"); }

void addFans(const WeightFans& fans, QVector<ShapeHint>* out) {
  const QString rule = fans.rank == 2 ? ShapeHints::tr("rows × columns of the matrix") : ShapeHints::tr("kernel cells × channels");
  *out << ShapeHint{ShapeHints::tr("Fan-in"), number(fans.in), ShapeHints::tr("Number of values that each unit sums: %1").arg(rule)}
       << ShapeHint{ShapeHints::tr("Fan-out"), number(fans.out), ShapeHints::tr("Number of units that each value feeds: %1").arg(rule)}
       << ShapeHint{QStringLiteral("Glorot"), QStringLiteral("± %1").arg(number(fans.glorotLimit())),
                    ShapeHints::tr("glorot_uniform_initializer samples from this range: √(6 / (fan-in + fan-out)). For tanh and sigmoid.")}
       << ShapeHint{QStringLiteral("He"), QStringLiteral("σ %1").arg(number(fans.heDeviation())),
                    ShapeHints::tr("he_normal samples with this standard deviation: √(2 / fan-in). For relu.")};
}

void addWindow(const WindowFacts& facts, QVector<ShapeHint>* out) {
  for (size_t d = 0; d < facts.axes.size(); ++d) {
    if (!facts.axes[d]) continue;
    const SpatialAxis& a = *facts.axes[d];
    if (facts.same)
      *out << ShapeHint{
          axisName(d), QStringLiteral("%1 → %2, +%3 +%4").arg(a.in).arg(a.out).arg(a.padBefore).arg(a.padAfter),
          ShapeHints::tr("SAME: %1 / %2, rounded up. %3 zeros are added before and %4 after.").arg(a.in).arg(a.stride).arg(a.padBefore).arg(a.padAfter)};
    else
      *out << ShapeHint{axisName(d), QStringLiteral("%1 → %2").arg(a.in).arg(a.out),
                        ShapeHints::tr("VALID: (%1 − %2) / %3, rounded down, plus 1. The last %n are ignored.", nullptr, int(a.ignored))
                            .arg(a.in)
                            .arg(a.reach)
                            .arg(a.stride)};
  }
}

void addTransposed(const TransposedFacts& facts, QVector<ShapeHint>* out) {
  for (size_t d = 0; d < facts.axes.size(); ++d) {
    if (!facts.axes[d]) continue;
    const TransposedAxis& a = *facts.axes[d];
    const QString range = a.least == a.most ? QString::number(a.most) : QStringLiteral("%1…%2").arg(a.least).arg(a.most);
    *out << ShapeHint{axisName(d),
                      a.asked >= 0 ? QStringLiteral("%1 → %2 of %3").arg(a.in).arg(a.asked).arg(range) : QStringLiteral("%1 → %2").arg(a.in).arg(range),
                      ShapeHints::tr("A transposed convolution: output_shape can be any size that a convolution with stride %1 and %2 padding maps to %3: %4.")
                          .arg(a.stride)
                          .arg(facts.same ? QStringLiteral("SAME") : QStringLiteral("VALID"))
                          .arg(a.in)
                          .arg(range)};
  }
  if (facts.uneven)
    *out << ShapeHint{
        ShapeHints::tr("Overlap"), ShapeHints::tr("uneven"),
        ShapeHints::tr(
            "The kernel size is not a multiple of the stride: neighbouring outputs sum different numbers of values, which causes a checkerboard pattern. Use a multiple, or resize the image and apply a convolution.")};
}

}  // namespace

QVector<ShapeHint> shapeHints(const GraphContents& contents, const QString& name) {
  QVector<ShapeHint> out;
  if (!contents.engine) return out;
  const Graph& graph = contents.engine->loaded.meta.graph;
  const Node* node = graph.find(name.toStdString());
  if (!node) return out;
  if (const auto fans = weightFans(*node)) addFans(*fans, &out);
  if (const auto window = windowFacts(graph, *node)) addWindow(*window, &out);
  if (const auto transposed = transposedFacts(graph, *node)) addTransposed(*transposed, &out);
  return out;
}

}  // namespace weft::app
