// What a scene holds: items, wires, annotations and ports with their places.
#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <array>

#include "common/theme.h"
#include "graph_view/graph_model.h"
#include "layout/frames.h"
#include "layout/graph_layout.h"

namespace weft::widgets {

/// Fonts of the canvas and what is measured with them.
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
  bool loss = false;        ///< the gradients begin with what it gives
  int hidden = 0;           ///< wires of it that are shown only while it is looked at
  bool weights = false;     ///< a closed scope of nothing but weights
  bool selfLoop = false;    ///< it reads its own output
  bool wiresShown = false;  ///< those are kept drawn
  NodeShape shape = NodeShape::Op;
  OpCategory category = OpCategory::Math;
  int repeat = 1, ops = 1;
  QString title, detail, detail2, summary;  ///< elided to the rectangle
  QString name;                             ///< the title, whole
  NodeStatus status;
};

/// One segment of the layout.
struct SceneWire {
  int from = -1, to = -1;  ///< scene items; -1: an edge of the scope around
  int source = -1;         ///< scene item where it begins
  EdgeKind kind = EdgeKind::Data;
  layout::Joint joint = layout::Joint::Curve;
  bool quiet = false, broken = false, unknownBytes = true;
  bool kept = false;  ///< quiet, but the user wants it drawn
  bool isDrawn() const { return !quiet || kept; }
  int dtype = -1;  ///< into Scene::dtypes
  float width = 1.6F;
  int firstPoint = 0, pointCount = 0;
  int tensors = 0;  ///< different tensors that run along it
  QString label;
  QPointF labelAt;  ///< middle of its base line
  QRectF bounds;
  int edge = -1;       ///< the first edge of the model that it carries
  int container = -1;  ///< scope in which it lies, -1: top level
};

/// An annotation that is seen, and where.
struct SceneAnnotation {
  int index = -1;  ///< of the model
  Annotation::Kind kind = Annotation::Kind::Comment;
  QString text;
  QRectF rect;
  int color = -1;
};

/// The frame of a loop, or the lanes of a conditional, drawn over the scope that holds it.
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
  bool atTop = false;    ///< in no scope that is drawn
  QRectF rect;           ///< of a loop
  QString title;
  std::vector<Name> names;
  std::vector<Lane> lanes;
};

/// Numbers of a scope with everything in it.
struct ScopeStats {
  int ops = 0;
  std::array<int, kOpCategoryCount> mix{};
};

/// A port of what can be seen, and where. A closed scope has those of its contents that lead out of it or are open.
struct ScenePort {
  Port port;
  QPointF at;
  bool connected = false;
};

}  // namespace weft::widgets
