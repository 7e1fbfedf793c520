#pragma once

#include <utility>
#include <vector>

#include "weft/graph.h"
#include "weft/tensor.h"

namespace weft::provenance {

/// How one element of an op's output changes with the elements of its inputs.
struct LocalSlopes {
  bool known = false;                                             ///< The op has a gradient.
  std::vector<std::vector<std::pair<int64_t, double>>> perInput;  ///< Position of the element, row by row, and slope; slopes of 0 are left out.
};

/// By the op's own gradient, at these values of its inputs. `element`: position in output `output`. Errors are those of running it.
Result<LocalSlopes> localSlopes(const Graph& graph, const Node& node, const std::vector<Tensor>& inputs, int output, const Shape& shape, int64_t element);

}  // namespace weft::provenance
