#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "ops/image_grid.h"

// Image resizing, nearest and bilinear. Gradients are gathered: each old pixel looks for the new ones that used it, in their order, as the CPU adds them.
namespace weft::cuda {
namespace {

template <typename T>
Status runBilinear(KernelContext& c) {
  WEFT_LET(const ImageGrid g, imageGridFor(c));
  WEFT_LET(Tensor * out, c.allocate(0, Shape{g.batch, g.y.out, g.x.out, g.channels}));
  const T* from = input<T>(c, 0);
  float* to = mutableDataOf<float>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t k = i % g.channels, pixel = i / g.channels, x = pixel % g.x.out, row = pixel / g.x.out;
    const Between v = between(g.y, row % g.y.out), h = between(g.x, x);
    const T* picture = from + row / g.y.out * g.y.in * g.x.in * g.channels + k;
    const int64_t bottom = v.high > v.low ? v.high : v.low, right = h.high > h.low ? h.high : h.low;
    const T *upper = picture + v.low * g.x.in * g.channels, *lower = picture + bottom * g.x.in * g.channels;
    const float tl = float(upper[h.low * g.channels]), tr = float(upper[right * g.channels]);
    const float bl = float(lower[h.low * g.channels]), br = float(lower[right * g.channels]);
    const float t = tl + (tr - tl) * h.part, b = bl + (br - bl) * h.part;
    to[i] = t + (b - t) * v.part;
  });
}

/// New positions that may have used an old one: those near its image, with some to spare for rounding, and all that lie outside for those at the border.
struct Users {
  int64_t first, last;  ///< [first, last]
};
__device__ Users usersOf(const GridAxis& a, int64_t i) {
  Users u{0, a.out - 1};
  if (a.scale <= 0) return u;
  const float shift = a.halfPixel ? 0.5f : 0.0f;
  if (i > 0) {
    const int64_t first = int64_t(floorf((float(i - 1) + shift) / a.scale - shift)) - 2;
    if (first > 0) u.first = first;
  }
  if (i < a.in - 1) {
    const int64_t last = int64_t(ceilf((float(i + 1) + shift) / a.scale - shift)) + 2;
    if (last < u.last) u.last = last;
  }
  return u;
}

template <typename T>
Status runBilinearGrad(KernelContext& c) {
  WEFT_LET(const ImageGrid g, imageGridForOriginal(c));
  WEFT_LET(Tensor * out, c.allocate(0, Shape{g.batch, g.y.in, g.x.in, g.channels}));
  const float* from = input<float>(c, 0);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t k = i % g.channels, pixel = i / g.channels, column = pixel % g.x.in, line = pixel / g.x.in, row = line % g.y.in;
    const float* picture = from + line / g.y.in * g.y.out * g.x.out * g.channels + k;
    const Users ys = usersOf(g.y, row), xs = usersOf(g.x, column);
    T sum = T(0);
    for (int64_t y = ys.first; y <= ys.last; ++y) {
      const Between v = between(g.y, y);
      if (v.low != row && v.high != row) continue;
      for (int64_t x = xs.first; x <= xs.last; ++x) {
        const Between h = between(g.x, x);
        if (h.low != column && h.high != column) continue;
        const float d = picture[(y * g.x.out + x) * g.channels];
        if (v.low == row && h.low == column) sum = sum + T(d * ((1 - v.part) * (1 - h.part)));
        if (v.low == row && h.high == column) sum = sum + T(d * ((1 - v.part) * h.part));
        if (v.high == row && h.low == column) sum = sum + T(d * (v.part * (1 - h.part)));
        if (v.high == row && h.high == column) sum = sum + T(d * (v.part * h.part));
      }
    }
    to[i] = sum;
  });
}

template <typename T>
Status runNearest(KernelContext& c) {
  WEFT_LET(const ImageGrid g, imageGridFor(c));
  const bool align = c.node().attrs.flag("align_corners");
  WEFT_LET(Tensor * out, c.allocate(0, Shape{g.batch, g.y.out, g.x.out, g.channels}));
  const T* from = input<T>(c, 0);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t k = i % g.channels, pixel = i / g.channels, x = pixel % g.x.out, row = pixel / g.x.out;
    to[i] = from[((row / g.y.out * g.y.in + nearest(g.y, row % g.y.out, align)) * g.x.in + nearest(g.x, x, align)) * g.channels + k];
  });
}

template <typename T>
Status runNearestGrad(KernelContext& c) {
  const Tensor& size = c.input(1);
  if (size.rank() != 1 || size.elements() != 2) return invalidArgument("shape_t must have two elements", size.shape().toString());
  WEFT_LET(const ImageGrid g, imageGridForGradient(c, size.asInt(0), size.asInt(1)));
  const bool align = c.node().attrs.flag("align_corners");
  WEFT_LET(Tensor * out, c.allocate(0, Shape{g.batch, g.y.in, g.x.in, g.channels}));
  const T* from = input<T>(c, 0);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t k = i % g.channels, pixel = i / g.channels, column = pixel % g.x.in, line = pixel / g.x.in, row = line % g.y.in;
    const T* picture = from + line / g.y.in * g.y.out * g.x.out * g.channels + k;
    const Users ys = usersOf(g.y, row), xs = usersOf(g.x, column);
    T sum = T(0);
    for (int64_t y = ys.first; y <= ys.last; ++y) {
      if (nearest(g.y, y, align) != row) continue;
      for (int64_t x = xs.first; x <= xs.last; ++x) {
        if (nearest(g.x, x, align) == column) sum = T(Wide<T>(sum) + Wide<T>(picture[(y * g.x.out + x) * g.channels]));
      }
    }
    to[i] = sum;
  });
}

}  // namespace

void registerImageResizeGpu(OpRegistry& ops) {
  addFor<float, double>(ops, "ResizeBilinear", []<typename T>(KernelContext& c) { return runBilinear<T>(c); }, {"size"});
  addFor<float, double>(ops, "ResizeBilinearGrad", []<typename T>(KernelContext& c) { return runBilinearGrad<T>(c); });
  addFor<Half, float, double>(ops, "ResizeNearestNeighbor", []<typename T>(KernelContext& c) { return runNearest<T>(c); }, {"size"});
  addFor<Half, float, double>(ops, "ResizeNearestNeighborGrad", []<typename T>(KernelContext& c) { return runNearestGrad<T>(c); }, {"size"});
}

}  // namespace weft::cuda
