#pragma once

#include "ops/registry.h"

// What ops that call functions share.
namespace weft {

/// Output shapes as the attribute `output_shapes` says; if that is empty, unknown ones. INVALID_ARGUMENT if it has another length.
Status declaredOutputShapes(ShapeContext& c);

/// Gradients of If, StatelessIf and Case, and of While and StatelessWhile (autodiff). They change the node, which gives out what its
/// gradient needs of the values inside.
Result<std::vector<Output>> gradientOfConditional(GradContext& c);
Result<std::vector<Output>> gradientOfWhile(GradContext& c);

/// A tensor as a condition, as If and While read it: a scalar number that is not zero, a string that is not empty; of other ranks
/// whether there are elements. INVALID_ARGUMENT for types that are no condition.
Result<bool> asCondition(const Tensor& t);

}  // namespace weft
