#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace weft::app {

class MainWindow;

struct QueryResult {
  QByteArray json;  ///< One line.
  QString error;
};

/// Answers `print document|selection|problems|views|layouts|messages|notification|found|run|series TAG|tensor NAME:0|frame-times|stalls|templates|error`.
QueryResult answerQuery(MainWindow& window, const QStringList& words);

}  // namespace weft::app
