// Tooltips of the canvas.
#include "common/format.h"
#include "graph_view/graph_view_p.h"

namespace weft::widgets {
namespace {

QString plain(const QString& text) { return text.toHtmlEscaped(); }

}  // namespace

QString GraphView::Private::toolTipAt(QPointF screen, QRect* rect) const {
  if (model == nullptr || stale) return {};
  if (const int chip = chipAt(screen); chip >= 0) {
    *rect = ScenePainter::hiddenWiresChip(scene.items()[static_cast<size_t>(chip)], view).toAlignedRect().adjusted(-2, -2, 2, 2);
    return chipToolTip(chip);
  }
  if (hoveredPort.port.isValid()) {
    const PortInfo info = model->portInfo(hoveredPort.port);
    *rect = QRectF(screen - QPointF(8, 8), QSizeF(16, 16)).toRect();
    QStringList text{
        QStringLiteral("<b>%1</b> %2")
            .arg(plain(info.name.isEmpty() ? QString::number(hoveredPort.port.index) : info.name), plain(lastPart(model->nodeName(hoveredPort.port.node))))};
    text << plain((info.shape.isEmpty() ? GraphView::tr("unknown shape") : info.shape) + u' ' + info.dtype);
    if (!info.doc.isEmpty()) text << plain(info.doc);
    if (!hoveredPort.connected) text << (hoveredPort.port.output ? GraphView::tr("not used yet") : GraphView::tr("nothing is connected"));
    return text.join(QStringLiteral("<br>"));
  }
  const QPointF world = view.toWorld(screen);
  const int i = scene.hit(world);
  QStringList lines;
  if (i >= 0 && !scene.items()[static_cast<size_t>(i)].open) {
    const SceneItem& it = scene.items()[static_cast<size_t>(i)];
    *rect = view.toScreen(it.rect).toAlignedRect();
    lines << QStringLiteral("<b>%1</b>").arg(plain(scene.nameOf(it.item)));
    if (it.item.isNode()) {
      const QString detail = model->nodeDetail(it.item.index), device = model->nodeDevice(it.item.index);
      lines << plain(detail.isEmpty() ? model->nodeOp(it.item.index) : model->nodeOp(it.item.index) + QStringLiteral(" · ") + detail);
      if (!device.isEmpty()) lines << plain(device);
    } else {
      lines << formatOps(it.ops);
      for (const QString& line : scene.scopeDetail(it.item.index))
        if (line != lines.last()) lines << plain(line);
    }
    QStringList shapes;
    for (const SceneWire& wire : scene.wires()) {
      if (wire.to != i || wire.edge < 0 || wire.kind == EdgeKind::Control || shapes.size() >= 6) continue;
      const QString shape = model->edgeShape(wire.edge), dtype = model->edgeDType(wire.edge);
      const EdgeEnds ends = model->edge(wire.edge);
      shapes << GraphView::tr("in %1: %2 %3").arg(plain(lastPart(model->nodeName(ends.from))), shape.isEmpty() ? QStringLiteral("?") : shape, dtype);
    }
    lines += shapes;
    if (!it.status.value.isEmpty()) lines << plain(it.status.value);
    const QString extra = it.group ? QString() : model->toolTip(it.item);
    if (!extra.isEmpty()) lines << plain(extra).replace(u'\n', QStringLiteral("<br>"));
  } else if (const int w = scene.hitWire(world, Theme::current().metrics().wireHit / view.zoom); w >= 0) {
    const SceneWire& wire = scene.wires()[static_cast<size_t>(w)];
    *rect = QRectF(screen - QPointF(8, 8), QSizeF(16, 16)).toRect();
    if (wire.edge < 0) {  // a bundle between scopes
      const auto nameAt = [this](int item) { return item < 0 ? QString() : plain(scene.nameOf(scene.items()[static_cast<size_t>(item)].item)); };
      lines << QStringLiteral("<b>%1</b> → %2").arg(nameAt(wire.from), nameAt(wire.to));
      lines << (wire.kind == EdgeKind::Control ? GraphView::tr("Control dependencies: the sources run first, no data is passed.")
                                               : GraphView::tr("Several tensors: expand the scopes to see each."));
      if (wire.traffic >= 0) lines << GraphView::tr("from task to task, %1 per step").arg(formatBytes(wire.traffic));
      return lines.join(QStringLiteral("<br>"));
    }
    const EdgeEnds ends = model->edge(wire.edge);
    const QString from = model->nodeName(ends.from) + (wire.kind == EdgeKind::Control ? QString() : QStringLiteral(":%1").arg(ends.fromOutput));
    lines << QStringLiteral("<b>%1</b> → %2").arg(plain(from), plain(model->nodeName(ends.to)));
    if (wire.kind == EdgeKind::Control) {
      lines << GraphView::tr("control dependency: runs first, no data passed");
    } else {
      const QString shape = model->edgeShape(wire.edge);
      QString line = (shape.isEmpty() ? GraphView::tr("unknown shape") : shape) + u' ' + model->edgeDType(wire.edge);
      if (model->edgeBytes(wire.edge) >= 0) line += QStringLiteral(" · ") + formatBytes(model->edgeBytes(wire.edge));
      lines << plain(line);
    }
    if (wire.tensors > 1) lines << GraphView::tr("%n tensors run along it: expand the scopes to see each.", nullptr, wire.tensors);
    if (wire.traffic >= 0) lines << GraphView::tr("from task to task, %1 per step").arg(formatBytes(wire.traffic));
    else if (wire.crossesTasks) lines << GraphView::tr("from task to task");
    const QString problem = model->edgeProblem(wire.edge);
    if (!problem.isEmpty()) lines << plain(problem);
  } else if (i >= 0) {
    const SceneItem& it = scene.items()[static_cast<size_t>(i)];
    const QRectF header(view.toScreen(it.rect.topLeft()), QSizeF(it.rect.width(), 24) * view.zoom);
    if (!header.contains(screen)) return {};
    *rect = header.toAlignedRect();
    lines << QStringLiteral("<b>%1</b>").arg(plain(scene.nameOf(it.item))) << formatOps(it.ops);
  }
  return lines.join(QStringLiteral("<br>"));
}

}  // namespace weft::widgets
