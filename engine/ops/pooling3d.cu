#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "device/cuda/windows.cuh"
#include "ops/volume_windows.h"

// Pools of volumes and their gradients, which are gathered by each element of the input, so that they are the same in every run.
namespace weft::cuda {
namespace {

Windows windowsOf(const VolumeWindows& g) {
  Windows w;
  for (size_t i = 0; i < 3; ++i) w.axes[i] = {int(g.in[i]), int(g.out[i]), int(g.window[i]), int(g.stride[i]), int(g.before[i])};
  w.in = {g.inPixels(), g.channels, g.channelsFirst};
  w.out = {g.outPixels(), g.channels, g.channelsFirst};
  return w;
}

/// Volumes are float or half.
constexpr float kLowest = -3.402823466e+38f, kLowestHalf = -65504;

template <typename T, bool kMaximum>
Status runPool(KernelContext& c) {
  WEFT_LET(const VolumeWindows g, volumePool(c.node().attrs, "Pooling3DOp", c.input(0).shape(), false));
  WEFT_LET(Tensor * out, c.allocate(0, g.outShape(g.channels)));
  const Windows w = windowsOf(g);
  const T* x = input<T>(c, 0);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t image = w.out.image(i), window = w.out.place(i), channel = w.out.channel(i);
    float value = kMaximum ? (std::is_same_v<T, Half> ? kLowestHalf : kLowest) : 0;
    w.overWindow(window, [&](int64_t place) {
      const float v = x[w.in.at(image, place, channel)];
      value = !kMaximum ? value + v : value < v ? v : value;
      return true;
    });
    to[i] = T(kMaximum ? value : value / float(w.sizeOf(window)));
  });
}

template <typename T>
Status runAverageGradient(KernelContext& c) {
  Shape in;
  WEFT_LET(const VolumeWindows g, averageVolumeGrad(c, in, false));
  WEFT_LET(Tensor * out, c.allocate(0, in));
  const Windows w = windowsOf(g);
  const T* dy = input<T>(c, 1);
  T* dx = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t image = w.in.image(i), channel = w.in.channel(i);
    float sum = 0;
    w.overCovering(w.in.place(i), [&](int64_t window) { sum += float(dy[w.out.at(image, window, channel)]) / float(w.sizeOf(window)); });
    dx[i] = T(sum);
  });
}

/// All positions that hold a window's maximum get its gradient.
template <typename T>
Status runMaximumGradient(KernelContext& c) {
  WEFT_LET(const VolumeWindows g, maximumVolumeGrad(c, false, false));
  WEFT_LET(Tensor * out, c.allocate(0, c.input(0).shape()));
  const Windows w = windowsOf(g);
  const T *x = input<T>(c, 0), *y = input<T>(c, 1), *dy = input<T>(c, 2);
  T* dx = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t image = w.in.image(i), channel = w.in.channel(i);
    const float own = x[i];
    float sum = 0;
    w.overCovering(w.in.place(i), [&](int64_t window) {
      const int64_t at = w.out.at(image, window, channel);
      if (float(y[at]) == own) sum += float(dy[at]);
    });
    dx[i] = T(sum);
  });
}

/// Takes the gradient at the first maximum of each window.
template <typename T>
Status runMaximumSecondGradient(KernelContext& c) {
  WEFT_LET(const VolumeWindows g, maximumVolumeGrad(c, true, false));
  WEFT_LET(Tensor * out, c.allocate(0, c.input(1).shape()));
  const Windows w = windowsOf(g);
  const T *x = input<T>(c, 0), *y = input<T>(c, 1), *from = input<T>(c, 2);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t image = w.out.image(i), channel = w.out.channel(i);
    const float largest = y[i];
    float value = 0;
    w.overWindow(w.out.place(i), [&](int64_t place) {
      const int64_t at = w.in.at(image, place, channel);
      const bool found = float(x[at]) == largest;
      if (found) value = from[at];
      return !found;
    });
    to[i] = T(value);
  });
}

template <typename T>
void add(OpRegistry& ops) {
  const std::vector<KernelConstraint> type = {{"T", {kDType<T>}}};
  addAny(ops, "AvgPool3D", runPool<T, false>, {}, type);
  addAny(ops, "MaxPool3D", runPool<T, true>, {}, type);
  addAny(ops, "AvgPool3DGrad", runAverageGradient<T>, {"orig_input_shape"}, type);
  addAny(ops, "MaxPool3DGrad", runMaximumGradient<T>, {}, {{"T", {kDType<T>}}, {"TInput", {kDType<T>}}});
  addAny(ops, "MaxPool3DGradGrad", runMaximumSecondGradient<T>, {}, type);
}

}  // namespace

void registerPooling3DGpu(OpRegistry& ops) {
  add<Half>(ops);
  add<float>(ops);
}

}  // namespace weft::cuda
