#include "query/tokens.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace weft::query {
namespace {

bool isWordStart(char c) { return std::isalpha(uint8_t(c)) || c == '_' || uint8_t(c) >= 0x80; }
bool isWordPart(char c) { return isWordStart(c) || std::isdigit(uint8_t(c)) || c == '$'; }

size_t distanceOf(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t(0));
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row.back();
}

}  // namespace

std::vector<Token> tokensOf(std::string_view sql) {
  std::vector<Token> out;
  size_t at = 0;
  const auto add = [&](Token::Kind kind, size_t end, std::string text) {
    out.push_back({kind, at, end, std::move(text)});
    at = end;
  };
  while (at < sql.size()) {
    const char c = sql[at];
    if (std::isspace(uint8_t(c))) {
      ++at;
    } else if (sql.substr(at, 2) == "--") {
      at = std::min(sql.find('\n', at), sql.size());
    } else if (sql.substr(at, 2) == "/*") {
      const size_t end = sql.find("*/", at + 2);
      at = end == sql.npos ? sql.size() : end + 2;
    } else if (isWordStart(c)) {
      size_t end = at;
      std::string text;
      while (end < sql.size() && isWordPart(sql[end])) text += char(std::tolower(uint8_t(sql[end++])));
      add(Token::Kind::Word, end, std::move(text));
    } else if (std::isdigit(uint8_t(c)) || (c == '.' && at + 1 < sql.size() && std::isdigit(uint8_t(sql[at + 1])))) {
      size_t end = at;
      while (end < sql.size() && (isWordPart(sql[end]) || sql[end] == '.' || ((sql[end] == '+' || sql[end] == '-') && std::tolower(sql[end - 1]) == 'e')))
        ++end;
      add(Token::Kind::Number, end, std::string(sql.substr(at, end - at)));
    } else if (c == '\'' || c == '"' || c == '`' || c == '[') {
      const char close = c == '[' ? ']' : c;
      size_t end = at + 1;
      std::string text;
      for (; end < sql.size(); ++end) {
        if (sql[end] != close) text += sql[end];
        else if (close != ']' && end + 1 < sql.size() && sql[end + 1] == close) text += sql[end++];
        else break;
      }
      add(c == '\'' ? Token::Kind::Text : Token::Kind::Quoted, std::min(end + 1, sql.size()), std::move(text));
    } else {
      const std::string_view two = sql.substr(at, 2);
      const bool pair = two == "<=" || two == ">=" || two == "<>" || two == "!=" || two == "==" || two == "||" || two == "<<" || two == ">>";
      add(Token::Kind::Symbol, at + (pair ? 2 : 1), std::string(sql.substr(at, pair ? 2 : 1)));
    }
  }
  out.push_back({Token::Kind::End, sql.size(), sql.size(), {}});
  return out;
}

std::string nearestName(std::string_view word, const std::vector<std::string>& names) {
  std::string lower(word), best;
  for (char& c : lower) c = char(std::tolower(uint8_t(c)));
  double least = 1e9;
  for (const std::string& name : names) {
    // `durration` is meant to be `duration_us`: the start of a name counts almost as the whole.
    double distance = double(distanceOf(lower, name));
    for (size_t cut = name.find('_'); cut != name.npos; cut = name.find('_', cut + 1))
      distance = std::min(distance, double(distanceOf(lower, name.substr(0, cut))) + 0.5);
    if (name.find(lower) != name.npos || lower.find(name) != lower.npos) distance = std::min(distance, 1.5);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  return least <= std::max(2.0, double(word.size()) / 3) ? best : std::string();
}

}  // namespace weft::query
