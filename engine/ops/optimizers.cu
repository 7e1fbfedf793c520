#include "ops/optimizer_ops.h"

#include <algorithm>
#include <cassert>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// The update ops of optimizers, by the CPU's formulas. Learning rates and other scalars stay in device memory, so that a step waits for nothing.
namespace weft::cuda {
namespace {

/// A half in a float that is rounded after every operation, as on the CPU.
struct Rounded {
  float v;
  Rounded() = default;
  __device__ explicit Rounded(float x) : v(Half(x)) {}
  __device__ Rounded(Half x) : v(x) {}
  __device__ operator Half() const { return Half(v); }
  __device__ friend Rounded operator+(Rounded a, Rounded b) { return Rounded(a.v + b.v); }
  __device__ friend Rounded operator-(Rounded a, Rounded b) { return Rounded(a.v - b.v); }
  __device__ friend Rounded operator*(Rounded a, Rounded b) { return Rounded(a.v * b.v); }
  __device__ friend Rounded operator/(Rounded a, Rounded b) { return Rounded(a.v / b.v); }
  __device__ friend Rounded operator-(Rounded a) { return Rounded(-a.v); }
  __device__ friend Rounded& operator+=(Rounded& a, Rounded b) { return a = a + b; }
  __device__ friend Rounded& operator-=(Rounded& a, Rounded b) { return a = a - b; }
  __device__ friend bool operator<(Rounded a, Rounded b) { return a.v < b.v; }
  __device__ friend bool operator>(Rounded a, Rounded b) { return a.v > b.v; }
};

}  // namespace
}  // namespace weft::cuda

namespace {
using weft::cuda::Rounded;
__device__ inline float root(float x) { return sqrtf(x); }
__device__ inline double root(double x) { return sqrt(x); }
__device__ inline Rounded root(Rounded x) { return Rounded(sqrtf(x.v)); }
__device__ inline float exponential(float x) { return expf(x); }
__device__ inline double exponential(double x) { return exp(x); }
__device__ inline Rounded exponential(Rounded x) { return Rounded(expf(x.v)); }
}  // namespace
#define WEFT_STEP_CODE __device__
#include "device/cpu/optimizer_steps.h"

namespace weft::cuda {
namespace {

using cpu::Optimizer;

template <Optimizer kOptimizer, typename T>
__device__ void step(T* const* s, const T* g, const T* p, bool flag) {
  constexpr Optimizer o = kOptimizer;
  if constexpr (o == Optimizer::GradientDescent) gradientDescent(s, g, p, flag, 1);
  else if constexpr (o == Optimizer::Momentum) momentum(s, g, p, flag, 1);
  else if constexpr (o == Optimizer::KerasMomentum) kerasMomentum(s, g, p, flag, 1);
  else if constexpr (o == Optimizer::Adagrad) adagrad(s, g, p, flag, 1);
  else if constexpr (o == Optimizer::AdagradV2) adagradV2(s, g, p, flag, 1);
  else if constexpr (o == Optimizer::Adadelta) adadelta(s, g, p, flag, 1);
  else if constexpr (o == Optimizer::Adam) adam(s, g, p, flag, 1);
  else if constexpr (o == Optimizer::AdamWithAmsgrad) adamWithAmsgrad(s, g, p, flag, 1);
  else if constexpr (o == Optimizer::AdaMax) adaMax(s, g, p, flag, 1);
  else if constexpr (o == Optimizer::RMSProp) rmsProp(s, g, p, flag, 1);
  else if constexpr (o == Optimizer::CenteredRMSProp) centeredRmsProp(s, g, p, flag, 1);
  else if constexpr (o == Optimizer::AddSign) addSign(s, g, p, flag, 1);
  else powerSign(s, g, p, flag, 1);
}

template <typename T, int kSlots, int kScalars>
struct Operands {
  T* slots[kSlots];
  const T* scalars[kScalars];
  const T* gradient;
};

template <Optimizer kOptimizer, typename T, int kSlots, int kScalars>
Status launch(CudaDevice& d, int64_t n, const Operands<T, kSlots, kScalars>& operands, bool flag) {
  return forEach(d, n, [o = operands, flag] __device__(int64_t i) {
    using S = std::conditional_t<std::is_same_v<T, Half>, Rounded, T>;
    S values[kSlots], scalars[kScalars];
    S* slots[kSlots];
    for (int k = 0; k < kSlots; ++k) {
      values[k] = o.slots[k][i];
      slots[k] = &values[k];
    }
    for (int k = 0; k < kScalars; ++k) scalars[k] = *o.scalars[k];
    const S gradient = o.gradient[i];
    step<kOptimizer, S>(slots, &gradient, scalars, flag);
    for (int k = 0; k < kSlots; ++k) o.slots[k][i] = values[k];
  });
}

template <Optimizer kOptimizer, typename T, int kSlots, int kScalars>
class OptimizerKernel final : public Kernel {
 public:
  OptimizerKernel(const OptimizerOp& op, KernelInit& init) : op_(op), roles_(rolesOf(op, false)), flag_(flagOf(op, init.attrs())) {
    assert(op.slots == kSlots && roles_.scalars.size() == size_t(kScalars));
  }
  Status compute(KernelContext& c) override {
    WEFT_TRY(requireScalars(c, roles_));
    WEFT_LET(auto updates, lockSlots(c, op_, roles_));
    const Tensor& gradient = c.input(roles_.gradient);
    WEFT_TRY(checkSlots(op_, roles_, updates, gradient));
    Operands<T, kSlots, kScalars> o;
    for (int k = 0; k < kSlots; ++k) o.slots[k] = mutableDataOf<T>(updates[size_t(k)].value());
    for (int k = 0; k < kScalars; ++k) o.scalars[k] = input<T>(c, roles_.scalars[size_t(k)]);
    o.gradient = dataOf<T>(gradient);
    WEFT_TRY(launch<kOptimizer>(deviceOf(c), gradient.elements(), o, flag_));
    if (c.outputCount() > 0) c.forwardRef(0, 0);
    return {};
  }

 private:
  const OptimizerOp& op_;
  const OptimizerRoles roles_;
  const bool flag_;
};

template <Optimizer kOptimizer, typename T, int kSlots, int kScalars>
void addTo(OpRecord& record, const OptimizerOp& op, const std::vector<std::string>& hostMemory) {
  record.kernel("GPU", {{"T", {kDType<T>}}}, hostMemory, [&op](KernelInit& init) -> Result<std::unique_ptr<Kernel>> {
    return std::unique_ptr<Kernel>(std::make_unique<OptimizerKernel<kOptimizer, T, kSlots, kScalars>>(op, init));
  });
}

template <Optimizer kOptimizer, int kSlots, int kScalars>
void add(OpRegistry& ops) {
  const auto table = optimizerOps();
  const OptimizerOp& op = *std::find_if(table.begin(), table.end(), [](const OptimizerOp& o) { return o.optimizer == kOptimizer; });
  const std::vector<std::string> names = rolesOf(op, false).names, handles(names.begin(), names.begin() + kSlots);
  for (const bool resource : {false, true}) {
    OpRecord* record = ops.findMutable(std::string(resource ? "Resource" : "") + "Apply" + op.name);
    if (!record) continue;
    const std::vector<std::string> hostMemory = resource ? handles : std::vector<std::string>();
    addTo<kOptimizer, Half, kSlots, kScalars>(*record, op, hostMemory);
    addTo<kOptimizer, float, kSlots, kScalars>(*record, op, hostMemory);
    addTo<kOptimizer, double, kSlots, kScalars>(*record, op, hostMemory);
  }
}

}  // namespace

void registerOptimizersGpu(OpRegistry& ops) {
  add<Optimizer::GradientDescent, 1, 1>(ops);
  add<Optimizer::Momentum, 2, 2>(ops);
  add<Optimizer::KerasMomentum, 2, 2>(ops);
  add<Optimizer::Adagrad, 2, 1>(ops);
  add<Optimizer::AdagradV2, 2, 2>(ops);
  add<Optimizer::Adadelta, 3, 3>(ops);
  add<Optimizer::Adam, 3, 6>(ops);
  add<Optimizer::AdamWithAmsgrad, 4, 6>(ops);
  add<Optimizer::AdaMax, 3, 5>(ops);
  add<Optimizer::RMSProp, 3, 4>(ops);
  add<Optimizer::CenteredRMSProp, 4, 4>(ops);
  add<Optimizer::AddSign, 2, 4>(ops);
  add<Optimizer::PowerSign, 2, 4>(ops);
}

}  // namespace weft::cuda
