#include "device/cpu/pooling.h"

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "device/cuda/windows.cuh"

// Pools of images and their gradients. A gradient is gathered by each element of the input from the windows that cover it, in order, so that it is the same in
// every run.
namespace weft::cuda {
namespace {

Windows windowsOf(const cpu::PoolGeometry& g, bool channelsFirst) {
  Windows w;
  w.axes[1] = {int(g.inHeight), int(g.outHeight), int(g.windowHeight), int(g.strideHeight), int(g.padTop)};
  w.axes[2] = {int(g.inWidth), int(g.outWidth), int(g.windowWidth), int(g.strideWidth), int(g.padLeft)};
  w.in = {g.inHeight * g.inWidth, g.channels, channelsFirst};
  w.out = {g.outHeight * g.outWidth, g.channels, channelsFirst};
  return w;
}

/// The place of a window's first maximum; -1 if no part of the window is inside.
template <typename T>
__device__ int64_t firstMaximum(const Windows& w, const T* x, int64_t image, int64_t window, int64_t channel) {
  int64_t best = -1;
  Wide<T> largest = 0;
  w.overWindow(window, [&](int64_t place) {
    const Wide<T> v = x[w.in.at(image, place, channel)];
    if (best < 0 || largest < v) {
      best = place;
      largest = v;
    }
    return true;
  });
  return best;
}

/// Each window covers neighbouring channels.
template <typename T>
Status runOverChannels(KernelContext& c, const PoolSettings& s) {
  const Tensor& x = c.input(0);
  if (s.channelsFirst()) return unimplemented("Pooling across depth takes channels last on a GPU");
  const int64_t window = s.window[3];
  Shape shape = x.shape();
  shape.setDim(3, x.dim(3) / window);
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  const T* from = dataOf<T>(x);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    Wide<T> best = from[i * window];
    for (int64_t k = 1; k < window; ++k) {
      const Wide<T> v = from[i * window + k];
      best = best < v ? v : best;
    }
    to[i] = T(best);
  });
}

template <typename T>
Status runMaxPool(KernelContext& c) {
  const Tensor& x = c.input(0);
  WEFT_LET(const PoolSettings s, poolSettings(c, c.inputCount() > 1 ? 1 : -1));
  WEFT_TRY(s.checkWindows());
  WEFT_LET(const cpu::PoolGeometry g, s.geometry(x.shape()));
  if (s.overChannels()) return runOverChannels<T>(c, s);
  WEFT_LET(Tensor * out, c.allocate(0, s.outputShape(x.shape(), g)));
  const Windows w = windowsOf(g, s.channelsFirst());
  const T* from = dataOf<T>(x);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t image = w.out.image(i), channel = w.out.channel(i), best = firstMaximum(w, from, image, w.out.place(i), channel);
    to[i] = best < 0 ? T(0) : from[w.in.at(image, best, channel)];
  });
}

template <typename T>
Status runAveragePool(KernelContext& c) {
  const Tensor& x = c.input(0);
  WEFT_LET(const PoolSettings s, poolSettings(c, -1));
  WEFT_TRY(s.checkWindows());
  WEFT_LET(const cpu::PoolGeometry g, s.geometry(x.shape()));
  if (s.overChannels()) return unimplemented("Non-spatial pooling is not yet supported. Volunteers? :)");
  WEFT_LET(Tensor * out, c.allocate(0, s.outputShape(x.shape(), g)));
  const Windows w = windowsOf(g, s.channelsFirst());
  const T* from = dataOf<T>(x);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t image = w.out.image(i), channel = w.out.channel(i), window = w.out.place(i);
    Wide<T> sum = 0;
    w.overWindow(window, [&](int64_t place) {
      sum += Wide<T>(from[w.in.at(image, place, channel)]);
      return true;
    });
    to[i] = T(sum / Wide<T>(w.sizeOf(window)));
  });
}

template <typename T>
Status runAverageGradient(KernelContext& c) {
  PoolSettings s = PoolSettings::of(c.node().attrs);
  Shape in;
  WEFT_TRY(s.checkWindows());
  WEFT_LET(const cpu::PoolGeometry g, averagePoolGradGeometry(c, s, in));
  WEFT_LET(Tensor * out, c.allocate(0, in));
  const Windows w = windowsOf(g, s.channelsFirst());
  const T* dy = input<T>(c, 1);
  T* dx = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t image = w.in.image(i), channel = w.in.channel(i);
    Wide<T> sum = 0;
    w.overCovering(w.in.place(i), [&](int64_t window) { sum += Wide<T>(dy[w.out.at(image, window, channel)]) / Wide<T>(w.sizeOf(window)); });
    dx[i] = T(sum);
  });
}

/// Inputs: the image, its pool, the pool's gradient.
template <typename T>
Status runMaxGradient(KernelContext& c) {
  WEFT_LET(const PoolSettings s, poolSettings(c, c.inputCount() > 3 ? 3 : -1));
  WEFT_TRY(s.checkWindows());
  WEFT_LET(const cpu::PoolGeometry g, maxPoolGradGeometry(c, s, false));
  WEFT_LET(Tensor * out, c.allocate(0, c.input(0).shape()));
  CudaDevice& d = deviceOf(c);
  const int64_t windows = c.input(1).elements();
  WEFT_LET(Tensor found, scratch(d, size_t(windows) * sizeof(int32_t)));
  const Windows w = windowsOf(g, s.channelsFirst());
  const T *x = input<T>(c, 0), *dy = input<T>(c, 2);
  T* dx = mutableDataOf<T>(*out);
  int32_t* maxima = static_cast<int32_t*>(found.mutableRaw());
  WEFT_TRY(forEach(d, windows, [=] __device__(int64_t i) { maxima[i] = int32_t(firstMaximum(w, x, w.out.image(i), w.out.place(i), w.out.channel(i))); }));
  return forEach(d, out->elements(), [=] __device__(int64_t i) {
    const int64_t image = w.in.image(i), channel = w.in.channel(i), place = w.in.place(i);
    Wide<T> sum = 0;
    w.overCovering(place, [&](int64_t window) {
      const int64_t at = w.out.at(image, window, channel);
      if (maxima[at] == place) sum += Wide<T>(dy[at]);
    });
    dx[i] = T(sum);
  });
}

/// Inputs: the image, its pool, the gradient of MaxPoolGrad's result.
template <typename T>
Status runMaxSecondGradient(KernelContext& c) {
  WEFT_LET(const PoolSettings s, poolSettings(c, c.inputCount() > 3 ? 3 : -1));
  WEFT_TRY(s.checkWindows());
  WEFT_LET(const cpu::PoolGeometry g, maxPoolGradGeometry(c, s, true));
  WEFT_LET(Tensor * out, c.allocate(0, c.input(1).shape()));
  const Windows w = windowsOf(g, s.channelsFirst());
  const T *x = input<T>(c, 0), *from = input<T>(c, 2);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t image = w.out.image(i), channel = w.out.channel(i), best = firstMaximum(w, x, image, w.out.place(i), channel);
    to[i] = best < 0 ? T(0) : from[w.in.at(image, best, channel)];
  });
}

// ---- with the places of the maxima

template <typename T>
Status runWithArgmax(KernelContext& c) {
  const Tensor& x = c.input(0);
  WEFT_LET(const cpu::PoolGeometry g, argmaxPoolGeometry(c));
  const Shape shape{x.dim(0), g.outHeight, g.outWidth, g.channels};
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  WEFT_LET(Tensor * places, c.allocate(1, shape));
  const Windows w = windowsOf(g, false);
  const int64_t perImage = c.node().attrs.flag("include_batch_in_index") ? g.inHeight * g.inWidth * g.channels : 0;
  const T* from = dataOf<T>(x);
  T* to = mutableDataOf<T>(*out);
  int64_t* found = mutableDataOf<int64_t>(*places);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t image = w.out.image(i), channel = w.out.channel(i), best = firstMaximum(w, from, image, w.out.place(i), channel);
    to[i] = best < 0 ? T(0) : from[w.in.at(image, best, channel)];
    found[i] = best < 0 ? -1 : image * perImage + best * w.in.channels + channel;
  });
}

/// What the positions of maxima mean: counted from the start of each image, or of the batch.
struct Positions {
  const int64_t* at;
  int64_t image, outImage, count;
  bool overAll;
  __device__ int64_t low(int64_t i) const { return overAll ? i / outImage * image : 0; }
  __device__ bool valid(int64_t i) const { return at[i] >= low(i) && at[i] < low(i) + image; }
  /// Within the whole batch.
  __device__ int64_t place(int64_t i) const { return overAll ? at[i] : at[i] + i / outImage * image; }
};
Result<ErrorSlot> wrongPositions(KernelContext& c, const Positions& p) {
  return deviceOf(c).errorSlot(c, c.input(2), [image = p.image, outImage = p.outImage, overAll = p.overAll](int64_t i, const Tensor& t) {
    const int64_t low = overAll ? i / outImage * image : 0;
    return invalidArgument("Invalid output grad index: ", t.asInt(i), ", expected one in [", low, ", ", low + image, ")");
  });
}
Positions positionsOf(KernelContext& c, const cpu::PoolGeometry& g) {
  return {input<int64_t>(c, 2), g.inHeight * g.inWidth * g.channels, g.outHeight * g.outWidth * g.channels, c.input(2).elements(),
          c.node().attrs.flag("include_batch_in_index")};
}

/// Whether a position lies in the window that it belongs to.
struct InOwnWindow {
  Windows w;
  Positions p;
  __device__ bool operator()(int64_t i) const {
    const int64_t at = p.place(i);
    if (w.in.channel(at) != w.out.channel(i)) return false;
    const Windows::Spot spot = w.input(w.in.place(at)), window = w.output(w.out.place(i));
    return spot.y >= w.axes[1].begin(window.y) && spot.y < w.axes[1].end(window.y) && spot.x >= w.axes[2].begin(window.x) && spot.x < w.axes[2].end(window.x);
  }
};

/// Positions are usually those of the windows' own maxima and are gathered. If any lies outside of its window, one thread per image adds all such in order.
template <typename T>
Status runArgmaxGradient(KernelContext& c) {
  WEFT_LET(const cpu::PoolGeometry g, argmaxGradGeometry(c, false));
  WEFT_LET(Tensor * out, c.allocate(0, c.input(0).shape()));
  CudaDevice& d = deviceOf(c);
  WEFT_LET(Tensor strayed, scratch(d, sizeof(int32_t)));
  const Windows w = windowsOf(g, false);
  const Positions p = positionsOf(c, g);
  WEFT_LET(const ErrorSlot wrong, wrongPositions(c, p));
  const T* dy = input<T>(c, 1);
  T* dx = mutableDataOf<T>(*out);
  int32_t* stray = static_cast<int32_t*>(strayed.mutableRaw());
  WEFT_CUDA_TRY(cudaMemsetAsync(stray, 0, sizeof(int32_t), d.stream()));
  const InOwnWindow own{w, p};
  WEFT_TRY(forEach(d, p.count, [=] __device__(int64_t i) {
    if (!p.valid(i)) wrong.report(i);
    else if (!own(i)) *stray = 1;
  }));
  WEFT_TRY(forEach(d, out->elements(), [=] __device__(int64_t i) {
    const int64_t image = w.in.image(i), channel = w.in.channel(i);
    Wide<T> sum = 0;
    w.overCovering(w.in.place(i), [&](int64_t window) {
      const int64_t at = w.out.at(image, window, channel);
      if (p.place(at) == i) sum += Wide<T>(dy[at]);
    });
    dx[i] = T(sum);
  }));
  return forEach(d, c.input(0).dim(0), [=] __device__(int64_t image) {
    if (!*stray) return;
    for (int64_t i = image * p.outImage; i < (image + 1) * p.outImage; ++i) {
      if (p.valid(i) && !own(i)) dx[p.place(i)] = T(Wide<T>(dx[p.place(i)]) + Wide<T>(dy[i]));
    }
  });
}

template <typename T>
Status runArgmaxSecondGradient(KernelContext& c) {
  WEFT_LET(const cpu::PoolGeometry g, argmaxGradGeometry(c, true));
  WEFT_LET(Tensor * out, c.allocate(0, c.input(2).shape()));
  const Positions p = positionsOf(c, g);
  WEFT_LET(const ErrorSlot wrong, wrongPositions(c, p));
  const T* from = input<T>(c, 1);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), p.count, [=] __device__(int64_t i) {
    const bool valid = p.valid(i);
    if (!valid) wrong.report(i);
    to[i] = valid ? from[p.place(i)] : T(0);
  });
}

template <typename T>
void addArgmax(OpRegistry& ops) {
  const std::vector<KernelConstraint> types = {{"T", {kDType<T>}}, {"Targmax", {DType::Int64}}};
  addAny(ops, "MaxPoolWithArgmax", runWithArgmax<T>, {}, types);
  addAny(ops, "MaxPoolGradWithArgmax", runArgmaxGradient<T>, {}, types);
  addAny(ops, "MaxPoolGradGradWithArgmax", runArgmaxSecondGradient<T>, {}, types);
}

}  // namespace

void registerPoolingGpu(OpRegistry& ops) {
  const std::vector<std::string> windows = {"ksize", "strides"};
  addFor<Half, float, double>(ops, "AvgPool", []<typename T>(KernelContext& c) { return runAveragePool<T>(c); });
  addFor<Half, float, double>(ops, "AvgPoolGrad", []<typename T>(KernelContext& c) { return runAverageGradient<T>(c); }, {"orig_input_shape"});
  addFor<Half, float, double>(ops, "MaxPool", []<typename T>(KernelContext& c) { return runMaxPool<T>(c); });
  addFor<Half, float, double>(
      ops, "MaxPoolV2", []<typename T>(KernelContext& c) { return runMaxPool<T>(c); }, windows);
  addFor<Half, float, double>(ops, "MaxPoolGrad", []<typename T>(KernelContext& c) { return runMaxGradient<T>(c); });
  addFor<Half, float, double>(
      ops, "MaxPoolGradV2", []<typename T>(KernelContext& c) { return runMaxGradient<T>(c); }, windows);
  addFor<Half, float, double>(ops, "MaxPoolGradGrad", []<typename T>(KernelContext& c) { return runMaxSecondGradient<T>(c); });
  addFor<Half, float, double>(
      ops, "MaxPoolGradGradV2", []<typename T>(KernelContext& c) { return runMaxSecondGradient<T>(c); }, windows);
  addArgmax<Half>(ops);
  addArgmax<float>(ops);
  addArgmax<double>(ops);
}

}  // namespace weft::cuda
