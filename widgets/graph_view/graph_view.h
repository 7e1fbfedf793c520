// The canvas: shows a hierarchical dataflow graph to read, search, select and edit.
#pragma once

#include <QMap>
#include <QWidget>
#include <memory>

#include "graph_view/arrangement.h"
#include "graph_view/canvas_types.h"
#include "graph_view/frame_times.h"
#include "graph_view/ghost.h"
#include "graph_view/graph_model.h"

namespace weft::widgets {

struct Drawing;

/// Draws a GraphModel. Scopes open in place. Layout, geometry and hit testing are pure functions elsewhere in this folder (Scene, Viewport); this widget
/// connects them with events and paints through cached tiles. GUI thread.
///
/// Editable models are edited with the mouse: drag from a port = wire (ports that do not fit are dimmed and say why), drag of an item = place it by hand,
/// Ctrl+right drag = cut wires, Shift+right drag = reroute, Alt+right drag from node to node = connect the first ports that fit. The view changes nothing
/// itself; it emits request signals.
///
/// Mouse: left = select (Ctrl adds, drag = rubber band), middle drag or Space+drag = pan, wheel = zoom at the pointer, touchpad = pan, double-click on a scope
/// = open or close it, with Ctrl = go inside. Keys: A fit all, F fit selection, Enter open or close, Backspace = close the scope around the selection, arrows =
/// neighbour along the dataflow or in the column, [ ] = previous or next in the dataflow, + and - zoom, Home = 100 %.
class GraphView : public QWidget {
  Q_OBJECT

 public:
  explicit GraphView(QWidget* parent = nullptr);
  ~GraphView() override;

  /// Not owned; may be null; must outlive the view or be replaced. Open scopes and selection are kept by name.
  void setModel(GraphModel* model);
  GraphModel* model() const;

  bool isExpanded(int scope) const;
  void setExpanded(int scope, bool expanded);
  void expandAll();
  void collapseAll();
  /// Opens all groups that the drawing made of parallel items; scopes are unchanged.
  void expandGroups();
  /// Full names of the open scopes, for documents to store and restore.
  QStringList expandedScopes() const;
  void setExpandedScopes(const QStringList& names);

  /// Shows only the inside of that scope (-1: the whole graph).
  void setRootScope(int scope);
  int rootScope() const;

  /// Sets how the graph is divided into boxes. Each arrangement keeps its places, open scopes and view; the selection is kept.
  void setArrangement(const Arrangement& arrangement);
  Arrangement arrangement() const;
  struct ArrangementFacts {
    int groups = 0;     ///< number of boxes: layers, op types, devices
    bool found = true;  ///< the graph has something to arrange by
    int levels = 0;     ///< maximum nesting depth of scopes
  };
  /// Facts about the current arrangement; empty while a large graph is being laid out.
  ArrangementFacts arrangementFacts() const;

  /// Keeps the selection's on-demand wires drawn, or stops doing so if all are. Returns their number.
  int toggleHiddenWires();
  bool areHiddenWiresShown(Item item) const;
  /// The chip with the number of hidden wires, on screen; empty: there are none, or it would be too small to read.
  QRectF hiddenWiresChip(Item item) const;

  QVector<Item> selection() const;
  /// Selects items; opens the scopes around them and scrolls the first one into view if `reveal`.
  void select(const QVector<Item>& items, bool reveal = true);
  /// Selects by full names of nodes or scopes; unknown names are ignored. Returns how many were found.
  int selectNames(const QStringList& names, bool reveal = true);
  void selectAll();
  void clearSelection();
  /// Highlights these and dims the rest, until called with an empty list (search results, a linked trace slice).
  void setHighlight(const QVector<Item>& items);
  const QVector<Item>& highlight() const;

  /// Shows what only a compared graph has, until called with an empty list; ghostRect() is a ghost's rectangle on screen.
  void setGhosts(const QVector<Ghost>& ghosts);
  QRectF ghostRect(const QString& name) const;

  ColorMode colorMode() const;
  void setColorMode(ColorMode mode);
  /// The colours of the current mode, most frequent first.
  QVector<LegendEntry> legend() const;

  void fitAll();
  /// The first view of a graph: all of it if its names are readable then, else the start of its data flow.
  void lookFirst();
  void fitSelection();
  void centerOn(Item item);
  /// Centres the first selected item in the area beside the minimap, large enough to be readable.
  void centerSelection();
  double zoom() const;
  void setZoom(double zoom);
  void zoomIn();
  void zoomOut();
  /// Scrolls by device-independent pixels.
  void panBy(QPointF delta);
  QPointF toScreen(QPointF world) const;
  QPointF toWorld(QPointF screen) const;
  void setMinimapVisible(bool visible);
  bool isMinimapVisible() const;
  /// Animated zoom and scrolling (theme's motionMs); off by default offscreen.
  void setMotion(bool on);

  /// The item at a screen point; a closed scope or a node takes precedence over the open scope around it.
  Item itemAt(QPointF screen) const;
  /// Rectangle on screen; empty if it is hidden in a closed scope.
  QRectF itemRect(Item item) const;
  int visibleItemCount() const;
  /// Large graphs are laid out on a worker; until that is done the previous picture stays, and calls that need positions are deferred.
  bool isLayoutPending() const;
  /// Blocks until the layout is complete (pictures, benchmarks).
  void waitForLayout();
  /// Duration of the last layout in milliseconds.
  double lastLayoutMs() const;

  /// Durations of paint events since `resetFrameTimes`.
  FrameStats frameTimes() const;
  void resetFrameTimes();

  // --- editing ---
  /// Opens an editor for the title of a visible node or scope; emits `renameRequested`.
  void startRename(Item item);
  /// Converts a screen point to a place in the graph.
  CanvasPlace placeAt(QPointF screen) const;
  /// The current place of an item.
  CanvasPlace placeOf(Item item) const;
  /// Converts a place to a screen point: the inverse of placeAt.
  QPointF placeToScreen(const CanvasPlace& place) const;
  /// Ports of a visible item, on screen.
  struct ShownPort {
    Port port;
    QPointF at;
    bool connected = false;
  };
  QVector<ShownPort> portsOf(Item item) const;
  /// Data edge at a screen point, -1: none.
  int edgeAt(QPointF screen) const;
  /// The annotation that was clicked last; empty: none.
  QString selectedAnnotation() const;
  /// Opens an editor for the text of an annotation.
  void editAnnotation(const QString& id);
  /// Aligns or distributes the selected items; emits `moveRequested`.
  void align(Alignment alignment);
  /// Lays out the selection anew (without one, everything). Positions set by the model still hold: remove them first.
  void tidy();
  /// All current places, for the document to store; null: not known at the moment, or the graph cannot be edited.
  std::shared_ptr<const Drawing> drawing() const;
  /// Saves the current view under a number from 1 to 9; emits `bookmarkRequested`.
  void setBookmark(int number);
  bool goToBookmark(int number);
  /// Sets the document's bookmarks.
  void setBookmarks(const QMap<int, CanvasBookmark>& bookmarks);
  /// Shows a small picture and a line of text beside an item (a live preview), until called with a null picture and no text.
  void setPreview(const QString& node, const QPixmap& picture, const QString& text);
  void clearPreviews();

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// A wire was drawn from an output to an input. `replaced` is the edge that was detached from its old input, or -1.
  void connectRequested(weft::widgets::Port from, weft::widgets::Port to, int replaced);
  /// A wire was dropped where there is no port.
  void wireDropped(weft::widgets::Port port, QPoint globalPos, int replaced);
  void cutRequested(const QVector<int>& edges);
  void rerouteRequested(int edge, const weft::widgets::CanvasPlace& place);
  void moveRequested(const QVector<weft::widgets::Placement>& moved);
  /// A frame was dragged by its title; it moves with its contents as one step.
  void frameMoveRequested(const QString& id, const weft::widgets::CanvasPlace& place, const QVector<weft::widgets::Placement>& moved);
  /// A node without wires was dropped on a wire.
  void insertRequested(weft::widgets::Item item, int edge);
  void renameRequested(weft::widgets::Item item, const QString& name);
  /// An annotation was moved, edited or deleted.
  void annotationMoved(const QString& id, const weft::widgets::CanvasPlace& place);
  /// A frame was resized, or a comment's width changed; in the coordinates of its scope.
  void annotationResized(const QString& id, const QRectF& rect);
  void annotationEdited(const QString& id, const QString& text);
  void annotationRemoved(const QString& id);
  /// A palette item was dropped; `edge` is the wire beneath, or -1.
  void typeDropped(const QString& type, QPointF screen, int edge);
  void bookmarkRequested(int number, const weft::widgets::CanvasBookmark& bookmark);
  /// The layout is complete after a change.
  void layoutFinished();
  void selectionChanged();
  /// Double-click or Enter on a node.
  void nodeActivated(int node);
  void hovered(weft::widgets::Item item);
  void expandedChanged(int scope, bool expanded);
  /// For breadcrumbs: the innermost open scope around the selection, or the root; -1: top level.
  void currentScopeChanged(int scope);
  /// Emitted when another arrangement is requested, and again when it is shown.
  void arrangementChanged();
  void zoomChanged(double zoom);
  void legendChanged();
  /// Right click or the menu key; `item` may be invalid.
  void contextMenuRequested(weft::widgets::Item item, QPoint globalPos);
  /// Delete key.
  void deleteRequested();
  /// Double-click on empty canvas; `world` is the place in the graph.
  void addRequested(QPointF world, QPoint globalPos);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dragMoveEvent(QDragMoveEvent* event) override;
  void dragLeaveEvent(QDragLeaveEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  Q_INVOKABLE void takeLayout();  // called by the worker through the event loop
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
