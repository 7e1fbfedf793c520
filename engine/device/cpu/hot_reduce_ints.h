#pragma once

#include <cstdint>

namespace weft::cpu {

/// HotReduction (hot.h) for integers; sums and products wrap.
template <typename T>
struct IntegerReduction {
  T (*row)(const T* x, long n);
  void (*columns)(const T* x, long rows, long columns, long stride, T* out);
};

template <typename T>
struct IntegerReductions {
  IntegerReduction<T> sum, prod, max, min;
};

/// One table per instruction set.
struct IntegerKernels {
  IntegerReductions<int32_t> int32;
  IntegerReductions<int64_t> int64;
};

/// The table for this processor (WEFT_ISA=v2|v3|v4 in the environment lowers the choice).
const IntegerKernels& integerKernels();

}  // namespace weft::cpu
