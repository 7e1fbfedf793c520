// Compiled once per instruction set, with WEFT_ISA_NAME = v2, v3 or v4 (see hot.h).
#include "device/cpu/optimizer_steps.h"

#define WEFT_JOIN2(a, b) a##b
#define WEFT_JOIN(a, b) WEFT_JOIN2(a, b)

namespace weft::cpu {

typedef void (*FloatStep)(float* const*, const float*, const float*, bool, long);
typedef void (*DoubleStep)(double* const*, const double*, const double*, bool, long);
extern const FloatStep WEFT_JOIN(hotOptimizers_, WEFT_ISA_NAME)[];
const FloatStep WEFT_JOIN(hotOptimizers_, WEFT_ISA_NAME)[] = {WEFT_OPTIMIZER_STEPS(float)};
extern const DoubleStep WEFT_JOIN(hotDoubleOptimizers_, WEFT_ISA_NAME)[];
const DoubleStep WEFT_JOIN(hotDoubleOptimizers_, WEFT_ISA_NAME)[] = {WEFT_OPTIMIZER_STEPS(double)};

}  // namespace weft::cpu
