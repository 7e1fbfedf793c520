#pragma once

#include <cstdint>

#include "weft/export.h"

namespace weft::cpu {

/// Positions of the first largest ([0]) or smallest ([1]) elements. For floats only elements better than the lowest (highest) finite number count; 0 if there are
/// none, and NaN is never chosen.
template <typename T>
struct ArgExtremes {
  int64_t (*row[2])(const T* x, int64_t n);
  /// at[j] = the position in column j of a matrix whose n rows are `stride` elements apart; `columns` <= kExtremeColumns.
  void (*columns[2])(const T* x, int64_t n, int64_t stride, int64_t columns, int64_t* at);
};

constexpr int64_t kExtremeColumns = 64;

/// One table per instruction set; all give the same results. No function uses threads.
struct ExtremeKernels {
  ArgExtremes<float> floats;
  ArgExtremes<double> doubles;
  ArgExtremes<int8_t> int8;
  ArgExtremes<uint8_t> uint8;
  ArgExtremes<int16_t> int16;
  ArgExtremes<uint16_t> uint16;
  ArgExtremes<int32_t> int32;
  ArgExtremes<int64_t> int64;
};

/// The table for this processor (WEFT_ISA=v2|v3|v4 in the environment lowers the choice).
WEFT_API const ExtremeKernels& extremeKernels();

}  // namespace weft::cpu
