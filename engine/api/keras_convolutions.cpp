// Convolutions of Keras. Sequences are convolved as images of height 1.
#include <algorithm>

#include "api/keras_layer.h"
#include "api/narrow.h"
#include "api/nn_functions.h"
#include "ops/grad_ops.h"

namespace weft::api::keras {
using namespace records;

namespace {

/// Sizes of a window in two dimensions.
struct Window {
  std::vector<int64_t> kernel, strides, dilations;
  std::string padding;
};

Result<Window> windowOf(KerasLayer& l, int dims) {
  Window w{sizes(l.a.integers("kernel_size"), size_t(dims)), sizes(l.a.integers("strides"), size_t(dims)), sizes(l.a.integers("dilation_rate"), size_t(dims)),
           l.a.text("padding")};
  for (const auto* list : {&w.kernel, &w.strides, &w.dilations}) {
    if (list->size() != size_t(dims)) return l.fail(invalidArgument("kernel_size, strides and dilation_rate are expected to have ", dims, " numbers")).error();
    for (const int64_t n : *list)
      if (!requireSize(l.b, n, "a size of the window")) return l.b.status().error();
  }
  return w;
}

/// As many zeros before a sequence as keep it from looking ahead.
Output causal(KerasLayer& l, Output x, Window& w) {
  if (w.padding != "causal") return x;
  w.padding = "valid";
  Tensor paddings = Tensor::zeros(DType::Int32, Shape{3, 2});
  paddings.mutableData<int32_t>()[2] = fit32(l.b, w.dilations[0] * (w.kernel[0] - 1), "the causal padding");
  if (!l.b.ok()) return x;
  return l.b.op("Pad", {x, l.b.constant(paddings, "paddings")});
}

AttrMap attrsOf(const Window& w, int dims) {
  const bool line = dims == 1;
  const auto four = [&](const std::vector<int64_t>& v) { return std::vector<int64_t>{1, line ? 1 : v[0], line ? v[0] : v[1], 1}; };
  return {{"strides", four(w.strides)}, {"dilations", four(w.dilations)}, {"padding", upper(w.padding)}};
}

Output asImage(GraphBuilder& b, Output x, int dims) { return dims == 1 ? b.op("ExpandDims", {x, b.scalar<int32_t>(1, "image_axis")}) : x; }
Output asImageKernel(GraphBuilder& b, Output kernel, int dims) {
  return dims == 1 ? b.op("ExpandDims", {kernel, b.scalar<int32_t>(0, "kernel_axis")}) : kernel;
}
Output fromImage(GraphBuilder& b, Output y, int dims) { return dims == 1 ? b.op("Squeeze", {y}, {{"squeeze_dims", std::vector<int64_t>{1}}}) : y; }

/// Filters of each channel's own. The op takes no dilations: blocks are moved into the batch instead.
Output depthwiseOf(GraphBuilder& b, Output x, Output kernel, const Window& w) {
  const auto apply = [&](Output value, const std::string& padding) {
    return b.op("DepthwiseConv2dNative", {value, kernel}, {{"strides", std::vector<int64_t>{1, w.strides[0], w.strides[1], 1}}, {"padding", padding}},
                "depthwise");
  };
  if (w.dilations == std::vector<int64_t>{1, 1}) return apply(x, upper(w.padding));
  if (w.strides != std::vector<int64_t>{1, 1}) {
    b.fail(unimplemented("strides other than 1 together with a dilation_rate other than 1"));
    return {};
  }
  return nn::withSpaceToBatch(b, x, w.dilations, upper(w.padding), apply, w.kernel, {}, "NHWC");
}

/// The layer's output: `y` with the bias, if there is one, and the activation.
Built finished(KerasLayer& l, Output y, const VariablePtr& bias) {
  if (bias) y = call(l.b, "BiasAdd", {y, bias});
  return l.done(l.channelsBack(l.activated(y)));
}

Built convolution(KerasLayer& l, int dims) {
  GraphBuilder& b = l.b;
  Output x = l.channelsLast(l.input({dims + 2}));
  WEFT_LET(Window w, windowOf(l, dims));
  const int64_t filters = l.a.integer("filters"), in = l.known(x, -1);
  std::vector<int64_t> dimsOfKernel = w.kernel;
  dimsOfKernel.insert(dimsOfKernel.end(), {in, filters});
  const VariablePtr kernel = l.weight("kernel", Shape(dimsOfKernel));
  const VariablePtr bias = l.a.flag("use_bias") ? l.weight("bias", Shape{filters}, zerosInitializer()) : nullptr;
  if (!b.ok()) return b.status().error();
  if (dims == 1) x = causal(l, x, w);
  Output y = b.op("Conv2D", {asImage(b, x, dims), asImageKernel(b, l.value(kernel), dims)}, attrsOf(w, dims));
  y = fromImage(b, y, dims);
  return finished(l, y, bias);
}

Built depthwise(KerasLayer& l) {
  GraphBuilder& b = l.b;
  const Output x = l.channelsLast(l.input({4}));
  WEFT_LET(const Window w, windowOf(l, 2));
  const int64_t in = l.known(x, -1), multiplier = l.a.integer("depth_multiplier");
  if (!requireSize(b, multiplier, "depth_multiplier")) return b.status().error();
  const VariablePtr kernel = l.weight("depthwise_kernel", Shape{w.kernel[0], w.kernel[1], in, multiplier});
  const VariablePtr bias = l.a.flag("use_bias") ? l.weight("bias", Shape{in * multiplier}, zerosInitializer()) : nullptr;
  if (!b.ok()) return b.status().error();
  return finished(l, depthwiseOf(b, x, l.value(kernel), w), bias);
}

Built separable(KerasLayer& l, int dims) {
  GraphBuilder& b = l.b;
  Output x = l.channelsLast(l.input({dims + 2}));
  WEFT_LET(Window w, windowOf(l, dims));
  const int64_t in = l.known(x, -1), multiplier = l.a.integer("depth_multiplier"), filters = l.a.integer("filters");
  if (!requireSize(b, multiplier, "depth_multiplier") || !requireSize(b, filters, "filters")) return b.status().error();
  std::vector<int64_t> deep = w.kernel, point(size_t(dims), 1);
  deep.insert(deep.end(), {in, multiplier});
  point.insert(point.end(), {in * multiplier, filters});
  const VariablePtr depthKernel = l.weight("depthwise_kernel", Shape(deep)), pointKernel = l.weight("pointwise_kernel", Shape(point));
  const VariablePtr bias = l.a.flag("use_bias") ? l.weight("bias", Shape{filters}, zerosInitializer()) : nullptr;
  if (!b.ok()) return b.status().error();
  if (dims == 1) {
    x = causal(l, x, w);
    w.strides = {w.strides[0], w.strides[0]};  // the op has one stride for both dimensions
    w.dilations = {1, w.dilations[0]};
    w.kernel = {1, w.kernel[0]};
  }
  const Output image = asImage(b, x, dims), window = asImageKernel(b, l.value(depthKernel), dims);
  const Output each = depthwiseOf(b, image, window, w);
  Output y = b.op("Conv2D", {each, asImageKernel(b, l.value(pointKernel), dims)},
                  {{"strides", std::vector<int64_t>{1, 1, 1, 1}}, {"padding", std::string("VALID")}}, "pointwise");
  y = fromImage(b, y, dims);
  return finished(l, y, bias);
}

Built transposed(KerasLayer& l) {
  GraphBuilder& b = l.b;
  const Output x = l.channelsLast(l.input({4}));
  WEFT_LET(const Window w, windowOf(l, 2));
  const int64_t filters = l.a.integer("filters"), in = l.known(x, -1);
  if (!requireSize(b, filters, "filters")) return b.status().error();
  const VariablePtr kernel = l.weight("kernel", Shape{w.kernel[0], w.kernel[1], filters, in});
  const VariablePtr bias = l.a.flag("use_bias") ? l.weight("bias", Shape{filters}, zerosInitializer()) : nullptr;
  if (!b.ok()) return b.status().error();
  if (w.dilations != std::vector<int64_t>{1, 1}) return l.fail(unimplemented("Conv2DTranspose with a dilation_rate other than 1"));
  const std::vector<int64_t> extra = sizes(l.a.integers("output_padding"), 2);
  if (!extra.empty() && extra.size() != 2) return l.fail(invalidArgument("output_padding is expected to have 2 numbers, found ", extra.size()));
  for (const int64_t n : extra) fit32(b, n, "output_padding");
  if (!b.ok()) return b.status().error();
  const Shape s = b.shape(x);
  const Output shape = py::shape(b, x);
  Shape known{s.dim(0), -1, -1, filters};
  std::vector<py::Operand> dims{py::at(b, shape, 0)};
  for (int i = 0; i < 2; ++i) {
    const int64_t stride = w.strides[size_t(i)], size = w.kernel[size_t(i)];
    // Keras's rule for the length of the output.
    int64_t add = w.padding == "same" ? 0 : std::max<int64_t>(size - stride, 0), factor = stride;
    if (!extra.empty()) add = (w.padding == "same" ? -stride + size - 2 * (size / 2) : size - stride) + extra[size_t(i)];
    dims.emplace_back(py::add(b, py::mul(b, py::at(b, shape, i + 1), int(factor)), fit32(b, add, "output_padding")));
    if (s.dim(i + 1) >= 0) known.setDim(i + 1, s.dim(i + 1) * factor + add);
  }
  dims.emplace_back(int(filters));
  Output y = call(b, "Conv2DBackpropInput", {py::stack(b, dims), kernel, x},
                  {{"strides", std::vector<int64_t>{1, w.strides[0], w.strides[1], 1}}, {"padding", upper(w.padding)}}, "conv2d_transpose");
  b.setShape(y, known);
  return finished(l, y, bias);
}

}  // namespace

void registerConvolutions(ApiRegistry& r) {
  const ApiParameter filters = required("filters", "int", "Number of filters (output channels)."),
                     kernel = required("kernel_size", "ints", "Size of the window.");
  const ApiParameter strides = optional("strides", "ints", std::vector<int64_t>{1}, "Stride of the window.");
  const ApiParameter dilation = optional("dilation_rate", "ints", std::vector<int64_t>{1}, "Distance of the window's values.");
  const ApiParameter padding = optional("padding", "string", std::string("valid"), "valid: no padding; same: zero padding.", {"valid", "same"});
  const ApiParameter before = optional("padding", "string", std::string("valid"), "valid: no padding; same: zero padding; causal: zeros before the sequence.",
                                       {"valid", "same", "causal"});
  const ApiParameter multiplier = optional("depth_multiplier", "int", int64_t(1), "Depthwise filters per input channel.");
  layer(r, "Conv1D", "Convolution over sequences.", {inputs(), filters, kernel, strides, before, dataFormat(), dilation, activation(), useBias(), trainable()},
        [](KerasLayer& l) { return convolution(l, 1); }, "conv", {"filters", "kernel_size", "activation"});
  layer(r, "Conv2D", "Convolution over images.", {inputs(), filters, kernel, strides, padding, dataFormat(), dilation, activation(), useBias(), trainable()},
        [](KerasLayer& l) { return convolution(l, 2); }, "conv", {"filters", "kernel_size", "activation"});
  layer(r, "DepthwiseConv2D", "Convolves each channel of images by itself.",
        {inputs(), kernel, strides, padding, multiplier, dataFormat(), dilation, activation(), useBias(), trainable()}, depthwise, "conv",
        {"kernel_size", "activation"});
  layer(r, "SeparableConv1D", "Depthwise convolution over sequences followed by one of windows of size 1.",
        {inputs(), filters, kernel, strides, before, dataFormat(), dilation, multiplier, activation(), useBias(), trainable()},
        [](KerasLayer& l) { return separable(l, 1); }, "conv", {"filters", "kernel_size", "activation"});
  layer(r, "SeparableConv2D", "Depthwise convolution over images followed by one of windows of size 1.",
        {inputs(), filters, kernel, strides, padding, dataFormat(), dilation, multiplier, activation(), useBias(), trainable()},
        [](KerasLayer& l) { return separable(l, 2); }, "conv", {"filters", "kernel_size", "activation"});
  layer(r, "Conv2DTranspose", "Transposed convolution, which enlarges images.",
        {inputs(), filters, kernel, strides, padding,
         optional("output_padding", "ints", std::vector<int64_t>{}, "Rows and columns to add to the output; empty: none."), dataFormat(), dilation,
         activation(), useBias(), trainable()},
        transposed, "conv-transpose", {"filters", "kernel_size", "strides"});
}

}  // namespace weft::api::keras
