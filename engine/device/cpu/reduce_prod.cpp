#include "device/cpu/reduce_driver.h"

// Products.
namespace weft::cpu {
namespace {

template <typename T>
using Wrapping = std::make_unsigned_t<std::conditional_t<(sizeof(T) < 4), int, T>>;

template <typename T>
struct ProdOf {
  using In = T;
  using Acc = Compute<T>;
  static constexpr bool kHasHot = std::is_same_v<T, float>;
  static constexpr bool kFinishes = false;
  static const HotReduction* hot() { return &hotTable().prod; }
  static Acc start() { return Acc(1); }
  static Acc lift(T x) { return Acc(x); }
  static Acc join(Acc a, Acc b) {
    if constexpr (std::is_integral_v<T>) return Acc(Wrapping<T>(a) * Wrapping<T>(b));
    else return a * b;
  }
  static T done(Acc a, int64_t) { return T(a); }
  static T row(const T* x, int64_t n) requires kHasIntegerTable<T> { return integersOf<T>().prod.row(x, n); }
  static void columns(const T* x, int64_t rows, int64_t columns, int64_t stride, T* out) requires kHasIntegerTable<T> {
    integersOf<T>().prod.columns(x, rows, columns, stride, out);
  }
};

}  // namespace

ReduceFunction findProd(DType dtype) {
  ReduceFunction f = nullptr;
  withNumber(dtype, [&](auto tag) { f = Reducer<ProdOf<typename decltype(tag)::type>>::run; });
  return f;
}

}  // namespace weft::cpu
