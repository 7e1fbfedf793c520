#include "device/cuda/launch.cuh"

// Dense updates of float32 variables on the GPU. Rates and decays stay in host memory.
namespace weft::cuda {
namespace {

__global__ void descend(float* v, const float* g, int64_t n, float rate) { WEFT_GRID_STRIDE(i, n) v[i] -= rate * g[i]; }
__global__ void momentum(float* v, float* m, const float* g, int64_t n, float rate, float decay, bool nesterov) {
  WEFT_GRID_STRIDE(i, n) {
    const float a = m[i] * decay + g[i];
    m[i] = a;
    v[i] -= nesterov ? g[i] * rate + a * decay * rate : a * rate;
  }
}
__global__ void adam(float* v, float* m, float* s, const float* g, int64_t n, float rate, float beta1, float beta2, float epsilon, bool nesterov) {
  WEFT_GRID_STRIDE(i, n) {
    const float mi = m[i] + (g[i] - m[i]) * (1 - beta1), si = s[i] + (g[i] * g[i] - s[i]) * (1 - beta2);
    m[i] = mi;
    s[i] = si;
    v[i] -= (nesterov ? g[i] * (1 - beta1) + beta1 * mi : mi) * rate / (sqrtf(si) + epsilon);
  }
}
__global__ void adagrad(float* v, float* a, const float* g, int64_t n, float rate, bool updateSlots) {
  WEFT_GRID_STRIDE(i, n) {
    if (updateSlots) a[i] += g[i] * g[i];
    v[i] -= g[i] * rate * rsqrtf(a[i]);
  }
}
__global__ void accumulate(float* v, const float* x, int64_t n, float sign) { WEFT_GRID_STRIDE(i, n) v[i] += sign * x[i]; }

float number(KernelContext& c, int i) { return float(c.input(i).asDouble(0)); }

Status sameShapeAs(const Shape& variable, const Tensor& gradient) {
  if (variable == gradient.shape()) return {};
  return invalidArgument("var and delta do not have the same shape", variable.toString(), " ", gradient.shape().toString());
}

Status runDescent(KernelContext& c) {
  WEFT_LET(auto v, c.update({0}));
  WEFT_TRY(sameShapeAs(v[0].shape(), c.input(2)));
  const int64_t n = v[0].value().elements();
  WEFT_LAUNCH(deviceOf(c), n, descend, v[0].data<float>(), c.input(2).data<float>(), n, number(c, 1));
  if (c.outputCount()) c.forwardRef(0, 0);
  return {};
}

Status runMomentum(KernelContext& c) {
  WEFT_LET(auto v, c.update({0, 1}));
  WEFT_TRY(sameShapeAs(v[0].shape(), c.input(3)));
  const int64_t n = v[0].value().elements();
  WEFT_LAUNCH(deviceOf(c), n, momentum, v[0].data<float>(), v[1].data<float>(), c.input(3).data<float>(), n, number(c, 2), number(c, 4),
              c.node().attrs.flag("use_nesterov"));
  if (c.outputCount()) c.forwardRef(0, 0);
  return {};
}

Status runAdagrad(KernelContext& c) {
  WEFT_LET(auto v, c.update({0, 1}));
  WEFT_TRY(sameShapeAs(v[0].shape(), c.input(3)));
  const int64_t n = v[0].value().elements();
  WEFT_LAUNCH(deviceOf(c), n, adagrad, v[0].data<float>(), v[1].data<float>(), c.input(3).data<float>(), n, number(c, 2),
              c.node().attrs.flag("update_slots", true));
  if (c.outputCount()) c.forwardRef(0, 0);
  return {};
}

/// Inputs: var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad.
Status runAdam(KernelContext& c) {
  WEFT_LET(auto v, c.update({0, 1, 2}));
  WEFT_TRY(sameShapeAs(v[0].shape(), c.input(9)));
  const int64_t n = v[0].value().elements();
  const float rate = number(c, 5) * sqrtf(1 - number(c, 4)) / (1 - number(c, 3));
  WEFT_LAUNCH(deviceOf(c), n, adam, v[0].data<float>(), v[1].data<float>(), v[2].data<float>(), c.input(9).data<float>(), n, rate, number(c, 6), number(c, 7),
              number(c, 8), c.node().attrs.flag("use_nesterov"));
  if (c.outputCount()) c.forwardRef(0, 0);
  return {};
}

template <int kSign>
Status runAssignAdd(KernelContext& c) {
  WEFT_LET(auto v, c.update({0}));
  WEFT_TRY(sameShapeAs(v[0].shape(), c.input(1)));
  const int64_t n = v[0].value().elements();
  WEFT_LAUNCH(deviceOf(c), n, accumulate, v[0].data<float>(), c.input(1).data<float>(), n, float(kSign));
  if (c.outputCount()) c.forwardRef(0, 0);
  return {};
}

}  // namespace

void registerOptimizersGpu(OpRegistry& ops) {
  addFloat(ops, "ApplyGradientDescent", runDescent, {"alpha"});
  addFloat(ops, "ApplyMomentum", runMomentum, {"lr", "momentum"});
  addFloat(ops, "ApplyAdagrad", runAdagrad, {"lr"});
  addFloat(ops, "ApplyAdam", runAdam, {"beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon"});
  addFloat(ops, "AssignAdd", runAssignAdd<1>);
  addFloat(ops, "AssignSub", runAssignAdd<-1>);
}

}  // namespace weft::cuda
