// SQLite with errors as values.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "weft/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace weft::sweep {

/// A prepared statement. Parameters are numbered from 1, columns from 0.
class Statement {
 public:
  Statement() = default;
  Statement(sqlite3* db, sqlite3_stmt* statement) : db_(db), statement_(statement, finalize) {}

  Statement& bind(int at, int64_t value);
  Statement& bind(int at, int value) { return bind(at, int64_t(value)); }
  Statement& bind(int at, double value);
  Statement& bind(int at, std::string_view value);
  Statement& bindNull(int at);
  /// Whether there is a row. After false or an error the statement can be bound and run again.
  Result<bool> next();
  /// Runs a statement that returns no rows.
  Status run();

  int64_t integer(int column) const;
  double number(int column) const;  ///< NaN for NULL.
  std::string_view text(int column) const;
  bool isNull(int column) const;

 private:
  static void finalize(sqlite3_stmt* statement);
  sqlite3* db_ = nullptr;
  std::unique_ptr<sqlite3_stmt, void (*)(sqlite3_stmt*)> statement_{nullptr, finalize};
};

/// A connection. One thread at a time.
class Database {
 public:
  static Result<std::unique_ptr<Database>> open(const std::string& path, bool create);
  ~Database();
  Status execute(const std::string& sql);
  Result<Statement> prepare(std::string_view sql);
  Result<int64_t> integer(std::string_view sql);  ///< The first column of the first row; 0 if there is none.
  int64_t lastId() const;
  int64_t ownChanges() const;  ///< Rows that this connection has changed.

 private:
  Database(std::string path, sqlite3* db) : path_(std::move(path)), db_(db) {}
  std::string path_;
  sqlite3* db_;
};

/// Rolls back unless committed.
class Transaction {
 public:
  static Result<std::unique_ptr<Transaction>> begin(Database& db);
  ~Transaction();
  Status commit();

 private:
  explicit Transaction(Database& db) : db_(db) {}
  Database& db_;
  bool open_ = true;
};

}  // namespace weft::sweep
