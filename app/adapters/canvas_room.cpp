#include "adapters/canvas_room.h"

#include <QRectF>
#include <algorithm>
#include <cmath>

#include "weft/canvas_drawing.h"
#include "weft/edit.h"

namespace weft::app {
namespace {

constexpr double kGap = 24, kWireGap = 28, kStep = 8;
constexpr int kTries = 200;

QRectF boxOf(const CanvasDrawing::Place& p) { return {p.x, p.y, double(p.width), double(p.height)}; }
std::string parentOf(const std::string& name) { return name.find('/') == name.npos ? std::string() : name.substr(0, name.rfind('/')); }

/// The place of a node or scope; null if it has none with a size.
const CanvasDrawing::Place* placeOf(const CanvasDrawing& drawing, const std::string& name, bool isScope) {
  for (const CanvasDrawing::Place& p : drawing.places)
    if (p.isScope == isScope && p.name == name && p.width > 0) return &p;
  return nullptr;
}
/// The place that represents a node within scope `around`: its own, or that of the enclosing scope directly inside `around`.
const CanvasDrawing::Place* addOpenInput(const CanvasDrawing& drawing, const std::string& around, const std::string& name) {
  const size_t begin = around.empty() ? 0 : around.size() + 1, slash = name.find('/', begin);
  return slash == name.npos ? placeOf(drawing, name, false) : placeOf(drawing, name.substr(0, slash), true);
}

std::string commonScope(const std::string& a, const std::string& b) {
  std::string scope = parentOf(a);
  while (!scope.empty() && !b.starts_with(scope + "/")) scope = parentOf(scope);
  return scope;
}

}  // namespace

void placeBeside(MetaGraph& meta, const std::vector<std::pair<std::string, std::string>>& copies) {
  const CanvasDrawing drawing = canvasDrawingOf(meta);
  struct Copy {
    std::string name;
    QRectF from;
  };
  std::vector<Copy> placed;
  QRectF all;
  std::string around;
  for (const auto& [copy, original] : copies) {
    const CanvasDrawing::Place* p = placeOf(drawing, original, meta.graph.find(original) == nullptr);
    if (!p) continue;
    if (placed.empty()) around = parentOf(original);
    if (parentOf(original) != around) continue;
    placed.push_back({copy, boxOf(*p)});
    all = all.united(placed.back().from);
  }
  if (placed.empty()) return;
  std::vector<QRectF> taken;
  for (const CanvasDrawing::Place& p : drawing.places)
    if (p.width > 0 && parentOf(p.name) == around) taken.push_back(boxOf(p).adjusted(-kGap / 2, -kGap / 2, kGap / 2, kGap / 2));
  const auto isFree = [&](double dy) {
    return std::none_of(placed.begin(), placed.end(), [&](const Copy& c) {
      const QRectF box = c.from.translated(0, dy);
      return std::any_of(taken.begin(), taken.end(), [&](const QRectF& t) { return t.intersects(box); });
    });
  };
  double dy = std::ceil(all.height() + kGap);
  for (int i = 0; i < kTries && !isFree(dy); ++i) dy = dy > 0 && isFree(-dy) ? -dy : std::abs(dy) + kStep;
  for (const Copy& c : placed) placeOnCanvas(meta, {c.name, meta.graph.find(c.name) == nullptr, c.from.x(), c.from.y() + dy, false});
}

void makeRoomBetween(MetaGraph& meta, const std::string& from, const std::string& to, double width) {
  CanvasDrawing drawing = canvasDrawingOf(meta);
  const std::string around = commonScope(from, to);
  const CanvasDrawing::Place *a = addOpenInput(drawing, around, from), *b = addOpenInput(drawing, around, to);
  if (!a || !b || a == b) return;
  const double cut = b->x, gap = cut - (a->x + double(a->width)), need = std::ceil(width + 2 * kWireGap - gap);
  if (gap < 0 || need <= 0) return;
  for (CanvasDrawing::Place& p : drawing.places)
    if (parentOf(p.name) == around && p.x >= cut - 1) p.x += need;
  setCanvasDrawing(meta, drawing);
  std::vector<CanvasNote> notes = canvasNotesOf(meta);
  for (CanvasNote& note : notes) {
    if (note.scope != around) continue;
    if (note.x >= cut - 1) note.x += need;
    else if (note.kind == CanvasNote::Kind::Frame && note.x + note.width > cut) note.width += need;
  }
  setCanvasNotes(meta, notes);
}

}  // namespace weft::app
