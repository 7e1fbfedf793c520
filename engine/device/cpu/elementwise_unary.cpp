#include <cmath>

#include "device/cpu/dtypes.h"
#include "device/cpu/elementwise.h"

// Functions of one number for element types without a hot loop.
namespace weft::cpu {
namespace {

template <typename F, typename T, typename R>
void span1(const void* const* in, const bool* scalar, void* out, long n) {
  const T* x = static_cast<const T*>(in[0]);
  R* y = static_cast<R*>(out);
  if (scalar[0]) {
    if (n <= 0) return;
    const R v = R(F::of(Compute<T>(x[0])));
    for (long i = 0; i < n; ++i) y[i] = v;
    return;
  }
  for (long i = 0; i < n; ++i) y[i] = R(F::of(Compute<T>(x[i])));
}

#define WEFT_FUNCTION(Name, ...) \
  struct Name {                  \
    template <typename T>        \
    static auto of(T x) {        \
      __VA_ARGS__                \
    }                            \
  };

WEFT_FUNCTION(
    Neg, if constexpr (std::is_integral_v<T>) { return T(T(0) - std::make_unsigned_t<T>(x)); } else { return -x; })
WEFT_FUNCTION(
    Abs, if constexpr (std::is_unsigned_v<T>) { return x; } else if constexpr (std::is_integral_v<T>) {
      return x < 0 ? T(T(0) - std::make_unsigned_t<T>(x)) : x;
    } else { return std::abs(x); })
WEFT_FUNCTION(
    Square, if constexpr (std::is_integral_v<T>) { return T(std::make_unsigned_t<T>(x) * std::make_unsigned_t<T>(x)); } else { return x * x; })
WEFT_FUNCTION(Sqrt, return std::sqrt(x);)
WEFT_FUNCTION(Rsqrt, return T(1) / std::sqrt(x);)
WEFT_FUNCTION(Reciprocal, return T(1) / x;)
WEFT_FUNCTION(Exp, return std::exp(x);)
WEFT_FUNCTION(Log, return std::log(x);)
WEFT_FUNCTION(
    Log1p, if constexpr (kIsComplex<T>) { return std::log(T(1) + x); } else { return std::log1p(x); })
WEFT_FUNCTION(
    Expm1, if constexpr (kIsComplex<T>) { return std::exp(x) - T(1); } else { return std::expm1(x); })
WEFT_FUNCTION(Tanh, return std::tanh(x);)
WEFT_FUNCTION(Sigmoid, return T(1) / (T(1) + std::exp(-x));)
// Ties are rounded to even; Round gives +0 for negative numbers too.
WEFT_FUNCTION(
    Round, if constexpr (std::is_integral_v<T>) { return x; } else {
      const T r = std::nearbyint(x);
      return r == 0 ? T(0) : r;
    })
WEFT_FUNCTION(Sin, return std::sin(x);)
WEFT_FUNCTION(Cos, return std::cos(x);)
WEFT_FUNCTION(Tan, return std::tan(x);)
WEFT_FUNCTION(Asin, return std::asin(x);)
WEFT_FUNCTION(Acos, return std::acos(x);)
WEFT_FUNCTION(Atan, return std::atan(x);)
WEFT_FUNCTION(Sinh, return std::sinh(x);)
WEFT_FUNCTION(Cosh, return std::cosh(x);)
WEFT_FUNCTION(Asinh, return std::asinh(x);)
WEFT_FUNCTION(Acosh, return std::acosh(x);)
WEFT_FUNCTION(Atanh, return std::atanh(x);)
WEFT_FUNCTION(Lgamma, int sign; return lgamma_r(x, &sign);)
WEFT_FUNCTION(
    Sign, if constexpr (kIsComplex<T>) { return x == T(0) ? T(0) : x / std::abs(x); } else { return T((x > T(0)) - (x < T(0))); })
WEFT_FUNCTION(Conj, return std::conj(x);)
WEFT_FUNCTION(Relu, return x < T(0) ? T(0) : x;)
WEFT_FUNCTION(Relu6, return x < T(0) ? T(0) : x > T(6) ? T(6) : x;)

#define WEFT_ROW(name, F, T, dtype, ns)                         \
  {                                                             \
    name, DType::dtype, DType::dtype, 1, ns, span1<F, T, T>, {} \
  }
#define WEFT_COMPLEX(name, F, ns) WEFT_ROW(name, F, Complex64, Complex64, ns), WEFT_ROW(name, F, Complex128, Complex128, 2 * ns)
#define WEFT_INTS(name, F)                                                                                                 \
  WEFT_ROW(name, F, int8_t, Int8, 0.5f), WEFT_ROW(name, F, int16_t, Int16, 0.5f), WEFT_ROW(name, F, int32_t, Int32, 0.5f), \
      WEFT_ROW(name, F, int64_t, Int64, 0.7f), WEFT_ROW(name, F, uint8_t, UInt8, 0.5f), WEFT_ROW(name, F, uint16_t, UInt16, 0.5f)

const ElementwiseEntry kTable[] = {
    WEFT_COMPLEX("Neg", Neg, 1),
    WEFT_INTS("Neg", Neg),
    WEFT_INTS("Abs", Abs),
    WEFT_COMPLEX("Square", Square, 2),
    WEFT_INTS("Square", Square),
    WEFT_COMPLEX("Sqrt", Sqrt, 30),
    WEFT_COMPLEX("Rsqrt", Rsqrt, 30),
    WEFT_COMPLEX("Reciprocal", Reciprocal, 8),
    WEFT_COMPLEX("Inv", Reciprocal, 8),
    WEFT_COMPLEX("Exp", Exp, 30),
    WEFT_COMPLEX("Log", Log, 40),
    WEFT_COMPLEX("Log1p", Log1p, 40),
    WEFT_COMPLEX("Expm1", Expm1, 40),
    WEFT_COMPLEX("Tanh", Tanh, 60),
    WEFT_COMPLEX("Sigmoid", Sigmoid, 40),
    WEFT_INTS("Round", Round),
    WEFT_COMPLEX("Sin", Sin, 60),
    WEFT_COMPLEX("Cos", Cos, 60),
    WEFT_COMPLEX("Tan", Tan, 60),
    WEFT_COMPLEX("Asin", Asin, 80),
    WEFT_COMPLEX("Acos", Acos, 80),
    WEFT_COMPLEX("Atan", Atan, 80),
    WEFT_COMPLEX("Sinh", Sinh, 80),
    WEFT_COMPLEX("Cosh", Cosh, 80),
    WEFT_COMPLEX("Asinh", Asinh, 90),
    WEFT_COMPLEX("Acosh", Acosh, 90),
    WEFT_COMPLEX("Atanh", Atanh, 90),
    WEFT_ROW("Lgamma", Lgamma, double, Double, 40),
    WEFT_COMPLEX("Sign", Sign, 15),
    WEFT_INTS("Sign", Sign),
    WEFT_COMPLEX("Conj", Conj, 1),
    WEFT_INTS("Relu", Relu),
    WEFT_INTS("Relu6", Relu6),
};

}  // namespace

std::span<const ElementwiseEntry> baselineUnary() { return kTable; }

}  // namespace weft::cpu
