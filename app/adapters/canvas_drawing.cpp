#include "adapters/canvas_drawing.h"

#include <algorithm>
#include <tuple>

#include "adapters/engine_graph.h"
#include "graph_view/drawing.h"
#include "weft/canvas_drawing.h"

namespace weft::app {
namespace {

constexpr int kJoints = 3;
// Every step of the history keeps its drawing. Above kMostWired places only positions are kept; above kMostPlaces nothing is, and the layout is computed anew.
constexpr size_t kMostPlaces = 20000, kMostWired = 4000;

layout::KeptLink wayOf(const CanvasDrawing::Wire& wire) {
  layout::KeptLink way;
  for (size_t i = 0; i + 1 < wire.points.size(); i += 2) way.points.push_back({wire.points[i], wire.points[i + 1]});
  way.from = {wire.boxes[0], wire.boxes[1], wire.boxes[2], wire.boxes[3]};
  way.to = {wire.boxes[4], wire.boxes[5], wire.boxes[6], wire.boxes[7]};
  way.joint = static_cast<layout::Joint>(std::clamp(wire.joint, 0, kJoints - 1));
  way.quiet = wire.quiet;
  way.back = wire.back;
  return way;
}

CanvasDrawing::Wire wireOf(const widgets::Drawing::Wire& shown) {
  CanvasDrawing::Wire wire;
  wire.scope = shown.container;
  wire.ends = shown.ends;
  for (const layout::Point& p : shown.way.points) {
    wire.points.push_back(float(p.x));
    wire.points.push_back(float(p.y));
  }
  const layout::Box &a = shown.way.from, &b = shown.way.to;
  wire.boxes = {float(a.x), float(a.y), float(a.w), float(a.h), float(b.x), float(b.y), float(b.w), float(b.h)};
  wire.joint = int(shown.way.joint);
  wire.quiet = shown.way.quiet;
  wire.back = shown.way.back;
  return wire;
}

}  // namespace

DrawingPtr drawingOf(const GraphContents& contents) {
  const CanvasDrawing kept = canvasDrawingOf(contents.engine->loaded.meta);
  auto out = std::make_shared<widgets::Drawing>();
  for (const CanvasDrawing::Place& p : kept.places) {
    if (p.width <= 0 || p.height <= 0) continue;  // positioned by hand, but without a laid-out size
    out->places.push_back({text(p.name), p.isScope, !p.automatic, p.expanded, QRectF(p.x, p.y, double(p.width), double(p.height))});
  }
  if (out->places.empty()) return nullptr;
  for (const CanvasDrawing::Wire& w : kept.wires) out->wires.push_back({w.scope, w.ends, wayOf(w)});
  for (const CanvasDrawing::Port& port : kept.ports) out->ports.push_back({port.scope, port.port, port.below});
  return out;
}

std::shared_ptr<const EngineGraph> withDrawing(std::shared_ptr<const EngineGraph> graph, const DrawingPtr& drawing) {
  if (!drawing || drawing->places.empty() || drawing->places.size() > kMostPlaces) return graph;
  CanvasDrawing kept;
  kept.places.reserve(drawing->places.size());
  for (const widgets::Drawing::Place& p : drawing->places)
    kept.places.push_back({p.name.toStdString(), p.scope, p.box.x(), p.box.y(), float(p.box.width()), float(p.box.height()), !p.byHand, p.open});
  if (drawing->places.size() <= kMostWired) {
    for (const widgets::Drawing::Wire& w : drawing->wires) kept.wires.push_back(wireOf(w));
    for (const widgets::Drawing::Port& port : drawing->ports) kept.ports.push_back({port.container, port.key, port.below});
  }
  // Sorted, so that equal drawings give equal bytes.
  std::sort(kept.places.begin(), kept.places.end(), [](const auto& a, const auto& b) { return std::tie(a.name, a.isScope) < std::tie(b.name, b.isScope); });
  std::sort(kept.wires.begin(), kept.wires.end(), [](const auto& a, const auto& b) { return std::tie(a.scope, a.ends) < std::tie(b.scope, b.ends); });
  std::sort(kept.ports.begin(), kept.ports.end(), [](const auto& a, const auto& b) { return std::tie(a.scope, a.port) < std::tie(b.scope, b.port); });
  LoadedGraph noted = graph->loaded;
  setCanvasDrawing(noted.meta, kept);
  return std::make_shared<const EngineGraph>(std::move(noted));
}

GraphContentsPtr drawnContents(const GraphContentsPtr& contents, const DrawingPtr& drawing) {
  if (contents->engine->loaded.original) return contents;
  auto out = std::make_shared<GraphContents>();
  out->engine = withDrawing(contents->engine, drawing);
  return out;
}

}  // namespace weft::app
