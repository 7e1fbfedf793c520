#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

namespace weft::app {

/// The command-line options of weft-studio.
struct StudioOptions {
  QString language, theme, script, bench;
  std::optional<QSize> size;
  int benchItems = 0;
  QString benchFile;
  bool newWindow = false, json = false, detail = false, help = false, version = false;
  QStringList files;
};

/// Reads the arguments (without the program's name). `error` gets one line if they are wrong.
StudioOptions readOptions(const QStringList& arguments, QString* error);
QString usageText();

}  // namespace weft::app
