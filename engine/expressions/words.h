// Words of expressions.
#pragma once

#include <string_view>

namespace weft::expressions {

inline bool isIdentifierStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool isIdentifierPart(char c) { return isIdentifierStart(c) || (c >= '0' && c <= '9'); }
/// A letter or _, then letters, digits and _.
bool isIdentifier(std::string_view word);
/// A function or keyword, which is no name.
bool isReserved(std::string_view word);

}  // namespace weft::expressions
