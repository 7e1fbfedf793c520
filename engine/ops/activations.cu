#include "device/cuda/elementwise.cuh"

// Activations and their gradient ops.
namespace weft::cuda {
namespace {

constexpr double kSeluScale = 1.0507009873554804934193349852946, kSeluScaleAlpha = 1.7580993408473768599402175208123;

struct Rectify {
  template <typename T>
  static __device__ T of(T x) {
    return x > 0 || x != x ? x : T(0);
  }
};
struct Rectify6 {
  template <typename T>
  static __device__ T of(T x) {
    return x != x ? x : x < 0 ? T(0) : x > 6 ? T(6) : x;
  }
};
struct ExponentialLinear {
  template <typename T>
  static __device__ T of(T x) {
    return x < 0 ? expm1(x) : x;
  }
};
struct ScaledExponentialLinear {
  template <typename T>
  static __device__ T of(T x) {
    return x < 0 ? T(kSeluScaleAlpha) * expm1(x) : T(kSeluScale) * x;
  }
};
struct SoftSign {
  template <typename T>
  static __device__ T of(T x) {
    return x / (1 + fabs(x));
  }
};
/// log(1 + exp(x)); beyond the threshold x itself, and exp(x), are exact.
struct SoftPlus {
  template <typename T>
  static __device__ T of(T x) {
    const T threshold = sizeof(T) == 8 ? T(-34) : T(-14);
    return x > -threshold ? x : x < threshold ? exp(x) : log1p(exp(x));
  }
};

// (dy, x or y) -> dx, in the order of the ops' inputs.
struct RectifyGradient {
  template <typename T>
  static __device__ T of(T dy, T x) {
    return x > 0 ? dy : T(0);
  }
};
struct Rectify6Gradient {
  template <typename T>
  static __device__ T of(T dy, T x) {
    return x > 0 && x < 6 ? dy : T(0);
  }
};
struct ExponentialLinearGradient {
  template <typename T>
  static __device__ T of(T dy, T y) {
    return y < 0 ? dy * (y + 1) : dy;
  }
};
struct ScaledExponentialLinearGradient {
  template <typename T>
  static __device__ T of(T dy, T y) {
    return y < 0 ? dy * (y + T(kSeluScaleAlpha)) : dy * T(kSeluScale);
  }
};
struct SoftSignGradient {
  template <typename T>
  static __device__ T of(T dy, T x) {
    return dy / ((1 + fabs(x)) * (1 + fabs(x)));
  }
};
struct SoftPlusGradient {
  template <typename T>
  static __device__ T of(T dy, T x) {
    return dy / (exp(-x) + 1);
  }
};

template <typename F>
void addFloats(OpRegistry& ops, const char* op) {
  addFor<Half, float, double>(ops, op, []<typename T>(KernelContext& c) { return runUnary<F, T>(c); });
}
template <typename F>
void addGradient(OpRegistry& ops, const char* op) {
  addFor<Half, float, double>(ops, op, []<typename T>(KernelContext& c) { return runPair<F, T>(c); });
}

template <typename T>
Status runLeakyRelu(KernelContext& c) {
  const Tensor& x = c.input(0);
  const Wide<T> alpha = Wide<T>(c.node().attrs.number("alpha", 0.2f));
  WEFT_LET(Tensor * out, c.allocateOrForward(0, x.shape(), {0}));
  const T* from = dataOf<T>(x);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), x.elements(), [=] __device__(int64_t i) {
    const Wide<T> value = from[i];
    to[i] = T(value > 0 ? value : alpha * value);
  });
}

template <typename T>
Status runLeakyReluGrad(KernelContext& c) {
  const Tensor &dy = c.input(0), &x = c.input(1);
  if (dy.shape() != x.shape()) return differentSizes(c);
  const Wide<T> alpha = Wide<T>(c.node().attrs.number("alpha", 0.2f));
  WEFT_LET(Tensor * out, c.allocateOrForward(0, x.shape(), {0, 1}));
  const T *gradient = dataOf<T>(dy), *from = dataOf<T>(x);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), x.elements(), [=] __device__(int64_t i) {
    const Wide<T> d = gradient[i];
    to[i] = T(Wide<T>(from[i]) > 0 ? d : alpha * d);
  });
}

}  // namespace

void registerActivationsGpu(OpRegistry& ops) {
  addFloats<Rectify>(ops, "Relu");
  addGradient<RectifyGradient>(ops, "ReluGrad");
  addFloats<Rectify6>(ops, "Relu6");
  addGradient<Rectify6Gradient>(ops, "Relu6Grad");
  addFloats<ExponentialLinear>(ops, "Elu");
  addGradient<ExponentialLinearGradient>(ops, "EluGrad");
  addFloats<ScaledExponentialLinear>(ops, "Selu");
  addGradient<ScaledExponentialLinearGradient>(ops, "SeluGrad");
  addFloats<SoftSign>(ops, "Softsign");
  addGradient<SoftSignGradient>(ops, "SoftsignGrad");
  addFloats<SoftPlus>(ops, "Softplus");
  addGradient<SoftPlusGradient>(ops, "SoftplusGrad");
  addFor<Half, float, double>(ops, "LeakyRelu", []<typename T>(KernelContext& c) { return runLeakyRelu<T>(c); });
  addFor<Half, float, double>(ops, "LeakyReluGrad", []<typename T>(KernelContext& c) { return runLeakyReluGrad<T>(c); });
}

}  // namespace weft::cuda
