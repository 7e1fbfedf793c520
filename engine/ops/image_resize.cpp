#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/parallel.h"
#include "device/cpu/hot_pixels.h"
#include "device/cpu/hot_rows.h"
#include "ops/as_floats.h"
#include "ops/grad_ops.h"
#include "ops/image_grid.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

// Image resizing: nearest, bilinear, bicubic and area, with TensorFlow's three mappings between the grids.
namespace weft {
namespace {

float scaleOf(int64_t in, int64_t out, bool align) { return align && out > 1 ? float(in - 1) / float(out - 1) : float(in) / float(out); }

Status checkSizes(int64_t in, int64_t out) {
  if (in >= (int64_t(1) << 31) || out >= (int64_t(1) << 31)) return invalidArgument("input and output sizes must be less than 2^31");
  return {};
}
Status checkModes(const AttrMap& attrs) {
  if (attrs.flag("half_pixel_centers") && attrs.flag("align_corners")) return invalidArgument("If half_pixel_centers is True, align_corners must be False.");
  return {};
}

}  // namespace

Result<ImageGrid> imageGridFor(KernelContext& c) {
  const Tensor &in = c.input(0), &size = c.input(1);
  if (in.rank() != 4) return invalidArgument("input must be 4-dimensional", in.shape().toString());
  if (size.rank() != 1) return invalidArgument("shape_t must be 1-dimensional", size.shape().toString());
  if (size.elements() != 2) return invalidArgument("shape_t must have two elements", size.shape().toString());
  const int64_t height = size.asInt(0), width = size.asInt(1);
  if (height <= 0 || width <= 0) return invalidArgument("output dimensions must be positive");
  if (in.dim(3) == 0) return invalidArgument("image must have at least one channel");
  if (in.dim(1) == 0 || in.dim(2) == 0) return invalidArgument("input image must be of non-zero size");
  WEFT_TRY(checkSizes(in.dim(1), height));
  WEFT_TRY(checkSizes(in.dim(2), width));
  const AttrMap& attrs = c.node().attrs;
  WEFT_TRY(checkModes(attrs));
  const bool align = attrs.flag("align_corners"), half = attrs.flag("half_pixel_centers");
  return ImageGrid{
      in.dim(0), in.dim(3), {in.dim(1), height, scaleOf(in.dim(1), height, align), half}, {in.dim(2), width, scaleOf(in.dim(2), width, align), half}};
}
Result<ImageGrid> imageGridForGradient(KernelContext& c, int64_t height, int64_t width) {
  const Tensor& grads = c.input(0);
  if (grads.rank() != 4) return invalidArgument("input_grad must be 4-dimensional", grads.shape().toString());
  if (grads.dim(1) == 0 || grads.dim(2) == 0 || height <= 0 || width <= 0) return invalidArgument("image must be of non-zero size");
  const AttrMap& attrs = c.node().attrs;
  WEFT_TRY(checkModes(attrs));
  const bool align = attrs.flag("align_corners"), half = attrs.flag("half_pixel_centers");
  return ImageGrid{grads.dim(0),
                   grads.dim(3),
                   {height, grads.dim(1), scaleOf(height, grads.dim(1), align), half},
                   {width, grads.dim(2), scaleOf(width, grads.dim(2), align), half}};
}

Result<ImageGrid> imageGridForOriginal(KernelContext& c) {
  const Tensor& original = c.input(1);
  if (original.rank() != 4) return invalidArgument("original_image must be 4-dimensional", original.shape().toString());
  return imageGridForGradient(c, original.dim(1), original.dim(2));
}

namespace {

using Grads = Result<std::vector<Output>>;

/// Output 0: images of the old size, all zero.
Result<Tensor*> allocateZeros(KernelContext& c, const ImageGrid& g) {
  WEFT_LET(Tensor* out, c.allocate(0, Shape{g.batch, g.y.in, g.x.in, g.channels}));
  std::memset(out->mutableRaw(), 0, out->bytes());
  return out;
}

Status resizeShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 4));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  if (c.input(1).hasRank() && c.input(1).dim(0) >= 0 && c.input(1).dim(0) != 2) return invalidArgument("Dimension must be 2 but is ", c.input(1).dim(0));
  WEFT_LET(const Shape size, c.constantAsShape(1));
  const Shape in = c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(4);
  const bool known = size.hasRank() && size.rank() == 2;
  c.setOutput(0, Shape{in.dim(0), known ? size.dim(0) : Shape::kUnknownDim, known ? size.dim(1) : Shape::kUnknownDim, in.dim(3)});
  return {};
}
Status likeSecondShape(ShapeContext& c) {
  c.setOutput(0, c.input(1));
  return {};
}

/// Runs f(image, row of the new grid) for all rows, on several threads.
template <typename F>
void overRows(const ImageGrid& g, F&& f) {
  const int64_t rows = g.batch * g.y.out;
  parallelFor(rows, std::max<int64_t>(1, 16384 / std::max<int64_t>(1, g.x.out * g.channels)), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) f(r / g.y.out, r % g.y.out);
  });
}

// Bilinear.

Status runBilinear(KernelContext& c) {
  WEFT_LET(const ImageGrid g, imageGridFor(c));
  WEFT_LET(Tensor* out, c.allocate(0, Shape{g.batch, g.y.out, g.x.out, g.channels}));
  std::vector<int32_t> left, right;
  std::vector<float> across;
  for (int64_t x = 0; x < g.x.out; ++x) {
    const Between h = between(g.x, x);
    left.push_back(int32_t(h.low));
    right.push_back(int32_t(std::max(h.high, h.low)));
    across.push_back(h.part);
  }
  // Each new row needs two rows of floats: they are converted before if most are needed more than once.
  Tensor in = c.input(0);
  if (2 * g.y.out >= g.y.in) {
    WEFT_LET(in, asFloatTensor(c, in));
  }
  const int64_t width = g.x.in * g.channels;
  withReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    overRows(g, [&](int64_t b, int64_t y) {
      const Between v = between(g.y, y);
      const T* picture = elementsOf<T>(in) + b * g.y.in * width;
      const T* rows[] = {picture + v.low * width, picture + std::max(v.high, v.low) * width};
      const float* wide[2];
      thread_local std::vector<float> room;
      if constexpr (!std::is_same_v<T, float>) room.resize(size_t(2 * width));
      for (size_t k = 0; k < 2; ++k) {
        if constexpr (std::is_same_v<T, float>) {
          wide[k] = rows[k];
        } else {
          toFloats(rows[k], room.data() + int64_t(k) * width, width);
          wide[k] = room.data() + int64_t(k) * width;
        }
      }
      float* to = out->mutableData<float>() + (b * g.y.out + y) * g.x.out * g.channels;
      cpu::pixelKernels().blendFour(to, wide[0], wide[1], left.data(), right.data(), across.data(), v.part, g.x.out, g.channels);
    });
  });
  return {};
}

Status runBilinearGrad(KernelContext& c) {
  WEFT_LET(const ImageGrid g, imageGridForOriginal(c));
  WEFT_LET(Tensor* out, allocateZeros(c, g));
  withFloat(out->dtype(), [&]<typename T>(std::type_identity<T>) {
    T* result = elementsOf<T>(*out);
    const float* from = c.input(0).data<float>();
    for (int64_t b = 0; b < g.batch; ++b) {
      T* picture = result + b * g.y.in * g.x.in * g.channels;
      for (int64_t y = 0; y < g.y.out; ++y) {
        const Between v = between(g.y, y);
        for (int64_t x = 0; x < g.x.out; ++x) {
          const Between h = between(g.x, x);
          for (int64_t k = 0; k < g.channels; ++k, ++from) {
            const auto add = [&](int64_t row, int64_t column, float weight) {
              T& to = picture[(row * g.x.in + column) * g.channels + k];
              to = T(to + T(*from * weight));
            };
            add(v.low, h.low, (1 - v.part) * (1 - h.part));
            add(v.low, h.high, (1 - v.part) * h.part);
            add(v.high, h.low, v.part * (1 - h.part));
            add(v.high, h.high, v.part * h.part);
          }
        }
      }
    }
  });
  return {};
}

// Nearest.

Status runNearest(KernelContext& c) {
  WEFT_LET(const ImageGrid g, imageGridFor(c));
  const Tensor& in = c.input(0);
  const bool align = c.node().attrs.flag("align_corners");
  WEFT_LET(Tensor* out, c.allocate(0, Shape{g.batch, g.y.out, g.x.out, g.channels}));
  withReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    overRows(g, [&](int64_t b, int64_t y) {
      const T* row = elementsOf<T>(in) + (b * g.y.in + nearest(g.y, y, align)) * g.x.in * g.channels;
      T* to = elementsOf<T>(*out) + (b * g.y.out + y) * g.x.out * g.channels;
      for (int64_t x = 0; x < g.x.out; ++x, to += g.channels) std::copy_n(row + nearest(g.x, x, align) * g.channels, g.channels, to);
    });
  });
  return {};
}
Status runNearestGrad(KernelContext& c) {
  const Tensor &grads = c.input(0), &size = c.input(1);
  if (size.rank() != 1 || size.elements() != 2) return invalidArgument("shape_t must have two elements", size.shape().toString());
  WEFT_LET(const ImageGrid g, imageGridForGradient(c, size.asInt(0), size.asInt(1)));
  const bool align = c.node().attrs.flag("align_corners");
  WEFT_LET(Tensor* out, allocateZeros(c, g));
  withReal(grads.dtype(), [&]<typename T>(std::type_identity<T>) {
    T* result = elementsOf<T>(*out);
    const T* from = elementsOf<T>(grads);
    for (int64_t b = 0; b < g.batch; ++b)
      for (int64_t y = 0; y < g.y.out; ++y)
        for (int64_t x = 0; x < g.x.out; ++x) {
          T* to = result + ((b * g.y.in + nearest(g.y, y, align)) * g.x.in + nearest(g.x, x, align)) * g.channels;
          for (int64_t k = 0; k < g.channels; ++k) to[k] = T(to[k] + *from++);
        }
  });
  return {};
}

// Area: each new pixel is the mean of the area that it covers.

struct Covered {
  int64_t first, last;  ///< [first, last)
  float begin, end;
  float share(int64_t i, float scale) const {
    if (float(i) < begin) return float(i + 1) > end ? scale : float(i + 1) - begin;
    return float(i + 1) > end ? end - float(i) : 1.0f;
  }
};
Covered covered(const GridAxis& a, int64_t i) {
  const float begin = float(i) * a.scale, end = float(i + 1) * a.scale;
  return {int64_t(std::floor(begin)), int64_t(std::ceil(end)), begin, end};
}
/// Columns of the old grid that those of the new grid cover, and the share of each, one after another.
struct AreaColumns {
  std::vector<std::pair<int64_t, int64_t>> ranges;
  std::vector<float> shares;
  explicit AreaColumns(const GridAxis& a) {
    for (int64_t x = 0; x < a.out; ++x) {
      const Covered c = covered(a, x);
      ranges.emplace_back(c.first, c.last);
      for (int64_t j = c.first; j < c.last; ++j) shares.push_back(c.share(j, a.scale));
    }
  }
};

/// One row of the new grid. `kChannels` 0: any number.
template <int64_t kChannels, typename T>
void areaRow(const ImageGrid& g, const Covered& v, const AreaColumns& columns, const T* picture, float scale, float* to) {
  const int64_t channels = kChannels ? kChannels : g.channels;
  const float* share = columns.shares.data();
  for (const auto& [first, last] : columns.ranges) {
    float known[kChannels ? kChannels : 1];
    float* const sum = kChannels ? known : to;
    std::fill_n(sum, channels, 0.0f);
    for (int64_t i = v.first; i < v.last; ++i) {
      const float sy = v.share(i, g.y.scale);
      const T* row = picture + std::clamp<int64_t>(i, 0, g.y.in - 1) * g.x.in * channels;
      for (int64_t j = first; j < last; ++j) {
        const float weight = sy * share[j - first] * scale;
        const T* pixel = row + std::clamp<int64_t>(j, 0, g.x.in - 1) * channels;
        for (int64_t k = 0; k < channels; ++k) sum[k] += float(pixel[k]) * weight;
      }
    }
    if (kChannels) std::copy_n(sum, channels, to);
    to += channels;
    share += std::max<int64_t>(0, last - first);
  }
}
Status runArea(KernelContext& c) {
  WEFT_LET(const ImageGrid g, imageGridFor(c));
  WEFT_LET(Tensor* out, c.allocate(0, Shape{g.batch, g.y.out, g.x.out, g.channels}));
  const float scale = 1.0f / (g.y.scale * g.x.scale);
  if (std::isinf(scale)) {  // a single row or column with aligned corners: the covered area is empty
    std::fill_n(out->mutableData<float>(), out->elements(), std::numeric_limits<float>::quiet_NaN());
    return {};
  }
  WEFT_LET(const Tensor in, asFloatTensor(c, c.input(0)));
  const AreaColumns columns(g.x);
  overRows(g, [&](int64_t b, int64_t y) {
    float* to = out->mutableData<float>() + (b * g.y.out + y) * g.x.out * g.channels;
    const float* picture = in.data<float>() + b * g.y.in * g.x.in * g.channels;
    const Covered v = covered(g.y, y);
    // The usual numbers of channels are known at compile time: their sums stay in registers.
    if (g.channels == 3) areaRow<3>(g, v, columns, picture, scale, to);
    else if (g.channels == 1) areaRow<1>(g, v, columns, picture, scale, to);
    else if (g.channels == 4) areaRow<4>(g, v, columns, picture, scale, to);
    else areaRow<0>(g, v, columns, picture, scale, to);
  });
  return {};
}

// Bicubic, with weights from a table of 1024 steps, as in TensorFlow.

constexpr int64_t kSteps = 1 << 10;

struct CubicTable {
  explicit CubicTable(double a) {
    for (int64_t i = 0; i <= kSteps; ++i) {
      double x = double(i) / double(kSteps);
      weights[size_t(2 * i)] = float(((a + 2) * x - (a + 3)) * x * x + 1);
      x += 1;
      weights[size_t(2 * i + 1)] = float(((a * x - 5 * a) * x + 8 * a) * x - 4 * a);
    }
  }
  std::array<float, 2 * (kSteps + 1)> weights;
};

struct Cubic {
  std::array<int64_t, 4> at;
  std::array<float, 4> weight;
};
Cubic cubic(const GridAxis& a, int64_t i) {
  static const CubicTable legacy(-0.75), keys(-0.5);
  const auto& table = (a.halfPixel ? keys : legacy).weights;
  const float position = a.at(i);
  const int64_t base = int64_t(std::floor(position)), offset = std::lrint((position - float(base)) * float(kSteps));
  const std::array<float, 4> raw = {table[size_t(2 * offset + 1)], table[size_t(2 * offset)], table[size_t(2 * (kSteps - offset))],
                                    table[size_t(2 * (kSteps - offset) + 1)]};
  Cubic c;
  float sum = 0;
  for (int64_t k = 0; k < 4; ++k) {
    const int64_t wanted = base - 1 + k;
    c.at[size_t(k)] = std::clamp<int64_t>(wanted, 0, a.in - 1);
    // With half-pixel centres, positions outside do not count; otherwise the border is repeated.
    c.weight[size_t(k)] = a.halfPixel && c.at[size_t(k)] != wanted ? 0.0f : raw[size_t(k)];
    sum += c.weight[size_t(k)];
  }
  if (a.halfPixel && std::abs(sum) >= 1000.0f * std::numeric_limits<float>::min()) {
    for (float& w : c.weight) w *= 1.0f / sum;
  }
  return c;
}

Status runBicubic(KernelContext& c) {
  WEFT_LET(const ImageGrid g, imageGridFor(c));
  WEFT_LET(Tensor* out, c.allocate(0, Shape{g.batch, g.y.out, g.x.out, g.channels}));
  // Each new row needs four rows of floats: they are converted before if most are needed more than once.
  Tensor in = c.input(0);
  if (4 * g.y.out >= g.y.in) {
    WEFT_LET(in, asFloatTensor(c, in));
  }
  std::vector<Cubic> columns;
  for (int64_t x = 0; x < g.x.out; ++x) columns.push_back(cubic(g.x, x));
  const int64_t width = g.x.in * g.channels;
  const cpu::RowKernels& kernels = cpu::rowKernels();
  withReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    overRows(g, [&](int64_t b, int64_t y) {
      const Cubic v = cubic(g.y, y);
      const T* picture = elementsOf<T>(in) + b * g.y.in * width;
      float* to = out->mutableData<float>() + (b * g.y.out + y) * g.x.out * g.channels;
      // First the four rows are blended into one, then its columns. There is room behind it, as pixels are read four floats at a time.
      thread_local std::vector<float> room;
      room.resize(size_t(5 * width + 4));
      const float* rows[4];
      for (size_t i = 0; i < 4; ++i) {
        const T* row = picture + v.at[i] * width;
        if constexpr (std::is_same_v<T, float>) {
          rows[i] = row;
        } else {
          float* wide = room.data() + (int64_t(i) + 1) * width + 4;
          toFloats(row, wide, width);
          rows[i] = wide;
        }
      }
      kernels.weightedSum(room.data(), rows, v.weight.data(), 4, width);
      kernels.blendColumns(to, room.data(), columns.data()->at.data(), columns.data()->weight.data(), sizeof(Cubic), g.x.out, g.channels);
    });
  });
  return {};
}
Status runBicubicGrad(KernelContext& c) {
  WEFT_LET(const ImageGrid g, imageGridForOriginal(c));
  WEFT_LET(Tensor* out, allocateZeros(c, g));
  withFloat(out->dtype(), [&]<typename T>(std::type_identity<T>) {
    T* result = elementsOf<T>(*out);
    const float* from = c.input(0).data<float>();
    for (int64_t b = 0; b < g.batch; ++b)
      for (int64_t y = 0; y < g.y.out; ++y) {
        const Cubic v = cubic(g.y, y);
        for (int64_t x = 0; x < g.x.out; ++x) {
          const Cubic h = cubic(g.x, x);
          for (int64_t k = 0; k < g.channels; ++k, ++from)
            for (size_t i = 0; i < 4; ++i)
              for (size_t j = 0; j < 4; ++j) {
                T& to = result[((b * g.y.in + v.at[i]) * g.x.in + h.at[j]) * g.channels + k];
                to = T(to + T(*from * v.weight[i] * h.weight[j]));
              }
        }
      }
  });
  return {};
}

AttrMap modes(const GradContext& c) {
  return {{"align_corners", c.attrs().flag("align_corners")}, {"half_pixel_centers", c.attrs().flag("half_pixel_centers")}};
}
Grads nearestGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Shape s = b.shape(c.input(0));
  Output size;
  if (s.hasRank() && s.rank() == 4 && s.dim(1) >= 0 && s.dim(2) >= 0) {
    size = b.ints({int32_t(s.dim(1)), int32_t(s.dim(2))}, "ResizeNearestNeighborGrad/size");
  } else {
    const Output shape = py::shape(b, c.input(0));
    const py::Scope scope(b, "strided_slice");
    const Output begin = b.ints({1}, "stack"), end = b.ints({3}, "stack_1"), step = b.ints({1}, "stack_2");
    size = b.op("StridedSlice", {shape, begin, end, step}, {}, scope.name());
  }
  return std::vector{b.op("ResizeNearestNeighborGrad", {c.grad(), size}, modes(c)), Output{}};
}
GradientFunction smoothGradient(const char* gradOp, bool floatsOnly) {
  return [=](GradContext& c) -> Grads {
    const DType type = c.b().dtype(c.input(0));
    if (floatsOnly && type != DType::Float && type != DType::Double) return std::vector{Output{}, Output{}};
    return std::vector{c.b().op(gradOp, {c.grad(), c.input(0)}, modes(c)), Output{}};
  };
}

OpRecord& addResize(OpRegistry& ops, const char* name, const char* types, bool sameType, KernelFactory create, const char* summary) {
  OpRecord& r = ops.add(name)
                    .category("Images")
                    .keywords("scale size upsampling")
                    .summary(summary)
                    .input("images: T", "[batch, height, width, channels].")
                    .input("size: int32", "New height and width.")
                    .output(sameType ? "resized_images: T" : "resized_images: float", "The resized images.")
                    .attr(types, "Type of the pixels.")
                    .attr("align_corners: bool = false", "Whether to align the centres of the corner pixels of input and output.");
  if (std::string_view(name) != "ResizeArea") r.attr("half_pixel_centers: bool = false", "Place pixel centres at half-integer coordinates.");
  return r.shape(resizeShape).cpu({{"T", types::kCpuReal}}, std::move(create));
}
OpRecord& addGrad(OpRegistry& ops, const char* name, const char* types, const std::vector<DType>& kernels, KernelFactory create, const char* of) {
  return ops.add(name)
      .category("Images")
      .summary(std::string("Gradient of ") + of + ".")
      .input("grads: float", "Gradient with respect to the resized images.")
      .input("original_image: T", "The input images.")
      .output("output: T", "Gradient with respect to the input images.")
      .attr(types, "Type of the pixels.")
      .attr("align_corners: bool = false")
      .attr("half_pixel_centers: bool = false")
      .shape(likeSecondShape)
      .cpu({{"T", kernels}}, std::move(create));
}

}  // namespace

void registerImageResize(OpRegistry& ops) {
  const char* none = "TensorFlow defines no second derivative for it.";
  addResize(ops, "ResizeBilinear", "T: {int8, uint8, int16, uint16, int32, int64, bfloat16, half, float, double}", false, simpleKernel(runBilinear),
            "Resizes images with bilinear interpolation.")
      .gradient(smoothGradient("ResizeBilinearGrad", false));
  addResize(ops, "ResizeNearestNeighbor", "T: {int8, uint8, int16, uint16, int32, int64, half, float, double}", true, simpleKernel(runNearest),
            "Resizes images with nearest-neighbour interpolation.")
      .gradient(nearestGradient);
  addResize(ops, "ResizeArea", "T: {int8, uint8, int16, uint16, int32, int64, half, float, double}", false, simpleKernel(runArea),
            "Resizes images by area averaging: each new pixel is the mean of the area it covers.")
      .noGradient("TensorFlow defines no gradient for it.")
      .gradientIsError = true;
  addResize(ops, "ResizeBicubic", "T: {int8, uint8, int16, uint16, int32, int64, half, float, double}", false, simpleKernel(runBicubic),
            "Resizes images with bicubic interpolation.")
      .gradient(smoothGradient("ResizeBicubicGrad", true));
  addGrad(ops, "ResizeBilinearGrad", "T: {float, bfloat16, half, double}", types::kFloats, simpleKernel(runBilinearGrad), "ResizeBilinear")
      .noGradient(none)
      .gradientIsError = true;
  addGrad(ops, "ResizeBicubicGrad", "T: {float, double}", {DType::Float, DType::Double}, simpleKernel(runBicubicGrad), "ResizeBicubic")
      .noGradient(none)
      .gradientIsError = true;
  ops.add("ResizeNearestNeighborGrad")
      .category("Images")
      .summary("Gradient of ResizeNearestNeighbor.")
      .input("grads: T", "Gradient with respect to the resized images.")
      .input("size: int32", "Height and width of the input images.")
      .output("output: T", "Gradient with respect to the input images.")
      .attr("T: {uint8, int8, int32, half, float, double}", "Type of the pixels.")
      .attr("align_corners: bool = false")
      .attr("half_pixel_centers: bool = false")
      .shape(resizeShape)
      .noGradient(none)
      .cpu({{"T", types::kCpuReal}}, simpleKernel(runNearestGrad))
      .gradientIsError = true;
}

}  // namespace weft
