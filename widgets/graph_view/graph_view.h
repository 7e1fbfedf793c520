// The canvas: a hierarchical dataflow graph that is read, searched and selected in.
#pragma once

#include <QVector>
#include <QWidget>
#include <memory>

#include "graph_view/frame_times.h"
#include "graph_view/graph_model.h"

namespace weft::widgets {

/// What the hue of a node's edge (and of its tile when it is small) says.
enum class ColorMode { Category, Device, Structure, Values };

struct LegendEntry {
  QString label;
  QColor color;
};

/// Draws a GraphModel. Scopes open in place; layout, geometry and hit testing are pure functions elsewhere in this folder (Scene,
/// Viewport); this widget joins them with events and paints through cached tiles. GUI thread.
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
  /// Names of the open scopes, and the reverse: for documents that remember them.
  QStringList expandedScopes() const;
  void setExpandedScopes(const QStringList& names);

  /// Shows only the inside of that scope (-1: the whole graph).
  void setRootScope(int scope);
  int rootScope() const;

  QVector<Item> selection() const;
  /// Opens what hides them, selects, and brings the first into view.
  void select(const QVector<Item>& items, bool reveal = true);
  /// By full names of nodes or scopes; unknown names are ignored. Returns how many were found.
  int selectNames(const QStringList& names, bool reveal = true);
  void selectAll();
  void clearSelection();
  /// Lights these and dims the rest until called with an empty list (search results, a linked trace slice).
  void setHighlight(const QVector<Item>& items);

  ColorMode colorMode() const;
  void setColorMode(ColorMode mode);
  /// What the colours of the present mode mean, most frequent first.
  QVector<LegendEntry> legend() const;

  void fitAll();
  void fitSelection();
  void centerOn(Item item);
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
  /// Milliseconds that the last layout took.
  double lastLayoutMs() const;

  /// Durations of paint events since `resetFrameTimes`.
  FrameStats frameTimes() const;
  void resetFrameTimes();

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

signals:
  void selectionChanged();
  /// Double-click or Enter on a node.
  void nodeActivated(int node);
  void hovered(weft::widgets::Item item);
  void expandedChanged(int scope, bool expanded);
  /// For breadcrumbs: the innermost open scope around the selection, or the root; -1: top level.
  void currentScopeChanged(int scope);
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

private:
  class Private;
  std::unique_ptr<Private> d_;
};

}  // namespace weft::widgets
