#include <limits>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "ops/arg_extreme.h"

// Positions of the largest and smallest elements along an axis; the first one in case of ties.
namespace weft::cuda {
namespace {

/// A position and its element. As on the CPU, the search starts from the worst finite number, and nothing that is not better is selected.
template <typename T>
struct Found {
  T value;
  int64_t at;
};

template <typename T, bool kMax>
struct Better {
  __device__ static bool than(T a, T b) { return kMax ? a > b : a < b; }
  __device__ Found<T> operator()(Found<T> a, Found<T> b) const {
    if (b.at < 0) return a;
    if (a.at < 0) return b;
    return than(b.value, a.value) || (b.value == a.value && b.at < a.at) ? b : a;
  }
};

template <typename T, typename I, bool kMax>
Status findExtremes(CudaDevice& d, const T* x, I* y, int64_t before, int64_t n, int64_t after) {
  using W = Wide<T>;
  constexpr W most = std::numeric_limits<W>::max(), worst = kMax ? -most : most;
  constexpr int64_t kLong = 256;  // elements that are worth a block
  if (after == 1 && n >= kLong) {
    return forEachBlock(d, before, [=] __device__(int64_t row) {
      WEFT_SHARED(Found<W>, part, kThreads);
      Found<W> best{worst, -1};
      for (int64_t k = threadIdx.x; k < n; k += kThreads) {
        const W v = W(x[row * n + k]);
        if (Better<W, kMax>::than(v, best.value)) best = {v, k};
      }
      best = acrossBlock(best, Better<W, kMax>(), part);
      if (threadIdx.x == 0) y[row] = I(best.at < 0 ? 0 : best.at);
    });
  }
  return forEach(d, before * after, [=] __device__(int64_t i) {
    const T* from = x + i / after * n * after + i % after;
    Found<W> best{worst, 0};
    for (int64_t k = 0; k < n; ++k) {
      const W v = W(from[k * after]);
      if (Better<W, kMax>::than(v, best.value)) best = {v, k};
    }
    y[i] = I(best.at);
  });
}

template <typename T, bool kMax>
Status runArg(KernelContext& c) {
  const Tensor& x = c.input(0);
  WEFT_LET(const SearchedAxis a, searchedAxis(x, c.input(1)));
  WEFT_LET(Tensor * out, c.allocate(0, a.out));
  if (out->elements() == 0) return {};
  const T* from = dataOf<T>(x);
  if (out->dtype() == DType::Int32) return findExtremes<T, int32_t, kMax>(deviceOf(c), from, mutableDataOf<int32_t>(*out), a.before, a.n, a.after);
  return findExtremes<T, int64_t, kMax>(deviceOf(c), from, mutableDataOf<int64_t>(*out), a.before, a.n, a.after);
}

template <bool kMax>
void add(OpRegistry& ops, const char* op) {
  addFor<Half, float, double>(ops, op, []<typename T>(KernelContext& c) { return runArg<T, kMax>(c); }, {"dimension"});
}

}  // namespace

void registerArgExtremeGpu(OpRegistry& ops) {
  add<true>(ops, "ArgMax");
  add<false>(ops, "ArgMin");
}

}  // namespace weft::cuda
