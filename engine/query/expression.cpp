#include "query/expression.h"

#include <re2/re2.h>
#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>

namespace weft::query {
namespace {

using Made = std::unique_ptr<Expression>;

constexpr size_t kMostTokens = 100;  // each operator keeps a block of numbers on the stack

class Constant : public Expression {
 public:
  Constant(double value, bool integer) : value_(value) { isInteger = integer; }
  void compute(Row, size_t count, double* out) const override { std::fill_n(out, count, value_); }

 private:
  double value_;
};

class ColumnValue : public Expression {
 public:
  ColumnValue(const Table& table, int column) : table_(table), column_(column) { isInteger = table.type(column) == QueryType::Integer; }
  void compute(Row from, size_t count, double* out) const override { table_.readReals(column_, from, count, out); }

 private:
  const Table& table_;
  int column_;
};

/// A test of a text, done once for each distinct text.
class TextTest : public Expression {
 public:
  TextTest(const Table& table, int column, double ofNull, const std::function<bool(const std::string&)>& test) : table_(table), column_(column) {
    isInteger = true;
    results_.push_back(ofNull);
    for (int32_t code = 0; code < table.dictionary.size(); ++code) results_.push_back(test(table.dictionary.text(code)));
  }
  void compute(Row from, size_t count, double* out) const override {
    int32_t codes[kBlockRows];
    table_.readCodes(column_, from, count, codes);
    for (size_t i = 0; i < count; ++i) out[i] = results_[size_t(codes[i] + 1)];
  }

 private:
  const Table& table_;
  int column_;
  std::vector<double> results_;
};

template <typename F>
class Unary : public Expression {
 public:
  Unary(Made a, bool integer, F f) : a_(std::move(a)), f_(f) { isInteger = integer; }
  void compute(Row from, size_t count, double* out) const override {
    a_->compute(from, count, out);
    for (size_t i = 0; i < count; ++i) out[i] = f_(out[i]);
  }

 private:
  Made a_;
  F f_;
};
template <typename F>
Made unary(Made a, bool integer, F f) {
  return std::make_unique<Unary<F>>(std::move(a), integer, f);
}

template <typename F>
class Binary : public Expression {
 public:
  Binary(Made a, Made b, bool integer, F f) : a_(std::move(a)), b_(std::move(b)), f_(f) { isInteger = integer; }
  void compute(Row from, size_t count, double* out) const override {
    double other[kBlockRows];
    a_->compute(from, count, out);
    b_->compute(from, count, other);
    for (size_t i = 0; i < count; ++i) out[i] = f_(out[i], other[i]);
  }

 private:
  Made a_, b_;
  F f_;
};
template <typename F>
Made binary(Made a, Made b, bool integer, F f) {
  return std::make_unique<Binary<F>>(std::move(a), std::move(b), integer, f);
}

template <typename F>
Made comparison(Made a, Made b, F f) {
  return binary(std::move(a), std::move(b), true, [f](double x, double y) { return std::isnan(x) || std::isnan(y) ? NAN : double(f(x, y)); });
}
double andOf(double x, double y) { return x == 0 || y == 0 ? 0 : std::isnan(x) || std::isnan(y) ? NAN : 1; }
double orOf(double x, double y) {
  const bool a = x != 0 && !std::isnan(x), b = y != 0 && !std::isnan(y);
  return a || b ? 1 : std::isnan(x) || std::isnan(y) ? NAN : 0;
}
double notOf(double x) { return std::isnan(x) ? NAN : x == 0; }

/// Recursive descent in SQLite's precedence. A null result anywhere means that the whole is not computed here.
class Parser {
 public:
  Parser(std::span<const Token> tokens, const Naming& naming) : tokens_(tokens), naming_(naming) {}
  Made all() {
    Made out = disjunction();
    return out && at_ == tokens_.size() ? std::move(out) : nullptr;
  }

 private:
  const Token& token(size_t ahead = 0) const {
    static const Token end;
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : end;
  }
  bool take(std::string_view word) {
    if (!token().is(word)) return false;
    return ++at_, true;
  }
  bool takeSymbol(std::string_view symbol) {
    if (!token().isSymbol(symbol)) return false;
    return ++at_, true;
  }

  Made disjunction() {
    Made left = conjunction();
    while (left && take("or")) {
      Made right = conjunction();
      left = right ? binary(std::move(left), std::move(right), true, orOf) : nullptr;
    }
    return left;
  }
  Made conjunction() {
    Made left = negation();
    while (left && take("and")) {
      Made right = negation();
      left = right ? binary(std::move(left), std::move(right), true, andOf) : nullptr;
    }
    return left;
  }
  Made negation() {
    if (!take("not")) return equality();
    Made a = negation();
    return a ? unary(std::move(a), true, notOf) : nullptr;
  }

  Made textual();
  Made equality();
  Made relation();
  Made sum();
  Made product();
  Made sign();
  Made primary();
  Made call(const std::string& name);

  std::span<const Token> tokens_;
  const Naming& naming_;
  size_t at_ = 0;
};

/// A test of a column of texts; null, and nothing taken, if there is none here.
Made Parser::textual() {
  const size_t start = at_;
  const int column = naming_.column(tokens_, at_);
  const Table& table = *naming_.table;
  const auto undo = [&]() -> Made { return at_ = start, nullptr; };
  if (column < 0 || table.type(column) != QueryType::Text || !table.isColumnar(column)) return undo();
  const auto test = [&](const std::function<bool(const std::string&)>& f) -> Made { return std::make_unique<TextTest>(table, column, NAN, f); };
  if (take("notnull")) return std::make_unique<TextTest>(table, column, 0, [](const std::string&) { return true; });
  if (take("isnull")) return std::make_unique<TextTest>(table, column, 1, [](const std::string&) { return false; });
  if (take("is")) {
    const bool negated = take("not");
    if (!take("null")) return undo();
    return std::make_unique<TextTest>(table, column, negated ? 0 : 1, [negated](const std::string&) { return negated; });
  }
  const bool negated = take("not");
  if (negated && take("null")) return std::make_unique<TextTest>(table, column, 0, [](const std::string&) { return true; });
  const Token op = token();
  ++at_;
  if (op.is("in")) {
    std::vector<std::string> words;
    if (!takeSymbol("(")) return undo();
    do {
      if (token().kind != Token::Kind::Text) return undo();
      words.push_back(tokens_[at_++].text);
    } while (takeSymbol(","));
    if (!takeSymbol(")")) return undo();
    return test([&](const std::string& t) { return (std::find(words.begin(), words.end(), t) != words.end()) != negated; });
  }
  if (token().kind != Token::Kind::Text) return undo();
  const std::string word = tokens_[at_++].text;
  if (op.is("like"))
    return token().is("escape") ? undo() : test([&](const std::string& t) { return (sqlite3_strlike(word.c_str(), t.c_str(), 0) == 0) != negated; });
  if (op.is("glob")) return test([&](const std::string& t) { return (sqlite3_strglob(word.c_str(), t.c_str()) == 0) != negated; });
  if (op.is("regexp")) {
    const RE2 pattern(word, RE2::Quiet);
    return pattern.ok() ? test([&](const std::string& t) { return RE2::PartialMatch(t, pattern) != negated; }) : undo();
  }
  if (negated || op.kind != Token::Kind::Symbol) return undo();
  if (op.text == "=" || op.text == "==") return test([&](const std::string& t) { return t == word; });
  if (op.text == "<>" || op.text == "!=") return test([&](const std::string& t) { return t != word; });
  if (op.text == "<") return test([&](const std::string& t) { return t < word; });
  if (op.text == ">") return test([&](const std::string& t) { return t > word; });
  if (op.text == "<=") return test([&](const std::string& t) { return t <= word; });
  if (op.text == ">=") return test([&](const std::string& t) { return t >= word; });
  return undo();
}

Made Parser::equality() {
  if (Made test = textual()) return test;
  Made left = relation();
  while (left) {
    if (take("notnull")) {
      left = unary(std::move(left), true, [](double x) { return double(!std::isnan(x)); });
    } else if (take("isnull")) {
      left = unary(std::move(left), true, [](double x) { return double(std::isnan(x)); });
    } else if (token().is("is") || (token().is("not") && token(1).is("null"))) {
      const bool negated = tokens_[at_].text == "not" || token(1).is("not");
      at_ += tokens_[at_].text == "is" && negated ? 2 : 1;
      if (!take("null")) return nullptr;
      left = unary(std::move(left), true, [negated](double x) { return double(std::isnan(x) != negated); });
    } else if (takeSymbol("=") || takeSymbol("==")) {
      Made right = relation();
      left = right ? comparison(std::move(left), std::move(right), std::equal_to<double>()) : nullptr;
    } else if (takeSymbol("<>") || takeSymbol("!=")) {
      Made right = relation();
      left = right ? comparison(std::move(left), std::move(right), std::not_equal_to<double>()) : nullptr;
    } else {
      return left;  // BETWEEN and IN of numbers are left to SQLite
    }
  }
  return left;
}

Made Parser::relation() {
  Made left = sum();
  while (left && token().kind == Token::Kind::Symbol) {
    const std::string op = token().text;
    if (op != "<" && op != ">" && op != "<=" && op != ">=") break;
    ++at_;
    Made right = sum();
    if (!right) return nullptr;
    if (op == "<") left = comparison(std::move(left), std::move(right), std::less<double>());
    else if (op == ">") left = comparison(std::move(left), std::move(right), std::greater<double>());
    else if (op == "<=") left = comparison(std::move(left), std::move(right), std::less_equal<double>());
    else left = comparison(std::move(left), std::move(right), std::greater_equal<double>());
  }
  return left;
}

Made Parser::sum() {
  Made left = product();
  while (left && (token().isSymbol("+") || token().isSymbol("-"))) {
    const bool minus = tokens_[at_++].text == "-";
    Made right = product();
    if (!right) return nullptr;
    const bool integer = left->isInteger && right->isInteger;
    left = binary(std::move(left), std::move(right), integer, [minus](double x, double y) { return minus ? x - y : x + y; });
  }
  return left;
}

Made Parser::product() {
  Made left = sign();
  while (left && (token().isSymbol("*") || token().isSymbol("/") || token().isSymbol("%"))) {
    const std::string op = tokens_[at_++].text;
    Made right = sign();
    if (!right) return nullptr;
    const bool integer = left->isInteger && right->isInteger;
    if (op == "*") left = binary(std::move(left), std::move(right), integer, [](double x, double y) { return x * y; });
    else if (op == "/")
      left = binary(std::move(left), std::move(right), integer, [integer](double x, double y) { return y == 0 ? NAN : integer ? std::trunc(x / y) : x / y; });
    else if (integer) left = binary(std::move(left), std::move(right), true, [](double x, double y) { return y == 0 ? NAN : std::fmod(x, y); });
    else return nullptr;
  }
  return left;
}

Made Parser::sign() {
  if (takeSymbol("+")) return sign();
  if (!takeSymbol("-")) return primary();
  Made a = sign();
  const bool integer = a && a->isInteger;
  return a ? unary(std::move(a), integer, [](double x) { return -x; }) : nullptr;
}

Made Parser::call(const std::string& name) {
  at_ += 2;
  if (name == "cast") {
    Made a = disjunction();
    if (!a || !take("as")) return nullptr;
    const std::string type = token().text;
    ++at_;
    if (!takeSymbol(")")) return nullptr;
    if (type == "integer" || type == "int") return unary(std::move(a), true, [](double x) { return std::trunc(x); });
    if (type == "real") return unary(std::move(a), false, [](double x) { return x; });
    return nullptr;
  }
  Made a = disjunction();
  if (!a || !takeSymbol(")")) return nullptr;
  const bool integer = a->isInteger;
  if (name == "abs") return unary(std::move(a), integer, [](double x) { return std::fabs(x); });
  if (name == "floor") return unary(std::move(a), integer, [](double x) { return std::floor(x); });
  if (name == "ceil" || name == "ceiling") return unary(std::move(a), integer, [](double x) { return std::ceil(x); });
  if (name == "round") return unary(std::move(a), false, [](double x) { return std::round(x); });
  if (name == "sqrt") return unary(std::move(a), false, [](double x) { return x < 0 ? NAN : std::sqrt(x); });
  if (name == "log2") return unary(std::move(a), false, [](double x) { return x <= 0 ? NAN : std::log2(x); });
  if (name == "log10" || name == "log") return unary(std::move(a), false, [](double x) { return x <= 0 ? NAN : std::log10(x); });
  if (name == "ln") return unary(std::move(a), false, [](double x) { return x <= 0 ? NAN : std::log(x); });
  return nullptr;
}

Made Parser::primary() {
  const Token& t = token();
  if (t.kind == Token::Kind::Number) {
    double number = 0;
    const char* end = t.text.data() + t.text.size();
    const auto read = std::from_chars(t.text.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end) return nullptr;
    ++at_;
    return std::make_unique<Constant>(number, t.text.find_first_of(".eE") == std::string::npos);
  }
  if (takeSymbol("(")) {
    Made inside = disjunction();
    return inside && takeSymbol(")") ? std::move(inside) : nullptr;
  }
  if (t.kind == Token::Kind::Word && token(1).isSymbol("(")) return call(t.text);
  const int column = naming_.column(tokens_, at_);
  if (column < 0 || naming_.table->type(column) == QueryType::Text || !naming_.table->isColumnar(column)) return nullptr;
  return std::make_unique<ColumnValue>(*naming_.table, column);
}

}  // namespace

int Naming::column(std::span<const Token> tokens, size_t& at) const {
  if (at >= tokens.size() || !tokens[at].isName()) return -1;
  if (at + 2 < tokens.size() && tokens[at + 1].isSymbol(".") && tokens[at + 2].isName()) {
    if (tokens[at].text != alias) return -1;
    const int found = table->column(tokens[at + 2].text);
    if (found >= 0) at += 3;
    return found;
  }
  const int found = table->column(tokens[at].text);
  if (found >= 0) ++at;
  return found;
}

Made presenceOf(const Table& table, int column) {
  return std::make_unique<TextTest>(table, column, NAN, [](const std::string&) { return true; });
}

Made expressionOf(std::span<const Token> tokens, const Naming& naming) {
  return tokens.empty() || tokens.size() > kMostTokens ? nullptr : Parser(tokens, naming).all();
}

}  // namespace weft::query
