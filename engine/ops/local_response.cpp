// Local response normalization (Krizhevsky et al. 2012): divides each channel by a power of the sum of squares of its neighbours.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/hot_rows.h"
#include "ops/grad_ops.h"
#include "ops/operand_checks.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

namespace weft {
namespace {

struct Settings : LocalResponse {
  /// bias + alpha * the sum of squares within the radius of each channel. `squares` is room for windows at the ends.
  void norms(float* out, const float* x, std::vector<float>& squares, int64_t channels) const {
    if (radius < 0) {  // an empty window
      std::fill_n(out, channels, bias);
      return;
    }
    const int64_t reach = std::min(radius, channels);
    squares.resize(size_t(channels + 2 * reach));
    cpu::rowKernels().windowNorms(out, x, squares.data(), channels, reach, bias, alpha);
  }
};

/// Rows that a thread needs for a pixel.
struct LrnRoom {
  std::vector<float> norms, powers, squares;
  explicit LrnRoom(int64_t channels) : norms(size_t(channels)), powers(size_t(channels)) {}
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

/// Calls f(in pixels…, out pixel, room) for each pixel, all as floats.
template <size_t inputs, typename F>
Status overPixels(KernelContext& c, const Shape& shape, F&& f) {
  WEFT_LET(Tensor * out, c.allocate(0, shape));
  const int64_t channels = shape.dim(3);
  if (out->elements() == 0) return {};
  withFloat(out->dtype(), [&]<typename T>(std::type_identity<T>) {
    parallelFor(out->elements() / channels, std::max<int64_t>(1, 4096 / channels), [&](int64_t begin, int64_t end) {
      LrnRoom room(channels);
      std::vector<float> rows[inputs + 1];
      for (auto& row : rows) row.resize(size_t(channels));
      for (int64_t p = begin; p < end; ++p) {
        const float* in[inputs];
        for (size_t i = 0; i < inputs; ++i) {
          const T* pixel = elementsOf<T>(c.input(int(i))) + p * channels;
          if constexpr (std::is_same_v<T, float>) {
            in[i] = pixel;
          } else {
            std::copy_n(pixel, channels, rows[i].data());
            in[i] = rows[i].data();
          }
        }
        T* to = elementsOf<T>(*out) + p * channels;
        if constexpr (std::is_same_v<T, float>) {
          f(in, to, room);
        } else {
          f(in, rows[inputs].data(), room);
          std::transform(rows[inputs].begin(), rows[inputs].end(), to, [](float v) { return T(v); });
        }
      }
    });
  });
  return {};
}

}  // namespace

Result<LocalResponse> checkLocalResponse(const KernelContext& c) {
  const AttrMap& a = c.node().attrs;
  const LocalResponse s{a.integer("depth_radius", 5), a.number("bias", 1), a.number("alpha", 1), a.number("beta", 0.5f)};
  if (s.radius > 0x7fffffff) return invalidArgument("depth_radius = ", s.radius, " larger than int max");
  if (c.inputCount() == 1) {
    if (c.input(0).rank() != 4) return invalidArgument("in must be 4-dimensional");
    return s;
  }
  const Tensor &grad = c.input(0), &in = c.input(1), &out = c.input(2);
  if (grad.rank() != 4 || in.rank() != 4) return invalidArgument("inputs must be 4-dimensional");
  if (grad.shape() != in.shape() || in.shape() != out.shape()) return invalidArgument("input_grads, input_image, and out_image should have the same shape");
  return s;
}

namespace {

Status runLrn(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(const LocalResponse checked, checkLocalResponse(c));
  const Settings s{checked};
  const int64_t channels = in.dim(3);
  return overPixels<1>(c, in.shape(), [&](const float* const* from, float* to, LrnRoom& room) {
    const float* x = from[0];
    s.norms(room.norms.data(), x, room.squares, channels);
    if (s.beta == 1 || s.beta == 0.5f) {
      cpu::rowKernels().divideByNorms(to, x, room.norms.data(), channels, s.beta == 0.5f);
    } else {
      for (int64_t k = 0; k < channels; ++k) to[k] = x[k] * std::exp(std::log(room.norms[size_t(k)]) * -s.beta);
    }
  });
}

Status runLrnGrad(KernelContext& c) {
  const Tensor& in = c.input(1);
  WEFT_LET(const LocalResponse checked, checkLocalResponse(c));
  const Settings s{checked};
  const int64_t channels = in.dim(3);
  return overPixels<3>(c, in.shape(), [&](const float* const* from, float* dx, LrnRoom& room) {
    const float *dy = from[0], *x = from[1], *y = from[2], *norms = room.norms.data();
    s.norms(room.norms.data(), x, room.squares, channels);
    float* powers = room.powers.data();
    if (s.beta == 0.5f) {
      cpu::rowKernels().inverseRoots(powers, norms, channels);
    } else if (s.beta == 1) {
      for (int64_t k = 0; k < channels; ++k) powers[k] = 1 / norms[k];
    } else {
      for (int64_t k = 0; k < channels; ++k) powers[k] = std::pow(norms[k], -s.beta);
    }
    if (s.radius < 0) {  // an empty window
      std::fill_n(dx, channels, 0.0f);
      return;
    }
    const int64_t reach = std::min(s.radius, channels);
    cpu::rowKernels().windowGradients(dx, dy, x, y, norms, powers, room.squares.data(), channels, reach, -2 * s.alpha * s.beta);
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
