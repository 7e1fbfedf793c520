// Transforms that make large constants smaller or easier to compress.
#include <algorithm>
#include <cmath>
#include <limits>

#include "transforms/patterns.h"

namespace weft::transforms {
namespace {

/// Replaces the float constants with at least `minimum` elements.
template <typename F>
Status eachLargeConst(const GraphDef& in, const Context& context, int64_t minimum, GraphDef* out, F&& make) {
  const auto replace = [&](const Match& match, const std::set<std::string>&, std::vector<NodeDef>* made) -> Status {
    const NodeDef& node = *match.node;
    if (!node.attr().contains("dtype")) return invalidArgument("No 'dtype' attribute for Const node ", node.name());
    WEFT_LET(const Tensor value, constValue(node));
    return value.dtype() == DType::Float && value.elements() >= minimum ? make(node, value, made) : Status();
  };
  return replaceMatches(in, context, {"Const", {}}, replace, false, out).status();
}

struct FloatRange {
  float min, max;
};

/// As TensorFlow finds it: the largest value starts at the smallest positive normal number.
FloatRange rangeOf(const Tensor& value) {
  FloatRange out{std::numeric_limits<float>::max(), std::numeric_limits<float>::min()};
  for (const float v : value.flat<float>()) {
    out.min = std::min(out.min, v);
    out.max = std::max(out.max, v);
  }
  return out;
}

/// Why levels cannot stand for the values; empty if they can.
std::string whyNoLevels(const Tensor& value, const FloatRange& range) {
  for (const float v : value.flat<float>())
    if (!std::isfinite(v)) return concat("a value is ", v);
  return std::isfinite(range.max - range.min) ? "" : concat("the values reach from ", range.min, " to ", range.max, ", a range too wide for floats");
}

Status quantizeConst(const Context& context, const NodeDef& node, const Tensor& value, std::vector<NodeDef>* made) {
  FloatRange range = rangeOf(value);
  // Quantized ops need zero in the range. It is not empty: its end is at least the smallest normal number.
  range.min = std::min(range.min, 0.0F);
  if (const std::string why = whyNoLevels(value, range); !why.empty()) {
    context.warn(concat("quantize_weights: '", node.name(), "' stays as it is: ", why));
    return {};
  }
  const float scale = 255.0 / (range.max - range.min), lowest = std::round(range.min * scale);
  WEFT_LET(Tensor bytes, Tensor::allocate(DType::QUInt8, value.shape()));
  auto* out = static_cast<uint8_t*>(bytes.mutableRaw());
  const auto values = value.flat<float>();
  for (size_t i = 0; i < values.size(); ++i) {
    const float level = std::round(values[i] * scale) - lowest;
    out[i] = uint8_t(level >= 0 ? std::min(level, 255.0F) : 0.0F);  // NaN, of zeros alone, gives 0
  }
  WEFT_LET(NodeDef quantized, constNode(node.name() + "_quantized_const", bytes));
  WEFT_LET(NodeDef min, constNode(node.name() + "_quantized_min", Tensor::scalar(range.min)));
  WEFT_LET(NodeDef max, constNode(node.name() + "_quantized_max", Tensor::scalar(range.max)));
  NodeDef dequantize;
  dequantize.set_op("Dequantize");
  dequantize.set_name(node.name());
  (*dequantize.mutable_attr())["T"].set_type(tensorflow::DT_QUINT8);
  (*dequantize.mutable_attr())["mode"].set_s("MIN_FIRST");
  for (const NodeDef* input : {&quantized, &min, &max}) dequantize.add_input(input->name());
  for (NodeDef* n : {&quantized, &min, &max, &dequantize}) made->push_back(std::move(*n));
  return {};
}

Status quantizeWeights(const GraphDef& in, const Context& context, GraphDef* out) {
  WEFT_LET(const int64_t minimum, context.integer("minimum_size", 1024));
  return eachLargeConst(in, context, minimum, out,
                        [&context](const NodeDef& node, const Tensor& value, std::vector<NodeDef>* made) { return quantizeConst(context, node, value, made); });
}

Status roundWeights(const GraphDef& in, const Context& context, GraphDef* out) {
  WEFT_LET(const int64_t steps, context.integer("num_steps", 256));
  if (steps < 1 || steps > std::numeric_limits<int32_t>::max()) return invalidArgument("round_weights: num_steps is ", steps, ", expected at least 1");
  const auto round = [steps, &context](const NodeDef& node, const Tensor& value, std::vector<NodeDef>* made) -> Status {
    FloatRange range = rangeOf(value);
    std::string why = whyNoLevels(value, range);
    if (range.min == range.max) {
      if (std::abs(range.min) < 0.000001F) range.max = range.min + 1.0F;
      else if (range.min > 0) range.max = 2.0F * range.min;
      else range.min = 2.0F * range.max;
    }
    const float width = (range.max - range.min) / float(steps);
    if (why.empty() && !(std::isfinite(width) && width > 0)) why = concat("the values reach from ", range.min, " to ", range.max);
    if (!why.empty()) {
      context.warn(concat("round_weights: '", node.name(), "' stays as it is: ", why));
      return {};
    }
    WEFT_LET(Tensor rounded, Tensor::allocate(DType::Float, value.shape()));
    float* to = rounded.mutableData<float>();
    for (const float v : value.flat<float>()) {
      const float level = std::floor((v - range.min) / width);
      *to++ = range.min + width * (std::min(level, float(std::numeric_limits<int32_t>::max() - 128)) + 0.5F);
    }
    WEFT_LET(NodeDef out, constNode(node.name(), rounded));
    made->push_back(std::move(out));
    return {};
  };
  return eachLargeConst(in, context, 16, out, round);
}

Status quantizeNodes(const GraphDef&, const Context&, GraphDef*) {
  return unimplemented("quantize_nodes is not supported: Weft does not rewrite graphs to eight-bit ops. quantize_weights stores constants in eight bits");
}

}  // namespace

std::vector<Entry> weightTransforms() {
  return {
      {{"quantize_nodes", "Not supported: an error. In TensorFlow it replaces ops by eight-bit ones.", {}}, quantizeNodes},
      {{"quantize_weights",
        "Stores large float constants in eight bits, with a Dequantize op behind each.",
        {{"minimum_size", "smallest number of elements (default 1024)"}}},
       quantizeWeights},
      {{"round_weights",
        "Rounds the values of large float constants, so that files compress better.",
        {{"num_steps", "number of different values (default 256)"}}},
       roundWeights},
  };
}

}  // namespace weft::transforms
