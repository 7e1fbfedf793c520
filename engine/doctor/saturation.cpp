#include "weft/saturation.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>

#include "weft/op.h"

namespace weft {
namespace {

/// Beyond these values an activation hardly changes. One that is 0 on one side dies instead.
struct Limits {
  std::string_view op;
  bool dies;
  double least, greatest;
};

const Limits* limitsOf(const Node& node) {
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  static constexpr Limits kLimits[] = {
      {"Relu", true, 0, kNone},     {"Relu6", true, 0, kNone},      {"Elu", false, -0.95, kNone},     {"Selu", false, -0.95 * 1.7580993408473766, kNone},
      {"Tanh", false, -0.98, 0.98}, {"Sigmoid", false, 0.01, 0.99}, {"Softsign", false, -0.98, 0.98},
  };
  const auto it = std::find_if(std::begin(kLimits), std::end(kLimits), [&](const Limits& l) { return node.op == l.op; });
  return it == std::end(kLimits) ? nullptr : it;
}

}  // namespace

bool canSaturate(const Node& node) { return limitsOf(node) != nullptr; }

void markLiving(const Graph& graph, const Node& node, const Tensor& value, std::vector<char>* lives) {
  const Node* before = node.inputs.empty() ? nullptr : graph.node(node.inputs[0].node);
  const int dim = value.rank() == 4 && before && before->attrs.text("data_format") == "NCHW" ? 1 : value.rank() - 1;
  const int64_t all = value.dim(dim);
  int64_t inner = 1;
  for (int d = dim + 1; d < value.rank(); ++d) inner *= value.dim(d);
  lives->resize(size_t(all), 0);
  for (int64_t i = 0, n = value.elements(); i < n; ++i)
    if (value.asDouble(i) > 0) (*lives)[size_t(i / inner % all)] = 1;
}

Saturation saturationOf(const Graph& graph, const Node& node, const Tensor& value) {
  const Limits& limits = *limitsOf(node);
  Saturation out;
  out.dead = limits.dies;
  if (out.dead && value.rank() >= 2) {
    std::vector<char> lives;
    markLiving(graph, node, value, &lives);
    out.all = int64_t(lives.size());
    out.counted = std::count(lives.begin(), lives.end(), 0);
    return out;
  }
  out.all = value.elements();
  for (int64_t i = 0; i < out.all; ++i) {
    const double v = value.asDouble(i);
    out.counted += out.dead ? !(v > 0) : v < limits.least || v > limits.greatest;
  }
  return out;
}

int learningRateInput(const Node& apply) {
  if (!apply.record || roleOf(apply) != OpRole::ApplyGradient) return -1;
  for (size_t i = 0; i < apply.record->inputs.size() && i < apply.inputs.size(); ++i) {
    const std::string& name = apply.record->inputs[i].name;
    if (name == "lr" || name == "alpha") return int(i);
  }
  return -1;
}

}  // namespace weft
