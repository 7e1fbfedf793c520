#pragma once

#include <QStringList>
#include <QVector>

#include "adapters/file_contents.h"

namespace weft::app {

/// An action on an open file, shown as a button above its page. Texts are translated.
struct FileAction {
  QString text, toolTip;
  const char* icon = "";
  QString id;  ///< the command's id
  QStringList arguments;
};

/// Actions of a file, the most common first.
QVector<FileAction> actionsOf(const FileContents& contents);

}  // namespace weft::app
