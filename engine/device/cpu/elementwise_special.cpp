#include <bit>
#include <cmath>

#include <unsupported/Eigen/SpecialFunctions>

#include "device/cpu/dtypes.h"
#include "device/cpu/elementwise.h"

// Special functions (Gamma, zeta, Bessel, incomplete integrals), bit operations on integers, and parts of complex numbers.
namespace weft::cpu {
namespace {

template <typename F, typename T, typename R>
void span1(const void* const* in, const bool* scalar, void* out, long n) {
  const T* x = static_cast<const T*>(in[0]);
  R* y = static_cast<R*>(out);
  const long step = !scalar[0];
  for (long i = 0; i < n; ++i) y[i] = R(F::of(Compute<T>(x[i * step])));
}

template <typename F, typename T, typename R>
void span2(const void* const* in, const bool* scalar, void* out, long n) {
  const T* x = static_cast<const T*>(in[0]);
  const T* y = static_cast<const T*>(in[1]);
  R* z = static_cast<R*>(out);
  const long sx = !scalar[0], sy = !scalar[1];
  for (long i = 0; i < n; ++i) z[i] = R(F::of(x[i * sx], y[i * sy]));
}

#define WEFT_FUNCTION(Name, ...) \
  struct Name {                  \
    template <typename T>        \
    static auto of(T x) {        \
      __VA_ARGS__                \
    }                            \
  };
#define WEFT_FUNCTION2(Name, ...) \
  struct Name {                   \
    template <typename T>         \
    static auto of(T x, T y) {    \
      __VA_ARGS__                 \
    }                             \
  };

// Infinity at the poles, as in TensorFlow 1.15's Eigen.
WEFT_FUNCTION(Digamma, return x <= T(0) && std::floor(x) == x ? std::numeric_limits<T>::infinity() : Eigen::numext::digamma(x);)
WEFT_FUNCTION(BesselI0e, return Eigen::numext::bessel_i0e(x);)
WEFT_FUNCTION(BesselI1e, return Eigen::numext::bessel_i1e(x);)
WEFT_FUNCTION2(Zeta, return x >= T(1) && y <= T(0) && std::floor(y) == y ? std::numeric_limits<T>::infinity() : Eigen::numext::zeta(x, y);)
WEFT_FUNCTION2(Polygamma, if (x == T(0)) return Digamma::of(y);
               if (x > T(0) && std::floor(x) == x && y <= T(0) && std::floor(y) == y) return std::fmod(x, T(2)) == T(0) ? -std::numeric_limits<T>::infinity()
                                                                                                                        : std::numeric_limits<T>::infinity();
               return Eigen::numext::polygamma(x, y);)
WEFT_FUNCTION2(Igamma, return Eigen::numext::igamma(x, y);)
WEFT_FUNCTION2(Igammac, return Eigen::numext::igammac(x, y);)
WEFT_FUNCTION2(IgammaGradA, return Eigen::numext::igamma_der_a(x, y);)
WEFT_FUNCTION2(GammaSampleGrad, return Eigen::numext::gamma_sample_der_alpha(x, y);)
WEFT_FUNCTION2(NextAfter, return std::nextafter(x, y);)

// Shifting by more than the width is undefined in C++; TensorFlow clamps the distance to [0, width - 1].
template <typename T>
int distance(T y) {
  if constexpr (std::is_signed_v<T>) {
    if (y < 0) return 0;
  }
  constexpr int kLast = int(sizeof(T)) * 8 - 1;
  return y > T(kLast) ? kLast : int(y);
}
WEFT_FUNCTION2(Left, return T(std::make_unsigned_t<T>(x) << distance(y));)
WEFT_FUNCTION2(Right, return T(x >> distance(y));)
WEFT_FUNCTION(Bits, return std::popcount(std::make_unsigned_t<T>(x));)

WEFT_FUNCTION(Real, return x.real();)
WEFT_FUNCTION(Imag, return x.imag();)
WEFT_FUNCTION(Angle, return std::arg(x);)
WEFT_FUNCTION(Magnitude, return std::abs(x);)
WEFT_FUNCTION2(Complex, return std::complex<T>(x, y);)

#define WEFT_ROW1(name, F, T, R, in, out, ns)              \
  {                                                        \
    name, DType::in, DType::out, 1, ns, span1<F, T, R>, {} \
  }
#define WEFT_ROW2(name, F, T, R, in, out, ns)              \
  {                                                        \
    name, DType::in, DType::out, 2, ns, span2<F, T, R>, {} \
  }
#define WEFT_SPECIAL1(name, F, ns) WEFT_ROW1(name, F, float, float, Float, Float, ns), WEFT_ROW1(name, F, double, double, Double, Double, ns)
#define WEFT_SPECIAL2(name, F, ns) WEFT_ROW2(name, F, float, float, Float, Float, ns), WEFT_ROW2(name, F, double, double, Double, Double, ns)
#define WEFT_BITS2(name, F)                                                                                                   \
  WEFT_ROW2(name, F, int8_t, int8_t, Int8, Int8, 0.5f), WEFT_ROW2(name, F, int16_t, int16_t, Int16, Int16, 0.5f),             \
      WEFT_ROW2(name, F, int32_t, int32_t, Int32, Int32, 0.5f), WEFT_ROW2(name, F, int64_t, int64_t, Int64, Int64, 0.7f),     \
      WEFT_ROW2(name, F, uint8_t, uint8_t, UInt8, UInt8, 0.5f), WEFT_ROW2(name, F, uint16_t, uint16_t, UInt16, UInt16, 0.5f), \
      WEFT_ROW2(name, F, uint32_t, uint32_t, UInt32, UInt32, 0.5f), WEFT_ROW2(name, F, uint64_t, uint64_t, UInt64, UInt64, 0.7f)
#define WEFT_PART(name, F, ns) WEFT_ROW1(name, F, Complex64, float, Complex64, Float, ns), WEFT_ROW1(name, F, Complex128, double, Complex128, Double, ns)

const ElementwiseEntry kTable[] = {
    WEFT_SPECIAL1("BesselI0e", BesselI0e, 40),
    WEFT_SPECIAL1("BesselI1e", BesselI1e, 40),
    WEFT_SPECIAL2("Polygamma", Polygamma, 200),
    WEFT_SPECIAL2("Zeta", Zeta, 150),
    WEFT_SPECIAL2("Igamma", Igamma, 300),
    WEFT_SPECIAL2("Igammac", Igammac, 300),
    WEFT_SPECIAL2("IgammaGradA", IgammaGradA, 500),
    WEFT_SPECIAL2("RandomGammaGrad", GammaSampleGrad, 500),
    WEFT_SPECIAL2("NextAfter", NextAfter, 4),
    WEFT_BITS2("LeftShift", Left),
    WEFT_BITS2("RightShift", Right),
    WEFT_ROW1("PopulationCount", Bits, int8_t, uint8_t, Int8, UInt8, 1),
    WEFT_ROW1("PopulationCount", Bits, int16_t, uint8_t, Int16, UInt8, 1),
    WEFT_ROW1("PopulationCount", Bits, int32_t, uint8_t, Int32, UInt8, 1),
    WEFT_ROW1("PopulationCount", Bits, int64_t, uint8_t, Int64, UInt8, 1),
    WEFT_ROW1("PopulationCount", Bits, uint8_t, uint8_t, UInt8, UInt8, 1),
    WEFT_ROW1("PopulationCount", Bits, uint16_t, uint8_t, UInt16, UInt8, 1),
    WEFT_PART("Real", Real, 1),
    WEFT_PART("Imag", Imag, 1),
    WEFT_PART("Angle", Angle, 25),
    WEFT_PART("ComplexAbs", Magnitude, 8),
    WEFT_ROW2("Complex", Complex, float, Complex64, Float, Complex64, 1),
    WEFT_ROW2("Complex", Complex, double, Complex128, Double, Complex128, 1),
};

}  // namespace

std::span<const ElementwiseEntry> baselineSpecial() { return kTable; }

}  // namespace weft::cpu
