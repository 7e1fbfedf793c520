// The window's menus, made from the menu records.
#include <QMenuBar>

#include "main_window/find_field.h"
#include "main_window/main_window.h"
#include "main_window/menus.h"

namespace weft::app {

void MainWindow::buildMenus() {
  for (const MenuRecord& record : menuRecords()) {
    QMenu* menu = menuBar()->addMenu(QString());
    menu->setObjectName(QStringLiteral("menu_") + QString::fromLatin1(record.title).remove(u'&').toLower());
    fillMenu(menu, record);
  }
  findField_ = new FindField(menuBar());
  connect(findField_, &QPushButton::clicked, actions_.action(QStringLiteral("find.anything")), &QAction::trigger);
  // Shortcuts also work for actions that are in no menu.
  for (const QString& id : actions_.ids()) {
    if (!actions_.record(id).canvasKey) addAction(actions_.action(id));
  }
}

void MainWindow::fillMenu(QMenu* menu, const MenuRecord& record) {
  menu->setToolTipsVisible(true);
  menus_ << qMakePair(menu, record.title);
  for (const QString& entry : record.entries) {
    if (entry == QLatin1String("-")) {
      menu->addSeparator();
    } else if (entry.startsWith(u'>')) {
      for (const MenuRecord& inner : submenuRecords()) {
        if (entry.mid(1) != QLatin1String(inner.key)) continue;
        QMenu* submenu = menu->addMenu(QString());
        submenu->setObjectName(QStringLiteral("menu_") + QLatin1String(inner.key));
        fillMenu(submenu, inner);
      }
    } else if (entry == QLatin1String("recent")) {
      recentMenu_ = menu->addMenu(QString());
      connect(recentMenu_, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    } else if (entry == QLatin1String("layouts")) {
      layoutMenu_ = menu->addMenu(QString());
      connect(layoutMenu_, &QMenu::aboutToShow, this, &MainWindow::fillLayoutMenu);
    } else if (entry == QLatin1String("docks")) {
      QStringList listed;
      for (const MenuRecord& inner : submenuRecords()) listed << inner.entries;
      for (const QString& id : viewIds()) {
        QAction* toggle = actions_.action(QStringLiteral("view.dock-") + id);
        toggle->setIconVisibleInMenu(false);  // the menu shows its check mark instead
        if (!listed.contains(QStringLiteral("view.dock-") + id)) menu->addAction(toggle);
      }
    } else {
      menu->addAction(actions_.action(entry));
    }
  }
}

void MainWindow::fillRecentMenu() {
  recentMenu_->clear();
  for (const QString& path : workspace_.settings().recentFiles()) {
    connect(recentMenu_->addAction(path), &QAction::triggered, this, [this, path] { workspace_.open(path); });
  }
  if (recentMenu_->isEmpty()) recentMenu_->addAction(tr("No recent files"))->setEnabled(false);
}

}  // namespace weft::app
