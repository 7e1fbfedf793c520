#include <Eigen/Core>

#include "device/cpu/hot.h"
#include "device/cpu/hot_optimizers.h"

namespace {
inline Eigen::half root(Eigen::half x) { return Eigen::numext::sqrt(x); }
inline Eigen::bfloat16 root(Eigen::bfloat16 x) { return Eigen::numext::sqrt(x); }
inline Eigen::half power(Eigen::half x, Eigen::half y) { return Eigen::numext::pow(x, y); }
inline Eigen::bfloat16 power(Eigen::bfloat16 x, Eigen::bfloat16 y) { return Eigen::numext::pow(x, y); }
inline Eigen::half exponential(Eigen::half x) { return Eigen::numext::exp(x); }
inline Eigen::bfloat16 exponential(Eigen::bfloat16 x) { return Eigen::numext::exp(x); }
}  // namespace

#include "device/cpu/optimizer_steps.h"

namespace weft::cpu {

extern const OptimizerStep<float> hotOptimizers_v2[], hotOptimizers_v3[], hotOptimizers_v4[];
extern const OptimizerStep<double> hotDoubleOptimizers_v2[], hotDoubleOptimizers_v3[], hotDoubleOptimizers_v4[];

template <typename T>
OptimizerStep<T> optimizerStep(Optimizer optimizer) {
  static constexpr OptimizerStep<T> kSteps[] = {WEFT_OPTIMIZER_STEPS(T)};
  static_assert(int(sizeof(kSteps) / sizeof(kSteps[0])) == int(Optimizer::Count));
  return kSteps[int(optimizer)];
}
template OptimizerStep<Eigen::half> optimizerStep<Eigen::half>(Optimizer);
template OptimizerStep<Eigen::bfloat16> optimizerStep<Eigen::bfloat16>(Optimizer);

template <>
OptimizerStep<float> optimizerStep<float>(Optimizer optimizer) {
  const char level = hotTable().isa[1];
  return (level == '4' ? hotOptimizers_v4 : level == '3' ? hotOptimizers_v3 : hotOptimizers_v2)[int(optimizer)];
}
template <>
OptimizerStep<double> optimizerStep<double>(Optimizer optimizer) {
  const char level = hotTable().isa[1];
  return (level == '4' ? hotDoubleOptimizers_v4 : level == '3' ? hotDoubleOptimizers_v3 : hotDoubleOptimizers_v2)[int(optimizer)];
}

}  // namespace weft::cpu
