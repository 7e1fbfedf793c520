#pragma once

#include <cstdint>

#include "weft/export.h"

namespace weft::cpu {

/// Inner loops of random ops, one table per instruction set; all tables give the same bits, except `expSums`. No function uses threads.
struct RandomKernels {
  /// The four numbers of each of `groups` Philox groups whose counters are `step` apart; `counter` is the first group's.
  void (*philox)(uint32_t* out, int64_t groups, const uint32_t counter[4], const uint32_t key[2], uint64_t step);
  /// y[i] = (bits[i] & mask) * scale; exact for masks of up to 24 bits.
  void (*fractions)(float* y, const uint32_t* bits, uint32_t mask, float scale, int64_t n);
  /// y[i] in [0, 1), from 20 bits of bits[2i] and all of bits[2i + 1].
  void (*doubles)(double* y, const uint32_t* bits, int64_t n);
  /// y[i] = low + bits[i] % range, wrapping; range > 0.
  void (*remainders)(uint32_t* y, const uint32_t* bits, uint32_t low, uint32_t range, int64_t n);
  /// sums[i] = e^(x[0] - m) + … + e^(x[i] - m), m being the largest finite x; elements that are not finite add nothing. Returns the last sum.
  double (*expSums)(double* sums, const float* x, int64_t n);
  double (*expSumsOfDoubles)(double* sums, const double* x, int64_t n);
};

/// The table for this processor (WEFT_ISA=v2|v3|v4 in the environment lowers the choice).
WEFT_API const RandomKernels& randomKernels();

}  // namespace weft::cpu
