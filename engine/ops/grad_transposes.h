#pragma once

#include "weft/builder.h"

// Transposes as tf.* builds them; where the rank is unknown, with a permutation that is computed when the graph runs.
namespace weft::py {

/// tf.transpose without a permutation: all axes the other way round.
Output transposeAll(GraphBuilder& b, Output x);
/// tf.linalg.matrix_transpose: the last two axes, conjugated if asked for.
Output matrixTranspose(GraphBuilder& b, Output x, bool conjugate = false);
/// tf.linalg.adjoint
Output adjoint(GraphBuilder& b, Output x);

}  // namespace weft::py
