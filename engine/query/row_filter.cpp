// The filter of a RowTable. Each condition is computed for a whole column: of texts, once for each word.
#include <regex.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <memory>

#include "base/nearest_name.h"
#include "weft/row_table.h"

namespace weft {
namespace {

using Mask = std::vector<char>;
constexpr int kMostDepth = 200;

struct Word {
  enum class Kind { Word, Quoted, Symbol, Operator, End } kind = Kind::End;
  size_t begin = 0;
  std::string text;
  bool isSymbol(std::string_view s) const { return kind == Kind::Symbol && text == s; }
};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = char(std::tolower(uint8_t(c)));
  return out;
}

bool endsWord(char c) { return std::isspace(uint8_t(c)) || std::string_view("()<>=!~,\"'").find(c) != std::string_view::npos; }

Result<std::vector<Word>> wordsOf(std::string_view text) {
  std::vector<Word> out;
  size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    Word word;
    word.begin = at;
    if (std::isspace(uint8_t(c))) {
      ++at;
      continue;
    }
    if (c == '"' || c == '\'') {
      const size_t end = text.find(c, at + 1);
      if (end == text.npos) return invalidArgument("The quote at character ", std::to_string(at + 1), " is not closed");
      word.kind = Word::Kind::Quoted;
      word.text = text.substr(at + 1, end - at - 1);
      at = end + 1;
    } else if (c == '(' || c == ')' || c == ',') {
      word.kind = Word::Kind::Symbol;
      word.text = c;
      ++at;
    } else if (endsWord(c)) {
      const std::string_view two = text.substr(at, 2);
      const bool pair = two == "<=" || two == ">=" || two == "!=" || two == "<>" || two == "==" || two == "!~";
      word.kind = Word::Kind::Operator;
      word.text = pair ? two : text.substr(at, 1);
      at += word.text.size();
      if (word.text == "!") return invalidArgument("'!' at character ", std::to_string(word.begin + 1), " is no operator; expected != or !~");
      if (word.text == "==") word.text = "=";
      if (word.text == "<>") word.text = "!=";
    } else {
      word.kind = Word::Kind::Word;
      // A shape or list in brackets is one word with its commas. Shapes are shown without blanks.
      for (int depth = 0; at < text.size(); ++at) {
        if (text[at] == '[') ++depth;
        if (text[at] == ']') --depth;
        if (depth <= 0 && endsWord(text[at])) break;
        if (!std::isspace(uint8_t(text[at]))) word.text += text[at];
      }
    }
    out.push_back(std::move(word));
  }
  out.push_back({Word::Kind::End, text.size(), {}});
  return out;
}

/// 10, 1e6, 10k, 4MB, 2 KiB.
bool numberOf(std::string_view text, double* out) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return false;
  std::string unit = lower(std::string_view(end, size_t(text.data() + text.size() - end)));
  if (!unit.empty() && unit.back() == 'b') unit.pop_back();
  static constexpr std::pair<const char*, double> kUnits[] = {{"", 1},     {"k", 1e3},    {"m", 1e6},       {"g", 1e9},
                                                              {"t", 1e12}, {"ki", 1024.}, {"mi", 1048576.}, {"gi", 1073741824.}};
  for (const auto& [name, factor] : kUnits) {
    if (unit != name) continue;
    *out = value * factor;
    return true;
  }
  return false;
}

/// Whether `text` has the form of `pattern`, in which `*` stands for any text. Both in small letters.
bool fits(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = pattern.npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

class Filter {
 public:
  Filter(const RowTable& table, std::vector<Word> words, const RowTable::Stop& stop) : table_(table), words_(std::move(words)), stop_(stop) {}

  Result<Mask> run() {
    WEFT_LET(Mask out, either());
    if (at().kind != Word::Kind::End) return invalidArgument(found(at()), " is not expected here");
    return out;
  }

 private:
  const Word& at(size_t ahead = 0) const { return words_[std::min(next_ + ahead, words_.size() - 1)]; }
  bool isKeyword(std::string_view word, size_t ahead = 0) const { return at(ahead).kind == Word::Kind::Word && lower(at(ahead).text) == word; }
  bool isColumn(const std::string& word) const {
    return std::any_of(table_.columns().begin(), table_.columns().end(), [&](const RowColumn& c) { return lower(c.name) == lower(word); });
  }
  static std::string found(const Word& w) {
    return w.kind == Word::Kind::End ? std::string("the end") : concat("'", w.text, "' at character ", std::to_string(w.begin + 1));
  }
  size_t rows() const { return size_t(table_.rows()); }

  Result<Mask> either() {
    WEFT_LET(Mask out, both());
    while (isKeyword("or")) {
      ++next_;
      WEFT_LET(const Mask more, both());
      for (size_t i = 0; i < out.size(); ++i) out[i] |= more[i];
    }
    return out;
  }

  Result<Mask> both() {
    WEFT_LET(Mask out, term());
    while (at().kind != Word::Kind::End && !at().isSymbol(")") && !isKeyword("or")) {
      if (isKeyword("and")) ++next_;
      WEFT_LET(const Mask more, term());
      for (size_t i = 0; i < out.size(); ++i) out[i] &= more[i];
    }
    return out;
  }

  Result<Mask> term() {
    if (stop_ && stop_()) return cancelledError("stopped");
    bool inverse = false;
    for (; isKeyword("not"); ++next_) inverse = !inverse;
    WEFT_LET(Mask out, plainTerm());
    if (inverse)
      for (char& c : out) c = !c;
    return out;
  }

  Result<Mask> plainTerm() {
    if (at().isSymbol("(")) {
      if (depth_ == kMostDepth) return invalidArgument(found(at()), ": parentheses are nested deeper than ", std::to_string(kMostDepth));
      ++depth_;
      ++next_;
      WEFT_LET(Mask out, either());
      if (!at().isSymbol(")")) return invalidArgument("Expected ')', got ", found(at()));
      ++next_;
      --depth_;
      return out;
    }
    if (at().kind != Word::Kind::Word && at().kind != Word::Kind::Quoted) return invalidArgument("Expected a word or a column, got ", found(at()));
    const Word first = words_[next_++];
    const bool notIn = isKeyword("not") && isKeyword("in", 1) && at(2).isSymbol("(");
    if (notIn) ++next_;
    const bool list = isKeyword("in") && at(1).isSymbol("(");
    if (at().kind != Word::Kind::Operator && !list) {
      if (first.kind == Word::Kind::Word && isColumn(first.text))
        for (const char* word : {"is", "like", "between", "in"})
          if (isKeyword(word))
            return invalidArgument(found(at()),
                                   " is not known after a column; expected =, !=, <, <=, >, >=, ~, !~ or in (A, B); device = \"\" finds rows without a value");
      return anywhere(first.text);
    }
    WEFT_LET(const RowColumn* column, columnNamed(first));
    const std::string op = list ? "=" : at().text;
    next_ += list ? 2 : 1;
    if (!list) {
      WEFT_LET(Word wanted, value());
      // "2 KiB"
      double number = 0;
      if (!column->isText() && wanted.kind == Word::Kind::Word && at().kind == Word::Kind::Word && std::isdigit(uint8_t(wanted.text.back())) &&
          numberOf("1" + at().text, &number) && std::isalpha(uint8_t(at().text[0])))
        wanted.text += words_[next_++].text;
      return compare(*column, op, wanted);
    }
    Mask out(rows(), 0);
    do {
      WEFT_LET(const Word wanted, value());
      WEFT_LET(const Mask more, compare(*column, op, wanted));
      for (size_t i = 0; i < out.size(); ++i) out[i] |= more[i];
    } while (at().isSymbol(",") && ++next_);
    if (!at().isSymbol(")")) return invalidArgument("Expected ',' or ')', got ", found(at()));
    ++next_;
    if (notIn)
      for (char& c : out) c = !c;
    return out;
  }

  Result<Word> value() {
    if (at().kind != Word::Kind::Word && at().kind != Word::Kind::Quoted)
      return invalidArgument("Expected a value after '", words_[next_ - 1].text, "', got ", found(at()));
    return words_[next_++];
  }

  Result<const RowColumn*> columnNamed(const Word& word) {
    std::vector<std::string> names;
    for (const RowColumn& c : table_.columns()) {
      if (lower(c.name) == lower(word.text)) return &c;
      names.push_back(lower(c.name));
    }
    const std::string near = nearestName(word.text, names);
    for (const RowColumn& c : table_.columns())
      if (!near.empty() && lower(c.name) == near) return notFound("There is no column '", word.text, "'; did you mean '", c.name, "'?");
    std::string all;
    for (const RowColumn& c : table_.columns()) all += (all.empty() ? "" : ", ") + c.name;
    return notFound("There is no column '", word.text, "'; there are ", all);
  }

  /// For each row whether its word fulfils the condition.
  Mask ofWords(const RowColumn& column, const std::function<bool(const std::string&)>& holds, bool none) const {
    Mask words(column.words.size());
    for (size_t i = 0; i < words.size(); ++i) words[i] = holds(column.words[i]);
    Mask out(rows());
    for (size_t i = 0; i < out.size(); ++i) out[i] = column.codes[i] < 0 ? none : words[size_t(column.codes[i])];
    return out;
  }

  Result<Mask> anywhere(const std::string& part) const {
    const std::string wanted = lower(part);
    Mask out(rows(), 0);
    for (const RowColumn& c : table_.columns()) {
      if (!c.isText()) continue;
      const Mask more = ofWords(
          c, [&](const std::string& w) { return lower(w).find(wanted) != std::string::npos; }, false);
      for (size_t i = 0; i < out.size(); ++i) out[i] |= more[i];
    }
    return out;
  }

  Result<Mask> compare(const RowColumn& column, const std::string& op, const Word& wanted) const {
    if (op == "~" || op == "!~") return matches(column, wanted, op == "!~");
    if (column.isText()) return compareTexts(column, op, lower(wanted.text));
    Mask out(rows());
    if (wanted.text.empty() && (op == "=" || op == "!=")) {
      for (size_t i = 0; i < out.size(); ++i) out[i] = std::isnan(column.numbers[i]) == (op == "=");
      return out;
    }
    double number = 0;
    if (!numberOf(wanted.text, &number)) return invalidArgument("'", wanted.text, "' is not a number; ", column.name, " holds numbers, such as 10, 4k or 2MB");
    for (size_t i = 0; i < out.size(); ++i) {
      const double v = column.numbers[i];
      out[i] = op == "=" ? v == number : op == "!=" ? v != number : op == "<" ? v < number : op == "<=" ? v <= number : op == ">" ? v > number : v >= number;
    }
    return out;
  }

  Result<Mask> compareTexts(const RowColumn& column, const std::string& op, const std::string& wanted) const {
    const bool equal = op == "=";
    if (equal || op == "!=")
      return ofWords(
          column, [&](const std::string& w) { return fits(wanted, lower(w)) == equal; }, fits(wanted, "") == equal);
    const bool below = op[0] == '<', orEqual = op.size() > 1;
    return ofWords(
        column,
        [&](const std::string& w) {
          const std::string text = lower(w);
          return text == wanted ? orEqual : naturallyLess(text, wanted) == below;
        },
        false);
  }

  Result<Mask> matches(const RowColumn& column, const Word& wanted, bool inverse) const {
    regex_t expression;
    if (const int error = regcomp(&expression, wanted.text.c_str(), REG_EXTENDED | REG_ICASE | REG_NOSUB); error != 0) {
      char why[200];
      regerror(error, &expression, why, sizeof why);
      return invalidArgument("'", wanted.text, "' is not a regular expression: ", std::string(why));
    }
    const std::unique_ptr<regex_t, void (*)(regex_t*)> owner(&expression, [](regex_t* r) { regfree(r); });
    const auto holds = [&](const std::string& w) { return (regexec(&expression, w.c_str(), 0, nullptr, 0) == 0) != inverse; };
    if (column.isText()) return ofWords(column, holds, inverse);
    Mask out(rows());
    for (size_t i = 0; i < out.size(); ++i) out[i] = holds(column.text(int32_t(i)));
    return out;
  }

  const RowTable& table_;
  std::vector<Word> words_;
  const RowTable::Stop& stop_;
  size_t next_ = 0;
  int depth_ = 0;
};

}  // namespace

Result<std::vector<int32_t>> RowTable::filtered(std::string_view text, const Stop& stop) const {
  WEFT_LET(std::vector<Word> words, wordsOf(text));
  std::vector<int32_t> out;
  if (words.size() == 1) {
    out.resize(size_t(rows_));
    for (int32_t row = 0; row < rows_; ++row) out[size_t(row)] = row;
    return out;
  }
  WEFT_LET(const Mask mask, Filter(*this, std::move(words), stop).run());
  for (int32_t row = 0; row < rows_; ++row)
    if (mask[size_t(row)]) out.push_back(row);
  return out;
}

}  // namespace weft
