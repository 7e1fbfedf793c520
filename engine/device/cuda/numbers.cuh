#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "weft/dtype.h"

#ifdef __CUDACC__
#include <cuda_fp16.h>
#endif

// The element types of device code and what differs between them.
namespace weft::cuda {

/// IEEE half precision. Arithmetic happens in float; each stored result is rounded to nearest even.
struct Half {
  uint16_t bits;
  Half() = default;
  __host__ __device__ Half(float f) {
#ifdef __CUDA_ARCH__
    bits = __half_as_ushort(__float2half_rn(f));
#else
    bits = uint16_t(halfFromFloat(f).bits);
#endif
  }
  __host__ __device__ operator float() const {
#ifdef __CUDA_ARCH__
    return __half2float(__ushort_as_half(bits));
#else
    return toFloat(HalfBits{bits});
#endif
  }
};

/// The upper half of a float, rounded to nearest even.
struct BFloat16 {
  uint16_t bits;
  BFloat16() = default;
  __host__ __device__ BFloat16(float f) {
    const unsigned x = wordOf(f);
    bits = (x & 0x7fffffffu) > 0x7f800000u ? uint16_t(0x7fc0u) : uint16_t((x + 0x7fffu + ((x >> 16) & 1u)) >> 16);
  }
  __host__ __device__ operator float() const {
    const unsigned x = unsigned(bits) << 16;
    float f;
    memcpy(&f, &x, sizeof f);
    return f;
  }

 private:
  __host__ __device__ static unsigned wordOf(float f) {
    unsigned x;
    memcpy(&x, &f, sizeof x);
    return x;
  }
};

/// A complex number; R is float or double.
template <typename R>
struct Complex {
  R re, im;
  Complex() = default;
  __host__ __device__ constexpr Complex(R real, R imaginary = 0) : re(real), im(imaginary) {}
  __host__ __device__ friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  __host__ __device__ friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  __host__ __device__ friend Complex operator-(Complex a) { return {-a.re, -a.im}; }
  __host__ __device__ friend Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
  /// Scales by the larger part of the divisor, so that squares do not overflow.
  __host__ __device__ friend Complex operator/(Complex a, Complex b) {
    if (fabs(b.re) >= fabs(b.im)) {
      const R r = b.im / b.re, d = b.re + b.im * r;
      return {(a.re + a.im * r) / d, (a.im - a.re * r) / d};
    }
    const R r = b.re / b.im, d = b.re * r + b.im;
    return {(a.re * r + a.im) / d, (a.im * r - a.re) / d};
  }
  __host__ __device__ friend bool operator==(Complex a, Complex b) { return a.re == b.re && a.im == b.im; }
  __host__ __device__ friend bool operator!=(Complex a, Complex b) { return !(a == b); }
};
using Complex64 = Complex<float>;
using Complex128 = Complex<double>;

template <typename T>
inline constexpr bool kIsComplex = std::is_same_v<T, Complex64> || std::is_same_v<T, Complex128>;
template <typename T>
inline constexpr bool kIsSmallFloat = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

/// The DType of an element type.
template <typename T>
inline constexpr DType kDType = DTypeOf<T>::value;
template <>
inline constexpr DType kDType<Half> = DType::Half;
template <>
inline constexpr DType kDType<BFloat16> = DType::BFloat16;
template <>
inline constexpr DType kDType<Complex64> = DType::Complex64;
template <>
inline constexpr DType kDType<Complex128> = DType::Complex128;

/// The type in which sums and functions of T are computed: float for the 16-bit types, else T.
template <typename T>
using Wide = std::conditional_t<kIsSmallFloat<T>, float, T>;

/// An element of N bytes, for code that only moves elements.
template <size_t N>
struct Bytes;
template <>
struct Bytes<1> {
  using Type = uint8_t;
};
template <>
struct Bytes<2> {
  using Type = uint16_t;
};
template <>
struct Bytes<4> {
  using Type = uint32_t;
};
template <>
struct Bytes<8> {
  using Type = uint64_t;
};
template <>
struct Bytes<16> {
  using Type = Complex128;
};

}  // namespace weft::cuda
