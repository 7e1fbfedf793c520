// Convolutions and their gradients: Conv2D here, depthwise convolution in depthwise.cpp.
#include "device/cpu/conv2d_kernel.h"
#include "graph/window.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"

namespace weft {

void registerDepthwise(OpRegistry& ops);  // depthwise.cpp, of the same family

namespace {

// ---- shapes

Status convShape(ShapeContext& c) {
  const ConvolutionSettings s = ConvolutionSettings::of(c.attrs());
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
  // The filter is one of the first two inputs or, for the gradient of the filter, the result.
  const Shape& filter = inputs[1].rank() == 4 ? inputs[1] : outputs[0];
  if (!filter.isFullyKnown() || filter.rank() != 4) return cost;
  cost.flops = 2.0 * double(inputs[2].elements()) * double(filter.elements() / std::max<int64_t>(1, filter.dim(3)));
  cost.bytes = double(inputs[2].elements() + outputs[0].elements() + filter.elements()) * double(sizeOf(type));
  return cost;
}

OpRecord& withConvAttrs(OpRecord& r) {
  return r.attr("T: {half, bfloat16, float, double}", "Type of the elements.")
      .attr("strides: list(int)", "Stride of the window along each dimension of the input.")
      .attr("use_cudnn_on_gpu: bool = true", "Whether cuDNN may be used.")
      .attr("padding: {'SAME', 'VALID', 'EXPLICIT'}",
            "SAME: padded so that the output has size ceil(input / stride). VALID: no padding. EXPLICIT: as in explicit_paddings.")
      .attr("explicit_paddings: list(int) = []", "For EXPLICIT: padding before and after each dimension.")
      .attr("data_format: {'NHWC', 'NCHW'} = 'NHWC'", "Order of the dimensions: [batch, height, width, channels] or [batch, channels, height, width].")
      .attr("dilations: list(int) = [1, 1, 1, 1]", "Dilation of the filter along each dimension of the input.")
      .cpu({{"T", types::kFloats}}, convolutionKernel());
}

}  // namespace

void registerConv2D(OpRegistry& ops) {
  registerDepthwise(ops);
  withConvAttrs(ops.add("Conv2D")
                    .category("Neural network")
                    .keywords("convolution filter image kernel")
                    .summary("2-D convolution of a batch of images with a bank of filters.")
                    .input("input: T", "Images [batch, height, width, channels].")
                    .input("filter: T", "Filters [height, width, in channels, out channels].")
                    .output("output: T", "Output feature maps, [batch, out height, out width, out channels]."))
      .shape(convShape)
      .gradient(convGradient)
      .cost(convCost);
  withConvAttrs(ops.add("Conv2DBackpropInput")
                    .category("Gradients")
                    .keywords("transposed convolution deconvolution")
                    .summary("Gradient of Conv2D with respect to its input; on its own, a transposed convolution.")
                    .input("input_sizes: int32", "Shape of the input images.")
                    .input("filter: T", "Filters [height, width, in channels, out channels].")
                    .input("out_backprop: T", "Gradient with respect to the output feature maps.")
                    .output("output: T", "Gradient with respect to the images."))
      .shape([](ShapeContext& c) { return shapeFromInput(c, 0); })
      .gradient(backpropInputGradient)
      .cost(backpropCost);
  withConvAttrs(ops.add("Conv2DBackpropFilter")
                    .category("Gradients")
                    .summary("Gradient of Conv2D with respect to its filters.")
                    .input("input: T", "Images [batch, height, width, channels].")
                    .input("filter_sizes: int32", "Shape of the filters.")
                    .input("out_backprop: T", "Gradient with respect to the output feature maps.")
                    .output("output: T", "Gradient with respect to the filters."))
      .shape([](ShapeContext& c) { return shapeFromInput(c, 1); })
      .gradient(backpropFilterGradient)
      .cost(backpropCost);
  state(ops, OpRole::Convolution, Effect::None, "Conv2D Conv2DBackpropFilter Conv2DBackpropInput");
  makeFresh(ops, "Conv2D Conv2DBackpropFilter Conv2DBackpropInput");
}

}  // namespace weft
