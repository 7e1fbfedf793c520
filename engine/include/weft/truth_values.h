#pragma once

#include <cstdint>

#include "weft/tensor.h"

namespace weft {

/// Normalises the bytes of a bool tensor from outside (files, raw texts, arrays): every non-zero byte becomes 1. Other bytes in a bool are undefined in C++,
/// and a kernel might use them as an index. TensorFlow keeps such bytes and shows them as True. Other types are unchanged.
inline void makeTruthValues(Tensor& t) {
  if (t.dtype() != DType::Bool) return;
  auto* bytes = static_cast<uint8_t*>(t.mutableRaw());
  const int64_t n = t.elements();
  for (int64_t i = 0; i < n; ++i) bytes[i] = bytes[i] != 0;
}

}  // namespace weft
