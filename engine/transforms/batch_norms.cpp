#include "transforms/batch_norms.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "transforms/node_names.h"

namespace weft::transforms {
namespace {

/// A float that rounds to half as `value` itself does: where it is inexact, its last bit is odd, so that it is no tie which `value` was not.
float toOdd(double value) {
  const auto near = float(value);
  if (!std::isfinite(near) || double(near) == value || (std::bit_cast<uint32_t>(near) & 1)) return near;
  return std::nextafter(near, value > double(near) ? HUGE_VALF : -HUGE_VALF);
}

double roundedOnce(DType type, double value) {
  if (type == DType::Float) return double(float(value));
  if (type == DType::BFloat16) return double(toFloat(bfloat16FromFloat(float(value))));
  return type == DType::Half ? double(toFloat(halfFromFloat(toOdd(value)))) : value;
}

/// A channel's factor and offset; `Real` is the type of each step.
template <typename Real>
std::pair<double, double> affineIn(double mean, double variance, double beta, double gamma, double epsilon) {
  const Real scale = Real(1) / std::sqrt(Real(variance) + Real(epsilon)) * Real(gamma);
  return {double(scale), double(-Real(mean) * scale + Real(beta))};
}

}  // namespace

Result<Affine> affineOf(const NodeDef& norm, const NormConstants& constants, NormArithmetic arithmetic) {
  const bool fused = norm.op() == "FusedBatchNorm";
  const char* name = fused ? "epsilon" : "variance_epsilon";
  const auto* given = attrOf(norm, name);
  if (!given && !fused) return invalidArgument("the attribute ", name, " is missing").atNode(norm.name());
  const double epsilon = double(given ? given->f() : 0.0001F);
  const bool scaled = fused || boolAttr(norm, "scale_after_normalization");
  const DType type = constants.variance.dtype();
  Affine out;
  for (int64_t i = 0; i < constants.mean.elements(); ++i) {
    const double mean = constants.mean.asDouble(i), beta = constants.beta.asDouble(i), gamma = scaled ? constants.gamma.asDouble(i) : 1.0;
    double variance = constants.variance.asDouble(i);
    std::pair<double, double> both;
    if (arithmetic == NormArithmetic::NumPy) {
      variance = roundedOnce(type, variance + roundedOnce(type, epsilon));
      both = affineIn<double>(mean, variance, beta, gamma, 0);
    } else {
      both = type == DType::Float ? affineIn<float>(mean, variance, beta, gamma, epsilon) : affineIn<double>(mean, variance, beta, gamma, epsilon);
    }
    out.scale.push_back(both.first);
    out.offset.push_back(both.second);
  }
  return out;
}

int64_t columnsOf(const std::string& op, const Tensor& weights) {
  if (weights.rank() != (op == "MatMul" ? 2 : 4)) return 0;
  if (op == "MatMul") return weights.dim(1);
  return op == "Conv2D" ? weights.dim(3) : weights.dim(2) * weights.dim(3);
}

Result<Tensor> roundedTo(DType type, const Shape& shape, std::span<const double> values) {
  WEFT_LET(Tensor out, Tensor::allocate(type, shape));
  for (size_t i = 0; i < values.size(); ++i) {
    switch (type) {
      case DType::Half: out.mutableData<HalfBits>()[i] = halfFromFloat(toOdd(values[i])); break;
      case DType::BFloat16: out.mutableData<BFloat16Bits>()[i] = bfloat16FromFloat(float(values[i])); break;
      case DType::Float: out.mutableData<float>()[i] = float(values[i]); break;
      case DType::Double: out.mutableData<double>()[i] = values[i]; break;
      default: return invalidArgument("expected a floating type, found ", dtypeName(type));
    }
  }
  return out;
}

Result<Tensor> scaledColumns(const Tensor& weights, std::span<const double> factors) {
  std::vector<double> values(size_t(weights.elements()));
  for (size_t i = 0; i < values.size(); ++i) values[i] = weights.asDouble(int64_t(i)) * factors[i % factors.size()];
  return roundedTo(weights.dtype(), weights.shape(), values);
}

std::set<std::string> readBeyondFirst(const GraphDef& graph, const std::vector<std::string>& outputs) {
  std::set<std::string> out;
  const auto read = [&](const std::string& name) {
    if (const InputParts parts = inputParts(name); !parts.suffix.empty() && parts.suffix != ":0") out.insert(parts.node);
  };
  for (const NodeDef& node : graph.node()) std::for_each(node.input().begin(), node.input().end(), read);
  std::for_each(outputs.begin(), outputs.end(), read);
  return out;
}

std::string whyNormNotFolded(const NodeDef& norm, const WeightedConvs& convs, const std::set<std::string>& beyondFirst,
                             const std::function<bool(const std::string&)>& isUsedElsewhere) {
  if (beyondFirst.count(norm.name())) return "its other outputs are used";
  const auto formatOf = [](const NodeDef& node) { return textAttr(node, "data_format", "NHWC"); };
  for (const auto& [conv, weights] : convs) {
    for (const NodeDef* changed : {conv, weights})
      if (isUsedElsewhere(changed->name())) return "'" + changed->name() + "' is used elsewhere";
    if (formatOf(*conv) != formatOf(norm)) return concat("the data_format of '", conv->name(), "' is ", formatOf(*conv));
    if (const DType type = statedType(*weights); !isFloating(type)) return concat("'", weights->name(), "' holds ", dtypeName(type));
  }
  return {};
}

NodeDef biasAdd(const std::string& name, const NodeDef& conv, const std::string& offset) {
  NodeDef out;
  out.set_op("BiasAdd");
  out.set_name(name);
  for (const char* attr : {"T", "data_format"})
    if (const auto* value = attrOf(conv, attr)) (*out.mutable_attr())[attr] = *value;
  out.add_input(conv.name());
  out.add_input(offset);
  return out;
}

}  // namespace weft::transforms
