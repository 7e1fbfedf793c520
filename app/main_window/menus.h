#pragma once

#include <QStringList>
#include <QVector>

namespace weft::app {

/// A menu of the menu bar: its title (QT_TRANSLATE_NOOP("Menus", …)) and the ids of its actions; "-" is a separator, ">key" a submenu, "recent" the list of
/// recent files, "layouts" the named layouts, "docks" one entry per dock that no submenu lists. Every menu fits on a screen 800 px high.
struct MenuRecord {
  const char* title;
  QStringList entries;
  const char* key = "";  ///< key of a submenu
};

const QVector<MenuRecord>& menuRecords();
/// The submenus.
const QVector<MenuRecord>& submenuRecords();

}  // namespace weft::app
