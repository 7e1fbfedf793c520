#include "device/cpu/conv2d_kernel.h"

#include <algorithm>

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "device/cuda/windows.cuh"

// Depthwise convolutions and their gradients. Each sum is made in a fixed order, so that it is the same in every run.
namespace weft::cuda {
namespace {

struct Depthwise {
  WindowsOfAxis y, x;
  Layout in, out;
  int64_t batch = 0, multiplier = 1;
  int64_t elements() const { return int64_t(y.window) * x.window * out.channels; }  ///< Of the filter.

  static Depthwise of(const cpu::ConvGeometry& g, bool channelsFirst) {
    Depthwise d;
    d.y = {int(g.inHeight), int(g.outHeight), int(g.kernelHeight), int(g.strideHeight), int(g.padTop)};
    d.x = {int(g.inWidth), int(g.outWidth), int(g.kernelWidth), int(g.strideWidth), int(g.padLeft)};
    d.in = {g.inHeight * g.inWidth, g.inChannels, channelsFirst};
    d.out = {g.outHeight * g.outWidth, g.outChannels, channelsFirst};
    d.batch = g.batch;
    d.multiplier = g.inChannels ? g.outChannels / g.inChannels : 1;
    return d;
  }
  /// Product of the input and the output's gradient where window `spot` (counted through the batch) meets element (ky, kx) of the filter for an output channel.
  template <typename T>
  __device__ Wide<T> meeting(const T* input, const T* dy, int64_t spot, int ky, int kx, int64_t channel) const {
    const int64_t image = spot / out.places, window = spot % out.places;
    const int row = int(window / x.out) * y.stride - y.before + ky, column = int(window % x.out) * x.stride - x.before + kx;
    if (row < 0 || row >= y.in || column < 0 || column >= x.in) return 0;
    return Wide<T>(input[in.at(image, int64_t(row) * x.in + column, channel / multiplier)]) * Wide<T>(dy[out.at(image, window, channel)]);
  }
};

bool isChannelsFirst(const KernelContext& c) { return c.node().attrs.text("data_format", "NHWC") != "NHWC"; }

template <typename T>
Status runForward(KernelContext& c) {
  const Tensor &in = c.input(0), &filter = c.input(1);
  WEFT_LET(const cpu::ConvGeometry g, depthwiseGeometry(c.node().attrs, in.shape(), filter.shape(), false));
  const bool first = isChannelsFirst(c);
  WEFT_LET(Tensor * out, c.allocate(0, first ? Shape{g.batch, g.outChannels, g.outHeight, g.outWidth} : Shape{g.batch, g.outHeight, g.outWidth, g.outChannels}));
  const Depthwise w = Depthwise::of(g, first);
  const T *x = dataOf<T>(in), *f = dataOf<T>(filter);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t image = w.out.image(i), window = w.out.place(i), channel = w.out.channel(i);
    const int oy = int(window / w.x.out), ox = int(window % w.x.out);
    Wide<T> sum = 0;
    for (int row = w.y.begin(oy); row < w.y.end(oy); ++row) {
      for (int column = w.x.begin(ox); column < w.x.end(ox); ++column) {
        const int64_t tap = int64_t(row - oy * w.y.stride + w.y.before) * w.x.window + column - ox * w.x.stride + w.x.before;
        sum += Wide<T>(x[w.in.at(image, int64_t(row) * w.x.in + column, channel / w.multiplier)]) * Wide<T>(f[tap * w.out.channels + channel]);
      }
    }
    to[i] = T(sum);
  });
}

template <typename T>
Status runInputGradient(KernelContext& c) {
  const Tensor &filter = c.input(1), &grad = c.input(2);
  Shape wanted;
  WEFT_LET(const cpu::ConvGeometry g, depthwiseGradientGeometry(c.node(), true, c.input(0), filter.shape(), grad.shape(), wanted, false));
  WEFT_LET(Tensor * out, c.allocate(0, wanted));
  const Depthwise w = Depthwise::of(g, isChannelsFirst(c));
  const T *f = dataOf<T>(filter), *dy = dataOf<T>(grad);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t image = w.in.image(i), place = w.in.place(i), channel = w.in.channel(i);
    const int row = int(place / w.x.in), column = int(place % w.x.in);
    Wide<T> sum = 0;
    for (int oy = w.y.first(row); oy <= w.y.last(row); ++oy) {
      for (int ox = w.x.first(column); ox <= w.x.last(column); ++ox) {
        const int64_t tap = int64_t(row - oy * w.y.stride + w.y.before) * w.x.window + column - ox * w.x.stride + w.x.before;
        for (int64_t k = channel * w.multiplier; k < (channel + 1) * w.multiplier; ++k) {
          sum += Wide<T>(dy[w.out.at(image, int64_t(oy) * w.x.out + ox, k)]) * Wide<T>(f[tap * w.out.channels + k]);
        }
      }
    }
    to[i] = T(sum);
  });
}

/// Sums over parts of the batch's windows, then over the parts.
template <typename T>
Status runFilterGradient(KernelContext& c) {
  const Tensor &in = c.input(0), &grad = c.input(2);
  Shape wanted;
  WEFT_LET(const cpu::ConvGeometry g, depthwiseGradientGeometry(c.node(), false, c.input(1), in.shape(), grad.shape(), wanted, false));
  WEFT_LET(Tensor * out, c.allocate(0, wanted));
  if (out->elements() == 0) return {};
  CudaDevice& d = deviceOf(c);
  const Depthwise w = Depthwise::of(g, isChannelsFirst(c));
  constexpr int kRows = kThreads / kWarp;
  const int64_t spots = w.batch * w.out.places, elements = w.elements(), parts = std::clamp<int64_t>(spots / 1024, 1, 64), per = (spots + parts - 1) / parts;
  WEFT_LET(Tensor sums, scratch(d, size_t(parts * elements) * sizeof(Wide<T>)));
  const T *x = dataOf<T>(in), *dy = dataOf<T>(grad);
  Wide<T>* partial = static_cast<Wide<T>*>(sums.mutableRaw());
  if (w.out.channelsFirst) {  // neighbouring threads take neighbouring windows
    WEFT_TRY(forEachBlock(d, parts * elements, [=] __device__(int64_t block) {
      WEFT_SHARED(Wide<T>, room, kThreads);
      const int64_t part = block / elements, element = block % elements, tap = element / w.out.channels;
      const int ky = int(tap / w.x.window), kx = int(tap % w.x.window);
      Wide<T> sum = 0;
      for (int64_t s = part * per + threadIdx.x; s < spots && s < (part + 1) * per; s += kThreads) sum += w.meeting(x, dy, s, ky, kx, element % w.out.channels);
      sum = acrossBlock(
          sum, [](Wide<T> a, Wide<T> b) { return a + b; }, room);
      if (threadIdx.x == 0) partial[block] = sum;
    }));
  } else {  // … or neighbouring channels
    const int64_t taps = int64_t(w.y.window) * w.x.window, groups = (w.out.channels + kWarp - 1) / kWarp;
    WEFT_TRY(forEachBlock(d, parts * taps * groups, [=] __device__(int64_t block) {
      WEFT_SHARED(Wide<T>, room, kThreads);
      const int64_t part = block / (taps * groups), tap = block / groups % taps, channel = block % groups * kWarp + threadIdx.x % kWarp;
      const int ky = int(tap / w.x.window), kx = int(tap % w.x.window);
      Wide<T> sum = 0;
      if (channel < w.out.channels) {
        for (int64_t s = part * per + threadIdx.x / kWarp; s < spots && s < (part + 1) * per; s += kRows) sum += w.meeting(x, dy, s, ky, kx, channel);
      }
      room[threadIdx.x] = sum;
      __syncthreads();
      if (threadIdx.x < kWarp && channel < w.out.channels) {
        for (int row = 1; row < kRows; ++row) sum += room[row * kWarp + threadIdx.x];
        partial[part * elements + tap * w.out.channels + channel] = sum;
      }
    }));
  }
  T* to = mutableDataOf<T>(*out);
  return forEach(d, elements, [=] __device__(int64_t i) {
    Wide<T> sum = 0;
    for (int64_t part = 0; part < parts; ++part) sum += partial[part * elements + i];
    to[i] = T(sum);
  });
}

}  // namespace

void registerDepthwiseGpu(OpRegistry& ops) {
  addFor<Half, float, double>(ops, "DepthwiseConv2dNative", []<typename T>(KernelContext& c) { return runForward<T>(c); });
  addFor<Half, float, double>(ops, "DepthwiseConv2dNativeBackpropInput", []<typename T>(KernelContext& c) { return runInputGradient<T>(c); }, {"input_sizes"});
  addFor<Half, float, double>(ops, "DepthwiseConv2dNativeBackpropFilter", []<typename T>(KernelContext& c) { return runFilterGradient<T>(c); },
                              {"filter_sizes"});
}

}  // namespace weft::cuda
