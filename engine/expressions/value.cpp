// Values of expressions as text.
#include <charconv>
#include <cmath>
#include <limits>

#include "expressions/arithmetic.h"
#include "expressions/words.h"

namespace weft {
namespace expressions {

std::string realText(double value) {
  char text[40];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

namespace {

/// Quotes as the parser reads them: one within the word is doubled where both kinds occur.
std::string quotedWord(const std::string& word) {
  if (word.find('\'') == word.npos) return "'" + word + "'";
  if (word.find('"') == word.npos) return '"' + word + '"';
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

ExpressionValue readText(std::string_view text, int depth) {
  text = trimmed(text);
  if (text == "true") return {true};
  if (text == "false") return {false};
  if (depth > 0 && (text == "?" || text == "None")) return {ExpressionValue::Unknown()};
  int64_t n = 0;
  const char* const last = text.data() + text.size();
  if (const auto [end, problem] = std::from_chars(text.data(), last, n); problem == std::errc() && end == last) return {n};
  double r = 0;
  if (const auto [end, problem] = std::from_chars(text.data(), last, r); problem == std::errc() && end == last && std::isfinite(r)) return {r};
  if (!text.starts_with('[') || !text.ends_with(']') || depth >= kDeepestList) return {std::string(text)};
  std::string_view inner = trimmed(text.substr(1, text.size() - 2));
  ExpressionValue::List list;
  int open = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= inner.size() && !inner.empty(); ++i) {
    if (i < inner.size()) open += inner[i] == '[' ? 1 : inner[i] == ']' ? -1 : 0;
    if (i < inner.size() && (inner[i] != ',' || open > 0)) continue;
    list.push_back(readText(inner.substr(begin, i - begin), depth + 1));
    begin = i + 1;
  }
  return {std::move(list)};
}

}  // namespace
}  // namespace expressions

using namespace expressions;

std::string fieldInExpression(std::string_view field) {
  bool plain = !field.empty() && isIdentifierStart(field[0]);
  for (size_t i = 0; plain && i < field.size(); ++i)
    plain = isIdentifierPart(field[i]) || (field[i] == '.' && i + 1 < field.size() && isIdentifierStart(field[i + 1]));
  return plain ? std::string(field) : "{" + std::string(field) + "}";
}

std::string ExpressionValue::toString() const {
  if (const auto* v = std::get_if<bool>(&value)) return *v ? "true" : "false";
  if (const auto* v = std::get_if<int64_t>(&value)) return std::to_string(*v);
  if (const auto* v = std::get_if<double>(&value)) return expressions::realText(*v);
  if (const auto* v = std::get_if<std::string>(&value)) return *v;
  const auto* list = std::get_if<List>(&value);
  if (!list) return "?";
  std::string out = "[";
  for (size_t i = 0; i < list->size(); ++i) out += (i ? "," : "") + (*list)[i].toString();
  return out + "]";
}

std::string ExpressionValue::toExpression() const {
  if (const auto* word = std::get_if<std::string>(&value)) return expressions::quotedWord(*word);
  // The parser reads a minus as an operator, and digits alone as a whole number.
  const auto* whole = std::get_if<int64_t>(&value);
  if (whole && *whole == std::numeric_limits<int64_t>::min()) return concat("(", *whole + 1, " - 1)");
  std::string text = toString();
  const auto* list = std::get_if<List>(&value);
  if (!list) return std::holds_alternative<double>(value) && std::abs(std::get<double>(value)) >= 0x1p63 && text.find('e') == text.npos ? text + ".0" : text;
  text = "[";
  for (size_t i = 0; i < list->size(); ++i) text += (i ? "," : "") + (*list)[i].toExpression();
  return text + "]";
}

ExpressionValue ExpressionValue::fromText(std::string_view text) { return expressions::readText(text, 0); }

}  // namespace weft
