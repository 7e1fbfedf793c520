#pragma once

#include "device/cpu/hot_spans.h"

// The C library's vector functions (libmvec) and loops over spans that call them; included once per instruction set.
namespace weft::cpu::WEFT_ISA_NAME {

// Spans of hot_gamma.cpp.
void digammaFloat(const void* const* in, const bool* scalar, void* out, long n);
void digammaDouble(const void* const* in, const bool* scalar, void* out, long n);
void lgammaFloat(const void* const* in, const bool* scalar, void* out, long n);

}  // namespace weft::cpu::WEFT_ISA_NAME

namespace {

typedef float FloatVec __attribute__((vector_size(4 * kLanes)));
typedef double DoubleVec __attribute__((vector_size(4 * kLanes)));
typedef ei::packet_traits<double>::type DoublePacket;

// Names of the vector ABI: instruction set, number of lanes, one v per argument.
#if defined(__AVX512F__)
#define WEFT_FLOAT(name) WEFT_JOIN(_ZGVeN16v_, name)
#define WEFT_DOUBLE(name) WEFT_JOIN(_ZGVeN8v_, name)
#define WEFT_FLOAT2(name) WEFT_JOIN(_ZGVeN16vv_, name)
#define WEFT_DOUBLE2(name) WEFT_JOIN(_ZGVeN8vv_, name)
#elif defined(__AVX2__)
#define WEFT_FLOAT(name) WEFT_JOIN(_ZGVdN8v_, name)
#define WEFT_DOUBLE(name) WEFT_JOIN(_ZGVdN4v_, name)
#define WEFT_FLOAT2(name) WEFT_JOIN(_ZGVdN8vv_, name)
#define WEFT_DOUBLE2(name) WEFT_JOIN(_ZGVdN4vv_, name)
#else
#define WEFT_FLOAT(name) WEFT_JOIN(_ZGVbN4v_, name)
#define WEFT_DOUBLE(name) WEFT_JOIN(_ZGVbN2v_, name)
#define WEFT_FLOAT2(name) WEFT_JOIN(_ZGVbN4vv_, name)
#define WEFT_DOUBLE2(name) WEFT_JOIN(_ZGVbN2vv_, name)
#endif

inline FloatVec all(float x) { return FloatVec{} + x; }
inline DoubleVec all(double x) { return DoubleVec{} + x; }

/// F::of(vector) over a span; the last elements are computed in a padded vector.
template <typename F, typename T, typename V>
void mathSpan(const void* const* in, const bool* scalar, void* out, long n) {
  constexpr long kCount = long(sizeof(V) / sizeof(T));
  const T* x = static_cast<const T*>(in[0]);
  T* y = static_cast<T*>(out);
  if (n <= 0) return;
  V v;
  if (scalar[0]) {
    v = F::of(all(x[0]));
    for (long i = 0; i < n; ++i) y[i] = v[0];
    return;
  }
  long i = 0;
  for (; i + kCount <= n; i += kCount) {
    __builtin_memcpy(&v, x + i, sizeof(V));
    v = F::of(v);
    __builtin_memcpy(y + i, &v, sizeof(V));
  }
  if (i < n) {
    v = all(x[i]);
    __builtin_memcpy(&v, x + i, size_t(n - i) * sizeof(T));
    v = F::of(v);
    __builtin_memcpy(y + i, &v, size_t(n - i) * sizeof(T));
  }
}

template <typename F, typename T, typename V>
void mathSpan2(const void* const* in, const bool* scalar, void* out, long n) {
  constexpr long kCount = long(sizeof(V) / sizeof(T));
  const T* x = static_cast<const T*>(in[0]);
  const T* y = static_cast<const T*>(in[1]);
  T* z = static_cast<T*>(out);
  if (n <= 0) return;
  V a = all(x[0]), b = all(y[0]);
  if (scalar[0] && scalar[1]) {
    const V v = F::of(a, b);
    for (long i = 0; i < n; ++i) z[i] = v[0];
    return;
  }
  long i = 0;
  for (; i + kCount <= n; i += kCount) {
    if (!scalar[0]) __builtin_memcpy(&a, x + i, sizeof(V));
    if (!scalar[1]) __builtin_memcpy(&b, y + i, sizeof(V));
    const V v = F::of(a, b);
    __builtin_memcpy(z + i, &v, sizeof(V));
  }
  if (i < n) {
    const size_t rest = size_t(n - i) * sizeof(T);
    if (!scalar[0]) a = all(x[i]), __builtin_memcpy(&a, x + i, rest);
    if (!scalar[1]) b = all(y[i]), __builtin_memcpy(&b, y + i, rest);
    const V v = F::of(a, b);
    __builtin_memcpy(z + i, &v, rest);
  }
}

// clang-format off
#define WEFT_MATH(Name, name)                                       \
  extern "C" FloatVec WEFT_FLOAT(name##f)(FloatVec);                \
  extern "C" DoubleVec WEFT_DOUBLE(name)(DoubleVec);                \
  struct Name {                                                     \
    static FloatVec of(FloatVec x) { return WEFT_FLOAT(name##f)(x); } \
    static DoubleVec of(DoubleVec x) { return WEFT_DOUBLE(name)(x); } \
  };
#define WEFT_MATH2(Name, name)                                                                  \
  extern "C" FloatVec WEFT_FLOAT2(name##f)(FloatVec, FloatVec);                                 \
  extern "C" DoubleVec WEFT_DOUBLE2(name)(DoubleVec, DoubleVec);                                \
  struct Name {                                                                                 \
    static FloatVec of(FloatVec x, FloatVec y) { return WEFT_FLOAT2(name##f)(x, y); }           \
    static DoubleVec of(DoubleVec x, DoubleVec y) { return WEFT_DOUBLE2(name)(x, y); }          \
  };
// clang-format on
WEFT_MATH(Exp, exp)
WEFT_MATH(Log, log)
WEFT_MATH(Log1p, log1p)
WEFT_MATH(Expm1, expm1)
WEFT_MATH(Sin, sin)
WEFT_MATH(Cos, cos)
WEFT_MATH(Tan, tan)
WEFT_MATH(Asin, asin)
WEFT_MATH(Acos, acos)
WEFT_MATH(Atan, atan)
WEFT_MATH(Sinh, sinh)
WEFT_MATH(Cosh, cosh)
WEFT_MATH(Tanh, tanh)
WEFT_MATH(Asinh, asinh)
WEFT_MATH(Acosh, acosh)
WEFT_MATH(Atanh, atanh)
WEFT_MATH(Erf, erf)
WEFT_MATH(Erfc, erfc)
WEFT_MATH2(Pow, pow)
WEFT_MATH2(Atan2, atan2)

inline FloatVec magnitude(FloatVec x) {
  typedef int Ints __attribute__((vector_size(4 * kLanes)));
  return FloatVec(Ints(x) & 0x7fffffff);
}
inline DoubleVec magnitude(DoubleVec x) {
  typedef long Ints __attribute__((vector_size(4 * kLanes)));
  return DoubleVec(Ints(x) & 0x7fffffffffffffff);
}

}  // namespace
