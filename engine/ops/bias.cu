#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// BiasAdd and its gradient, for both data formats.
namespace weft::cuda {
namespace {

/// x is [outer, channels, inner].
struct Layout {
  int64_t outer = 1, channels = 1, inner = 1;
};
Layout layoutOf(const KernelContext& c, const Tensor& x) {
  const int at = c.node().attrs.text("data_format", "NHWC") == "NCHW" ? 1 : x.rank() - 1;
  Layout l;
  l.channels = x.dim(at);
  for (int d = 0; d < at; ++d) l.outer *= x.dim(d);
  for (int d = at + 1; d < x.rank(); ++d) l.inner *= x.dim(d);
  return l;
}

template <typename T>
Status runBiasAdd(KernelContext& c) {
  const Tensor &x = c.input(0), &bias = c.input(1);
  if (x.rank() < 2) return invalidArgument("Input tensor must be at least 2D: ", x.shape().toString());
  if (bias.rank() != 1) return invalidArgument("Biases must be 1D: ", bias.shape().toString());
  const Layout l = layoutOf(c, x);
  if (bias.dim(0) != l.channels) {
    return invalidArgument("Must provide as many biases as the last dimension of the input tensor: ", bias.shape().toString(), " vs. ", x.shape().toString());
  }
  WEFT_LET(Tensor * out, c.allocateOrForward(0, x.shape(), {0}));
  const T *from = dataOf<T>(x), *biases = dataOf<T>(bias);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), x.elements(), [=] __device__(int64_t i) { to[i] = T(Wide<T>(from[i]) + Wide<T>(biases[i / l.inner % l.channels])); });
}

/// One block per channel. Threads add up in a fixed order, so the sum is the same in every run.
template <typename T>
Status runBiasAddGrad(KernelContext& c) {
  const Tensor& dy = c.input(0);
  if (dy.rank() < 2) return invalidArgument("Input tensor must be at least 2D: ", dy.shape().toString());
  const Layout l = layoutOf(c, dy);
  WEFT_LET(Tensor * out, c.allocate(0, Shape{l.channels}));
  const T* from = dataOf<T>(dy);
  T* to = mutableDataOf<T>(*out);
  return forEachBlock(deviceOf(c), l.channels, [=] __device__(int64_t channel) {
    WEFT_SHARED(Wide<T>, part, kThreads);
    Wide<T> sum = 0;
    for (int64_t r = threadIdx.x; r < l.outer * l.inner; r += kThreads) sum += Wide<T>(from[(r / l.inner * l.channels + channel) * l.inner + r % l.inner]);
    sum = acrossBlock(
        sum, [](Wide<T> a, Wide<T> b) { return a + b; }, part);
    if (threadIdx.x == 0) to[channel] = T(sum);
  });
}

}  // namespace

void registerBiasGpu(OpRegistry& ops) {
  for (const char* op : {"BiasAdd", "BiasAddV1"}) addFor<Half, float, double>(ops, op, []<typename T>(KernelContext& c) { return runBiasAdd<T>(c); });
  addFor<Half, float, double>(ops, "BiasAddGrad", []<typename T>(KernelContext& c) { return runBiasAddGrad<T>(c); });
}

}  // namespace weft::cuda
