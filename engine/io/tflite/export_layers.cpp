#include <algorithm>
#include <cmath>

#include "io/foreign_model.h"
#include "io/tflite/export.h"

// Layers with weights. What follows them and is linear per channel is merged into weights and biases.

namespace weft::tflite {
namespace {

Result<tfl::Padding> paddingOf(const Node& n) {
  const std::string padding = n.attrs.text("padding");
  if (padding == "SAME") return tfl::Padding::SAME;
  if (padding == "VALID") return tfl::Padding::VALID;
  return noCounterpart(n, "padding " + padding);
}

/// Height and width of an attribute such as strides. Errors for images that are not NHWC and for windows over batch or channels.
Result<std::pair<int, int>> windowIn(const Node& n, const char* attr) {
  if (n.attrs.text("data_format", "NHWC") != "NHWC") return noCounterpart(n, "data_format " + n.attrs.text("data_format"));
  const auto v = n.attrs.integers(attr);
  if (v.empty()) return std::pair(1, 1);
  if (v.size() != 4 || v[0] != 1 || v[3] != 1) return noCounterpart(n, concat(attr, " over batch or channels"));
  return std::pair(int(v[1]), int(v[2]));
}

/// The layer's weights, scaled per output channel. `channelOf`: of the element at a position.
template <typename F>
Tensor scaled(const Tensor& weights, const std::vector<float>& by, F&& channelOf) {
  if (by.empty()) return weights;
  Tensor out = Tensor::zeros(DType::Float, weights.shape());
  for (int64_t i = 0; i < out.elements(); ++i) out.mutableData<float>()[i] = weights.at<float>(i) * by[size_t(channelOf(i))];
  return out;
}

Result<int> biasTensor(Exporter& e, const Node& n, const Tail& tail, int64_t channels) {
  Tensor bias = Tensor::zeros(DType::Float, {channels});
  std::copy(tail.shift.begin(), tail.shift.end(), bias.mutableData<float>());
  return e.constantTensor(bias, n.name + "/bias");
}

/// A computed kernel with its dimensions in another order.
Result<int> transposedTensor(Exporter& e, const Node& n, Output o, const std::vector<int32_t>& order) {
  WEFT_LET(const int from, e.tensorOf(o));
  WEFT_LET(const int perm, e.constantTensor(Tensor::vector(order), n.name + "/order"));
  Shape shape;
  for (const int32_t d : order) shape.append(e.graph().shape(o).rank() == int(order.size()) ? e.graph().shape(o).dim(d) : Shape::kUnknownDim);
  WEFT_LET(const int to, e.temporary(n.name + "/transposed", DType::Float, shape));
  e.add(Op::TRANSPOSE, {from, perm}, {to}, tfl::CreateTransposeOptions(e.fbb()));
  return to;
}

bool isFloatTensor(const std::optional<Tensor>& t) { return t && t->dtype() == DType::Float; }

Status writeConv2d(Exporter& e, const Node& n) {
  WEFT_LET(const auto strides, windowIn(n, "strides"));
  WEFT_LET(const auto dilations, windowIn(n, "dilations"));
  WEFT_LET(const tfl::Padding padding, paddingOf(n));
  const auto kernel = e.constant(n.inputs[1]);
  const Shape shape = kernel ? kernel->shape() : e.graph().shape(n.inputs[1]);
  if (shape.rank() != 4 || shape.dim(3) < 1) return noCounterpart(n, "kernels of unknown shape");
  const int64_t channels = shape.dim(3);
  WEFT_LET(const int x, e.tensorOf(n.inputs[0]));
  const Tail tail = e.tailOf({n.id, 0}, channels, isFloatTensor(kernel));
  int weights = 0;
  if (isFloatTensor(kernel)) {
    WEFT_LET(const Tensor ohwi, permuted(*kernel, {3, 0, 1, 2}));
    const int64_t each = ohwi.elements() / channels;
    WEFT_LET(weights, e.constantTensor(scaled(ohwi, tail.scale, [&](int64_t i) { return i / each; }), e.graph().node(n.inputs[1].node)->name));
  } else {
    WEFT_LET(weights, transposedTensor(e, n, n.inputs[1], {3, 0, 1, 2}));
  }
  WEFT_LET(const int bias, biasTensor(e, n, tail, channels));
  WEFT_LET(const int y, e.define(tail.end));
  e.add(Op::CONV_2D, {x, weights, bias}, {y},
        tfl::CreateConv2DOptions(e.fbb(), padding, strides.second, strides.first, tail.activation, dilations.second, dilations.first));
  return {};
}

Status writeDepthwise(Exporter& e, const Node& n) {
  WEFT_LET(const auto strides, windowIn(n, "strides"));
  WEFT_LET(const auto dilations, windowIn(n, "dilations"));
  WEFT_LET(const tfl::Padding padding, paddingOf(n));
  const auto kernel = e.constant(n.inputs[1]);
  if (!isFloatTensor(kernel) || kernel->rank() != 4) return noCounterpart(n, "kernels that are computed");
  const int64_t channels = kernel->dim(2) * kernel->dim(3);
  const Tensor flat = kernel->reshaped({1, kernel->dim(0), kernel->dim(1), channels});
  WEFT_LET(const int x, e.tensorOf(n.inputs[0]));
  const Tail tail = e.tailOf({n.id, 0}, channels, true);
  WEFT_LET(const int weights, e.constantTensor(scaled(flat, tail.scale, [&](int64_t i) { return i % channels; }), e.graph().node(n.inputs[1].node)->name));
  WEFT_LET(const int bias, biasTensor(e, n, tail, channels));
  WEFT_LET(const int y, e.define(tail.end));
  e.add(Op::DEPTHWISE_CONV_2D, {x, weights, bias}, {y},
        tfl::CreateDepthwiseConv2DOptions(e.fbb(), padding, strides.second, strides.first, int(kernel->dim(3)), tail.activation, dilations.second,
                                          dilations.first));
  return {};
}

Status writeTransposeConv(Exporter& e, const Node& n) {
  WEFT_LET(const auto strides, windowIn(n, "strides"));
  WEFT_LET(const auto dilations, windowIn(n, "dilations"));
  WEFT_LET(const tfl::Padding padding, paddingOf(n));
  if (dilations != std::pair(1, 1)) return noCounterpart(n, "dilations");
  WEFT_LET(const int sizes, e.int32Tensor(n, 0));
  const auto kernel = e.constant(n.inputs[1]);
  int weights = 0;
  if (isFloatTensor(kernel) && kernel->rank() == 4) {
    WEFT_LET(const Tensor ohwi, permuted(*kernel, {2, 0, 1, 3}));
    WEFT_LET(weights, e.constantTensor(ohwi, e.graph().node(n.inputs[1].node)->name));
  } else {
    WEFT_LET(weights, transposedTensor(e, n, n.inputs[1], {2, 0, 1, 3}));
  }
  WEFT_LET(const int x, e.tensorOf(n.inputs[2]));
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::TRANSPOSE_CONV, {sizes, weights, x}, {y}, tfl::CreateTransposeConvOptions(e.fbb(), padding, strides.second, strides.first));
  return {};
}

Status writeMatMul(Exporter& e, const Node& n) {
  const auto b = e.constant(n.inputs[1]);
  const bool transposed = n.attrs.flag("transpose_b");
  const Shape shape = b ? b->shape() : e.graph().shape(n.inputs[1]);
  if (baseType(e.graph().dtype({n.id, 0})) != DType::Float) return noCounterpart(n, "numbers that are not float32");
  if (shape.rank() != 2 || shape.dim(transposed ? 0 : 1) < 1) return noCounterpart(n, "a matrix of unknown shape");
  const int64_t units = shape.dim(transposed ? 0 : 1);
  int x = 0, weights = 0;
  if (n.attrs.flag("transpose_a")) {
    WEFT_LET(x, transposedTensor(e, n, n.inputs[0], {1, 0}));
  } else {
    WEFT_LET(x, e.tensorOf(n.inputs[0]));
  }
  const Tail tail = e.tailOf({n.id, 0}, units, isFloatTensor(b));
  if (isFloatTensor(b)) {
    Tensor rows = *b;
    if (!transposed) {
      WEFT_LET(rows, permuted(*b, {1, 0}));
    }
    const int64_t each = std::max<int64_t>(1, rows.dim(1));
    WEFT_LET(weights, e.constantTensor(scaled(rows, tail.scale, [&](int64_t i) { return i / each; }), e.graph().node(n.inputs[1].node)->name));
  } else if (transposed) {
    WEFT_LET(weights, e.tensorOf(n.inputs[1]));
  } else {
    WEFT_LET(weights, transposedTensor(e, n, n.inputs[1], {1, 0}));
  }
  WEFT_LET(const int bias, biasTensor(e, n, tail, units));
  WEFT_LET(const int y, e.define(tail.end));
  e.add(Op::FULLY_CONNECTED, {x, weights, bias}, {y}, tfl::CreateFullyConnectedOptions(e.fbb(), tail.activation));
  return {};
}

Status writeBatchMatMul(Exporter& e, const Node& n) {
  WEFT_LET(const int a, e.tensorOf(n.inputs[0]));
  WEFT_LET(const int b, e.tensorOf(n.inputs[1]));
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::BATCH_MATMUL, {a, b}, {y}, tfl::CreateBatchMatMulOptions(e.fbb(), n.attrs.flag("adj_x"), n.attrs.flag("adj_y")));
  return {};
}

Status writePool(Exporter& e, const Node& n) {
  WEFT_LET(const auto strides, windowIn(n, "strides"));
  WEFT_LET(const auto window, windowIn(n, "ksize"));
  WEFT_LET(const tfl::Padding padding, paddingOf(n));
  WEFT_LET(const int x, e.tensorOf(n.inputs[0]));
  const Tail tail = e.tailOf({n.id, 0}, 0, false);
  WEFT_LET(const int y, e.define(tail.end));
  e.add(n.op == "MaxPool" ? Op::MAX_POOL_2D : Op::AVERAGE_POOL_2D, {x}, {y},
        tfl::CreatePool2DOptions(e.fbb(), padding, strides.second, strides.first, window.second, window.first, tail.activation));
  return {};
}

/// One that no layer precedes: y = x * scale + shift.
Status writeBatchNorm(Exporter& e, const Node& n) {
  if (n.attrs.flag("is_training", true)) return noCounterpart(n, "is_training; expected inference");
  if (n.attrs.text("data_format", "NHWC") != "NHWC") return noCounterpart(n, "data_format " + n.attrs.text("data_format"));
  std::vector<Tensor> parts;
  for (size_t i = 1; i < 5; ++i) {
    const auto t = e.constant(n.inputs[i]);
    if (!isFloatTensor(t) || (i > 1 && t->elements() != parts[0].elements())) return noCounterpart(n, "statistics that are computed");
    parts.push_back(*t);
  }
  Tensor scale = Tensor::zeros(DType::Float, parts[0].shape()), shift = Tensor::zeros(DType::Float, parts[0].shape());
  for (int64_t c = 0; c < scale.elements(); ++c) {
    const float by = parts[0].at<float>(c) / std::sqrt(parts[3].at<float>(c) + n.attrs.number("epsilon", 0.0001f));
    scale.mutableData<float>()[c] = by;
    shift.mutableData<float>()[c] = parts[1].at<float>(c) - parts[2].at<float>(c) * by;
  }
  WEFT_LET(const int x, e.tensorOf(n.inputs[0]));
  WEFT_LET(const int by, e.constantTensor(scale, n.name + "/scale"));
  WEFT_LET(const int plus, e.constantTensor(shift, n.name + "/shift"));
  WEFT_LET(const int middle, e.temporary(n.name + "/scaled", DType::Float, e.graph().shape({n.id, 0})));
  const Tail tail = e.tailOf({n.id, 0}, 0, false);
  WEFT_LET(const int y, e.define(tail.end));
  e.add(Op::MUL, {x, by}, {middle}, tfl::CreateMulOptions(e.fbb()));
  e.add(Op::ADD, {middle, plus}, {y}, tfl::CreateAddOptions(e.fbb(), tail.activation));
  return {};
}

Status writeResize(Exporter& e, const Node& n) {
  constexpr int kHalfPixelVersion = 3;
  WEFT_LET(const int x, e.tensorOf(n.inputs[0]));
  WEFT_LET(const int size, e.int32Tensor(n, 1));
  WEFT_LET(const int y, e.define({n.id, 0}));
  const bool corners = n.attrs.flag("align_corners"), half = n.attrs.flag("half_pixel_centers");
  if (n.op == "ResizeBilinear")
    e.add(Op::RESIZE_BILINEAR, {x, size}, {y}, tfl::CreateResizeBilinearOptions(e.fbb(), corners, half), half ? kHalfPixelVersion : 1);
  else e.add(Op::RESIZE_NEAREST_NEIGHBOR, {x, size}, {y}, tfl::CreateResizeNearestNeighborOptions(e.fbb(), corners, half), half ? kHalfPixelVersion : 1);
  return {};
}

Status writeSoftmax(Exporter& e, const Node& n) {
  WEFT_LET(const int x, e.tensorOf(n.inputs[0]));
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::SOFTMAX, {x}, {y}, tfl::CreateSoftmaxOptions(e.fbb(), 1));
  return {};
}

Status writeLrn(Exporter& e, const Node& n) {
  WEFT_LET(const int x, e.tensorOf(n.inputs[0]));
  WEFT_LET(const int y, e.define({n.id, 0}));
  e.add(Op::LOCAL_RESPONSE_NORMALIZATION, {x}, {y},
        tfl::CreateLocalResponseNormalizationOptions(e.fbb(), int(n.attrs.integer("depth_radius", 5)), n.attrs.number("bias", 1), n.attrs.number("alpha", 1),
                                                     n.attrs.number("beta", 0.5f)));
  return {};
}

constexpr NodeRule kLayerWriters[] = {
    {"Conv2D", writeConv2d},
    {"DepthwiseConv2dNative", writeDepthwise},
    {"Conv2DBackpropInput", writeTransposeConv},
    {"MatMul", writeMatMul},
    {"BatchMatMul", writeBatchMatMul},
    {"BatchMatMulV2", writeBatchMatMul},
    {"MaxPool", writePool},
    {"AvgPool", writePool},
    {"FusedBatchNorm", writeBatchNorm},
    {"FusedBatchNormV2", writeBatchNorm},
    {"FusedBatchNormV3", writeBatchNorm},
    {"ResizeBilinear", writeResize},
    {"ResizeNearestNeighbor", writeResize},
    {"Softmax", writeSoftmax},
    {"LRN", writeLrn},
};

}  // namespace

std::span<const NodeRule> layerWriters() { return kLayerWriters; }

}  // namespace weft::tflite
