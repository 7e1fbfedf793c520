// Random numbers. Compiled once per instruction set, with the restrictions of hot_nn.cpp.
#include "device/cpu/hot_random.h"
#include "device/cpu/hot_math.h"

#include <immintrin.h>

namespace weft::cpu::WEFT_ISA_NAME {
namespace {

// 64-bit lanes of which the lower halves are Philox's numbers: products of 32 bits ignore the upper halves.
#if defined(__AVX512F__)
constexpr int kCounters = 8;
typedef uint64_t Wide __attribute__((vector_size(64)));
inline Wide product(Wide a, Wide b) { return Wide(_mm512_mul_epu32(__m512i(a), __m512i(b))); }
#elif defined(__AVX2__)
constexpr int kCounters = 4;
typedef uint64_t Wide __attribute__((vector_size(32)));
inline Wide product(Wide a, Wide b) { return Wide(_mm256_mul_epu32(__m256i(a), __m256i(b))); }
#else
constexpr int kCounters = 2;
typedef uint64_t Wide __attribute__((vector_size(16)));
inline Wide product(Wide a, Wide b) { return Wide(_mm_mul_epu32(__m128i(a), __m128i(b))); }
#endif

void philox(uint32_t* out, int64_t groups, const uint32_t counter[4], const uint32_t key[2], uint64_t step) {
  constexpr int kStreams = 2;  // independent vectors, because each round waits for products
  constexpr uint64_t kLow = 0xffffffffu;
  const uint64_t low = counter[0] | uint64_t(counter[1]) << 32;
  for (int64_t first = 0; first < groups; first += kStreams * kCounters) {
    Wide x0[kStreams], x1[kStreams], x2[kStreams], x3[kStreams];
    for (int s = 0; s < kStreams; ++s) {
      for (int i = 0; i < kCounters; ++i) {
        const uint64_t position = low + uint64_t(first + s * kCounters + i) * step;
        const uint32_t carry = position < low ? 1u : 0u, third = counter[2] + carry;
        x0[s][i] = position;
        x1[s][i] = position >> 32;
        x2[s][i] = third;
        x3[s][i] = counter[3] + (carry & (third == 0 ? 1u : 0u));
      }
    }
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
      for (int s = 0; s < kStreams; ++s) {
        const Wide p = product(x0[s], Wide{} + 0xD2511F53u), q = product(x2[s], Wide{} + 0xCD9E8D57u);
        x0[s] = (q >> 32) ^ x1[s] ^ (Wide{} + k0);
        x1[s] = q;
        x2[s] = (p >> 32) ^ x3[s] ^ (Wide{} + k1);
        x3[s] = p;
      }
    }
    // Pairs of numbers; those of one group are written side by side.
    alignas(64) uint64_t pairs[2 * kStreams * kCounters];
    for (int s = 0; s < kStreams; ++s) {
      const Wide a = (x0[s] & kLow) | (x1[s] << 32), b = (x2[s] & kLow) | (x3[s] << 32);
      for (int i = 0; i < kCounters; ++i) {
        pairs[2 * (s * kCounters + i)] = a[i];
        pairs[2 * (s * kCounters + i) + 1] = b[i];
      }
    }
    const int64_t count = groups - first < kStreams * kCounters ? groups - first : kStreams * kCounters;
    __builtin_memcpy(out + 4 * first, pairs, size_t(count) * 16);
  }
}

void fractions(float* y, const uint32_t* bits, uint32_t mask, float scale, int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] = float(int32_t(bits[i] & mask)) * scale;
}

void doubles(double* y, const uint32_t* bits, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    uint64_t pair;
    __builtin_memcpy(&pair, bits + 2 * i, sizeof pair);
    y[i] = __builtin_bit_cast(double, (pair << 32 & 0xfffff00000000u) | pair >> 32 | uint64_t(1023) << 52) - 1.0;
  }
}

void remainders(uint32_t* y, const uint32_t* bits, uint32_t low, uint32_t range, int64_t n) {
  // By a product in double precision, whose whole part is at most one off. Conversions of signed numbers exist in all instruction sets.
  constexpr double kHalf = 2147483648.0;
  const double inverse = 1.0 / double(range), divisor = double(range);
  for (int64_t i = 0; i < n; ++i) {
    const double x = double(int32_t(bits[i] ^ 0x80000000u)) + kHalf;
    const double quotient = double(int32_t(x * inverse - kHalf)) + kHalf;
    double rest = x - quotient * divisor;
    rest = rest < 0 ? rest + divisor : rest;
    rest = rest >= divisor ? rest - divisor : rest;
    y[i] = low + (uint32_t(int32_t(rest - kHalf)) ^ 0x80000000u);
  }
}

template <typename T>
double expSums(double* sums, const T* x, int64_t n) {
  constexpr int64_t kCount = int64_t(sizeof(DoubleVec) / sizeof(double));
  constexpr double kMost = 1.7976931348623157e308;
  DoubleVec best = all(-kMost), v, e;
  const auto load = [&](int64_t i) {
    for (int64_t k = 0; k < kCount; ++k) v[k] = double(x[i + k]);
  };
  const auto loadLast = [&](int64_t i) {
    v = all(-__builtin_inf());
    for (int64_t k = 0; i + k < n; ++k) v[k] = double(x[i + k]);
  };
  int64_t i = 0;
  for (; i < n; i += kCount) {
    if (i + kCount <= n) load(i);
    else loadLast(i);
    best = v > best && v <= kMost ? v : best;
  }
  double most = -kMost, total = 0;
  for (int64_t k = 0; k < kCount; ++k) most = best[k] > most ? best[k] : most;
  for (i = 0; i < n; i += kCount) {
    if (i + kCount <= n) load(i);
    else loadLast(i);
    const auto finite = v >= -kMost && v <= kMost;
    e = Exp::of(finite ? v - most : DoubleVec{});
    e = finite ? e : DoubleVec{};
    const int64_t count = n - i < kCount ? n - i : kCount;
    for (int64_t k = 0; k < count; ++k) sums[i + k] = total += e[k];
  }
  return total;
}

}  // namespace

extern const RandomKernels kRandomKernels;
const RandomKernels kRandomKernels = {philox, fractions, doubles, remainders, expSums<float>, expSums<double>};

}  // namespace weft::cpu::WEFT_ISA_NAME
