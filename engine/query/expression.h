// Expressions over the columns of one table, computed in blocks of rows.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "query/table.h"
#include "query/tokens.h"

namespace weft::query {

/// A number for each row; NaN is NULL, and truth is 1 and 0. Integers are exact up to 2^53.
class Expression {
 public:
  virtual ~Expression() = default;
  virtual void compute(Row from, size_t count, double* out) const = 0;
  bool isInteger = false;  ///< Its values are integers for SQL.
};

/// Which columns a name in the statement means.
struct Naming {
  const Table* table = nullptr;
  std::string alias;  ///< In small letters; the table's name if it has no other.
  /// The column that the tokens at `at` name, as `column` or `alias.column`; moves `at` behind it. −1: none, and `at` stays.
  int column(std::span<const Token> tokens, size_t& at) const;
};

/// The expression of all of these tokens; null if it is of a kind that is not computed here, which SQLite may still know.
std::unique_ptr<Expression> expressionOf(std::span<const Token> tokens, const Naming& naming);

/// 1 where a column of texts has one, else NULL. REQUIRES: isColumnar(column).
std::unique_ptr<Expression> presenceOf(const Table& table, int column);

}  // namespace weft::query
