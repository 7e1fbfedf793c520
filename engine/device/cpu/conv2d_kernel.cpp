#include "device/cpu/conv2d_kernel.h"
#include "base/parallel.h"

#include <cstring>

#include "device/cpu/direct_convolution.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/hot.h"
#include "device/cpu/kernel_precision.h"
#include "device/cpu/rounded_kernel.h"
#include "graph/window.h"

namespace weft {
namespace {

using cpu::ConvDirection;
using cpu::ConvGeometry;

constexpr int64_t kGrain = 32768;  // elements for which a thread is worth waking

Result<ConvGeometry> geometryOf(const ConvolutionSettings& settings, const Shape& input, const Shape& filter) {
  ConvGeometry g;
  g.batch = input.dim(0);
  const int height = settings.axis('H'), width = settings.axis('W');
  g.inHeight = input.dim(height);
  g.inWidth = input.dim(width);
  g.inChannels = input.dim(settings.axis('C'));
  g.kernelHeight = filter.dim(0);
  g.kernelWidth = filter.dim(1);
  g.outChannels = filter.dim(3);
  g.strideHeight = settings.strides[size_t(height)];
  g.strideWidth = settings.strides[size_t(width)];
  g.dilationHeight = settings.dilations[size_t(height)];
  g.dilationWidth = settings.dilations[size_t(width)];
  WEFT_LET(const WindowAxis h, windowAxis(g.inHeight, g.kernelHeight, g.dilationHeight, g.strideHeight, settings.padding, settings.before(height),
                                          settings.after(height)));
  WEFT_LET(const WindowAxis w, windowAxis(g.inWidth, g.kernelWidth, g.dilationWidth, g.strideWidth, settings.padding, settings.before(width),
                                          settings.after(width)));
  g.outHeight = h.output;
  g.outWidth = w.output;
  g.padTop = h.before;
  g.padLeft = w.before;
  // Pad the bottom and right just as far as the last window reaches; there is no padding where the stride leaves pixels unused.
  const auto reach = [](int64_t outputs, int64_t stride, int64_t kernel, int64_t dilation, int64_t before, int64_t size) {
    return std::max<int64_t>(0, (outputs - 1) * stride + (kernel - 1) * dilation + 1 - size - before);
  };
  g.padBottom = reach(g.outHeight, g.strideHeight, g.kernelHeight, g.dilationHeight, g.padTop, g.inHeight);
  g.padRight = reach(g.outWidth, g.strideWidth, g.kernelWidth, g.dilationWidth, g.padLeft, g.inWidth);
  return g;
}

class ConvKernel final : public Kernel {
 public:
  explicit ConvKernel(KernelInit& init)
      : settings_(ConvolutionSettings::of(init.attrs())),
        direction_(init.node().op == "Conv2D"                ? ConvDirection::Output
                   : init.node().op == "Conv2DBackpropInput" ? ConvDirection::Input
                                                             : ConvDirection::Filter) {}

  Status compute(KernelContext& c) override {
    WEFT_TRY(settings_.checkKernel());
    switch (direction_) {
      case ConvDirection::Output: return forward(c);
      case ConvDirection::Input: return backward(c, 0);
      case ConvDirection::Filter: return backward(c, 1);
    }
    return {};
  }

 private:
  Status forward(KernelContext& c) {
    const Tensor &input = c.input(0), &filter = c.input(1);
    WEFT_LET(const ConvGeometry g, conv2dGeometry(settings_, input.shape(), filter.shape()));
    WEFT_LET(Tensor * out, c.allocate(0, {g.batch, g.outHeight, g.outWidth, g.outChannels}));
    return convolve(c, g, input, filter, *out);
  }

  /// `sizesAt`: index of the input that holds the result's shape and takes the place of that tensor.
  Status backward(KernelContext& c, int sizesAt) {
    const Tensor &other = c.input(1 - sizesAt), &grad = c.input(2);
    Shape wanted;
    WEFT_LET(const ConvGeometry g, conv2dGradientGeometry(settings_, sizesAt == 0, c.input(sizesAt), other.shape(), grad.shape(), wanted));
    WEFT_LET(Tensor * out, c.allocate(0, wanted));
    return sizesAt == 0 ? convolve(c, g, *out, other, grad) : convolve(c, g, other, *out, grad);
  }

  /// The tensor chosen by direction_ is the kernel's output; the others are only read.
  Status convolve(KernelContext& c, const ConvGeometry& g, const Tensor& input, const Tensor& filter, const Tensor& output) {
    const Tensor& target = direction_ == ConvDirection::Output ? output : direction_ == ConvDirection::Input ? input : filter;
    if (target.elements() == 0) return {};
    if (g.inputElements() == 0 || g.filterElements() == 0 || g.outputElements() == 0) {
      std::memset(const_cast<void*>(target.raw()), 0, target.bytes());
      return {};
    }
    if (input.dtype() == DType::Double) {
      const auto data = [](const Tensor& t) { return const_cast<double*>(t.data<double>()); };
      cpu::unfoldedConvolution(direction_, g, data(input), data(filter), data(output));
      return {};
    }
    if (input.dtype() == DType::Half) {
      // 16-bit floats: widened, computed in float, rounded once.
      const Tensor* all[3] = {&input, &filter, &output};
      Tensor wide[3];
      for (int i = 0; i < 3; ++i) {
        WEFT_LET(wide[i], c.scratch(DType::Float, all[i]->shape()));
        if (all[i] == &target) continue;
        const cpu::Half* from = static_cast<const cpu::Half*>(all[i]->raw());
        float* to = wide[i].mutableData<float>();
        parallelFor(all[i]->elements(), kGrain, [&](int64_t begin, int64_t end) { cpu::hotTable().half.widen(&from[begin].bits, to + begin, end - begin); });
      }
      WEFT_TRY(convolveFloat(c, g, wide[0].mutableData<float>(), wide[1].mutableData<float>(), wide[2].mutableData<float>(), ProductPrecision::Float32));
      const Tensor& result = wide[int(&target == &filter) + 2 * int(&target == &output)];
      cpu::Half* to = static_cast<cpu::Half*>(const_cast<void*>(target.raw()));
      const float* from = result.data<float>();
      parallelFor(target.elements(), kGrain, [&](int64_t begin, int64_t end) { cpu::hotTable().half.narrow(from + begin, &to[begin].bits, end - begin); });
      return {};
    }
    const auto data = [](const Tensor& t) { return const_cast<float*>(t.data<float>()); };
    return convolveFloat(c, g, data(input), data(filter), data(output), precisionFor(c, direction_, g));
  }

  Status convolveFloat(KernelContext& c, const ConvGeometry& g, float* input, float* filter, float* output, ProductPrecision precision) {
    if (precision == ProductPrecision::BFloat16) return rounded_.run(c, direction_, g, input, filter, output);
    if (cpu::DirectConvolution::isPreferred(direction_, g)) return directly(c, g, input, filter, output);
    auto primitive = cache_.get(direction_, g);
    if (!primitive.ok()) {
      cpu::unfoldedConvolution(direction_, g, input, filter, output);
      return {};
    }
    const auto bytes = int64_t((*primitive)->scratchBytes());
    WEFT_LET(Tensor scratch, c.scratch(DType::UInt8, {std::max<int64_t>(bytes, 1)}));
    return (*primitive)->run(input, filter, output, scratch.mutableRaw());
  }

  Status directly(KernelContext& c, const ConvGeometry& g, float* input, float* filter, float* output) {
    if (direction_ == ConvDirection::Filter) {
      const cpu::DirectFilterGradient gradient(g);
      WEFT_LET(Tensor scratch, c.scratch(DType::Float, {std::max<int64_t>(gradient.scratchFloats(), 1)}));
      gradient.run(input, output, filter, scratch.mutableData<float>());
      return {};
    }
    const bool ofInput = direction_ == ConvDirection::Input;
    const cpu::DirectConvolution convolution(ofInput ? cpu::DirectConvolution::inputGradient(g) : g);
    WEFT_LET(Tensor packed, c.scratch(DType::Float, {convolution.packedFloats()}));
    convolution.pack(filter, packed.mutableData<float>(), ofInput);
    convolution.run(ofInput ? output : input, packed.data<float>(), ofInput ? input : output, {});
    return {};
  }

  ConvolutionSettings settings_;
  ConvDirection direction_;
  cpu::ConvolutionCache cache_;
  RoundedConvolutions rounded_;
};

}  // namespace

KernelFactory convolutionKernel() { return kernelOf<ConvKernel>(); }

Result<ConvGeometry> conv2dGradientGeometry(const ConvolutionSettings& settings, bool ofInput, const Tensor& sizes, const Shape& other, const Shape& grad,
                                            Shape& wanted, bool onCpu) {
  const char* const op = ofInput ? "Conv2DCustomBackpropInput" : "Conv2DCustomBackpropFilter";
  const int height = settings.axis('H'), channel = settings.axis('C');
  if (onCpu && settings.channelsFirst()) return invalidArgument(op, "Op only supports NHWC.");
  if (onCpu && (settings.dilations[1] > 1 || settings.dilations[2] > 1)) {
    return invalidArgument("Current libxsmm and customized CPU implementations do not yet support dilation rates larger than 1.");
  }
  if (sizes.rank() != 1) {
    return invalidArgument(
        ofInput ? "Conv2DBackpropInput: input_sizes input must be 1-dim, not " : "Conv2DCustomBackpropFilter: filter_sizes input must be 1-dim, not ",
        sizes.rank());
  }
  wanted = Shape();
  for (int64_t i = 0; i < sizes.elements(); ++i) {
    if (sizes.asInt(i) < 0) return invalidArgument("Dimension ", sizes.asInt(i), " must be >= 0");
    wanted.append(sizes.asInt(i));
  }
  const Shape &input = ofInput ? wanted : other, &filter = ofInput ? other : wanted;
  if (input.rank() != 4) return invalidArgument(op, ": input must be 4-dimensional");
  if (filter.rank() != 4) return invalidArgument(op, ": filter must be 4-dimensional");
  if (grad.rank() != 4) return invalidArgument(op, ": out_backprop must be 4-dimensional");
  if (input.dim(0) != grad.dim(0)) {
    return invalidArgument(op, ": input and out_backprop must have the same batch size", "input batch: ", input.dim(0), "outbackprop batch: ", grad.dim(0),
                           " batch_dim: 0");
  }
  if (filter.dim(2) == 0 || input.dim(channel) % filter.dim(2) != 0) return invalidArgument(op, ": input depth must be evenly divisible by filter depth");
  if (filter.dim(3) != grad.dim(channel)) return invalidArgument(op, ": filter and out_backprop must have the same out_depth");
  WEFT_LET(const ConvGeometry g, geometryOf(settings, input, filter));
  for (int k : {0, 1}) {
    const int a = height + k;
    const int64_t computed = k == 0 ? g.outHeight : g.outWidth;
    if (grad.dim(a) != computed) {
      return invalidArgument(op, ": Size of out_backprop doesn't match computed: actual = ", grad.dim(a), ", computed = ", computed, " spatial_dim: ", a,
                             " input: ", input.dim(a), " filter: ", filter.dim(k), " output: ", grad.dim(a), " stride: ", settings.strides[size_t(a)],
                             " dilation: ", settings.dilations[size_t(a)]);
    }
  }
  if (input.dim(channel) != filter.dim(2)) {
    return unimplemented("Gradients of grouped convolutions are not supported", onCpu ? " on the CPU" : "", ": the input depth of ", input.dim(channel),
                         " does not match the filter input depth of ", filter.dim(2));
  }
  return g;
}

Result<ConvGeometry> conv2dGeometry(const ConvolutionSettings& settings, const Shape& input, const Shape& filter, bool onCpu) {
  if (input.rank() != 4) return invalidArgument("convolution input must be 4-dimensional", input.toString());
  if (filter.rank() != 4) return invalidArgument("filter must be 4-dimensional: ", filter.toString());
  if (filter.dim(0) == 0 || filter.dim(1) == 0) return invalidArgument("filter must not have zero elements (i.e. all dimensions must be non-zero)");
  const int64_t depth = input.dim(settings.axis('C')), filterDepth = filter.dim(2);
  if (filterDepth == 0 || depth % filterDepth != 0) {
    return invalidArgument("input depth must be evenly divisible by filter depth: ", depth, " vs ", filterDepth);
  }
  if (onCpu && settings.channelsFirst()) {
    return unimplemented("The Conv2D op currently only supports the NHWC tensor format on the CPU. The op was given the format: ", settings.format);
  }
  if (depth != filterDepth && !onCpu) return unimplemented("Grouped convolutions are not supported: input depth ", depth, ", filter input depth ", filterDepth);
  if (depth != filterDepth) {
    return unimplemented(
        "The Conv2D op currently does not support grouped convolutions on the CPU. A grouped convolution was attempted to be run because the "
        "input depth of ",
        depth, " does not match the filter input depth of ", filterDepth);
  }
  return geometryOf(settings, input, filter);
}

Result<ConvGeometry> depthwiseGeometry(const AttrMap& attrs, const Shape& in, const Shape& filter, bool onCpu) {
  const std::vector<int64_t> strides = attrs.integers("strides");
  if (strides.size() != 4) return invalidArgument("Sliding window strides field must specify 4 dimensions");
  const bool channelsFirst = attrs.text("data_format", "NHWC") != "NHWC";
  if (channelsFirst && onCpu) return unimplemented("Depthwise convolution on CPU is only supported for NHWC format");
  const int channel = channelsFirst ? 1 : 3, height = channelsFirst ? 2 : 1;
  const int64_t stride = strides[size_t(height)];
  if (stride != strides[size_t(height + 1)])
    return invalidArgument("Current implementation only supports equal length strides in the row and column dimensions.");
  if (stride <= 0) return invalidArgument("Stride must be > 0, but got ", stride);
  if (strides[0] != 1 || strides[size_t(channel)] != 1)
    return invalidArgument("Current implementation does not yet support strides in the batch and depth dimensions.");
  if (in.rank() != 4) return invalidArgument("input must be 4-dimensional", in.toString());
  if (filter.rank() != 4) return invalidArgument("filter must be 4-dimensional: ", filter.toString());
  const int64_t depth = in.dim(channel);
  if (depth != filter.dim(2)) return invalidArgument("input and filter must have the same depth: ", depth, " vs ", filter.dim(2));
  ConvGeometry g;
  g.batch = in.dim(0), g.inHeight = in.dim(height), g.inWidth = in.dim(height + 1), g.inChannels = g.groups = depth, g.outChannels = depth * filter.dim(3);
  g.kernelHeight = filter.dim(0), g.kernelWidth = filter.dim(1), g.strideHeight = g.strideWidth = stride;
  const std::string padding = attrs.text("padding");
  WEFT_LET(const WindowAxis h, windowAxis(g.inHeight, g.kernelHeight, 1, g.strideHeight, padding));
  WEFT_LET(const WindowAxis w, windowAxis(g.inWidth, g.kernelWidth, 1, g.strideWidth, padding));
  g.outHeight = h.output, g.outWidth = w.output, g.padTop = h.before, g.padLeft = w.before;
  g.padBottom = std::max<int64_t>(0, (g.outHeight - 1) * g.strideHeight + g.kernelHeight - g.inHeight - g.padTop);
  g.padRight = std::max<int64_t>(0, (g.outWidth - 1) * g.strideWidth + g.kernelWidth - g.inWidth - g.padLeft);
  return g;
}

Result<ConvGeometry> depthwiseGradientGeometry(const Node& node, bool ofInput, const Tensor& sizes, const Shape& other, const Shape& grad, Shape& wanted,
                                               bool onCpu) {
  const std::string& op = node.op;
  if (sizes.rank() != 1)
    return invalidArgument(op, ofInput ? ": input_sizes input must be 1-dim, not " : ": filter_sizes input must be 1-dim, not ", sizes.rank());
  wanted = Shape();
  for (int64_t i = 0; i < sizes.elements(); ++i) {
    if (sizes.asInt(i) < 0) return invalidArgument("Dimension ", sizes.asInt(i), " must be >= 0");
    wanted.append(sizes.asInt(i));
  }
  WEFT_LET(const ConvGeometry g, depthwiseGeometry(node.attrs, ofInput ? wanted : other, ofInput ? other : wanted, onCpu));
  const bool channelsFirst = node.attrs.text("data_format", "NHWC") != "NHWC";
  const int channel = channelsFirst ? 1 : 3, height = channelsFirst ? 2 : 1;
  if (grad.rank() != 4) return invalidArgument(op, ": out_backprop must be 4-dimensional");
  if (grad.dim(0) != g.batch) return invalidArgument(op, ": input and out_backprop must have the same batch size");
  if (grad.dim(height) != g.outHeight)
    return invalidArgument(op, ": Number of rows of out_backprop doesn't match computed: actual = ", grad.dim(height), ", computed = ", g.outHeight);
  if (grad.dim(height + 1) != g.outWidth)
    return invalidArgument(op, ": Number of cols of out_backprop doesn't match computed: actual = ", grad.dim(height + 1), ", computed = ", g.outWidth);
  if (grad.dim(channel) != g.outChannels) return invalidArgument(op, ": depth_multiplier * in_depth not equal to out_depth");
  return g;
}

}  // namespace weft
