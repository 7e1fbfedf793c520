#pragma once

#include <QByteArray>
#include <QJsonValue>
#include <QString>
#include <QStringList>
#include <optional>

namespace weft::app {

class MainWindow;
class Workspace;

struct QueryResult {
  QByteArray json;  ///< One line.
  QString error;
};

/// A number as JSON; NaN and infinities, which JSON lacks, as words.
QJsonValue jsonNumber(double value);

/// Answers `print document|selection|problems|views|layouts|view ID|messages|notification|found|previews|schedule|queues|run|series TAG|tensor NAME:0|debug|breakpoints|watches|
/// autopsy|cost [NAME]|frame-times|stalls|templates|error`.
QueryResult answerQuery(MainWindow& window, const QStringList& words);

/// Answers the queries to the debugger: `debug|breakpoints|watches|autopsy`, and `tensor NAME:0` while it has values. Empty for other queries.
std::optional<QueryResult> answerDebugQuery(Workspace& workspace, const QStringList& words);

}  // namespace weft::app
