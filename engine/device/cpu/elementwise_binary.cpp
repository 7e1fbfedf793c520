#include <cmath>

#include "device/cpu/dtypes.h"
#include "device/cpu/elementwise.h"

// Functions of two numbers for element types without a hot loop. Integers wrap. The kernel has already rejected zero divisors and negative exponents.
namespace weft::cpu {
namespace {

template <typename F, typename T>
void span2(const void* const* in, const bool* scalar, void* out, long n) {
  const T* x = static_cast<const T*>(in[0]);
  const T* y = static_cast<const T*>(in[1]);
  T* z = static_cast<T*>(out);
  using C = Compute<T>;
  const long sx = !scalar[0], sy = !scalar[1];
  if (sx && sy) {
    for (long i = 0; i < n; ++i) z[i] = T(F::of(C(x[i]), C(y[i])));
  } else {
    for (long i = 0; i < n; ++i) z[i] = T(F::of(C(x[i * sx]), C(y[i * sy])));
  }
}

#define WEFT_FUNCTION(Name, ...) \
  struct Name {                  \
    template <typename T>        \
    static T of(T x, T y) {      \
      __VA_ARGS__                \
    }                            \
  };

template <typename T>
using Wrapping = std::make_unsigned_t<std::conditional_t<(sizeof(T) < 4), int, T>>;  // small types would be promoted to int
#define WEFT_WRAP(operation)                           \
  if constexpr (std::is_integral_v<T>) {               \
    return T(Wrapping<T>(x) operation Wrapping<T>(y)); \
  } else {                                             \
    return x operation y;                              \
  }

WEFT_FUNCTION(Add, WEFT_WRAP(+))
WEFT_FUNCTION(Sub, WEFT_WRAP(-))
WEFT_FUNCTION(Mul, WEFT_WRAP(*))
WEFT_FUNCTION(
    SquaredDifference,
    if constexpr (std::is_integral_v<T>) {
      const auto d = Wrapping<T>(x) - Wrapping<T>(y);
      return T(d * d);
    } else if constexpr (kIsComplex<T>) {
      const T d = x - y;
      return d * std::conj(d);
    } else { return (x - y) * (x - y); })
WEFT_FUNCTION(
    Div,
    if constexpr (std::is_integral_v<T>) {
      if constexpr (std::is_signed_v<T>) {
        if (y == T(-1)) return T(Wrapping<T>(0) - Wrapping<T>(x));
      }
      return T(x / y);
    } else { return x / y; })
WEFT_FUNCTION(DivNoNan, return y == T(0) ? T(0) : x / y;)
WEFT_FUNCTION(MulNoNan, return y == T(0) ? T(0) : x * y;)
WEFT_FUNCTION(Xdivy, return x == T(0) ? T(0) : x / y;)
WEFT_FUNCTION(Xlogy, return x == T(0) ? T(0) : x * std::log(y);)
WEFT_FUNCTION(
    FloorDiv,
    if constexpr (std::is_integral_v<T>) {
      const T q = Div::of(x, y);
      if constexpr (std::is_signed_v<T>) {
        if (y != T(-1) && x % y != 0 && (x < 0) != (y < 0)) return T(q - 1);
      }
      return q;
    } else { return std::floor(x / y); })
/// The quotient is rounded to half or bfloat16 before it is rounded down: that of -1e-8 becomes -0.
WEFT_FUNCTION(FloorDivHalf, return std::floor(T(float(Half(float(x / y)))));)
WEFT_FUNCTION(FloorDivBFloat16, return std::floor(T(float(BFloat16(float(x / y)))));)
WEFT_FUNCTION(
    TruncateMod,
    if constexpr (std::is_integral_v<T>) {
      if constexpr (std::is_signed_v<T>) {
        if (y == T(-1)) return T(0);
      }
      return T(x % y);
    } else { return std::fmod(x, y); })
WEFT_FUNCTION(
    FloorMod, const T r = TruncateMod::of(x, y);
    if constexpr (std::is_unsigned_v<T>) { return r; } else { return r != T(0) && (r < T(0)) != (y < T(0)) ? T(r + y) : r; })
WEFT_FUNCTION(Maximum, return x < y ? y : x;)
WEFT_FUNCTION(Minimum, return y < x ? y : x;)
WEFT_FUNCTION(
    Pow,
    if constexpr (std::is_integral_v<T>) {
      auto base = std::make_unsigned_t<T>(x), result = std::make_unsigned_t<T>(1);
      for (auto e = std::make_unsigned_t<T>(y); e; e >>= 1, base *= base) {
        if (e & 1) result *= base;
      }
      return T(result);
    } else { return std::pow(x, y); })
WEFT_FUNCTION(Atan2, return std::atan2(x, y);)
WEFT_FUNCTION(SigmoidGrad, return y * x * (T(1) - x);)
WEFT_FUNCTION(TanhGrad, return y * (T(1) - x * x);)
// Gradients of holomorphic functions take the conjugate of the derivative. (For SigmoidGrad and TanhGrad the caller conjugates.)
template <typename T>
T conjugate(T x) {
  if constexpr (kIsComplex<T>) {
    return std::conj(x);
  } else {
    return x;
  }
}
// A gradient of 0 stays 0 at the pole too, which is what a mask before a root is for.
WEFT_FUNCTION(SqrtGrad, return y == T(0) ? T(0) : T(0.5) * y / conjugate(x);)
WEFT_FUNCTION(RsqrtGrad, const T c = conjugate(x); return y == T(0) ? T(0) : T(-0.5) * (y * c) * (c * c);)
WEFT_FUNCTION(ReciprocalGrad, const T c = conjugate(x); return -y * c * c;)
// x * 0 instead of 0: NaN and infinite gradients then stay visible where the feature is cut off. Products with 1 are omitted, here and in chains; compilers may
// do so too.
WEFT_FUNCTION(ReluGrad, return y > T(0) ? x : x * T(0);)
WEFT_FUNCTION(Relu6Grad, return y > T(0) && y < T(6) ? x : x * T(0);)

void addStrings(const void* const* in, const bool* scalar, void* out, long n) {
  const std::string* x = static_cast<const std::string*>(in[0]);
  const std::string* y = static_cast<const std::string*>(in[1]);
  std::string* z = static_cast<std::string*>(out);
  for (long i = 0; i < n; ++i) z[i] = x[scalar[0] ? 0 : i] + y[scalar[1] ? 0 : i];
}

using Check = ElementwiseEntry::Check;
#define WEFT_ROW(name, F, T, dtype, ns)                      \
  {                                                          \
    name, DType::dtype, DType::dtype, 2, ns, span2<F, T>, {} \
  }
#define WEFT_CHECKED(name, F, T, dtype, ns, check) \
  { name, DType::dtype, DType::dtype, 2, ns, span2<F, T>, check }
#define WEFT_COMPLEX(name, F, ns) WEFT_ROW(name, F, Complex64, Complex64, ns), WEFT_ROW(name, F, Complex128, Complex128, 2 * ns)
#define WEFT_SMALL_INTS(name, F)                                                                                           \
  WEFT_ROW(name, F, int8_t, Int8, 0.5f), WEFT_ROW(name, F, int16_t, Int16, 0.5f), WEFT_ROW(name, F, uint8_t, UInt8, 0.5f), \
      WEFT_ROW(name, F, uint16_t, UInt16, 0.5f)

const ElementwiseEntry kTable[] = {
    WEFT_COMPLEX("Add", Add, 1),
    {"Add", DType::String, DType::String, 2, 60.0f, addStrings, {}},
    WEFT_COMPLEX("AddV2", Add, 1),
    WEFT_COMPLEX("Sub", Sub, 1),
    WEFT_COMPLEX("Mul", Mul, 2),
    WEFT_COMPLEX("SquaredDifference", SquaredDifference, 3),
    WEFT_COMPLEX("RealDiv", Div, 8),
    WEFT_COMPLEX("Div", Div, 8),
    WEFT_ROW("TruncateDiv", Div, float, Float, 2),
    WEFT_ROW("TruncateDiv", Div, double, Double, 2),
    WEFT_ROW("FloorMod", FloorMod, double, Double, 10),
    WEFT_ROW("Mod", TruncateMod, double, Double, 10),
    WEFT_ROW("TruncateMod", TruncateMod, double, Double, 10),
    WEFT_COMPLEX("DivNoNan", DivNoNan, 8),
    WEFT_COMPLEX("MulNoNan", MulNoNan, 8),
    WEFT_COMPLEX("Xdivy", Xdivy, 8),
    WEFT_COMPLEX("Xlogy", Xlogy, 40),
    WEFT_COMPLEX("Pow", Pow, 90),
    WEFT_CHECKED("Pow", Pow, int32_t, Int32, 5.0f, Check::NegativeExponent),
    WEFT_CHECKED("Pow", Pow, int64_t, Int64, 5.0f, Check::NegativeExponent),
    WEFT_COMPLEX("SigmoidGrad", SigmoidGrad, 6),
    WEFT_COMPLEX("TanhGrad", TanhGrad, 6),
    WEFT_COMPLEX("SqrtGrad", SqrtGrad, 8),
    WEFT_COMPLEX("RsqrtGrad", RsqrtGrad, 6),
    WEFT_COMPLEX("ReciprocalGrad", ReciprocalGrad, 6),
    WEFT_COMPLEX("InvGrad", ReciprocalGrad, 6),
    WEFT_SMALL_INTS("ReluGrad", ReluGrad),
    WEFT_SMALL_INTS("Relu6Grad", Relu6Grad),
    WEFT_ROW("ReluGrad", ReluGrad, int32_t, Int32, 1),
    WEFT_ROW("ReluGrad", ReluGrad, int64_t, Int64, 1),
    WEFT_ROW("Relu6Grad", Relu6Grad, int32_t, Int32, 1),
    WEFT_ROW("Relu6Grad", Relu6Grad, int64_t, Int64, 1),
};

}  // namespace

std::span<const ElementwiseEntry> baselineBinary() { return kTable; }

}  // namespace weft::cpu
