#include "runtime/passes/operand_shapes.h"

#include <algorithm>
#include <string_view>

#include "graph/shape_context.h"

namespace weft {

std::optional<Shape> elementwiseShape(const PlanGraph& plan, const PlanNode& p) {
  std::vector<Shape> inputs;
  for (const Output& in : p.inputs) inputs.push_back(plan.nodes[size_t(in.node)].shapes[size_t(in.index)]);
  const auto isKnown = [](const Shape& s) { return s.isFullyKnown(); };
  if (inputs.empty() || !std::all_of(inputs.begin(), inputs.end(), isKnown)) return {};
  const bool broadcasts = !std::string_view(p.node->op).ends_with("Grad");
  if (!broadcasts && !std::all_of(inputs.begin(), inputs.end(), [&](const Shape& s) { return s == inputs[0]; })) return {};
  auto inferred = inferShapes(*p.node, inputs, [](int) -> const Tensor* { return nullptr; });
  if (!inferred.ok() || inferred->size() != 1) return {};
  return std::move((*inferred)[0]);
}

}  // namespace weft
