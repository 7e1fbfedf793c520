#include "device/cpu/hot.h"
#include "device/cpu/hot_optimizers.h"
#include "device/cpu/optimizer_steps.h"

namespace weft::cpu {

extern const OptimizerStep<float> hotOptimizers_v2[], hotOptimizers_v3[], hotOptimizers_v4[];

OptimizerStep<float> floatStep(Optimizer optimizer) {
  const char level = hotTable().isa[1];
  return (level == '4' ? hotOptimizers_v4 : level == '3' ? hotOptimizers_v3 : hotOptimizers_v2)[int(optimizer)];
}

OptimizerStep<double> doubleStep(Optimizer optimizer) {
  static constexpr OptimizerStep<double> kSteps[] = {WEFT_OPTIMIZER_STEPS(double)};
  static_assert(int(sizeof(kSteps) / sizeof(kSteps[0])) == int(Optimizer::Count));
  return kSteps[int(optimizer)];
}

}  // namespace weft::cpu
