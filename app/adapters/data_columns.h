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
    QStringList columns;   ///< Columns that fit it, in the data's order.
    QString proposed;      ///< One of `columns`; empty: none is likely.
    bool byName = false;   ///< The proposal is already bound, or has the placeholder's name.
  };
  QString error;  ///< Why the data cannot be read.
  QVector<Column> columns;
  QVector<Placeholder> placeholders;

  /// Whether every placeholder has a column matched by name, so that no question is needed.
  bool isCertain() const;
};

/// Reads the data: `source` is a built-in data set or a file, as graph.bind-data takes it. Any thread; may take long.
DataColumns dataColumnsOf(const GraphContents& contents, const QString& source, const QString& folder);
/// The current binding as such a source; empty: none.
QString boundSource(const GraphContents& contents);

}  // namespace weft::app
