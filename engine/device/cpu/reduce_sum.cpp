#include "device/cpu/reduce_driver.h"

// Sums and means.
namespace weft::cpu {
namespace {

template <typename T>
using Wrapping = std::make_unsigned_t<std::conditional_t<(sizeof(T) < 4), int, T>>;

template <typename T>
struct SumOf {
  using In = T;
  using Acc = Compute<T>;
  static constexpr bool kHasHot = std::is_same_v<T, float>;
  static constexpr bool kFinishes = false;
  static const HotReduction* hot() { return &hotTable().sum; }
  static Acc start() { return Acc(0); }
  static Acc lift(T x) { return Acc(x); }
  static Acc join(Acc a, Acc b) {
    if constexpr (std::is_integral_v<T>) return Acc(Wrapping<T>(a) + Wrapping<T>(b));
    else return a + b;
  }
  static T done(Acc a, int64_t) { return T(a); }
  static T row(const T* x, int64_t n) requires kHasIntegerTable<T> { return integersOf<T>().sum.row(x, n); }
  static void columns(const T* x, int64_t rows, int64_t columns, int64_t stride, T* out) requires kHasIntegerTable<T> {
    integersOf<T>().sum.columns(x, rows, columns, stride, out);
  }
};

template <typename T>
struct MeanOf : SumOf<T> {
  using typename SumOf<T>::Acc;
  static constexpr bool kFinishes = true;
  static T done(Acc a, int64_t n) {
    if constexpr (std::is_integral_v<T>) {
      // The count wraps in the element type, as the sum does.
      return T(n) == T(0) ? T(0) : T(a / T(n));
    } else {
      return T(a / Acc(n));
    }
  }
};

}  // namespace

ReduceFunction findSum(Reduction kind, DType dtype) {
  ReduceFunction f = nullptr;
  withNumber(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    f = kind == Reduction::Sum ? Reducer<SumOf<T>>::run : Reducer<MeanOf<T>>::run;
  });
  return f;
}

}  // namespace weft::cpu
