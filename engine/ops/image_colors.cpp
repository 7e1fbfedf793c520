#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "ops/element_types.h"
#include "ops/registry.h"

// Colours of pictures: contrast, hue, saturation, and the HSV form.
namespace weft {
namespace {

template <typename T>
void toHsv(T r, T g, T b, T out[3]) {
  const T value = std::max({r, g, b}), range = value - std::min({r, g, b});
  T hue = 0;
  if (range > 0) {
    const T step = T(1) / (T(6) * range);
    hue = r == value ? step * (g - b) : g == value ? step * (b - r) + T(2) / T(6) : step * (r - g) + T(4) / T(6);
    if (hue < 0) hue += 1;
  }
  out[0] = hue, out[1] = value > 0 ? range / value : T(0), out[2] = value;
}
template <typename T>
void fromHsv(T h, T s, T v, T out[3]) {
  const T six = h * T(6);
  const auto part = [&](T x) { return (T(1) - s + s * std::clamp(x, T(0), T(1))) * v; };
  out[0] = part(std::abs(six - T(3)) - T(1));
  out[1] = part(T(2) - std::abs(six - T(2)));
  out[2] = part(T(2) - std::abs(six - T(4)));
}

Status colorShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 1));
  const Shape& s = c.input(0);
  if (s.hasRank() && s.dim(s.rank() - 1) >= 0 && s.dim(s.rank() - 1) != 3) return invalidArgument("Dimension must be 3 but is ", s.dim(s.rank() - 1));
  c.setOutput(0, s);
  return {};
}
Status adjustShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 3));
  for (int i = 1; i < c.inputCount(); ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
  c.setOutput(0, c.input(0));
  return {};
}

/// Calls f(red, green, blue, new pixel) for all pixels; 16-bit floats are computed as floats.
template <typename T, typename F>
void overPixels(const Tensor& in, Tensor& out, F&& f) {
  using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const T* x = elementsOf<T>(in);
  T* y = elementsOf<T>(out);
  parallelFor(in.elements() / 3, 4096, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      C pixel[3];
      f(C(x[3 * i]), C(x[3 * i + 1]), C(x[3 * i + 2]), pixel);
      for (int k = 0; k < 3; ++k) y[3 * i + k] = T(pixel[k]);
    }
  });
}

template <bool forward>
Status runHsv(KernelContext& c) {
  const Tensor& in = c.input(0);
  if (in.rank() < 1) return invalidArgument("input must be at least 1D", in.shape().toString());
  if (in.dim(in.rank() - 1) != 3) return failedPrecondition("input must have 3 channels but input only has ", in.dim(in.rank() - 1), " channels.");
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  withFloat(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    overPixels<T>(in, *out, [](auto a, auto b, auto d, auto* pixel) { forward ? toHsv(a, b, d, pixel) : fromHsv(a, b, d, pixel); });
  });
  return {};
}

template <bool hue>
Status runAdjustColor(KernelContext& c) {
  const Tensor &in = c.input(0), &by = c.input(1);
  if (in.rank() < 3) return invalidArgument("input must be at least 3-D, got shape", in.shape().toString());
  if (by.rank() != 0) return invalidArgument(hue ? "delta" : "scale", " must be scalar: ", by.shape().toString());
  if (in.dim(in.rank() - 1) != 3) return invalidArgument("input must have 3 channels but instead has ", in.dim(in.rank() - 1), " channels.");
  const float amount = by.at<float>(0);
  WEFT_LET(Tensor* out, c.allocateOrForward(0, in.shape(), {0}));
  overPixels<float>(in, *out, [&](float r, float g, float b, float pixel[3]) {
    float hsv[3];
    toHsv(r, g, b, hsv);
    if (hue) {
      hsv[0] += amount;
      hsv[0] -= std::floor(hsv[0]);
    } else {
      hsv[1] = std::clamp(hsv[1] * amount, 0.0f, 1.0f);
    }
    fromHsv(hsv[0], hsv[1], hsv[2], pixel);
  });
  return {};
}

/// Each channel of each picture stretched about its mean; with four inputs also held between two values.
Status runContrast(KernelContext& c) {
  const Tensor &in = c.input(0), &factor = c.input(1);
  if (in.rank() < 3) return invalidArgument("input must be at least 3-D, got shape", in.shape().toString());
  const char* const names[] = {"", "contrast_factor", "min_value", "max_value"};
  for (int i = 1; i < c.inputCount(); ++i) {
    if (c.input(i).rank() != 0) return invalidArgument(names[i], " must be scalar: ", c.input(i).shape().toString());
  }
  const int rank = in.rank();
  const int64_t pixels = in.dim(rank - 3) * in.dim(rank - 2), channels = in.dim(rank - 1), pictures = in.shape().slice(0, rank - 3).elements();
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  const float by = factor.at<float>(0);
  withReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t p = 0; p < pictures; ++p) {
      const T* x = elementsOf<T>(in) + p * pixels * channels;
      float* y = out->mutableData<float>() + p * pixels * channels;
      std::vector<double> mean(size_t(channels), 0);
      for (int64_t i = 0; i < pixels; ++i)
        for (int64_t k = 0; k < channels; ++k) mean[size_t(k)] += double(x[i * channels + k]);
      for (double& m : mean) m /= double(std::max<int64_t>(pixels, 1));
      for (int64_t i = 0; i < pixels * channels; ++i) {
        const float m = float(mean[size_t(i % channels)]);
        y[i] = (float(x[i]) - m) * by + m;
        if (c.inputCount() == 4) y[i] = std::min(std::max(y[i], c.input(2).at<float>(0)), c.input(3).at<float>(0));
      }
    }
  });
  return {};
}

OpRecord& addAdjust(OpRegistry& ops, const char* name, const char* by, const char* doc, KernelFactory create, const char* summary) {
  OpRecord& r = ops.add(name)
                    .category("Images")
                    .keywords("augmentation color")
                    .summary(summary)
                    .input("images: T", "Pictures in the last three dimensions.")
                    .input(std::string(by) + ": float", doc)
                    .output("output: T", "The changed pictures.")
                    .attr("T: {half, float} = DT_FLOAT", "Type of the pixels.")
                    .shape(adjustShape)
                    .noGradient("TensorFlow has no gradient for it.")
                    .cpu({{"T", types::kFloat}}, std::move(create));
  r.gradientIsError = true;
  return r;
}

}  // namespace

void registerImageColors(OpRegistry& ops) {
  addAdjust(ops, "AdjustContrastv2", "contrast_factor", "How much each channel is stretched about its mean.", simpleKernel(runContrast), "Pictures with another contrast.");
  addAdjust(ops, "AdjustHue", "delta", "How far the hue turns; 1 is once around.", simpleKernel(runAdjustColor<true>), "Pictures with another hue.");
  addAdjust(ops, "AdjustSaturation", "scale", "How much stronger the colours become.", simpleKernel(runAdjustColor<false>), "Pictures with stronger or weaker colours.");
  ops.add("AdjustContrast")
      .category("Images")
      .summary("Pictures with another contrast, held between two values.")
      .input("images: T", "Pictures in the last three dimensions.")
      .input("contrast_factor: float", "How much each channel is stretched about its mean.")
      .input("min_value: float", "Lowest value.")
      .input("max_value: float", "Highest value.")
      .output("output: float", "The changed pictures.")
      .attr("T: {uint8, int8, int16, int32, int64, float, double}", "Type of the pixels.")
      .deprecated(2, "Use AdjustContrastv2 instead")
      .shape(adjustShape)
      .noGradient("TensorFlow has no gradient for it.")
      .cpu({}, simpleKernel(runContrast))
      .gradientIsError = true;
  ops.add("HSVToRGB")
      .category("Images")
      .summary("Pixels given as hue, saturation and value, as red, green and blue.")
      .input("images: T", "Pixels along the last dimension.")
      .output("output: T", "The same in the other form.")
      .attr("T: {half, bfloat16, float, double} = DT_FLOAT", "Type of the pixels.")
      .shape(colorShape)
      .noGradient("TensorFlow has no gradient for it.")
      .cpu({{"T", types::kFloats}}, simpleKernel(runHsv<false>));
}

}  // namespace weft
