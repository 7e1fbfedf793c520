#pragma once

#include <QColor>
#include <vector>

#include "common/theme.h"
#include "graph_view/graph_view.h"
#include "graph_view/scene.h"

namespace weft::widgets {

/// The hue of every node and scope in one colour mode, with the legend.
struct ColorTable {
  std::vector<QColor> nodes, scopes;  ///< a scope has that of most of its ops, or of its mean value in ColorMode::Values
  QVector<LegendEntry> legend;        ///< most frequent first

  static ColorTable make(const Scene& scene, ColorMode mode, const Theme& theme);
  QColor of(Item item) const { return item.isNode() ? nodes[static_cast<size_t>(item.index)] : scopes[static_cast<size_t>(item.index)]; }
};

}  // namespace weft::widgets
