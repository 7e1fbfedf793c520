#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"
#include "ops/image_colors.h"

// Colours of images: contrast, hue, saturation, and HSV. Factors are in device memory.
namespace weft::cuda {
namespace {

template <typename W>
struct Pixel {
  W a, b, c;
};
template <typename W>
__device__ W smaller(W a, W b) {
  return b < a ? b : a;
}
template <typename W>
__device__ W larger(W a, W b) {
  return a < b ? b : a;
}
template <typename W>
__device__ W inUnit(W x) {
  return x < W(0) ? W(0) : W(1) < x ? W(1) : x;
}

template <typename W>
__device__ Pixel<W> hsvOf(W r, W g, W b) {
  const W value = larger(larger(r, g), b), range = value - smaller(smaller(r, g), b);
  W hue = 0;
  if (range > 0) {
    const W step = W(1) / (W(6) * range);
    hue = r == value ? step * (g - b) : g == value ? step * (b - r) + W(2) / W(6) : step * (r - g) + W(4) / W(6);
    if (hue < 0) hue += 1;
  }
  return {hue, value > 0 ? range / value : W(0), value};
}
template <typename W>
__device__ Pixel<W> rgbOf(W h, W s, W v) {
  const W six = h * W(6);
  return {((W(1) - s) + s * inUnit(W(fabs(six - W(3))) - W(1))) * v, ((W(1) - s) + s * inUnit(W(2) - W(fabs(six - W(2))))) * v,
          ((W(1) - s) + s * inUnit(W(2) - W(fabs(six - W(4))))) * v};
}

struct ToHsv {
  template <typename W>
  __device__ Pixel<W> operator()(Pixel<W> p) const {
    return hsvOf(p.a, p.b, p.c);
  }
};
struct FromHsv {
  template <typename W>
  __device__ Pixel<W> operator()(Pixel<W> p) const {
    return rgbOf(p.a, p.b, p.c);
  }
};
/// A hue lies between the smallest and the largest channel. This also holds for pixels below 0, for which saturation and value are undefined.
struct TurnHue {
  const float* amount;
  __device__ Pixel<float> operator()(Pixel<float> p) const {
    const float base = larger(larger(p.a, p.b), p.c) <= 0 ? smaller(smaller(p.a, p.b), p.c) : 0.0f;
    p = hsvOf(p.a - base, p.b - base, p.c - base);
    const float turned = p.a + *amount;
    p = rgbOf(turned - floorf(turned), p.b, p.c);
    return {p.a + base, p.b + base, p.c + base};
  }
};
struct ScaleSaturation {
  const float* amount;
  __device__ Pixel<float> operator()(Pixel<float> p) const {
    p = hsvOf(p.a, p.b, p.c);
    return rgbOf(p.a, inUnit(p.b * *amount), p.c);
  }
};

template <typename T, typename F>
Status overPixels(CudaDevice& d, const Tensor& in, Tensor& out, F f) {
  using W = Wide<T>;
  const T* from = dataOf<T>(in);
  T* to = mutableDataOf<T>(out);
  return forEach(d, in.elements() / 3, [=] __device__(int64_t i) {
    const Pixel<W> p = f(Pixel<W>{W(from[3 * i]), W(from[3 * i + 1]), W(from[3 * i + 2])});
    to[3 * i] = T(p.a);
    to[3 * i + 1] = T(p.b);
    to[3 * i + 2] = T(p.c);
  });
}

template <typename T, typename F>
Status runHsv(KernelContext& c) {
  WEFT_TRY(checkHsv(c.input(0)));
  WEFT_LET(Tensor * out, c.allocate(0, c.input(0).shape()));
  return overPixels<T>(deviceOf(c), c.input(0), *out, F());
}
template <typename T, typename F>
Status runAdjust(KernelContext& c) {
  WEFT_TRY(checkColorChange(c.input(0), c.input(1), std::is_same_v<F, TurnHue> ? "delta" : "scale"));
  WEFT_LET(Tensor * out, c.allocateOrForward(0, c.input(0).shape(), {0}));
  return overPixels<T>(deviceOf(c), c.input(0), *out, F{input<float>(c, 1)});
}

struct Sum {
  __device__ double operator()(double a, double b) const { return a + b; }
};

/// Means of each channel of each picture, one block per mean; then each element is scaled about its mean, and clamped if there are limits.
template <typename T, typename R>
Status runContrast(KernelContext& c) {
  WEFT_LET(const ContrastShape s, contrastShape(c));
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  if (in.elements() == 0) return {};
  CudaDevice& d = deviceOf(c);
  WEFT_LET(Tensor memory, scratch(d, size_t(s.pictures * s.channels) * sizeof(float)));
  auto* means = static_cast<float*>(memory.mutableRaw());
  const T* x = dataOf<T>(in);
  WEFT_TRY(forEachBlock(d, s.pictures * s.channels, [=] __device__(int64_t m) {
    WEFT_SHARED(double, part, kThreads);
    const T* from = x + m / s.channels * s.pixels * s.channels + m % s.channels;
    double sum = 0;
    for (int64_t i = threadIdx.x; i < s.pixels; i += kThreads) sum += double(Wide<T>(from[i * s.channels]));
    sum = acrossBlock(sum, Sum(), part);
    if (threadIdx.x == 0) means[m] = float(sum / double(s.pixels));
  }));
  R* to = mutableDataOf<R>(*out);
  const float* factor = input<float>(c, 1);
  const bool limited = c.inputCount() == 4;
  const float *least = limited ? input<float>(c, 2) : nullptr, *most = limited ? input<float>(c, 3) : nullptr;
  return forEach(d, in.elements(), [=] __device__(int64_t i) {
    const float mean = means[i / (s.pixels * s.channels) * s.channels + i % s.channels];
    float y = (float(Wide<T>(x[i])) - mean) * *factor + mean;
    if (limited) {
      y = y < *least ? *least : y;
      y = *most < y ? *most : y;
    }
    to[i] = R(y);
  });
}

}  // namespace

void registerImageColorsGpu(OpRegistry& ops) {
  addFor<float, double>(ops, "RGBToHSV", []<typename T>(KernelContext& c) { return runHsv<T, ToHsv>(c); });
  addFor<float, double>(ops, "HSVToRGB", []<typename T>(KernelContext& c) { return runHsv<T, FromHsv>(c); });
  addFor<Half, float>(ops, "AdjustHue", []<typename T>(KernelContext& c) { return runAdjust<T, TurnHue>(c); });
  addFor<Half, float>(ops, "AdjustSaturation", []<typename T>(KernelContext& c) { return runAdjust<T, ScaleSaturation>(c); });
  addFor<Half, float>(ops, "AdjustContrastv2", []<typename T>(KernelContext& c) { return runContrast<T, T>(c); });
  addFor<float, double, int8_t, uint8_t, int16_t, int32_t>(ops, "AdjustContrast", []<typename T>(KernelContext& c) { return runContrast<T, float>(c); });
}

}  // namespace weft::cuda
