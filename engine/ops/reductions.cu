#include <vector>

#include "device/cuda/launch.cuh"

// Sum, Mean, Max and Min over adjacent axes. One block computes each output in a fixed order.
namespace weft::cuda {
namespace {

struct Adds {
  static __device__ float start() { return 0; }
  static __device__ float join(float a, float b) { return a + b; }
};
struct Maxes {
  static __device__ float start() { return -INFINITY; }
  static __device__ float join(float a, float b) { return a < b ? b : a; }
};
struct Mins {
  static __device__ float start() { return INFINITY; }
  static __device__ float join(float a, float b) { return b < a ? b : a; }
};

/// x is [outer, reduced, inner]; out is [outer, inner].
template <typename F>
__global__ void reduce(const float* x, float* out, int64_t outer, int64_t reduced, int64_t inner, float scale) {
  __shared__ float part[kThreads];
  for (int64_t o = blockIdx.x; o < outer * inner; o += gridDim.x) {
    const float* from = x + o / inner * reduced * inner + o % inner;
    float value = F::start();
    for (int64_t r = threadIdx.x; r < reduced; r += blockDim.x) value = F::join(value, from[r * inner]);
    part[threadIdx.x] = value;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) part[threadIdx.x] = F::join(part[threadIdx.x], part[threadIdx.x + half]);
      __syncthreads();
    }
    if (threadIdx.x == 0) out[o] = part[0] * scale;
    __syncthreads();
  }
}

template <typename F, bool kMean>
Status runReduction(KernelContext& c) {
  const Tensor &x = c.input(0), &axes = c.input(1);
  std::vector<bool> over(size_t(x.rank()), false);
  for (int64_t i = 0; i < axes.elements(); ++i) {
    int64_t a = axes.asInt(i);
    if (a < -x.rank() || a >= x.rank()) return invalidArgument("Invalid reduction dimension (", a, " for input with ", x.rank(), " dimension(s)");
    over[size_t(a < 0 ? a + x.rank() : a)] = true;
  }
  const bool keep = c.node().attrs.flag("keep_dims");
  Shape shape;
  int64_t outer = 1, reduced = 1, inner = 1;
  int stage = 0;  // before, in, or after the reduced axes
  for (int d = 0; d < x.rank(); ++d) {
    if (over[size_t(d)]) {
      if (stage == 2 && x.dim(d) != 1) return unimplemented(c.node().op, " on the GPU reduces axes that lie together; got a gap before axis ", d);
      if (stage == 0) stage = 1;
      reduced *= x.dim(d);
      if (keep) shape.append(1);
    } else {
      if (stage == 1 && x.dim(d) != 1) stage = 2;
      (stage == 2 ? inner : outer) *= x.dim(d);
      shape.append(x.dim(d));
    }
  }
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  const int64_t n = outer * inner;
  if (n == 0) return {};
  const unsigned blocks = unsigned(n < 65535 ? n : 65535);
  reduce<F>
      <<<blocks, kThreads, 0, deviceOf(c).stream()>>>(x.data<float>(), out->mutableData<float>(), outer, reduced, inner, kMean ? 1.0f / float(reduced) : 1.0f);
  WEFT_CUDA_TRY(cudaGetLastError());
  return {};
}

__global__ void halfSquares(const float* x, float* out, int64_t n) {
  __shared__ float part[kThreads];
  float sum = 0;
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x) sum += x[i] * x[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = part[0] / 2;
}

Status runL2Loss(KernelContext& c) {
  WEFT_LET(Tensor * out, c.allocate(0, {}));
  halfSquares<<<1, kThreads, 0, deviceOf(c).stream()>>>(c.input(0).data<float>(), out->mutableData<float>(), c.input(0).elements());
  WEFT_CUDA_TRY(cudaGetLastError());
  return {};
}

}  // namespace

void registerReductionsGpu(OpRegistry& ops) {
  const std::vector<std::string> host = {"reduction_indices"};
  addFloat(ops, "Sum", runReduction<Adds, false>, host);
  addFloat(ops, "Mean", runReduction<Adds, true>, host);
  addFloat(ops, "Max", runReduction<Maxes, false>, host);
  addFloat(ops, "Min", runReduction<Mins, false>, host);
  addFloat(ops, "L2Loss", runL2Loss);
}

}  // namespace weft::cuda
