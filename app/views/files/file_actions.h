#pragma once

#include <QStringList>
#include <QVector>

#include "adapters/file_contents.h"

namespace weft::app {

/// What can be done with an open file, as a button above its page. Texts are translated.
struct FileAction {
  QString text, toolTip;
  const char* icon = "";
  QString id;  ///< of the command
  QStringList arguments;
};

/// Actions of a file, the most usual first.
QVector<FileAction> actionsOf(const FileContents& contents);

}  // namespace weft::app
