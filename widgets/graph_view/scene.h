// The canvas without a window: all visible parts of a model with their places.
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

/// Reads a model once per structure, then lays out and indexes its visible part. Needs no window. Used by one thread at a time: a new scene may be made on a
/// worker from a snapshot of the model, then handed to the GUI.
class Scene {
 public:
  explicit Scene(const Theme& theme = Theme::current());
  /// Fonts and sizes for the next `rebuild`.
  void setTheme(const Theme& theme);

  /// An empty scene that inherits open scopes, root and places of this one by name. The two must not be rebuilt concurrently.
  Scene inheritingCopy() const { return inheritingCopy(arrangement_); }
  /// The same with another arrangement: restores its remembered state and parks the current one. (scene_arrangement.cpp)
  Scene inheritingCopy(const Arrangement& arrangement) const;
  const Arrangement& arrangement() const { return arrangement_; }
  /// Facts about the current arrangement.
  const Arranged& arranged() const { return arranged_; }
  /// Nesting depth of scopes.
  int levels() const;
  /// Reads the structure. Open scopes, root and remembered places survive by name if it is the `same` document. `edited` false: only the set of open scopes has
  /// changed since the last read.
  void reset(const GraphModel* model, bool same, bool edited = true);
  void reset(const GraphModel* model) { reset(model, model == model_); }
  /// Builds the lazily made look-up tables (nodes by scope, edges by node) now. For a worker.
  void prepareLookups() const;
  /// Sets the model whose snapshot was read.
  void setModel(const GraphModel* model) { model_ = model; }
  /// Lays out again after a change of open scopes, root or texts.
  void rebuild();
  /// Reads `nodeStatus` of the visible nodes.
  void refreshStatus();

  const GraphModel* model() const { return model_; }
  std::vector<char>& open() { return open_; }
  const std::vector<char>& open() const { return open_; }
  int root() const { return root_; }
  void setRoot(int scope) { root_ = scope; }
  /// Forgets the places of these items in their containers (empty: of all items), so that the next `rebuild` places them anew.
  void forgetPlaces(const QVector<Item>& items);
  /// The places of all items for the document to store; null: the graph cannot be edited. (scene_drawing.cpp)
  std::shared_ptr<const Drawing> drawing() const;
  bool hasDrawing() const { return drawing_ != nullptr || !arrangement_.isComposed(); }
  /// The pin that would keep a visible item in place. originOf(): the origin of a scope's pins (-1: the root's).
  QPointF placeOf(Item item) const;
  QPointF originOf(int scope) const;

  const std::vector<SceneItem>& items() const { return items_; }
  const std::vector<SceneWire>& wires() const { return wires_; }
  /// Frames and lanes of open scopes, and those of one open scope; null: none. (scene_frames.cpp)
  const std::vector<SceneFrame>& frames() const { return frames_; }
  const SceneFrame* frameOf(int sceneItem) const {
    return frameOf_[static_cast<size_t>(sceneItem)] < 0 ? nullptr : &frames_[static_cast<size_t>(frameOf_[static_cast<size_t>(sceneItem)])];
  }
  /// Whether a scope as a whole is a loop or conditional.
  layout::ScopeFlow flowOf(int scope) const;
  const std::vector<layout::Point>& points() const { return layout_.points; }
  const QStringList& dtypes() const { return dtypes_; }
  const ScopeStats& stats(int scope) const { return stats_[static_cast<size_t>(scope)]; }
  QRectF bounds() const { return bounds_; }
  /// The rectangle of the first item of the top level's heaviest path; empty: there is none.
  QRectF spineStart() const;
  double layoutMs() const { return layoutMs_; }

  /// Scene item of `item`, -1 if it is hidden.
  int find(Item item) const;
  /// The visible item that represents `item`: itself, or the closed scope that hides it. None if it is outside the root.
  Item visibleFor(Item item) const;
  Item itemNamed(const QString& name) const;
  /// Identity across resets: still valid when the model has already changed. 0: none.
  std::uint64_t key(Item item) const;
  Item itemWithKey(std::uint64_t key) const;
  QString nameOf(Item item) const;
  int parentScope(Item item) const;

  /// Groups that the drawing makes of parallel items (scene_groups.cpp): scopes with indexes beyond the model's.
  bool isGroup(Item item) const { return item.isScope() && item.index >= modelScopes_; }
  /// The scope of the model around a scope or group; -1: top level.
  int modelScope(int scope) const;
  /// The model items that a group represents: its members, with nested groups replaced by their members.
  QVector<Item> members(Item group) const;
  /// Whether the user may move it: it is not a group and in none.
  bool isMovable(Item item) const;
  QString nodeTitle(int node) const;
  QString scopeTitle(int scope) const;
  QStringList scopeDetail(int scope) const;
  NodeShape scopeShape(int scope) const;
  /// Name that identifies a scope or group across resets.
  QString scopeName(int scope) const;
  int scopeCount() const { return graph_.scopeCount(); }
  /// Scopes and groups in an order in which parents precede children.
  int scopeAt(int place) const { return graph_.scopeAt(place); }
  /// Opens all scopes around `item`; returns whether any was closed. Call `rebuild` afterwards.
  bool openAround(Item item);

  /// Topmost scene item at a point of the graph, -1: none. An open scope is returned only where no other item is.
  int hit(QPointF world) const;
  /// Wire within `tolerance` of the point, -1: none.
  int hitWire(QPointF world, double tolerance) const;
  /// Leaves (not open scopes) that touch the rectangle.
  std::vector<int> leavesIn(const QRectF& world) const;
  const std::vector<int>& itemsIn(const QRectF& world) const { return itemIndex_.query(world); }
  const std::vector<int>& wiresIn(const QRectF& world) const { return wireIndex_.query(world); }

  const std::vector<SceneAnnotation>& annotations() const { return annotations_; }
  /// Topmost annotation at a point (frames by their title), -1: none. (scene_annotations.cpp)
  int hitAnnotation(QPointF world) const;

  /// Neighbours along the dataflow (scene items), data wires first.
  std::vector<int> predecessors(int sceneItem) const { return neighbours(sceneItem, false); }
  std::vector<int> successors(int sceneItem) const { return neighbours(sceneItem, true); }
  /// Everything upstream and downstream of a scene item, as flags per item and per wire.
  void path(int sceneItem, std::vector<char>& itemLit, std::vector<char>& wireLit) const;

  /// Ports of a scene item: inputs from top to bottom, then outputs. (scene_ports.cpp)
  std::vector<ScenePort> ports(int sceneItem) const;
  /// The nearest port within `tolerance`; stores its item in `sceneItem` if not null.
  ScenePort hitPort(QPointF world, double tolerance, int* sceneItem = nullptr) const;
  /// Data edge into an input, -1: none.
  int edgeInto(Port input) const;
  /// Nodes reachable from a node along data edges, or against them; includes the node.
  std::unordered_set<int> reach(int node, bool forward) const;
  /// Model edges that run through a wire.
  std::vector<int> edgesOf(int wire) const;
  /// Wires that a line crosses, without quiet ones.
  std::vector<int> wiresCutBy(const QPolygonF& line) const;
  /// Hidden wires of an item: those that its chip counts; for helpers, all.
  std::vector<HiddenWire> hiddenWires(int sceneItem) const;
  /// Keeps an item's hidden wires drawn, or stops doing so; survives resets. (scene_hidden.cpp)
  void setWiresShown(Item item, bool shown);
  bool areWiresShown(Item item) const { return shownWires_.count(key(item)) != 0; }
  /// Wires that begin or end at an item.
  std::vector<int> wiresAt(int sceneItem) const;
  /// Visible items inside an open scope, at any depth.
  std::vector<int> itemsInside(int scope) const;

  /// The drawn shape of a wire.
  QPainterPath wirePath(const SceneWire& wire, double corner = 8) const;

 private:
  void readStructure();
  void makeGroups();
  void arrange();
  void arrangeLayers();
  void arrangeOps();
  void arrangeDevices();
  void joinDevices();
  int addArranged(const QString& title, std::uint64_t key, int parent);
  std::vector<char> chosenHelpers(const std::vector<layout::Part>& parts) const;
  void openAtFirst();
  void noteEdit(const GraphModel* model);
  std::shared_ptr<const Drawing> parkedDrawing() const;
  /// The container whose inside the layout shows.
  int layoutRoot() const { return root_ >= 0 ? root_ : viewRoot_; }
  void markShownWires();
  bool isQuiet(const layout::Route& route) const;
  layout::Role roleAt(int layoutItem) const;
  const layout::Group& group(int scope) const { return groups_[static_cast<size_t>(scope - modelScopes_)]; }
  void placeFrom(const Drawing& drawing, bool opens);
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
  void openNetwork();  ///< opens the scope that contains nearly the whole graph

  Metrics metrics_;
  CanvasFonts fonts_;
  const GraphModel* model_ = nullptr;
  layout::Graph graph_;
  int modelScopes_ = 0;  // indexes from here on are groups
  std::vector<layout::Group> groups_;
  std::vector<QVector<Item>> groupMembers_;  // model items, at any depth of groups
  // Items that were in no group before the edit, so that the edit does not hide them in one. Nearly all items of a graph: scenes that follow each other share them.
  std::shared_ptr<const std::unordered_set<std::uint64_t>> ungrouped_ = std::make_shared<const std::unordered_set<std::uint64_t>>();
  std::shared_ptr<layout::Memory> memory_;
  mutable std::shared_ptr<const Drawing> drawing_;   // computed on demand
  std::unordered_set<std::uint64_t> inheritedOpen_;  // open scopes inherited from the previous scene
  std::uint64_t inheritedRoot_ = 0;
  layout::Result layout_;
  std::vector<char> open_;
  int root_ = -1;
  Arrangement arrangement_;
  Arranged arranged_;
  int viewRoot_ = -1;                             // the group that contains everything in other arrangements; -1: the model's top level
  std::vector<char> liftedNode_, liftedScope_;    // flags of items whose scope is not visible: their titles show more of the name
  bool fresh_ = false;                            // this arrangement was never shown before
  bool editedBefore_ = false;                     // the graph changed while another arrangement was shown
  std::map<int, ParkedArrangement> parked_;       // the state of the other arrangements
  std::unordered_set<std::uint64_t> shownWires_;  // items whose hidden wires are kept drawn
  bool edited_ = false;                           // the structure of the same document was read again
  std::vector<ScopeStats> stats_;
  static constexpr int kUnread = -2;
  std::vector<int> shapeId_;  // per edge, -1: none; read on first use
  std::vector<SceneItem> items_;
  std::vector<SceneWire> wires_;
  std::vector<SceneAnnotation> annotations_;
  std::vector<SceneFrame> frames_;
  std::vector<int> frameOf_;                  // per item
  std::vector<layout::ScopeFlow> scopeFlow_;  // empty: there are neither loops nor conditionals
  std::vector<int> sceneOf_;                  // layout item -> scene item
  std::vector<std::vector<RouteEnd>> in_, out_;
  QStringList dtypes_;
  GridIndex itemIndex_, wireIndex_;
  QRectF bounds_;
  double layoutMs_ = 0;
  mutable std::vector<std::pair<std::uint64_t, Item>> byKey_;  // sorted; built on demand
  QHash<QString, int> shapes_;
  // Edges by node and nodes by scope; built on demand.
  mutable std::vector<int> inStart_, inEdges_, outStart_, outEdges_, nodeStart_, nodesOf_;
};

}  // namespace weft::widgets
