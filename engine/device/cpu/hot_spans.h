#pragma once

#include "device/cpu/hot_common.h"

// Loops of the element-wise hot files over spans whose elements are computed one by one; compilers vectorise them. Functions are structs with a static `of`.
namespace {

template <typename F, typename T, typename R>
void plainSpan(const void* const* in, const bool* scalar, void* out, long n) {
  const T* x = static_cast<const T*>(in[0]);
  R* y = static_cast<R*>(out);
  if (scalar[0]) {
    if (n <= 0) return;
    const R v = F::of(x[0]);
    for (long i = 0; i < n; ++i) y[i] = v;
    return;
  }
  WEFT_INDEPENDENT
  for (long i = 0; i < n; ++i) y[i] = F::of(x[i]);
}

/// Either number may be a scalar; `out` may be an input.
template <typename F, typename T, typename R>
void binarySpan(const void* const* in, const bool* scalar, void* out, long n) {
  const T* x = static_cast<const T*>(in[0]);
  const T* y = static_cast<const T*>(in[1]);
  R* z = static_cast<R*>(out);
  if (n <= 0) return;
  if (n == 1 || (scalar[0] && scalar[1])) {
    const R v = F::of(x[0], y[0]);
    for (long i = 0; i < n; ++i) z[i] = v;
  } else if (scalar[1]) {
    const T b = y[0];
    WEFT_INDEPENDENT
    for (long i = 0; i < n; ++i) z[i] = F::of(x[i], b);
  } else if (scalar[0]) {
    const T a = x[0];
    WEFT_INDEPENDENT
    for (long i = 0; i < n; ++i) z[i] = F::of(a, y[i]);
  } else {
    WEFT_INDEPENDENT
    for (long i = 0; i < n; ++i) z[i] = F::of(x[i], y[i]);
  }
}

#define WEFT_COMPARE(Name, expression)              \
  template <typename T>                             \
  struct Name {                                     \
    static bool of(T x, T y) { return expression; } \
  };
WEFT_COMPARE(EqualT, x == y)
WEFT_COMPARE(NotEqualT, x != y)
WEFT_COMPARE(LessT, x < y)
WEFT_COMPARE(LessEqualT, x <= y)
WEFT_COMPARE(GreaterT, x > y)
WEFT_COMPARE(GreaterEqualT, x >= y)

#define WEFT_BINARY(Name, expression)            \
  template <typename T>                          \
  struct Name {                                  \
    static T of(T x, T y) { return expression; } \
  };
// Integers are computed as unsigned, where wrapping is defined; small ones would be promoted to int.
template <typename T>
struct Wide {
  typedef T Type;
};
template <>
struct Wide<unsigned char> {
  typedef unsigned Type;
};
template <>
struct Wide<unsigned short> {
  typedef unsigned Type;
};
template <typename T>
inline T squareOf(T x) {
  return x * x;
}
WEFT_BINARY(AddT, T(x + y))
WEFT_BINARY(SubT, T(x - y))
WEFT_BINARY(MulT, T(typename Wide<T>::Type(x) * typename Wide<T>::Type(y)))
WEFT_BINARY(SquaredDifferenceT, T(squareOf(typename Wide<T>::Type(x) - typename Wide<T>::Type(y))))
WEFT_BINARY(MaxT, x < y ? y : x)
WEFT_BINARY(MinT, y < x ? y : x)

#define WEFT_ARITHMETIC(type, T, cost)                                                                                      \
  {"Add", type, false, 2, cost, binarySpan<AddT<T>, T, T>}, {"AddV2", type, false, 2, cost, binarySpan<AddT<T>, T, T>},     \
      {"Sub", type, false, 2, cost, binarySpan<SubT<T>, T, T>}, {"Mul", type, false, 2, cost, binarySpan<MulT<T>, T, T>}, { \
    "SquaredDifference", type, false, 2, cost, binarySpan<SquaredDifferenceT<T>, T, T>                                      \
  }

#define WEFT_COMPARISONS(type, T, cost)                                                                                                     \
  {"Equal", type, true, 2, cost, binarySpan<EqualT<T>, T, bool>}, {"NotEqual", type, true, 2, cost, binarySpan<NotEqualT<T>, T, bool>},     \
      {"Less", type, true, 2, cost, binarySpan<LessT<T>, T, bool>}, {"LessEqual", type, true, 2, cost, binarySpan<LessEqualT<T>, T, bool>}, \
      {"Greater", type, true, 2, cost, binarySpan<GreaterT<T>, T, bool>}, {                                                                 \
    "GreaterEqual", type, true, 2, cost, binarySpan<GreaterEqualT<T>, T, bool>                                                              \
  }

#define WEFT_ORDER(type, T, cost) \
  {"Maximum", type, false, 2, cost, binarySpan<MaxT<T>, T, T>}, {"Minimum", type, false, 2, cost, binarySpan<MinT<T>, T, T>}, WEFT_COMPARISONS(type, T, cost)

}  // namespace
