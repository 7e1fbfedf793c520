// The canvas: a hierarchical dataflow graph that is read, searched and selected in.
#pragma once

#include <QMap>
#include <QVector>
#include <QWidget>
#include <memory>

#include "graph_view/arrangement.h"
#include "graph_view/frame_times.h"
#include "graph_view/ghost.h"
#include "graph_view/graph_model.h"

namespace weft::widgets {

struct Drawing;

/// What the hue of a node's edge (and of its tile when it is small) says.
enum class ColorMode { Category, Device, Structure, Type, Values };

struct LegendEntry {
  QString label;
  QColor color;
};

/// A place that an item shall have: its top left corner in its scope's coordinates.
struct Placement {
  Item item;
  QPointF position;
};

/// A place in the graph, as the layout and documents understand it.
struct CanvasPlace {
  int scope = -1;    ///< the innermost open scope around it
  QPointF position;  ///< in that scope's coordinates
};

/// A part of the graph to come back to, measured from the upper left corner of a node or scope, so that it is found wherever that lies.
struct CanvasBookmark {
  QString anchor;  ///< full name of what is nearest to the middle; empty: measured from the origin
  QPointF middle;
  QSizeF size;  ///< of what is seen, in the graph's units
};

enum class Alignment { Left, Center, Right, Top, Middle, Bottom, SpreadAcross, SpreadDown };

/// Data type under which the palette's items are dragged: the type to add, as UTF-8.
inline constexpr char kPaletteMime[] = "application/x-weft-type";

/// Draws a GraphModel. Scopes open in place; layout, geometry and hit testing are pure functions elsewhere in this folder (Scene,
/// Viewport); this widget joins them with events and paints through cached tiles. GUI thread.
///
/// Models that are editable are composed with the mouse: drag from a port = wire (ports that do not fit are dimmed and say why), drag of an
/// item = place it by hand, Ctrl+right drag = cut wires, Shift+right drag = reroute, Alt+right drag from node to node = connect what fits
/// first. The view changes nothing itself: it asks by signals.
///
/// Mouse: left = select (Ctrl adds, drag = rubber band), middle drag or Space+drag = pan, wheel = zoom at the pointer, touchpad =
/// pan, double-click on a scope = open or close it, with Ctrl = go inside. Keys: A fit all, F fit selection, Enter open or close,
/// Backspace = close the scope around the selection, arrows = neighbour along the dataflow or in the column, [ ] previous/next in
/// the dataflow,
/// + and - zoom, Home = 100 %.
class GraphView : public QWidget {
  Q_OBJECT

 public:
  explicit GraphView(QWidget* parent = nullptr);
  ~GraphView() override;

  /// Not owned; may be null; must outlive the view or be replaced. Keeps open scopes and selection by name.
  void setModel(GraphModel* model);
  GraphModel* model() const;

  bool isExpanded(int scope) const;
  void setExpanded(int scope, bool expanded);
  void expandAll();
  void collapseAll();
  /// Opens the groups that the drawing made of what lies side by side; scopes stay as they are.
  void expandGroups();
  /// Names of the open scopes, and the reverse: for documents that remember them.
  QStringList expandedScopes() const;
  void setExpandedScopes(const QStringList& names);

  /// Shows only the inside of that scope (-1: the whole graph).
  void setRootScope(int scope);
  int rootScope() const;

  /// What the boxes are. Each arrangement keeps its places, its open scopes and what is seen of it; the selection goes along.
  void setArrangement(const Arrangement& arrangement);
  Arrangement arrangement() const;
  struct ArrangementFacts {
    int groups = 0;     ///< boxes that it made: layers, op types, devices
    bool found = true;  ///< the graph has something to arrange by
    int levels = 0;     ///< how deep scopes lie in each other
  };
  /// Of what is shown; empty while a large graph is being placed.
  ArrangementFacts arrangementFacts() const;

  /// Keeps the wires of the selection drawn that are else drawn on demand, or no longer if all are. Returns how many there are.
  int toggleHiddenWires();
  bool areHiddenWiresShown(Item item) const;
  /// Where the number of them stands, on screen; empty: there are none, or it is too small to be read.
  QRectF hiddenWiresChip(Item item) const;

  QVector<Item> selection() const;
  /// Opens what hides them, selects, and brings the first into view.
  void select(const QVector<Item>& items, bool reveal = true);
  /// By full names of nodes or scopes; unknown names are ignored. Returns how many were found.
  int selectNames(const QStringList& names, bool reveal = true);
  void selectAll();
  void clearSelection();
  /// Lights these and dims the rest until called with an empty list (search results, a linked trace slice).
  void setHighlight(const QVector<Item>& items);

  /// What a graph has that this one is compared with, until called with an empty list; where one is drawn (on screen).
  void setGhosts(const QVector<Ghost>& ghosts);
  QRectF ghostRect(const QString& name) const;

  ColorMode colorMode() const;
  void setColorMode(ColorMode mode);
  /// What the colours of the present mode mean, most frequent first.
  QVector<LegendEntry> legend() const;

  void fitAll();
  /// As a graph is seen for the first time: all of it if its names can be read then, else where its data comes in.
  void lookFirst();
  void fitSelection();
  void centerOn(Item item);
  /// Brings the first selected item into the middle of what the minimap leaves free, large enough to be read.
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

  /// What lies there (screen coordinates); a closed scope or a node before the open scope around it.
  Item itemAt(QPointF screen) const;
  /// Rectangle on screen; empty if it is hidden in a closed scope.
  QRectF itemRect(Item item) const;
  int visibleItemCount() const;
  /// Large graphs are placed beside the GUI thread; until then the picture before stays. Calls that need the places wait for them.
  bool isLayoutPending() const;
  /// Blocks until everything is placed (pictures, benchmarks).
  void waitForLayout();
  /// Milliseconds that the last layout took.
  double lastLayoutMs() const;

  /// Durations of paint events since `resetFrameTimes`.
  FrameStats frameTimes() const;
  void resetFrameTimes();

  // --- composing ---
  /// Edits the title of a visible node or scope in place, then `renameRequested`.
  void startRename(Item item);
  /// Where a place on the screen is in the graph.
  CanvasPlace placeAt(QPointF screen) const;
  /// The place that an item has.
  CanvasPlace placeOf(Item item) const;
  /// The screen rectangle of a place: the reverse of placeAt for points.
  QPointF placeToScreen(const CanvasPlace& place) const;
  /// Ports of a visible item, on screen.
  struct ShownPort {
    Port port;
    QPointF at;
    bool connected = false;
  };
  QVector<ShownPort> portsOf(Item item) const;
  /// Data edge under a point of the screen, -1: none.
  int edgeAt(QPointF screen) const;
  /// The annotation that was clicked last; empty: none.
  QString selectedAnnotation() const;
  /// Edits the text of an annotation in place.
  void editAnnotation(const QString& id);
  /// Lines up or spreads the selected items, by `moveRequested`.
  void align(Alignment alignment);
  /// Lays the selection (nothing selected: everything) out anew. Places that the model gives still hold: take them away first.
  void tidy();
  /// Where everything lies that was placed, for the document to keep; null: not known at the moment, or the graph cannot be edited.
  std::shared_ptr<const Drawing> drawing() const;
  /// What is seen, to be kept under a number from 1 to 9 by `bookmarkRequested`.
  void setBookmark(int number);
  bool goToBookmark(int number);
  /// Those of the document.
  void setBookmarks(const QMap<int, CanvasBookmark>& bookmarks);
  /// A small picture and a line of text beside an item, until called with a null picture and no text: live previews.
  void setPreview(const QString& node, const QPixmap& picture, const QString& text);
  void clearPreviews();

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// A wire was drawn from an output to an input. `replaced` is the edge that was pulled off its old input for that, or -1.
  void connectRequested(weft::widgets::Port from, weft::widgets::Port to, int replaced);
  /// A wire was dropped where no port is.
  void wireDropped(weft::widgets::Port port, QPoint globalPos, int replaced);
  void cutRequested(const QVector<int>& edges);
  void rerouteRequested(int edge, const weft::widgets::CanvasPlace& place);
  void moveRequested(const QVector<weft::widgets::Placement>& moved);
  /// A frame was taken by its title and goes, with what lies in it, as one step.
  void frameMoveRequested(const QString& id, const weft::widgets::CanvasPlace& place, const QVector<weft::widgets::Placement>& moved);
  /// A node without wires was dropped on one.
  void insertRequested(weft::widgets::Item item, int edge);
  void renameRequested(weft::widgets::Item item, const QString& name);
  /// An annotation was put elsewhere, its text was edited, or it shall go.
  void annotationMoved(const QString& id, const weft::widgets::CanvasPlace& place);
  /// A frame has other edges, a comment another width; in the coordinates of its scope.
  void annotationResized(const QString& id, const QRectF& rect);
  void annotationEdited(const QString& id, const QString& text);
  void annotationRemoved(const QString& id);
  /// Something of the palette was dropped; `edge` is the wire beneath, or -1.
  void typeDropped(const QString& type, QPointF screen, int edge);
  void bookmarkRequested(int number, const weft::widgets::CanvasBookmark& bookmark);
  /// Everything has its place again, after whatever change.
  void layoutFinished();
  void selectionChanged();
  /// Double-click or Enter on a node.
  void nodeActivated(int node);
  void hovered(weft::widgets::Item item);
  void expandedChanged(int scope, bool expanded);
  /// For breadcrumbs: the innermost open scope around the selection, or the root; -1: top level.
  void currentScopeChanged(int scope);
  /// Another arrangement was asked for, and again when it is shown.
  void arrangementChanged();
  void zoomChanged(double zoom);
  void legendChanged();
  /// Right click or the menu key; `item` may be none.
  void contextMenuRequested(weft::widgets::Item item, QPoint globalPos);
  /// Delete key.
  void deleteRequested();
  /// Double-click on empty canvas, at that place in the graph.
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
  Q_INVOKABLE void takeLayout();  // of the worker, through the event loop
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
