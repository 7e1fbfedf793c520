#pragma once

#include "ops/registry.h"

// Shared by ops that call functions.
namespace weft {

/// Sets the output shapes from the attribute `output_shapes`; unknown ones if it is empty. INVALID_ARGUMENT if its length is wrong.
Status declaredOutputShapes(ShapeContext& c);

/// Gradients of If, StatelessIf and Case, and of While and StatelessWhile (autodiff). They change the node so that it also outputs the inner values that the
/// gradient needs.
Result<std::vector<Output>> gradientOfConditional(GradContext& c);
Result<std::vector<Output>> gradientOfWhile(GradContext& c);

/// A tensor as the condition of If and While. A scalar is true if it is a nonzero number or a nonempty string; other tensors are true if they have elements.
/// INVALID_ARGUMENT for types that cannot be a condition.
Result<bool> asCondition(const Tensor& t);

}  // namespace weft
