// What can be seen of a model, with a place for everything: the canvas without a window.
#pragma once

#include <QHash>
#include <QPainterPath>
#include <QRectF>
#include <map>
#include <memory>
#include <unordered_set>
#include <vector>

#include "common/theme.h"
#include "graph_view/arrangement.h"
#include "graph_view/drawing.h"
#include "graph_view/graph_model.h"
#include "graph_view/grid_index.h"
#include "graph_view/scene_items.h"
#include "layout/graph_layout.h"
#include "layout/grouping.h"

namespace weft::widgets {

/// Reads a model once per structure, then lays out and indexes what is open. No window needed. A scene is used by one thread at a time: a new
/// one may be made on a worker from a snapshot of the model, then handed to the GUI.
class Scene {
 public:
  explicit Scene(const Theme& theme = Theme::current());
  /// Fonts and sizes for the next `rebuild`.
  void setTheme(const Theme& theme);

  /// An empty scene that will know open scopes, root and places of this one by name. The two must not be rebuilt at the same time.
  Scene heir() const { return heir(arrangement_); }
  /// The same with other boxes: it will know what that arrangement remembers, and keep what this one does. (scene_arrangement.cpp)
  Scene heir(const Arrangement& arrangement) const;
  const Arrangement& arrangement() const { return arrangement_; }
  /// What an arrangement found: its boxes, and whether the graph has anything to arrange by.
  struct Arranged {
    int groups = 0;
    bool found = true;
  };
  const Arranged& arranged() const { return arranged_; }
  /// How deep scopes lie in each other.
  int levels() const;
  /// Reads the structure. Open scopes, root and the memory of places survive by name if it is the `same` document.
  /// `edited` false: only what is open has changed since it was read last.
  void reset(const GraphModel* model, bool same, bool edited = true);
  void reset(const GraphModel* model) { reset(model, model == model_); }
  /// Makes what would else be made when it is first asked for: who lives where, and which edges meet where. For a worker.
  void prepareLookups() const;
  /// The model whose snapshot was read.
  void setModel(const GraphModel* model) { model_ = model; }
  /// Lays out again after `open`, `root` or the texts changed.
  void rebuild();
  /// Reads `nodeStatus` of what can be seen.
  void refreshStatus();

  const GraphModel* model() const { return model_; }
  std::vector<char>& open() { return open_; }
  const std::vector<char>& open() const { return open_; }
  int root() const { return root_; }
  void setRoot(int scope) { root_ = scope; }
  /// Forgets where these lie in their containers (all: everything in sight), so that the next `rebuild` places them anew.
  void forgetPlaces(const QVector<Item>& items);
  /// Where everything lies that was placed, as documents keep it; null: the graph cannot be edited. (scene_drawing.cpp)
  std::shared_ptr<const Drawing> drawing() const;
  bool hasDrawing() const { return drawing_ != nullptr || !arrangement_.isComposed(); }
  /// The pin that would leave a visible item where it is, and where (0, 0) of the pins of a scope (-1: of the root) lies.
  QPointF placeOf(Item item) const;
  QPointF originOf(int scope) const;

  const std::vector<SceneItem>& items() const { return items_; }
  const std::vector<SceneWire>& wires() const { return wires_; }
  /// Frames and lanes of what is open, and those of an open scope; null: none. (scene_frames.cpp)
  const std::vector<SceneFrame>& frames() const { return frames_; }
  const SceneFrame* frameOf(int sceneItem) const {
    return frameOf_[static_cast<size_t>(sceneItem)] < 0 ? nullptr : &frames_[static_cast<size_t>(frameOf_[static_cast<size_t>(sceneItem)])];
  }
  /// What a scope is as a whole, and the word for it.
  layout::ScopeFlow flowOf(int scope) const;
  static QString flowWord(layout::ScopeFlow flow);
  const std::vector<layout::Point>& points() const { return layout_.points; }
  const QStringList& dtypes() const { return dtypes_; }
  const ScopeStats& stats(int scope) const { return stats_[static_cast<size_t>(scope)]; }
  QRectF bounds() const { return bounds_; }
  /// The item with which the heaviest path of the top level begins; empty: there is none.
  QRectF spineStart() const;
  double layoutMs() const { return layoutMs_; }

  /// Scene item of `item`, -1 if it is hidden.
  int find(Item item) const;
  /// The visible item that stands for `item`: itself, or the closed scope that hides it. None if it is outside of the root.
  Item visibleFor(Item item) const;
  Item itemNamed(const QString& name) const;
  /// Identity across resets: stays valid when the model has changed already. 0: none.
  std::uint64_t key(Item item) const;
  Item itemWithKey(std::uint64_t key) const;
  QString nameOf(Item item) const;
  int parentScope(Item item) const;

  /// Groups that the drawing makes of what lies side by side (scene_groups.cpp). They are scopes whose index lies beyond those of the model.
  static QString lossWord();
  bool isGroup(Item item) const { return item.isScope() && item.index >= modelScopes_; }
  /// The scope of the model around a scope or group; -1: top level.
  int modelScope(int scope) const;
  /// What a group stands for in the model: its members, those of groups inside of it for these.
  QVector<Item> members(Item group) const;
  /// Whether it has a place of its own that the user may change: not a group, and in none.
  bool isMovable(Item item) const;
  QString nodeTitle(int node) const;
  QString scopeTitle(int scope) const;
  QStringList scopeDetail(int scope) const;
  NodeShape scopeShape(int scope) const;
  /// Name that finds a scope or group again.
  QString scopeName(int scope) const;
  int scopeCount() const { return graph_.scopeCount(); }
  /// Scopes and groups, each after what holds it.
  int scopeAt(int place) const { return graph_.scopeAt(place); }
  /// Opens all scopes around `item`; true if any was closed. `rebuild` afterwards.
  bool openAround(Item item);

  /// Topmost scene item at a point of the graph, -1: none. Open scopes only by their header or where nothing else is.
  int hit(QPointF world) const;
  /// Wire within `tolerance` of the point, -1: none.
  int hitWire(QPointF world, double tolerance) const;
  /// Leaves (not open scopes) that touch the rectangle.
  std::vector<int> leavesIn(const QRectF& world) const;
  const std::vector<int>& itemsIn(const QRectF& world) const { return itemIndex_.query(world); }
  const std::vector<int>& wiresIn(const QRectF& world) const { return wireIndex_.query(world); }

  const std::vector<SceneAnnotation>& annotations() const { return annotations_; }
  /// The topmost one there (frames by their title), -1: none. (scene_annotations.cpp)
  int hitAnnotation(QPointF world) const;

  /// Neighbours along the dataflow (scene items), data wires first.
  std::vector<int> predecessors(int sceneItem) const { return neighbours(sceneItem, false); }
  std::vector<int> successors(int sceneItem) const { return neighbours(sceneItem, true); }
  /// Everything upstream and downstream of a scene item: flags per item and per wire.
  void path(int sceneItem, std::vector<char>& itemLit, std::vector<char>& wireLit) const;

  /// Ports of a scene item: inputs from top to bottom, then outputs. (scene_ports.cpp)
  std::vector<ScenePort> ports(int sceneItem) const;
  /// The nearest port within `tolerance`; its item in `sceneItem` if given.
  ScenePort hitPort(QPointF world, double tolerance, int* sceneItem = nullptr) const;
  /// Data edge that ends at an input, -1: none.
  int edgeInto(Port input) const;
  /// Nodes that are reached from a node along data edges, or against them; itself included.
  std::unordered_set<int> reach(int node, bool forward) const;
  /// Edges of the model that run through a wire.
  std::vector<int> edgesOf(int wire) const;
  /// Wires that a line cuts, quiet ones left out.
  std::vector<int> wiresCutBy(const QPolygonF& line) const;
  /// Wires of an item that are drawn only on demand: where they lead, and whether they leave it. Those that its chip counts; of helpers all.
  struct HiddenWire {
    int route = -1, other = -1;
    bool out = false;
  };
  std::vector<HiddenWire> hiddenWires(int sceneItem) const;
  /// Keeps the hidden wires of an item drawn, or no longer; survives resets. (scene_hidden.cpp)
  void setWiresShown(Item item, bool shown);
  bool areWiresShown(Item item) const { return shownWires_.count(key(item)) != 0; }
  /// Wires that begin or end at an item.
  std::vector<int> wiresAt(int sceneItem) const;
  /// Visible items inside of an open scope, at any depth.
  std::vector<int> itemsInside(int scope) const;

  /// The drawn shape of a wire.
  QPainterPath wirePath(const SceneWire& wire, double corner = 8) const;

 private:
  struct RouteEnd {
    int route, other;
  };
  void readStructure();
  void makeGroups();
  void arrange();
  void arrangeLayers();
  void arrangeOps();
  void arrangeDevices();
  void joinDevices();
  int addArranged(const QString& title, std::uint64_t key, int parent);
  std::vector<char> chosenHelpers(const std::vector<layout::Part>& parts) const;
  /// The end of a name that tells it from others when its scope is not seen.
  static QString lastTwo(const QString& name);
  void openAtFirst();
  void noteEdit(const GraphModel* model);
  std::shared_ptr<const Drawing> parkedDrawing() const;
  /// What the layout shows the inside of.
  int layoutRoot() const { return root_ >= 0 ? root_ : viewRoot_; }
  void markShownWires();
  bool isQuiet(const layout::Route& route) const;
  layout::Role roleAt(int layoutItem) const;
  const layout::Group& group(int scope) const { return groups_[static_cast<size_t>(scope - modelScopes_)]; }
  void adopt(const Drawing& drawing, bool opens);
  bool keepUngrouped(const Drawing& drawing);
  Item itemCalled(const QString& name, bool scope) const;
  int shapeId(size_t edge);
  quint16 badgesOf(int scope) const;
  void measure(const std::vector<layout::Shown>& shown);
  void labelEdges(const std::vector<layout::Shown>& shown);
  void buildItems();
  void buildWires();
  void buildAnnotations();
  void buildFrames();
  void markLosses();
  QString variableName(int node) const;
  void bendWires(const std::vector<std::pair<int, QPointF>>& bends);
  void placeLabel(SceneWire& wire) const;
  int endOfChain(int sceneItem) const;
  bool isFlow(int sceneItem) const;
  void keepLastLosses();
  void dropCoveredLabels();
  std::vector<int> neighbours(int sceneItem, bool forward) const;
  int layoutItem(Item item) const { return item.isNode() ? item.index : graph_.nodeCount() + item.index; }

  void readAdjacency() const;
  std::unordered_set<std::uint64_t> openKeys() const;
  void openNetwork();  ///< where nearly all of it lies in one scope

  Metrics metrics_;
  CanvasFonts fonts_;
  const GraphModel* model_ = nullptr;
  layout::Graph graph_;
  int modelScopes_ = 0;  // those after them are groups
  std::vector<layout::Group> groups_;
  std::vector<QVector<Item>> groupMembers_;  // of the model, at any depth of groups
  // Items of the structure before: what was in no group then does not disappear into one because of an edit.
  std::unordered_set<std::uint64_t> ungrouped_;
  std::shared_ptr<layout::Memory> memory_;
  mutable std::shared_ptr<const Drawing> drawing_;   // made when it is asked for
  std::unordered_set<std::uint64_t> inheritedOpen_;  // of the scene that this one follows
  std::uint64_t inheritedRoot_ = 0;
  layout::Result layout_;
  std::vector<char> open_;
  int root_ = -1;
  Arrangement arrangement_;
  Arranged arranged_;
  int viewRoot_ = -1;                           // the group that holds all there is in an arrangement with other boxes; -1: the model's top level does
  std::vector<char> liftedNode_, liftedScope_;  // their scope is not seen: titles say more of the name
  bool fresh_ = false;                          // this arrangement was never seen before
  bool editedBefore_ = false;                   // the graph changed while another one was shown
  struct Parked {
    std::shared_ptr<layout::Memory> memory;
    std::unordered_set<std::uint64_t> open, ungrouped;
    std::uint64_t root = 0;
    std::shared_ptr<const Drawing> drawing;
    bool edited = false;
  };
  std::map<int, Parked> parked_;                  // what the other arrangements remember
  std::unordered_set<std::uint64_t> shownWires_;  // items whose hidden wires are kept drawn
  bool edited_ = false;                           // the structure was read anew, of the same document
  std::vector<ScopeStats> stats_;
  static constexpr int kUnread = -2;
  std::vector<int> shapeId_;  // per edge, -1: none; read when the edge is first seen
  std::vector<SceneItem> items_;
  std::vector<SceneWire> wires_;
  std::vector<SceneAnnotation> annotations_;
  std::vector<SceneFrame> frames_;
  std::vector<int> frameOf_;                  // per item
  std::vector<layout::ScopeFlow> scopeFlow_;  // may be empty: there are neither loops nor conditionals
  std::vector<int> sceneOf_;                  // layout item -> scene item
  std::vector<std::vector<RouteEnd>> in_, out_;
  QStringList dtypes_;
  GridIndex itemIndex_, wireIndex_;
  QRectF bounds_;
  double layoutMs_ = 0;
  mutable std::vector<std::pair<std::uint64_t, Item>> byKey_;  // sorted; made when it is first asked for
  QHash<QString, int> shapes_;
  // Edges by node and nodes by scope; made when they are first asked for.
  mutable std::vector<int> inStart_, inEdges_, outStart_, outEdges_, nodeStart_, nodesOf_;
};

}  // namespace weft::widgets
