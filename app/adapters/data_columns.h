// The columns of a data set, and which of them fit the placeholders of a graph.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>

namespace weft::app {

struct GraphContents;

struct DataColumns {
  struct Column {
    QString name, type;  ///< "float32 1797×64"
  };
  struct Placeholder {
    QString tensor, type;  ///< "x:0", "float32 ?×64"
    QStringList columns;   ///< Those that fit it, in the order of the data.
    QString proposed;      ///< One of them; empty: none is likely.
    bool byName = false;   ///< The proposal is bound already, or bears the placeholder's name.
  };
  QString error;  ///< Why the data cannot be read.
  QVector<Column> columns;
  QVector<Placeholder> placeholders;

  /// Whether each placeholder has a column by its name, so that nothing has to be asked.
  bool isCertain() const;
};

/// Reads the data: `source` is a built-in data set or a file, as graph.bind-data takes it. Any thread; may take long.
DataColumns dataColumnsOf(const GraphContents& contents, const QString& source, const QString& folder);
/// What is bound now, as such a source; empty: nothing.
QString boundSource(const GraphContents& contents);

}  // namespace weft::app
