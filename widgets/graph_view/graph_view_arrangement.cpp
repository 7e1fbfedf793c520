// Switches arrangements and keeps hidden wires drawn.
#include <QToolTip>

#include "graph_view/graph_view_p.h"

namespace weft::widgets {
namespace {

constexpr qsizetype kMostKept = 500;  // maximum members of a selected group that stay selected in another arrangement
constexpr double kChipReach = 4;      // around a chip, on screen
constexpr int kMostLines = 8;         // of a tooltip

int idOf(const Arrangement& arrangement) { return static_cast<int>(arrangement.kind) * 64 + arrangement.depth; }

}  // namespace

std::vector<std::uint64_t> GraphView::Private::selectedKeys() const {
  std::vector<std::uint64_t> keys;
  for (const Item item : std::as_const(selection)) {
    const QVector<Item> members = scene.members(item);
    if (members.size() > kMostKept) continue;
    for (const Item member : members) keys.push_back(scene.key(member));
  }
  return keys;
}

void GraphView::Private::keepLook() { looks[idOf(scene.arrangement())] = {view, whole, first}; }

// Restores the view that this arrangement had when it was last shown.
void GraphView::Private::showArranged(bool shown) {
  const QVector<Item> before = std::exchange(selection, {});
  for (const std::uint64_t key : keptSelection)
    if (const Item item = scene.itemWithKey(key)) selection.append(item);
  highlight.clear();
  if (!shown) showScene({});
  tiles.clear();
  const bool moved = std::exchange(motion, false);
  const auto look = looks.find(idOf(scene.arrangement()));
  if (look == looks.end()) {
    firstLook();
    const int at = selection.isEmpty() ? -1 : scene.find(scene.visibleFor(selection.last()));
    if (at >= 0) view = view.revealing(scene.items()[static_cast<size_t>(at)].rect, q->size(), 48);
  } else {
    const Look was = look->second;
    if (was.whole) q->fitAll();
    else setView(was.view);
    first = was.first;
  }
  motion = moved;
  currentScope = -2;
  emitCurrentScope();
  updateAccessible();
  changed();
  if (before != selection) emit q->selectionChanged();
  emit q->arrangementChanged();
}

void GraphView::Private::arrange(const Arrangement& arrangement) {
  if (arrangement == wanted) return;
  wanted = arrangement;
  endDrag();
  closeEditor();
  if (model == nullptr) {
    emit q->arrangementChanged();
    return;
  }
  if (isLarge()) {
    startJob();
    emit q->arrangementChanged();
    return;
  }
  arrangeNow();
}

void GraphView::Private::arrangeNow() {
  keepLook();
  keptSelection = selectedKeys();
  clearLift();
  scene = scene.inheritingCopy(wanted);
  scene.setTheme(Theme::current());
  scene.reset(model, true, false);
  scene.rebuild();
  colors = ColorTable::make(scene, mode, Theme::current());
  emit q->legendChanged();
  showArranged(false);
}

// --- hidden wires ---

int GraphView::Private::chipAt(QPointF screen) const {
  if (stale || onMinimap(screen)) return -1;
  const double around = 2 * kChipReach + 12;
  for (const int i : scene.itemsIn(view.toWorld(QRectF(screen, QSizeF(0.1, 0.1)).adjusted(-around, -around, around, around)))) {
    const QRectF chip = ScenePainter::hiddenWiresChip(scene.items()[static_cast<size_t>(i)], view);
    if (!chip.isEmpty() && chip.adjusted(-kChipReach, -kChipReach, kChipReach, kChipReach).contains(screen)) return i;
  }
  return -1;
}

void GraphView::Private::showWires(const QVector<Item>& items, bool shown) {
  for (const Item item : items) scene.setWiresShown(item, shown);
  if (job != nullptr) again = true;  // the scene being laid out does not have this change
  tiles.invalidate();
  q->update();
}

QString GraphView::Private::chipToolTip(int sceneItem) const {
  const SceneItem& it = scene.items()[static_cast<size_t>(sceneItem)];
  QStringList lines{QStringLiteral("<b>%1</b>").arg(GraphView::tr("%n wire(s) drawn on demand", nullptr, it.hidden))};
  QStringList ends;
  for (const HiddenWire& wire : scene.hiddenWires(sceneItem)) {
    const QString line =
        (wire.out ? QStringLiteral("→ ") : QStringLiteral("← ")) + scene.nameOf(scene.items()[static_cast<size_t>(wire.other)].item).toHtmlEscaped();
    if (!ends.contains(line)) ends << line;
  }
  const qsizetype all = ends.size();
  lines += ends.mid(0, kMostLines);
  if (all > kMostLines) lines << GraphView::tr("and %n more", nullptr, static_cast<int>(all - kMostLines));
  lines << (it.wiresShown ? GraphView::tr("Click: hide them again") : GraphView::tr("Click: keep them shown"));
  return lines.join(QStringLiteral("<br>"));
}

// --- API ---

void GraphView::setArrangement(const Arrangement& arrangement) { d_->arrange(arrangement); }

Arrangement GraphView::arrangement() const { return d_->wanted; }

GraphView::ArrangementFacts GraphView::arrangementFacts() const {
  if (d_->pending() || d_->model == nullptr) return {};
  return {d_->scene.arranged().groups, d_->scene.arranged().found, d_->scene.levels()};
}

int GraphView::toggleHiddenWires() {
  if (d_->stale) return 0;
  QVector<Item> items;
  int wires = 0;
  bool allShown = true;
  for (const Item item : std::as_const(d_->selection)) {
    const Item shown = d_->scene.visibleFor(item);
    const int i = d_->scene.find(shown);
    if (i < 0 || d_->scene.items()[static_cast<size_t>(i)].open || items.contains(shown)) continue;
    const auto hidden = d_->scene.hiddenWires(i);
    if (hidden.empty()) continue;
    wires += static_cast<int>(hidden.size());
    allShown = allShown && d_->scene.areWiresShown(shown);
    items.append(shown);
  }
  if (!items.isEmpty()) d_->showWires(items, !allShown);
  return wires;
}

bool GraphView::areHiddenWiresShown(Item item) const { return !d_->stale && d_->scene.areWiresShown(item); }

QRectF GraphView::hiddenWiresChip(Item item) const {
  const int i = d_->stale ? -1 : d_->scene.find(item);
  return i < 0 ? QRectF() : ScenePainter::hiddenWiresChip(d_->scene.items()[static_cast<size_t>(i)], d_->view);
}

}  // namespace weft::widgets
