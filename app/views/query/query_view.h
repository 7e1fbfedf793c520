#pragma once

#include <QTimer>
#include <QWidget>

#include "adapters/query_page.h"
#include "shell/view.h"

class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

class QueryField;
class QueryStore;
class QueryTableModel;

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
