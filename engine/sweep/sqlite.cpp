#include "sweep/sqlite.h"

#include <sqlite3.h>

#include <cmath>

namespace weft::sweep {
namespace {

constexpr int kBusyMs = 10000;  // another program is writing

Error errorOf(sqlite3* db, int result) {
  const char* file = db ? sqlite3_db_filename(db, "main") : nullptr;
  const std::string path = file ? file : "";
  const std::string words = db ? sqlite3_errmsg(db) : sqlite3_errstr(result);
  const auto made = [&](Error error) { return error.inFile(path); };
  switch (result & 0xff) {
    case SQLITE_FULL: return made(resourceExhausted("the disk is full, or the file may not grow"));
    case SQLITE_NOMEM: return made(resourceExhausted("there is not enough memory to read the file"));
    case SQLITE_NOTADB: return made(invalidArgument("this is not a file of experiments").ofKind("unrecognized"));
    case SQLITE_CORRUPT: return made(dataLoss("the file is damaged: ", words).ofKind("malformed"));
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH: return made(permissionDenied("the file cannot be written: ", words));
    case SQLITE_CANTOPEN: return made(notFound("the file cannot be opened: ", words));
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return made(unavailable("another program keeps the file locked"));
    case SQLITE_IOERR:
      // A full disk shows here too, where the file system reports it late.
      return made(resourceExhausted("the file cannot be read or written: ", words));
    default: return made(internalError(words));
  }
}

}  // namespace

void Statement::finalize(sqlite3_stmt* statement) { sqlite3_finalize(statement); }

Statement& Statement::bind(int at, int64_t value) {
  sqlite3_bind_int64(statement_.get(), at, value);
  return *this;
}
Statement& Statement::bind(int at, double value) {
  sqlite3_bind_double(statement_.get(), at, value);  // NaN becomes NULL
  return *this;
}
Statement& Statement::bind(int at, std::string_view value) {
  sqlite3_bind_text(statement_.get(), at, value.data() ? value.data() : "", int(value.size()), SQLITE_TRANSIENT);
  return *this;
}
Statement& Statement::bindNull(int at) {
  sqlite3_bind_null(statement_.get(), at);
  return *this;
}

Result<bool> Statement::next() {
  const int result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  Error error = result == SQLITE_DONE ? Error() : errorOf(db_, result);
  sqlite3_reset(statement_.get());
  if (result == SQLITE_DONE) return false;
  return error;
}

Status Statement::run() {
  for (;;) {
    WEFT_LET(const bool row, next());
    if (!row) return {};
  }
}

int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::number(int column) const { return isNull(column) ? std::nan("") : sqlite3_column_double(statement_.get(), column); }
std::string_view Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return text ? std::string_view(text, size_t(sqlite3_column_bytes(statement_.get(), column))) : std::string_view();
}
bool Statement::isNull(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

Result<std::unique_ptr<Database>> Database::open(const std::string& path, bool create) {
  sqlite3* db = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX;
  const int result = sqlite3_open_v2(path.c_str(), &db, flags, nullptr);
  if (result != SQLITE_OK) {
    Error error = errorOf(db, result);
    sqlite3_close(db);
    return error.inFile(path);
  }
  sqlite3_busy_timeout(db, kBusyMs);
  return std::unique_ptr<Database>(new Database(path, db));
}

Database::~Database() { sqlite3_close_v2(db_); }

Status Database::execute(const std::string& sql) {
  const int result = sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) return errorOf(db_, result).inFile(path_);
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int result = sqlite3_prepare_v2(db_, sql.data(), int(sql.size()), &statement, nullptr);
  if (result != SQLITE_OK) return errorOf(db_, result).inFile(path_);
  return Statement(db_, statement);
}

Result<int64_t> Database::integer(std::string_view sql) {
  WEFT_LET(Statement s, prepare(sql));
  WEFT_LET(const bool row, s.next());
  return row ? s.integer(0) : 0;
}

int64_t Database::lastId() const { return sqlite3_last_insert_rowid(db_); }
int64_t Database::ownChanges() const { return sqlite3_total_changes64(db_); }

Result<std::unique_ptr<Transaction>> Transaction::begin(Database& db) {
  WEFT_TRY(db.execute("BEGIN IMMEDIATE"));
  return std::unique_ptr<Transaction>(new Transaction(db));
}

Transaction::~Transaction() {
  if (open_) (void)db_.execute("ROLLBACK").ok();  // SQLite has rolled back by itself if the disk is full
}

Status Transaction::commit() {
  WEFT_TRY(db_.execute("COMMIT"));
  open_ = false;
  return {};
}

}  // namespace weft::sweep
