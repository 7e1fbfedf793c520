// Scheduling of layouts: small graphs at once, large ones on a worker from a snapshot of the model. The old picture stays until the result arrives. After a
// model reset its indexes are stale, so it cannot be hit, and calls with indexes are deferred.
#include <QMetaObject>

#include "common/background.h"
#include "graph_view/graph_view_p.h"
#include "weft/cond_var.h"

namespace weft::widgets {
namespace {

constexpr int kManyThings = 3000;  // nodes and edges; fewer are laid out within the time limit of a handler

}  // namespace

/// A layout in progress. The worker owns its data until `done`.
struct GraphView::Private::Job {
  std::shared_ptr<const GraphModel> snapshot;
  Scene scene;
  ColorTable colors;
  ColorMode mode = ColorMode::Category;
  Theme theme = Theme::current();
  bool same = true, edited = false;
  Mutex mutex;
  CondVar finished;
  bool done WEFT_GUARDED_BY(mutex) = false;
  QObject* receiver WEFT_GUARDED_BY(mutex) = nullptr;  // null: the result is no longer wanted

  void run() {
    scene.setTheme(theme);
    scene.reset(snapshot.get(), same, edited);
    scene.rebuild();
    scene.prepareLookups();
    scene.drawing();  // computed here, because it is needed at each edit
    colors = ColorTable::make(scene, mode, theme);
    const MutexLock lock(mutex);
    done = true;
    finished.notify_all();
    if (receiver != nullptr) QMetaObject::invokeMethod(receiver, "takeLayout", Qt::QueuedConnection);
  }
};

bool GraphView::Private::isLarge() const {
  return asynchronous && model != nullptr && (model->nodeCount() + model->edgeCount() > kManyThings || job != nullptr);
}

void GraphView::Private::resetModel() {
  hovered = -1;
  litFor = -2;
  endDrag();
  const bool same = model != nullptr && shownModel == model;
  if (!stale) {
    keptSelection.clear();
    for (const Item item : std::as_const(selection))
      if (same) keptSelection.push_back(scene.key(item));
  }
  if (!same) {
    keptSelection.clear();
    later.clear();
    looks.clear();
    wanted = {};
  }
  shownModel = model;
  if (snapshot != nullptr) inBackground([old = std::exchange(snapshot, nullptr)] {});  // freeing a large snapshot takes time
  highlight.clear();
  chosenEdge = -1;  // edge indexes have changed
  newDocument = newDocument || !same;
  if (isLarge()) {
    stale = true;
    startJob();
    q->update();
    return;
  }
  // Positions are read last. After an edit only the viewport is kept.
  const Hold held = newDocument || model == nullptr || model->isEditable() ? Hold{} : hold();
  clearLift();
  if (pending()) scene = scene.inheritingCopy(wanted);
  scene.setTheme(Theme::current());
  scene.reset(model, !newDocument);
  scene.rebuild();
  colors = ColorTable::make(scene, mode, Theme::current());
  emit q->legendChanged();
  afterReset(held);
}

// The scene matches the model again: items remembered by name get their new indexes.
void GraphView::Private::afterReset(const Hold& held) {
  stale = false;
  const QVector<Item> before = selection;
  selection.clear();
  for (const std::uint64_t key : keptSelection)
    if (const Item item = scene.itemWithKey(key)) selection.append(item);
  showScene(held);
  if (std::exchange(newDocument, false)) {
    fitOnShow = true;
    if (q->isVisible() || q->testAttribute(Qt::WA_Resized)) {
      firstLook();
      fitOnShow = !q->isVisible();
    }
  }
  currentScope = -2;
  emitCurrentScope();
  updateAccessible();
  if (before != selection) emit q->selectionChanged();
}

// The item to keep at its screen position: `item` (a scope being opened or closed), else the one in the middle.
GraphView::Private::Hold GraphView::Private::hold(Item item) const {
  int at = scene.find(item);
  if (at < 0) at = scene.hit(view.toWorld(QPointF(q->width() / 2.0, q->height() / 2.0)));
  if (at < 0) return {};
  const SceneItem& it = scene.items()[static_cast<size_t>(at)];
  return {scene.key(it.item), it.rect.topLeft()};
}

// Lays everything out again.
void GraphView::Private::relayout(const Hold& held) {
  if (isLarge()) {
    heldKey = held.key;
    startJob();
    return;
  }
  if (stale) return;
  endDrag();
  clearLift();
  scene.setTheme(Theme::current());
  scene.rebuild();
  showScene(held);
}

// The scene was rebuilt: keeps the `held` item at its screen position.
void GraphView::Private::showScene(const Hold& held) {
  hovered = -1;
  litFor = -2;
  litCount = 0;
  whole = first = ghostsPlaced = false;
  clearLift();
  const int at = held.key != 0 ? scene.find(scene.visibleFor(scene.itemWithKey(held.key))) : -1;
  if (at >= 0) {
    view.offset += (scene.items()[static_cast<size_t>(at)].rect.topLeft() - held.at) * view.zoom;
    view = view.snapped(q->devicePixelRatioF());
  }
  if (!highlight.isEmpty()) light(-1);
  if (newDocument) tiles.clear();
  else tiles.invalidate();
  overviewStale = true;
  idleTimer.start();
  changed();
  emit q->layoutFinished();
  const auto waiting = std::exchange(later, {});
  for (const auto& call : waiting) call();
}

void GraphView::Private::startJob() {
  if (job != nullptr) {
    again = true;
    return;
  }
  if (snapshot == nullptr) snapshot = model->snapshot();
  if (snapshot == nullptr) {  // the model cannot be copied
    asynchronous = false;
    stale ? resetModel() : pending() ? arrangeNow() : relayout(hold());
    return;
  }
  job = std::make_shared<Job>();
  job->snapshot = snapshot;
  job->scene = scene.inheritingCopy(wanted);
  job->mode = mode;
  job->same = !newDocument;
  job->edited = stale;
  {
    const MutexLock lock(job->mutex);
    job->receiver = q;
  }
  inBackground([task = job] { task->run(); });
}

void GraphView::Private::takeJob() {
  if (job == nullptr) return;
  {
    const MutexLock lock(job->mutex);
    if (!job->done) return;
  }
  const std::shared_ptr<Job> ready = std::exchange(job, nullptr);
  if (model == nullptr) {
    again = false;
    return;
  }
  if (std::exchange(again, false)) {  // the graph, or the set of open scopes, has changed meanwhile
    startJob();
    return;
  }
  const bool arranged = !newDocument && !(ready->scene.arrangement() == scene.arrangement());
  if (arranged) keepLook();
  if (arranged && !stale) keptSelection = selectedKeys();
  Hold held;
  if (!newDocument && !arranged && !(stale && model->isEditable())) held = stale || heldKey == 0 ? hold() : hold(scene.itemWithKey(heldKey));
  heldKey = 0;
  endDrag();
  clearLift();
  std::swap(scene, ready->scene);
  std::swap(colors, ready->colors);
  scene.setModel(model);
  scene.refreshStatus();
  if (mode == ColorMode::Values) recolor();  // values may be newer than the snapshot
  emit q->legendChanged();
  // Freeing a large scene takes time, too.
  inBackground([ready]() mutable { ready->scene = Scene(ready->theme); });
  const bool reset = stale;
  if (reset) afterReset(held);
  else if (!arranged) showScene(held);
  if (arranged) showArranged(reset);
}

void GraphView::takeLayout() { d_->takeJob(); }

void GraphView::Private::dropJob() {
  if (job == nullptr) return;
  const MutexLock lock(job->mutex);
  job->receiver = nullptr;
}

std::shared_ptr<const Drawing> GraphView::drawing() const {
  if (d_->stale) return nullptr;
  // A worker may be writing the layout memory from which a drawing is made.
  return d_->job == nullptr || d_->scene.hasDrawing() ? d_->scene.drawing() : nullptr;
}

bool GraphView::isLayoutPending() const { return d_->job != nullptr; }

void GraphView::waitForLayout() {
  while (d_->job != nullptr) {
    {
      Private::Job& job = *d_->job;
      const MutexLock lock(job.mutex);
      job.finished.wait(job.mutex, [&]() WEFT_REQUIRES(job.mutex) { return job.done; });
    }
    d_->takeJob();
  }
}

void GraphView::Private::statusChanged() {
  if (stale) return;
  scene.refreshStatus();
  if (mode == ColorMode::Values) recolor();
  tiles.invalidate();
  overviewStale = overviewStale || mode == ColorMode::Values;
  q->update();
}

void GraphView::Private::toggle(int scope) {
  const Hold held = hold(Item::scope(scope));
  char& open = scene.open()[static_cast<size_t>(scope)];
  open = open == 0 ? 1 : 0;
  const bool opened = open != 0;
  relayout(held);
  if (!scene.isGroup(Item::scope(scope))) emit q->expandedChanged(scope, opened);
  emitCurrentScope();
}

bool GraphView::Private::waits(std::function<void()> call) {
  if (job == nullptr) return false;
  later.push_back(std::move(call));
  return true;
}

}  // namespace weft::widgets
