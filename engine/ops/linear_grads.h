#pragma once

#include "weft/builder.h"

// Gradients of the linear algebra ops, node for node as TensorFlow 1.15's Python builds them.
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
/// For matrices of known shape, by the normal equations.
Grads solveLsGradient(GradContext& c);
/// With singular vectors: for real matrices of known shape with distinct singular values.
Grads svdGradient(GradContext& c);
Grads squareRootGradient(GradContext& c);

}  // namespace weft::linear
