#pragma once

#include <QAbstractTableModel>
#include <initializer_list>
#include <vector>

class QTreeView;

namespace weft::app {

/// A table of texts: words are aligned to the left, numbers to the right, in the header as well.
class TextTable : public QAbstractTableModel {
 public:
  using QAbstractTableModel::QAbstractTableModel;

  int columnCount(const QModelIndex& parent = {}) const final { return parent.isValid() ? 0 : columns(); }
  QVariant data(const QModelIndex& index, int role) const final;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const final;

 protected:
  struct Heading {
    QString title, tip;
  };

  virtual int columns() const = 0;
  virtual bool isNumber(int column) const = 0;
  virtual Heading heading(int column) const = 0;
  virtual QString text(int row, int column) const = 0;
  /// The roles other than text and alignment.
  virtual QVariant look(int row, int column, int role) const = 0;
};

/// A table of texts that sorts its rows itself. A row shows an item, a number that the subclass gives a meaning.
class SortedTextTable : public TextTable {
 public:
  /// `column`: the rows are sorted by it first, in descending order.
  SortedTextTable(int column, QObject* parent) : TextTable(parent), column_(column) {}

  int rowCount(const QModelIndex& parent = {}) const final { return parent.isValid() ? 0 : int(items_.size()); }
  void sort(int column, Qt::SortOrder order) final;
  int itemAt(int row) const { return items_[size_t(row)]; }
  /// -1: the item is not listed.
  int rowOfItem(int item) const;

 protected:
  /// Lists the items anew. Equal ones keep the order of items().
  void arrange();
  virtual std::vector<int> items() const = 0;
  /// What an item is sorted by in a column of words, and in one of numbers.
  virtual QString wordOf(int item, int column) const = 0;
  virtual double numberOf(int item, int column) const = 0;

 private:
  std::vector<int> items_;
  int column_;
  Qt::SortOrder order_ = Qt::DescendingOrder;
};

/// Makes a tree view a flat list: rows of one height, long names elided at their front.
void listRows(QTreeView* view);
/// Lists the rows of a model that sorts itself; a click on the header sorts. `column`: sorted by it first, in descending order.
void listSortedRows(QTreeView* view, QAbstractItemModel* model, int column);
/// Widths of all columns in pixels; those of 0 share what is left. REQUIRES: the view has its model.
void setColumnWidths(QTreeView* view, std::initializer_list<int> widths);

}  // namespace weft::app
