#pragma once

#include "weft/builder.h"

// Transposes as tf.* builds them. If the rank is unknown, the permutation is computed at run time.
namespace weft::py {

/// tf.transpose without a permutation: reverses all axes.
Output transposeAll(GraphBuilder& b, Output x);
/// tf.linalg.matrix_transpose: the last two axes, optionally conjugated.
Output matrixTranspose(GraphBuilder& b, Output x, bool conjugate = false);
/// tf.linalg.adjoint
Output adjoint(GraphBuilder& b, Output x);

}  // namespace weft::py
