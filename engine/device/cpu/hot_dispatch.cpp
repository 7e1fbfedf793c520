#include <cpuid.h>

#include <cstdlib>
#include <cstring>

#include "device/cpu/hot.h"

namespace weft::cpu {

#define WEFT_ISA_TABLE(isa)                                                                                                    \
  extern const HotList hotUnary_##isa, hotBinary_##isa, hotMath_##isa, hotIntegers_##isa;                                      \
  extern const HotFormat hotHalf_##isa, hotBFloat16_##isa;                                                                     \
  extern const HotReduction hotSum_##isa, hotProd_##isa, hotMax_##isa, hotMin_##isa;                                           \
  extern const ChainFunction hotChain_##isa;                                                                                   \
  static HotTable table_##isa() {                                                                                              \
    return {#isa,         hotUnary_##isa, hotBinary_##isa, hotMath_##isa, hotIntegers_##isa, hotHalf_##isa, hotBFloat16_##isa, \
            hotSum_##isa, hotProd_##isa,  hotMax_##isa,    hotMin_##isa,  hotChain_##isa};                                     \
  }
WEFT_ISA_TABLE(v2)
WEFT_ISA_TABLE(v3)
WEFT_ISA_TABLE(v4)

/// Uses cpuid directly, because not every compiler's __builtin_cpu_supports knows F16C.
static bool hasF16c() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

static HotTable choose() {
  const char* wanted = std::getenv("WEFT_ISA");
  const bool v3 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("bmi") && hasF16c();
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (wanted && std::strcmp(wanted, "v2") == 0) return table_v2();
  if (v3 && wanted && std::strcmp(wanted, "v3") == 0) return table_v3();
  return v4 ? table_v4() : v3 ? table_v3() : table_v2();
}

const HotTable& hotTable() {
  static const HotTable table = choose();
  return table;
}

}  // namespace weft::cpu
