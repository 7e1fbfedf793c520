#include "query/functions.h"

#include <re2/re2.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <string>

#include "weft/file_kinds.h"
#include "weft/query.h"
#include "weft/scopes.h"

namespace weft::query {
namespace {

/// regexp(pattern, text), which `text REGEXP pattern` calls. The pattern is compiled once a statement if it is constant.
void regexp(sqlite3_context* context, int, sqlite3_value** arguments) {
  if (sqlite3_value_type(arguments[0]) == SQLITE_NULL || sqlite3_value_type(arguments[1]) == SQLITE_NULL) return sqlite3_result_null(context);
  auto* pattern = static_cast<RE2*>(sqlite3_get_auxdata(context, 0));
  if (!pattern) {
    auto made = std::make_unique<RE2>(re2::StringPiece(textOf(arguments[0])), RE2::Quiet);
    if (!made->ok()) return sqlite3_result_error(context, ("the pattern of regexp is wrong: " + made->error()).c_str(), -1);
    const bool matches = RE2::PartialMatch(re2::StringPiece(textOf(arguments[1])), *made);
    sqlite3_set_auxdata(context, 0, made.release(), [](void* p) { delete static_cast<RE2*>(p); });
    return sqlite3_result_int(context, matches);
  }
  sqlite3_result_int(context, RE2::PartialMatch(re2::StringPiece(textOf(arguments[1])), *pattern));
}

/// scope(name): 'a/b' of 'a/b/c'.
void scope(sqlite3_context* context, int, sqlite3_value** arguments) {
  if (sqlite3_value_type(arguments[0]) == SQLITE_NULL) return sqlite3_result_null(context);
  const std::string_view name = shownScopeOf(textOf(arguments[0]));
  sqlite3_result_text(context, name.data(), int(name.size()), SQLITE_TRANSIENT);
}

/// The values of a group. SQLite gives each group zeroed memory, into which a pointer fits.
struct Values {
  std::vector<double> numbers;
  double p = 50;
};
Values* valuesOf(sqlite3_context* context, bool make) {
  auto** place = static_cast<Values**>(sqlite3_aggregate_context(context, make ? sizeof(Values*) : 0));
  if (!place) return nullptr;
  if (!*place && make) *place = new Values();
  return *place;
}

void addValue(sqlite3_context* context, int count, sqlite3_value** arguments) {
  Values* values = valuesOf(context, true);
  if (!values) return sqlite3_result_error_nomem(context);
  if (count > 1) {
    values->p = sqlite3_value_double(arguments[1]);
    if (!(values->p >= 0 && values->p <= 100)) return sqlite3_result_error(context, "percentile(x, p) needs a p from 0 to 100", -1);
  }
  const int type = sqlite3_value_numeric_type(arguments[0]);
  if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) values->numbers.push_back(sqlite3_value_double(arguments[0]));
}

void giveNumber(sqlite3_context* context, double number) {
  if (std::isnan(number)) sqlite3_result_null(context);
  else sqlite3_result_double(context, number);
}

void endPercentile(sqlite3_context* context) {
  const std::unique_ptr<Values> values(valuesOf(context, false));
  giveNumber(context, values ? percentileOf(values->numbers, values->p) : NAN);
}

/// Count, mean and sum of squared differences, updated value by value (Welford).
struct Moments {
  double n, mean, squares;
};
void addMoment(sqlite3_context* context, int, sqlite3_value** arguments) {
  auto* m = static_cast<Moments*>(sqlite3_aggregate_context(context, sizeof(Moments)));
  if (!m) return sqlite3_result_error_nomem(context);
  const int type = sqlite3_value_numeric_type(arguments[0]);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return;
  const double v = sqlite3_value_double(arguments[0]), before = v - m->mean;
  m->n += 1;
  m->mean += before / m->n;
  m->squares += before * (v - m->mean);
}
void endDeviation(sqlite3_context* context) {
  const auto* m = static_cast<const Moments*>(sqlite3_aggregate_context(context, 0));
  giveNumber(context, m && m->n >= 2 ? std::sqrt(m->squares / (m->n - 1)) : NAN);
}

}  // namespace

std::string_view textOf(sqlite3_value* value) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
  return text ? std::string_view(text, size_t(sqlite3_value_bytes(value))) : std::string_view();
}

double percentileOf(std::vector<double>& values, double p) {
  if (values.empty()) return NAN;
  const double place = p / 100 * double(values.size() - 1);
  const auto low = size_t(place);
  std::nth_element(values.begin(), values.begin() + ptrdiff_t(low), values.end());
  const double lower = values[low];
  if (double(low) == place) return lower;
  const double upper = *std::min_element(values.begin() + ptrdiff_t(low) + 1, values.end());
  return lower + (upper - lower) * (place - double(low));
}

Status registerFunctions(sqlite3* db) {
  constexpr int kPure = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  int bad = 0;
  bad |= sqlite3_create_function(db, "regexp", 2, kPure, nullptr, regexp, nullptr, nullptr);
  bad |= sqlite3_create_function(db, "scope", 1, kPure, nullptr, scope, nullptr, nullptr);
  bad |= sqlite3_create_function(db, "median", 1, kPure, nullptr, nullptr, addValue, endPercentile);
  bad |= sqlite3_create_function(db, "percentile", 2, kPure, nullptr, nullptr, addValue, endPercentile);
  bad |= sqlite3_create_function(db, "stddev", 1, kPure, nullptr, nullptr, addMoment, endDeviation);
  return bad ? internalError("SQLite refuses a function: ", sqlite3_errmsg(db)) : Status();
}

}  // namespace weft::query

namespace weft {

std::span<const QueryFunction> queryFunctions() {
  static const QueryFunction kFunctions[] = {
      {"regexp", "text REGEXP pattern", WEFT_TRANSLATED("Query", "Whether a regular expression (RE2) matches a part of the text; also regexp(pattern, text).")},
      {"scope", "scope(name)", WEFT_TRANSLATED("Query", "The scope of a node: 'a/b' of 'a/b/c'.")},
      {"median", "median(x)", WEFT_TRANSLATED("Query", "The middle value of a group.")},
      {"percentile", "percentile(x, p)", WEFT_TRANSLATED("Query", "The value below which p % of a group lie, between neighbours as NumPy computes it.")},
      {"stddev", "stddev(x)", WEFT_TRANSLATED("Query", "The standard deviation of a group, as of a sample (n − 1).")},
  };
  return kFunctions;
}

}  // namespace weft
