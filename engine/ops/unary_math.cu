#include "device/cuda/launch.cuh"

// Element-wise functions of one float32 tensor, gradient ops of some of them, and activations.
namespace weft::cuda {
namespace {

struct Negate {
  __device__ float operator()(float x) const { return -x; }
};
struct Absolute {
  __device__ float operator()(float x) const { return fabsf(x); }
};
struct SquareOf {
  __device__ float operator()(float x) const { return x * x; }
};
struct Root {
  __device__ float operator()(float x) const { return sqrtf(x); }
};
struct ReciprocalRoot {
  __device__ float operator()(float x) const { return rsqrtf(x); }
};
struct Inverse {
  __device__ float operator()(float x) const { return 1 / x; }
};
struct Exponential {
  __device__ float operator()(float x) const { return expf(x); }
};
struct Logarithm {
  __device__ float operator()(float x) const { return logf(x); }
};
struct LogarithmOfOnePlus {
  __device__ float operator()(float x) const { return log1pf(x); }
};
struct HyperbolicTangent {
  __device__ float operator()(float x) const { return tanhf(x); }
};
struct Logistic {
  __device__ float operator()(float x) const { return 1 / (1 + expf(-x)); }
};
struct Rectify {
  __device__ float operator()(float x) const { return x > 0 || x != x ? x : 0; }
};
struct Zero {
  __device__ float operator()(float) const { return 0; }
};

// (y or x, dy) -> dx, in the order of the ops' inputs.
struct TanhGradient {
  __device__ float operator()(float y, float dy) const { return dy * (1 - y * y); }
};
struct SigmoidGradient {
  __device__ float operator()(float y, float dy) const { return dy * y * (1 - y); }
};
struct SqrtGradient {
  __device__ float operator()(float y, float dy) const { return dy == 0 ? 0 : 0.5f * dy / y; }
};
struct RsqrtGradient {
  __device__ float operator()(float y, float dy) const { return dy == 0 ? 0 : -0.5f * dy * y * y * y; }
};
struct ReluGradient {
  __device__ float operator()(float dy, float x) const { return dy * (x > 0 ? 1.0f : 0.0f); }
};

template <typename F>
__global__ void apply(const float* x, float* out, int64_t n) {
  WEFT_GRID_STRIDE(i, n) out[i] = F()(x[i]);
}
template <typename F>
__global__ void apply2(const float* a, const float* b, float* out, int64_t n) {
  WEFT_GRID_STRIDE(i, n) out[i] = F()(a[i], b[i]);
}

template <typename F>
Status runUnary(KernelContext& c) {
  const Tensor& x = c.input(0);
  WEFT_LET(Tensor * out, c.allocateOrForward(0, x.shape(), {0}));
  const int64_t n = x.elements();
  WEFT_LAUNCH(deviceOf(c), n, apply<F>, x.data<float>(), out->mutableData<float>(), n);
  return {};
}

template <typename F>
Status runGradient(KernelContext& c) {
  const Tensor &a = c.input(0), &b = c.input(1);
  if (a.elements() != b.elements()) return invalidArgument("Inputs must have one shape, got ", a.shape().toString(), " and ", b.shape().toString());
  WEFT_LET(Tensor * out, c.allocateOrForward(0, a.shape(), {0, 1}));
  const int64_t n = a.elements();
  WEFT_LAUNCH(deviceOf(c), n, apply2<F>, a.data<float>(), b.data<float>(), out->mutableData<float>(), n);
  return {};
}

template <typename From, typename To>
__global__ void convert(const From* x, To* out, int64_t n) {
  WEFT_GRID_STRIDE(i, n) out[i] = To(x[i]);
}

template <typename From, typename To>
Status runCast(KernelContext& c) {
  const Tensor& x = c.input(0);
  WEFT_LET(Tensor * out, c.allocate(0, x.shape()));
  const int64_t n = x.elements();
  WEFT_LAUNCH(deviceOf(c), n, (convert<From, To>), x.data<From>(), out->mutableData<To>(), n);
  return {};
}

template <typename From, typename To>
void addCast(OpRecord& cast) {
  cast.kernel("GPU", {{"SrcT", {DTypeOf<From>::value}}, {"DstT", {DTypeOf<To>::value}}}, {}, simpleKernel(runCast<From, To>));
}

}  // namespace

void registerUnaryMathGpu(OpRegistry& ops) {
  addFloat(ops, "Neg", runUnary<Negate>);
  addFloat(ops, "Abs", runUnary<Absolute>);
  addFloat(ops, "Square", runUnary<SquareOf>);
  addFloat(ops, "Sqrt", runUnary<Root>);
  addFloat(ops, "Rsqrt", runUnary<ReciprocalRoot>);
  addFloat(ops, "Reciprocal", runUnary<Inverse>);
  addFloat(ops, "Exp", runUnary<Exponential>);
  addFloat(ops, "Log", runUnary<Logarithm>);
  addFloat(ops, "Log1p", runUnary<LogarithmOfOnePlus>);
  addFloat(ops, "Tanh", runUnary<HyperbolicTangent>);
  addFloat(ops, "Sigmoid", runUnary<Logistic>);
  addFloat(ops, "Relu", runUnary<Rectify>);
  addFloat(ops, "ZerosLike", runUnary<Zero>);
  addFloat(ops, "TanhGrad", runGradient<TanhGradient>);
  addFloat(ops, "SigmoidGrad", runGradient<SigmoidGradient>);
  addFloat(ops, "SqrtGrad", runGradient<SqrtGradient>);
  addFloat(ops, "RsqrtGrad", runGradient<RsqrtGradient>);
  addFloat(ops, "ReluGrad", runGradient<ReluGradient>);
  if (OpRecord* cast = ops.findMutable("Cast")) {
    addCast<bool, float>(*cast);
    addCast<int32_t, float>(*cast);
    addCast<int64_t, float>(*cast);
    addCast<float, int32_t>(*cast);
    addCast<float, int64_t>(*cast);
  }
}

}  // namespace weft::cuda
