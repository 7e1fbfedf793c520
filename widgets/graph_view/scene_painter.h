#pragma once

#include <QPainter>
#include <vector>

#include "graph_view/color_table.h"
#include "graph_view/scene.h"
#include "graph_view/viewport.h"

namespace weft::widgets {

/// How much of a node is drawn, depending on its height on screen.
enum class Tier { Heat, Rect, Name, Normal, Large };
Tier tierFor(double heightOnScreen, const Metrics& metrics);

/// Draws a scene. Uses only features that the raster engine supports; keeps no state of its own.
class ScenePainter {
 public:
  ScenePainter(const Scene& scene, const Theme& theme, const ColorTable& colors, ColorMode mode);

  /// Flags of items and wires that `paint` omits because they are drawn elsewhere; may be null. Must outlive the painter.
  void setHidden(const std::vector<char>* items, const std::vector<char>* wires) {
    hiddenItems_ = items;
    hiddenWires_ = wires;
  }
  /// Paints everything that touches `screen`, background first. The painter's origin is the screen's.
  void paint(QPainter& painter, const Viewport& view, const QRectF& screen) const;
  /// Paints only the flagged items and wires over the existing picture; open scopes only if `scopes`.
  void paintLit(QPainter& painter, const Viewport& view, const QRectF& screen, const std::vector<char>& items, const std::vector<char>& wires,
                bool scopes = false) const;
  /// The outline of a selected, hovered or focused item.
  void paintOutline(QPainter& painter, const Viewport& view, int sceneItem, const QColor& color, double width, double gap = 0) const;

  QColor wireColor(const SceneWire& wire) const;
  /// Screen rectangle of the hidden wires' chip; empty: not drawn.
  static QRectF hiddenWiresChip(const SceneItem& it, const Viewport& view);

 private:
  struct Hues {
    QColor surface0, surface1, surface2, surface3, border, borderStrong, text1, text2, text3, disabled, accent, accentSoft, error, nan, grid;
  };
  void paintFrames(QPainter& painter, const Viewport& view, const QRectF& screen) const;
  void paintNotes(QPainter& painter, const Viewport& view, const QRectF& screen) const;
  void paintFlow(QPainter& painter, const Viewport& view, const SceneFrame& frame) const;
  void paintFlowTitle(QPainter& painter, const QRectF& frame, const QString& title, double zoom) const;
  void paintLane(QPainter& painter, const Viewport& view, const SceneFrame::Lane& lane) const;
  void paintFlowMark(QPainter& painter, QPointF centre, layout::ScopeFlow flow) const;
  void paintGrid(QPainter& painter, const Viewport& view, const QRectF& screen) const;
  void paintOpenScope(QPainter& painter, const Viewport& view, const SceneItem& it) const;
  void paintWires(QPainter& painter, const Viewport& view, const std::vector<int>& wires, const QRectF& screen, const std::vector<char>* lit) const;
  void paintWire(QPainter& painter, const Viewport& view, const SceneWire& wire, bool lit) const;
  void paintEnds(QPainter& painter, const Viewport& view, const SceneWire& wire) const;
  void paintLeaf(QPainter& painter, const Viewport& view, const SceneItem& it) const;
  void paintNode(QPainter& painter, const SceneItem& it) const;
  void paintVariable(QPainter& painter, const SceneItem& it) const;
  void paintClosedScope(QPainter& painter, const SceneItem& it) const;
  void paintRepeat(QPainter& painter, const QRectF& rect, int repeat) const;
  void paintLoss(QPainter& painter, const QRectF& rect) const;
  void paintMark(QPainter& painter, QPointF corner, const QString& text, bool fromLeft = false) const;
  void paintHiddenWires(QPainter& painter, const Viewport& view, const SceneItem& it) const;
  void paintSelfLoop(QPainter& painter, const SceneItem& it) const;
  void paintSmallTitle(QPainter& painter, const Viewport& view, const SceneItem& it) const;
  void paintOpMix(QPainter& painter, const SceneItem& it, const QRectF& bar) const;
  void paintBadges(QPainter& painter, const SceneItem& it) const;
  void strikeOut(QPainter& painter, const QRectF& r) const;
  void paintName(QPainter& painter, const QRectF& screenRect, const SceneItem& it) const;
  QColor fillOf(const SceneItem& it) const;
  void paintOpenPorts(QPainter& painter, const Viewport& view, int sceneItem) const;

  const std::vector<char>*hiddenItems_ = nullptr, *hiddenWires_ = nullptr;
  const Scene& scene_;
  const Theme& theme_;
  const ColorTable& colors_;
  ColorMode mode_;
  const Metrics& m_;
  CanvasFonts fonts_;
  Hues h_;
  std::vector<QColor> dtypeColors_;
  std::vector<QColor> categoryColors_;
};

/// A rounded strip along the left edge of a rounded rectangle.
QPainterPath leftBar(const QRectF& rect, double radius, double width);
/// A rectangle with a point at the right: the shape of placeholders.
QPainterPath tagShape(const QRectF& rect, double radius);

}  // namespace weft::widgets
