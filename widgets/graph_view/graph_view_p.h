// State of GraphView, shared by its source files.
#pragma once

#include <QElapsedTimer>
#include <QMetaObject>
#include <QPointer>
#include <QTimer>
#include <QToolButton>
#include <QVariantAnimation>
#include <optional>
#include <vector>

#include "graph_view/color_table.h"
#include "graph_view/graph_view.h"
#include "graph_view/scene.h"
#include "graph_view/scene_painter.h"
#include "graph_view/tile_cache.h"
#include "graph_view/viewport.h"

namespace weft::widgets {

class GraphView::Private {
public:
  explicit Private(GraphView* view);

  // --- structure ---
  void resetModel();
  struct Hold {
    std::uint64_t key = 0;  ///< of the thing, 0: nothing
    QPointF at;             ///< its top left corner in the graph
  };
  Hold hold(Item item = {}) const;
  void relayout(const Hold& held);
  void statusChanged();
  void recolor();
  void setSelection(QVector<Item> items);
  void emitCurrentScope();
  void toggle(int scope);
  void updateAccessible();

  // --- view ---
  void setView(const Viewport& view, bool animate = false);
  QRectF contentRect() const;
  void changed();
  void fit(const QRectF& world, double maxZoom);
  void placeButtons();
  QRect minimapRect() const;
  Viewport minimapView() const;

  // --- painting (graph_view_paint.cpp) ---
  void paint(QPainter& painter);
  void paintOverlay(QPainter& painter, const ScenePainter& scenePainter);
  void paintMinimap(QPainter& painter);
  void renderOverview();
  void light(int sceneItem);

  // --- input (graph_view_input.cpp) ---
  enum class Drag { None, Pan, Rubber, Minimap };
  void hoverAt(QPointF screen);
  void setHovered(int sceneItem);
  void step(int direction);
  void stepTo(Qt::Key arrow);
  QString toolTipAt(QPointF screen, QRect* rect) const;
  void pickRubber(Qt::KeyboardModifiers modifiers);
  Item single() const;

  GraphView* q;
  QPointer<GraphModel> model;
  std::vector<QMetaObject::Connection> connections;
  Scene scene;
  ColorTable colors;
  ColorMode mode = ColorMode::Category;
  TileCache tiles;
  Viewport view;
  bool fitOnShow = true;  ///< nothing has been looked at yet: fit when a size is known
  QVector<Item> selection;
  QVector<Item> highlight;
  int currentScope = -2;
  bool minimap = true, motion = true;
  QVariantAnimation animation;
  Viewport animationFrom, animationTo;

  int hovered = -1;
  int litFor = -2;  ///< scene item whose path is lit, -1: the highlight list, -2: nothing
  std::vector<char> litItems, litWires;
  int litCount = 0;
  QTimer hoverTimer, idleTimer;

  Drag drag = Drag::None;
  bool spaceDown = false, pressMoved = false, focusByKey = false;
  QPointF pressAt, dragAt;
  Qt::MouseButton dragButton = Qt::NoButton;

  QPixmap overview;
  bool overviewStale = true;
  QToolButton *zoomButton, *fitButton;
  FrameTimes frames;
};

}  // namespace weft::widgets
