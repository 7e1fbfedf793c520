// Expressions: from text to instructions for a stack machine, and that machine.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <set>

#include "expressions/arithmetic.h"
#include "expressions/words.h"

namespace weft {

using namespace expressions;

namespace expressions {

bool isReserved(std::string_view word) {
  static const std::set<std::string_view> kWords = {"true", "false", "True", "False", "None", "if", "else", "and", "or", "not", "in", "is", "for", "lambda"};
  if (kWords.count(word)) return true;
  return std::any_of(expressionFunctions().begin(), expressionFunctions().end(), [&](const auto& f) { return f.first == word; });
}

bool isIdentifier(std::string_view word) {
  if (word.empty() || !isIdentifierStart(word[0])) return false;
  return std::all_of(word.begin(), word.end(), isIdentifierPart);
}

}  // namespace expressions

namespace {

constexpr size_t kLongest = 10'000;        // characters
constexpr size_t kMostElements = 100'000;  // of the lists that an expression holds at once
constexpr int kDeepest = 200;              // brackets, unary operators and the like in one another

enum Kind { Push, Load, Apply1, Apply2, Call, MakeList, Element, Jump, JumpIfFalse, JumpIfFalseKept, JumpIfTrueKept, CheckTruth };
constexpr std::string_view kTruthFor[] = {"if", "and", "or"};

bool isDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) { out_.text_ = std::string(text); }

  Result<Expression> run() {
    if (out_.text_.size() > kLongest) return invalidArgument("an expression of ", out_.text_.size(), " characters, expected at most ", kLongest);
    next();
    if (token_.empty()) return invalidArgument("the expression is empty");
    WEFT_TRY(conditional());
    if (!token_.empty()) return unexpected("an operator or the end");
    return std::move(out_);
  }

 private:
  enum class Type { End, Number, Name, Word, Symbol, Bad };

  Error unexpected(std::string_view expected) const {
    const std::string where = out_.text_.substr(0, begin_);
    if (type_ == Type::End) return invalidArgument("the expression ends after '", where, "', expected ", expected);
    if (type_ == Type::Bad) return invalidArgument("'", token_, "' cannot be read", where.empty() ? "" : ", after '", where, where.empty() ? "" : "'");
    return invalidArgument("'", token_, "' stands ", where.empty() ? "first" : "after '", where, where.empty() ? "" : "'", ", expected ", expected);
  }

  void take(Type type, size_t end) {
    type_ = type;
    token_ = std::string_view(out_.text_).substr(begin_, end - begin_);
    end_ = end;
  }

  void next() {
    const std::string& s = out_.text_;
    begin_ = end_;
    while (begin_ < s.size() && std::isspace(uint8_t(s[begin_]))) ++begin_;
    if (begin_ == s.size()) return take(Type::End, begin_);
    const char c = s[begin_];
    size_t end = begin_ + 1;
    if (isIdentifierStart(c)) {
      while (end < s.size() && (isIdentifierPart(s[end]) || (s[end] == '.' && end + 1 < s.size() && isIdentifierStart(s[end + 1])))) ++end;
      return take(Type::Name, end);
    }
    if (isDigit(c) || (c == '.' && end < s.size() && isDigit(s[end]))) {
      while (end < s.size() && (isIdentifierPart(s[end]) || s[end] == '.' || ((s[end] == '+' || s[end] == '-') && (s[end - 1] == 'e' || s[end - 1] == 'E'))))
        ++end;
      return take(Type::Number, end);
    }
    if (c == '{' || c == '\'' || c == '"') {
      end = s.find(c == '{' ? '}' : c, end);
      // A doubled quote stands for one.
      while (c != '{' && end != s.npos && end + 1 < s.size() && s[end + 1] == c) end = s.find(c, end + 2);
      return end == s.npos ? take(Type::Bad, s.size()) : take(c == '{' ? Type::Name : Type::Word, end + 1);
    }
    const std::string_view two = std::string_view(s).substr(begin_, 2);
    static const std::set<std::string_view> kPairs = {"**", "//", "<=", ">=", "==", "!="};
    if (kPairs.count(two)) return take(Type::Symbol, begin_ + 2);
    if (std::string_view("+-*/%()[],<>?").find(c) != std::string_view::npos) return take(Type::Symbol, end);
    while (end < s.size() && (uint8_t(s[end]) & 0xC0) == 0x80) ++end;  // a character of several bytes as a whole
    take(Type::Bad, end);
  }

  bool is(std::string_view word) const { return (type_ == Type::Symbol || type_ == Type::Name) && token_ == word; }
  bool accept(std::string_view word) {
    if (!is(word)) return false;
    next();
    return true;
  }

  void emit(int kind, int argument = 0, int count = 0) { out_.code_.push_back({kind, argument, count}); }
  size_t here() const { return out_.code_.size(); }
  void push(ExpressionValue value) {
    out_.constants_.push_back(std::move(value));
    emit(Push, int(out_.constants_.size()) - 1);
  }
  /// Lets the jump at `from` go to the next instruction.
  void land(size_t from) { out_.code_[from].argument = int(here() - from); }

  /// Counts brackets in brackets while it lives.
  struct Depth {
    explicit Depth(int& at) : at_(at) { ++at_; }
    ~Depth() { --at_; }
    int& at_;
  };
  Status deep() const {
    if (depth_ <= kDeepest) return {};
    return invalidArgument("the expression is nested more than ", kDeepest, " deep");
  }

  Status conditional() {
    const Depth depth(depth_);
    WEFT_TRY(deep());
    const size_t begin = here();
    WEFT_TRY(either());
    if (!accept("if")) return {};
    // The value stands before its condition, which is computed first.
    std::vector<Expression::Instruction> value(out_.code_.begin() + std::ptrdiff_t(begin), out_.code_.end());
    out_.code_.resize(begin);
    WEFT_TRY(either());
    const size_t otherwise = here();
    emit(JumpIfFalse);
    out_.code_.insert(out_.code_.end(), value.begin(), value.end());
    const size_t end = here();
    emit(Jump);
    land(otherwise);
    if (!accept("else")) return unexpected("else");
    WEFT_TRY(conditional());
    land(end);
    return {};
  }

  Status logical(std::string_view word, Status (ExpressionParser::*operand)(), int jump, int truth) {
    WEFT_TRY((this->*operand)());
    std::vector<size_t> jumps;
    while (accept(word)) {
      jumps.push_back(here());
      emit(jump, 0, truth);
      WEFT_TRY((this->*operand)());
    }
    if (!jumps.empty()) emit(CheckTruth, truth);
    for (const size_t j : jumps) land(j);
    return {};
  }
  Status either() { return logical("or", &ExpressionParser::both, JumpIfTrueKept, 2); }
  Status both() { return logical("and", &ExpressionParser::negation, JumpIfFalseKept, 1); }

  Status negation() {
    if (!accept("not")) return comparison();
    const Depth depth(depth_);
    WEFT_TRY(deep());
    WEFT_TRY(negation());
    emit(Apply1, int(Unary::Not));
    return {};
  }

  /// The operator at this place, of those from `first` to `last`.
  bool acceptOp(Op first, Op last, Op* op) {
    for (int i = int(first); i <= int(last); ++i) {
      if (!is(symbolOf(Op(i)))) continue;
      *op = Op(i);
      next();
      return true;
    }
    return false;
  }

  Status comparison() {
    WEFT_TRY(sum());
    Op op;
    if (!acceptOp(Op::Less, Op::NotEqual, &op)) return {};
    WEFT_TRY(sum());
    emit(Apply2, int(op));
    if (acceptOp(Op::Less, Op::NotEqual, &op)) return invalidArgument("two comparisons in a row, expected 'and' between them: a < b and b < c");
    return {};
  }

  Status chain(Op first, Op last, Status (ExpressionParser::*operand)()) {
    WEFT_TRY((this->*operand)());
    for (Op op; acceptOp(first, last, &op);) {
      WEFT_TRY((this->*operand)());
      emit(Apply2, int(op));
    }
    return {};
  }
  Status sum() { return chain(Op::Add, Op::Subtract, &ExpressionParser::product); }
  Status product() { return chain(Op::Multiply, Op::Modulo, &ExpressionParser::factor); }

  Status factor() {
    if (!is("-") && !is("+")) return power();
    const Depth depth(depth_);
    WEFT_TRY(deep());
    const Unary op = is("-") ? Unary::Minus : Unary::Plus;
    next();
    WEFT_TRY(factor());
    emit(Apply1, int(op));
    return {};
  }

  Status power() {
    WEFT_TRY(element());
    if (!accept("**")) return {};
    const Depth depth(depth_);
    WEFT_TRY(deep());
    WEFT_TRY(factor());
    emit(Apply2, int(Op::Power));
    return {};
  }

  Status element() {
    WEFT_TRY(primary());
    while (accept("[")) {
      WEFT_TRY(conditional());
      if (!accept("]")) return unexpected("]");
      emit(Element);
    }
    return {};
  }

  /// Values with commas up to `close`.
  Status values(std::string_view close, int* count) {
    for (*count = 0; !accept(close);) {
      if (*count > 0 && !accept(",")) return unexpected(concat(", or ", close));
      if (*count > 0 && accept(close)) return {};
      WEFT_TRY(conditional());
      ++*count;
    }
    return {};
  }

  Status primary() {
    int count = 0;
    if (accept("(")) {
      WEFT_TRY(conditional());
      return accept(")") ? Status() : Status(unexpected(")"));
    }
    if (accept("[")) {
      WEFT_TRY(values("]", &count));
      emit(MakeList, count);
      return {};
    }
    if (accept("?") || accept("None")) {
      push({ExpressionValue::Unknown()});
      return {};
    }
    if (type_ == Type::Number) return number();
    if (type_ == Type::Word) {
      std::string word;
      for (size_t i = 1; i + 1 < token_.size(); ++i) {
        word += token_[i];
        if (token_[i] == token_[0]) ++i;
      }
      push({std::move(word)});
      next();
      return {};
    }
    if (type_ != Type::Name) return unexpected("a number, a name or (");
    return name();
  }

  Status number() {
    const char *first = token_.data(), *last = first + token_.size();
    const bool digits = std::all_of(first, last, isDigit);
    if (digits) {
      int64_t n = 0;
      if (std::from_chars(first, last, n).ec != std::errc()) return outOfRange(token_, " is out of range: whole numbers have 64 bits");
      push({n});
    } else {
      double r = 0;
      const auto [end, problem] = std::from_chars(first, last, r);
      if (end != last || problem == std::errc::invalid_argument) return invalidArgument("'", token_, "' is no number");
      if (problem != std::errc() || !std::isfinite(r)) return outOfRange(token_, " is out of the range of numbers");
      push({r});
    }
    next();
    return {};
  }

  Status name() {
    const bool braces = token_[0] == '{';
    const std::string word(braces ? token_.substr(1, token_.size() - 2) : token_);
    const size_t begin = begin_, length = token_.size();
    if (!braces && (word == "true" || word == "false" || word == "True" || word == "False")) {
      push({word == "true" || word == "True"});
      next();
      return {};
    }
    const auto& functions = expressionFunctions();
    const auto function = std::find_if(functions.begin(), functions.end(), [&](const auto& f) { return f.first == word; });
    if (!braces && function == functions.end() && isReserved(word)) return unexpected("a number, a name or (");
    if (word.empty()) return invalidArgument("{} holds no name");
    next();
    if (!braces && is("(")) {
      if (function == functions.end()) {
        std::string all;
        for (const auto& f : functions) all += (all.empty() ? "" : ", ") + f.first;
        return notFound("there is no function ", word, "; there are ", all);
      }
      next();
      int count = 0;
      WEFT_TRY(values(")", &count));
      emit(Call, int(function - functions.begin()), count);
      return {};
    }
    if (!braces && function != functions.end()) return invalidArgument(word, " is a function, expected ", function->second);
    auto& names = out_.references_;
    const auto at = std::find(names.begin(), names.end(), word);
    const int number = int(at - names.begin());
    if (at == names.end()) names.push_back(word);
    out_.uses_.push_back({begin, length, number});
    emit(Load, number);
    return {};
  }

  Expression out_;
  Type type_ = Type::End;
  std::string_view token_;
  size_t begin_ = 0, end_ = 0;
  int depth_ = 0;
};

Result<Expression> Expression::parse(std::string_view text) {
  // The parser's tokens are views of its own text.
  ExpressionParser parser(text);
  return parser.run();
}

std::string Expression::renamed(const std::function<std::string(const std::string&)>& name) const {
  std::string out;
  size_t from = 0;
  for (const Use& use : uses_) {
    const std::string& before = references_[size_t(use.reference)];
    const std::string now = name(before);
    out += text_.substr(from, use.begin - from);
    out += now == before ? text_.substr(use.begin, use.length) : fieldInExpression(now);
    from = use.begin + use.length;
  }
  return out + text_.substr(from);
}

Result<ExpressionValue> Expression::evaluate(const Lookup& lookup) const {
  std::vector<ExpressionValue> stack;
  std::vector<size_t> elements;  // of each value there, and of all
  size_t held = 0;
  const auto push = [&](ExpressionValue value) -> Status {
    elements.push_back(elementsOf(value));
    held += elements.back();
    stack.push_back(std::move(value));
    if (held > kMostElements && held > elements.back()) return outOfRange("lists of more than ", kMostElements, " elements at once");
    return {};
  };
  const auto drop = [&](size_t count) {
    for (; count > 0; --count) {
      held -= elements.back();
      elements.pop_back();
      stack.pop_back();
    }
  };
  const auto pop = [&] {
    ExpressionValue top = std::move(stack.back());
    drop(1);
    return top;
  };
  const auto popMany = [&](int count) {
    ExpressionValue::List out(std::make_move_iterator(stack.end() - count), std::make_move_iterator(stack.end()));
    drop(size_t(count));
    return out;
  };
  for (size_t at = 0; at < code_.size();) {
    const Instruction& i = code_[at];
    size_t step = 1;
    switch (i.kind) {
      case Push: WEFT_TRY(push(constants_[size_t(i.argument)])); break;
      case Load: {
        WEFT_LET(ExpressionValue value, lookup(references_[size_t(i.argument)]));
        WEFT_TRY(push(std::move(value)));
        break;
      }
      case Apply1: {
        WEFT_LET(ExpressionValue value, applyUnary(Unary(i.argument), pop()));
        WEFT_TRY(push(std::move(value)));
        break;
      }
      case Apply2: {
        const ExpressionValue b = pop(), a = pop();
        WEFT_LET(ExpressionValue value, combine(Op(i.argument), a, b));
        WEFT_TRY(checkList(value));
        WEFT_TRY(push(std::move(value)));
        break;
      }
      case Call: {
        WEFT_LET(ExpressionValue value, callFunction(i.argument, popMany(i.count)));
        WEFT_TRY(push(std::move(value)));
        break;
      }
      case MakeList: {
        ExpressionValue list{popMany(i.argument)};
        WEFT_TRY(checkList(list));
        WEFT_TRY(push(std::move(list)));
        break;
      }
      case Element: {
        const ExpressionValue index = pop(), list = pop();
        WEFT_LET(ExpressionValue value, elementAt(list, index));
        WEFT_TRY(push(std::move(value)));
        break;
      }
      case Jump: step = size_t(i.argument); break;
      case JumpIfFalse: {
        WEFT_LET(const bool truth, truthOf(pop(), kTruthFor[i.count]));
        if (!truth) step = size_t(i.argument);
        break;
      }
      case JumpIfFalseKept:
      case JumpIfTrueKept: {
        WEFT_LET(const bool truth, truthOf(stack.back(), kTruthFor[i.count]));
        if (truth == (i.kind == JumpIfTrueKept)) step = size_t(i.argument);
        else drop(1);
        break;
      }
      case CheckTruth: WEFT_TRY(truthOf(stack.back(), kTruthFor[i.argument])); break;
      default: return internalError("instruction ", i.kind);
    }
    at += step;
  }
  return pop();
}

}  // namespace weft
