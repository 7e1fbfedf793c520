#include "expressions/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <limits>

namespace weft::expressions {
namespace {

constexpr size_t kLongestList = 10'000;
constexpr double kWholeFrom = -0x1p63, kWholeBelow = 0x1p63;

using Value = ExpressionValue;
using List = ExpressionValue::List;

const int64_t* whole(const Value& v) { return std::get_if<int64_t>(&v.value); }
bool isNumber(const Value& v) { return std::holds_alternative<int64_t>(v.value) || std::holds_alternative<double>(v.value); }
double real(const Value& v) {
  if (const int64_t* n = whole(v)) return double(*n);
  return std::get<double>(v.value);
}

Error tooLarge(const std::string& what) { return outOfRange(what, " is out of range: whole numbers have 64 bits"); }

Result<Value> finite(double result, const std::string& what) {
  if (std::isnan(result)) return outOfRange(what, " is not a number");
  if (std::isinf(result)) return outOfRange(what, " is infinite, expected a finite number");
  return Value{result};
}

/// a compared with b, exactly also between whole and real numbers.
std::partial_ordering ordered(const Value& a, const Value& b) {
  const int64_t *m = whole(a), *n = whole(b);
  if (m && n) return *m <=> *n;
  if (!m && !n) return real(a) <=> real(b);
  const double r = m ? real(b) : real(a);
  const int64_t w = m ? *m : *n;
  std::partial_ordering order = std::partial_ordering::equivalent;
  if (r >= kWholeBelow) order = std::partial_ordering::less;
  else if (r < kWholeFrom) order = std::partial_ordering::greater;
  else if (const int64_t below = int64_t(std::floor(r)); w != below) order = w <=> below;
  else if (double(below) != r) order = std::partial_ordering::less;
  return m ? order : 0 <=> order;
}

bool sameValue(const Value& a, const Value& b) {
  if (isNumber(a) && isNumber(b)) return ordered(a, b) == std::partial_ordering::equivalent;
  if (a.value.index() != b.value.index()) return false;
  if (const List* left = std::get_if<List>(&a.value)) {
    const List& right = std::get<List>(b.value);
    return std::equal(left->begin(), left->end(), right.begin(), right.end(), sameValue);
  }
  if (const bool* left = std::get_if<bool>(&a.value)) return *left == std::get<bool>(b.value);
  if (const std::string* left = std::get_if<std::string>(&a.value)) return *left == std::get<std::string>(b.value);
  return true;
}

Result<Value> wholePower(int64_t base, int64_t exponent, const std::string& what) {
  int64_t result = 1;
  for (uint64_t e = uint64_t(exponent);;) {
    if (e & 1)
      if (__builtin_mul_overflow(result, base, &result)) return tooLarge(what);
    e >>= 1;
    if (e == 0) return Value{result};
    if (__builtin_mul_overflow(base, base, &base)) return tooLarge(what);
  }
}

Result<Value> combineWhole(Op op, int64_t a, int64_t b, const std::string& what) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  int64_t result = 0;
  switch (op) {
    case Op::Add: return __builtin_add_overflow(a, b, &result) ? Result<Value>(tooLarge(what)) : Value{result};
    case Op::Subtract: return __builtin_sub_overflow(a, b, &result) ? Result<Value>(tooLarge(what)) : Value{result};
    case Op::Multiply: return __builtin_mul_overflow(a, b, &result) ? Result<Value>(tooLarge(what)) : Value{result};
    case Op::Divide:
    case Op::FloorDivide:
    case Op::Modulo: {
      if (b == 0) return outOfRange(what, " is a division by zero");
      if (a == kLeast && b == -1) return op == Op::Modulo ? Result<Value>(Value{int64_t(0)}) : tooLarge(what);
      const int64_t rest = a % b;
      if (op == Op::Divide) return rest == 0 ? Value{a / b} : Value{double(a) / double(b)};
      const bool down = rest != 0 && (rest < 0) != (b < 0);  // as Python: the rest has the sign of b
      return Value{op == Op::Modulo ? rest + (down ? b : 0) : a / b - (down ? 1 : 0)};
    }
    default: break;
  }
  if (b >= 0) return wholePower(a, b, what);
  if (a == 0) return outOfRange(what, " is a division by zero");
  return finite(std::pow(double(a), double(b)), what);
}

/// As Python: by the exact rest, since a / b may be rounded up to the next whole number (1 // 0.1 is 9).
double floorQuotient(double a, double b) {
  const double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, a / b);
  const double below = std::floor(quotient);
  return quotient - below > 0.5 ? below + 1 : below;
}

Result<Value> combineReal(Op op, double a, double b, const std::string& what) {
  if ((op == Op::Divide || op == Op::FloorDivide || op == Op::Modulo) && b == 0) return outOfRange(what, " is a division by zero");
  switch (op) {
    case Op::Add: return finite(a + b, what);
    case Op::Subtract: return finite(a - b, what);
    case Op::Multiply: return finite(a * b, what);
    case Op::Divide: return finite(a / b, what);
    case Op::FloorDivide: return finite(floorQuotient(a, b), what);
    case Op::Modulo: {
      const double rest = std::fmod(a, b);
      return finite(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest, what);
    }
    default: return finite(std::pow(a, b), what);
  }
}

bool isComparison(Op op) { return op >= Op::Less; }

/// A real number as a whole one. REQUIRES: it is one already, as after rounding.
Result<Value> asWhole(double v, const std::string& what) {
  if (!(v >= kWholeFrom && v < kWholeBelow)) return tooLarge(what);
  return Value{int64_t(v)};
}

std::string callText(std::string_view name, const std::vector<Value>& arguments) {
  std::string out(name);
  for (size_t i = 0; i < arguments.size(); ++i) out += (i ? ", " : "(") + arguments[i].toString();
  return out + ")";
}

using Function = Result<Value> (*)(const std::vector<Value>&, const std::string& what);

template <double (*F)(double)>
Result<Value> realFunction(const std::vector<Value>& a, const std::string& what) {
  return finite(F(real(a[0])), what);
}
template <double (*F)(double)>
Result<Value> roundingFunction(const std::vector<Value>& a, const std::string& what) {
  return whole(a[0]) ? Result<Value>(a[0]) : asWhole(F(real(a[0])), what);
}

template <bool kLeast>
Result<Value> extreme(const std::vector<Value>& a, const std::string&) {
  const Value* best = &a[0];
  for (const Value& v : a)
    if (kLeast ? ordered(v, *best) == std::partial_ordering::less : ordered(v, *best) == std::partial_ordering::greater) best = &v;
  return *best;
}

template <Op kOp>
Result<Value> folded(const std::vector<Value>& a, const std::string&) {
  Value total{int64_t(kOp == Op::Add ? 0 : 1)};
  for (const Value& v : a) {
    WEFT_LET(total, combine(kOp, total, v));
  }
  return total;
}

double toEven(double v) { return std::nearbyint(v); }

struct FunctionRecord {
  const char *name, *usage;
  bool many;  ///< Takes any number of values, or one list. Else one number.
  Function call;
};

constexpr FunctionRecord kFunctions[] = {
    {"min", "min(a, b, …)", true, extreme<true>},
    {"max", "max(a, b, …)", true, extreme<false>},
    {"sum", "sum(list)", true, folded<Op::Add>},
    {"prod", "prod(list)", true, folded<Op::Multiply>},
    {"round", "round(x)", false, roundingFunction<toEven>},
    {"floor", "floor(x)", false, roundingFunction<std::floor>},
    {"ceil", "ceil(x)", false, roundingFunction<std::ceil>},
    {"int", "int(x)", false, roundingFunction<std::trunc>},
    {"abs", "abs(x)", false,
     [](const std::vector<Value>& a, const std::string& what) -> Result<Value> {
       if (!whole(a[0])) return Value{std::abs(real(a[0]))};
       if (*whole(a[0]) == std::numeric_limits<int64_t>::min()) return tooLarge(what);
       return Value{std::abs(*whole(a[0]))};
     }},
    {"sqrt", "sqrt(x)", false, realFunction<std::sqrt>},
    {"exp", "exp(x)", false, realFunction<std::exp>},
    {"log", "log(x)", false, realFunction<std::log>},
    {"log2", "log2(x)", false, realFunction<std::log2>},
    {"log10", "log10(x)", false, realFunction<std::log10>},
    {"len", "len(list)", true, [](const std::vector<Value>& a, const std::string&) -> Result<Value> { return Value{int64_t(a.size())}; }},
};

}  // namespace

std::string_view symbolOf(Op op) {
  constexpr std::string_view kSymbols[] = {"+", "-", "*", "/", "//", "%", "**", "<", "<=", ">", ">=", "==", "!="};
  return kSymbols[size_t(op)];
}

std::string_view kindOf(const ExpressionValue& value) {
  constexpr std::string_view kKinds[] = {"an unknown dimension", "a truth value", "a whole number", "a number", "a word", "a list"};
  return kKinds[value.value.index()];
}

Result<ExpressionValue> combine(Op op, const ExpressionValue& a, const ExpressionValue& b) {
  const auto what = [&] { return concat(a.toString(), " ", symbolOf(op), " ", b.toString()); };
  if (op == Op::Equal || op == Op::NotEqual) return Value{sameValue(a, b) == (op == Op::Equal)};
  if (!isNumber(a) || !isNumber(b)) {
    const List *left = std::get_if<List>(&a.value), *right = std::get_if<List>(&b.value);
    if (op == Op::Add && left && right) {
      if (left->size() + right->size() > kLongestList) return outOfRange("a list has more than ", kLongestList, " elements");
      List all = *left;
      all.insert(all.end(), right->begin(), right->end());
      return Value{std::move(all)};
    }
    const Value& bad = isNumber(a) ? b : a;
    return invalidArgument(what(), ": ", bad.toString(), " is ", kindOf(bad), ", expected a number");
  }
  if (isComparison(op)) {
    const std::partial_ordering order = ordered(a, b);
    return Value{op == Op::Less ? order < 0 : op == Op::LessEqual ? order <= 0 : op == Op::Greater ? order > 0 : order >= 0};
  }
  const int64_t *m = whole(a), *n = whole(b);
  return m && n ? combineWhole(op, *m, *n, what()) : combineReal(op, real(a), real(b), what());
}

Result<ExpressionValue> applyUnary(Unary op, const ExpressionValue& a) {
  if (op == Unary::Not) {
    WEFT_LET(const bool truth, truthOf(a, "not"));
    return Value{!truth};
  }
  if (!isNumber(a)) return invalidArgument(a.toString(), " is ", kindOf(a), ", expected a number");
  if (op == Unary::Plus) return a;
  if (!whole(a)) return Value{-real(a)};
  if (*whole(a) == std::numeric_limits<int64_t>::min()) return tooLarge("-" + a.toString());
  return Value{-*whole(a)};
}

Result<ExpressionValue> elementAt(const ExpressionValue& list, const ExpressionValue& index) {
  const List* all = std::get_if<List>(&list.value);
  if (!all) return invalidArgument(list.toString(), " is ", kindOf(list), ", expected a list");
  const int64_t* at = whole(index);
  if (!at) return invalidArgument("the place ", index.toString(), " in a list is ", kindOf(index), ", expected a whole number");
  const int64_t size = int64_t(all->size()), from = *at < 0 ? *at + size : *at;
  if (from < 0 || from >= size) return outOfRange(list.toString(), " has no element ", *at, ": it has ", size);
  return (*all)[size_t(from)];
}

Result<ExpressionValue> callFunction(int function, const std::vector<ExpressionValue>& given) {
  const FunctionRecord& f = kFunctions[function];
  const List* list = f.many && given.size() == 1 ? std::get_if<List>(&given[0].value) : nullptr;
  const std::string_view name = f.name;
  const bool ofList = name == "len" || name == "sum" || name == "prod";
  if ((ofList && !list) || (!f.many && given.size() != 1) || given.empty()) return invalidArgument(callText(name, given), ": expected ", f.usage);
  const std::vector<Value>& arguments = list ? *list : given;
  if (arguments.empty() && !ofList) return invalidArgument(callText(name, given), ": the list is empty");
  if (name != "len")
    for (const Value& v : arguments)
      if (!isNumber(v)) return invalidArgument(callText(name, given), ": ", v.toString(), " is ", kindOf(v), ", expected a number");
  return f.call(arguments, callText(name, given));
}

size_t elementsOf(const ExpressionValue& value) {
  const List* list = std::get_if<List>(&value.value);
  size_t count = list ? list->size() : 0;
  if (list)
    for (const Value& v : *list) count += elementsOf(v);
  return count;
}

namespace {
int depthOf(const Value& value) {
  int deepest = 0;
  if (const List* list = std::get_if<List>(&value.value))
    for (const Value& v : *list) deepest = std::max(deepest, depthOf(v));
  return deepest + (std::holds_alternative<List>(value.value) ? 1 : 0);
}
}  // namespace

Status checkList(const ExpressionValue& value) {
  if (elementsOf(value) > kLongestList) return outOfRange("a list has more than ", kLongestList, " elements, those of its lists included");
  if (depthOf(value) > kDeepestList) return outOfRange("a list has lists in it more than ", kDeepestList, " deep");
  return {};
}

Result<bool> truthOf(const ExpressionValue& value, std::string_view where) {
  if (const bool* truth = std::get_if<bool>(&value.value)) return *truth;
  return invalidArgument(where, " ", value.toString(), ": expected true or false, not ", kindOf(value));
}

}  // namespace weft::expressions

namespace weft {

const std::vector<std::pair<std::string, std::string>>& expressionFunctions() {
  static const std::vector<std::pair<std::string, std::string>> all = [] {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& f : expressions::kFunctions) out.emplace_back(f.name, f.usage);
    return out;
  }();
  return all;
}

}  // namespace weft
