// Local response normalization (Krizhevsky et al. 2012): divides each channel by a power of the sum of squares of its neighbours.
#include <cmath>

#include "base/parallel.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

namespace weft {
namespace {

struct Settings {
  int64_t radius;
  float bias, alpha, beta;

  static Result<Settings> of(const AttrMap& a) {
    Settings s{a.integer("depth_radius", 5), a.number("bias", 1), a.number("alpha", 1), a.number("beta", 0.5f)};
    if (s.radius > 0x7fffffff) return invalidArgument("depth_radius = ", s.radius, " larger than int max");
    return s;
  }
  /// bias + alpha * the sum of squares within the radius of channel `k`.
  float norm(const float* x, int64_t channels, int64_t k) const {
    float sum = 0;
    for (int64_t i = std::max<int64_t>(0, k - radius); i < std::min(channels, k + radius + 1); ++i) sum += x[i] * x[i];
    return bias + alpha * sum;
  }
};

Status lrnShape(ShapeContext& c) {
  Shape s = Shape::unknownOfRank(4);
  for (int i = 0; i < c.inputCount(); ++i) {
    WEFT_TRY(c.requireRank(c.input(i), 4));
    WEFT_LET(s, c.merge(s, c.input(i)));
  }
  c.setOutput(0, s);
  return {};
}

Result<std::vector<Output>> lrnGradient(GradContext& c) {
  AttrMap attrs;
  for (const char* name : {"depth_radius", "bias", "alpha", "beta"}) {
    if (const Attr* a = c.attrs().find(name)) attrs.set(name, *a);
  }
  return std::vector<Output>{c.b().op("LRNGrad", {c.grad(), c.input(0), c.output(0)}, attrs)};
}

/// Calls f(in pixels…, out pixel) for each pixel, all as floats.
template <size_t inputs, typename F>
Status overPixels(KernelContext& c, const Shape& shape, F&& f) {
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  const int64_t channels = shape.dim(3);
  if (out->elements() == 0) return {};
  withFloat(out->dtype(), [&]<typename T>(std::type_identity<T>) {
    parallelFor(out->elements() / channels, std::max<int64_t>(1, 4096 / channels), [&](int64_t begin, int64_t end) {
      std::vector<float> rows[inputs + 1];
      for (auto& row : rows) row.resize(size_t(channels));
      for (int64_t p = begin; p < end; ++p) {
        for (size_t i = 0; i < inputs; ++i) std::copy_n(elementsOf<T>(c.input(int(i))) + p * channels, channels, rows[i].data());
        f(rows);
        std::transform(rows[inputs].begin(), rows[inputs].end(), elementsOf<T>(*out) + p * channels, [](float v) { return T(v); });
      }
    });
  });
  return {};
}

Status runLrn(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(const Settings s, Settings::of(c.node().attrs));
  if (in.rank() != 4) return invalidArgument("in must be 4-dimensional");
  const int64_t channels = in.dim(3);
  return overPixels<1>(c, in.shape(), [&](std::vector<float>* rows) {
    const float* x = rows[0].data();
    for (int64_t k = 0; k < channels; ++k) {
      const float n = s.norm(x, channels, k);
      rows[1][size_t(k)] = s.beta == 1 ? x[k] / n : s.beta == 0.5f ? x[k] / std::sqrt(n) : x[k] * std::exp(std::log(n) * -s.beta);
    }
  });
}

Status runLrnGrad(KernelContext& c) {
  const Tensor &grad = c.input(0), &in = c.input(1), &out = c.input(2);
  WEFT_LET(const Settings s, Settings::of(c.node().attrs));
  if (grad.rank() != 4 || in.rank() != 4) return invalidArgument("inputs must be 4-dimensional");
  if (grad.shape() != in.shape() || in.shape() != out.shape()) return invalidArgument("input_grads, input_image, and out_image should have the same shape");
  const int64_t channels = in.dim(3);
  return overPixels<3>(c, in.shape(), [&](std::vector<float>* rows) {
    const float *dy = rows[0].data(), *x = rows[1].data(), *y = rows[2].data();
    float* dx = rows[3].data();
    std::fill_n(dx, channels, 0.0f);
    for (int64_t j = 0; j < channels; ++j) {
      const float n = s.norm(x, channels, j);
      for (int64_t k = std::max<int64_t>(0, j - s.radius); k < std::min(channels, j + s.radius + 1); ++k) {
        float d = -2 * s.alpha * s.beta * x[k] * y[j] / n;
        if (k == j) d += std::pow(n, -s.beta);
        dx[k] += d * dy[j];
      }
    }
  });
}

OpRecord& withSettings(OpRecord& r) {
  return r.attr("depth_radius: int = 5", "Number of channels summed on each side.")
      .attr("bias: float = 1.0", "Offset added to the sum, to avoid division by zero.")
      .attr("alpha: float = 1.0", "Scale of the sum.")
      .attr("beta: float = 0.5", "Exponent of the normalization.")
      .attr("T: {half, bfloat16, float} = DT_FLOAT", "Type of the elements.")
      .shape(lrnShape);
}

}  // namespace

void registerLocalResponse(OpRegistry& ops) {
  const std::vector<DType> kernels = {DType::Float, DType::Half};
  withSettings(ops.add("LRN")
                   .category("Neural network")
                   .keywords("local response normalization alexnet")
                   .summary("Local response normalization across channels.")
                   .description("output = input / (bias + alpha * sum of input² within depth_radius) ^ beta")
                   .input("input: T", "Images [batch, height, width, channels].")
                   .output("output: T", "The normalized images."))
      .gradient(lrnGradient)
      .cpu({{"T", kernels}}, simpleKernel(runLrn));
  withSettings(ops.add("LRNGrad")
                   .category("Gradients")
                   .summary("Gradient of LRN.")
                   .input("input_grads: T", "Gradient with respect to the normalized images.")
                   .input("input_image: T", "The images.")
                   .input("output_image: T", "The normalized images.")
                   .output("output: T", "Gradient with respect to the images."))
      .noGradient("TensorFlow defines no second derivative for LRN.")
      .cpu({{"T", kernels}}, simpleKernel(runLrnGrad))
      .gradientIsError = true;
}

}  // namespace weft
