#pragma once

#include "base/parallel.h"
#include "device/cpu/hot.h"
#include "kernel/kernel.h"
#include "tensor/element_types.h"

// Shared by ops that compute in float whatever their input is.
namespace weft {

/// Elements of any real type as floats.
template <typename T>
void toFloats(const T* x, float* y, int64_t n) {
  if constexpr (std::is_same_v<T, Eigen::half>) {
    cpu::hotTable().half.widen(reinterpret_cast<const uint16_t*>(x), y, n);
  } else if constexpr (std::is_same_v<T, Eigen::bfloat16>) {
    cpu::hotTable().bfloat16.widen(reinterpret_cast<const uint16_t*>(x), y, n);
  } else {
    for (int64_t i = 0; i < n; ++i) y[i] = float(x[i]);
  }
}

/// The tensor if it is float, or else its elements as floats in scratch memory.
inline Result<Tensor> asFloatTensor(KernelContext& c, const Tensor& t) {
  if (t.dtype() == DType::Float) return t;
  WEFT_LET(Tensor wide, c.scratch(DType::Float, t.shape()));
  withReal(t.dtype(), [&]<typename T>(std::type_identity<T>) {
    const T* x = elementsOf<T>(t);
    float* y = wide.mutableData<float>();
    parallelFor(t.elements(), 16384, [&](int64_t begin, int64_t end) { toFloats(x + begin, y + begin, end - begin); });
  });
  return wide;
}

}  // namespace weft
