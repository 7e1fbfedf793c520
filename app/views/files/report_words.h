#pragma once

#include <QString>

namespace weft::app {

/// A key of a file's report, in the language of the window; what is no key of ours (a name in the file) stays as it is.
QString reportKeyText(const QString& key);

}  // namespace weft::app
