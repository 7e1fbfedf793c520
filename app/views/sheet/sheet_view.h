#pragma once

#include <QItemSelection>
#include <QTimer>
#include <QWidget>

#include "adapters/sheet_table.h"
#include "shell/view.h"

class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QTabBar;
class QTableView;
class QToolButton;

namespace weft::widgets {
class EmptyState;
}

namespace weft::app {

class SheetEditBar;
class SheetModel;
class SheetStore;

/// The spreadsheet: a sheet with its filter, sums of the selected cells, and edits of many cells at once.
class SheetView : public QWidget {
  Q_OBJECT
  /// {"sheet", "filter", "error", "columns", "of", "rows": [[…]], "summary", "busy", "selected", "values"}, for scripts; at most 1,000 rows.
  Q_PROPERTY(QString report READ report)

 public:
  SheetView(const ViewContext& context, QWidget* parent);
  QString report() const;
  QSize sizeHint() const override { return {700, 260}; }

 public slots:
  /// The keyboard to the filter.
  void edit();
  /// Opens the bar that sets a value for the selected rows.
  void openEditBar();
  /// The selected cells as lines of fields separated by tabs; all shown ones if none is selected.
  QString chosenText(bool heading = false) const;
  /// Sets cells from the selected one on to the fields of lines with tabs; a single field is for all selected cells that can be changed.
  void paste(const QString& text);
  QString chosenCells(const QItemSelection& selection, const QVector<int>& columns, bool heading) const;

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void makeBars();
  void connectStore();
  void retranslate();
  void retranslateEmpty();
  void showSheet();
  bool isEditing() const;
  void showColumns();
  void showColumnOrder();
  void keepColumnOrder();
  void measureColumns();
  void showState();
  void showSums();
  void showSort();
  void follow(bool always = false);
  void select(const std::vector<int>& tableRows, int firstColumn, int lastColumn);
  void selected();
  void showNode();
  void given(const std::vector<int>& rows, const QString& column, const QString& value, const QString& replaced);
  void run(const char* id, const QStringList& words = {});
  // sheet_texts.cpp
  void fillColumns(QMenu* menu);
  void showCellMenu(QPoint at);
  void showHeaderMenu(QPoint at);
  void addFilter(const QString& term);

  ViewContext context_;
  SheetStore& store_;
  QTabBar* kinds_;
  QLineEdit* filter_;
  QToolButton *columns_, *set_, *more_;
  QLabel *message_, *rowsLine_, *sums_;
  QStackedWidget* stack_;
  widgets::EmptyState* empty_;
  QTableView* table_;
  SheetModel* model_;
  SheetEditBar* bar_;
  QTimer filterLater_, sumsLater_;
  QStringList measured_;  // names of the columns that have a width
  bool selecting_ = false;
  bool ordering_ = false;  // columns get their remembered places
  bool late_ = false;      // a sheet arrived while a value was being typed
};

extern const ViewRecord sheetView;

}  // namespace weft::app
