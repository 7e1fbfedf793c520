#include <algorithm>
#include <array>
#include <cmath>

#include "io/tflite/import.h"

// Layers with weights, and windows. TensorFlow Lite's kernels are OHWI (output channels first), TensorFlow's HWIO; images are NHWC in both.

namespace weft::tflite {

namespace {

std::string permutedForm(const std::vector<int64_t>& order) {
  std::string out = "permuted";
  for (const int64_t d : order) out += concat("_", d);
  return out;
}

/// Input `i` with its dimensions in another order: a constant where it is one.
Output permutedInput(OperatorImport& op, int i, const std::vector<int64_t>& order) {
  const auto t = op.constant(i);
  if (t && t->rank() != int(order.size())) {
    op.b().fail(
        invalidArgument(op.name(), " has weights of shape ", t->shape().toString(), "; expected ", order.size(), " dimensions").ofKind("invalid_model"));
    return {};
  }
  return op.formed(
      i, permutedForm(order), [&](const Tensor& value) { return permuted(value, order); },
      [&](Output x) {
        return op.b().op("Transpose", {x, op.b().ints({order.begin(), order.end()}, "order")});
      });
}

Output biased(OperatorImport& op, Output x, int bias) { return op.has(bias) ? op.b().op("BiasAdd", {x, op.in(bias)}) : x; }

std::vector<int64_t> windowOf(int64_t h, int64_t w) { return {1, h, w, 1}; }

std::vector<Output> conv2d(OperatorImport& op) {
  const auto& o = op.options<tfl::Conv2DOptions>();
  const tfl::Tensor *input = op.inputTensor(0), *filter = op.inputTensor(1);
  if (!input || !filter) return {op.in(0), op.in(1)};
  const Shape in = shapeOf(*input, false), kernel = shapeOf(*filter, false);
  if (in.rank() == 4 && kernel.rank() == 4 && in.dim(3) != kernel.dim(3)) return op.unsupported("a grouped convolution");
  const Output filters = permutedInput(op, 1, {1, 2, 3, 0});
  const Output y = op.b().op(
      "Conv2D", {op.in(0), filters},
      {{"strides", windowOf(o.stride_h(), o.stride_w())}, {"padding", paddingName(o.padding())}, {"dilations", windowOf(o.dilation_h(), o.dilation_w())}});
  return {op.activated(biased(op, y, 2), o.activation())};
}

/// A dilated convolution as one over interleaved blocks, as tf.nn.depthwise_conv2d builds it: DepthwiseConv2dNative has no dilations.
struct Blocks {
  std::vector<int32_t> shape, paddings, crops;
};
bool blocksOf(const std::array<int64_t, 2>& image, const Shape& kernel, const tfl::DepthwiseConv2DOptions& o, Blocks* out) {
  if (o.stride_h() != 1 || o.stride_w() != 1 || o.dilation_h() < 1 || o.dilation_w() < 1) return false;
  out->shape = {o.dilation_h(), o.dilation_w()};
  for (int d = 0; d < 2; ++d) {
    const int64_t size = image[size_t(d)], every = out->shape[size_t(d)], total = o.padding() == tfl::Padding::SAME ? (kernel.dim(d) - 1) * every : 0;
    if (size < 1 || size > INT32_MAX / 2 || total < 0 || total > INT32_MAX / 4) return false;
    const int64_t before = total / 2, extra = (every - (size + total) % every) % every;
    out->paddings.insert(out->paddings.end(), {int32_t(before), int32_t(total - before + extra)});
    out->crops.insert(out->crops.end(), {0, int32_t(extra)});
  }
  return true;
}

std::vector<Output> depthwiseConv2d(OperatorImport& op) {
  const auto& o = op.options<tfl::DepthwiseConv2DOptions>();
  const tfl::Tensor *input = op.inputTensor(0), *filter = op.inputTensor(1);
  if (!input || !filter) return {op.in(0), op.in(1)};
  const Shape in = shapeOf(*input, false), kernel = shapeOf(*filter, false);
  if (in.rank() != 4 || kernel.rank() != 4 || kernel.dim(0) != 1 || in.dim(3) < 1 || kernel.dim(3) < 1 || kernel.dim(3) % in.dim(3)) {
    op.b().fail(invalidArgument(op.name(), " has an input of shape ", in.toString(), " and weights of shape ", kernel.toString()).ofKind("invalid_model"));
    return {};
  }
  if (o.stride_h() != o.stride_w()) return op.unsupported("different strides in height and width");
  // Output channel c * multiplier + m is filter m of channel c, so the elements stay where they are.
  const Shape wanted{kernel.dim(1), kernel.dim(2), in.dim(3), kernel.dim(3) / in.dim(3)};
  GraphBuilder& b = op.b();
  const Output filters = op.formed(
      1, "depthwise" + wanted.toString(), [&](const Tensor& t) { return t.reshaped(wanted); },
      [&](Output x) {
        return b.op("Reshape", {x, b.constant(Tensor::vector(wanted.toVector()))});
      });
  Output x = op.in(0);
  const bool dilated = o.dilation_h() != 1 || o.dilation_w() != 1;
  Blocks blocks;
  if (dilated) {
    // The graph's shape is what the inputs' shapes lead to; the file's may be of other inputs.
    const Shape known = b.shape(x), stated = shapeOf(*input, true);
    std::array<int64_t, 2> image;
    for (int d = 0; d < 2; ++d) image[size_t(d)] = known.rank() == 4 && known.dim(1 + d) > 0 ? known.dim(1 + d) : stated.rank() == 4 ? stated.dim(1 + d) : -1;
    if (!blocksOf(image, wanted, o, &blocks)) return op.unsupported("dilations with strides or an open image size");
    x = b.op("SpaceToBatchND", {x, b.ints(blocks.shape, "block"), b.constant(Tensor::of(blocks.paddings, {2, 2}), "paddings")});
  }
  const AttrMap attrs{{"strides", windowOf(o.stride_h(), o.stride_w())}, {"padding", dilated ? "VALID" : paddingName(o.padding())}};
  Output y = b.op("DepthwiseConv2dNative", {x, filters}, attrs);
  if (dilated) y = b.op("BatchToSpaceND", {y, b.ints(blocks.shape, "block"), b.constant(Tensor::of(blocks.crops, {2, 2}), "crops")});
  return {op.activated(biased(op, y, 2), o.activation())};
}

std::vector<Output> transposeConv(OperatorImport& op) {
  const auto& o = op.options<tfl::TransposeConvOptions>();
  const Output filters = permutedInput(op, 1, {1, 2, 0, 3});
  const Output y = op.b().op("Conv2DBackpropInput", {op.in(0), filters, op.in(2)},
                             {{"strides", windowOf(o.stride_h(), o.stride_w())}, {"padding", paddingName(o.padding())}});
  return {op.activated(biased(op, y, 3), o.activation())};
}

std::vector<Output> fullyConnected(OperatorImport& op) {
  const auto& o = op.options<tfl::FullyConnectedOptions>();
  if (o.weights_format() != 0) return op.unsupported("shuffled weights");
  GraphBuilder& b = op.b();
  Output x = op.in(0);
  const tfl::Tensor* weights = op.inputTensor(1);
  if (!weights || !x.valid()) return {x, op.in(1)};
  const Shape kernel = shapeOf(*weights, false), in = b.shape(x);
  if (kernel.rank() != 2) {
    b.fail(invalidArgument(op.name(), " has weights of shape ", kernel.toString(), "; expected 2 dimensions").ofKind("invalid_model"));
    return {};
  }
  const bool matrix = in.rank() == 2 && (in.dim(1) == kernel.dim(1) || in.dim(1) < 0);
  if (!matrix) x = b.op("Reshape", {x, b.ints({-1, int32_t(kernel.dim(1))}, "rows")});
  Output y = biased(op, b.op("MatMul", {x, permutedInput(op, 1, {1, 0})}), 2);
  if (o.keep_num_dims() && in.hasRank() && in.rank() != 2) {
    std::vector<int32_t> dims;
    for (int d = 0; d + 1 < in.rank(); ++d) dims.push_back(int32_t(in.dim(d)));
    dims.push_back(int32_t(kernel.dim(0)));
    if (std::count(dims.begin(), dims.end(), -1) > 1) return op.unsupported("several open dimensions");
    y = b.op("Reshape", {y, b.ints(dims, "dims")});
  }
  return {op.activated(y, o.activation())};
}

template <const char* kName>
std::vector<Output> pool2d(OperatorImport& op) {
  const auto& o = op.options<tfl::Pool2DOptions>();
  const AttrMap attrs{
      {"ksize", windowOf(o.filter_height(), o.filter_width())}, {"strides", windowOf(o.stride_h(), o.stride_w())}, {"padding", paddingName(o.padding())}};
  return {op.activated(op.b().op(kName, {op.in(0)}, attrs), o.activation())};
}
constexpr char kAvgPool[] = "AvgPool", kMaxPool[] = "MaxPool";

std::vector<Output> l2Pool(OperatorImport& op) {
  const auto& o = op.options<tfl::Pool2DOptions>();
  const AttrMap attrs{
      {"ksize", windowOf(o.filter_height(), o.filter_width())}, {"strides", windowOf(o.stride_h(), o.stride_w())}, {"padding", paddingName(o.padding())}};
  GraphBuilder& b = op.b();
  return {op.activated(b.op("Sqrt", {b.op("AvgPool", {b.op("Square", {op.in(0)})}, attrs)}), o.activation())};
}

std::vector<Output> softmax(OperatorImport& op) {
  const float beta = op.options<tfl::SoftmaxOptions>().beta();
  Output x = op.in(0);
  if (beta != 1) x = op.b().op("Mul", {x, op.b().scalar(beta, "beta")});
  return {op.b().op("Softmax", {x})};
}

std::vector<Output> l2Normalization(OperatorImport& op) {
  constexpr float kSmallestNorm = 1e-6f;
  GraphBuilder& b = op.b();
  const Output x = op.in(0), sum = b.op("Sum", {b.op("Square", {x}), b.ints({-1}, "axis")}, {{"keep_dims", true}});
  const Output norm = b.op("Maximum", {b.op("Sqrt", {sum}), b.scalar(kSmallestNorm, "smallest")});
  return {op.activated(b.op("RealDiv", {x, norm}), op.options<tfl::L2NormOptions>().activation())};
}

std::vector<Output> localResponse(OperatorImport& op) {
  const auto& o = op.options<tfl::LocalResponseNormalizationOptions>();
  return {op.b().op("LRN", {op.in(0)}, {{"depth_radius", o.radius()}, {"bias", o.bias()}, {"alpha", o.alpha()}, {"beta", o.beta()}})};
}

std::vector<Output> batchMatMul(OperatorImport& op) {
  const auto& o = op.options<tfl::BatchMatMulOptions>();
  return {op.b().op("BatchMatMulV2", {op.in(0), op.in(1)}, {{"adj_x", o.adj_x()}, {"adj_y", o.adj_y()}})};
}

std::vector<Output> resizeBilinear(OperatorImport& op) {
  const auto& o = op.options<tfl::ResizeBilinearOptions>();
  return {op.b().op("ResizeBilinear", {op.in(0), op.in(1)}, {{"align_corners", o.align_corners()}, {"half_pixel_centers", o.half_pixel_centers()}})};
}

std::vector<Output> resizeNearest(OperatorImport& op) {
  const auto& o = op.options<tfl::ResizeNearestNeighborOptions>();
  return {op.b().op("ResizeNearestNeighbor", {op.in(0), op.in(1)}, {{"align_corners", o.align_corners()}, {"half_pixel_centers", o.half_pixel_centers()}})};
}

std::vector<Output> embeddingLookup(OperatorImport& op) { return {op.b().op("GatherV2", {op.in(1), op.in(0), op.b().scalar(int32_t(0), "axis")})}; }

constexpr OperatorRule kLayers[] = {
    {Op::CONV_2D, conv2d},
    {Op::DEPTHWISE_CONV_2D, depthwiseConv2d},
    {Op::TRANSPOSE_CONV, transposeConv},
    {Op::FULLY_CONNECTED, fullyConnected},
    {Op::AVERAGE_POOL_2D, pool2d<kAvgPool>},
    {Op::MAX_POOL_2D, pool2d<kMaxPool>, true},
    {Op::L2_POOL_2D, l2Pool},
    {Op::SOFTMAX, softmax},
    {Op::L2_NORMALIZATION, l2Normalization},
    {Op::LOCAL_RESPONSE_NORMALIZATION, localResponse},
    {Op::BATCH_MATMUL, batchMatMul},
    {Op::RESIZE_BILINEAR, resizeBilinear},
    {Op::RESIZE_NEAREST_NEIGHBOR, resizeNearest, true},
    {Op::EMBEDDING_LOOKUP, embeddingLookup, true},
};

}  // namespace

std::span<const OperatorRule> layerRules() { return kLayers; }

}  // namespace weft::tflite
