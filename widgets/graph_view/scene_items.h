// The contents of a scene: items, wires, annotations and ports with their places.
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <array>
#include <memory>
#include <unordered_set>

#include "common/theme.h"
#include "graph_view/drawing.h"
#include "graph_view/graph_model.h"
#include "layout/frames.h"
#include "layout/graph_layout.h"

namespace weft::widgets {

/// Fonts of the canvas, also used for measuring.
struct CanvasFonts {
  QFont title, detail, small;
  static CanvasFonts of(const Theme& theme);
};

/// A node, or a scope or group that is closed or open.
struct SceneItem {
  Item item;
  QRectF rect;
  bool open = false, layer = false, group = false;
  bool framed = false;  ///< open, and the frame of a loop
  layout::ScopeFlow flow = layout::ScopeFlow::None;
  bool loss = false;        ///< its output is differentiated
  int hidden = 0;           ///< number of its wires that are drawn only on demand
  bool weights = false;     ///< a closed scope that contains only weights
  bool selfLoop = false;    ///< it reads its own output
  bool wiresShown = false;  ///< its hidden wires are kept drawn
  NodeShape shape = NodeShape::Op;
  OpCategory category = OpCategory::Math;
  int repeat = 1, ops = 1;
  QString title, detail, detail2, summary;  ///< elided to the rectangle's width
  QString name;                             ///< the full title
  NodeStatus status;
};

/// One segment of the layout.
struct SceneWire {
  int from = -1, to = -1;  ///< scene items; -1: the border of the enclosing scope
  int source = -1;         ///< scene item where the route begins
  EdgeKind kind = EdgeKind::Data;
  layout::Joint joint = layout::Joint::Curve;
  bool quiet = false, broken = false, unknownBytes = true;
  bool crossesTasks = false;
  bool kept = false;  ///< quiet, but the user wants it drawn
  bool isDrawn() const { return !quiet || kept; }
  int dtype = -1;  ///< into Scene::dtypes
  float width = 1.6F;
  int firstPoint = 0, pointCount = 0;
  int tensors = 0;      ///< distinct tensors that run along it
  qint64 traffic = -1;  ///< bytes per step between tasks; -1: unknown
  QString label;
  QPointF labelAt;  ///< middle of its base line
  QRectF bounds;
  int edge = -1;       ///< the first of its model edges
  int container = -1;  ///< scope that contains it, -1: top level
};

/// A visible annotation and its place.
struct SceneAnnotation {
  int index = -1;  ///< index in the model
  Annotation::Kind kind = Annotation::Kind::Comment;
  QString text;
  QRectF rect;
  int color = -1;
};

/// The frame of a loop, or the lanes of a conditional, drawn over the scope that contains it.
struct SceneFrame {
  struct Name {
    QString text;
    QPointF at;
    double width = 0;
    bool entry = true;
  };
  struct Lane {
    QRectF rect;
    QString text;
    bool whenTrue = true;
  };
  bool loop = true;
  bool isScope = false;  ///< the scope's own box is the frame
  bool atTop = false;    ///< not in any drawn scope
  QRectF rect;           ///< of a loop
  QString title;
  std::vector<Name> names;
  std::vector<Lane> lanes;
};

/// Statistics of a scope including everything in it.
struct ScopeStats {
  int ops = 0;
  std::array<int, kOpCategoryCount> mix{};
};

/// A visible port and its place. A closed scope has the ports of its contents that are open or connected outside.
struct ScenePort {
  Port port;
  QPointF at;
  bool connected = false;
};

/// The route of a wire at an item, and the item at its other end.
struct RouteEnd {
  int route, other;
};

/// A hidden wire of an item: its other end and direction.
struct HiddenWire {
  int route = -1, other = -1;
  bool out = false;
};

/// Facts about an arrangement: its boxes, and whether the graph has anything to arrange by.
struct Arranged {
  int groups = 0;
  bool found = true;
};

/// What an arrangement that is not shown remembers.
struct ParkedArrangement {
  std::shared_ptr<layout::Memory> memory;
  std::unordered_set<std::uint64_t> open;
  std::shared_ptr<const std::unordered_set<std::uint64_t>> ungrouped;
  std::uint64_t root = 0;
  std::shared_ptr<const Drawing> drawing;
  bool edited = false;
};

/// Localized names: of the loss, and of a loop or conditional.
QString lossWord();
QString flowWord(layout::ScopeFlow flow);
/// The last two parts of a name, which identify it when its scope is not visible.
QString lastTwoParts(const QString& name);

}  // namespace weft::widgets
