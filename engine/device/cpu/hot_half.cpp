#include "device/cpu/hot_common.h"

// Conversions between float and the 16-bit formats, with the results of Half and BFloat16 (dtypes.h).
namespace {

typedef unsigned short U16;

inline unsigned bitsOf(float x) { return __builtin_bit_cast(unsigned, x); }
inline float floatOf(unsigned bits) { return __builtin_bit_cast(float, bits); }

#if defined(__F16C__)
// Instructions; NaN becomes quiet before it is narrowed. The last elements go through a padded buffer.
constexpr long kWide = kLanes;  // 16 or 8
typedef float WideFloats __attribute__((vector_size(4 * kWide)));
typedef int WideInts __attribute__((vector_size(4 * kWide)));

inline void narrowVector(const float* x, U16* half) {
  WideFloats v;
  __builtin_memcpy(&v, x, sizeof v);
  const WideInts quiet = (WideInts(v) & int(0x80000000)) | 0x7fc00000;
  v = WideFloats(v != v ? quiet : WideInts(v));
#if defined(__AVX512F__)
  const __m256i h = _mm512_cvtps_ph(__m512(v), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
  const __m128i h = _mm256_cvtps_ph(__m256(v), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#endif
  __builtin_memcpy(half, &h, sizeof h);
}
inline void widenVector(const U16* half, float* out) {
#if defined(__AVX512F__)
  __m256i h;
  __builtin_memcpy(&h, half, sizeof h);
  const __m512 v = _mm512_cvtph_ps(h);
#else
  __m128i h;
  __builtin_memcpy(&h, half, sizeof h);
  const __m256 v = _mm256_cvtph_ps(h);
#endif
  __builtin_memcpy(out, &v, sizeof v);
}

void widenHalf(const U16* half, float* out, long n) {
  long i = 0;
  for (; i + kWide <= n; i += kWide) widenVector(half + i, out + i);
  if (i == n) return;
  U16 h[kWide] = {};
  float x[kWide];
  for (long k = 0; k < n - i; ++k) h[k] = half[i + k];
  widenVector(h, x);
  for (long k = 0; k < n - i; ++k) out[i + k] = x[k];
}
void narrowHalf(const float* x, U16* half, long n) {
  long i = 0;
  for (; i + kWide <= n; i += kWide) narrowVector(x + i, half + i);
  if (i == n) return;
  float v[kWide] = {};
  U16 h[kWide];
  for (long k = 0; k < n - i; ++k) v[k] = x[i + k];
  narrowVector(v, h);
  for (long k = 0; k < n - i; ++k) half[i + k] = h[k];
}
#else
// Integer arithmetic with choices instead of branches, which compilers vectorise.
void widenHalf(const U16* half, float* out, long n) {
  WEFT_INDEPENDENT
  for (long i = 0; i < n; ++i) {
    const int h = half[i], sign = (h & 0x8000) << 16, mag = h & 0x7fff;
    const int small = int(bitsOf(float(mag) * 5.9604644775390625e-8f)), normal = (mag << 13) + 0x38000000, special = 0x7f800000 | (mag & 0x3ff) << 13;
    out[i] = floatOf(unsigned((mag < 0x400 ? small : mag >= 0x7c00 ? special : normal) | sign));
  }
}
void narrowHalf(const float* x, U16* half, long n) {
  WEFT_INDEPENDENT
  for (long i = 0; i < n; ++i) {
    const int bits = int(bitsOf(x[i])), sign = int(unsigned(bits) >> 16 & 0x8000u), mag = bits & 0x7fffffff;
    const int normal = (mag - 0x38000000 + 0xfff + ((mag >> 13) & 1)) >> 13;
    const int small = int(bitsOf(floatOf(unsigned(mag)) + 0.5f)) - 0x3f000000;  // adding 0.5 puts the rounded mantissa into the lowest bits
    const int large = mag > 0x7f800000 ? 0x7e00 : 0x7c00;
    half[i] = U16((mag >= 0x47800000 ? large : mag < 0x38800000 ? small : normal) | sign);
  }
}
#endif

void widenBFloat16(const U16* half, float* out, long n) {
  WEFT_INDEPENDENT
  for (long i = 0; i < n; ++i) out[i] = floatOf(unsigned(half[i]) << 16);
}
void narrowBFloat16(const float* x, U16* half, long n) {
  WEFT_INDEPENDENT
  for (long i = 0; i < n; ++i) {
    const unsigned bits = bitsOf(x[i]), rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    half[i] = U16(int(bits & 0x7fffffffu) > 0x7f800000 ? 0x7fc0u : rounded);
  }
}

}  // namespace

namespace weft::cpu {

extern const HotFormat WEFT_JOIN(hotHalf_, WEFT_ISA_NAME) = {widenHalf, narrowHalf};
extern const HotFormat WEFT_JOIN(hotBFloat16_, WEFT_ISA_NAME) = {widenBFloat16, narrowBFloat16};

}  // namespace weft::cpu
