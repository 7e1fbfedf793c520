#include <vector>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Positions of nonzero elements. Their number is the shape of the result, so the host waits for it; Unique works in host memory.
namespace weft::cuda {
namespace {

constexpr int kPerThread = 8;
constexpr int64_t kStretch = int64_t(kThreads) * kPerThread;  ///< Elements of one block; each thread looks at kPerThread neighbours.
constexpr int kMostDims = 8;

template <typename T>
__device__ bool isSet(T v) {
  return v != T(0);
}

/// The number of nonzero elements of each stretch.
template <typename T>
Status countStretches(CudaDevice& d, const T* x, int64_t n, int64_t stretches, int64_t* counts) {
  return forEachBlock(d, stretches, [=] __device__(int64_t b) {
    WEFT_SHARED(int, part, kThreads);
    const int64_t first = b * kStretch + int64_t(threadIdx.x) * kPerThread;
    int count = 0;
    for (int64_t i = first; i < first + kPerThread && i < n; ++i) count += isSet(x[i]) ? 1 : 0;
    count = acrossBlock(
        count, [](int a, int b) { return a + b; }, part);
    if (threadIdx.x == 0) counts[b] = count;
  });
}

struct WhereDims {
  int rank = 0;
  int64_t size[kMostDims] = {};
};

/// Each stretch writes its positions from row starts[stretch] on, in order.
template <typename T>
Status writePositions(CudaDevice& d, const T* x, int64_t n, int64_t stretches, const WhereDims& dims, const int64_t* starts, int64_t* to) {
  return forEachBlock(d, stretches, [=] __device__(int64_t b) {
    WEFT_SHARED(int, part, kThreads);
    const int64_t first = b * kStretch + int64_t(threadIdx.x) * kPerThread;
    int count = 0;
    for (int64_t i = first; i < first + kPerThread && i < n; ++i) count += isSet(x[i]) ? 1 : 0;
    part[threadIdx.x] = count;
    __syncthreads();
    for (int step = 1; step < kThreads; step *= 2) {  // sums over the threads up to this one
      const int before = int(threadIdx.x) >= step ? part[threadIdx.x - step] : 0;
      __syncthreads();
      part[threadIdx.x] += before;
      __syncthreads();
    }
    int64_t row = starts[b] + part[threadIdx.x] - count;
    for (int64_t i = first; i < first + kPerThread && i < n; ++i) {
      if (!isSet(x[i])) continue;
      int64_t rest = i;
      for (int k = dims.rank - 1; k >= 0; --k) {
        to[row * dims.rank + k] = rest % dims.size[k];
        rest /= dims.size[k];
      }
      ++row;
    }
  });
}

template <typename T>
Status runWhere(KernelContext& c) {
  const Tensor& x = c.input(0);
  WhereDims dims;
  dims.rank = x.rank();
  if (dims.rank < 1 || dims.rank > kMostDims) return invalidArgument("WhereOp : Unhandled input dimensions: ", dims.rank);
  for (int k = 0; k < dims.rank; ++k) dims.size[k] = x.dim(k);
  CudaDevice& d = deviceOf(c);
  const int64_t n = x.elements(), stretches = (n + kStretch - 1) / kStretch;
  std::vector<int64_t> starts(size_t(stretches), 0);
  int64_t total = 0;
  if (n > 0) {
    WEFT_LET(Tensor counts, allocateTensor(d.allocator(), DType::Int64, Shape{stretches}));
    WEFT_TRY(countStretches(d, dataOf<T>(x), n, stretches, mutableDataOf<int64_t>(counts)));
    WEFT_LET(const Tensor onHost, d.toHost(counts));
    for (int64_t b = 0; b < stretches; ++b) {
      starts[size_t(b)] = total;
      total += onHost.at<int64_t>(b);
    }
  }
  WEFT_LET(Tensor * out, c.allocate(0, Shape{total, dims.rank}));
  if (total == 0) return {};
  WEFT_LET(const Tensor places, d.fromHost(Tensor::vector(starts)));
  return writePositions(d, dataOf<T>(x), n, stretches, dims, dataOf<int64_t>(places), mutableDataOf<int64_t>(*out));
}

}  // namespace

void registerSetsGpu(OpRegistry& ops) {
  addFor<float, double, int8_t, uint8_t, int64_t, bool, Complex64, Complex128>(ops, "Where", []<typename T>(KernelContext& c) { return runWhere<T>(c); });
  keepOnHost(ops, "Where");
  keepOnHost(ops, "Unique", {DType::Int32, DType::Int64});
}

}  // namespace weft::cuda
