#include "device/cuda/launch.cuh"

// Element-wise functions of two float32 tensors with broadcasting, comparisons, and Select.
namespace weft::cuda {
namespace {

struct Add {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Subtract {
  __device__ float operator()(float a, float b) const { return a - b; }
};
struct Multiply {
  __device__ float operator()(float a, float b) const { return a * b; }
};
struct Divide {
  __device__ float operator()(float a, float b) const { return a / b; }
};
struct DivideNoNan {
  __device__ float operator()(float a, float b) const { return b == 0 ? 0 : a / b; }
};
struct Larger {
  __device__ float operator()(float a, float b) const { return a < b ? b : a; }
};
struct Smaller {
  __device__ float operator()(float a, float b) const { return b < a ? b : a; }
};
struct SquaredDifference {
  __device__ float operator()(float a, float b) const { return (a - b) * (a - b); }
};
struct Power {
  __device__ float operator()(float a, float b) const { return powf(a, b); }
};
struct IsGreaterEqual {
  __device__ bool operator()(float a, float b) const { return a >= b; }
};
struct IsGreater {
  __device__ bool operator()(float a, float b) const { return a > b; }
};
struct IsLess {
  __device__ bool operator()(float a, float b) const { return a < b; }
};
struct IsLessEqual {
  __device__ bool operator()(float a, float b) const { return a <= b; }
};

template <typename F, typename R>
__global__ void sameShape(const float* a, const float* b, R* out, int64_t n, bool scalarA, bool scalarB) {
  WEFT_GRID_STRIDE(i, n) out[i] = F()(a[scalarA ? 0 : i], b[scalarB ? 0 : i]);
}

template <typename F, typename R>
__global__ void broadcast(const float* a, const float* b, R* out, int64_t n, Broadcast r) {
  WEFT_GRID_STRIDE(i, n) {
    int64_t ia, ib;
    locate(r, i, ia, ib);
    out[i] = F()(a[ia], b[ib]);
  }
}

template <typename F, typename R>
Status runBinary(KernelContext& c) {
  const Tensor &a = c.input(0), &b = c.input(1);
  WEFT_LET(const Shape shape, broadcastShapes(a.shape(), b.shape()));
  WEFT_LET(Tensor * out, c.allocateOrForward(0, shape, {0, 1}));
  CudaDevice& d = deviceOf(c);
  const int64_t n = shape.elements();
  R* to = out->mutableData<R>();
  const bool whole = (a.elements() == n || a.elements() == 1) && (b.elements() == n || b.elements() == 1);
  if (whole) {
    WEFT_LAUNCH(d, n, (sameShape<F, R>), a.data<float>(), b.data<float>(), to, n, a.elements() == 1, b.elements() == 1);
    return {};
  }
  if (shape.rank() > 8) return unimplemented(c.node().op, " on the GPU broadcasts up to 8 dims, got ", shape.rank());
  WEFT_LAUNCH(d, n, (broadcast<F, R>), a.data<float>(), b.data<float>(), to, n, broadcastOf(shape, a.shape(), b.shape()));
  return {};
}

__global__ void choose(const bool* pick, const float* a, const float* b, float* out, int64_t n, bool scalarPick, bool scalarA, bool scalarB) {
  WEFT_GRID_STRIDE(i, n) out[i] = pick[scalarPick ? 0 : i] ? a[scalarA ? 0 : i] : b[scalarB ? 0 : i];
}

Status runSelect(KernelContext& c) {
  const Tensor &pick = c.input(0), &a = c.input(1), &b = c.input(2);
  const Shape& shape = a.elements() >= b.elements() ? a.shape() : b.shape();
  const int64_t n = shape.elements();
  const auto fits = [&](const Tensor& t) { return t.elements() == n || t.elements() == 1; };
  if (!fits(pick) || !fits(a) || !fits(b)) {
    return unimplemented(c.node().op, " on the GPU takes equal shapes and scalars, got ", pick.shape().toString(), ", ", a.shape().toString(), ", ",
                         b.shape().toString());
  }
  WEFT_LET(Tensor * out, c.allocateOrForward(0, shape, {1, 2}));
  WEFT_LAUNCH(deviceOf(c), n, choose, pick.data<bool>(), a.data<float>(), b.data<float>(), out->mutableData<float>(), n, pick.elements() == 1,
              a.elements() == 1, b.elements() == 1);
  return {};
}

}  // namespace

void registerBinaryMathGpu(OpRegistry& ops) {
  addFloat(ops, "Add", runBinary<Add, float>);
  addFloat(ops, "AddV2", runBinary<Add, float>);
  addFloat(ops, "Sub", runBinary<Subtract, float>);
  addFloat(ops, "Mul", runBinary<Multiply, float>);
  addFloat(ops, "RealDiv", runBinary<Divide, float>);
  addFloat(ops, "DivNoNan", runBinary<DivideNoNan, float>);
  addFloat(ops, "Maximum", runBinary<Larger, float>);
  addFloat(ops, "Minimum", runBinary<Smaller, float>);
  addFloat(ops, "SquaredDifference", runBinary<SquaredDifference, float>);
  addFloat(ops, "Pow", runBinary<Power, float>);
  addFloat(ops, "GreaterEqual", runBinary<IsGreaterEqual, bool>);
  addFloat(ops, "Greater", runBinary<IsGreater, bool>);
  addFloat(ops, "Less", runBinary<IsLess, bool>);
  addFloat(ops, "LessEqual", runBinary<IsLessEqual, bool>);
  addFloat(ops, "Select", runSelect);
  addFloat(ops, "SelectV2", runSelect);
}

}  // namespace weft::cuda
