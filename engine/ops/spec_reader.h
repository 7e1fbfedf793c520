#pragma once

#include <cassert>
#include <cctype>
#include <string>
#include <string_view>

namespace weft::detail {

/// Reads the small language of op specifications token by token. Errors in a specification are our bugs and caught by assertions.
class SpecReader {
 public:
  explicit SpecReader(std::string_view text) : rest_(text) {}

  char peek() {
    skipSpace();
    return rest_.empty() ? '\0' : rest_.front();
  }
  bool take(char c) {
    if (peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool takeSymbol(std::string_view s) {
    peek();
    if (!rest_.starts_with(s)) return false;
    rest_.remove_prefix(s.size());
    return true;
  }
  /// Consumes `w` if it is the next whole word and a bracket follows ("list(", "Ref(").
  bool takeWord(std::string_view w) {
    peek();
    if (!rest_.starts_with(w) || rest_.size() == w.size() || rest_[w.size()] != '(') return false;
    rest_.remove_prefix(w.size());
    return true;
  }
  void expect(char c) {
    const bool found = take(c);
    assert(found && "malformed op specification");
    (void)found;
  }
  /// Letters, digits, '_' and any of `also`.
  std::string word(std::string_view also = {}) {
    peek();
    size_t n = 0;
    while (n < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[n])) || rest_[n] == '_' || also.find(rest_[n]) != also.npos)) ++n;
    assert(n > 0 && "malformed op specification");
    const std::string out(rest_.substr(0, n));
    rest_.remove_prefix(n ? n : rest_.size());
    return out;
  }
  std::string quoted() {
    const char quote = peek();
    assert(quote == '\'' || quote == '"');
    rest_.remove_prefix(1);
    const size_t end = rest_.find(quote);
    assert(end != rest_.npos);
    const std::string out(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return out;
  }

 private:
  void skipSpace() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

}  // namespace weft::detail
