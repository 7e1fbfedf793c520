// The model of the canvas. The widget owns this interface; the app implements it for its documents.
#pragma once

#include <QColor>
#include <QObject>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QVector>
#include <memory>
#include <optional>

#include "layout/part.h"

namespace weft::widgets {

/// A node or a scope of a GraphModel. The index is the model's and valid until `structureReset`.
struct Item {
  enum class Kind : quint8 { None, Node, Scope };
  Kind kind = Kind::None;
  qint32 index = -1;

  static Item node(int i) { return {Kind::Node, i}; }
  static Item scope(int i) { return {Kind::Scope, i}; }
  bool isNode() const { return kind == Kind::Node; }
  bool isScope() const { return kind == Kind::Scope; }
  explicit operator bool() const { return kind != Kind::None; }
  friend bool operator==(const Item&, const Item&) = default;
};

inline size_t qHash(const Item& item, size_t seed = 0) { return ::qHash(static_cast<quint64>(item.kind) << 32 | static_cast<quint32>(item.index), seed); }

/// The eight hues of nodes, named as in theme.json.
enum class OpCategory : quint8 { Math, Nn, Array, Variable, ControlFlow, IoSummary, Random, GradientUpdate };
inline constexpr int kOpCategoryCount = 8;
/// The role's name in theme.json: "math", "nn", …
QString opCategoryName(OpCategory category);

/// How a node is drawn and placed: parameters below their readers, annotations aside.
enum class NodeShape : quint8 { Op, Placeholder, Variable, Constant, Annotation };

/// Tint of a node while debugging.
enum class NodeTint : quint8 { None, Done, Ready, Pending, Dead, Executing };

enum NodeBadge : quint16 {
  BadgeBreakpoint = 1,
  BadgeProbe = 2,
  BadgeMuted = 4,
  BadgeError = 8,  ///< broken: dashed red outline, triangle
  BadgeWarning = 16,
  BadgeNan = 32,
  BadgeLoop = 64,    ///< part of a while frame
  BadgeState = 128,  ///< the op changes state that outlives the step: a circular arrow at the lower edge
};

/// The part of a node that changes without a change of structure.
struct NodeStatus {
  NodeTint tint = NodeTint::None;
  quint16 badges = 0;  ///< NodeBadge bits
  QString value;       ///< live value shown in place of the detail line; empty: none
};

enum class EdgeKind : quint8 { Data, Control, Reference };

struct EdgeEnds {
  qint32 from = -1;  ///< node
  qint32 to = -1;    ///< node
  qint32 fromOutput = 0;
  qint32 toInput = 0;
  EdgeKind kind = EdgeKind::Data;
  bool broken = false;
};

/// An end point of wires: an input or output of a node, connected or not.
struct Port {
  qint32 node = -1;
  qint32 index = 0;
  bool output = false;

  bool isValid() const { return node >= 0; }
  friend bool operator==(const Port&, const Port&) = default;
};

inline size_t qHash(const Port& port, size_t seed = 0) { return qHashMulti(seed, port.node, port.index, port.output); }

/// Known facts about a port.
struct PortInfo {
  QString name;   ///< of the op's argument: `filter`, `values[2]`
  QString dtype;  ///< `float32`; for an open input the accepted types, `float32|float64`; empty: unknown
  QString shape;  ///< `50×28×28×1`; empty: unknown
  QString doc;
};

/// A drawing on the canvas that is not part of the graph.
struct Annotation {
  enum class Kind : quint8 {
    Frame,    ///< a titled rectangle behind its members
    Comment,  ///< a note
    Reroute,  ///< a point through which one wire runs
  };
  Kind kind = Kind::Comment;
  QString id;      ///< stable and unique
  QString text;    ///< title or note
  QRectF rect;     ///< in its scope's coordinates (like positions); a reroute's point is its top left corner
  int scope = -1;  ///< the scope that contains it
  int color = -1;  ///< index of a categorical hue, -1: neutral
  int edge = -1;   ///< of a reroute: the edge that runs through it
};

/// A graph of nodes in nested scopes, read by index. All functions are called on the GUI thread, must be cheap (a look-up, no computation), and must not call
/// back into the widget. Full names are unique per kind and identify items across `structureReset`.
class GraphModel : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  virtual int nodeCount() const = 0;
  virtual int scopeCount() const = 0;
  virtual int edgeCount() const = 0;

  /// Full name, `conv2/Conv2D`.
  virtual QString nodeName(int node) const = 0;
  virtual QString nodeOp(int node) const = 0;
  /// Scope that contains the node, -1: top level.
  virtual int nodeScope(int node) const = 0;
  virtual OpCategory nodeCategory(int node) const = 0;
  virtual NodeShape nodeShape(int node) const { return NodeShape::Op; }
  /// The node's purpose, which decides its place; by default annotations are helpers and everything else is the network.
  virtual layout::Part nodePart(int node) const;
  /// First line; by default the last part of the name.
  virtual QString nodeTitle(int node) const;
  /// Second line: the most informative attribute, `5×5 SAME`; may be empty.
  virtual QString nodeDetail(int node) const { return {}; }
  virtual QString nodeDevice(int node) const { return {}; }
  virtual NodeStatus nodeStatus(int node) const { return {}; }
  /// Value in 0…1 for ColorMode::Values, negative: none (drawn grey).
  virtual double nodeHeat(int node) const { return -1; }
  /// Whether 0.5 is neutral, below it less and above it more: drawn on a diverging ramp.
  virtual bool isHeatSigned() const { return false; }
  /// Scopes of the same structure share a number, and so a hue in ColorMode::Structure; negative: none.
  virtual int scopeStructure(int scope) const { return -1; }

  /// Full name, `conv2`.
  virtual QString scopeName(int scope) const = 0;
  /// Scope that contains this one, -1: top level. REQUIRES: less than `scope` (parents come first).
  virtual int scopeParent(int scope) const = 0;
  virtual QString scopeTitle(int scope) const;
  /// Up to two lines for a closed scope (`5×5, 32, SAME` and `832 parameters`).
  virtual QStringList scopeDetail(int scope) const { return {}; }
  /// Text at the right end of an open scope's header; by default its number of ops.
  virtual QString scopeSummary(int scope) const { return {}; }
  /// Shape as for nodes. A scope that only contains a variable and its initializer is a Variable.
  virtual NodeShape scopeShape(int scope) const { return NodeShape::Op; }
  /// True for layers, whose headers are tinted with the accent.
  virtual bool scopeIsLayer(int scope) const { return false; }
  /// `×24`: how many identical blocks were folded into this one; 1: not folded.
  virtual int scopeRepeat(int scope) const { return 1; }
  virtual quint16 scopeBadges(int scope) const { return 0; }

  virtual EdgeEnds edge(int edge) const = 0;
  /// TensorFlow's dtype name, `float32`, `float32_ref`; empty: unknown.
  virtual QString edgeDType(int edge) const { return {}; }
  /// `50×28×28×1`; empty: unknown or control.
  virtual QString edgeShape(int edge) const { return {}; }
  /// Bytes transferred per step, negative: unknown.
  virtual qint64 edgeBytes(int edge) const { return -1; }
  /// Whether it joins different tasks of a cluster.
  virtual bool edgeCrossesTasks(int edge) const { return false; }
  /// Bytes that it carried from task to task in a step of a traced run, negative: unknown, or counted at another edge with the same tensor and task.
  virtual qint64 edgeTraffic(int edge) const { return -1; }
  /// Why the edge is broken.
  virtual QString edgeProblem(int edge) const { return {}; }

  // --- editing with the mouse. The view requests changes by signals; they arrive as `structureReset`.
  virtual bool isEditable() const { return false; }
  /// Number of data inputs of a node, unconnected ones included; negative: as many as have edges.
  virtual int inputCount(int node) const { return -1; }
  virtual int outputCount(int node) const { return -1; }
  virtual PortInfo portInfo(Port port) const { return {}; }
  /// Whether `from` (an output) may be connected to `to` (an input); if not, `why` gets a sentence for the user.
  virtual bool canConnect(Port from, Port to, QString* why) const { return true; }
  /// Position set by hand (the top left corner, in its scope's coordinates), or nullopt if the layout decides.
  virtual std::optional<QPointF> position(Item item) const { return std::nullopt; }
  virtual int annotationCount() const { return 0; }
  virtual Annotation annotation(int index) const { return {}; }

  /// An immutable copy with the same indexes, which any thread may read (and delete), for laying out large graphs on a worker. Null: cannot be copied; laid out
  /// on the GUI thread.
  virtual std::shared_ptr<const GraphModel> snapshot() const { return nullptr; }

  /// Extra lines for the tooltip of `item`.
  virtual QString toolTip(Item item) const { return {}; }

 signals:
  /// Nodes, scopes or edges changed: all indexes are invalid.
  void structureReset();
  /// Titles, details or edge shapes changed, but not the connections.
  void contentChanged();
  /// Only `nodeStatus`, `scopeBadges` or `nodeHeat` changed (repainted without a new layout, at most once per frame).
  void statusChanged();
};

}  // namespace weft::widgets
