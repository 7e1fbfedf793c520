#pragma once

#include "device/cpu/hot_nn.h"

// Shared code of the neural-network hot loops; included once per instruction set (WEFT_ISA_NAME names the namespace).
namespace weft::cpu::WEFT_ISA_NAME {
namespace {

constexpr int kLanes = 16;
typedef float Vec __attribute__((vector_size(64)));
typedef int32_t IVec __attribute__((vector_size(64)));
typedef float LooseVec __attribute__((vector_size(64), aligned(4)));

inline Vec load(const float* p) { return *reinterpret_cast<const LooseVec*>(p); }
inline void store(float* p, Vec v) { *reinterpret_cast<LooseVec*>(p) = v; }
inline Vec all(float x) { return Vec{} + x; }
inline Vec larger(Vec a, Vec b) { return a < b ? b : a; }

constexpr float kLowest = -3.4028234663852886e38f;

/// Calls f(column) for vectors of 16 columns and g(column) for the rest.
template <typename F, typename G>
inline void overColumns(int64_t channels, F&& f, G&& g) {
  int64_t c = 0;
  for (; c + kLanes <= channels; c += kLanes) f(c);
  for (; c < channels; ++c) g(c);
}

}  // namespace

void maxPool(float* out, const float* in, const PoolGeometry& g, int64_t begin, int64_t end);
void averagePool(float* out, const float* in, const PoolGeometry& g, int64_t begin, int64_t end);
void maxPoolGrad(float* backprop, const float* in, const float* grad, const PoolGeometry& g, bool positiveOnly);
void averagePoolGrad(float* backprop, const float* grad, const PoolGeometry& g);

}  // namespace weft::cpu::WEFT_ISA_NAME
