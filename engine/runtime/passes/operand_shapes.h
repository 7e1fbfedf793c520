#pragma once

#include <optional>

#include "runtime/plan_graph.h"

namespace weft {

/// The shape of an element-wise op's result for the shapes that its operands have in this plan; nothing if one of them is not known, or the op refuses them
/// (its shape function need not: gradients' look at one operand only, their kernels at both).
std::optional<Shape> elementwiseShape(const PlanGraph& plan, const PlanNode& p);

}  // namespace weft
