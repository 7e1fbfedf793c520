// `weft query`: SQL over files.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/arguments.h"
#include "cli/command.h"
#include "weft/query.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kQueryUsage =
    "usage: weft query \"SELECT …\" FILE… [--limit N] [--csv | --json]\n"
    "       weft query --tables [FILE…] [--json]\n"
    "       weft query --examples [FILE…] [--json]\n\n"
    "SQL over everything that Weft reads. FILE is a graph or model of any format, a checkpoint (its prefix or .index), an event file, a trace, a store of\n"
    "experiments, or a folder with any of them, which is searched below, too. The tables are nodes, edges and attrs of graphs, tensors of checkpoints,\n"
    "scalars and tags of event files, runs, params and metrics of trainings, slices and gaps of traces, and files. Only SELECT is allowed; nothing is written.\n"
    "A file is read when the query needs its table. NaN is NULL; columns is_nan tell it from what is missing. Ctrl-C ends a query.\n\n"
    "  --limit N    most rows (1000); 0: all\n"
    "  --csv        comma-separated, with a line of column names\n"
    "  --json       one JSON object: columns, rows, more, seconds\n"
    "  --tables     list tables, columns and functions; with FILE, the number of rows too\n"
    "  --examples   list queries that can be run as they are; with FILE, those whose table holds something\n";

constexpr size_t kWidest = 60;  // columns on a terminal

size_t shownWidth(const std::string& s) {
  return size_t(std::count_if(s.begin(), s.end(), [](char c) { return (uint8_t(c) & 0xC0) != 0x80; }));
}

/// On one line, the middle left out where it is long.
std::string shownText(const QueryValue& value) {
  std::string text = toText(value);
  if (const double* real = std::get_if<double>(&value)) {
    // Times since 1970 need their digits.
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.2f", *real);
    text = std::fabs(*real) >= 1e6 && std::fabs(*real) < 1e13 ? digits : toText(value, 6);
  }
  for (char& c : text)
    if (uint8_t(c) < 32) c = ' ';
  if (shownWidth(text) <= kWidest) return text;
  const auto starts = [&](size_t i) { return i >= text.size() || (uint8_t(text[i]) & 0xC0) != 0x80; };
  size_t head = kWidest / 2, tail = text.size() - kWidest / 2;
  while (!starts(head)) --head;
  while (!starts(tail)) ++tail;
  return text.substr(0, head) + "…" + text.substr(tail);
}

void printRows(const QueryResult& result) {
  const size_t columns = result.columns.size();
  std::vector<std::vector<std::string>> cells;
  std::vector<size_t> widths;
  std::vector<bool> right(columns, true);
  for (const auto& c : result.columns) widths.push_back(shownWidth(c.name));
  for (const auto& row : result.rows) {
    cells.emplace_back();
    for (size_t i = 0; i < columns; ++i) {
      cells.back().push_back(shownText(row[i]));
      widths[i] = std::max(widths[i], shownWidth(cells.back()[i]));
      if (std::holds_alternative<std::string>(row[i])) right[i] = false;
    }
  }
  const auto line = [&](auto&& cell) {
    std::string out;
    for (size_t i = 0; i < columns; ++i) {
      const std::string text = cell(i), pad(widths[i] - shownWidth(text), ' ');
      out += (i ? "  " : "") + (right[i] ? pad + text : text + (i + 1 < columns ? pad : std::string()));
    }
    std::cout << out << "\n";
  };
  line([&](size_t i) { return result.columns[i].name; });
  line([&](size_t i) {
    std::string rule;
    for (size_t n = 0; n < widths[i]; ++n) rule += "─";
    return rule;
  });
  for (const auto& row : cells) line([&](size_t i) { return row[i]; });
  std::cout << result.rows.size() << (result.rows.size() == 1 ? " row" : " rows") << (result.more ? "; there are more (--limit 0 shows all)" : "") << std::endl;
}

const char* typeWord(QueryType t) { return t == QueryType::Text ? "text" : t == QueryType::Integer ? "integer" : "real"; }

/// The number of rows of each table, if files were given.
Result<std::vector<int64_t>> rowsOfTables(QueryDatabase& database, bool files) {
  std::vector<int64_t> out;
  for (const QueryTable& t : queryTables()) {
    int64_t rows = -1;
    if (files) {
      WEFT_LET(rows, database.rowsOf(t.name));
    }
    out.push_back(rows);
  }
  return out;
}

int listTables(QueryDatabase& database, bool files, bool json) {
  const auto rows = rowsOfTables(database, files);
  if (!rows.ok()) return complain(rows.error());
  Json out{{"tables", Json::array()}, {"functions", Json::array()}};
  size_t at = 0;
  for (const QueryTable& t : queryTables()) {
    const int64_t count = (*rows)[at++];
    Json table{{"name", t.name}, {"doc", t.doc}};
    if (files) table["rows"] = count;
    table["columns"] = Json::array();
    for (const QueryColumn& c : t.columns) table["columns"].push_back({{"name", c.name}, {"type", typeWord(c.type)}, {"doc", c.doc}});
    out["tables"].push_back(std::move(table));
    if (json) continue;
    std::cout << t.name << (files ? " (" + std::to_string(count) + (count == 1 ? " row)" : " rows)") : std::string()) << "  " << t.doc << "\n";
    for (const QueryColumn& c : t.columns) {
      char text[400];
      std::snprintf(text, sizeof text, "    %-13s %-8s %s\n", c.name, typeWord(c.type), c.doc);
      std::cout << text;
    }
  }
  if (!json) std::cout << "functions, beside those of SQLite\n";
  for (const QueryFunction& f : queryFunctions()) {
    out["functions"].push_back({{"name", f.name}, {"call", f.call}, {"doc", f.doc}});
    char text[400];
    std::snprintf(text, sizeof text, "    %-22s %s\n", f.call, f.doc);
    if (!json) std::cout << text;
  }
  if (json) std::cout << out.dump() << "\n";
  std::cout.flush();
  return kDone;
}

int listExamples(QueryDatabase& database, bool files, bool json) {
  const auto rows = rowsOfTables(database, files);
  if (!rows.ok()) return complain(rows.error());
  Json out = Json::array();
  for (const QueryExample& e : queryExamples()) {
    const auto tables = queryTables();
    const auto table = std::find_if(tables.begin(), tables.end(), [&](const QueryTable& t) { return std::string_view(t.name) == e.table; });
    if (files && (*rows)[size_t(table - tables.begin())] == 0) continue;
    out.push_back({{"table", e.table}, {"title", e.title}, {"sql", e.sql}});
    if (!json) std::cout << e.title << "\n    " << e.sql << "\n";
  }
  if (json) std::cout << out.dump() << "\n";
  std::cout.flush();
  return kDone;
}

int runQuery(std::span<const std::string> raw) {
  const auto parsed = Arguments::parse(raw, {{"--limit", true}, {"--csv"}, {"--json"}, {"--tables"}, {"--examples"}});
  if (!parsed.ok()) return usageError("query", parsed.error().message);
  const Arguments& args = *parsed;
  const bool lists = args.has("--tables") || args.has("--examples");
  if (args.has("--tables") && args.has("--examples")) return usageError("query", "--tables and --examples exclude each other");
  if (args.has("--csv") && args.has("--json")) return usageError("query", "--csv and --json exclude each other");
  if (lists && (args.has("--csv") || args.has("--limit"))) return usageError("query", "--csv and --limit are for the rows of a query");
  const auto limit = args.integer("--limit", 1000, 0, kMostSteps);
  if (!limit.ok()) return usageError("query", limit.error().message);
  if (!lists && args.positional().empty()) return usageError("query", "an SQL statement is needed");
  auto database = QueryDatabase::create();
  if (!database.ok()) return complain(database.error());
  const size_t first = lists ? 0 : 1;
  for (size_t i = first; i < args.positional().size(); ++i)
    if (const Status added = (*database)->addPath(args.positional()[i]); !added.ok()) return complain(added.error());
  const bool files = args.positional().size() > first;
  if (args.has("--tables")) return listTables(**database, files, args.has("--json"));
  if (args.has("--examples")) return listExamples(**database, files, args.has("--json"));
  if (!files) return usageError("query", "a FILE is needed; weft query --tables lists what files fill");
  catchInterrupts();
  QueryOptions options;
  options.limit = *limit;
  options.progress = [](int64_t) { return !interrupted(); };
  const auto result = (*database)->run(args.positional()[0], options);
  if (!result.ok()) return complain(result.error(), interrupted() ? kInterrupted : kFailed);
  for (const std::string& note : result->notes) std::cerr << "weft: note: " << note << "\n";
  if (args.has("--json")) std::cout << toJson(*result) << std::endl;
  else if (args.has("--csv")) std::cout << toCsv(*result) << std::flush;
  else printRows(*result);
  if (args.has("--csv") && result->more) std::cerr << "weft: note: there are more rows than " << *limit << " (--limit 0 shows all)\n";
  return kDone;
}

}  // namespace

extern const Command kQueryCommand;
const Command kQueryCommand = {"query", "ask with SQL: graphs, checkpoints, curves, runs, traces, files", kQueryUsage, runQuery};

}  // namespace weft::cli
