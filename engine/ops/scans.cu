#include <cfloat>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Cumulative sums and products along an axis. Lines are scanned one element after another, as on the CPU, by a thread each; long lines in chunks that many
// blocks scan at once.
namespace weft::cuda {
namespace {

// Results are rounded to T at each step.
struct Adds {
  template <typename T>
  static __device__ T start() {
    return T(0);
  }
  template <typename T>
  static __device__ T join(T a, T b) {
    return T(Wide<T>(a) + Wide<T>(b));
  }
};
struct Multiplies {
  template <typename T>
  static __device__ T start() {
    return T(1);
  }
  template <typename T>
  static __device__ T join(T a, T b) {
    return T(Wide<T>(a) * Wide<T>(b));
  }
};
/// log(exp(a) + exp(b)); log 0 is the lowest number of the type, as in TensorFlow.
struct AddsLogs {
  template <typename T>
  static __device__ T start() {
    if constexpr (std::is_same_v<T, Half>) return T(-65504.0f);
    else if constexpr (std::is_same_v<T, float>) return -FLT_MAX;
    else return -DBL_MAX;
  }
  template <typename T>
  static __device__ T join(T a, T b) {
    using W = Wide<T>;
    const W great = W(a) < W(b) ? W(b) : W(a), small = W(b) < W(a) ? W(b) : W(a);
    return T(great + W(T(log1p(W(T(exp(W(T(small - great)))))))));
  }
};

struct Lines {
  int64_t before = 1, n = 0, after = 1;
  bool exclusive = false, reverse = false;
  /// The first element of a line, and the step to the next.
  __device__ int64_t first(int64_t line) const { return line / after * n * after + line % after + (reverse ? (n - 1) * after : 0); }
  __device__ int64_t step() const { return reverse ? -after : after; }
};

/// Scans elements [begin, end) of a line from `sum` on.
template <typename J, typename T>
__device__ void scanPart(const Lines& l, int64_t line, int64_t begin, int64_t end, T sum, const T* x, T* y) {
  const int64_t first = l.first(line), step = l.step();
  for (int64_t k = begin; k < end; ++k) {
    const int64_t at = first + k * step;
    const T v = x[at];
    if (l.exclusive) y[at] = sum;
    sum = J::template join<T>(sum, v);
    if (!l.exclusive) y[at] = sum;
  }
}

constexpr int64_t kLong = 512;  ///< Lines up to this length are scanned by one thread.
constexpr int64_t kPerThread = 16;
constexpr int64_t kChunk = kThreads * kPerThread;

/// The joined elements of each chunk of each line, then those of all chunks before it.
template <typename J, typename T>
Status scanChunks(CudaDevice& d, const Lines& l, int64_t chunks, const T* x, T* sums) {
  const int64_t lines = l.before * l.after;
  WEFT_TRY(forEachBlock(d, lines * chunks, [=] __device__(int64_t b) {
    WEFT_SHARED(T, part, kThreads);
    const int64_t line = b / chunks, begin = b % chunks * kChunk + int64_t(threadIdx.x) * kPerThread;
    const int64_t first = l.first(line), step = l.step();
    T sum = J::template start<T>();
    for (int64_t k = begin; k < begin + kPerThread && k < l.n; ++k) sum = J::template join<T>(sum, x[first + k * step]);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 1; half < kThreads; half *= 2) {  // neighbours first: the order of the elements is kept
      if (int(threadIdx.x) % (2 * half) == 0) part[threadIdx.x] = J::template join<T>(part[threadIdx.x], part[threadIdx.x + unsigned(half)]);
      __syncthreads();
    }
    if (threadIdx.x == 0) sums[b] = part[0];
  }));
  return forEach(d, lines, [=] __device__(int64_t line) {
    T sum = J::template start<T>();
    for (int64_t k = line * chunks; k < (line + 1) * chunks; ++k) {
      const T chunk = sums[k];
      sums[k] = sum;
      sum = J::template join<T>(sum, chunk);
    }
  });
}

template <typename J, typename T>
Status scanLongLines(CudaDevice& d, const Lines& l, const T* x, T* y) {
  const int64_t chunks = (l.n + kChunk - 1) / kChunk;
  WEFT_LET(Tensor memory, scratch(d, size_t(l.before * l.after * chunks) * sizeof(T)));
  T* sums = static_cast<T*>(memory.mutableRaw());
  WEFT_TRY((scanChunks<J, T>(d, l, chunks, x, sums)));
  return forEachBlock(d, l.before * l.after * chunks, [=] __device__(int64_t b) {
    WEFT_SHARED(T, part, kThreads);
    const int64_t line = b / chunks, begin = b % chunks * kChunk + int64_t(threadIdx.x) * kPerThread;
    const int64_t first = l.first(line), step = l.step(), end = begin + kPerThread < l.n ? begin + kPerThread : l.n;
    T sum = J::template start<T>();
    for (int64_t k = begin; k < end; ++k) sum = J::template join<T>(sum, x[first + k * step]);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int back = 1; back < kThreads; back *= 2) {  // sums over the threads up to this one
      const bool joins = int(threadIdx.x) >= back;
      const T before = joins ? part[threadIdx.x - unsigned(back)] : J::template start<T>();
      __syncthreads();
      if (joins) part[threadIdx.x] = J::template join<T>(before, part[threadIdx.x]);
      __syncthreads();
    }
    const T before = threadIdx.x == 0 ? sums[b] : J::template join<T>(sums[b], part[threadIdx.x - 1]);
    scanPart<J, T>(l, line, begin, end, before, x, y);
  });
}

template <typename J, typename T>
Status scanShortLines(CudaDevice& d, const Lines& l, const T* x, T* y) {
  return forEach(d, l.before * l.after, [=] __device__(int64_t line) { scanPart<J, T>(l, line, 0, l.n, J::template start<T>(), x, y); });
}

template <typename J, typename T>
Status runScan(KernelContext& c) {
  const Tensor &x = c.input(0), &axisTensor = c.input(1);
  if (axisTensor.rank() != 0) return invalidArgument("ScanOp: axis must be a scalar, not ", axisTensor.shape().toString());
  const int64_t given = axisTensor.asInt(0), axis = given < 0 ? given + x.rank() : given;
  if (axis < 0 || axis >= x.rank()) {
    return invalidArgument("ScanOp: Expected scan axis in the range [", -x.rank(), ", ", x.rank(), "), but got ", given);
  }
  WEFT_LET(Tensor * out, c.allocate(0, x.shape()));
  if (out->elements() == 0) return {};
  Lines l;
  l.n = x.dim(int(axis));
  l.exclusive = c.node().attrs.flag("exclusive");
  l.reverse = c.node().attrs.flag("reverse");
  for (int d = 0; d < x.rank(); ++d) {
    if (d < axis) l.before *= x.dim(d);
    if (d > axis) l.after *= x.dim(d);
  }
  CudaDevice& d = deviceOf(c);
  constexpr int64_t kManyLines = 65536;  // enough threads for any GPU
  if (l.n <= kLong || l.before * l.after >= kManyLines) return scanShortLines<J, T>(d, l, dataOf<T>(x), mutableDataOf<T>(*out));
  return scanLongLines<J, T>(d, l, dataOf<T>(x), mutableDataOf<T>(*out));
}

}  // namespace

void registerScansGpu(OpRegistry& ops) {
  addFor<Half, float, double, int32_t, int64_t>(ops, "Cumsum", []<typename T>(KernelContext& c) { return runScan<Adds, T>(c); }, {"axis"});
  addFor<Half, float, double, int32_t, int64_t>(ops, "Cumprod", []<typename T>(KernelContext& c) { return runScan<Multiplies, T>(c); }, {"axis"});
  addFor<Half, float, double>(ops, "CumulativeLogsumexp", []<typename T>(KernelContext& c) { return runScan<AddsLogs, T>(c); }, {"axis"});
}

}  // namespace weft::cuda
