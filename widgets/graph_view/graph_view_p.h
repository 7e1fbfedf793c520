// State of GraphView, shared by its source files.
#pragma once

#include <QElapsedTimer>
#include <QLineEdit>
#include <QMap>
#include <QMetaObject>
#include <QPointer>
#include <QTimer>
#include <QToolButton>
#include <QVariantAnimation>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <unordered_set>
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

  // --- structure (graph_view_layout.cpp) ---
  struct Job;
  void resetModel();
  bool isLarge() const;
  void startJob();
  void takeJob();
  void dropJob();
  /// Queues `call` until the layout in progress has arrived; false: there is none.
  bool waits(std::function<void()> call);
  struct Hold {
    std::uint64_t key = 0;  ///< of the item, 0: none
    QPointF at;             ///< its top left corner in the graph
  };
  Hold hold(Item item = {}) const;
  void relayout(const Hold& held);
  void showScene(const Hold& held);
  void afterReset(const Hold& held);
  void statusChanged();
  void recolor();
  void setSelection(QVector<Item> items);
  void emitCurrentScope();
  void toggle(int scope);
  /// The item at a screen point, groups included.
  Item itemAt(QPointF screen) const;
  void updateAccessible();

  // --- arrangements and hidden wires (graph_view_arrangement.cpp) ---
  void arrange(const Arrangement& arrangement);
  void arrangeNow();
  void showArranged(bool shown);
  void keepLook();
  std::vector<std::uint64_t> selectedKeys() const;
  /// The scene does not yet match the requested state.
  bool pending() const { return stale || !(scene.arrangement() == wanted); }
  int chipAt(QPointF screen) const;
  QString chipToolTip(int sceneItem) const;
  void showWires(const QVector<Item>& items, bool shown);
  struct Look {
    Viewport view;
    bool whole = false, first = false;
  };
  Arrangement wanted;
  std::map<int, Look> looks;

  // --- view ---
  void setView(const Viewport& view, bool animate = false);
  QRectF contentRect() const;

  // --- ghosts of a compared graph (graph_view_ghosts.cpp) ---
  void placeGhosts();
  void paintGhosts(QPainter& painter);
  /// The visible scene item that represents the node or scope of that name; -1: none.
  int shownAs(const QString& name) const;
  QVector<Ghost> ghosts;
  QVector<QRectF> ghostPlaces;  // in graph coordinates
  bool ghostsPlaced = false;

  void changed();
  void fit(const QRectF& world, double maxZoom);
  /// Shows a graph for the first time: all of it if its names are readable then, else the start of its data flow.
  void firstLook();
  void placeButtons();
  QRect minimapRect() const;
  Viewport minimapView() const;
  bool onMinimap(QPointF screen) const;
  double minimapOpacity() const;

  // --- painting (graph_view_paint.cpp) ---
  void paint(QPainter& painter);
  void paintOverlay(QPainter& painter, const ScenePainter& scenePainter);
  void paintMinimap(QPainter& painter);
  void renderOverview();
  void light(int sceneItem);

  // --- input (graph_view_input.cpp) ---
  enum class Drag { None, Pan, Rubber, Minimap, Wire, Press, Move, Note, Resize, Cut, Reroute, Lazy };
  void hoverAt(QPointF screen);
  void setHovered(int sceneItem);
  void step(int direction);
  void stepTo(Qt::Key arrow);
  QString toolTipAt(QPointF screen, QRect* rect) const;
  void pickRubber(Qt::KeyboardModifiers modifiers);

  // --- editing (graph_view_compose.cpp, graph_view_wire.cpp) ---
  struct Fit {
    bool fits = false;
    QString why;
  };
  struct Candidate {
    int item = -1;
    std::vector<ScenePort> ports;
    std::vector<Fit> fits;  ///< as far as known; one per port
    bool known() const { return fits.size() == ports.size(); }
    bool anyFits() const;
  };
  /// A wire being dragged from a port.
  struct WireDrag {
    Port port;
    QPointF from;       ///< in graph coordinates
    QPointF to;         ///< on screen: the pointer, or the port that it snapped to
    int detached = -1;  ///< the edge detached from its old input
    QString text;       ///< dtype and shape of the tensor
    QColor hue;
    std::vector<Candidate> candidates;
    std::unordered_set<int> upstream;  ///< nodes that reach the port's node: wires to them would close a loop
    Port target;
    int over = -1;  ///< scene item under the pointer
    Port refused;   ///< the port under the pointer that does not accept the wire, and why
    QString why;
  };
  bool editable() const { return model != nullptr && !stale && model->isEditable() && scene.arrangement().isComposed(); }
  bool portsShown() const { return editable() && view.zoom >= 0.45; }
  bool pressOnAnnotation(QPointF at);
  /// Edges of the selected annotation that can be dragged at that screen point.
  Qt::Edges handleAt(QPointF at) const;
  const SceneAnnotation* chosenAnnotation() const;
  QRectF resized(const SceneAnnotation& annotation) const;
  void paintChosenAnnotation(QPainter& painter);
  void closeEditor();
  QLineEdit* openEditor(const QRectF& at, const QString& text, const QString& name, bool note, std::function<void(const QString&)> done);
  bool pressForComposing(QMouseEvent* event);
  void dragComposing(QMouseEvent* event);
  bool releaseComposing(QMouseEvent* event);
  void startWire(const ScenePort& port, int sceneItem, QPointF screen);
  void collectCandidates();
  Fit fitOf(Port other) const;
  bool judge(double budgetMs);
  void dragWire(QPointF screen, QPoint global);
  void dropWire(QPointF screen, QPoint global);
  void lift();
  void clearLift();
  void endDrag();
  QPointF snapped(QPointF delta) const;
  int insertTarget(QPointF world) const;
  void connectLazily(Item from, Item to);
  void paintComposing(QPainter& painter, const ScenePainter& scenePainter);
  void paintWireDrag(QPainter& painter);
  void paintLifted(QPainter& painter, const ScenePainter& scenePainter);
  void paintPreviews(QPainter& painter);
  void paintPort(QPainter& painter, QPointF at, const QColor& hue, double radius) const;
  Item single() const;

  GraphView* q;
  QPointer<GraphModel> model;
  std::vector<QMetaObject::Connection> connections;
  std::shared_ptr<const GraphModel> snapshot;  ///< of the current model; made when a worker first needs it
  std::shared_ptr<Job> job;
  bool again = false;       ///< the job in progress is out of date
  bool stale = false;       ///< the scene's indexes do not match the model any more
  bool newDocument = true;  ///< the next scene belongs to another document
  bool asynchronous = true;
  const GraphModel* shownModel = nullptr;  ///< for comparison only
  std::vector<std::uint64_t> keptSelection;
  std::uint64_t heldKey = 0;
  std::vector<std::function<void()>> later;
  Scene scene;
  ColorTable colors;
  ColorMode mode = ColorMode::Category;
  TileCache tiles;
  Viewport view;
  bool whole = false;     // the view was set by fitAll(): it shows everything
  bool first = false;     // the view was set by firstLook()
  bool fitOnShow = true;  ///< the user has not moved the view yet: fit when the size is known
  QVector<Item> selection;
  QVector<Item> highlight;
  int currentScope = -2;
  bool minimap = true, motion = true;
  QVariantAnimation animation;
  Viewport animationFrom, animationTo;

  int hovered = -1;
  int litFor = -2;  ///< scene item whose path is highlighted, -1: the highlight list, -2: nothing
  std::vector<char> litItems, litWires;
  int litCount = 0;
  QTimer hoverTimer, idleTimer;

  Drag drag = Drag::None;
  bool spaceDown = false, pressMoved = false, focusByKey = false;
  QPointF pressAt, dragAt;
  Qt::MouseButton dragButton = Qt::NoButton;

  std::optional<WireDrag> wire;
  ScenePort hoveredPort;
  bool onChip = false;
  QVector<Item> moving;                   ///< the moving items, without the contents of moving scopes
  std::vector<char> lifted, wiresLifted;  ///< scene items and wires that are drawn apart from the tiles while they move
  QPointF moveDelta;                      ///< in graph coordinates
  QPolygonF stroke;                       ///< of a cut or a reroute, on screen
  int markedWire = -1;                    ///< a dropped node would be inserted here
  int chosenEdge = -1;                    ///< of the clicked wire; both its ends are selected
  bool chooseWire(QPointF screen);
  QVector<int> chosenEdges() const;
  bool cutsWire() const { return chosenEdge >= 0 && !stale && model != nullptr && model->isEditable(); }
  bool isCanvas(Item item, QPointF at) const;
  bool menuSuppressed = false;
  Item lazyFrom, clickedAgain;
  QString note;  ///< id of the selected annotation
  QPointer<QLineEdit> renamer;
  Qt::Edges pulled, hoveredHandle;  ///< edges of the selected annotation: being dragged, and under the pointer
  QMap<int, CanvasBookmark> bookmarks;
  struct Preview {
    QPixmap picture;
    QString text;
  };
  QMap<QString, Preview> previews;

  QPixmap overview;
  bool overviewStale = true;
  QToolButton *zoomButton, *fitButton;
  FrameTimes frames;
};

}  // namespace weft::widgets
