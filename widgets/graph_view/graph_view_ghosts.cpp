// Draws what only a compared graph has: dashed boxes in free places beside the nodes that they would be wired to.
#include <QPainter>
#include <algorithm>

#include "common/format.h"
#include "graph_view/graph_view_p.h"

namespace weft::widgets {
namespace {

constexpr double kWidth = 112, kHeight = 40, kGap = 28, kStep = 12;
constexpr int kTries = 60;
constexpr double kLeastZoom = 0.35;  // text is unreadable below this zoom

}  // namespace

void GraphView::setGhosts(const QVector<Ghost>& ghosts) {
  d_->ghosts = ghosts;
  d_->ghostPlaces.clear();
  d_->ghostsPlaced = false;
  update();
}

QRectF GraphView::ghostRect(const QString& name) const {
  if (!d_->ghostsPlaced) d_->placeGhosts();
  for (qsizetype i = 0; i < d_->ghosts.size(); ++i)
    if (d_->ghosts[i].name == name) return QRectF(d_->view.toScreen(d_->ghostPlaces[i].topLeft()), d_->ghostPlaces[i].size() * d_->view.zoom);
  return {};
}

int GraphView::Private::shownAs(const QString& name) const {
  const Item item = name.isEmpty() ? Item() : scene.itemNamed(name);
  return item ? scene.find(scene.visibleFor(item)) : -1;
}

/// Places each ghost after its source, else before its target, else below the graph; moves down if the place is taken.
void GraphView::Private::placeGhosts() {
  ghostsPlaced = true;
  ghostPlaces.clear();
  const QRectF all = scene.bounds();
  for (const Ghost& ghost : std::as_const(ghosts)) {
    const int before = shownAs(ghost.before), after = shownAs(ghost.after);
    QPointF at(all.left(), all.bottom() + kGap);
    if (before >= 0) at = scene.items()[static_cast<size_t>(before)].rect.topRight() + QPointF(kGap, 0);
    else if (after >= 0) at = scene.items()[static_cast<size_t>(after)].rect.topLeft() - QPointF(kGap + kWidth, 0);
    QRectF place(at, QSizeF(kWidth, kHeight));
    const auto taken = [&] {
      if (std::any_of(ghostPlaces.cbegin(), ghostPlaces.cend(), [&](const QRectF& other) { return other.intersects(place); })) return true;
      for (const int leaf : scene.leavesIn(place))
        if (scene.items()[static_cast<size_t>(leaf)].rect.intersects(place)) return true;
      return false;
    };
    for (int i = 0; i < kTries && taken(); ++i) place.translate(0, kStep);
    ghostPlaces.append(place);
  }
}

void GraphView::Private::paintGhosts(QPainter& painter) {
  if (ghosts.isEmpty() || stale) return;
  if (!ghostsPlaced) placeGhosts();
  const Theme& theme = Theme::current();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor line = theme.color(Role::Text3);
  for (qsizetype i = 0; i < ghosts.size(); ++i) {
    const QRectF r(view.toScreen(ghostPlaces[i].topLeft()), ghostPlaces[i].size() * view.zoom);
    painter.setPen(QPen(line, 1, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    const auto wire = [&](QPointF from, QPointF to) { painter.drawLine(from, to); };
    const auto middle = [&](int item, bool right) {
      const QRectF& rect = scene.items()[static_cast<size_t>(item)].rect;
      return view.toScreen(QPointF(right ? rect.right() : rect.left(), rect.center().y()));
    };
    if (const int before = shownAs(ghosts[i].before); before >= 0) wire(middle(before, true), QPointF(r.left(), r.center().y()));
    if (const int after = shownAs(ghosts[i].after); after >= 0) wire(QPointF(r.right(), r.center().y()), middle(after, false));
    painter.setBrush(theme.color(Role::Surface2));
    painter.setPen(QPen(theme.color(Role::BorderStrong), 1, Qt::DashLine));
    painter.drawRoundedRect(r, theme.metrics().radius * view.zoom, theme.metrics().radius * view.zoom);
    if (view.zoom < kLeastZoom) continue;
    painter.save();
    painter.translate(r.topLeft());
    painter.scale(view.zoom, view.zoom);
    const QString last = ghosts[i].name.mid(ghosts[i].name.lastIndexOf(u'/') + 1);
    QFont bold = theme.uiFont();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(theme.color(Role::Text2));
    painter.drawText(QRectF(8, 3, kWidth - 16, 18), Qt::AlignLeft | Qt::AlignVCenter, elideName(last, QFontMetricsF(bold), kWidth - 16));
    const QFont small = theme.monoSmallFont();
    painter.setFont(small);
    painter.setPen(theme.color(Role::Text3));
    painter.drawText(QRectF(8, 20, kWidth - 16, 16), Qt::AlignLeft | Qt::AlignVCenter, elideName(ghosts[i].detail, QFontMetricsF(small), kWidth - 16));
    painter.restore();
  }
  painter.restore();
}

}  // namespace weft::widgets
