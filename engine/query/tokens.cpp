#include "query/tokens.h"

#include <algorithm>
#include <cctype>

namespace weft::query {
namespace {

bool isWordStart(char c) { return std::isalpha(uint8_t(c)) || c == '_' || uint8_t(c) >= 0x80; }
bool isWordPart(char c) { return isWordStart(c) || std::isdigit(uint8_t(c)) || c == '$'; }

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

}  // namespace weft::query
