// The tables of the spreadsheet: nodes, variables, tensors and runs as rows.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <QVector>
#include <atomic>
#include <memory>

#include "adapters/graph_contents.h"
#include "adapters/trained_model.h"

namespace weft {
class RowTable;
}

namespace weft::app {

class DebugJob;

enum class SheetKind { Nodes, Variables, Tensors, Runs };
constexpr int kSheetKinds = 4;
/// "nodes", "variables", …: stable, for scripts and settings.
QString sheetKey(SheetKind kind);

struct SheetColumn {
  enum class Kind { Text, Count, Number, Bytes, Flops, Seconds, Time };
  QString name;
  Kind kind = Kind::Text;
  bool isAttribute = false;
  bool isEditable = false;
  QString doc;  ///< One sentence; may be empty.
};

/// A training or an event run, for the sheet of runs.
struct SheetRun {
  QString name, source, status, folder;
  double started = 0, seconds = 0;  ///< Since 1970, and its length; 0: unknown.
  qint64 step = -1, steps = -1;     ///< Negative: unknown.
  QVector<QPair<QString, QString>> params;
  QVector<QPair<QString, double>> metrics;
};

/// What a sheet is read from: plain values and immutable things.
struct SheetSources {
  SheetKind kind = SheetKind::Nodes;
  GraphContentsPtr contents;  ///< Null: no graph is open.
  QString title;
  QStringList attributes;  ///< Of nodes: the columns that the user added.
  // Of variables: where their values are.
  TrainedModelPtr model;  ///< Null: none.
  QString checkpoint;     ///< Prefix; read if there is no model.
  QString valuesOf;       ///< In words: "run 3".
  // Of tensors.
  std::shared_ptr<const DebugJob> debugged;  ///< Null: none.
  QStringList watched;                       ///< Tensors that come first.
  QStringList files;                         ///< That may be checkpoints.
  // Of runs.
  QVector<SheetRun> runs;
  QString experiments;  ///< A store of experiments; empty: none.
};

struct SheetOrder {
  QString column;
  bool descending = false;
};

/// The rows that are shown, in their order.
struct SheetRows {
  std::vector<int> rows;    ///< Of the table.
  std::vector<int> places;  ///< By row of the table; −1: not shown.
  QString error;            ///< Of the filter; then all rows are shown.
  int placeOf(int row) const { return row >= 0 && row < int(places.size()) ? places[size_t(row)] : -1; }
};
using SheetRowsPtr = std::shared_ptr<const SheetRows>;

/// Of the numbers in the selected cells.
struct SheetSummary {
  qint64 cells = 0, numbers = 0;
  double sum = 0, mean = 0, min = 0, max = 0;
  SheetColumn::Kind kind = SheetColumn::Kind::Number;  ///< Of all columns, if they agree.
};

/// One sheet. Immutable, so any thread may read it.
class SheetTable {
 public:
  SheetKind kind = SheetKind::Nodes;
  QVector<SheetColumn> columns;
  QStringList attributes;  ///< Of nodes: all names, sorted, for a menu.
  QString valuesOf;        ///< Where values come from, in words; empty: there are none.
  QStringList notes;       ///< Sentences about what could not be read.
  GraphContentsPtr of;     ///< The graph that it was read from.
  double readingSeconds = 0;

  explicit SheetTable(std::shared_ptr<const RowTable> rows);
  int rows() const;
  int column(const QString& name) const;  ///< −1: there is none.
  /// A cell as the sheet shows it, and with all its digits.
  QString shown(int row, int column) const;
  QString text(int row, int column) const;
  bool isEmpty(int row, int column) const;
  bool isEditable(int row, int column) const;
  /// The node or run of a row; of a tensor, its node.
  QString name(int row) const;
  /// The rows of these nodes, and of all nodes in these scopes; ascending.
  std::vector<int> rowsOf(const QStringList& names) const;
  /// Filters and sorts; blocks. A stopped call has no result.
  SheetRows arranged(const QString& filter, const QVector<SheetOrder>& orders, const std::atomic<bool>& cancelled) const;
  /// The most frequent values of a column of texts, with their numbers.
  QVector<QPair<QString, int>> frequent(int column, const std::vector<int>& rows, int most) const;
  void addTo(SheetSummary& summary, int column, const std::vector<int>& rows) const;
  QByteArray csv(const std::vector<int>& rows, const QVector<int>& columns) const;
  QString tsv(const std::vector<int>& rows, const QVector<int>& columns, bool heading) const;
  static QString shownNumber(double number, SheetColumn::Kind kind);

 private:
  std::shared_ptr<const RowTable> rows_;
  QMultiHash<QString, int> byName_;
};
using SheetTablePtr = std::shared_ptr<const SheetTable>;

/// Reads a sheet; blocks, for a worker thread. Null and an `error` if it cannot be read, null without one if it was cancelled.
SheetTablePtr readSheet(const SheetSources& sources, const std::atomic<bool>& cancelled, QString* error);

}  // namespace weft::app
