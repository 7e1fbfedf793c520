// Results as text.
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "query/csv_field.h"
#include "weft/query.h"

namespace weft {

std::string toText(const QueryValue& value, int digits) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* integer = std::get_if<int64_t>(&value)) return std::to_string(*integer);
  const auto* real = std::get_if<double>(&value);
  if (!real) return {};
  if (std::isinf(*real)) return *real < 0 ? "-Infinity" : "Infinity";
  char text[64];
  const auto end =
      digits > 0 ? std::to_chars(text, text + sizeof text, *real, std::chars_format::general, digits) : std::to_chars(text, text + sizeof text, *real);
  return std::string(text, end.ptr);
}

std::string toCsv(const QueryResult& result) {
  std::string out;
  for (size_t i = 0; i < result.columns.size(); ++i) out += (i ? "," : "") + query::csvField(result.columns[i].name);
  out += "\n";
  for (const auto& row : result.rows) {
    for (size_t i = 0; i < row.size(); ++i) out += (i ? "," : "") + query::csvField(toText(row[i]));
    out += "\n";
  }
  return out;
}

std::string toJson(const QueryResult& result) {
  using Json = nlohmann::ordered_json;
  Json out{{"columns", Json::array()}, {"rows", Json::array()}, {"more", result.more}, {"seconds", result.seconds}};
  std::vector<std::string> names;
  std::set<std::string> used;
  for (const QueryResult::Column& c : result.columns) {
    std::string name = c.name;
    for (int n = 2; !used.insert(name).second; ++n) name = c.name + "_" + std::to_string(n);
    names.push_back(name);
    out["columns"].push_back(name);
  }
  for (const auto& row : result.rows) {
    Json line = Json::object();
    for (size_t i = 0; i < row.size(); ++i) {
      if (const auto* integer = std::get_if<int64_t>(&row[i])) line[names[i]] = *integer;
      else if (const auto* real = std::get_if<double>(&row[i]); real && std::isfinite(*real)) line[names[i]] = *real;
      else if (std::holds_alternative<std::monostate>(row[i])) line[names[i]] = nullptr;
      else line[names[i]] = toText(row[i]);
    }
    out["rows"].push_back(std::move(line));
  }
  if (!result.notes.empty()) out["notes"] = result.notes;
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace weft
