#include <Eigen/Core>
#include <algorithm>
#include <utility>

#include "device/cpu/hot.h"
#include "device/cpu/hot_optimizers.h"
#include "weft/export.h"

namespace weft::cpu {

/// hot_optimizers.cpp, for one instruction set each.
typedef void (*RoundedStep)(int optimizer, float* const* slots, const float* gradient, const float* scalars, bool flag, long n);
extern const OptimizerStep<float> hotOptimizers_v2[], hotOptimizers_v3[], hotOptimizers_v4[];
extern const OptimizerStep<double> hotDoubleOptimizers_v2[], hotDoubleOptimizers_v3[], hotDoubleOptimizers_v4[];
extern const RoundedStep hotHalfOptimizers_v2, hotHalfOptimizers_v3, hotHalfOptimizers_v4;
extern const RoundedStep hotBFloat16Optimizers_v2, hotBFloat16Optimizers_v3, hotBFloat16Optimizers_v4;

namespace {

template <typename T>
T forThisMachine(T v2, T v3, T v4) {
  const char level = hotTable().isa[1];
  return level == '4' ? v4 : level == '3' ? v3 : v2;
}

/// The variable and its slots, by optimizer.
constexpr int kSlots[] = {1, 1, 2, 2, 2, 2, 3, 2, 3, 3, 4, 3, 3, 4, 2, 2, 3, 3};
static_assert(int(std::size(kSlots)) == int(Optimizer::Count));

/// Blocks of 16-bit elements are widened, and the slots narrowed again.
template <typename T, int optimizer>
void steps(T* const* slots, const T* gradient, const T* scalars, bool flag, long n) {
  constexpr bool isHalf = std::is_same_v<T, Eigen::half>;
  constexpr long kBlock = 512;
  constexpr int kCount = kSlots[optimizer], kMostScalars = 8;
  const HotFormat& format = isHalf ? hotTable().half : hotTable().bfloat16;
  const RoundedStep step = isHalf ? forThisMachine(hotHalfOptimizers_v2, hotHalfOptimizers_v3, hotHalfOptimizers_v4)
                                  : forThisMachine(hotBFloat16Optimizers_v2, hotBFloat16Optimizers_v3, hotBFloat16Optimizers_v4);
  const auto bits = [](auto* p) {
    return reinterpret_cast<std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(p)>>, const uint16_t, uint16_t>*>(p);
  };
  float wide[kCount + 1][kBlock], parameters[kMostScalars];
  float* blocks[kCount];
  for (int k = 0; k < kCount; ++k) blocks[k] = wide[k];
  format.widen(bits(scalars), parameters, kMostScalars);
  for (long i = 0; i < n; i += kBlock) {
    const long count = std::min(kBlock, n - i);
    for (int k = 0; k < kCount; ++k) format.widen(bits(slots[k] + i), wide[k], count);
    format.widen(bits(gradient + i), wide[kCount], count);
    step(optimizer, blocks, wide[kCount], parameters, flag, count);
    for (int k = 0; k < kCount; ++k) format.narrow(wide[k], bits(slots[k] + i), count);
  }
}

template <typename T, int... optimizer>
OptimizerStep<T> stepOf16Bits(Optimizer wanted, std::integer_sequence<int, optimizer...>) {
  static constexpr OptimizerStep<T> kSteps[] = {steps<T, optimizer>...};
  return kSteps[int(wanted)];
}
using All = std::make_integer_sequence<int, int(Optimizer::Count)>;

}  // namespace

template <>
WEFT_API OptimizerStep<float> optimizerStep<float>(Optimizer optimizer) {
  return forThisMachine(hotOptimizers_v2, hotOptimizers_v3, hotOptimizers_v4)[int(optimizer)];
}
template <>
WEFT_API OptimizerStep<double> optimizerStep<double>(Optimizer optimizer) {
  return forThisMachine(hotDoubleOptimizers_v2, hotDoubleOptimizers_v3, hotDoubleOptimizers_v4)[int(optimizer)];
}
template <>
WEFT_API OptimizerStep<Eigen::half> optimizerStep<Eigen::half>(Optimizer optimizer) {
  return stepOf16Bits<Eigen::half>(optimizer, All());
}
template <>
WEFT_API OptimizerStep<Eigen::bfloat16> optimizerStep<Eigen::bfloat16>(Optimizer optimizer) {
  return stepOf16Bits<Eigen::bfloat16>(optimizer, All());
}

}  // namespace weft::cpu
