// Conv2D and its gradients.
#include <cstring>

#include "device/cpu/convolution.h"
#include "device/cpu/dtypes.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "ops/window.h"

namespace weft {
namespace {

using cpu::ConvDirection;
using cpu::ConvGeometry;

struct ConvSettings {
  std::vector<int64_t> strides, dilations, explicitPaddings;
  std::string padding, format;

  static ConvSettings of(const AttrMap& a) {
    ConvSettings s{a.integers("strides"), a.integers("dilations"), a.integers("explicit_paddings"), a.text("padding"), a.text("data_format", "NHWC")};
    if (s.dilations.empty()) s.dilations = {1, 1, 1, 1};
    return s;
  }
  bool channelsFirst() const { return format == "NCHW"; }
  int axis(char dim) const { return int(format.find(dim)); }
  int64_t before(int axis) const { return padding == "EXPLICIT" ? explicitPaddings[size_t(2 * axis)] : 0; }
  int64_t after(int axis) const { return padding == "EXPLICIT" ? explicitPaddings[size_t(2 * axis + 1)] : 0; }

  Status checkPaddings() const {
    if (padding != "EXPLICIT") {
      if (!explicitPaddings.empty()) return invalidArgument("explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT");
      return {};
    }
    if (explicitPaddings.size() != 8) {
      return invalidArgument("explicit_paddings attribute must contain 8 values, but got: ", explicitPaddings.size());
    }
    for (int64_t p : explicitPaddings) {
      if (p < 0) return invalidArgument("All elements of explicit_paddings must be nonnegative");
    }
    for (int a : {axis('N'), axis('C')}) {
      if (before(a) != 0 || after(a) != 0) return invalidArgument("Nonzero explicit padding in the batch or depth dimensions is not supported");
    }
    return {};
  }

  /// What TensorFlow's kernels check when they are made.
  Status checkKernel() const {
    if (strides.size() != 4) return invalidArgument("Sliding window strides field must specify 4 dimensions");
    if (dilations.size() != 4) return invalidArgument("Sliding window dilations field must specify 4 dimensions");
    const size_t n = size_t(axis('N')), c = size_t(axis('C'));
    if (strides[n] != 1 || strides[c] != 1) {
      return invalidArgument("Current implementation does not yet support strides in the batch and depth dimensions.");
    }
    if (dilations[n] != 1 || dilations[c] != 1) {
      return invalidArgument("Current implementation does not yet support dilations in the batch and depth dimensions.");
    }
    if (strides[size_t(axis('H'))] <= 0 || strides[size_t(axis('W'))] <= 0) return invalidArgument("Row and column strides should be larger than 0.");
    if (dilations[size_t(axis('H'))] <= 0 || dilations[size_t(axis('W'))] <= 0) return invalidArgument("Dilated rates should be larger than 0.");
    return checkPaddings();
  }
};

// ---- shapes

Status convShape(ShapeContext& c) {
  const ConvSettings s = ConvSettings::of(c.attrs());
  const Shape &input = c.input(0), &filter = c.input(1);
  WEFT_TRY(c.requireRank(input, 4));
  WEFT_TRY(c.requireRank(filter, 4));
  if (s.dilations.size() != 4) return invalidArgument("Conv2D requires the dilation attribute to contain 4 values, but got: ", s.dilations.size());
  if (s.strides.size() != 4) {
    return invalidArgument("Conv2D on data format ", s.format, " requires the stride attribute to contain 4 values, but got: ", s.strides.size());
  }
  const Shape in = input.hasRank() ? input : Shape::unknownOfRank(4), f = filter.hasRank() ? filter : Shape::unknownOfRank(4);
  const int64_t depth = in.dim(s.axis('C')), filterDepth = f.dim(2);
  if (depth >= 0 && filterDepth > 0 && depth % filterDepth != 0) {
    return invalidArgument("Depth of input (", depth, ") is not a multiple of input depth of filter (", filterDepth, ")");
  }
  WEFT_TRY(s.checkPaddings());
  Shape out = in;
  for (int k = 0; k < 2; ++k) {
    const int a = s.axis(k ? 'W' : 'H');
    WEFT_LET(const int64_t d, shapes::windowOutput(in.dim(a), f.dim(k), s.dilations[size_t(a)], s.strides[size_t(a)], s.padding, s.before(a), s.after(a)));
    out.setDim(a, d);
  }
  out.setDim(s.axis('C'), f.dim(3));
  c.setOutput(0, std::move(out));
  return {};
}

/// The result has the shape that input `i` holds.
Status shapeFromInput(ShapeContext& c, int i) {
  WEFT_LET(Shape s, c.constantAsShape(i));
  WEFT_TRY(c.requireRank(s, 4));
  c.setOutput(0, s.hasRank() ? s : Shape::unknownOfRank(4));
  return {};
}

// ---- gradients

AttrMap convAttrs(const AttrMap& from) {
  AttrMap out;
  for (const char* name : {"strides", "use_cudnn_on_gpu", "padding", "explicit_paddings", "data_format", "dilations"}) {
    if (const Attr* a = from.find(name)) out.set(name, *a);
  }
  return out;
}

Result<std::vector<Output>> convGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto sizes = b.outputsOf(b.node("ShapeN", {c.input(0), c.input(1)}, {{"out_type", DType::Int32}}));
  if (sizes.size() < 2) return b.status().error();
  const Output dx = b.op("Conv2DBackpropInput", {sizes[0], c.input(1), c.grad()}, convAttrs(c.attrs()));
  const Output df = b.op("Conv2DBackpropFilter", {c.input(0), sizes[1], c.grad()}, convAttrs(c.attrs()));
  return std::vector<Output>{dx, df};
}

Result<std::vector<Output>> backpropInputGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output size = py::shape(b, c.input(1));
  const Output df = b.op("Conv2DBackpropFilter", {c.grad(), size, c.input(2)}, convAttrs(c.attrs()));
  return std::vector<Output>{Output{}, df, b.op("Conv2D", {c.grad(), c.input(1)}, convAttrs(c.attrs()))};
}

Result<std::vector<Output>> backpropFilterGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output size = py::shape(b, c.input(0));
  const Output dx = b.op("Conv2DBackpropInput", {size, c.grad(), c.input(2)}, convAttrs(c.attrs()));
  return std::vector<Output>{dx, Output{}, b.op("Conv2D", {c.input(0), c.grad()}, convAttrs(c.attrs()))};
}

// ---- kernels

class ConvKernel final : public Kernel {
 public:
  explicit ConvKernel(KernelInit& init)
      : settings_(ConvSettings::of(init.attrs())),
        direction_(init.node().op == "Conv2D"                ? ConvDirection::Output
                   : init.node().op == "Conv2DBackpropInput" ? ConvDirection::Input
                                                             : ConvDirection::Filter) {}

  Status compute(KernelContext& c) override {
    WEFT_TRY(settings_.checkKernel());
    switch (direction_) {
      case ConvDirection::Output: return forward(c);
      case ConvDirection::Input: return backward(c, "Conv2DCustomBackpropInput", 0);
      case ConvDirection::Filter: return backward(c, "Conv2DCustomBackpropFilter", 1);
    }
    return {};
  }

 private:
  Status forward(KernelContext& c) {
    const Tensor &input = c.input(0), &filter = c.input(1);
    if (input.rank() != 4) return invalidArgument("convolution input must be 4-dimensional", input.shape().toString());
    if (filter.rank() != 4) return invalidArgument("filter must be 4-dimensional: ", filter.shape().toString());
    const int64_t depth = input.dim(settings_.axis('C')), filterDepth = filter.dim(2);
    if (filterDepth == 0 || depth % filterDepth != 0) {
      return invalidArgument("input depth must be evenly divisible by filter depth: ", depth, " vs ", filterDepth);
    }
    if (settings_.channelsFirst()) {
      return unimplemented("The Conv2D op currently only supports the NHWC tensor format on the CPU. The op was given the format: ", settings_.format);
    }
    if (depth != filterDepth) {
      return unimplemented(
          "The Conv2D op currently does not support grouped convolutions on the CPU. A grouped convolution was attempted to be run because the "
          "input depth of ",
          depth, " does not match the filter input depth of ", filterDepth);
    }
    WEFT_LET(const ConvGeometry g, geometry(input.shape(), filter.shape()));
    WEFT_LET(Tensor * out, c.allocate(0, {g.batch, g.outHeight, g.outWidth, g.outChannels}));
    return convolve(c, g, input, filter, *out);
  }

  /// `sizesAt`: which input holds the shape of the result; it replaces that tensor.
  Status backward(KernelContext& c, const char* op, int sizesAt) {
    const Tensor &sizes = c.input(sizesAt), &other = c.input(1 - sizesAt), &grad = c.input(2);
    const bool ofInput = direction_ == ConvDirection::Input;
    if (settings_.channelsFirst()) return invalidArgument(op, "Op only supports NHWC.");
    if (settings_.dilations[1] > 1 || settings_.dilations[2] > 1) {
      return invalidArgument("Current libxsmm and customized CPU implementations do not yet support dilation rates larger than 1.");
    }
    if (sizes.rank() != 1) {
      return invalidArgument(ofInput ? "Conv2DBackpropInput: input_sizes input must be 1-dim, not " : "Conv2DCustomBackpropFilter: filter_sizes input must be 1-dim, not ",
                             sizes.rank());
    }
    Shape wanted;
    for (int64_t i = 0; i < sizes.elements(); ++i) {
      if (sizes.asInt(i) < 0) return invalidArgument("Dimension ", sizes.asInt(i), " must be >= 0");
      wanted.append(sizes.asInt(i));
    }
    const Shape &input = ofInput ? wanted : other.shape(), &filter = ofInput ? other.shape() : wanted;
    if (input.rank() != 4) return invalidArgument(op, ": input must be 4-dimensional");
    if (filter.rank() != 4) return invalidArgument(op, ": filter must be 4-dimensional");
    if (grad.rank() != 4) return invalidArgument(op, ": out_backprop must be 4-dimensional");
    if (input.dim(0) != grad.dim(0)) {
      return invalidArgument(op, ": input and out_backprop must have the same batch size", "input batch: ", input.dim(0), "outbackprop batch: ", grad.dim(0),
                             " batch_dim: 0");
    }
    if (filter.dim(2) == 0 || input.dim(3) % filter.dim(2) != 0) return invalidArgument(op, ": input depth must be evenly divisible by filter depth");
    if (filter.dim(3) != grad.dim(3)) return invalidArgument(op, ": filter and out_backprop must have the same out_depth");
    WEFT_LET(const ConvGeometry g, geometry(input, filter));
    for (int a : {1, 2}) {
      const int64_t computed = a == 1 ? g.outHeight : g.outWidth;
      if (grad.dim(a) != computed) {
        return invalidArgument(op, ": Size of out_backprop doesn't match computed: actual = ", grad.dim(a), ", computed = ", computed,
                               " spatial_dim: ", a, " input: ", input.dim(a), " filter: ", filter.dim(a - 1), " output: ", grad.dim(a),
                               " stride: ", settings_.strides[size_t(a)], " dilation: 1");
      }
    }
    if (input.dim(3) != filter.dim(2)) {
      return unimplemented("Gradients of grouped convolutions are not supported on the CPU: the input depth of ", input.dim(3),
                           " does not match the filter input depth of ", filter.dim(2));
    }
    WEFT_LET(Tensor * out, c.allocate(0, wanted));
    return ofInput ? convolve(c, g, *out, other, grad) : convolve(c, g, other, *out, grad);
  }

  Result<ConvGeometry> geometry(const Shape& input, const Shape& filter) const {
    ConvGeometry g;
    g.batch = input.dim(0);
    g.inHeight = input.dim(1);
    g.inWidth = input.dim(2);
    g.inChannels = input.dim(3);
    g.kernelHeight = filter.dim(0);
    g.kernelWidth = filter.dim(1);
    g.outChannels = filter.dim(3);
    g.strideHeight = settings_.strides[1];
    g.strideWidth = settings_.strides[2];
    g.dilationHeight = settings_.dilations[1];
    g.dilationWidth = settings_.dilations[2];
    WEFT_LET(const WindowAxis h, windowAxis(g.inHeight, g.kernelHeight, g.dilationHeight, g.strideHeight, settings_.padding, settings_.before(1),
                                            settings_.after(1)));
    WEFT_LET(const WindowAxis w, windowAxis(g.inWidth, g.kernelWidth, g.dilationWidth, g.strideWidth, settings_.padding, settings_.before(2),
                                            settings_.after(2)));
    g.outHeight = h.output;
    g.outWidth = w.output;
    g.padTop = h.before;
    g.padLeft = w.before;
    // As much padding after the image as the last window reaches over its edge; where a stride leaves pixels over there is none.
    const auto reach = [](int64_t outputs, int64_t stride, int64_t kernel, int64_t dilation, int64_t before, int64_t size) {
      return std::max<int64_t>(0, (outputs - 1) * stride + (kernel - 1) * dilation + 1 - size - before);
    };
    g.padBottom = reach(g.outHeight, g.strideHeight, g.kernelHeight, g.dilationHeight, g.padTop, g.inHeight);
    g.padRight = reach(g.outWidth, g.strideWidth, g.kernelWidth, g.dilationWidth, g.padLeft, g.inWidth);
    return g;
  }

  /// One of the tensors is the kernel's output (direction_); the others are only read.
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
      // Widened, computed in float, rounded once.
      const Tensor* all[3] = {&input, &filter, &output};
      Tensor wide[3];
      for (int i = 0; i < 3; ++i) {
        WEFT_LET(wide[i], c.scratch(DType::Float, all[i]->shape()));
        if (all[i] == &target) continue;
        const cpu::Half* from = static_cast<const cpu::Half*>(all[i]->raw());
        for (int64_t k = 0; k < all[i]->elements(); ++k) wide[i].mutableData<float>()[k] = from[k];
      }
      WEFT_TRY(convolveFloat(c, g, wide[0].mutableData<float>(), wide[1].mutableData<float>(), wide[2].mutableData<float>()));
      const Tensor& result = wide[int(&target == &filter) + 2 * int(&target == &output)];
      cpu::Half* to = static_cast<cpu::Half*>(const_cast<void*>(target.raw()));
      for (int64_t k = 0; k < target.elements(); ++k) to[k] = result.data<float>()[k];
      return {};
    }
    const auto data = [](const Tensor& t) { return const_cast<float*>(t.data<float>()); };
    return convolveFloat(c, g, data(input), data(filter), data(output));
  }

  Status convolveFloat(KernelContext& c, const ConvGeometry& g, float* input, float* filter, float* output) {
    auto primitive = cache_.get(direction_, g);
    if (!primitive.ok()) {
      cpu::unfoldedConvolution(direction_, g, input, filter, output);
      return {};
    }
    const auto bytes = int64_t((*primitive)->scratchBytes());
    WEFT_LET(Tensor scratch, c.scratch(DType::UInt8, {std::max<int64_t>(bytes, 1)}));
    return (*primitive)->run(input, filter, output, scratch.mutableRaw());
  }

  ConvSettings settings_;
  ConvDirection direction_;
  cpu::ConvolutionCache cache_;
};

Cost convCost(const std::vector<Shape>& inputs, const std::vector<Shape>& outputs, const AttrMap&, DType type) {
  Cost cost;
  if (inputs.size() < 2 || outputs.empty() || !inputs[1].isFullyKnown() || inputs[1].rank() != 4 || !outputs[0].isFullyKnown()) return cost;
  cost.flops = 2.0 * double(outputs[0].elements()) * double(inputs[1].elements() / std::max<int64_t>(1, inputs[1].dim(3)));
  cost.bytes = double(outputs[0].elements() + inputs[1].elements() + (inputs[0].isFullyKnown() ? inputs[0].elements() : 0)) * double(sizeOf(type));
  return cost;
}

Cost backpropCost(const std::vector<Shape>& inputs, const std::vector<Shape>& outputs, const AttrMap&, DType type) {
  Cost cost;
  if (inputs.size() < 3 || outputs.empty() || !outputs[0].isFullyKnown() || !inputs[2].isFullyKnown() || inputs[2].rank() != 4) return cost;
  // One of the first two inputs is the filter or, for the gradient of the filter, the result is.
  const Shape& filter = inputs[1].rank() == 4 ? inputs[1] : outputs[0];
  if (!filter.isFullyKnown() || filter.rank() != 4) return cost;
  cost.flops = 2.0 * double(inputs[2].elements()) * double(filter.elements() / std::max<int64_t>(1, filter.dim(3)));
  cost.bytes = double(inputs[2].elements() + outputs[0].elements() + filter.elements()) * double(sizeOf(type));
  return cost;
}

OpRecord& withConvAttrs(OpRecord& r) {
  return r.attr("T: {half, bfloat16, float, double}", "Type of the elements.")
      .attr("strides: list(int)", "Steps of the window along each dim of the input.")
      .attr("use_cudnn_on_gpu: bool = true", "Whether cuDNN may be used.")
      .attr("padding: {'SAME', 'VALID', 'EXPLICIT'}", "SAME pads so that each stride has an output; VALID does not pad; EXPLICIT pads as listed.")
      .attr("explicit_paddings: list(int) = []", "Padding before and after each dim, for EXPLICIT.")
      .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'", "Order of the dims: batch, height, width, channels, or channels second.")
      .attr("dilations: list(int) = [1, 1, 1, 1]", "Distance of the filter's elements along each dim of the input.")
      .cpu({{"T", types::kFloats}}, kernelOf<ConvKernel>());
}

}  // namespace

void registerConv2D(OpRegistry& ops) {
  withConvAttrs(ops.add("Conv2D")
                    .category("Neural network")
                    .keywords("convolution filter image kernel")
                    .summary("Convolution of images with a bank of filters.")
                    .input("input: T", "Images [batch, height, width, channels].")
                    .input("filter: T", "Filters [height, width, in channels, out channels].")
                    .output("output: T", "Filtered images."))
      .shape(convShape)
      .gradient(convGradient)
      .cost(convCost);
  withConvAttrs(ops.add("Conv2DBackpropInput")
                    .category("Gradients")
                    .keywords("transposed convolution deconvolution")
                    .summary("Gradient of Conv2D with respect to its images; as an op of its own, a transposed convolution.")
                    .input("input_sizes: int32", "Shape of the images.")
                    .input("filter: T", "Filters [height, width, in channels, out channels].")
                    .input("out_backprop: T", "Gradient of the filtered images.")
                    .output("output: T", "Gradient of the images."))
      .shape([](ShapeContext& c) { return shapeFromInput(c, 0); })
      .gradient(backpropInputGradient)
      .cost(backpropCost);
  withConvAttrs(ops.add("Conv2DBackpropFilter")
                    .category("Gradients")
                    .summary("Gradient of Conv2D with respect to its filters.")
                    .input("input: T", "Images [batch, height, width, channels].")
                    .input("filter_sizes: int32", "Shape of the filters.")
                    .input("out_backprop: T", "Gradient of the filtered images.")
                    .output("output: T", "Gradient of the filters."))
      .shape([](ShapeContext& c) { return shapeFromInput(c, 1); })
      .gradient(backpropFilterGradient)
      .cost(backpropCost);
}

}  // namespace weft
