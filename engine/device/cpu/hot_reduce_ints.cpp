#include "device/cpu/hot_reduce_ints.h"

// Reductions of integers. Compiled once per instruction set, with the restrictions of hot_nn.cpp.
namespace weft::cpu::WEFT_ISA_NAME {
namespace {

struct IntSum {
  static constexpr int start = 0;
  template <typename V>
  static V join(V a, V b) {
    return a + b;
  }
};
struct IntProd {
  static constexpr int start = 1;
  template <typename V>
  static V join(V a, V b) {
    return a * b;
  }
};
struct IntMax {
  static constexpr int start = 2;
  template <typename V>
  static V join(V a, V b) {
    return a < b ? b : a;
  }
};
struct IntMin {
  static constexpr int start = 3;
  template <typename V>
  static V join(V a, V b) {
    return b < a ? b : a;
  }
};

template <typename T, typename R>
constexpr T startOf() {
  constexpr T lowest = T(uint64_t(1) << (8 * sizeof(T) - 1));
  return R::start == 0 ? T(0) : R::start == 1 ? T(1) : R::start == 2 ? lowest : T(~lowest);
}

/// U: the type to compute with, which is unsigned where results wrap.
template <typename T, typename U, typename R>
T rowOfInts(const T* x, long n) {
  typedef U Vector __attribute__((vector_size(64)));
  constexpr long kWidth = long(64 / sizeof(U));
  const auto load = [&](long i) {
    Vector v;
    __builtin_memcpy(&v, x + i, sizeof v);
    return v;
  };
  const U start = U(startOf<T, R>());
  U result = start;
  long i = 0;
  if (n >= 2 * kWidth) {
    Vector a = Vector{} + start, b = a, c = a, d = a;
    for (; i + 4 * kWidth <= n; i += 4 * kWidth) {
      a = R::join(a, load(i));
      b = R::join(b, load(i + kWidth));
      c = R::join(c, load(i + 2 * kWidth));
      d = R::join(d, load(i + 3 * kWidth));
    }
    for (; i + kWidth <= n; i += kWidth) a = R::join(a, load(i));
    a = R::join(R::join(a, b), R::join(c, d));
    for (long k = 0; k < kWidth; ++k) result = R::join(result, U(a[k]));
  }
  for (; i < n; ++i) result = R::join(result, U(x[i]));
  return T(result);
}

template <typename T, typename U, typename R>
void columnsOfInts(const T* x, long rows, long columns, long stride, T* out) {
  typedef U Vector __attribute__((vector_size(64)));
  constexpr long kWidth = long(64 / sizeof(U));
  const U start = U(startOf<T, R>());
  long j = 0;
  const auto strip = [&]<int width>() {
    Vector total[width];
    for (int w = 0; w < width; ++w) total[w] = Vector{} + start;
    for (long r = 0; r < rows; ++r) {
      for (int w = 0; w < width; ++w) {
        Vector v;
        __builtin_memcpy(&v, x + r * stride + j + w * kWidth, sizeof v);
        total[w] = R::join(total[w], v);
      }
    }
    __builtin_memcpy(out + j, total, sizeof total);
  };
  for (; j + 4 * kWidth <= columns; j += 4 * kWidth) strip.template operator()<4>();
  for (; j + kWidth <= columns; j += kWidth) strip.template operator()<1>();
  for (; j < columns; ++j) {
    U total = start;
    for (long r = 0; r < rows; ++r) total = R::join(total, U(x[r * stride + j]));
    out[j] = T(total);
  }
}

template <typename T, typename U>
constexpr IntegerReductions<T> integerReductions() {
  return {{rowOfInts<T, U, IntSum>, columnsOfInts<T, U, IntSum>},
          {rowOfInts<T, U, IntProd>, columnsOfInts<T, U, IntProd>},
          {rowOfInts<T, T, IntMax>, columnsOfInts<T, T, IntMax>},
          {rowOfInts<T, T, IntMin>, columnsOfInts<T, T, IntMin>}};
}

}  // namespace

extern const IntegerKernels kIntegerKernels;
const IntegerKernels kIntegerKernels = {integerReductions<int32_t, uint32_t>(), integerReductions<int64_t, uint64_t>()};

}  // namespace weft::cpu::WEFT_ISA_NAME
