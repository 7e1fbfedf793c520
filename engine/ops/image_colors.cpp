#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "device/cpu/hot_pixels.h"
#include "device/cpu/hot_rows.h"
#include "ops/grad_ops.h"
#include "ops/image_colors.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

// Colours of images: contrast, hue, saturation, and HSV.
namespace weft {

Status checkHsv(const Tensor& in) {
  if (in.rank() < 1) return invalidArgument("input must be at least 1D", in.shape().toString());
  if (in.dim(in.rank() - 1) != 3) return failedPrecondition("input must have 3 channels but input only has ", in.dim(in.rank() - 1), " channels.");
  return {};
}

Status checkColorChange(const Tensor& in, const Tensor& by, const char* name) {
  if (in.rank() < 3) return invalidArgument("input must be at least 3-D, got shape", in.shape().toString());
  if (by.rank() != 0) return invalidArgument(name, " must be scalar: ", by.shape().toString());
  if (in.dim(in.rank() - 1) != 3) return invalidArgument("input must have 3 channels but instead has ", in.dim(in.rank() - 1), " channels.");
  return {};
}

Result<ContrastShape> contrastShape(KernelContext& c) {
  const Tensor& in = c.input(0);
  if (in.rank() < 3) return invalidArgument("input must be at least 3-D, got shape", in.shape().toString());
  const char* const names[] = {"", "contrast_factor", "min_value", "max_value"};
  for (int i = 1; i < c.inputCount(); ++i) {
    if (c.input(i).rank() != 0) return invalidArgument(names[i], " must be scalar: ", c.input(i).shape().toString());
  }
  const int rank = in.rank();
  return ContrastShape{in.shape().slice(0, rank - 3).elements(), in.dim(rank - 3) * in.dim(rank - 2), in.dim(rank - 1)};
}

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
  Shape out = s;
  if (out.hasRank()) out.setDim(out.rank() - 1, 3);
  c.setOutput(0, std::move(out));
  return {};
}
Status adjustShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 3));
  for (int i = 1; i < c.inputCount(); ++i) WEFT_TRY(c.requireRank(c.input(i), 0));
  c.setOutput(0, c.input(0));
  return {};
}
/// For hue and saturation, TensorFlow checks the factor only in the kernel.
Status adjustColorShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 3));
  c.setOutput(0, c.input(0));
  return {};
}

/// Calls f(red, green, blue, new pixel) for all pixels; 16-bit floats are computed in float.
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

/// Calls f(outputs, inputs, pixels) for parts of the pixels.
template <typename F>
void overFloatPixels(const Tensor& in, Tensor& out, F&& f) {
  const float* x = in.data<float>();
  float* y = out.mutableData<float>();
  parallelFor(in.elements() / 3, 2048, [&](int64_t begin, int64_t end) { f(y + 3 * begin, x + 3 * begin, end - begin); });
}

template <bool forward>
Status runHsv(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_TRY(checkHsv(in));
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  if (in.dtype() == DType::Float) {
    const auto convert = forward ? cpu::pixelKernels().toHsv : cpu::pixelKernels().fromHsv;
    overFloatPixels(in, *out, [&](float* y, const float* x, int64_t n) { convert(y, x, n); });
    return {};
  }
  withFloat(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    overPixels<T>(in, *out, [](auto a, auto b, auto d, auto* pixel) { forward ? toHsv(a, b, d, pixel) : fromHsv(a, b, d, pixel); });
  });
  return {};
}

// ---- gradient of RGBToHSV, piecewise: the largest and the smallest channel determine the formula

/// x[..., i]
Output lastDim(GraphBuilder& b, Output x, int32_t i) {
  const py::Scope s(b, "strided_slice");
  const Output begin = b.ints({0, i}, "stack"), end = b.ints({0, i + 1}, "stack_1"), step = b.ints({1, 1}, "stack_2");
  return b.op("StridedSlice", {x, begin, end, step}, {{"ellipsis_mask", 1}, {"shrink_axis_mask", 2}}, s.name());
}

/// 1 / x, and 0 for 0.
Output reciprocal(GraphBuilder& b, Output x) { return py::binary(b, "div_no_nan", "DivNoNan", 1.0, x); }
Output square(GraphBuilder& b, Output x) { return b.op("Square", {x}); }

Result<std::vector<Output>> hsvGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output x[3] = {lastDim(b, c.input(0), 0), lastDim(b, c.input(0), 1), lastDim(b, c.input(0), 2)};
  const Output saturation = lastDim(b, c.output(0), 1), value = lastDim(b, c.output(0), 2);
  const auto both = [&](const char* op, int i, int j, const char* op2, int k, int l) {
    const Output first = b.op(op, {x[i], x[j]}), second = b.op(op2, {x[k], x[l]});
    return py::cast(b, py::binary(b, "and", "LogicalAnd", first, second), DType::Float);
  };
  const char *const ge = "GreaterEqual", *const gt = "Greater", *const le = "LessEqual", *const lt = "Less";
  const Output big[3] = {both(ge, 0, 2, ge, 0, 1), both(gt, 1, 0, ge, 1, 2), both(gt, 2, 0, gt, 2, 1)};
  const Output small[3] = {both(lt, 0, 2, lt, 0, 1), both(le, 1, 0, lt, 1, 2), both(le, 2, 0, le, 2, 1)};
  const auto positive = [&](int i) { return py::cast(b, py::call(b, "Greater", x[i], 0.0), DType::Float); };
  const auto mul = [&](const py::Operand& l, const py::Operand& r) { return py::mul(b, l, r); };

  // One node per statement: C++ evaluates arguments in any order, which would affect names and positions.
  Output forSaturation[3], forHue[3];
  constexpr int kOthers[3][2] = {{1, 2}, {0, 2}, {1, 0}};
  for (int i = 0; i < 3; ++i) {
    const int p = kOthers[i][0], q = kOthers[i][1];
    const Output mayMove = positive(i);
    const Output leastP = mul(small[p], x[p]), leastQ = mul(small[q], x[q]);
    const Output least = mul(big[i], py::call(b, "Add", leastP, leastQ));
    const Output asGreatest = mul(least, reciprocal(b, square(b, x[i])));
    const Output minus = mul(small[i], -1.0);
    const Output mostP = mul(big[p], x[p]), mostQ = mul(big[q], x[q]);
    const Output asLeast = mul(minus, reciprocal(b, py::add(b, mostP, mostQ)));
    forSaturation[i] = mul(mayMove, py::call(b, "Add", asGreatest, asLeast));
  }
  for (int i = 0; i < 3; ++i) {
    // The next two colours in the circle. If another one is the largest, their order determines the sign.
    const int next = (i + 1) % 3, last = (i + 2) % 3;
    Output asTop = mul(mul(positive(i), big[i]), -1.0);
    const Output apart = py::sub(b, x[next], x[last]);
    asTop = mul(asTop, apart);
    asTop = mul(asTop, reciprocal(b, square(b, saturation)));
    asTop = mul(asTop, reciprocal(b, square(b, value)));
    std::vector<Output> terms{mul(60.0, asTop)};
    for (const int top : {kOthers[i][0] < kOthers[i][1] ? kOthers[i][0] : kOthers[i][1], kOthers[i][0] < kOthers[i][1] ? kOthers[i][1] : kOthers[i][0]}) {
      const int other = 3 - i - top;
      Output slope = mul(mul(positive(top), big[top]), small[i]);
      const Output rise = py::sub(b, x[last], x[next]);
      slope = mul(slope, rise);
      const bool fromRed = i == 0 && top == 1;
      const Output spread = square(b, py::sub(b, x[fromRed ? i : top], x[fromRed ? top : i]));
      terms.push_back(mul(60.0, mul(slope, reciprocal(b, spread))));
      Output edge = mul(mul(positive(top), big[top]), small[other]);
      if (top == next) edge = mul(edge, -1.0);
      terms.push_back(mul(60.0, mul(edge, reciprocal(b, py::sub(b, x[top], x[other])))));
    }
    Output sum = terms[0];
    for (size_t k = 1; k < terms.size(); ++k) sum = py::add(b, sum, terms[k]);
    forHue[i] = py::truediv(b, sum, 360.0);
  }
  const auto stacked = [&](int part, const Output* by) {
    Inputs in;
    for (int i = 0; i < 3; ++i) in.add(mul(lastDim(b, c.grad(), part), by[i]));
    return b.op("Pack", in, {{"axis", -1}}, "stack");
  };
  const Output dv = stacked(2, big), ds = stacked(1, forSaturation), dh = stacked(0, forHue);
  return std::vector<Output>{py::call(b, "Add", py::call(b, "Add", dv, ds), dh)};
}

template <bool hue>
Status runAdjustColor(KernelContext& c) {
  const Tensor &in = c.input(0), &by = c.input(1);
  WEFT_TRY(checkColorChange(in, by, hue ? "delta" : "scale"));
  const float amount = by.at<float>(0);
  WEFT_LET(Tensor* out, c.allocateOrForward(0, in.shape(), {0}));
  const auto adjust = hue ? cpu::pixelKernels().turnHues : cpu::pixelKernels().scaleSaturations;
  overFloatPixels(in, *out, [&](float* y, const float* x, int64_t n) { adjust(y, x, amount, n); });
  return {};
}

/// Means are sums of blocks of pixels, which do not depend on the number of threads.
void contrastOfFloats(const float* x, float* y, int64_t pictures, int64_t pixels, int64_t channels, float by) {
  const cpu::RowKernels& rows = cpu::rowKernels();
  const int64_t blockPixels = std::max<int64_t>(1, 16384 / channels), blocks = (pixels + blockPixels - 1) / blockPixels;
  const auto overBlocks = [&](auto&& f) {
    parallelFor(pictures * blocks, std::max<int64_t>(1, 16384 / (std::min(blockPixels, pixels) * channels)), [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        const int64_t picture = b / blocks, first = b % blocks * blockPixels;
        f(b, picture, (picture * pixels + first) * channels, std::min(blockPixels, pixels - first) * channels);
      }
    });
  };
  std::vector<double> sums(size_t(pictures * blocks * channels), 0);
  overBlocks([&](int64_t block, int64_t, int64_t at, int64_t n) { rows.periodicSums(sums.data() + block * channels, x + at, n, channels); });
  std::vector<float> means(size_t(pictures * channels));
  for (int64_t p = 0; p < pictures; ++p) {
    for (int64_t k = 0; k < channels; ++k) {
      double sum = 0;
      for (int64_t b = 0; b < blocks; ++b) sum += sums[size_t((p * blocks + b) * channels + k)];
      means[size_t(p * channels + k)] = float(sum / double(pixels));
    }
  }
  overBlocks(
      [&](int64_t, int64_t picture, int64_t at, int64_t n) { rows.scaleAboutMeans(y + at, x + at, means.data() + picture * channels, by, n, channels); });
}

/// Scales each channel of each image around its mean; with four inputs, also clamps to two values.
Status runContrast(KernelContext& c) {
  const Tensor &in = c.input(0), &factor = c.input(1);
  WEFT_LET(const ContrastShape shape, contrastShape(c));
  const int64_t pictures = shape.pictures, pixels = shape.pixels, channels = shape.channels;
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  const float by = factor.at<float>(0);
  const int64_t size = pixels * channels;
  if (size == 0 || pictures == 0) return {};
  if (in.dtype() == DType::Float && channels <= cpu::kLongestPeriod) {
    contrastOfFloats(in.data<float>(), out->mutableData<float>(), pictures, pixels, channels, by);
  } else {
    withReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
      parallelFor(pictures, std::max<int64_t>(1, 4096 / size), [&](int64_t begin, int64_t end) {
        std::vector<double> mean;
        for (int64_t p = begin; p < end; ++p) {
          const T* x = elementsOf<T>(in) + p * size;
          float* y = out->mutableData<float>() + p * size;
          mean.assign(size_t(channels), 0);
          for (int64_t i = 0; i < pixels; ++i)
            for (int64_t k = 0; k < channels; ++k) mean[size_t(k)] += double(x[i * channels + k]);
          for (double& m : mean) m /= double(pixels);
          for (int64_t i = 0; i < pixels; ++i) {
            for (int64_t k = 0; k < channels; ++k) {
              const float m = float(mean[size_t(k)]);
              y[i * channels + k] = (float(x[i * channels + k]) - m) * by + m;
            }
          }
        }
      });
    });
  }
  if (c.inputCount() == 4) {
    const float least = c.input(2).at<float>(0), most = c.input(3).at<float>(0);
    float* y = out->mutableData<float>();
    parallelFor(pictures * size, 16384, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) y[i] = std::min(std::max(y[i], least), most);
    });
  }
  return {};
}

OpRecord& addAdjust(OpRegistry& ops, const char* name, const char* by, const char* doc, KernelFactory create, const char* summary) {
  OpRecord& r = ops.add(name)
                    .category("Images")
                    .keywords("augmentation color")
                    .summary(summary)
                    .input("images: T", "Images in the last three dimensions.")
                    .input(std::string(by) + ": float", doc)
                    .output("output: T", "The adjusted images.")
                    .attr("T: {half, float} = DT_FLOAT", "Type of the pixels.")
                    .shape(adjustShape)
                    .noGradient("TensorFlow defines no gradient for it.")
                    .cpu({{"T", types::kFloat}}, std::move(create));
  r.gradientIsError = true;
  return r;
}

}  // namespace

void registerImageColors(OpRegistry& ops) {
  addAdjust(ops, "AdjustContrastv2", "contrast_factor", "Factor by which each channel is scaled about its mean; a scalar.", simpleKernel(runContrast),
            "Adjusts the contrast of images.");
  addAdjust(ops, "AdjustHue", "delta", "Rotation of the hue as a fraction of a full turn; a scalar.", simpleKernel(runAdjustColor<true>),
            "Adjusts the hue of RGB images.")
      .shape(adjustColorShape);
  addAdjust(ops, "AdjustSaturation", "scale", "Factor by which the saturation is multiplied; a scalar.", simpleKernel(runAdjustColor<false>),
            "Adjusts the saturation of RGB images.")
      .shape(adjustColorShape);
  ops.add("AdjustContrast")
      .category("Images")
      .summary("Adjusts the contrast of images and clamps the result.")
      .input("images: T", "Images in the last three dimensions.")
      .input("contrast_factor: float", "Factor by which each channel is scaled about its mean; a scalar.")
      .input("min_value: float", "Lower clamping limit.")
      .input("max_value: float", "Upper clamping limit.")
      .output("output: float", "The adjusted images.")
      .attr("T: {uint8, int8, int16, int32, int64, float, double}", "Type of the pixels.")
      .deprecated(2, "Use AdjustContrastv2 instead")
      .shape(adjustShape)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({}, simpleKernel(runContrast))
      .gradientIsError = true;
  ops.add("RGBToHSV")
      .category("Images")
      .keywords("color hue saturation")
      .summary("Converts RGB pixels to HSV.")
      .input("images: T", "Pixels, along the last dimension (3 channels).")
      .output("output: T", "HSV pixels, in [0, 1].")
      .attr("T: {half, bfloat16, float, double} = DT_FLOAT", "Type of the pixels.")
      .shape(colorShape)
      .gradient(hsvGradient)
      .cpu({{"T", types::kFloats}}, simpleKernel(runHsv<true>));
  ops.add("HSVToRGB")
      .category("Images")
      .summary("Converts HSV pixels to RGB.")
      .input("images: T", "Pixels, along the last dimension (3 channels).")
      .output("output: T", "RGB pixels.")
      .attr("T: {half, bfloat16, float, double} = DT_FLOAT", "Type of the pixels.")
      .shape(colorShape)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({{"T", types::kFloats}}, simpleKernel(runHsv<false>));
}

}  // namespace weft
