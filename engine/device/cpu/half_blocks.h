#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "device/cpu/dtypes.h"
#include "device/cpu/hot.h"

// Loops over half and bfloat16 by way of float, a block at a time.
namespace weft::cpu {

template <typename T>
const HotFormat& formatOf() {
  static_assert(kIsSmallFloat<T>);
  return std::is_same_v<T, Half> ? hotTable().half : hotTable().bfloat16;
}

/// out[i] = f(in[0][i], …) for floats of any size; 16-bit ones are computed in float and rounded to nearest even. `out` may be an input.
template <typename T, size_t kInputs, typename F>
void mapFloats(std::array<const T*, kInputs> in, T* out, int64_t n, F&& f) {
  const auto over = [&]<size_t... k>(std::index_sequence<k...>, const auto& from, auto* to, int64_t count) {
    for (int64_t i = 0; i < count; ++i) to[i] = f(from[k][i]...);
  };
  if constexpr (!kIsSmallFloat<T>) {
    over(std::make_index_sequence<kInputs>(), in, out, n);
  } else {
    constexpr int64_t kBlock = 512;
    const HotFormat& format = formatOf<T>();
    float operands[kInputs][kBlock], result[kBlock];
    for (int64_t i = 0; i < n; i += kBlock) {
      const int64_t count = std::min(kBlock, n - i);
      for (size_t k = 0; k < kInputs; ++k) format.widen(&in[k][i].bits, operands[k], count);
      over(std::make_index_sequence<kInputs>(), operands, result, count);
      format.narrow(result, &out[i].bits, count);
    }
  }
}

}  // namespace weft::cpu
