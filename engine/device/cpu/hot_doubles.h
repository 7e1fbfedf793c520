#pragma once

#include <cstdint>

#include "device/cpu/hot_nn.h"

namespace weft::cpu {

template <typename T>
using PoolFunction = void (*)(T* out, const T* in, const PoolGeometry& g, int64_t begin, int64_t end);

/// The functions of NnKernels (hot_nn.h) that exist for other element types too. No function uses threads.
struct WideKernels {
  void (*softmax)(double* out, const double* in, int64_t rows, int64_t columns);
  void (*logSoftmax)(double* out, const double* in, int64_t rows, int64_t columns);
  void (*crossEntropy)(double* loss, double* backprop, const double* logits, const double* labels, int64_t rows, int64_t columns);
  void (*sparseCrossEntropy32)(double* loss, double* backprop, const double* logits, const int32_t* labels, int64_t rows, int64_t columns);
  void (*sparseCrossEntropy64)(double* loss, double* backprop, const double* logits, const int64_t* labels, int64_t rows, int64_t columns);
  PoolFunction<double> averagePool;
  PoolFunction<double> maxPool;
  PoolFunction<int8_t> maxPoolInt8;
  PoolFunction<uint8_t> maxPoolUInt8;
  PoolFunction<int16_t> maxPoolInt16;
  PoolFunction<uint16_t> maxPoolUInt16;
  PoolFunction<int32_t> maxPoolInt32;
  PoolFunction<int64_t> maxPoolInt64;
};

/// The table for this processor (WEFT_ISA=v2|v3|v4 in the environment lowers the choice).
WEFT_API const WideKernels& wideKernels();

}  // namespace weft::cpu
