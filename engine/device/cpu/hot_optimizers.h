#pragma once

namespace weft::cpu {

/// Optimizers whose step is a function over spans (optimizer_steps.h), in the order of the tables.
enum class Optimizer : int {
  GradientDescent,
  ProximalGradientDescent,
  Momentum,
  KerasMomentum,
  Adagrad,
  AdagradV2,
  AdagradDA,
  ProximalAdagrad,
  Adadelta,
  Adam,
  AdamWithAmsgrad,
  AdaMax,
  RMSProp,
  CenteredRMSProp,
  AddSign,
  PowerSign,
  Ftrl,
  FtrlV2,
  Count
};

template <typename T>
using OptimizerStep = void (*)(T* const* slots, const T* gradient, const T* scalars, bool flag, long n);

/// The step for float (compiled for this machine's instruction set, hot.h), double, Eigen::half or Eigen::bfloat16. The 16-bit types round after every
/// operation, as in TensorFlow.
template <typename T>
OptimizerStep<T> optimizerStep(Optimizer optimizer);

}  // namespace weft::cpu
