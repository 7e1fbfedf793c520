#pragma once

#include <QString>

namespace weft::app {

/// The translation of a report's key; a name from the file is returned unchanged.
QString reportKeyText(const QString& key);

}  // namespace weft::app
