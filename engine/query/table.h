// Tables that queries read: columns of existing structures, read where they lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weft/query.h"

namespace weft::query {

using Row = uint32_t;
constexpr size_t kBlockRows = 4096;
constexpr int64_t kNullInteger = INT64_MIN;
constexpr int32_t kNullCode = -1;

/// Whether the caller wants to stop.
using Stop = std::function<bool()>;

/// Texts by number.
class Dictionary {
 public:
  int32_t code(std::string_view text);
  int32_t find(std::string_view text) const;  ///< kNullCode if it is not there.
  const std::string& text(int32_t code) const { return texts_[size_t(code)]; }
  int32_t size() const { return int32_t(texts_.size()); }
  /// Place of each text in the order of bytes.
  const std::vector<int32_t>& ranks() const;

 private:
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, int32_t> byText_;
  mutable std::vector<int32_t> ranks_;
};

/// How a segment stores a column. Integers are read at base + row × stride.
struct Source {
  enum class Store : uint8_t {
    Constant,  ///< `constant` for all rows: an integer, or a code of a text.
    Int32,     ///< Through `codes` or `reals` if given. Without `codes`, of texts: codes themselves.
    Int64,     ///< Plus the integer at `plus`, if given.
    Float64,
    Call,  ///< Computed by `call` when it is read.
  } store = Store::Constant;
  const char* base = nullptr;
  const char* plus = nullptr;
  size_t stride = 0;
  double divisor = 0;  ///< Of a Real that is stored as integer; 0: not divided.
  std::shared_ptr<const std::vector<int32_t>> codes;
  std::shared_ptr<const std::vector<double>> reals;
  int64_t constant = kNullInteger;
  std::function<QueryValue(Row)> call;

  static Source ofText(int32_t code);
  static Source ofInteger(int64_t value);
  static Source ofCall(std::function<QueryValue(Row)> call);
  template <typename T>
  static Source ofVector(const std::vector<T>& values) {
    Source s;
    s.store = sizeof(T) == 4 ? Store::Int32 : std::is_floating_point_v<T> ? Store::Float64 : Store::Int64;
    s.base = reinterpret_cast<const char*>(values.data());
    s.stride = sizeof(T);
    return s;
  }
};

/// Rows of one source.
struct Segment {
  Row rows = 0;
  std::vector<Source> columns;  ///< As many as the table has.
  std::shared_ptr<const void> owner;
};

/// One table. Filled by its loaders when it is first read.
class Table {
 public:
  explicit Table(const QueryTable& schema) : schema(schema) {}

  const QueryTable& schema;
  Dictionary dictionary;
  std::deque<std::function<Status(const Stop&)>> loaders;  ///< May add loaders.

  void add(Segment segment);
  /// Runs the loaders that were not run yet.
  Status load(const Stop& stop);
  Row rows() const { return rows_; }
  int column(std::string_view name) const;  ///< −1: there is none.
  QueryType type(int column) const { return schema.columns[size_t(column)].type; }
  /// Whether blocks of the column can be read: no segment computes it by a call.
  bool isColumnar(int column) const;

  /// Reads `count` rows from `from` on. Texts: codes. REQUIRES: isColumnar(column), and the rows exist.
  void readCodes(int column, Row from, size_t count, int32_t* out) const;
  /// Integers and reals; NaN: NULL. Integers beyond 2^53 are rounded.
  void readReals(int column, Row from, size_t count, double* out) const;
  QueryValue value(int column, Row row) const;
  /// The text of a row without a copy, if it is stored by code; null for NULL. REQUIRES: type Text and isColumnar(column).
  const std::string* textAt(int column, Row row) const;

  /// Rows with that value, ascending. The index is made when it is first asked for.
  std::vector<Row> rowsWith(int column, std::string_view text);
  std::vector<Row> rowsWith(int column, double number);
  bool hasIndex(int column) const;

 private:
  const Segment& segmentOf(Row row, Row* inside) const;

  std::vector<Segment> segments_;
  std::vector<Row> starts_;
  Row rows_ = 0;
  size_t loaded_ = 0;
  struct Index {
    std::unordered_map<std::string, std::vector<Row>> texts;  // of columns that are computed
    std::vector<Row> starts, rows;                            // of columns of codes: the rows of code c are rows[starts[c]] to rows[starts[c + 1]]
    std::vector<std::pair<double, Row>> numbers;
  };
  std::unordered_map<int, Index> indexes_;
};

}  // namespace weft::query
