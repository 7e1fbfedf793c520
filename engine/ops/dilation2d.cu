#include "ops/dilation2d.h"

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Grey-scale dilation and its gradients. A gradient goes to the element that gave a window's maximum; sums are gathered, so that they are the same in every run.
namespace weft::cuda {
namespace {

template <typename T>
constexpr double kLowest = -3.4028234663852886e+38;
template <>
constexpr double kLowest<Half> = -65504;
template <>
constexpr double kLowest<double> = -1.7976931348623157e+308;

/// Geometry without what only the host needs.
struct Places {
  int64_t batch, depth, in[2], filter[2], stride[2], rate[2], out[2], before[2];
  static Places of(const DilationGeometry& g) {
    Places p{};
    p.batch = g.batch, p.depth = g.depth;
    for (int i = 0; i < 2; ++i) {
      p.in[i] = g.in[i], p.filter[i] = g.filter[i], p.stride[i] = g.stride[i], p.rate[i] = g.rate[i];
      p.out[i] = g.axis[i].output, p.before[i] = g.axis[i].before;
    }
    return p;
  }
  int64_t outputs() const { return batch * out[0] * out[1] * depth; }
};

/// The largest sum of a window, and the elements of image and filter that give it. If the window lies outside, or no sum exceeds the lowest number, they are the
/// first ones, as in TensorFlow; `usual` is false then.
template <typename T>
struct Best {
  T sum;
  int64_t picture, cell;
  bool usual;
};
template <typename T>
__device__ Best<T> bestOf(const Places& p, const T* image, const T* filter, int64_t at) {
  const int64_t k = at % p.depth, x = at / p.depth % p.out[1], y = at / p.depth / p.out[1] % p.out[0], n = at / p.depth / p.out[1] / p.out[0];
  const int64_t top = y * p.stride[0] - p.before[0], left = x * p.stride[1] - p.before[1];
  Best<T> best{T(kLowest<T>), ((n * p.in[0] + max(int64_t(0), top)) * p.in[1] + max(int64_t(0), left)) * p.depth + k, k, false};
  for (int64_t i = 0; i < p.filter[0]; ++i) {
    const int64_t h = top + i * p.rate[0];
    if (h < 0 || h >= p.in[0]) continue;
    for (int64_t j = 0; j < p.filter[1]; ++j) {
      const int64_t w = left + j * p.rate[1];
      if (w < 0 || w >= p.in[1]) continue;
      const int64_t picture = ((n * p.in[0] + h) * p.in[1] + w) * p.depth + k, cell = (i * p.filter[1] + j) * p.depth + k;
      const T sum = T(Wide<T>(image[picture]) + Wide<T>(filter[cell]));
      if (Wide<T>(sum) > Wide<T>(best.sum)) best = {sum, picture, cell, true};
    }
  }
  return best;
}

template <typename T>
Status runDilation(KernelContext& c) {
  WEFT_LET(const DilationGeometry g, dilationGeometry(c));
  WEFT_LET(Tensor * out, c.allocate(0, g.outShape()));
  const Places p = Places::of(g);
  const T *image = input<T>(c, 0), *filter = input<T>(c, 1);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) { to[i] = bestOf(p, image, filter, i).sum; });
}

Status checkGradient(const KernelContext& c, const DilationGeometry& g) {
  if (c.input(2).shape() == g.outShape()) return {};
  return invalidArgument("out_backprop has incompatible size.");
}

/// A thread per element of the image looks at the windows that it can be part of. Elements that unusual windows picked are added by one thread, in order.
template <typename T>
Status runInputGradient(KernelContext& c) {
  WEFT_LET(const DilationGeometry g, dilationGeometry(c));
  WEFT_TRY(checkGradient(c, g));
  WEFT_LET(Tensor * out, c.allocate(0, c.input(0).shape()));
  const int64_t size = out->elements();
  if (size == 0) return {};
  CudaDevice& d = deviceOf(c);
  const Places p = Places::of(g);
  const int64_t outputs = p.outputs();
  WEFT_LET(Tensor room, scratch(d, size_t(outputs + 1) * sizeof(int64_t)));
  int64_t *picks = static_cast<int64_t*>(room.mutableRaw()), *unusual = picks + outputs;
  WEFT_CUDA_TRY(cudaMemsetAsync(unusual, 0, sizeof(int64_t), d.stream()));
  const T *image = input<T>(c, 0), *filter = input<T>(c, 1), *dy = input<T>(c, 2);
  T* dx = mutableDataOf<T>(*out);
  WEFT_TRY(forEach(d, outputs, [=] __device__(int64_t i) {
    const Best<T> best = bestOf(p, image, filter, i);
    picks[i] = best.usual ? best.picture : ~min(best.picture, size - 1);
    if (!best.usual) *unusual = 1;
  }));
  WEFT_TRY(forEach(d, size, [=] __device__(int64_t i) {
    const int64_t k = i % p.depth, w = i / p.depth % p.in[1], h = i / p.depth / p.in[1] % p.in[0], n = i / p.depth / p.in[1] / p.in[0];
    Wide<T> sum = 0;
    for (int64_t r = p.filter[0] - 1; r >= 0; --r) {
      const int64_t top = h + p.before[0] - r * p.rate[0], y = top / p.stride[0];
      if (top < 0 || top % p.stride[0] != 0 || y >= p.out[0]) continue;
      for (int64_t s = p.filter[1] - 1; s >= 0; --s) {
        const int64_t left = w + p.before[1] - s * p.rate[1], x = left / p.stride[1];
        if (left < 0 || left % p.stride[1] != 0 || x >= p.out[1]) continue;
        const int64_t at = ((n * p.out[0] + y) * p.out[1] + x) * p.depth + k;
        if (picks[at] == i) sum += Wide<T>(dy[at]);
      }
    }
    dx[i] = T(sum);
  }));
  return forEach(d, 1, [=] __device__(int64_t) {
    if (*unusual == 0) return;
    for (int64_t i = 0; i < outputs; ++i) {
      if (picks[i] < 0) dx[~picks[i]] = T(Wide<T>(dx[~picks[i]]) + Wide<T>(dy[i]));
    }
  });
}

/// One block per element of the filter.
template <typename T>
Status runFilterGradient(KernelContext& c) {
  WEFT_LET(const DilationGeometry g, dilationGeometry(c));
  WEFT_TRY(checkGradient(c, g));
  WEFT_LET(Tensor * out, c.allocate(0, c.input(1).shape()));
  CudaDevice& d = deviceOf(c);
  const Places p = Places::of(g);
  const int64_t outputs = p.outputs(), spots = p.batch * p.out[0] * p.out[1];
  WEFT_LET(Tensor room, scratch(d, size_t(outputs) * sizeof(int64_t)));
  int64_t* picks = static_cast<int64_t*>(room.mutableRaw());
  const T *image = input<T>(c, 0), *filter = input<T>(c, 1), *dy = input<T>(c, 2);
  T* to = mutableDataOf<T>(*out);
  WEFT_TRY(forEach(d, outputs, [=] __device__(int64_t i) { picks[i] = bestOf(p, image, filter, i).cell; }));
  return forEachBlock(d, out->elements(), [=] __device__(int64_t cell) {
    WEFT_SHARED(Wide<T>, part, kThreads);
    Wide<T> sum = 0;
    for (int64_t s = threadIdx.x; s < spots; s += kThreads) {
      const int64_t at = s * p.depth + cell % p.depth;
      if (picks[at] == cell) sum += Wide<T>(dy[at]);
    }
    sum = acrossBlock(
        sum, [](Wide<T> a, Wide<T> b) { return a + b; }, part);
    if (threadIdx.x == 0) to[cell] = T(sum);
  });
}

}  // namespace

void registerDilation2DGpu(OpRegistry& ops) {
  addFor<Half, float, double>(ops, "Dilation2D", []<typename T>(KernelContext& c) { return runDilation<T>(c); });
  addFor<Half, float, double>(ops, "Dilation2DBackpropInput", []<typename T>(KernelContext& c) { return runInputGradient<T>(c); });
  addFor<Half, float, double>(ops, "Dilation2DBackpropFilter", []<typename T>(KernelContext& c) { return runFilterGradient<T>(c); });
}

}  // namespace weft::cuda
