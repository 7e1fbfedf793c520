#pragma once

#include <algorithm>
#include <type_traits>

#include "device/cpu/dtypes.h"
#include "device/cpu/half_blocks.h"
#include "device/cpu/hot.h"
#include "device/cpu/hot_reduce_ints.h"

// How one row, or the columns of some rows, are reduced on one thread, for any element type. A reducer R states
//   In, Acc                      element and accumulator types
//   Acc start()                  value of nothing
//   Acc join(Acc, Acc)           two partial results
//   Acc lift(In)                 one element
//   In done(Acc, int64_t n)      the result of n elements
//   const HotReduction* hot()    loops for float, which 16-bit floats use too, a block at a time
// and may state loops of its own: row(x, n) and columns(x, rows, columns, stride, out).
namespace weft::cpu {

template <typename T>
inline constexpr bool kHasIntegerTable = std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t>;
template <typename T>
const auto& integersOf() {
  if constexpr (std::is_same_v<T, int32_t>) return integerKernels().int32;
  else return integerKernels().int64;
}

constexpr int64_t kWidened = 4096;  // 16-bit floats that are widened at once

/// Calls f(x as floats, count) for parts of a row of 16-bit floats.
template <typename T, typename F>
void overWidened(const T* x, int64_t n, F&& f) {
  float room[kWidened];
  for (int64_t i = 0; i < n; i += kWidened) {
    const int64_t count = std::min(kWidened, n - i);
    formatOf<T>().widen(&x[i].bits, room, count);
    f(room, count);
  }
}

template <typename R>
typename R::Acc reduceRow(const typename R::In* x, int64_t n) {
  using Acc = typename R::Acc;
  if constexpr (R::kHasHot) {
    return R::hot()->row(x, n);
  } else if constexpr (requires { R::row(x, n); }) {
    return R::row(x, n);
  } else if constexpr (kIsSmallFloat<typename R::In>) {
    Acc total = R::start();
    overWidened(x, n, [&](const float* wide, int64_t count) { total = R::join(total, R::hot()->row(wide, count)); });
    return total;
  } else {
    // Integers smaller than int are reduced one by one: GCC 12 miscompiles four parallel sums or products of them (for lengths from 12 on that are four to
    // seven above a multiple of eight), and vectorises a single one.
    if (n < 8 || (std::is_integral_v<Acc> && sizeof(Acc) < sizeof(int))) {
      Acc a = R::start();
      for (int64_t i = 0; i < n; ++i) a = R::join(a, R::lift(x[i]));
      return a;
    }
    Acc a = R::lift(x[0]), b = R::lift(x[1]), c = R::lift(x[2]), d = R::lift(x[3]);
    int64_t i = 4;
    for (; i + 4 <= n; i += 4) {
      a = R::join(a, R::lift(x[i]));
      b = R::join(b, R::lift(x[i + 1]));
      c = R::join(c, R::lift(x[i + 2]));
      d = R::join(d, R::lift(x[i + 3]));
    }
    for (; i < n; ++i) a = R::join(a, R::lift(x[i]));
    return R::join(R::join(a, b), R::join(c, d));
  }
}

/// out[j] = the reduction of column j of a matrix with `rows` rows, `stride` elements apart.
template <typename R>
void reduceColumns(const typename R::In* x, int64_t rows, int64_t columns, int64_t stride, typename R::Acc* out) {
  if constexpr (R::kHasHot) {
    R::hot()->columns(x, rows, columns, stride, out);
  } else if constexpr (requires { R::columns(x, rows, columns, stride, out); }) {
    R::columns(x, rows, columns, stride, out);
  } else if constexpr (kIsSmallFloat<typename R::In>) {
    // Blocks of 16 rows and some columns.
    constexpr int64_t kRows = 16, kColumns = 512;
    float room[kRows * kColumns], part[kColumns];
    for (int64_t j = 0; j < columns; j += kColumns) {
      const int64_t width = std::min(kColumns, columns - j);
      std::fill(out + j, out + j + width, R::start());
      for (int64_t r = 0; r < rows; r += kRows) {
        const int64_t count = std::min(kRows, rows - r);
        if (stride == width) {
          formatOf<typename R::In>().widen(&x[r * stride + j].bits, room, count * width);
        } else {
          for (int64_t k = 0; k < count; ++k) formatOf<typename R::In>().widen(&x[(r + k) * stride + j].bits, room + k * width, width);
        }
        R::hot()->columns(room, count, width, width, part);
        for (int64_t k = 0; k < width; ++k) out[j + k] = R::join(out[j + k], part[k]);
      }
    }
  } else {
    std::fill(out, out + columns, R::start());
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t j = 0; j < columns; ++j) out[j] = R::join(out[j], R::lift(x[r * stride + j]));
    }
  }
}

}  // namespace weft::cpu
