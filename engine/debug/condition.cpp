#include "debug/condition.h"

#include <array>
#include <charconv>
#include <cstdlib>

namespace weft {

struct Condition::Node {
  enum class Kind { And, Or, Not, Compare } kind = Kind::Compare;
  std::vector<std::shared_ptr<const Node>> parts;
  Quantity quantity = Quantity::Value;
  std::string tensor;      ///< Empty: the tensor to which the condition is attached.
  std::string comparison;  ///< "==", …
  double number = 0;
};

namespace {

using ConditionNode = Condition::Node;
using NodePtr = std::shared_ptr<const ConditionNode>;

struct Token {
  std::string text;
  size_t column = 1;
  bool isWord = false;
};

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || std::string_view("_./\\:-").find(c) != std::string_view::npos; }

Result<std::vector<Token>> tokens(const std::string& text) {
  std::vector<Token> out;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
      continue;
    }
    Token t;
    t.column = i + 1;
    const bool sign = (c == '-' || c == '+') && i + 1 < text.size() && (std::isalnum(static_cast<unsigned char>(text[i + 1])) || text[i + 1] == '.');
    if (isNameCharacter(c) || sign) {
      size_t end = i + 1;
      // So that 1e+3 is one number.
      const bool number = std::isdigit(static_cast<unsigned char>(c)) || sign || c == '.';
      while (end < text.size() && (isNameCharacter(text[end]) || (number && text[end] == '+' && (text[end - 1] == 'e' || text[end - 1] == 'E')))) ++end;
      t.text = text.substr(i, end - i);
      t.isWord = true;
      i = end;
    } else {
      static constexpr std::array<std::string_view, 6> kPairs = {"==", "!=", "<=", ">=", "&&", "||"};
      const std::string_view two = std::string_view(text).substr(i, 2);
      const bool pair = std::find(kPairs.begin(), kPairs.end(), two) != kPairs.end();
      if (!pair && std::string_view("()<>=!").find(c) == std::string_view::npos) {
        return invalidArgument("condition, column ", i + 1, ": \"", c, "\" is not understood");
      }
      t.text = text.substr(i, pair ? 2 : 1);
      i += t.text.size();
    }
    out.push_back(std::move(t));
  }
  return out;
}

struct Named {
  const char* name;
  Quantity quantity;
};
constexpr std::array<Named, 22> kQuantities = {{{"nans", Quantity::NanCount},
                                                {"count_nan", Quantity::NanCount},
                                                {"infs", Quantity::InfCount},
                                                {"count_inf", Quantity::InfCount},
                                                {"zeros", Quantity::Zeros},
                                                {"negatives", Quantity::Negatives},
                                                {"min", Quantity::Min},
                                                {"max", Quantity::Max},
                                                {"abs max", Quantity::AbsMax},
                                                {"mean", Quantity::Mean},
                                                {"std", Quantity::Std},
                                                {"sum", Quantity::Sum},
                                                {"norm", Quantity::Norm},
                                                {"elements", Quantity::Elements},
                                                {"size", Quantity::Elements},
                                                {"rank", Quantity::Rank},
                                                {"bytes", Quantity::Bytes},
                                                {"value", Quantity::Value},
                                                {"iteration", Quantity::Iteration},
                                                {"step", Quantity::Step},
                                                {"hits", Quantity::Hits},
                                                {"abs_max", Quantity::AbsMax}}};

bool isOfRun(Quantity q) { return q == Quantity::Iteration || q == Quantity::Step || q == Quantity::Hits; }

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Result<NodePtr> whole() {
    WEFT_LET(NodePtr root, either());
    if (at_ < tokens_.size()) return expected("\"and\", \"or\" or the end");
    return root;
  }

 private:
  bool is(std::string_view text) const { return at_ < tokens_.size() && tokens_[at_].text == text; }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }
  Error expected(std::string_view what) const {
    if (at_ >= tokens_.size()) return invalidArgument("condition: it ends where ", what, " was expected");
    return invalidArgument("condition, column ", tokens_[at_].column, ": expected ", what, ", got \"", tokens_[at_].text, "\"");
  }
  static NodePtr join(ConditionNode::Kind kind, std::vector<NodePtr> parts) {
    if (parts.size() == 1) return parts[0];
    auto n = std::make_shared<ConditionNode>();
    n->kind = kind;
    n->parts = std::move(parts);
    return n;
  }
  Result<NodePtr> either() {
    std::vector<NodePtr> parts;
    do {
      WEFT_LET(NodePtr part, both());
      parts.push_back(std::move(part));
    } while (take("or") || take("||"));
    return join(ConditionNode::Kind::Or, std::move(parts));
  }
  Result<NodePtr> both() {
    std::vector<NodePtr> parts;
    do {
      WEFT_LET(NodePtr part, one());
      parts.push_back(std::move(part));
    } while (take("and") || take("&&"));
    return join(ConditionNode::Kind::And, std::move(parts));
  }
  Result<NodePtr> one() {
    if (take("not") || take("!")) {
      WEFT_LET(NodePtr part, one());
      auto n = std::make_shared<ConditionNode>();
      n->kind = ConditionNode::Kind::Not;
      n->parts.push_back(std::move(part));
      return NodePtr(n);
    }
    if (take("(")) {
      WEFT_LET(NodePtr inner, either());
      if (!take(")")) return expected("\")\"");
      return inner;
    }
    if (take("has")) return has();
    if (take("shape")) {
      if (!take("changed")) return expected("\"changed\"");
      return compare(Quantity::ShapeChanged, {}, "!=", 0);
    }
    return comparison();
  }
  static NodePtr compare(Quantity quantity, std::string tensor, std::string comparison, double number) {
    auto n = std::make_shared<ConditionNode>();
    n->quantity = quantity;
    n->tensor = std::move(tensor);
    n->comparison = std::move(comparison);
    n->number = number;
    return n;
  }
  /// "(name)" or nothing.
  Result<std::string> of() {
    if (!take("(")) return std::string();
    if (at_ >= tokens_.size() || !tokens_[at_].isWord) return expected("the name of a tensor");
    std::string name = tokens_[at_++].text;
    if (!take(")")) return expected("\")\"");
    return name;
  }
  Result<NodePtr> has() {
    const bool nan = take("nan") || take("NaN"), inf = !nan && (take("inf") || take("Inf"));
    if (!nan && !inf && !take("non-finite")) return expected("\"nan\", \"inf\" or \"non-finite\"");
    WEFT_LET(const std::string tensor, of());
    const NodePtr nans = compare(Quantity::NanCount, tensor, ">", 0), infs = compare(Quantity::InfCount, tensor, ">", 0);
    return nan ? nans : inf ? infs : join(ConditionNode::Kind::Or, {nans, infs});
  }
  Result<NodePtr> comparison() {
    if (at_ >= tokens_.size() || !tokens_[at_].isWord) return expected("a quantity such as \"max\" or \"has nan\"");
    std::string word = tokens_[at_].text;
    Quantity quantity = Quantity::Value;
    std::string tensor;
    if (word == "abs" && at_ + 1 < tokens_.size() && tokens_[at_ + 1].text == "max") {
      at_ += 2;
      quantity = Quantity::AbsMax;
      WEFT_LET(tensor, of());
    } else if (const auto named = quantityNamed(word)) {
      ++at_;
      quantity = *named;
      if (!isOfRun(quantity)) {
        WEFT_LET(tensor, of());
      }
    } else if (word.find(':') != std::string::npos || word.find('/') != std::string::npos) {
      ++at_;
      tensor = word;
    } else {
      return expected("a quantity (min, max, abs max, mean, std, sum, norm, zeros, nans, infs, value, iteration, step …) or the name of a tensor");
    }
    static constexpr std::array<std::string_view, 7> kComparisons = {"==", "!=", "<=", ">=", "<", ">", "="};
    if (at_ >= tokens_.size() || std::find(kComparisons.begin(), kComparisons.end(), tokens_[at_].text) == kComparisons.end())
      return expected("a comparison (==, !=, <, <=, >, >=)");
    std::string sign = tokens_[at_++].text;
    if (sign == "=") sign = "==";
    if (at_ >= tokens_.size()) return expected("a number");
    const std::string& text = tokens_[at_].text;
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (!tokens_[at_].isWord || end != text.c_str() + text.size()) return expected("a number");
    ++at_;
    return compare(quantity, std::move(tensor), std::move(sign), number);
  }

  std::vector<Token> tokens_;
  size_t at_ = 0;
};

bool compares(double a, const std::string& sign, double b) {
  if (sign == "==") return a == b;
  if (sign == "!=") return a != b;
  if (sign == "<") return a < b;
  if (sign == "<=") return a <= b;
  return sign == ">" ? a > b : a >= b;
}

bool evaluate(const ConditionNode& n, ConditionScope& scope) {
  switch (n.kind) {
    case ConditionNode::Kind::And: return std::all_of(n.parts.begin(), n.parts.end(), [&](const NodePtr& p) { return evaluate(*p, scope); });
    case ConditionNode::Kind::Or: return std::any_of(n.parts.begin(), n.parts.end(), [&](const NodePtr& p) { return evaluate(*p, scope); });
    case ConditionNode::Kind::Not: return !evaluate(*n.parts[0], scope);
    case ConditionNode::Kind::Compare: {
      const auto value = scope.value(n.quantity, n.tensor);
      return value && compares(*value, n.comparison, n.number);
    }
  }
  return false;
}

/// Whether the condition can be true (first) and can be false (second) when only the step is known.
std::pair<bool, bool> outcomes(const ConditionNode& n, int64_t step) {
  switch (n.kind) {
    case ConditionNode::Kind::Compare: {
      if (n.quantity != Quantity::Step) return {true, true};
      const bool holds = compares(double(step), n.comparison, n.number);
      return {holds, !holds};
    }
    case ConditionNode::Kind::Not: {
      const auto o = outcomes(*n.parts[0], step);
      return {o.second, o.first};
    }
    default: break;
  }
  const bool all = n.kind == ConditionNode::Kind::And;
  std::pair<bool, bool> out{all, !all};
  for (const NodePtr& p : n.parts) {
    const auto o = outcomes(*p, step);
    out.first = all ? out.first && o.first : out.first || o.first;
    out.second = all ? out.second || o.second : out.second && o.second;
  }
  return out;
}

bool asksForValues(const ConditionNode& n) {
  if (n.kind == ConditionNode::Kind::Compare) return !isOfRun(n.quantity) && n.tensor.empty();
  return std::any_of(n.parts.begin(), n.parts.end(), [](const NodePtr& p) { return asksForValues(*p); });
}

}  // namespace

std::optional<Quantity> quantityNamed(const std::string& words) {
  for (const Named& n : kQuantities)
    if (words == n.name) return n.quantity;
  return std::nullopt;
}

std::optional<double> quantityOf(Quantity quantity, const Tensor& tensor, const TensorStatistics& s) {
  switch (quantity) {
    case Quantity::NanCount: return double(s.nans);
    case Quantity::InfCount: return double(s.infinities());
    case Quantity::Elements: return double(s.elements);
    case Quantity::Rank: return double(tensor.rank());
    case Quantity::Bytes: return double(s.bytes);
    default: break;
  }
  if (!s.isNumeric || s.elements == 0) return std::nullopt;
  switch (quantity) {
    case Quantity::Value: return tensor.asDouble(0);
    case Quantity::Zeros: return double(s.zeros);
    case Quantity::Negatives: return double(s.negatives);
    default: break;
  }
  if (s.finite() == 0) return std::nullopt;
  switch (quantity) {
    case Quantity::Min: return s.min;
    case Quantity::Max: return s.max;
    case Quantity::AbsMax: return s.absMax();
    case Quantity::Mean: return s.mean;
    case Quantity::Std: return s.std;
    case Quantity::Sum: return s.sum;
    case Quantity::Norm: return s.norm;
    default: return std::nullopt;
  }
}

Result<Condition> Condition::parse(const std::string& text) {
  WEFT_LET(std::vector<Token> list, tokens(text));
  Condition c;
  if (list.empty()) return c;
  WEFT_LET(c.root_, Parser(std::move(list)).whole());
  return c;
}

bool Condition::holds(ConditionScope& scope) const { return !root_ || evaluate(*root_, scope); }
bool Condition::possibleInStep(int64_t step) const { return !root_ || outcomes(*root_, step).first; }
bool Condition::needsValues() const { return root_ && asksForValues(*root_); }

}  // namespace weft
