#pragma once

#include <QAbstractTableModel>
#include <QItemSelection>
#include <QWidget>
#include <vector>

#include "adapters/sheet_table.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace weft::app {

/// The rows of a sheet that are shown. Cells are made when a view asks for them.
class SheetModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;
  /// `rows` belong to `table`, which may be null.
  void setSheet(SheetTablePtr table, SheetRowsPtr rows);
  const SheetTablePtr& table() const { return table_; }
  const SheetRowsPtr& shown() const { return rows_; }
  /// The row of the table that a row of the model shows.
  int tableRow(int row) const { return rows_->rows[size_t(row)]; }

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() || !table_ ? 0 : int(rows_->rows.size()); }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() || !table_ ? 0 : int(table_->columns.size()); }
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

 signals:
  /// A value was typed into a cell; the model changes when the document has.
  void typed(const QModelIndex& index, const QString& text);

 private:
  SheetTablePtr table_;
  SheetRowsPtr rows_ = std::make_shared<const SheetRows>();
};

/// The rows of a selection in any column, or in one; ascending, each once.
std::vector<int> rowsIn(const QItemSelection& selection, int column = -1);

/// Sets one value for the selected rows, or replaces a text in theirs.
class SheetEditBar : public QWidget {
  Q_OBJECT

 public:
  explicit SheetEditBar(QWidget* parent);
  /// Columns that can be changed, with `column` chosen if it is one.
  void setColumns(const QStringList& columns, const QString& column);
  void setRows(int rows);
  void retranslate();
  /// The keyboard to the value.
  void edit();

 signals:
  /// `replaced` empty: the value is set.
  void given(const QString& column, const QString& value, const QString& replaced);
  void closed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void apply();
  void showMode();

  QComboBox *column_, *mode_;
  QLineEdit *find_, *value_;
  QPushButton* apply_;
  QToolButton* close_;
  QLabel* with_;
  int rows_ = 0;
};

}  // namespace weft::app
