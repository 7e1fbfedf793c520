#pragma once

#include "device/cpu/philox.h"
#include "device/cuda/numbers.cuh"

// TensorFlow's random numbers in device code: those of device/cpu/philox.h. TensorFlow's own GPU kernels share out the stream by their number of threads; here
// each element gets what it gets on the CPU, so that a graph gives the same numbers on any device.
namespace weft::cuda {

struct Philox {
  uint32_t counter[4], key[2];
  Philox() = default;
  explicit Philox(const cpu::Philox& p) {
    for (size_t i = 0; i < 4; ++i) counter[i] = p.counter()[i];
    for (size_t i = 0; i < 2; ++i) key[i] = p.key()[i];
  }

  __device__ void skip(uint64_t groups) {
    const uint64_t low = uint64_t(counter[0]) | uint64_t(counter[1]) << 32, next = low + groups;
    counter[0] = uint32_t(next);
    counter[1] = uint32_t(next >> 32);
    if (next < low && ++counter[2] == 0) ++counter[3];
  }
  /// The next four numbers.
  __device__ void next(uint32_t* out) {
    uint32_t x0 = counter[0], x1 = counter[1], x2 = counter[2], x3 = counter[3], k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
      const uint64_t p = uint64_t(0xD2511F53u) * x0, q = uint64_t(0xCD9E8D57u) * x2;
      x0 = uint32_t(q >> 32) ^ x1 ^ k0;
      x1 = uint32_t(q);
      x2 = uint32_t(p >> 32) ^ x3 ^ k1;
      x3 = uint32_t(p);
    }
    out[0] = x0;
    out[1] = x1;
    out[2] = x2;
    out[3] = x3;
    skip(1);
  }
};

/// Numbers in [0, 1) from one Philox number, or two.
__device__ inline float uniformFloat(uint32_t bits) { return float(int(bits & 0x7fffffu)) * 0x1p-23f; }
__device__ inline double uniformDouble(uint32_t high, uint32_t low) {
  const uint64_t pattern = uint64_t(high & 0xfffffu) << 32 | low | uint64_t(1023) << 52;
  double d;
  memcpy(&d, &pattern, sizeof d);
  return d - 1.0;
}

/// Two numbers of the standard normal distribution (Box-Muller).
__device__ inline void normalPair(uint32_t x0, uint32_t x1, float* out) {
  const float u = uniformFloat(x0) > 1e-7f ? uniformFloat(x0) : 1e-7f;
  const float angle = float(6.283185307179586476925286766559 * double(uniformFloat(x1)));
  const float radius = sqrtf(-2.f * logf(u));
  out[0] = sinf(angle) * radius;
  out[1] = cosf(angle) * radius;
}
__device__ inline void normalPair(const uint32_t* x, double* out) {
  const double u = uniformDouble(x[0], x[1]) > 1e-7 ? uniformDouble(x[0], x[1]) : 1e-7, angle = 6.283185307179586476925286766559 * uniformDouble(x[2], x[3]);
  const double radius = sqrt(-2.0 * log(u));
  out[0] = sin(angle) * radius;
  out[1] = cos(angle) * radius;
}

}  // namespace weft::cuda
