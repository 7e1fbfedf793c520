// The parts of the dock Query: the field for SQL, and the result as a table.
#pragma once

#include <QAbstractTableModel>
#include <QPlainTextEdit>

#include "adapters/query_page.h"

class QCompleter;
class QStandardItemModel;

namespace weft::app {

/// The field for a query: Enter runs it, Shift+Enter begins a new line, words are offered while typing, and Up and Down at its ends bring past queries. Grows up to six lines.
class QueryField : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit QueryField(QWidget* parent);
  void setHistory(const QStringList& history);
  void setWords(const QVector<QueryWord>& words);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

 signals:
  void given(const QString& sql);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QString wordBefore() const;
  void offer(bool asked);
  void take(const QString& word);
  void recall(int step);
  void restyle();

  QCompleter* completer_;
  QStandardItemModel* words_;
  QStringList history_;
  qsizetype at_ = 0;
  QString typed_;
};

/// A page as rows, sorted by one column or as the query ordered them.
class QueryTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;
  void setPage(QueryPagePtr page);
  const QueryPage& page() const { return *page_; }
  int pageRow(int row) const { return order_[size_t(row)]; }
  int rowOf(int pageRow) const { return places_[size_t(pageRow)]; }
  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(order_.size()); }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(page_->columns.size()); }
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order) override;

 private:
  QueryPagePtr page_ = std::make_shared<QueryPage>();
  std::vector<int> order_, places_;
};

}  // namespace weft::app
