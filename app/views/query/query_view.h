#pragma once

#include <QAbstractTableModel>
#include <QPlainTextEdit>
#include <QTimer>
#include <QWidget>

#include "adapters/query_page.h"
#include "shell/view.h"

class QCompleter;
class QLabel;
class QPushButton;
class QStackedWidget;
class QStandardItemModel;
class QTableView;
class QToolButton;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

class QueryStore;

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

/// SQL over what is open: a field with completion, the result as a table, and what can be done with its nodes.
class QueryView : public QWidget {
  Q_OBJECT
  /// {"sql", "error", "columns", "rows": [[…]], "more", "seconds", "busy", "nodes", "selected", "files", "contents"}, for scripts.
  Q_PROPERTY(QString report READ report)

 public:
  QueryView(const ViewContext& context, QWidget* parent);
  QString report() const;
  QSize sizeHint() const override { return {700, 260}; }

 public slots:
  /// The keyboard to the field.
  void edit();
  /// Puts a query into the field.
  void setQuery(const QString& sql);
  /// Writes the result as .csv or .json; `tag` is not used. Returns an error sentence, or empty.
  QString exportTag(const QString& tag, const QString& path);

 protected:
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  QWidget* makeBar();
  QWidget* makeActions();
  void retranslate();
  void fillWords();
  void showAnswer();
  void showState();
  void showMenu(QPoint at);
  void fillExamples();
  void fillHistory();
  void fillColumns();
  void select(const QVector<int>& rows);
  void run(const QString& id, const QStringList& words = {});
  QString chosenText() const;

  ViewContext context_;
  QueryStore& store_;
  QueryField* field_;
  QToolButton *run_, *cancel_, *examples_, *past_, *more_;
  QPushButton *selectNodes_, *highlight_, *color_, *break_;
  QLabel* state_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QTableView* table_;
  QueryTableModel* model_;
  QTimer clock_;
  QVector<QueryWord> words_;  // that the field offers
  GraphContentsPtr wordsOf_;  // whose op types are among them
  bool selecting_ = false;
};

extern const ViewRecord queryView;

}  // namespace weft::app
