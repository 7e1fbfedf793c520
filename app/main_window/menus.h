#pragma once

#include <QStringList>
#include <QVector>

namespace weft::app {

/// A menu of the menu bar: its title (QT_TRANSLATE_NOOP("Menus", …)) and the ids of its actions; "-" is a separator, "recent" the list of
/// recent files, "docks" one entry for each dock.
struct MenuRecord {
  const char* title;
  QStringList entries;
};

const QVector<MenuRecord>& menuRecords();

}  // namespace weft::app
