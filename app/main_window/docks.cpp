// The docks of the main window, made from the ViewRecords. layouts.cpp arranges them.
#include <QCoreApplication>
#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <QWheelEvent>

#include "common/discard.h"
#include "common/icons.h"
#include "common/theme.h"
#include "graph_view/graph_view.h"
#include "main_window/main_window.h"
#include "main_window/run_bar.h"
#include "shell/style.h"
#include "shell/view.h"

namespace weft::app {
namespace {

constexpr int kMinimumDockHeight = 100, kLeastWidth = 120, kLeastHeight = 60;

/// Title and buttons of a dock that is not in a tab group.
class DockHeader : public QWidget {
 public:
  explicit DockHeader(QDockWidget* dock) : QWidget(dock) {
    setFixedHeight(widgets::Theme::current().metrics().dockHeader);
    setProperty("header", true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 0, 4, 0);
    row->setSpacing(2);
    title_ = new QLabel(dock->windowTitle(), this);
    title_->setStyleSheet(QStringLiteral("font-weight: 600;"));
    connect(dock, &QDockWidget::windowTitleChanged, title_, &QLabel::setText);
    row->addWidget(title_, 1);
    addButton(row, QStringLiteral("export"), [dock] { dock->setFloating(!dock->isFloating()); })->setObjectName(QStringLiteral("float"));
    addButton(row, QStringLiteral("close"), [dock] { dock->close(); })->setObjectName(QStringLiteral("close"));
    restyle();
  }
  /// The dock's layout uses this, not the fixed height.
  QSize sizeHint() const override { return {QWidget::sizeHint().width(), height()}; }

 protected:
  void changeEvent(QEvent* event) override {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::LanguageChange) restyle();
    QWidget::changeEvent(event);
  }

 private:
  template <typename F>
  QToolButton* addButton(QHBoxLayout* row, const QString& icon, F clicked) {
    auto* button = new QToolButton(this);
    button->setProperty("kind", QStringLiteral("flat"));
    button->setIcon(widgets::icon(icon));
    button->setIconSize({14, 14});
    button->setFocusPolicy(Qt::NoFocus);
    connect(button, &QToolButton::clicked, this, clicked);
    row->addWidget(button);
    return button;
  }
  void restyle() {
    setAttribute(Qt::WA_StyledBackground);
    setObjectName(QStringLiteral("dock_header"));
    setSheet(this, QStringLiteral("#dock_header { border: none; border-bottom: 1px solid %1; } QToolButton { min-height: 0; padding: 2px; border: none; }")
                       .arg(widgets::Theme::current().color(widgets::Role::Border).name()));
    if (auto* b = findChild<QToolButton*>(QStringLiteral("float"))) b->setToolTip(QCoreApplication::translate("Docks", "Float or dock"));
    if (auto* b = findChild<QToolButton*>(QStringLiteral("close"))) b->setToolTip(QCoreApplication::translate("Docks", "Close"));
    for (QToolButton* b : findChildren<QToolButton*>()) b->setAccessibleName(b->toolTip());
  }
  QLabel* title_;
};

/// Lets a dock become smaller than its view's minimum size; the view is then scrolled instead of cut.
class DockScroll : public QScrollArea {
 public:
  DockScroll(QWidget* view, QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    setWidget(view);
  }
  QSize minimumSizeHint() const override { return {kLeastWidth, kLeastHeight}; }
  QSize sizeHint() const override { return widget()->sizeHint(); }

 protected:
  /// The wheel scrolls the view's contents, not this area.
  void wheelEvent(QWheelEvent* event) override {
    if (verticalScrollBar()->maximum() > 0 || horizontalScrollBar()->maximum() > 0) QScrollArea::wheelEvent(event);
    else event->ignore();
  }
};

}  // namespace

void MainWindow::buildDocks() {
  const ViewContext context{workspace_, actions_, *this};
  for (const ViewRecord* record : allViews()) {
    const QString id = QLatin1String(record->id);
    auto* dock = new QDockWidget(this);
    dock->setObjectName(QStringLiteral("dock_") + id);
    docks_.insert(id, dock);
    QWidget* view = record->create(context, dock);
    view->setObjectName(id);
    // Docks yield to the window: their contents scroll, and longer texts of another language must not enlarge the window.
    view->setMinimumHeight(kMinimumDockHeight);
    views_.insert(id, view);
    dock->setWidget(new DockScroll(view, dock));
    dock->setTitleBarWidget(new DockHeader(dock));
    addDockWidget(record->area, dock);
    connect(dock, &QDockWidget::visibilityChanged, this, [this] {
      QTimer::singleShot(0, this, &MainWindow::updateDockTitles);
      actions_.refreshSoon();
    });
    connect(dock, &QDockWidget::topLevelChanged, this, [this] { QTimer::singleShot(0, this, &MainWindow::updateDockTitles); });
    connect(dock, &QDockWidget::dockLocationChanged, this, [this] { QTimer::singleShot(0, this, &MainWindow::updateDockTitles); });
  }
}

/// A dock in a tab group shows its title in the tab, so its header is hidden.
void MainWindow::updateDockTitles() {
  for (const ViewRecord* record : allViews()) {
    const QString id = QLatin1String(record->id);
    QDockWidget* dock = docks_.value(id);
    if (!dock) continue;
    const QString badge = badges_.value(id);
    const QString title = QCoreApplication::translate("Views", record->title);
    dock->setWindowTitle(badge.isEmpty() ? title : QStringLiteral("%1  %2").arg(title, badge));
    bool tabbed = false;
    for (QDockWidget* other : tabifiedDockWidgets(dock)) tabbed = tabbed || !other->isHidden();
    const bool plain = tabbed && !dock->isFloating();
    const bool hasHeader = dock->titleBarWidget() && dock->titleBarWidget()->property("header").toBool();
    if (plain && hasHeader) {
      QWidget* before = dock->titleBarWidget();
      dock->setTitleBarWidget(new QWidget(dock));
      widgets::discard(before);
    } else if (!plain && !hasHeader) {
      QWidget* before = dock->titleBarWidget();
      dock->setTitleBarWidget(new DockHeader(dock));
      widgets::discard(before);
    }
  }
  for (QTabBar* bar : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    bar->setExpanding(false);
    bar->setDrawBase(false);
    bar->setDocumentMode(true);
  }
}

QStringList MainWindow::viewIds() const {
  QStringList ids;
  for (const ViewRecord* record : allViews()) ids << QLatin1String(record->id);
  return ids;
}

bool MainWindow::isViewOpen(const QString& id) const {
  const QDockWidget* dock = docks_.value(id);
  return dock && !dock->isHidden();
}

bool MainWindow::isViewVisible(const QString& id) const {
  const QDockWidget* dock = docks_.value(id);
  return dock && dock->isVisible() && !views_.value(id)->visibleRegion().isEmpty();
}

void MainWindow::showView(const QString& id, bool show) {
  QDockWidget* dock = docks_.value(id);
  if (!dock) return;
  dock->setProperty("hiddenByStart", false);
  dock->setVisible(show);
  if (show) dock->raise();
  updateDockTitles();
}

bool MainWindow::isViewFloating(const QString& id) const {
  const QDockWidget* dock = docks_.value(id);
  return dock && dock->isFloating();
}

void MainWindow::setViewFloating(const QString& id, bool floating) {
  QDockWidget* dock = docks_.value(id);
  if (!dock) return;
  showView(id);
  dock->setFloating(floating);
  bringDocksOnScreen();
}

QWidget* MainWindow::viewWidget(const QString& id) const { return docks_.contains(id) ? views_.value(id) : nullptr; }

void MainWindow::setViewBadge(const QString& id, const QString& badge) {
  if (badges_.value(id) == badge) return;
  badges_.insert(id, badge);
  updateDockTitles();
}

void MainWindow::focusPane(int step) {
  QList<QWidget*> panes;
  if (canvas()) panes << canvas();
  for (const QString& id : viewIds()) {
    if (isViewVisible(id)) panes << viewWidget(id);
  }
  if (runBar_->isVisible()) panes << runBar_;
  if (panes.isEmpty()) return;
  qsizetype now = -1;
  for (qsizetype i = 0; i < panes.size(); ++i) {
    if (focusWidget() && (panes[i] == focusWidget() || panes[i]->isAncestorOf(focusWidget()))) now = i;
  }
  QWidget* pane = panes[now < 0 ? 0 : (now + step + panes.size()) % panes.size()];
  // A pane that takes no keys passes the focus to its first child that does.
  QWidget* target = pane;
  for (QWidget* child : pane->findChildren<QWidget*>()) {
    if (target->focusPolicy() != Qt::NoFocus) break;
    if (child->isVisible() && child->isEnabled() && child->focusPolicy() != Qt::NoFocus) target = child;
  }
  target->setFocus(Qt::TabFocusReason);
}

}  // namespace weft::app
