#pragma once

#include <QPair>
#include <QString>
#include <QVector>

namespace weft::app {

/// Name, version and licence of Weft and of every library that it uses.
struct LibraryVersion {
  QString name, version, licence;
};
QVector<LibraryVersion> libraryVersions();

}  // namespace weft::app
