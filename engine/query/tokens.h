// The words of an SQL statement.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::query {

struct Token {
  enum class Kind { Word, Quoted, Text, Number, Symbol, End } kind = Kind::End;
  size_t begin = 0, end = 0;  ///< Its place in the statement.
  std::string text;           ///< Words in small letters; names and texts without their quotes; symbols as they are.
  bool is(std::string_view word) const { return kind == Kind::Word && text == word; }
  bool isSymbol(std::string_view symbol) const { return kind == Kind::Symbol && text == symbol; }
  bool isName() const { return kind == Kind::Word || kind == Kind::Quoted; }
};

/// Comments and blanks are left out. The last token is an End. A quote that is not closed ends with the statement.
std::vector<Token> tokensOf(std::string_view sql);

}  // namespace weft::query
