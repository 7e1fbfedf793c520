// Arrangements of the docks: a remembered one per mode, and named ones.
#include <QDockWidget>
#include <QGuiApplication>
#include <QLayout>
#include <QMenu>
#include <QScreen>
#include <QUrl>
#include <algorithm>
#include <map>

#include "document/pins.h"
#include "main_window/main_window.h"
#include "shell/view.h"

namespace weft::app {
namespace {

/// The initial place of a dock in a mode, read from ViewRecord::modes.
struct Placement {
  bool open = false, split = false, beneath = false, front = false;
  Qt::DockWidgetArea area = Qt::BottomDockWidgetArea;
};

Placement placementOf(const ViewRecord& record, const QString& mode) {
  Placement place;
  place.area = record.area;
  for (QString token : QString::fromLatin1(record.modes).split(u' ')) {
    qsizetype end = 0;
    while (end < token.size() && token[end].isLetter()) ++end;
    if (token.left(end) != mode) continue;
    place.open = true;
    token.remove(0, end);
    place.beneath = token.contains(u'_');
    place.split = place.beneath || token.contains(u'+');
    place.front = token.contains(u'!');
    if (token.contains(QLatin1String("@left"))) place.area = Qt::LeftDockWidgetArea;
    if (token.contains(QLatin1String("@right"))) place.area = Qt::RightDockWidgetArea;
    if (token.contains(QLatin1String("@top"))) place.area = Qt::TopDockWidgetArea;
    if (token.contains(QLatin1String("@bottom"))) place.area = Qt::BottomDockWidgetArea;
  }
  return place;
}

/// Widths at the sides, and the height of the panels below the canvas as a percentage.
struct Sizes {
  const char* mode;
  int left, right, bottom;
};
constexpr Sizes kSizes[] = {{"compose", 220, 288, 24}, {"train", 324, 300, 68}, {"debug", 264, 408, 36}, {"profile", 264, 360, 70}, {"inspect", 264, 340, 50}};

constexpr int kInspectorWidth = 264, kListWidth = 248, kRunsWidth = 324;

const QString kNamesKey = QStringLiteral("layouts/names");
QString nameKey(const QString& name) { return QStringLiteral("layouts/by-name/") + QString::fromLatin1(QUrl::toPercentEncoding(name)); }
QString modeKey(const QString& mode) { return QStringLiteral("layout/modes/") + mode; }

}  // namespace

QStringList MainWindow::layouts() const {
  QStringList modes;
  for (const Sizes& sizes : kSizes) modes << QLatin1String(sizes.mode);
  return modes;
}

void MainWindow::useLayout(const QString& mode) {
  if (mode == mode_ || !layouts().contains(mode)) return;
  rememberLayout();
  mode_ = mode;
  workspace_.settings().setValue(QStringLiteral("layout/mode"), mode_);
  // While docks move, more of them are stacked temporarily; the window must not grow for that.
  QMainWindow::layout()->setSizeConstraint(QLayout::SetNoConstraint);
  restoreMode();
  QMetaObject::invokeMethod(
      this, [this] { QMainWindow::layout()->setSizeConstraint(QLayout::SetDefaultConstraint); }, Qt::QueuedConnection);
  showCurrent();
}

void MainWindow::restoreMode() {
  if (!restoreArrangement(workspace_.settings().value(modeKey(mode_)).toMap())) applyDefaultLayout();
}

void MainWindow::resetLayout() {
  workspace_.settings().setValue(modeKey(mode_), QVariantMap());
  applyDefaultLayout();
  showCurrent();
}

QStringList MainWindow::namedLayouts() const {
  QStringList names = const_cast<Workspace&>(workspace_).settings().value(kNamesKey).toStringList();
  names.sort(Qt::CaseInsensitive);
  return names;
}

void MainWindow::saveLayout(const QString& name) {
  QStringList names = namedLayouts();
  if (!names.contains(name)) workspace_.settings().setValue(kNamesKey, names << name);
  QVariantMap kept = arrangement();
  kept.insert(QStringLiteral("pins"), Pins::of(workspace_).words());
  workspace_.settings().setValue(nameKey(name), kept);
}

bool MainWindow::useNamedLayout(const QString& name) {
  if (!namedLayouts().contains(name)) return false;
  const QVariantMap kept = workspace_.settings().value(nameKey(name)).toMap();
  rememberLayout();
  if (layouts().contains(kept.value(QStringLiteral("mode")).toString())) mode_ = kept.value(QStringLiteral("mode")).toString();
  workspace_.settings().setValue(QStringLiteral("layout/mode"), mode_);
  if (!restoreArrangement(kept)) applyDefaultLayout();
  if (kept.contains(QStringLiteral("pins"))) Pins::of(workspace_).setWords(kept.value(QStringLiteral("pins")).toStringList());
  showCurrent();
  return true;
}

void MainWindow::removeLayout(const QString& name) {
  QStringList names = namedLayouts();
  names.removeAll(name);
  workspace_.settings().setValue(kNamesKey, names);
  workspace_.settings().setValue(nameKey(name), QVariantMap());
}

void MainWindow::fillLayoutMenu() {
  layoutMenu_->clear();
  for (const QString& name : namedLayouts()) {
    connect(layoutMenu_->addAction(name), &QAction::triggered, this, [this, name] { useNamedLayout(name); });
  }
  if (layoutMenu_->isEmpty()) layoutMenu_->addAction(tr("No saved layouts"))->setEnabled(false);
  layoutMenu_->addSeparator();
  for (const char* id : {"layout.save", "layout.remove", "layout.reset"}) layoutMenu_->addAction(actions_.action(QLatin1String(id)));
}

QVariantMap MainWindow::arrangement() const {
  // Docks hidden by the start page count as open.
  return {{QStringLiteral("mode"), mode_}, {QStringLiteral("state"), saveState(kLayoutVersion)}, {QStringLiteral("views"), viewIds()}};
}

void MainWindow::rememberLayout() {
  if (isStartPageShown()) return;
  workspace_.settings().setValue(modeKey(mode_), arrangement());
}

/// False for data that is not an arrangement, or one that this version does not understand; nothing is changed then.
bool MainWindow::restoreArrangement(const QVariantMap& kept) {
  const QByteArray state = kept.value(QStringLiteral("state")).toByteArray();
  if (state.isEmpty() || !restoreState(state, kLayoutVersion)) return false;
  sizesPending_ = false;
  // Docks added by a newer version get their initial places.
  const QStringList known = kept.value(QStringLiteral("views")).toStringList();
  for (const ViewRecord* record : allViews()) {
    QDockWidget* dock = docks_.value(QLatin1String(record->id));
    dock->setProperty("hiddenByStart", false);
    if (known.contains(QLatin1String(record->id)) && (dock->isFloating() || dockWidgetArea(dock) != Qt::NoDockWidgetArea)) continue;
    const Placement place = placementOf(*record, mode_);
    QDockWidget* neighbour = nullptr;
    for (QDockWidget* other : docks_) {
      if (other != dock && !other->isFloating() && !other->isHidden() && dockWidgetArea(other) == place.area) neighbour = other;
    }
    dock->setFloating(false);
    addDockWidget(place.area, dock);
    if (neighbour) tabifyDockWidget(neighbour, dock);
    dock->setVisible(place.open);
    if (neighbour) neighbour->raise();
  }
  bringDocksOnScreen();
  updateDockTitles();
  return true;
}

/// A floating dock may have been left on a screen that no longer exists.
void MainWindow::bringDocksOnScreen() {
  for (QDockWidget* dock : std::as_const(docks_)) {
    if (!dock->isFloating()) continue;
    const QRect frame = dock->frameGeometry();
    const QRect handle(frame.left(), frame.top(), frame.width(), 32);  // the part that can be dragged
    bool reachable = false;
    for (const QScreen* screen : QGuiApplication::screens()) {
      const QRect seen = screen->availableGeometry().intersected(handle);
      reachable = reachable || (seen.width() >= 64 && seen.height() >= 16);
    }
    if (reachable) continue;
    const QRect room = screen()->availableGeometry();
    dock->resize(dock->size().boundedTo(room.size()));
    dock->move(room.center() - QPoint(dock->width() / 2, dock->height() / 2));
  }
}

/// Applies the ViewRecords. Closed docks join the tabs of their side, so that opening one moves nothing.
void MainWindow::applyDefaultLayout() {
  struct Side {
    QDockWidget *first = nullptr, *last = nullptr, *front = nullptr;
    QList<QDockWidget*> below;  // below `first`
  };
  std::map<Qt::DockWidgetArea, Side> sides;
  firsts_.clear();
  for (const ViewRecord* record : allViews()) {
    QDockWidget* dock = docks_.value(QLatin1String(record->id));
    dock->setProperty("hiddenByStart", false);
    dock->setFloating(false);
    removeDockWidget(dock);
  }
  for (const bool open : {true, false}) {
    for (const ViewRecord* record : allViews()) {
      const Placement place = placementOf(*record, mode_);
      if (place.open != open) continue;
      QDockWidget* dock = docks_.value(QLatin1String(record->id));
      Side& side = sides[place.area];
      const bool sideways = place.area == Qt::BottomDockWidgetArea || place.area == Qt::TopDockWidgetArea;
      addDockWidget(place.area, dock);
      if (side.last && place.split && open) splitDockWidget(side.last, dock, sideways && !place.beneath ? Qt::Horizontal : Qt::Vertical);
      if (side.last && place.split && open && (place.beneath || !sideways)) side.below << dock;
      if (side.last && !(place.split && open)) tabifyDockWidget(side.last, dock);
      dock->setVisible(open);
      if (!open) continue;
      if (!side.first) side.first = dock;
      if (!side.front || place.front) side.front = dock;
      side.last = dock;
    }
  }
  for (const auto& [area, side] : sides) {
    if (!side.first) continue;
    side.front->raise();
    firsts_[area] = {side.first};
    firsts_[area] += side.below;
  }
  sizeDocks();
  updateDockTitles();
}

/// Applies the initial sizes of a mode. A hidden window, or one with the start page, has no docks to size, so this is repeated when they appear.
void MainWindow::sizeDocks() {
  sizesPending_ = isStartPageShown() || !isVisible();
  if (sizesPending_) return;
  const Sizes* sizes = std::begin(kSizes);
  for (const Sizes& s : kSizes) {
    if (mode_ == QLatin1String(s.mode)) sizes = &s;
  }
  const int middle = std::max(300, height() - 140);
  for (auto side = firsts_.cbegin(); side != firsts_.cend(); ++side) {
    QDockWidget* first = side->first();
    // In a narrow window the canvas needs the room; below these widths lists and fields would scroll sideways.
    const int leastLeft = firsts_.contains(Qt::RightDockWidgetArea) ? kListWidth : kRunsWidth;
    if (side.key() == Qt::LeftDockWidgetArea) resizeDocks({first}, {std::min(sizes->left, std::max(leastLeft, width() * 22 / 100))}, Qt::Horizontal);
    if (side.key() == Qt::RightDockWidgetArea) resizeDocks({first}, {std::min(sizes->right, std::max(kInspectorWidth, width() * 24 / 100))}, Qt::Horizontal);
    if (side.key() != Qt::BottomDockWidgetArea) {
      if (side->size() > 1) resizeDocks(*side, QList<int>(side->size(), middle / int(side->size())), Qt::Vertical);
      continue;
    }
    // Docks stacked in a column share its height.
    const int all = std::max(140, middle * sizes->bottom / 100);
    QList<int> heights = {side->size() == 1 ? all : all * 60 / 100};
    for (qsizetype i = 1; i < side->size(); ++i) heights << int(all * 40 / 100 / (side->size() - 1));
    resizeDocks(*side, heights, Qt::Vertical);
  }
}

}  // namespace weft::app
