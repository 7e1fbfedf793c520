// Depthwise convolutions, with gradients.
#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "device/cpu/conv2d_kernel.h"
#include "device/cpu/direct_convolution.h"
#include "device/cpu/dtypes.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"

namespace weft {
namespace {

// ---- shapes

Status depthwiseShape(ShapeContext& c) {
  const std::vector<int64_t> strides = c.attrs().integers("strides");
  const std::string format = c.attrs().text("data_format", "NHWC"), padding = c.attrs().text("padding");
  WEFT_TRY(c.requireRank(c.input(0), 4));
  WEFT_TRY(c.requireRank(c.input(1), 4));
  if (strides.size() != 4) return invalidArgument("DepthwiseConv2D requires the stride attribute to contain 4 values, but got: ", strides.size());
  const Shape in = c.input(0).hasRank() ? c.input(0) : Shape::unknownOfRank(4), f = c.input(1).hasRank() ? c.input(1) : Shape::unknownOfRank(4);
  const int channel = int(format.find('C')), height = int(format.find('H'));
  WEFT_LET(const int64_t depth, c.mergeDims(in.dim(channel), f.dim(2)));
  Shape out = in;
  for (int k = 0; k < 2; ++k) {
    const int a = height + k;
    WEFT_LET(const int64_t d, shapes::windowOutput(in.dim(a), f.dim(k), 1, strides[size_t(a)], padding));
    out.setDim(a, d);
  }
  out.setDim(channel, depth >= 0 && f.dim(3) >= 0 ? depth * f.dim(3) : Shape::kUnknownDim);
  c.setOutput(0, std::move(out));
  return {};
}

// ---- gradients

AttrMap windowAttrs(const AttrMap& from) {
  AttrMap out;
  for (const char* name : {"strides", "padding", "data_format", "dilations"})
    if (const Attr* a = from.find(name)) out.set(name, *a);
  return out;
}

Result<std::vector<Output>> depthwiseGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output inputSizes = py::shape(b, c.input(0));
  const Output dx = b.op("DepthwiseConv2dNativeBackpropInput", {inputSizes, c.input(1), c.grad()}, windowAttrs(c.attrs()));
  const Output filterSizes = py::shape(b, c.input(1));
  return std::vector<Output>{dx, b.op("DepthwiseConv2dNativeBackpropFilter", {c.input(0), filterSizes, c.grad()}, windowAttrs(c.attrs()))};
}

Result<std::vector<Output>> depthwiseInputGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output size = py::shape(b, c.input(1));
  const Output df = b.op("DepthwiseConv2dNativeBackpropFilter", {c.grad(), size, c.input(2)}, windowAttrs(c.attrs()));
  return std::vector<Output>{Output{}, df, b.op("DepthwiseConv2dNative", {c.grad(), c.input(1)}, windowAttrs(c.attrs()))};
}

Result<std::vector<Output>> depthwiseFilterGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output size = py::shape(b, c.input(0));
  const Output dx = b.op("DepthwiseConv2dNativeBackpropInput", {size, c.grad(), c.input(2)}, windowAttrs(c.attrs()));
  return std::vector<Output>{dx, Output{}, b.op("DepthwiseConv2dNative", {c.input(0), c.grad()}, windowAttrs(c.attrs()))};
}

// ---- kernels

struct Geometry {
  int64_t batch = 0, inHeight = 0, inWidth = 0, inChannels = 0, multiplier = 1, kernelHeight = 0, kernelWidth = 0, stride = 1, outHeight = 0, outWidth = 0,
          padTop = 0, padLeft = 0;
  int64_t outChannels() const { return inChannels * multiplier; }
};

Geometry geometryOf(const cpu::ConvGeometry& g, int64_t multiplier) {
  return Geometry{g.batch,       g.inHeight,     g.inWidth,   g.inChannels, multiplier, g.kernelHeight,
                  g.kernelWidth, g.strideHeight, g.outHeight, g.outWidth,   g.padTop,   g.padLeft};
}

constexpr int64_t kDepthwiseGrain = 16384;  // multiplications that are worth a thread

int64_t rowsPerTask(const Geometry& g) {
  return std::max<int64_t>(1, kDepthwiseGrain / std::max<int64_t>(1, g.outWidth * g.outChannels() * g.kernelHeight * g.kernelWidth));
}

/// One row of the result: out[x, c*m+k] = sum of in[y, x, c] * filter[y, x, c, k].
template <typename T>
void outputRow(const Geometry& g, const T* image, const T* filter, int64_t y, cpu::Compute<T>* row) {
  const int64_t channels = g.inChannels, many = g.outChannels();
  std::fill(row, row + g.outWidth * many, cpu::Compute<T>(0));
  for (int64_t ky = 0; ky < g.kernelHeight; ++ky) {
    const int64_t iy = y * g.stride - g.padTop + ky;
    if (iy < 0 || iy >= g.inHeight) continue;
    for (int64_t x = 0; x < g.outWidth; ++x) {
      for (int64_t kx = 0; kx < g.kernelWidth; ++kx) {
        const int64_t ix = x * g.stride - g.padLeft + kx;
        if (ix < 0 || ix >= g.inWidth) continue;
        const T *in = image + (iy * g.inWidth + ix) * channels, *f = filter + (ky * g.kernelWidth + kx) * many;
        cpu::Compute<T>* to = row + x * many;
        if (g.multiplier == 1) {
          for (int64_t c = 0; c < channels; ++c) to[c] += cpu::Compute<T>(in[c]) * cpu::Compute<T>(f[c]);
        } else {
          for (int64_t c = 0; c < channels; ++c)
            for (int64_t k = 0; k < g.multiplier; ++k) to[c * g.multiplier + k] += cpu::Compute<T>(in[c]) * cpu::Compute<T>(f[c * g.multiplier + k]);
        }
      }
    }
  }
}

/// One row of the gradient of the images: sums over the windows that contain each pixel.
template <typename T>
void inputRow(const Geometry& g, const T* grad, const T* filter, int64_t iy, cpu::Compute<T>* row) {
  const int64_t channels = g.inChannels, many = g.outChannels();
  std::fill(row, row + g.inWidth * channels, cpu::Compute<T>(0));
  for (int64_t ky = 0; ky < g.kernelHeight; ++ky) {
    const int64_t top = iy + g.padTop - ky;
    if (top < 0 || top % g.stride != 0 || top / g.stride >= g.outHeight) continue;
    for (int64_t x = 0; x < g.outWidth; ++x) {
      for (int64_t kx = 0; kx < g.kernelWidth; ++kx) {
        const int64_t ix = x * g.stride - g.padLeft + kx;
        if (ix < 0 || ix >= g.inWidth) continue;
        const T *dy = grad + (top / g.stride * g.outWidth + x) * many, *f = filter + (ky * g.kernelWidth + kx) * many;
        cpu::Compute<T>* to = row + ix * channels;
        for (int64_t c = 0; c < channels; ++c)
          for (int64_t k = 0; k < g.multiplier; ++k) to[c] += cpu::Compute<T>(dy[c * g.multiplier + k]) * cpu::Compute<T>(f[c * g.multiplier + k]);
      }
    }
  }
}

/// The gradient of one element of the window for all channels.
template <typename T>
void filterElement(const Geometry& g, const T* in, const T* grad, int64_t element, cpu::Compute<T>* sums) {
  const int64_t channels = g.inChannels, many = g.outChannels(), ky = element / g.kernelWidth, kx = element % g.kernelWidth;
  std::fill(sums, sums + many, cpu::Compute<T>(0));
  for (int64_t n = 0; n < g.batch; ++n) {
    for (int64_t y = 0; y < g.outHeight; ++y) {
      const int64_t iy = y * g.stride - g.padTop + ky;
      if (iy < 0 || iy >= g.inHeight) continue;
      for (int64_t x = 0; x < g.outWidth; ++x) {
        const int64_t ix = x * g.stride - g.padLeft + kx;
        if (ix < 0 || ix >= g.inWidth) continue;
        const T *pixel = in + ((n * g.inHeight + iy) * g.inWidth + ix) * channels, *dy = grad + ((n * g.outHeight + y) * g.outWidth + x) * many;
        for (int64_t c = 0; c < channels; ++c)
          for (int64_t k = 0; k < g.multiplier; ++k) sums[c * g.multiplier + k] += cpu::Compute<T>(pixel[c]) * cpu::Compute<T>(dy[c * g.multiplier + k]);
      }
    }
  }
}

/// Fills `out` in chunks of `size` elements on all threads; sums are kept in the computing type.
template <typename T, typename F>
void inPieces(int64_t pieces, int64_t size, int64_t grain, T* out, F&& compute) {
  parallelFor(pieces, grain, [&](int64_t begin, int64_t end) {
    std::vector<cpu::Compute<T>> sums(static_cast<size_t>(size));
    for (int64_t i = begin; i < end; ++i) {
      compute(i, sums.data());
      for (int64_t k = 0; k < size; ++k) out[i * size + k] = T(sums[size_t(k)]);
    }
  });
}

/// The three ops. float32 uses DirectConvolution or oneDNN, as a convolution with one group per channel. The loops above are for other types and for cases
/// without fast oneDNN code.
class DepthwiseKernel final : public Kernel {
 public:
  explicit DepthwiseKernel(KernelInit& init)
      : direction_(init.node().op == "DepthwiseConv2dNative"                ? cpu::ConvDirection::Output
                   : init.node().op == "DepthwiseConv2dNativeBackpropInput" ? cpu::ConvDirection::Input
                                                                            : cpu::ConvDirection::Filter) {}
  Status compute(KernelContext& c) override {
    return direction_ == cpu::ConvDirection::Output ? forward(c) : backward(c, direction_ == cpu::ConvDirection::Input ? 0 : 1);
  }

 private:
  Status forward(KernelContext& c);
  Status backward(KernelContext& c, int sizesAt);
  /// Tries the fast convolutions; false if the loops must be used.
  Result<bool> byLibrary(KernelContext& c, const Geometry& g, const Tensor& input, const Tensor& filter, const Tensor& output);

  const cpu::ConvDirection direction_;
  cpu::ConvolutionCache cache_;
};

Result<bool> DepthwiseKernel::byLibrary(KernelContext& c, const Geometry& g, const Tensor& input, const Tensor& filter, const Tensor& output) {
  if (input.dtype() != DType::Float || input.elements() == 0 || filter.elements() == 0 || output.elements() == 0) return false;
  cpu::ConvGeometry all;
  all.batch = g.batch, all.inHeight = g.inHeight, all.inWidth = g.inWidth, all.inChannels = g.inChannels;
  all.outHeight = g.outHeight, all.outWidth = g.outWidth, all.outChannels = g.outChannels(), all.groups = g.inChannels;
  all.kernelHeight = g.kernelHeight, all.kernelWidth = g.kernelWidth, all.strideHeight = all.strideWidth = g.stride;
  all.padTop = g.padTop, all.padLeft = g.padLeft;
  all.padBottom = std::max<int64_t>(0, (g.outHeight - 1) * g.stride + g.kernelHeight - g.inHeight - g.padTop);
  all.padRight = std::max<int64_t>(0, (g.outWidth - 1) * g.stride + g.kernelWidth - g.inWidth - g.padLeft);
  if (all.groups > 1 && cpu::DirectConvolution::isPreferred(direction_, all)) {
    cpu::DirectConvolution(all).run(input.data<float>(), filter.data<float>(), const_cast<float*>(output.data<float>()), {});
    return true;
  }
  const auto primitive = cache_.get(direction_, all);
  if (!primitive.ok()) return false;
  WEFT_LET(Tensor scratch, c.scratch(DType::UInt8, {std::max<int64_t>(int64_t((*primitive)->scratchBytes()), 1)}));
  const auto data = [](const Tensor& t) { return const_cast<float*>(t.data<float>()); };  // the tensor of the direction is the kernel's output
  WEFT_TRY((*primitive)->run(data(input), data(filter), data(output), scratch.mutableRaw()));
  return true;
}

Status DepthwiseKernel::forward(KernelContext& c) {
  const Tensor &in = c.input(0), &filter = c.input(1);
  WEFT_LET(const cpu::ConvGeometry sizes, depthwiseGeometry(c.node().attrs, in.shape(), filter.shape()));
  const Geometry g = geometryOf(sizes, filter.dim(3));
  WEFT_LET(Tensor * out, c.allocate(0, {g.batch, g.outHeight, g.outWidth, g.outChannels()}));
  if (out->elements() == 0) return {};
  WEFT_LET(const bool done, byLibrary(c, g, in, filter, *out));
  if (done) return {};
  cpu::withNumber(in.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (cpu::kIsFloat<T>) {
      const T *image = static_cast<const T*>(in.raw()), *f = static_cast<const T*>(filter.raw());
      inPieces(g.batch * g.outHeight, g.outWidth * g.outChannels(), rowsPerTask(g), static_cast<T*>(out->mutableRaw()), [&](int64_t i, cpu::Compute<T>* row) {
        outputRow(g, image + i / g.outHeight * g.inHeight * g.inWidth * g.inChannels, f, i % g.outHeight, row);
      });
    }
  });
  return {};
}

/// `sizesAt`: index of the input that holds the result's shape.
Status DepthwiseKernel::backward(KernelContext& c, int sizesAt) {
  const bool ofInput = sizesAt == 0;
  const Tensor &other = c.input(1 - sizesAt), &grad = c.input(2);
  Shape wanted;
  WEFT_LET(const cpu::ConvGeometry sizes, depthwiseGradientGeometry(c.node(), ofInput, c.input(sizesAt), other.shape(), grad.shape(), wanted));
  const Geometry g = geometryOf(sizes, (ofInput ? other.shape() : wanted).dim(3));
  WEFT_LET(Tensor * out, c.allocate(0, wanted));
  if (out->elements() == 0) return {};
  WEFT_LET(const bool done, ofInput ? byLibrary(c, g, *out, other, grad) : byLibrary(c, g, other, *out, grad));
  if (done) return {};
  cpu::withNumber(grad.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (cpu::kIsFloat<T>) {
      const T *x = static_cast<const T*>(other.raw()), *dy = static_cast<const T*>(grad.raw());
      T* to = static_cast<T*>(out->mutableRaw());
      if (ofInput) {
        inPieces(g.batch * g.inHeight, g.inWidth * g.inChannels, rowsPerTask(g), to, [&](int64_t i, cpu::Compute<T>* row) {
          inputRow(g, dy + i / g.inHeight * g.outHeight * g.outWidth * g.outChannels(), x, i % g.inHeight, row);
        });
      } else {
        inPieces(g.kernelHeight * g.kernelWidth, g.outChannels(), 1, to, [&](int64_t i, cpu::Compute<T>* sums) { filterElement(g, x, dy, i, sums); });
      }
    }
  });
  return {};
}

Cost depthwiseCost(const std::vector<Shape>& inputs, const std::vector<Shape>& outputs, const AttrMap&, DType type) {
  Cost cost;
  if (inputs.size() < 2 || outputs.empty() || !inputs[1].isFullyKnown() || inputs[1].rank() != 4 || !outputs[0].isFullyKnown()) return cost;
  cost.flops = 2.0 * double(outputs[0].elements()) * double(inputs[1].dim(0) * inputs[1].dim(1));
  cost.bytes = double(outputs[0].elements() + inputs[1].elements() + (inputs[0].isFullyKnown() ? inputs[0].elements() : 0)) * double(sizeOf(type));
  return cost;
}

OpRecord& withWindowAttrs(OpRecord& r) {
  return r.attr("T: {half, bfloat16, float, double}", "Type of the elements.")
      .attr("strides: list(int)", "Stride of the window along each dimension of the input; the same for height and width.")
      .attr("padding: {'SAME', 'VALID'}", "SAME: padded so that the output has size ceil(input / stride). VALID: no padding.")
      .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'", "Order of the dimensions: [batch, height, width, channels] or [batch, channels, height, width].")
      .attr("dilations: list(int) = [1, 1, 1, 1]", "Dilation of the filter along each dimension of the input.");
}

}  // namespace

void registerDepthwise(OpRegistry& ops) {
  withWindowAttrs(ops.add("DepthwiseConv2dNative")
                      .category("Neural network")
                      .keywords("convolution depthwise separable mobilenet filter image")
                      .summary("Depthwise convolution: each input channel is convolved with its own filters.")
                      .input("input: T", "Images [batch, height, width, channels].")
                      .input("filter: T", "Filters [height, width, channels, channel multiplier].")
                      .output("output: T", "[batch, out height, out width, channels * channel multiplier]."))
      .shape(depthwiseShape)
      .gradient(depthwiseGradient)
      .cost(depthwiseCost)
      .cpu({{"T", types::kFloats}}, kernelOf<DepthwiseKernel>());
  withWindowAttrs(ops.add("DepthwiseConv2dNativeBackpropInput")
                      .category("Gradients")
                      .summary("Gradient of DepthwiseConv2dNative with respect to its input.")
                      .input("input_sizes: int32", "Shape of the input images.")
                      .input("filter: T", "Filters [height, width, channels, channel multiplier].")
                      .input("out_backprop: T", "Gradient with respect to the output feature maps.")
                      .output("output: T", "Gradient with respect to the images."))
      .shape([](ShapeContext& c) { return shapeFromInput(c, 0); })
      .gradient(depthwiseInputGradient)
      .cpu({{"T", types::kFloats}}, kernelOf<DepthwiseKernel>());
  withWindowAttrs(ops.add("DepthwiseConv2dNativeBackpropFilter")
                      .category("Gradients")
                      .summary("Gradient of DepthwiseConv2dNative with respect to its filters.")
                      .input("input: T", "Images [batch, height, width, channels].")
                      .input("filter_sizes: int32", "Shape of the filters.")
                      .input("out_backprop: T", "Gradient with respect to the output feature maps.")
                      .output("output: T", "Gradient with respect to the filters."))
      .shape([](ShapeContext& c) { return shapeFromInput(c, 1); })
      .gradient(depthwiseFilterGradient)
      .cpu({{"T", types::kFloats}}, kernelOf<DepthwiseKernel>());
  state(ops, OpRole::Convolution, Effect::None, "DepthwiseConv2dNative DepthwiseConv2dNativeBackpropFilter DepthwiseConv2dNativeBackpropInput");
  makeFresh(ops, "DepthwiseConv2dNative");
}

}  // namespace weft
