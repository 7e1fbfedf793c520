#include <cmath>

#include "base/parallel.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

// Interpolates images at given positions (Resampler of tf.contrib), for spatial transformers and optical flow.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

struct Sizes {
  int64_t batch, height, width, channels;
  int64_t places;  ///< Per image.
};

Result<Sizes> checkedSizes(const Tensor& data, const Tensor& warp) {
  if (data.rank() != 4) {
    return unimplemented(
        "Only bilinear interpolation is currently supported. The input data shape must be [batch_size, data_height, data_width, data_channels], but is: ",
        data.shape().toString());
  }
  if (warp.rank() < 2) return invalidArgument("warp should be at least a matrix, got shape ", warp.shape().toString());
  if (warp.dim(warp.rank() - 1) != 2) {
    return unimplemented("Only bilinear interpolation is supported, warping coordinates must be 2D; warp shape last entry should be 2, but shape vector is: ",
                         warp.shape().toString());
  }
  if (data.dim(0) != warp.dim(0)) {
    return invalidArgument("Batch size of data and warp tensor must be the same, but input shapes are: ", data.shape().toString(), ", ",
                           warp.shape().toString());
  }
  const int64_t batch = data.dim(0);
  return Sizes{batch, data.dim(1), data.dim(2), data.dim(3), batch > 0 ? warp.elements() / 2 / batch : 0};
}

Shape shapeOfSamples(const Tensor& data, const Tensor& warp) {
  std::vector<int64_t> dims = warp.shape().toVector();
  dims.back() = data.dim(3);
  return Shape(dims);
}

/// The four pixels around a position, and its weights along each axis.
template <typename T>
struct Place {
  int64_t x, y;
  T dx, dy;
};

/// Returns false if the position is a whole pixel or more outside the image (or NaN), where everything is 0.
template <typename T>
bool findPlace(const T* at, const Sizes& s, Place<T>& place) {
  const T x = at[0], y = at[1];
  if (!(x > T(-1) && y > T(-1) && x < T(s.width) && y < T(s.height))) return false;
  place.x = int64_t(std::floor(double(x)));
  place.y = int64_t(std::floor(double(y)));
  place.dx = T(T(place.x + 1) - x);
  place.dy = T(T(place.y + 1) - y);
  return true;
}

/// Memory offset of a pixel; -1: outside.
int64_t pixel(const Sizes& s, int64_t x, int64_t y) { return x >= 0 && y >= 0 && x < s.width && y < s.height ? (y * s.width + x) * s.channels : -1; }

Status runResampler(KernelContext& c) {
  const Tensor &data = c.input(0), &warp = c.input(1);
  WEFT_LET(const Sizes s, checkedSizes(data, warp));
  WEFT_LET(Tensor* out, c.allocate(0, shapeOfSamples(data, warp)));
  withFloat(data.dtype(), [&]<typename T>(std::type_identity<T>) {
    parallelFor(s.batch * s.places, std::max<int64_t>(1, 4096 / std::max<int64_t>(1, s.channels)), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const T* picture = elementsOf<T>(data) + i / s.places * s.height * s.width * s.channels;
        T* to = elementsOf<T>(*out) + i * s.channels;
        Place<T> p;
        if (!findPlace(elementsOf<T>(warp) + 2 * i, s, p)) {
          std::fill_n(to, s.channels, T(0));
          continue;
        }
        const int64_t corners[4] = {pixel(s, p.x, p.y), pixel(s, p.x + 1, p.y + 1), pixel(s, p.x, p.y + 1), pixel(s, p.x + 1, p.y)};
        const T weights[4] = {T(p.dx * p.dy), T(T(T(1) - p.dx) * T(T(1) - p.dy)), T(p.dx * T(T(1) - p.dy)), T(T(T(1) - p.dx) * p.dy)};
        for (int64_t k = 0; k < s.channels; ++k) {
          T sum = T(0);
          for (int j = 0; j < 4; ++j) {
            if (corners[j] >= 0) sum = T(sum + T(weights[j] * picture[corners[j] + k]));
          }
          to[k] = sum;
        }
      }
    });
  });
  return {};
}

Status runResamplerGrad(KernelContext& c) {
  const Tensor &data = c.input(0), &warp = c.input(1), &grad = c.input(2);
  WEFT_LET(const Sizes s, checkedSizes(data, warp));
  const Shape wanted = shapeOfSamples(data, warp);
  if (grad.shape() != wanted) {
    return invalidArgument("grad_output shape is not consistent with data and warp shapes; it should be ", wanted.toString(), " but is ",
                           grad.shape().toString());
  }
  WEFT_LET(Tensor* forData, c.allocate(0, data.shape()));
  WEFT_LET(Tensor* forWarp, c.allocate(1, warp.shape()));
  withFloat(data.dtype(), [&]<typename T>(std::type_identity<T>) {
    std::fill_n(elementsOf<T>(*forData), forData->elements(), T(0));
    std::fill_n(elementsOf<T>(*forWarp), forWarp->elements(), T(0));
    parallelFor(s.batch, 1, [&](int64_t begin, int64_t end) {  // positions in one image add to the same pixels
      for (int64_t i = begin * s.places; i < end * s.places; ++i) {
        const int64_t first = i / s.places * s.height * s.width * s.channels;
        const T *picture = elementsOf<T>(data) + first, *from = elementsOf<T>(grad) + i * s.channels;
        T *pixels = elementsOf<T>(*forData) + first, *at = elementsOf<T>(*forWarp) + 2 * i;
        Place<T> p;
        if (!findPlace(elementsOf<T>(warp) + 2 * i, s, p)) continue;
        const int64_t ff = pixel(s, p.x, p.y), cc = pixel(s, p.x + 1, p.y + 1), fc = pixel(s, p.x, p.y + 1), cf = pixel(s, p.x + 1, p.y);
        const T ex = T(T(1) - p.dx), ey = T(T(1) - p.dy);
        const auto add = [&](int64_t corner, int64_t k, T value) {
          if (corner >= 0) pixels[corner + k] = T(pixels[corner + k] + value);
        };
        for (int64_t k = 0; k < s.channels; ++k) {
          const auto value = [&](int64_t corner) { return corner >= 0 ? picture[corner + k] : T(0); };
          const T g = from[k];
          at[0] = T(at[0] + T(g * T(T(ey * T(value(cc) - value(fc))) + T(p.dy * T(value(cf) - value(ff))))));
          at[1] = T(at[1] + T(g * T(T(ex * T(value(cc) - value(cf))) + T(p.dx * T(value(fc) - value(ff))))));
          add(ff, k, T(T(g * p.dx) * p.dy));
          add(cc, k, T(T(g * ex) * ey));
          add(fc, k, T(T(g * p.dx) * ey));
          add(cf, k, T(T(g * ex) * p.dy));
        }
      }
    });
  });
  return {};
}

Status resamplerShape(ShapeContext& c) {
  const Shape &data = c.input(0), &warp = c.input(1);
  WEFT_TRY(c.requireRankAtLeast(warp, 1));
  if (!data.hasRank() || !warp.hasRank()) {
    c.setOutput(0, Shape::unknown());
    return {};
  }
  std::vector<int64_t> dims = warp.toVector();
  dims.back() = data.rank() > 0 ? data.dim(data.rank() - 1) : Shape::kUnknownDim;
  c.setOutput(0, Shape(dims));
  return {};
}

Grads resamplerGradient(GradContext& c) {
  const int grad = c.b().op("ResamplerGrad", {c.input(0), c.input(1), c.grad()}).node;
  return std::vector{Output{grad, 0}, Output{grad, 1}};
}

}  // namespace

void registerResampler(OpRegistry& ops) {
  const char* types = "T: {half, bfloat16, float, double}";
  ops.add("Resampler")
      .category("Images")
      .keywords("bilinear warp spatial transformer grid sample contrib")
      .summary("Samples images at given points with bilinear interpolation.")
      .input("data: T", "[batch, height, width, channels].")
      .input("warp: T", "[batch, …, 2]: sampling points x, y in pixels; values outside the image count as 0.")
      .output("output: T", "[batch, …, channels]: the sampled values.")
      .attr(types, "Type of the pixels.")
      .shape(resamplerShape)
      .gradient(resamplerGradient)
      .cpu({{"T", types::kFloatsBf}}, simpleKernel(runResampler));
  ops.add("ResamplerGrad")
      .category("Images")
      .summary("Gradient of Resampler with respect to its images and its sampling points.")
      .input("data: T", "The images.")
      .input("warp: T", "The sampling points.")
      .input("grad_output: T", "Gradient with respect to the sampled values.")
      .output("grad_data: T", "Gradient with respect to the images.")
      .output("grad_warp: T", "Gradient with respect to the sampling points.")
      .attr(types, "Type of the pixels.")
      .shape([](ShapeContext& c) -> Status {
        c.setOutput(0, c.input(0));
        c.setOutput(1, c.input(1));
        return {};
      })
      .noGradient("TensorFlow defines no second derivative for it.")
      .cpu({{"T", types::kFloatsBf}}, simpleKernel(runResamplerGrad))
      .gradientIsError = true;
}

}  // namespace weft
