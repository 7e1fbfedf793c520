#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/nearest_name.h"
#include "query/functions.h"
#include "query/grouping.h"
#include "query/sources.h"
#include "query/tokens.h"
#include "query/virtual_table.h"

namespace weft::query {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLongestValue = 64 << 20;  // bytes: a query must not fill the memory with one value
constexpr int kOperations = 20000;       // of SQLite's machine between two questions whether to stop
constexpr auto kAskEvery = std::chrono::milliseconds(50);
constexpr const char* kGroupPrefix = "weft_groups_";

double secondsSince(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

struct CloseConnection {
  void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
};
struct CloseStatement {
  void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
};

/// What a statement that is refused wanted to do.
struct Refusal {
  const Running* running = nullptr;
  std::string what;
};

/// Lets statements read, and nothing else.
int authorize(void* refusal, int action, const char* first, const char* second, const char*, const char*) {
  auto& what = static_cast<Refusal*>(refusal)->what;
  if (static_cast<Refusal*>(refusal)->running->connecting) return SQLITE_OK;
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION: {
      const std::string_view name = second ? second : "";
      if (name != "load_extension" && name != "fts3_tokenizer" && name != "sqlite_rename_table") return SQLITE_OK;
      what = concat("the function ", name, " is not allowed");
      return SQLITE_DENY;
    }
    case SQLITE_PRAGMA: {
      const std::string_view name = first ? first : "";
      for (const char* harmless : {"table_info", "table_xinfo", "function_list", "compile_options"})
        if (name == harmless) return SQLITE_OK;
      what = concat("PRAGMA ", name, " is not allowed");
      return SQLITE_DENY;
    }
    case SQLITE_ATTACH: what = "ATTACH is not allowed"; return SQLITE_DENY;
    default: what = "only SELECT is allowed"; return SQLITE_DENY;
  }
}

class Database : public QueryDatabase {
 public:
  Status open();
  Status addPath(const std::string& path) override { return addPathRows(tables_, path); }
  void addGraph(const std::string& name, std::shared_ptr<const MetaGraph> meta) override {
    addLoader(tables_, {"nodes", "edges", "attrs", "variables"},
              [this, name, meta](const Stop&) -> Status { return addGraphRows(tables_, name, meta), Status(); });
  }
  void addTrace(const std::string& name, std::shared_ptr<const Trace> trace) override {
    addLoader(tables_, {"slices"}, [this, name, trace](const Stop&) -> Status { return addTraceRows(tables_, name, trace), Status(); });
  }
  void addCheckpoint(const std::string& name, std::shared_ptr<const CheckpointReader> checkpoint) override {
    addLoader(tables_, {"tensors"}, [this, name, checkpoint](const Stop&) -> Status { return addCheckpointRows(tables_, name, checkpoint), Status(); });
  }
  void addScalars(const std::string& name, std::shared_ptr<const std::vector<QueryScalars>> curves) override {
    addLoader(tables_, {"scalars", "tags", "runs", "metrics"},
              [this, name, curves](const Stop&) -> Status { return addCurveRows(tables_, name, *curves), Status(); });
  }
  void addParams(const std::string& name, const std::string& run, std::vector<std::pair<std::string, std::string>> values) override {
    addLoader(tables_, {"params"},
              [this, name, run, values = std::move(values)](const Stop&) -> Status { return addParamRows(tables_, name, run, values), Status(); });
  }
  Status addExperiments(const std::string& path) override {
    addLoader(tables_, {"runs", "params", "metrics"}, [this, path](const Stop&) { return addExperimentRows(tables_, path); });
    return {};
  }
  Result<int64_t> rowsOf(const std::string& name) override {
    Table* table = tables_.find(name);
    if (!table) return unknownTable(name);
    WEFT_TRY(table->load([] { return false; }));
    return int64_t(table->rows());
  }
  Result<QueryResult> run(const std::string& sql, const QueryOptions& options) override;

 private:
  using Statement = std::unique_ptr<sqlite3_stmt, CloseStatement>;
  Error unknownTable(const std::string& name);
  Status readTables(const std::vector<Token>& tokens);
  Result<Statement> prepare(const std::string& sql, const std::string& written);
  Error mistake(const std::string& sql);
  Error failure(int result, const std::string& sql);
  Status fetch(sqlite3_stmt* statement, const QueryOptions& options, const Regrouped& regrouped, QueryResult& out);
  void describe(sqlite3_stmt* statement, const Regrouped& regrouped, QueryResult& out);
  Status compute(const Regrouped& regrouped, const std::string& sql, const QueryOptions& options, QueryResult& out);
  bool asks(int64_t rows);

  Tables tables_;
  Running running_;
  Refusal refusal_;
  std::unique_ptr<sqlite3, CloseConnection> db_;  // closed before the tables that it reads
  // Of the running query:
  const QueryOptions* options_ = nullptr;
  int64_t rows_ = 0;
  Clock::time_point asked_;
  bool stopped_ = false;
};

Status Database::open() {
  sqlite3* db = nullptr;
  const int result = sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_MEMORY, nullptr);
  db_.reset(db);
  if (result != SQLITE_OK) return internalError("SQLite cannot be started: ", sqlite3_errstr(result));
  running_.stop = [this] { return asks(rows_); };
  sqlite3_limit(db, SQLITE_LIMIT_LENGTH, kLongestValue);
  WEFT_TRY(registerFunctions(db));
  addLoader(tables_, {"gaps"}, [this](const Stop& stop) { return addGapRows(tables_, stop); });
  for (auto& [name, table] : tables_) WEFT_TRY(registerTable(db, table, running_));
  refusal_.running = &running_;
  sqlite3_set_authorizer(db, authorize, &refusal_);
  sqlite3_progress_handler(
      db, kOperations, [](void* self) { return int(static_cast<Database*>(self)->asks(static_cast<Database*>(self)->rows_)); }, this);
  return {};
}

/// Asks the caller whether to stop, some times a second.
bool Database::asks(int64_t rows) {
  if (stopped_ || !options_ || !options_->progress) return stopped_;
  const auto now = Clock::now();
  if (now - asked_ < kAskEvery) return false;
  asked_ = now;
  stopped_ = !options_->progress(rows);
  return stopped_;
}

Error Database::unknownTable(const std::string& name) {
  std::vector<std::string> names;
  for (const QueryTable& t : queryTables()) names.emplace_back(t.name);
  const std::string near = nearestName(name, names);
  std::string all;
  for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
  return notFound("there is no table '", name, "'", near.empty() ? concat("; the tables are ", all) : concat("; did you mean '", near, "'?"));
}

/// Reads the tables that a statement names.
Status Database::readTables(const std::vector<Token>& tokens) {
  for (const Token& t : tokens)
    if (Table* table = t.isName() ? tables_.find(t.text) : nullptr) {
      Status read = table->load(running_.stop);
      if (!read.ok() && stopped_) return cancelledError("the query was stopped");
      WEFT_TRY(std::move(read));
    }
  return {};
}

/// An error of SQLite in a statement, with the names that were meant.
Error Database::mistake(const std::string& sql) {
  const std::string words = sqlite3_errmsg(db_.get());
  const int offset = sqlite3_error_offset(db_.get());
  const std::string place = offset >= 0 ? concat(" (at character ", offset + 1, ")") : "";
  const auto after = [&](std::string_view start) { return words.compare(0, start.size(), start) == 0 ? words.substr(start.size()) : std::string(); };
  const auto did = [](const std::string& near) { return near.empty() ? std::string() : concat("; did you mean '", near, "'?"); };
  for (const char* writes : {"may not be modified", "no such module", "may not be dropped", "may not be altered", "read-only", "readonly", "not authorized"})
    if (words.find(writes) != words.npos) return permissionDenied("queries only read: ", refusal_.what.empty() ? words : refusal_.what);
  if (const std::string table = after("no such table: "); !table.empty()) {
    const Error error = unknownTable(table);
    return invalidArgument(error.message, place);
  }
  if (const std::string full = after("no such column: "); !full.empty()) {
    const size_t dot = full.rfind('.');
    const std::string column = dot == full.npos ? full : full.substr(dot + 1);
    std::vector<std::string> names;
    std::string read;
    for (const Token& t : tokensOf(sql)) {
      const Table* table = t.isName() ? tables_.find(t.text) : nullptr;
      if (!table || (", " + read + ",").find(concat(", ", table->schema.name, ",")) != std::string::npos) continue;
      read += (read.empty() ? "" : ", ") + std::string(table->schema.name);
      for (const QueryColumn& c : table->schema.columns) names.emplace_back(c.name);
    }
    const std::string near = nearestName(column, names);
    std::string all;
    for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
    return invalidArgument("there is no column '", full, "'", read.empty() ? "" : " in " + read,
                           near.empty() && !all.empty() ? "; the columns are " + all : did(near), place);
  }
  if (const std::string function = after("no such function: "); !function.empty()) {
    std::vector<std::string> names = {"count",  "sum",    "avg",     "min",    "max",  "total", "round", "abs",
                                      "length", "substr", "replace", "printf", "log2", "sqrt",  "upper", "lower"};
    for (const QueryFunction& f : queryFunctions()) names.emplace_back(f.name);
    return invalidArgument("there is no function '", function, "'", did(nearestName(function, names)), place);
  }
  return invalidArgument(words, place);
}

Error Database::failure(int result, const std::string& sql) {
  if (stopped_) return cancelledError("the query was stopped");
  if (running_.error) return std::move(*running_.error);
  switch (result & 0xff) {
    case SQLITE_AUTH: return permissionDenied("queries only read: ", refusal_.what);
    case SQLITE_NOMEM: return resourceExhausted("there is not enough memory for this query");
    case SQLITE_TOOBIG: return resourceExhausted("a value or the statement is too long");
    case SQLITE_INTERRUPT: return cancelledError("the query was stopped");
    case SQLITE_FULL: return resourceExhausted("there is no room for the query's temporary files");
    default: return mistake(sql);
  }
}

Result<Database::Statement> Database::prepare(const std::string& sql, const std::string& written) {
  sqlite3_stmt* made = nullptr;
  const char* rest = nullptr;
  const int result = sqlite3_prepare_v2(db_.get(), sql.c_str(), int(sql.size()), &made, &rest);
  Statement statement(made);
  if (result != SQLITE_OK) return failure(result, written);
  if (!statement) return invalidArgument("expected a SELECT, got nothing");
  const std::vector<Token> left = tokensOf(rest ? std::string_view(rest) : std::string_view());
  if (std::any_of(left.begin(), left.end(), [](const Token& t) { return t.kind != Token::Kind::End && !t.isSymbol(";"); }))
    return invalidArgument("expected one statement, got several");
  if (sqlite3_bind_parameter_count(made) > 0)
    return invalidArgument("the query has a parameter, ", sqlite3_bind_parameter_name(made, 1) ? sqlite3_bind_parameter_name(made, 1) : "?",
                           ", that nothing gives a value");
  return statement;
}

void Database::describe(sqlite3_stmt* statement, const Regrouped& regrouped, QueryResult& out) {
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    const auto word = [](const char* text) { return std::string(text ? text : ""); };
    QueryResult::Column column{word(sqlite3_column_name(statement, i)), word(sqlite3_column_table_name(statement, i)),
                               word(sqlite3_column_origin_name(statement, i))};
    for (const auto& group : regrouped.tables) {
      if (column.table != group->schema.name) continue;
      const auto at = std::find(group->names.begin(), group->names.end(), column.origin) - group->names.begin();
      column.origin = at < ptrdiff_t(group->origins.size()) ? group->origins[size_t(at)] : "";
      column.table = column.origin.empty() ? "" : group->source;
      break;
    }
    out.columns.push_back(std::move(column));
  }
}

Status Database::fetch(sqlite3_stmt* statement, const QueryOptions& options, const Regrouped& regrouped, QueryResult& out) {
  for (;;) {
    const int result = sqlite3_step(statement);
    if (result == SQLITE_DONE) return {};
    if (result != SQLITE_ROW) return failure(result, sqlite3_sql(statement));
    if (options.limit > 0 && rows_ == options.limit) {
      out.more = true;
      return {};
    }
    std::vector<QueryValue> row(out.columns.size());
    for (size_t i = 0; i < row.size(); ++i) {
      const int c = int(i);
      switch (sqlite3_column_type(statement, c)) {
        case SQLITE_INTEGER: row[i] = int64_t(sqlite3_column_int64(statement, c)); break;
        case SQLITE_FLOAT: row[i] = sqlite3_column_double(statement, c); break;
        case SQLITE_NULL: break;
        default: {
          const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, c));
          row[i] = std::string(text ? text : "", size_t(sqlite3_column_bytes(statement, c)));
        }
      }
    }
    out.rows.push_back(std::move(row));
    if (++rows_ % 1024 == 0 && asks(rows_)) return cancelledError("the query was stopped");
  }
}

Result<QueryResult> Database::run(const std::string& sql, const QueryOptions& options) {
  options_ = &options;
  rows_ = 0;
  stopped_ = false;
  asked_ = Clock::now();
  running_.error.reset();
  refusal_.what.clear();
  struct End {
    const QueryOptions*& options;
    ~End() { options = nullptr; }
  } end{options_};
  QueryResult out;
  const auto begin = Clock::now();
  const std::vector<Token> tokens = tokensOf(sql);
  WEFT_TRY(readTables(tokens));
  out.reading = secondsSince(begin);
  const auto computing = Clock::now();
  const Regrouped regrouped = options.columns ? regroup(sql, tables_) : Regrouped{sql, {}};
  // What is wrong in a statement is said in its own words.
  if (!regrouped.tables.empty()) WEFT_TRY(prepare(sql, sql).status());
  Status computed = compute(regrouped, sql, options, out);
  out.grouped = !regrouped.tables.empty();
  if (!computed.ok() && out.grouped && computed.code() != Code::Cancelled) {
    // What columns cannot compute, SQLite computes from the rows.
    running_.error.reset();
    rows_ = 0;
    out.columns.clear();
    out.rows.clear();
    out.more = out.grouped = false;
    computed = compute({sql, {}}, sql, options, out);
  }
  WEFT_TRY(computed);
  out.seconds = secondsSince(computing);
  out.notes = tables_.notes;
  return out;
}

Status Database::compute(const Regrouped& regrouped, const std::string& sql, const QueryOptions& options, QueryResult& out) {
  for (const auto& group : regrouped.tables) WEFT_TRY(registerTable(db_.get(), *group->table, running_));
  const auto run = [&]() -> Status {
    WEFT_LET(const Statement statement, prepare(regrouped.sql, sql));
    describe(statement.get(), regrouped, out);
    return fetch(statement.get(), options, regrouped, out);
  };
  Status done = run();
  for (const auto& group : regrouped.tables) sqlite3_create_module_v2(db_.get(), group->schema.name, nullptr, nullptr, nullptr);
  return done;
}

}  // namespace
}  // namespace weft::query

namespace weft {

Result<std::unique_ptr<QueryDatabase>> QueryDatabase::create() {
  auto database = std::make_unique<query::Database>();
  WEFT_TRY(database->open());
  return std::unique_ptr<QueryDatabase>(std::move(database));
}

}  // namespace weft
