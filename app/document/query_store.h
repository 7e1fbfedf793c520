// Queries over what is open: the last result, the history, and more files.
#pragma once

#include <QHash>
#include <QObject>
#include <QPointer>
#include <functional>

#include "adapters/query_page.h"

namespace weft::app {

class Document;
class Workspace;

/// One query runs at a time, on a thread of its own. GUI thread.
class QueryStore : public QObject {
  Q_OBJECT

 public:
  /// The workspace's store; created on the first call.
  static QueryStore& of(Workspace& workspace);

  static constexpr qint64 kMostRows = 10000;

  using Done = std::function<void(const QString& error)>;
  /// Runs a query; one that is running is cancelled first.
  void run(const QString& sql, Done done = {});
  void cancel();
  bool isBusy() const { return task_ != 0 || collecting_; }
  /// Rows of the running query so far.
  qint64 rowsSoFar() const { return rows_ ? rows_->load() : 0; }
  double secondsSoFar() const;

  /// The last result; never null. Has no columns before the first query.
  const QueryPagePtr& page() const { return page_; }
  /// Rows that are selected in the table, by their place in the page.
  const QVector<int>& selectedRows() const { return selected_; }
  void setSelectedRows(const QVector<int>& rows);
  /// Names of nodes of the current document in the selected rows, or in all if none is selected, each once.
  QStringList nodes() const;
  /// The value of a column for each node of the result, the mean where a node has several rows. An error if there are no nodes or no numbers.
  QHash<QString, double> valuesOf(int column, QString* error) const;
  /// Selects the rows of these nodes.
  void selectNodes(const QStringList& names);

  /// Past queries, oldest first; kept across sessions.
  const QStringList& history() const { return history_; }
  /// The text in the field, so that actions know it.
  const QString& draft() const { return draft_; }
  void setDraft(const QString& sql) { draft_ = sql; }

  /// Files and folders that queries read beside what is open.
  const QStringList& files() const { return files_; }
  void addFiles(const QStringList& paths);
  void removeFiles();
  /// What queries read, in words: the graph, the trace, the number of runs, files.
  QStringList contents() const;
  /// Files of what is open, as far as it has any.
  QStringList paths() const;

 signals:
  /// A query began or ended, or files changed.
  void changed();
  /// There is a new result.
  void answered();
  void selectionChanged(const QVector<int>& rows);

 private:
  explicit QueryStore(Workspace& workspace);
  QuerySources sources() const;
  void collect(std::shared_ptr<QuerySources> sources, size_t run, QString tag);
  void start(QuerySources sources);
  void remember(const QString& sql);
  void finish(QueryPage page);

  Workspace& workspace_;
  std::shared_ptr<QuerySession> session_;
  QueryPagePtr page_ = std::make_shared<QueryPage>();
  QString sql_, draft_;
  Done done_;
  int task_ = 0, number_ = 0;
  bool collecting_ = false;
  qint64 began_ = 0;
  std::shared_ptr<std::atomic<qint64>> rows_;
  QStringList history_, files_;
  QVector<int> selected_;
};

}  // namespace weft::app
