#pragma once

#include "weft/builder.h"

// Gradients of the ops of linear algebra, node for node as TensorFlow 1.15's Python builds them.
namespace weft::linear {

using Grads = Result<std::vector<Output>>;

Grads inverseGradient(GradContext& c);
Grads determinantGradient(GradContext& c);
Grads logDeterminantGradient(GradContext& c);
Grads solveGradient(GradContext& c);
Grads triangularSolveGradient(GradContext& c);
Grads choleskyGradient(GradContext& c);
Grads qrGradient(GradContext& c);
Grads eigGradient(GradContext& c);
/// For matrices whose shape is known, by the normal equations.
Grads solveLsGradient(GradContext& c);
/// With singular vectors: of real matrices of known shape, whose singular values differ.
Grads svdGradient(GradContext& c);
Grads squareRootGradient(GradContext& c);

}  // namespace weft::linear
