#include "adapters/gradient_norms.h"

#include <algorithm>
#include <cmath>

#include "adapters/engine_graph.h"
#include "adapters/preview_words.h"
#include "weft/preview.h"

namespace weft::app {

GradientNorms gradientNorms(const ProbeRequest& request) {
  GradientNorms out;
  const auto norms = measureGradientNorms(request.contents->engine->loaded.meta, request.folder.toStdString(), request.checkpoint.toStdString());
  if (!norms.ok()) {
    out.error = previewErrorText(norms.error());
    return out;
  }
  for (const GradientNorm& n : *norms) out.ofVariable.insert(text(n.variable), n.norm);
  return out;
}

HeatValues gradientHeat(const GraphContents& contents, const GradientNorms& norms) {
  HeatValues out;
  QHash<QString, double> squares;  // by scope
  for (auto it = norms.ofVariable.cbegin(); it != norms.ofVariable.cend(); ++it) {
    squares[it.key()] = it.value() * it.value();
    if (const qsizetype slash = it.key().lastIndexOf(u'/'); slash > 0) squares[it.key().left(slash)] += it.value() * it.value();
    if (it.value() <= 0 || !std::isfinite(it.value())) continue;
    out.least = out.least <= 0 ? it.value() : std::min(out.least, it.value());
    out.most = std::max(out.most, it.value());
  }
  for (const double square : std::as_const(squares))
    if (std::isfinite(square)) out.most = std::max(out.most, std::sqrt(square));
  const double span = out.most > out.least && out.least > 0 ? std::log(out.most / out.least) : 1;
  for (const auto& node : contents.arrays.nodes) {
    double value = -1;
    for (QString scope = node.name; value < 0 && !scope.isEmpty(); scope = scope.left(std::max<qsizetype>(0, scope.lastIndexOf(u'/'))))
      if (const auto it = squares.constFind(scope); it != squares.constEnd()) value = std::sqrt(*it);
    // Values that are not finite get the maximum; nodes without a gradient get the minimum.
    out.heat.push_back(value < 0 ? -1.0 : !std::isfinite(value) ? 1.0 : value <= out.least ? 0.0 : std::log(value / out.least) / span);
  }
  return out;
}

}  // namespace weft::app
