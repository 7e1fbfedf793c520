// Queries over what is open, in Qt's terms.
#pragma once

#include <QString>
#include <QStringList>
#include <QVariant>
#include <QVector>
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "adapters/graph_contents.h"
#include "adapters/profile_contents.h"
#include "plot/series_store.h"

namespace weft::app {

/// A word that can stand in a query.
struct QueryWord {
  enum class Kind { Table, Column, Function, Keyword, Op } kind = Kind::Keyword;
  QString text, doc;  ///< `doc` is translated.
};
/// Tables, columns, functions and the words of SQL.
QVector<QueryWord> queryWords();
/// The names of op types in a graph, each once.
QVector<QueryWord> opWords(const GraphContents& contents);

struct QueryExampleInfo {
  QString table, title, sql;
};
QVector<QueryExampleInfo> queryExampleInfos();

/// What queries read. Plain values and immutable things, so that another thread can use it.
struct QuerySources {
  struct Curve {
    QString run, tag;
    std::vector<widgets::Sample> samples;
  };
  struct Run {
    QString name, folder;  ///< The folder may hold its settings.
  };
  QString graphName;
  GraphContentsPtr graph;  ///< Null: none.
  ProfilePtr trace;        ///< Null: none.
  std::vector<Curve> curves;
  QVector<Run> runs;
  QString experiments;       ///< A store of experiments; empty: none.
  QStringList files;         ///< More files and folders.
  QStringList openFiles;     ///< Files in tabs; those that fill no table are left out.
  quint64 curveVersion = 0;  ///< Differs when curves differ.
};

/// The result of a query. Immutable.
struct QueryPage {
  struct Column {
    QString name;
    QString table, origin;  ///< The table's column that it shows unchanged; else empty.
    bool isNumber = true;
    bool isNodes = false;  ///< Names of nodes.
  };
  QString sql;
  QVector<Column> columns;
  std::vector<QVariantList> rows;  ///< Null, qlonglong, double or QString.
  bool more = false;
  double seconds = 0, reading = 0;
  QStringList notes;
  QString error;  ///< A sentence; then there are no rows.
  bool cancelled = false;
  /// The first column with names of nodes; −1: none.
  int nodeColumn() const;
  QByteArray csv() const;
  QByteArray json() const;
  /// A value as the table shows it.
  static QString text(const QVariant& value);
};
using QueryPagePtr = std::shared_ptr<const QueryPage>;

/// A database over sources. Used by one thread at a time; others wait.
class QuerySession {
 public:
  explicit QuerySession(QuerySources sources);
  ~QuerySession();
  /// Whether a query over these sources would read the same; curves only count if `curves`.
  bool isOf(const QuerySources& sources, bool curves) const;
  /// Blocks; for a worker thread. `rows` gets the number of rows so far.
  QueryPage run(const QString& sql, qint64 limit, const std::atomic<bool>& cancelled, std::atomic<qint64>& rows);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Whether a query reads curves, so that they have to be collected first.
bool readsCurves(const QString& sql);
/// The command that does the same in a terminal. `files`: what is open, as paths.
QString queryCommand(const QString& sql, const QStringList& files);

}  // namespace weft::app
