// Numbers about shapes that are otherwise worked out by hand: fans of weights, padding and sizes of windows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "weft/graph.h"

namespace weft {

/// The fans of a weight, as tf.initializers counts them: for a convolution, kernel cells times channels.
struct WeightFans {
  int rank = 2;
  double in = 0;                        ///< Values that each unit sums.
  double out = 0;                       ///< Units that each value feeds.
  WEFT_API double glorotLimit() const;  ///< Of glorot_uniform_initializer: √(6 / (in + out)).
  WEFT_API double heDeviation() const;  ///< Of he_normal: √(2 / in).
};
/// Nothing for what is no variable, for a bias, and where the shape is unknown.
WEFT_API std::optional<WeightFans> weightFans(const Node& variable);

/// A convolution or pooling along one spatial dim.
struct SpatialAxis {
  int64_t in = 0, out = 0;
  int64_t stride = 1, reach = 1;        ///< `reach`: the window's size with its dilation.
  int64_t padBefore = 0, padAfter = 0;  ///< Zeros that SAME adds.
  int64_t ignored = 0;                  ///< The last values, which VALID does not read.
};
struct WindowFacts {
  bool same = false;                               ///< SAME, else VALID.
  std::array<std::optional<SpatialAxis>, 2> axes;  ///< Rows and columns, where their sizes are known.
};
/// Nothing where the op has no window in two dims, or its shapes are unknown.
WEFT_API std::optional<WindowFacts> windowFacts(const Graph& graph, const Node& node);

/// A transposed convolution along one spatial dim. It is the gradient of a convolution from its output to its input, so several sizes are possible.
struct TransposedAxis {
  int64_t in = 0, stride = 1;
  int64_t least = 0, most = 0;  ///< Sizes that a convolution maps to `in`.
  int64_t asked = -1;           ///< The output's; -1: unknown.
};
struct TransposedFacts {
  bool same = false;
  std::array<std::optional<TransposedAxis>, 2> axes;
  bool uneven = false;  ///< The kernel is no multiple of the stride: neighbouring outputs sum different numbers of values.
};
/// Nothing for another op, and where the shapes are unknown.
WEFT_API std::optional<TransposedFacts> transposedFacts(const Graph& graph, const Node& node);

}  // namespace weft
