// A wire being dragged: which ports fit, snapping and painting. Also paints the other gestures.
#include <QElapsedTimer>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "graph_view/graph_view_p.h"
#include "graph_view/wire_refusals.h"

namespace weft::widgets {
namespace {

constexpr double kSnap = 26, kJudgeMs = 3;
constexpr double kPreviewGap = 8;  // pixels between a node and its preview
constexpr size_t kMaxCandidates = 400;

QPainterPath curve(QPointF a, QPointF b, bool forward) {
  const double reach = std::max(24.0, std::abs(b.x() - a.x()) / 2) * (forward ? 1 : -1);
  QPainterPath path(a);
  path.cubicTo(a + QPointF(reach, 0), b - QPointF(reach, 0), b);
  return path;
}

}  // namespace

bool GraphView::Private::Candidate::anyFits() const {
  return std::any_of(fits.begin(), fits.end(), [](const Fit& fit) { return fit.fits; });
}

void GraphView::Private::startWire(const ScenePort& port, int sceneItem, QPointF screen) {
  drag = Drag::Wire;
  WireDrag w;
  w.port = port.port;
  w.from = port.at;
  w.to = screen;
  // Dragging from a connected input detaches its wire: the drag continues from the wire's other end.
  if (!port.port.output && port.connected) {
    w.detached = scene.edgeInto(port.port);
    if (w.detached >= 0) {
      const EdgeEnds ends = model->edge(w.detached);
      w.port = {ends.from, ends.fromOutput, true};
      const int source = scene.find(scene.visibleFor(Item::node(ends.from)));
      if (source >= 0) {
        w.from = QPointF(scene.items()[static_cast<size_t>(source)].rect.right(), scene.items()[static_cast<size_t>(source)].rect.center().y());
        for (const ScenePort& p : scene.ports(source))
          if (p.port == w.port) w.from = p.at;
      }
    }
  }
  const PortInfo info = model->portInfo(w.port);
  w.text = info.shape.isEmpty() ? info.dtype : info.shape + u' ' + info.dtype;
  w.hue = Theme::current().dtype(info.dtype.section(u'|', 0, 0));
  w.over = sceneItem;
  wire = std::move(w);
  collectCandidates();
  QToolTip::hideText();
}

// Collects all visible items with ports, and the nodes that would close a loop.
void GraphView::Private::collectCandidates() {
  for (const int i : scene.leavesIn(view.toWorld(QRectF(q->rect())))) {
    if (wire->candidates.size() >= kMaxCandidates) break;
    Candidate candidate;
    candidate.item = i;
    for (const ScenePort& port : scene.ports(i))
      if (port.port.output != wire->port.output) candidate.ports.push_back(port);
    wire->candidates.push_back(std::move(candidate));
  }
  wire->upstream = scene.reach(wire->port.node, !wire->port.output);
}

GraphView::Private::Fit GraphView::Private::fitOf(Port other) const {
  Fit fit;
  const Port from = wire->port.output ? wire->port : other, to = wire->port.output ? other : wire->port;
  if (from.node == to.node || wire->upstream.count(other.node) != 0) {
    const bool loop = from.node != to.node && model->nodeOp(from.node).endsWith(QLatin1String("NextIteration"));
    if (!loop) {
      fit.why = GraphView::tr("This would create a cycle: %1 is computed from %2.").arg(model->nodeName(from.node), model->nodeName(to.node));
      return fit;
    }
  }
  fit.fits = model->canConnect(from, to, &fit.why);
  return fit;
}

// Checks which ports fit within a time budget; returns whether all are checked.
bool GraphView::Private::judge(double budgetMs) {
  QElapsedTimer timer;
  timer.start();
  for (Candidate& candidate : wire->candidates)
    while (!candidate.known()) {
      candidate.fits.push_back(fitOf(candidate.ports[candidate.fits.size()].port));
      if (static_cast<double>(timer.nsecsElapsed()) / 1e6 > budgetMs) return false;
    }
  return true;
}

void GraphView::Private::dragWire(QPointF screen, QPoint global) {
  wire->to = screen;
  wire->target = wire->refused = {};
  wire->over = -1;
  judge(kJudgeMs);
  const QPointF world = view.toWorld(screen);
  double nearest = kSnap / view.zoom;
  QString why;
  double nearestRefused = 12 / view.zoom;
  QPointF at;
  for (const Candidate& candidate : wire->candidates) {
    const QRectF rect = scene.items()[static_cast<size_t>(candidate.item)].rect;
    const bool inside = rect.contains(world);
    if (inside) wire->over = candidate.item;
    if (!inside && !rect.adjusted(-nearest, -nearest, nearest, nearest).contains(world)) continue;
    for (size_t k = 0; k < candidate.ports.size(); ++k) {
      const ScenePort& port = candidate.ports[k];
      const Fit fit = k < candidate.fits.size() ? candidate.fits[k] : fitOf(port.port);
      // Inside a node, its first fitting port counts as near; open ports before connected ones.
      double d = std::hypot(port.at.x() - world.x(), port.at.y() - world.y());
      if (fit.fits) {
        if (inside) d = std::min(d, nearest * 0.9) * (port.connected ? 1.0 : 0.5);
        if (d < nearest) {
          nearest = d;
          wire->target = port.port;
          at = port.at;
        }
      } else if (d < nearestRefused || (inside && why.isEmpty())) {
        nearestRefused = std::min(nearestRefused, d);
        why = fit.why;
        wire->refused = port.port;
      }
    }
    if (inside && candidate.ports.empty())
      why = wire->port.output ? GraphView::tr("%1 has no inputs.").arg(scene.nameOf(scene.items()[static_cast<size_t>(candidate.item)].item))
                              : GraphView::tr("%1 has no outputs.").arg(scene.nameOf(scene.items()[static_cast<size_t>(candidate.item)].item));
  }
  wire->why = why;
  if (wire->target.isValid()) {
    wire->to = view.toScreen(at);
    QToolTip::hideText();
  } else if (!why.isEmpty()) {
    QToolTip::showText(global, why, q);
  } else {
    QToolTip::hideText();
  }
}

void GraphView::Private::dropWire(QPointF screen, QPoint global) {
  if (!wire) return;
  if (pressMoved) dragWire(screen, global);
  const WireDrag done = std::move(*wire);
  wire.reset();
  q->update();
  if (!pressMoved) return;
  if (done.target.isValid()) {
    const Port from = done.port.output ? done.port : done.target, to = done.port.output ? done.target : done.port;
    if (done.detached >= 0) {
      const EdgeEnds was = model->edge(done.detached);
      if (was.to == to.node && was.toInput == to.index) return;  // dropped where it was
    }
    emit q->connectRequested(from, to, done.detached);
  } else if (done.refused.isValid()) {
    QToolTip::hideText();
    emit WireRefusals::of(*q).refused(done.port.output ? done.port : done.refused, done.port.output ? done.refused : done.port, done.why);
  } else if (done.over < 0) {
    if (done.detached >= 0) emit q->cutRequested({done.detached});
    else emit q->wireDropped(done.port, global, done.detached);
  }
}

void GraphView::Private::paintPort(QPainter& painter, QPointF at, const QColor& hue, double radius) const {
  painter.setPen(QPen(hue, 2));
  painter.setBrush(Theme::current().color(Role::Surface2));
  painter.drawEllipse(at, radius, radius);
}

void GraphView::Private::paintWireDrag(QPainter& painter) {
  const Theme& theme = Theme::current();
  if (!judge(kJudgeMs)) QTimer::singleShot(0, q, [this] { q->update(); });
  QColor veil = theme.color(Role::Surface0);
  veil.setAlphaF(0.6);
  painter.setRenderHint(QPainter::Antialiasing);
  const double scale = std::clamp(view.zoom, 0.6, 1.4);
  for (const Candidate& candidate : wire->candidates) {
    const QRectF rect = view.toScreen(scene.items()[static_cast<size_t>(candidate.item)].rect);
    if (candidate.known() && !candidate.anyFits()) {
      painter.fillRect(rect.adjusted(-4, -4, 4, 4), veil);
      continue;
    }
    for (size_t k = 0; k < candidate.fits.size(); ++k) {
      if (!candidate.fits[k].fits) continue;
      const bool snappedTo = candidate.ports[k].port == wire->target;
      paintPort(painter, view.toScreen(candidate.ports[k].at), theme.color(Role::Accent), (snappedTo ? 6.5 : 4.5) * scale);
    }
  }
  const QPointF a = view.toScreen(wire->from);
  painter.setBrush(Qt::NoBrush);
  painter.strokePath(curve(a, wire->to, wire->port.output), QPen(wire->hue, 2.6 * scale, Qt::SolidLine, Qt::RoundCap));
  paintPort(painter, a, wire->hue, 5 * scale);
  if (!wire->target.isValid()) paintPort(painter, wire->to, wire->hue, 4.5 * scale);
  if (wire->text.isEmpty()) return;
  const QFont font = theme.monoSmallFont();
  const QRectF text = QFontMetricsF(font).boundingRect(wire->text).adjusted(-6, -3, 6, 3);
  const QRectF chip(wire->to + QPointF(14, 14), text.size());
  painter.setPen(QPen(theme.color(Role::Border), 1));
  painter.setBrush(theme.color(Role::Surface2));
  painter.drawRoundedRect(chip, 4, 4);
  painter.setFont(font);
  painter.setPen(theme.color(Role::Text2));
  painter.drawText(chip, Qt::AlignCenter, wire->text);
}

void GraphView::Private::paintLifted(QPainter& painter, const ScenePainter& scenePainter) {
  if (lifted.size() != scene.items().size() || wiresLifted.size() != scene.wires().size()) return;
  Viewport moved = view;
  moved.offset -= moveDelta * view.zoom;
  const QRectF screen(q->rect());
  const auto isLifted = [this](int i) { return i >= 0 && lifted[static_cast<size_t>(i)] != 0; };
  // Wires between moving items move along; others stretch from their fixed end.
  std::vector<char> inner(wiresLifted.size(), 0);
  painter.setRenderHint(QPainter::Antialiasing);
  for (size_t w = 0; w < wiresLifted.size(); ++w) {
    if (wiresLifted[w] == 0) continue;
    const SceneWire& it = scene.wires()[w];
    const bool container = it.container >= 0 && isLifted(scene.find(Item::scope(it.container)));
    if (container || (isLifted(it.from) && isLifted(it.to))) {
      inner[w] = it.quiet ? 0 : 1;
      continue;
    }
    if (it.quiet || it.pointCount < 2) continue;
    const layout::Point& p = scene.points()[static_cast<size_t>(it.firstPoint)];
    const layout::Point& e = scene.points()[static_cast<size_t>(it.firstPoint + it.pointCount - 1)];
    const QPointF a = (isLifted(it.from) ? moved : view).toScreen(QPointF(p.x, p.y));
    const QPointF b = (isLifted(it.to) ? moved : view).toScreen(QPointF(e.x, e.y));
    QPainterPath path(a);
    if (it.joint == layout::Joint::Vertical && b.y() < a.y()) path.cubicTo(a + QPointF(0, (b.y() - a.y()) / 2), b - QPointF(0, (b.y() - a.y()) / 2), b);
    else path = curve(a, b, true);
    QPen pen(scenePainter.wireColor(it), std::max(1.0, it.width * std::min(1.0, view.zoom)));
    if (it.kind == EdgeKind::Control) pen.setDashPattern({4, 4});
    painter.strokePath(path, pen);
  }
  scenePainter.paintLit(painter, moved, screen, lifted, inner, true);
  for (const Item item : std::as_const(moving))
    if (const int i = scene.find(item); i >= 0)
      scenePainter.paintOutline(painter, moved, i, Theme::current().color(Role::Accent), Theme::current().metrics().focusRing);
}

// Value previews below their nodes.
void GraphView::Private::paintPreviews(QPainter& painter) {
  if (previews.isEmpty() || stale || view.zoom < 0.3) return;
  const Theme& theme = Theme::current();
  const QFont font = theme.monoSmallFont();
  const QFontMetricsF metrics(font);
  painter.setRenderHint(QPainter::Antialiasing);
  for (auto it = previews.cbegin(); it != previews.cend(); ++it) {
    const Item item = scene.itemNamed(it.key());
    const int i = scene.find(scene.visibleFor(item));
    if (i < 0) continue;
    const QRectF node = view.toScreen(scene.items()[static_cast<size_t>(i)].rect);
    const QStringList lines = it->text.split(u'\n', Qt::SkipEmptyParts);
    const QSizeF picture = it->picture.isNull() ? QSizeF(0, 0) : it->picture.deviceIndependentSize();
    double width = picture.width();
    for (const QString& line : lines) width = std::max(width, metrics.horizontalAdvance(line));
    QRectF box(node.left(), node.bottom() + kPreviewGap, width + 12,
               picture.height() + (picture.isEmpty() ? 8 : 14) + static_cast<double>(lines.size()) * metrics.height());
    // Kept inside the viewport while its node is visible; placed above the node where the minimap would cover it.
    box.translate(std::clamp<double>(q->width() - 4 - box.right(), std::min(0.0, 20 - box.width()), 0), 0);
    const QRectF above = box.translated(0, node.top() - kPreviewGap - box.bottom());
    const bool upward = minimap && !zoomButton->isHidden() && box.intersects(QRectF(minimapRect())) && above.top() >= 0;
    if (upward) box = above;
    if (!box.intersects(QRectF(q->rect()))) continue;
    painter.setPen(QPen(theme.color(Role::Accent), 1));
    painter.setBrush(theme.color(Role::Surface2));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.drawLine(QPointF(node.left() + 12, upward ? box.bottom() : node.bottom()), QPointF(node.left() + 12, upward ? node.top() : box.top()));
    double y = box.top() + 5;
    if (!picture.isEmpty()) {
      const QPointF at(box.left() + 6, y);
      painter.drawPixmap(at, it->picture);
      painter.setPen(QPen(theme.color(Role::Border), 1));  // visible for white values on white and black on black
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(QRectF(at, picture).adjusted(-0.5, -0.5, 0.5, 0.5));
      y += picture.height() + 5;
    }
    painter.setFont(font);
    painter.setPen(theme.color(Role::Text2));
    for (const QString& line : lines) {
      painter.drawText(QRectF(box.left() + 6, y, width, metrics.height()), Qt::AlignVCenter | Qt::AlignLeft, line);
      y += metrics.height();
    }
  }
}

// A click on a wire chooses it and selects its ends.
bool GraphView::Private::chooseWire(QPointF screen) {
  const int w = stale ? -1 : scene.hitWire(view.toWorld(screen), Theme::current().metrics().wireHit / view.zoom);
  if (w < 0) return false;
  const SceneWire& hit = scene.wires()[static_cast<size_t>(w)];
  if (hit.from < 0 || hit.to < 0 || hit.edge < 0) return false;
  setSelection({scene.items()[static_cast<size_t>(hit.from)].item, scene.items()[static_cast<size_t>(hit.to)].item});
  chosenEdge = hit.edge;
  q->update();
  return true;
}

// A wire carries all edges of its kind between its ends.
QVector<int> GraphView::Private::chosenEdges() const {
  if (selection.size() != 2) return {chosenEdge};
  const bool isControl = model->edge(chosenEdge).kind == EdgeKind::Control;
  QVector<int> edges;
  for (int e = 0; e < model->edgeCount(); ++e) {
    const EdgeEnds ends = model->edge(e);
    if ((ends.kind == EdgeKind::Control) != isControl) continue;
    if (scene.visibleFor(Item::node(ends.from)) == selection[0] && scene.visibleFor(Item::node(ends.to)) == selection[1]) edges << e;
  }
  return edges;
}

void GraphView::Private::paintComposing(QPainter& painter, const ScenePainter& scenePainter) {
  const Theme& theme = Theme::current();
  if (chosenEdge >= 0 && !stale) {
    for (const SceneWire& it : scene.wires()) {
      if (it.edge != chosenEdge || it.pointCount < 2) continue;
      const QPainterPath path = QTransform(view.zoom, 0, 0, view.zoom, -view.offset.x(), -view.offset.y()).map(scene.wirePath(it));
      painter.setRenderHint(QPainter::Antialiasing);
      painter.strokePath(path, QPen(theme.color(Role::Accent), 3));
    }
  }
  if (!lifted.empty()) paintLifted(painter, scenePainter);
  paintPreviews(painter);
  if (markedWire >= 0 && static_cast<size_t>(markedWire) < scene.wires().size()) {
    QPainterPath path = scene.wirePath(scene.wires()[static_cast<size_t>(markedWire)]);
    path = QTransform(view.zoom, 0, 0, view.zoom, -view.offset.x(), -view.offset.y()).map(path);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.strokePath(path, QPen(theme.color(Role::Accent), 4));
  }
  paintChosenAnnotation(painter);
  if (drag == Drag::Wire && wire) {
    paintWireDrag(painter);
  } else if (hoveredPort.port.isValid() && drag == Drag::None && portsShown()) {
    painter.setRenderHint(QPainter::Antialiasing);
    paintPort(painter, view.toScreen(hoveredPort.at), theme.color(Role::Accent), 6 * std::clamp(view.zoom, 0.6, 1.4));
  }
  if (!stroke.isEmpty() && pressMoved) {
    QPen pen(theme.color(drag == Drag::Cut ? Role::Error : Role::Accent), 1.5, drag == Drag::Cut ? Qt::DashLine : Qt::SolidLine);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    if (drag == Drag::Lazy) painter.drawLine(stroke.first(), stroke.last());
    else painter.drawPolyline(stroke);
  }
}

}  // namespace weft::widgets
