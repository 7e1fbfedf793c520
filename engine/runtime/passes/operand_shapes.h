#pragma once

#include <optional>

#include "runtime/plan_graph.h"

namespace weft {

/// The result shape of an element-wise op for its operands' shapes in this plan. nullopt if one of them is unknown, or the op would reject them (even
/// if its shape function does not: those of gradient ops check one operand only, their kernels both).
std::optional<Shape> elementwiseShape(const PlanGraph& plan, const PlanNode& p);

}  // namespace weft
