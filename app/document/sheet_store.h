// The spreadsheet: which sheet is shown, how it is filtered and sorted, and edits of its cells.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <array>
#include <functional>

#include "adapters/sheet_table.h"

namespace weft::app {

class Document;
class Workspace;
struct GraphEdit;

/// What a sheet of the graph in front is read from.
SheetSources sheetSources(Workspace& workspace, SheetKind kind, const QStringList& attributes);

/// Sheets are read, filtered and sorted on worker threads, and again when what they show has changed while the dock is seen. GUI thread.
class SheetStore : public QObject {
  Q_OBJECT

 public:
  /// The workspace's store; created on the first call.
  static SheetStore& of(Workspace& workspace);

  /// Whether somebody looks. Nothing is read until then.
  void setShown(bool shown);
  SheetKind kind() const { return kind_; }
  void setKind(SheetKind kind);
  /// The filter of the present sheet; each has its own.
  const QString& filter() const { return state().filter; }
  void setFilter(const QString& text);
  /// The latest order first; those before it decide between equal rows.
  const QVector<SheetOrder>& orders() const { return state().orders; }
  void setOrders(const QVector<SheetOrder>& orders);
  /// As a click on a header: ascending, descending, as read.
  void sortBy(const QString& column);
  /// Columns of the present sheet that are not shown; remembered.
  const QStringList& hidden() const { return state().hidden; }
  void setColumnShown(const QString& column, bool shown);
  void showDefaultColumns();
  /// Names of columns in the order in which they are shown; columns that are not named come after those. Remembered.
  const QStringList& columnOrder() const { return state().order; }
  void setColumnOrder(const QStringList& columns);
  /// Attributes of nodes that are columns; remembered.
  const QStringList& attributes() const { return attributes_; }
  void setAttributeShown(const QString& attribute, bool shown);

  /// The sheet as last read; null before.
  const SheetTablePtr& table() const { return table_; }
  /// Never null. Belongs to table().
  const SheetRowsPtr& rows() const { return rows_; }
  /// Why the sheet could not be read; empty if it was.
  const QString& error() const { return error_; }
  /// Why the last edit was refused; empty if it was not.
  const QString& refusal() const { return refusal_; }
  bool isBusy() const { return reading_ != 0 || arranging_ != 0 || queued_ || editing_ > 0; }
  void refresh();

  /// Rows of the table that are selected in the dock.
  const std::vector<int>& selected() const { return selected_; }
  void setSelected(std::vector<int> rows) { selected_ = std::move(rows); }
  /// Names of nodes of the current document in the selected rows.
  QStringList selectedNodes() const;

  using Done = std::function<void(const QString& error)>;
  /// Sets a cell's column for these rows: one step of the history, or an error and no change. See setAllOf().
  void set(const std::vector<int>& rows, const QString& column, const QString& value, const QString& replaced, Done done);
  /// A value for a cell of the table.
  struct Cell {
    int row, column;
    QString value;
  };
  /// Sets cells, each to its own value: one step of the history, or an error and no change.
  void setCells(const SheetTablePtr& of, const std::vector<Cell>& cells, Done done);
  /// States why an edit was not made.
  void refuse(const QString& why);
  /// The shown rows and columns as CSV, written as a whole or not at all. Blocks only to write. Returns an error, or empty.
  QString exportCsv(const QString& path) const;
  /// Columns that are shown, by their place in the table, in their order.
  QVector<int> shownColumns() const;

 signals:
  /// State that a bar shows: busy, kind, filter, errors.
  void changed();
  /// Another table, or other rows of it.
  void arranged();
  void columnsChanged();

 private:
  struct State {
    QString filter;
    QVector<SheetOrder> orders;
    QStringList hidden, order;
  };
  explicit SheetStore(Workspace& workspace);
  State& state() { return states_[size_t(kind_)]; }
  const State& state() const { return states_[size_t(kind_)]; }
  void stale();
  void readSoon();
  void read();
  void arrange(const SheetTablePtr& table);
  void cancel();
  void drop();
  void keepHidden();
  void apply(GraphEdit edit, Done done);

  Workspace& workspace_;
  SheetKind kind_ = SheetKind::Nodes;
  std::array<State, kSheetKinds> states_;
  QStringList attributes_;
  SheetTablePtr table_, next_;  // next_: read, but its rows are not arranged yet
  SheetTablePtr old_;           // shown before; the next reading frees it
  SheetRowsPtr rows_ = std::make_shared<const SheetRows>();
  QString error_, refusal_;
  std::vector<int> selected_;
  QElapsedTimer sinceRead_;
  int reading_ = 0, arranging_ = 0, editing_ = 0;  // tasks; edits under way
  bool shown_ = false, stale_ = true, queued_ = false;
};

}  // namespace weft::app
