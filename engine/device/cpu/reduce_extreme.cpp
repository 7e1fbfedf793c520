#include <cstring>

#include "device/cpu/reduce_driver.h"

// Maxima, minima, and logical all and any.
namespace weft::cpu {
namespace {

template <typename T, bool isMax>
struct ExtremeOf {
  using In = T;
  using Acc = Compute<T>;
  static constexpr bool kHasHot = std::is_same_v<T, float>;
  static constexpr bool kFinishes = false;
  static const HotReduction* hot() { return isMax ? &hotTable().max : &hotTable().min; }
  static Acc start() { return Acc(isMax ? lowestOf<T>() : highestOf<T>()); }
  static Acc lift(T x) { return Acc(x); }
  static Acc join(Acc a, Acc b) { return isMax ? (a < b ? b : a) : (b < a ? b : a); }
  static T done(Acc a, int64_t) { return T(a); }
  static T row(const T* x, int64_t n) requires kHasIntegerTable<T> { return (isMax ? integersOf<T>().max : integersOf<T>().min).row(x, n); }
  static void columns(const T* x, int64_t rows, int64_t columns, int64_t stride, T* out) requires kHasIntegerTable<T> {
    (isMax ? integersOf<T>().max : integersOf<T>().min).columns(x, rows, columns, stride, out);
  }
};

template <bool isAll>
struct TruthOf {
  using In = bool;
  using Acc = bool;
  static constexpr bool kHasHot = false;
  static constexpr bool kFinishes = false;
  static Acc start() { return isAll; }
  static Acc lift(bool x) { return x; }
  static Acc join(bool a, bool b) { return isAll ? (a & b) != 0 : (a | b) != 0; }
  static bool done(bool a, int64_t) { return a; }

  /// Whether the row has an element that decides: a false one for `all`, a true one for `any`.
  static bool row(const bool* x, int64_t n) { return (std::memchr(x, isAll ? 0 : 1, size_t(n)) != nullptr) != isAll; }
  static void columns(const bool* x, int64_t rows, int64_t columns, int64_t stride, bool* out) {
    // As bytes, which are 0 or 1.
    const uint8_t* from = reinterpret_cast<const uint8_t*>(x);
    uint8_t* to = reinterpret_cast<uint8_t*>(out);
    std::memset(to, isAll, size_t(columns));
    for (int64_t r = 0; r < rows; ++r, from += stride) {
      for (int64_t j = 0; j < columns; ++j) to[j] = isAll ? to[j] & from[j] : to[j] | from[j];
    }
  }
};

}  // namespace

ReduceFunction findExtreme(Reduction kind, DType dtype) {
  if (kind == Reduction::All) return Reducer<TruthOf<true>>::run;
  if (kind == Reduction::Any) return Reducer<TruthOf<false>>::run;
  ReduceFunction f = nullptr;
  withNumber(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!kIsComplex<T>) f = kind == Reduction::Max ? Reducer<ExtremeOf<T, true>>::run : Reducer<ExtremeOf<T, false>>::run;
  });
  return f;
}

}  // namespace weft::cpu
