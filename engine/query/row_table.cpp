#include "weft/row_table.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "query/csv_field.h"

namespace weft {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::string numberText(double number, bool integer) {
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  char text[64];
  if (integer && std::fabs(number) < 1e18) return std::string(text, std::to_chars(text, text + sizeof text, int64_t(number)).ptr);
  return std::string(text, std::to_chars(text, text + sizeof text, number).ptr);
}

/// A place for each row: places of texts are those of their words in the order of names.
std::vector<double> sortKeys(const RowColumn& c) {
  if (!c.isText()) return c.numbers;
  std::vector<int32_t> order(c.words.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return naturallyLess(c.words[size_t(a)], c.words[size_t(b)]); });
  std::vector<double> places(c.words.size());
  for (size_t i = 0; i < order.size(); ++i) places[size_t(order[i])] = c.words[size_t(order[i])].empty() ? kNone : double(i);
  std::vector<double> out(c.codes.size(), kNone);
  for (size_t i = 0; i < out.size(); ++i)
    if (c.codes[i] >= 0) out[i] = places[size_t(c.codes[i])];
  return out;
}

std::string fieldOf(std::string text, char separator) {
  if (separator == ',') return query::csvField(text);
  for (char& c : text)
    if (c == '\t' || c == '\n' || c == '\r') c = ' ';
  return text;
}

}  // namespace

bool naturallyLess(std::string_view a, std::string_view b) {
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (std::isdigit(uint8_t(a[i])) && std::isdigit(uint8_t(b[j]))) {
      while (i < a.size() && a[i] == '0') ++i;
      while (j < b.size() && b[j] == '0') ++j;
      size_t endA = i, endB = j;
      while (endA < a.size() && std::isdigit(uint8_t(a[endA]))) ++endA;
      while (endB < b.size() && std::isdigit(uint8_t(b[endB]))) ++endB;
      if (endA - i != endB - j) return endA - i < endB - j;
      if (const int c = a.compare(i, endA - i, b, j, endB - j); c != 0) return c < 0;
      i = endA;
      j = endB;
      continue;
    }
    const int x = std::tolower(uint8_t(a[i])), y = std::tolower(uint8_t(b[j]));
    if (x != y) return x < y;
    ++i;
    ++j;
  }
  if ((i < a.size()) != (j < b.size())) return j < b.size();
  return a < b;
}

std::string RowColumn::text(int32_t row) const {
  if (isEmpty(row)) return {};
  return isText() ? words[size_t(codes[size_t(row)])] : numberText(numbers[size_t(row)], type == QueryType::Integer);
}

struct RowColumnBuilder::Words {
  std::unordered_map<std::string, int32_t> byText;
};

RowColumnBuilder::RowColumnBuilder(std::string name, QueryType type) : words_(std::make_shared<Words>()) {
  column_.name = std::move(name);
  column_.type = type;
}

void RowColumnBuilder::add(double number) {
  if (!column_.isText()) column_.numbers.push_back(number);
  else if (std::isnan(number)) addNone();
  else add(std::string_view(numberText(number, number == std::floor(number))));
}

void RowColumnBuilder::add(std::string_view text) {
  if (!column_.isText()) return addNone();
  const auto [it, made] = words_->byText.try_emplace(std::string(text), int32_t(column_.words.size()));
  if (made) column_.words.emplace_back(text);
  column_.codes.push_back(it->second);
}

void RowColumnBuilder::addNone() {
  if (column_.isText()) column_.codes.push_back(-1);
  else column_.numbers.push_back(kNone);
}

RowTable::RowTable(const QueryResult& result) {
  for (size_t c = 0; c < result.columns.size(); ++c) {
    QueryType type = QueryType::Integer;
    bool any = false;
    for (const auto& row : result.rows) {
      any = any || !std::holds_alternative<std::monostate>(row[c]);
      if (std::holds_alternative<std::string>(row[c])) type = QueryType::Text;
      else if (std::holds_alternative<double>(row[c]) && type == QueryType::Integer) type = QueryType::Real;
      if (type == QueryType::Text) break;
    }
    // A column of nothing has the type that its table states.
    for (const QueryTable& table : queryTables())
      for (const QueryColumn& known : table.columns)
        if (!any && result.columns[c].table == table.name && result.columns[c].origin == known.name) type = known.type;
    RowColumnBuilder column(result.columns[c].name, type);
    for (const auto& row : result.rows) {
      if (const auto* text = std::get_if<std::string>(&row[c])) column.add(std::string_view(*text));
      else if (const auto* integer = std::get_if<int64_t>(&row[c])) column.add(double(*integer));
      else if (const auto* real = std::get_if<double>(&row[c])) column.add(*real);
      else column.addNone();
    }
    add(column.take());
  }
}

void RowTable::add(RowColumn column) {
  rows_ = int32_t(column.isText() ? column.codes.size() : column.numbers.size());
  columns_.push_back(std::move(column));
}

int RowTable::find(std::string_view name) const {
  for (size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].name == name) return int(i);
  return -1;
}

void RowTable::sort(std::vector<int32_t>& rows, std::span<const RowOrder> orders, const Stop& stop) const {
  for (size_t i = orders.size(); i-- > 0;) {
    if (stop && stop()) return;
    const std::vector<double> keys = sortKeys(columns_[size_t(orders[i].column)]);
    // Rows without a value stand apart, so that the comparison is an order.
    const auto end = std::stable_partition(rows.begin(), rows.end(), [&](int32_t row) { return !std::isnan(keys[size_t(row)]); });
    if (orders[i].descending) std::stable_sort(rows.begin(), end, [&](int32_t a, int32_t b) { return keys[size_t(b)] < keys[size_t(a)]; });
    else std::stable_sort(rows.begin(), end, [&](int32_t a, int32_t b) { return keys[size_t(a)] < keys[size_t(b)]; });
  }
}

void RowTable::addTo(RowSummary& summary, int column, std::span<const int32_t> rows) const {
  const RowColumn& c = columns_[size_t(column)];
  for (const int32_t row : rows) {
    if (c.isEmpty(row)) continue;
    ++summary.cells;
    if (c.isText()) continue;
    const double v = c.numbers[size_t(row)];
    summary.min = summary.numbers == 0 ? v : std::min(summary.min, v);
    summary.max = summary.numbers == 0 ? v : std::max(summary.max, v);
    summary.sum += v;
    ++summary.numbers;
  }
}

std::string RowTable::text(std::span<const int32_t> rows, std::span<const int> columns, char separator, bool heading) const {
  std::string out;
  for (size_t i = 0; heading && i < columns.size(); ++i) out += (i ? std::string(1, separator) : "") + fieldOf(columns_[size_t(columns[i])].name, separator);
  if (heading) out += '\n';
  for (const int32_t row : rows) {
    for (size_t i = 0; i < columns.size(); ++i) {
      if (i) out += separator;
      out += fieldOf(columns_[size_t(columns[i])].text(row), separator);
    }
    out += '\n';
  }
  return out;
}

}  // namespace weft
