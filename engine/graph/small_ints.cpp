#include "graph/small_ints.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace weft {
namespace {

using Number = std::optional<int64_t>;

constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();

// INT64_MIN / -1 overflows and traps.
bool divides(int64_t a, int64_t b) { return b != 0 && !(a == kLowest && b == -1); }

int64_t floorDiv(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? q - 1 : q;
}

Number subtract(int64_t a, int64_t b) {
  int64_t r = 0;
  return __builtin_sub_overflow(a, b, &r) ? std::nullopt : Number(r);
}
Number multiply(int64_t a, int64_t b) {
  int64_t r = 0;
  return __builtin_mul_overflow(a, b, &r) ? std::nullopt : Number(r);
}
Number quotient(int64_t a, int64_t b) { return divides(a, b) ? Number(a / b) : std::nullopt; }
Number greatest(int64_t a, int64_t b) { return std::max(a, b); }
Number least(int64_t a, int64_t b) { return std::min(a, b); }
Number bothAreTrue(int64_t a, int64_t b) { return a && b; }
Number eitherIsTrue(int64_t a, int64_t b) { return a || b; }

}  // namespace

std::optional<int64_t> smallSum(int64_t a, int64_t b) {
  int64_t r = 0;
  return __builtin_add_overflow(a, b, &r) ? std::nullopt : Number(r);
}

std::optional<SmallInts> SmallInts::of(const Tensor& t) {
  if (!t.hasValue() || !holds(t.dtype())) return std::nullopt;
  const int64_t n = t.elements();
  if (n < 0 || n > kMostElements || (n > 0 && !t.raw())) return std::nullopt;
  std::vector<int64_t> values;
  values.reserve(size_t(n));
  for (int64_t i = 0; i < n; ++i) values.push_back(t.asInt(i));
  return SmallInts(std::move(values), t.shape());
}

std::optional<SmallInts> SmallInts::make(std::vector<int64_t> values, Shape shape) {
  if (values.size() > size_t(kMostElements) || shape.elements() != int64_t(values.size())) return std::nullopt;
  return SmallInts(std::move(values), std::move(shape));
}

std::optional<int64_t> SmallInts::at(int64_t i) const { return i >= 0 && i < size() ? Number(values_[size_t(i)]) : std::nullopt; }

bool SmallInts::contains(int64_t value) const { return std::find(begin(), end(), value) != end(); }

std::optional<Tensor> SmallInts::tensor(DType type) const {
  switch (type) {
    case DType::Int32: return Tensor::of<int32_t>({begin(), end()}, shape_);
    case DType::Int64: return Tensor::of<int64_t>(values_, shape_);
    case DType::Bool: {
      Tensor t = Tensor::zeros(type, shape_);
      std::transform(begin(), end(), t.mutableData<bool>(), [](int64_t v) { return v != 0; });
      return t;
    }
    default: return std::nullopt;
  }
}

const SmallOp* smallOp(std::string_view name) {
  static constexpr SmallOp kOps[] = {
      {"Add", smallSum},
      {"AddV2", smallSum},
      {"Sub", subtract},
      {"Mul", multiply},
      {"Maximum", greatest},
      {"Minimum", least},
      {"FloorDiv", [](int64_t a, int64_t b) { return divides(a, b) ? Number(floorDiv(a, b)) : std::nullopt; }},
      {"Div", quotient},
      {"TruncateDiv", quotient},
      {"FloorMod", [](int64_t a, int64_t b) { return divides(a, b) ? Number(a - floorDiv(a, b) * b) : std::nullopt; }},
      {"Equal", [](int64_t a, int64_t b) { return Number(a == b); }},
      {"NotEqual", [](int64_t a, int64_t b) { return Number(a != b); }},
      {"Less", [](int64_t a, int64_t b) { return Number(a < b); }},
      {"LessEqual", [](int64_t a, int64_t b) { return Number(a <= b); }},
      {"Greater", [](int64_t a, int64_t b) { return Number(a > b); }},
      {"GreaterEqual", [](int64_t a, int64_t b) { return Number(a >= b); }},
      {"LogicalAnd", bothAreTrue},
      {"LogicalOr", eitherIsTrue},
      {"Neg", nullptr, [](int64_t v) { return subtract(0, v); }},
      {"Abs", nullptr, [](int64_t v) { return v < 0 ? subtract(0, v) : Number(v); }},
      {"LogicalNot", nullptr, [](int64_t v) { return Number(!v); }},
      {"OnesLike", nullptr, [](int64_t) { return Number(1); }},
      {"ZerosLike", nullptr, [](int64_t) { return Number(0); }},
      {"Prod", nullptr, nullptr, multiply, 1},
      {"Sum", nullptr, nullptr, smallSum, 0},
      {"Max", nullptr, nullptr, greatest},
      {"Min", nullptr, nullptr, least},
      {"All", nullptr, nullptr, bothAreTrue, 1},
      {"Any", nullptr, nullptr, eitherIsTrue, 0},
  };
  const auto it = std::find_if(std::begin(kOps), std::end(kOps), [&](const SmallOp& op) { return op.name == name; });
  return it == std::end(kOps) ? nullptr : it;
}

std::optional<SmallInts> applied(SmallBinary f, const SmallInts& a, const SmallInts& b) {
  const bool same = a.shape() == b.shape();
  // A single element is broadcast; the result has the shape of higher rank.
  if (!same && a.size() != 1 && b.size() != 1) return std::nullopt;
  if (!same && a.size() != 1 && b.rank() > a.rank()) return std::nullopt;
  if (!same && b.size() != 1 && a.rank() > b.rank()) return std::nullopt;
  const bool likeA = same || (a.size() == 1 && b.size() == 1 ? a.rank() >= b.rank() : b.size() == 1);
  const SmallInts& form = likeA ? a : b;
  std::vector<int64_t> out;
  for (int64_t i = 0; i < form.size(); ++i) {
    const Number x = a.spread(i), y = b.spread(i), r = x && y ? f(*x, *y) : std::nullopt;
    if (!r) return std::nullopt;
    out.push_back(*r);
  }
  return SmallInts::make(std::move(out), form.shape());
}

std::optional<SmallInts> applied(SmallUnary f, const SmallInts& a) {
  std::vector<int64_t> out;
  for (const int64_t v : a) {
    const Number r = f(v);
    if (!r) return std::nullopt;
    out.push_back(*r);
  }
  return SmallInts::make(std::move(out), a.shape());
}

std::optional<SmallInts> reduced(const SmallOp& op, const SmallInts& a, const SmallInts& axes, bool keepsDims) {
  if (a.rank() > 1) return std::nullopt;
  if (a.rank() == 0 || axes.size() == 0) return a;
  Number r = op.start ? op.start : a.at(0);
  for (const int64_t v : a) {
    if (!r) return std::nullopt;
    r = op.reduction(*r, v);
  }
  return r ? SmallInts::make({*r}, keepsDims ? Shape{1} : Shape{}) : std::nullopt;
}

std::optional<SmallInts> rangeOf(const SmallInts& start, const SmallInts& limit, const SmallInts& delta) {
  const Number from = start.only(), to = limit.only(), by = delta.only();
  if (!from || !to || !by || *by == 0) return std::nullopt;
  std::vector<int64_t> out;
  for (Number i = from; *by > 0 ? *i < *to : *i > *to;) {
    if (int64_t(out.size()) >= SmallInts::kMostElements) return std::nullopt;
    out.push_back(*i);
    i = smallSum(*i, *by);
    if (!i) break;  // beyond any limit
  }
  return SmallInts::vector(std::move(out));
}

std::optional<SmallInts> sliced(const SmallInts& from, const SmallInts& begin, const SmallInts& size) {
  const Number b = begin.only(), wanted = size.only();
  if (from.rank() != 1 || !b || !wanted || *b < 0 || *b > from.size()) return std::nullopt;
  const int64_t n = *wanted < 0 ? from.size() - *b : *wanted;
  if (n > from.size() - *b) return std::nullopt;
  return SmallInts::vector({from.begin() + *b, from.begin() + *b + n});
}

std::optional<SmallInts> inverse(const SmallInts& permutation) {
  std::vector<int64_t> out(size_t(permutation.size()), -1);
  int64_t i = 0;
  for (const int64_t to : permutation) {
    if (to < 0 || to >= permutation.size() || out[size_t(to)] >= 0) return std::nullopt;
    out[size_t(to)] = i++;
  }
  return SmallInts::make(std::move(out), permutation.shape());
}

}  // namespace weft
