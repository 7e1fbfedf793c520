// Rows in typed columns, and what people do with tables of them: filter, sort, sum up, copy.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/query.h"

namespace weft {

/// A column of numbers (QueryType::Integer, Real) or of texts.
struct WEFT_API RowColumn {
  std::string name;
  QueryType type = QueryType::Text;
  std::vector<double> numbers;     ///< One for each row; NaN: no value. Integers are exact up to 2^53.
  std::vector<int32_t> codes;      ///< Of texts: positions in `words`; −1: no value.
  std::vector<std::string> words;  ///< Each once.

  bool isText() const { return type == QueryType::Text; }
  bool isEmpty(int32_t row) const { return isText() ? codes[size_t(row)] < 0 : numbers[size_t(row)] != numbers[size_t(row)]; }
  /// The value with all its digits; empty if there is none.
  std::string text(int32_t row) const;
};

/// Adds values to a column, row by row.
class WEFT_API RowColumnBuilder {
 public:
  RowColumnBuilder(std::string name, QueryType type);
  void add(double number);
  void add(std::string_view text);
  void addNone();
  RowColumn take() { return std::move(column_); }

 private:
  RowColumn column_;
  struct Words;
  std::shared_ptr<Words> words_;
};

/// A direction by a column. Rows without a value come last in both directions; texts are ordered as people count (`conv2` before `conv10`).
struct RowOrder {
  int column = 0;
  bool descending = false;
};

/// Of the numbers in some cells.
struct RowSummary {
  int64_t cells = 0, numbers = 0;  ///< Cells with a value, and those with a number.
  double sum = 0, min = 0, max = 0;
  double mean() const { return numbers > 0 ? sum / double(numbers) : 0; }
};

/// A table in memory. Immutable once filled, so that several threads can read it.
class WEFT_API RowTable {
 public:
  /// Asked some times during long work; true: stop, the result is not used.
  using Stop = std::function<bool()>;

  RowTable() = default;
  /// The columns of a query's result. A column of integers and reals becomes Real; one with any text, Text.
  explicit RowTable(const QueryResult& result);
  /// REQUIRES: as many rows as the other columns.
  void add(RowColumn column);

  int32_t rows() const { return rows_; }
  const std::vector<RowColumn>& columns() const { return columns_; }
  int find(std::string_view name) const;  ///< −1: there is none.

  /// The rows that a filter lets through, in the table's order. Empty text: all rows. Terms are joined by `and` (which may be left out), `or`, `not` and
  /// parentheses. A term is a part of any text in the row, ignoring case (`conv`), or COLUMN OPERATOR VALUE:
  /// - `=`, `!=` with a text that may hold `*`, or a number; `= ""`: no value
  /// - `<`, `<=`, `>`, `>=`; numbers may have a suffix: 10k, 4MB, 1.5G, 2KiB
  /// - `~`, `!~` with a regular expression (POSIX extended, ignoring case)
  /// - `in (VALUE, VALUE)`
  /// Names, texts and expressions with blanks or signs stand in quotes; shapes need none: `shape = [?,10]`. INVALID_ARGUMENT says what is wrong and where, with
  /// the nearest name for an unknown column.
  Result<std::vector<int32_t>> filtered(std::string_view text, const Stop& stop = {}) const;
  /// Sorts rows stably: by the first order, rows that are equal there by the next one.
  void sort(std::vector<int32_t>& rows, std::span<const RowOrder> orders, const Stop& stop = {}) const;
  /// Adds the cells of one column to a summary.
  void addTo(RowSummary& summary, int column, std::span<const int32_t> rows) const;
  /// Lines of fields separated by `separator`, after a line of column names if `heading`. A comma: quoted as CSV; a tab: tabs and line ends in fields become
  /// blanks.
  std::string text(std::span<const int32_t> rows, std::span<const int> columns, char separator, bool heading) const;

 private:
  std::vector<RowColumn> columns_;
  int32_t rows_ = 0;
};

/// Whether `a` comes before `b` as people order names: ignoring case, digits as numbers. A strict weak order; texts that differ are never equal.
WEFT_API bool naturallyLess(std::string_view a, std::string_view b);

}  // namespace weft
