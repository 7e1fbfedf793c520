// The values that the canvas exchanges with its users: colour modes, places, bookmarks.
#pragma once

#include <QColor>
#include <QPointF>
#include <QSizeF>
#include <QString>

#include "graph_view/graph_model.h"

namespace weft::widgets {

/// What the hue of a node's outline (and of its tile when small) represents.
enum class ColorMode { Category, Device, Structure, Type, Values };

struct LegendEntry {
  QString label;
  QColor color;
};

/// A requested position of an item: its top left corner in its scope's coordinates.
struct Placement {
  Item item;
  QPointF position;
};

/// A point in the graph, in the coordinates of the layout and of documents.
struct CanvasPlace {
  int scope = -1;    ///< the innermost open scope around it
  QPointF position;  ///< in that scope's coordinates
};

/// A saved view of the graph, relative to the upper left corner of a node or scope, so that it follows when that moves.
struct CanvasBookmark {
  QString anchor;  ///< full name of the item nearest to the middle; empty: relative to the origin
  QPointF middle;
  QSizeF size;  ///< of the visible region, in graph units
};

enum class Alignment { Left, Center, Right, Top, Middle, Bottom, SpreadAcross, SpreadDown };

/// MIME type of dragged palette items: the type to add, as UTF-8.
inline constexpr char kPaletteMime[] = "application/x-weft-type";

}  // namespace weft::widgets
