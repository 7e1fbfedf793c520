// A cursor reads blocks of rows: conditions that SQLite hands over drop rows of a block before SQLite sees them. They only ever drop rows that cannot pass, and
// SQLite tests what is left itself, so that a condition that is not understood costs time, not correctness.
#include "query/virtual_table.h"

#include <re2/re2.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>

#include "query/functions.h"

namespace weft::query {
namespace {

constexpr size_t kFirstSorted = 4096;  // rows that an ordered cursor finds in one pass; whoever reads on gets all rows sorted

struct VirtualTable : sqlite3_vtab {
  Table* table = nullptr;
  Running* running = nullptr;
};

struct ModuleData {
  Table* table;
  Running* running;
};

/// A condition on a column that can be tested in blocks.
struct Condition {
  int column = 0;
  bool isText = false;
  std::vector<char> accepted;  // by code + 1; index 0: NULL
  double low = -INFINITY, high = INFINITY;
  bool lowOpen = false, highOpen = false;
  enum class Null { Rejected, Only } null = Null::Rejected;
};

struct Cursor : sqlite3_vtab_cursor {
  Table* table = nullptr;
  Running* running = nullptr;
  std::vector<Condition> conditions;
  std::vector<Row> rows;  // of the present block, or all rows of an index or an order
  size_t at = 0;
  Row next = 0;  // the first row of the next block
  bool blocks = true;
  int order = -1;  // column
  bool descending = false, allSorted = false;
  int calls = 0;  // of xFilter
};

int fail(VirtualTable* vtab, Error error) {
  sqlite3_free(vtab->zErrMsg);
  vtab->zErrMsg = sqlite3_mprintf("%s", error.message.c_str());
  vtab->running->error = std::move(error);
  return SQLITE_ERROR;
}

const char* typeName(QueryType type) { return type == QueryType::Text ? "TEXT" : type == QueryType::Integer ? "INTEGER" : "REAL"; }

int connectTable(sqlite3* db, void* aux, int, const char* const*, sqlite3_vtab** out, char**) {
  auto* module = static_cast<ModuleData*>(aux);
  std::string sql = "CREATE TABLE x(";
  for (const QueryColumn& c : module->table->schema.columns) {
    if (sql.back() != '(') sql += ",";
    sql += concat("\"", c.name, "\" ", typeName(c.type));
  }
  module->running->connecting = true;
  const int result = sqlite3_declare_vtab(db, (sql + ")").c_str());
  module->running->connecting = false;
  if (result != SQLITE_OK) return result;
  auto* vtab = new VirtualTable();
  vtab->table = module->table;
  vtab->running = module->running;
  *out = vtab;
  return SQLITE_OK;
}

int disconnectTable(sqlite3_vtab* vtab) {
  delete static_cast<VirtualTable*>(vtab);
  return SQLITE_OK;
}

/// The letter of an operator in the plan's text; 0: not used.
char letterOf(int op) {
  switch (op) {
    case SQLITE_INDEX_CONSTRAINT_EQ: return '=';
    case SQLITE_INDEX_CONSTRAINT_GT: return '>';
    case SQLITE_INDEX_CONSTRAINT_LE: return 'l';
    case SQLITE_INDEX_CONSTRAINT_LT: return '<';
    case SQLITE_INDEX_CONSTRAINT_GE: return 'g';
    case SQLITE_INDEX_CONSTRAINT_LIKE: return 'L';
    case SQLITE_INDEX_CONSTRAINT_GLOB: return 'G';
    case SQLITE_INDEX_CONSTRAINT_REGEXP: return 'R';
    case SQLITE_INDEX_CONSTRAINT_ISNULL: return 'n';
    case SQLITE_INDEX_CONSTRAINT_ISNOTNULL: return 'N';
    default: return 0;
  }
}

/// Chooses the conditions. The plan's text lists column and operator of each argument: "4=;7>;", and the order: "o4d".
int bestIndex(sqlite3_vtab* base, sqlite3_index_info* info) {
  auto* vtab = static_cast<VirtualTable*>(base);
  Table& table = *vtab->table;
  if (Status loaded = table.load(vtab->running->stop); !loaded.ok()) return fail(vtab, std::move(loaded.error()));
  std::string plan;
  int arguments = 0;
  double rows = std::max<double>(1, table.rows()), scanned = rows;
  for (int i = 0; i < info->nConstraint; ++i) {
    const auto& c = info->aConstraint[i];
    const char letter = letterOf(c.op);
    if (!c.usable || !letter || c.iColumn < 0) continue;
    const bool text = table.type(c.iColumn) == QueryType::Text;
    if (text && std::strcmp(sqlite3_vtab_collation(info, i), "BINARY") != 0) continue;
    if (!text && std::strchr("LGR", letter)) continue;
    if (letter != '=' && !table.isColumnar(c.iColumn)) continue;
    plan += concat(c.iColumn, std::string(1, letter), ";");
    info->aConstraintUsage[i].argvIndex = ++arguments;
    if (letter == '=') {
      rows /= 100;
      scanned = std::min(scanned, std::max(1.0, rows));
    } else {
      rows /= letter == 'N' ? 1 : 3;
    }
  }
  if (info->nOrderBy == 1 && info->aOrderBy[0].iColumn >= 0 && table.isColumnar(info->aOrderBy[0].iColumn)) {
    plan += concat("o", info->aOrderBy[0].iColumn, info->aOrderBy[0].desc ? "d" : "a");
    info->orderByConsumed = 1;
  }
  info->estimatedRows = sqlite3_int64(std::max(1.0, rows));
  info->estimatedCost = std::max(1.0, scanned * 0.2 + rows);
  info->idxStr = sqlite3_mprintf("%s", plan.c_str());
  info->needToFreeIdxStr = 1;
  return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

int openCursor(sqlite3_vtab* base, sqlite3_vtab_cursor** out) {
  auto* cursor = new Cursor();
  cursor->table = static_cast<VirtualTable*>(base)->table;
  cursor->running = static_cast<VirtualTable*>(base)->running;
  *out = cursor;
  return SQLITE_OK;
}

int closeCursor(sqlite3_vtab_cursor* cursor) {
  delete static_cast<Cursor*>(cursor);
  return SQLITE_OK;
}

/// A condition on a column of texts: tested once for each distinct text.
template <typename F>
Condition textCondition(const Table& table, int column, F&& test) {
  Condition c;
  c.column = column;
  c.isText = true;
  c.accepted.resize(size_t(table.dictionary.size()) + 1);
  for (int32_t code = 0; code < table.dictionary.size(); ++code) c.accepted[size_t(code) + 1] = test(table.dictionary.text(code));
  return c;
}

/// Adds the condition of one argument. False: no row passes.
bool addCondition(Cursor& cursor, int column, char op, sqlite3_value* value) {
  const Table& table = *cursor.table;
  const int type = sqlite3_value_type(value);
  const bool text = table.type(column) == QueryType::Text;
  if (op == 'n' || op == 'N') {
    if (text) {
      Condition c = textCondition(table, column, [&](const std::string&) { return op == 'N'; });
      c.accepted[0] = op == 'n';
      cursor.conditions.push_back(std::move(c));
    } else {
      cursor.conditions.push_back({column});
      if (op == 'n') cursor.conditions.back().null = Condition::Null::Only;
    }
    return true;
  }
  if (type == SQLITE_NULL) return false;
  if (!table.isColumnar(column)) return true;
  if (text) {
    if (type != SQLITE_TEXT) return true;
    const std::string word(textOf(value));
    if (op == 'R') {
      const RE2 pattern(word, RE2::Quiet);
      if (!pattern.ok()) return true;  // the function itself says so
      cursor.conditions.push_back(textCondition(table, column, [&](const std::string& t) { return RE2::PartialMatch(t, pattern); }));
      return true;
    }
    cursor.conditions.push_back(textCondition(table, column, [&](const std::string& t) {
      switch (op) {
        case '=': return t == word;
        case '<': return t < word;
        case '>': return t > word;
        case 'l': return t <= word;
        case 'g': return t >= word;
        case 'L': return sqlite3_strlike(word.c_str(), t.c_str(), 0) == 0;
        default: return sqlite3_strglob(word.c_str(), t.c_str()) == 0;
      }
    }));
    return true;
  }
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return true;
  const double number = sqlite3_value_double(value);
  // Doubles do not tell neighbouring integers apart there; SQLite does.
  if (std::fabs(number) >= 0x1p53) return true;
  Condition c;
  c.column = column;
  if (op == '=' || op == '>' || op == 'g') c.low = number;
  if (op == '=' || op == '<' || op == 'l') c.high = number;
  c.lowOpen = op == '>';
  c.highOpen = op == '<';
  cursor.conditions.push_back(std::move(c));
  return true;
}

/// Drops the rows [from, from + n) of `rows` that cannot pass. `rows` are consecutive rows from `first` on, or fewer of them.
void applyConditions(const Cursor& cursor, Row first, size_t count, std::vector<Row>& rows) {
  rows.resize(count);
  std::iota(rows.begin(), rows.end(), first);
  static thread_local std::vector<int32_t> codes(kBlockRows);
  static thread_local std::vector<double> reals(kBlockRows);
  for (const Condition& c : cursor.conditions) {
    if (rows.empty()) return;
    size_t kept = 0;
    if (c.isText) {
      cursor.table->readCodes(c.column, first, count, codes.data());
      for (const Row row : rows) {
        rows[kept] = row;
        kept += size_t(c.accepted[size_t(codes[row - first] + 1)]);
      }
    } else {
      cursor.table->readReals(c.column, first, count, reals.data());
      for (const Row row : rows) {
        const double v = reals[row - first];
        const bool passes = c.null == Condition::Null::Only ? std::isnan(v) : (c.lowOpen ? v > c.low : v >= c.low) && (c.highOpen ? v < c.high : v <= c.high);
        rows[kept] = row;
        kept += passes ? 1 : 0;
      }
    }
    rows.resize(kept);
  }
}

/// Finds the next block with rows. SQLITE_INTERRUPT if the query is stopped.
int fillBlock(Cursor& cursor) {
  cursor.at = 0;
  cursor.rows.clear();
  for (int n = 0; cursor.rows.empty() && cursor.next < cursor.table->rows(); ++n) {
    if (n % 64 == 63 && cursor.running->stop()) return SQLITE_INTERRUPT;
    const size_t count = std::min<size_t>(kBlockRows, cursor.table->rows() - cursor.next);
    applyConditions(cursor, cursor.next, count, cursor.rows);
    cursor.next += Row(count);
  }
  return SQLITE_OK;
}

/// Sorts the rows that pass: the first kFirstSorted of them, or all.
int sortRows(Cursor& cursor, bool all) {
  struct Keyed {
    double key;
    Row row;
  };
  const auto before = [](const Keyed& a, const Keyed& b) { return a.key < b.key || (a.key == b.key && a.row < b.row); };
  std::vector<Keyed> found;
  std::vector<Row> block;
  std::vector<double> keys(kBlockRows);
  std::vector<int32_t> codes(kBlockRows);
  const Table& table = *cursor.table;
  const bool text = table.type(cursor.order) == QueryType::Text;
  const double sign = cursor.descending ? -1 : 1;
  // NULL comes first in SQLite's ascending order, and last in its descending one.
  double limit = INFINITY;
  for (Row first = 0; first < table.rows(); first += Row(kBlockRows)) {
    if (first / kBlockRows % 64 == 63 && cursor.running->stop()) return SQLITE_INTERRUPT;
    const size_t count = std::min<size_t>(kBlockRows, table.rows() - first);
    applyConditions(cursor, first, count, block);
    if (block.empty()) continue;
    if (text) {
      table.readCodes(cursor.order, first, count, codes.data());
      for (size_t i = 0; i < count; ++i) keys[i] = codes[i] < 0 ? -INFINITY : double(table.dictionary.ranks()[size_t(codes[i])]);
    } else {
      table.readReals(cursor.order, first, count, keys.data());
      for (size_t i = 0; i < count; ++i) keys[i] = std::isnan(keys[i]) ? -INFINITY : std::max(keys[i], -std::numeric_limits<double>::max());
    }
    for (const Row row : block) {
      const double key = sign * keys[row - first];
      if (key <= limit) found.push_back({key, row});
    }
    if (!all && found.size() >= 4 * kFirstSorted) {
      std::nth_element(found.begin(), found.begin() + kFirstSorted, found.end(), before);
      found.resize(kFirstSorted);
      limit = std::max_element(found.begin(), found.end(), before)->key;
    }
  }
  std::sort(found.begin(), found.end(), before);
  if (!all && found.size() > kFirstSorted) found.resize(kFirstSorted);
  else if (!all && found.size() < kFirstSorted) all = true;
  cursor.allSorted = all;
  cursor.rows.resize(found.size());
  std::transform(found.begin(), found.end(), cursor.rows.begin(), [](const Keyed& k) { return k.row; });
  return SQLITE_OK;
}

int endCursor(Cursor& cursor) {
  cursor.blocks = false;
  return SQLITE_OK;
}

int filterCursor(sqlite3_vtab_cursor* base, int, const char* plan, int, sqlite3_value** arguments) {
  auto& cursor = static_cast<Cursor&>(*base);
  cursor.conditions.clear();
  cursor.rows.clear();
  cursor.at = 0;
  cursor.next = 0;
  cursor.order = -1;
  cursor.blocks = true;
  ++cursor.calls;
  struct Argument {
    int column;
    char op;
    sqlite3_value* value;
  };
  std::vector<Argument> all;
  while (*plan) {
    char* end = nullptr;
    if (*plan == 'o') {
      cursor.order = int(std::strtol(plan + 1, &end, 10));
      cursor.descending = *end == 'd';
      break;
    }
    const int column = int(std::strtol(plan, &end, 10));
    all.push_back({column, *end, arguments[all.size()]});
    plan = end + 2;
  }
  if (cursor.table->rows() == 0) return endCursor(cursor);
  // The inner loop of a join asks for one value after another: an index answers that. A single question is answered by a scan.
  for (const Argument& a : all) {
    if (a.op != '=' || cursor.order >= 0) continue;
    if (cursor.calls == 1 && !cursor.table->hasIndex(a.column) && cursor.table->isColumnar(a.column)) continue;
    const int type = sqlite3_value_type(a.value);
    const bool text = cursor.table->type(a.column) == QueryType::Text;
    if (type == SQLITE_NULL) return endCursor(cursor);
    if (text != (type == SQLITE_TEXT) || type == SQLITE_BLOB) continue;
    if (!text && std::fabs(sqlite3_value_double(a.value)) >= 0x1p53) continue;
    cursor.blocks = false;
    cursor.rows = text ? cursor.table->rowsWith(a.column, textOf(a.value)) : cursor.table->rowsWith(a.column, sqlite3_value_double(a.value));
    return SQLITE_OK;
  }
  for (const Argument& a : all)
    if (!addCondition(cursor, a.column, a.op, a.value)) return endCursor(cursor);
  if (cursor.order < 0) return fillBlock(cursor);
  cursor.blocks = false;
  return sortRows(cursor, false);
}

int nextRow(sqlite3_vtab_cursor* base) {
  auto& cursor = static_cast<Cursor&>(*base);
  if (++cursor.at < cursor.rows.size()) return SQLITE_OK;
  if (cursor.blocks) return fillBlock(cursor);
  if (cursor.order >= 0 && !cursor.allSorted) return sortRows(cursor, true);  // `at` stays behind the first part
  return SQLITE_OK;
}

int atEnd(sqlite3_vtab_cursor* base) {
  const auto& cursor = static_cast<const Cursor&>(*base);
  return cursor.at >= cursor.rows.size();
}

int columnValue(sqlite3_vtab_cursor* base, sqlite3_context* context, int column) {
  const auto& cursor = static_cast<const Cursor&>(*base);
  const Row row = cursor.rows[cursor.at];
  if (cursor.table->type(column) == QueryType::Text && cursor.table->isColumnar(column)) {
    // The dictionary outlives the statement.
    if (const std::string* text = cursor.table->textAt(column, row)) sqlite3_result_text(context, text->data(), int(text->size()), SQLITE_STATIC);
    return SQLITE_OK;
  }
  const QueryValue value = cursor.table->value(column, row);
  if (const auto* integer = std::get_if<int64_t>(&value)) sqlite3_result_int64(context, *integer);
  else if (const auto* real = std::get_if<double>(&value)) sqlite3_result_double(context, *real);
  else if (const auto* text = std::get_if<std::string>(&value)) sqlite3_result_text(context, text->data(), int(text->size()), SQLITE_TRANSIENT);
  return SQLITE_OK;
}

int rowNumber(sqlite3_vtab_cursor* base, sqlite3_int64* out) {
  const auto& cursor = static_cast<const Cursor&>(*base);
  *out = cursor.rows[cursor.at];
  return SQLITE_OK;
}

const sqlite3_module kModule = [] {
  sqlite3_module m{};
  m.xConnect = connectTable;
  m.xBestIndex = bestIndex;
  m.xDisconnect = disconnectTable;
  m.xOpen = openCursor;
  m.xClose = closeCursor;
  m.xFilter = filterCursor;
  m.xNext = nextRow;
  m.xEof = atEnd;
  m.xColumn = columnValue;
  m.xRowid = rowNumber;
  return m;
}();

}  // namespace

Status registerTable(sqlite3* db, Table& table, Running& running) {
  const int result =
      sqlite3_create_module_v2(db, table.schema.name, &kModule, new ModuleData{&table, &running}, [](void* p) { delete static_cast<ModuleData*>(p); });
  if (result != SQLITE_OK) return internalError("SQLite refuses the table ", table.schema.name, ": ", sqlite3_errmsg(db));
  return {};
}

}  // namespace weft::query
