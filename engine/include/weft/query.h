// SQL over everything that Weft reads: graphs, checkpoints, event files, experiments, traces and folders as tables.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "weft/checkpoint.h"
#include "weft/error.h"
#include "weft/experiments.h"
#include "weft/graph.h"
#include "weft/profile.h"

namespace weft {

enum class QueryType { Text, Integer, Real };

/// A column of a table that queries read. Texts live as long as the program; `doc` is one sentence, for translation in the context "Query".
struct QueryColumn {
  const char* name;
  QueryType type;
  const char* doc;
};
struct QueryTable {
  const char* name;
  const char* doc;
  std::vector<QueryColumn> columns;
};
/// All tables. They are the same for every database; those that no source fills are empty.
WEFT_API std::span<const QueryTable> queryTables();

/// A function that queries have beside those of SQLite.
struct QueryFunction {
  const char* name;
  const char* call;  ///< "percentile(x, p)"
  const char* doc;   ///< For translation in the context "Query".
};
WEFT_API std::span<const QueryFunction> queryFunctions();

/// A query that can be run as it is.
struct QueryExample {
  const char* table;  ///< The table that has to hold something for it to be of use.
  const char* title;  ///< For translation in the context "Query".
  const char* sql;
};
WEFT_API std::span<const QueryExample> queryExamples();

/// monostate: NULL. NaN is NULL in SQL; infinities are numbers.
using QueryValue = std::variant<std::monostate, int64_t, double, std::string>;

/// The rows of a query.
struct QueryResult {
  struct Column {
    std::string name;
    std::string table, origin;  ///< The table and column that it shows unchanged; empty for computed columns.
  };
  std::vector<Column> columns;
  std::vector<std::vector<QueryValue>> rows;
  bool more = false;               ///< There are more rows than the limit.
  double seconds = 0;              ///< Without the reading of files.
  double reading = 0;              ///< Seconds that the reading of files took; 0 once they are read.
  std::vector<std::string> notes;  ///< Sentences about what could not be read completely, such as damaged event files.
  bool grouped = false;            ///< Some aggregates were computed on columns, without SQLite. For benches and tests.
};

struct QueryOptions {
  int64_t limit = 1000;  ///< Most rows of the result; 0: no limit.
  /// Called on the running thread some times a second with the number of result rows so far. Return false to stop with CANCELLED.
  std::function<bool(int64_t rows)> progress = {};
  bool columns = true;  ///< Compute aggregates of single tables on columns where possible. Results are the same without, up to rounding.
};

/// Points of one curve, for addScalars().
struct QueryScalars {
  std::string run, tag;
  std::vector<int64_t> steps;
  std::vector<double> wallTimes;  ///< Seconds since 1970. As many as steps.
  std::vector<double> values;
};

/// What queries read. Sources are immutable and kept; files are read when a query first needs their table. One thread at a time.
///
/// Queries cannot write: there is no ATTACH, no CREATE, no PRAGMA that changes anything, and no loading of extensions.
class WEFT_API QueryDatabase {
 public:
  static Result<std::unique_ptr<QueryDatabase>> create();
  virtual ~QueryDatabase() = default;

  /// A file or folder of any kind that fills a table: a graph, a SavedModel, a model of another format, a checkpoint, event files, a trace, a store of
  /// experiments, a folder with any of them. Folders are searched below, too. NOT_FOUND if there is none; INVALID_ARGUMENT if a file fills no table.
  virtual Status addPath(const std::string& path) = 0;
  /// `name` is the column `file` of its rows.
  virtual void addGraph(const std::string& name, std::shared_ptr<const MetaGraph> meta) = 0;
  virtual void addTrace(const std::string& name, std::shared_ptr<const Trace> trace) = 0;
  virtual void addCheckpoint(const std::string& name, std::shared_ptr<const CheckpointReader> checkpoint) = 0;
  virtual void addScalars(const std::string& name, std::shared_ptr<const std::vector<QueryScalars>> curves) = 0;
  /// Settings of a run, for the table params.
  virtual void addParams(const std::string& name, const std::string& run, std::vector<std::pair<std::string, std::string>> values) = 0;
  virtual Status addExperiments(const std::string& path) = 0;
  /// Reads the sources of a table now, and returns the number of its rows. NOT_FOUND for an unknown table.
  virtual Result<int64_t> rowsOf(const std::string& table) = 0;

  /// Runs one SELECT. INVALID_ARGUMENT for a mistake in it, naming the table or column with the nearest names; PERMISSION_DENIED for a statement that writes;
  /// CANCELLED if `progress` says so; errors of files that could not be read.
  virtual Result<QueryResult> run(const std::string& sql, const QueryOptions& options) = 0;
  Result<QueryResult> run(const std::string& sql) { return run(sql, QueryOptions{}); }
};

/// Comma-separated, with a line of column names. NULL is an empty field; texts are quoted where needed.
WEFT_API std::string toCsv(const QueryResult& result);
/// {"columns": […], "rows": [{column: value}, …], "more": bool, "seconds": number}; columns of equal names get numbers. Infinities are the texts "Infinity" and "-Infinity".
WEFT_API std::string toJson(const QueryResult& result);
/// A value as tables show it; NULL is "". `digits`: significant digits of reals; 0: all that are needed.
WEFT_API std::string toText(const QueryValue& value, int digits = 0);

}  // namespace weft
