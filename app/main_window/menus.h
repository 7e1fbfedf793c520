#pragma once

#include <QStringList>
#include <QVector>

namespace weft::app {

/// A menu of the menu bar: its title (QT_TRANSLATE_NOOP("Menus", …)) and the ids of its actions; "-" is a separator, ">key" a menu in it, "recent"
/// the list of recent files, "layouts" that of named layouts, "docks" one entry for each dock. No menu is longer than a screen of 800 px is high.
struct MenuRecord {
  const char* title;
  QStringList entries;
  const char* key = "";  ///< of one that lies in another
};

const QVector<MenuRecord>& menuRecords();
/// Those that lie in others.
const QVector<MenuRecord>& submenuRecords();

}  // namespace weft::app
